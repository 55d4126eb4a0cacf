"""Help and refusals of the command line in the reader's language.

Help texts stand in English beside the commands they explain; gettext's own catalogue, `messages`,
has them in the other languages, together with the few words of Typer itself.
"""

import gettext
import os
import re
from collections.abc import Callable
from functools import partial
from typing import Any, get_args

import typer
from typer.main import get_command

from powderkeg.cli.say import use_language
from powderkeg.core.errors import Unreadable
from powderkeg.core.words import LANGS, LOCALE_FOLDERS, Arg, Msg

_ASKED = re.compile(rf"--lang[= ]({'|'.join(LANGS)})\b")


def translated_commands(app: typer.Typer, args: list[str]) -> Any:
    """The commands of `app`, explained in the language that `args` or the environment ask for."""
    asked = _ASKED.search(" ".join(args))
    os.environ["LANGUAGE"] = use_language(asked[1] if asked else None)
    gettext.bindtextdomain("messages", LOCALE_FOLDERS[0])
    gettext.textdomain("messages")
    command = get_command(app)
    translate_help(command)
    return command


def translate_help(command: Any) -> None:
    """Put the help of a command and of those below it into the language in use."""
    for explained in (command, *command.params):
        if getattr(explained, "help", None):
            explained.help = "\n\n".join(map(gettext.gettext, explained.help.split("\n\n")))
    command.get_help_option = _translated_option(command.get_help_option)
    command.format_usage = partial(_write_usage, command)
    if command.epilog:
        command.epilog = command.epilog.replace("Example:", gettext.gettext("Example:"))
    for each in getattr(command, "commands", {}).values():
        translate_help(each)


def _write_usage(command: Any, ctx: Any, formatter: Any) -> None:
    """The first line of the help; Typer knows its first word in English only."""
    pieces = " ".join(command.collect_usage_pieces(ctx))
    formatter.write_usage(ctx.command_path, pieces, f"{gettext.gettext('Usage:')} ")


def _translated_option(make: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """`--help` explained in the language in use: Typer makes it when it is asked for."""

    def make_translated(ctx: Any) -> Any:
        option = make(ctx)
        if option:
            option.help = gettext.gettext(option.help)
        return option

    return make_translated


def usage_refusal(error: typer.TyperException) -> Unreadable:
    """What is wrong with a command, as one of our own errors: they know three languages."""
    ctx = getattr(error, "ctx", None)
    return Unreadable(
        "cli.usage",
        why=_refusal_reason(error),
        help=f"{ctx.command_path if ctx else 'powderkeg'} --help",
    )


def _refusal_reason(error: Any) -> Arg:
    param = getattr(error, "param", None)
    name = max(param.opts, key=len) if param else ""
    match type(error).__name__:
        case "MissingParameter":
            return Msg("cli.usage.missing", name=name)
        case "NoSuchOption" if error.possibilities:
            near = ", ".join(sorted(error.possibilities))
            return Msg("cli.usage.no_option_but", name=error.option_name, near=near)
        case "NoSuchOption":
            return Msg("cli.usage.no_option", name=error.option_name)
        case "BadOptionUsage":
            return Msg("cli.usage.no_value", name=error.option_name)
        case "BadParameter" if param:
            return Msg("cli.usage.bad", name=name, wanted=_wanted_value(param))
    if "unexpected extra argument" in str(error.message):
        return Msg("cli.usage.extra")
    return str(error.message)  # "No such command" is in gettext's catalogue already


def _wanted_value(param: Any) -> Arg:
    kind = param.type_descriptor.annotation
    if choices := get_args(kind):
        return Msg("core.wanted.one_of", choices=", ".join(map(str, choices)))
    if param.min is not None and param.max is not None:
        return Msg("cli.usage.between", least=param.min, most=param.max)
    if param.min is not None:
        return Msg("cli.usage.at_least", least=param.min)
    return Msg(f"core.wanted.{_VALUE_KINDS.get(kind, 'str')}")


_VALUE_KINDS = {int: "int", float: "number", bool: "bool"}
