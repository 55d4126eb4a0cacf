"""Commands that are imported when they are used: `powderkeg --help` loads none of them."""

from gettext import gettext
from importlib import import_module
from typing import Any, ClassVar, NamedTuple

import typer
from typer.core import TyperCommand, TyperGroup
from typer.main import get_command

from powderkeg.cli.say import Lang, use_language
from powderkeg.cli.usage import translate_help


class CommandLine(NamedTuple):
    """One line of the help: a command, where its function (or its group) is, and an example."""

    name: str
    target: str
    help: str
    example: str = ""


class PlainGroup(TyperGroup):
    """A group that lists its commands with all of their help. Loading what Rich draws help with
    would take half as long again."""

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        rows = [(name, command.help or "") for name, command in self.commands.items()]
        with formatter.section(gettext("Commands")):
            formatter.write_dl([(name, help_.partition("\n\n")[0]) for name, help_ in rows])


class LazyCommand(TyperCommand):
    """A line of the help until it is used, then the command itself."""

    def __init__(self, line: CommandLine) -> None:
        super().__init__(line.name, help=line.help, rich_markup_mode=None)
        self.line = line

    def load_command(self) -> Any:
        """Import the command and explain it in the reader's language."""
        module, _, name = self.line.target.partition(":")
        command = get_command(_as_app(getattr(import_module(module), name), self.line))
        command.name = self.line.name
        translate_help(command)
        return command

    def make_context(self, *args: Any, **more: Any) -> Any:
        return self.load_command().make_context(*args, **more)


class LazyGroup(PlainGroup):
    """A group whose commands are the lines of a table."""

    lines: ClassVar[tuple[CommandLine, ...]] = ()

    def __init__(self, **attrs: Any) -> None:
        super().__init__(**attrs)
        for line in self.lines:
            self.add_command(LazyCommand(line))


def _as_app(target: Any, line: CommandLine) -> typer.Typer:
    if isinstance(target, typer.Typer):
        target.callback(cls=PlainGroup, help=target.info.help)(choose_language)
        target.rich_markup_mode, target._add_completion = None, False  # noqa: SLF001  # no setter
        return target
    app = typer.Typer(add_completion=False, rich_markup_mode=None)
    app.command(line.name, epilog=f"Example: {line.example}")(target)
    return app


def choose_language(*, lang: Lang = None) -> None:
    """Let `powderkeg admin --lang es --help` choose the language of the help."""
    use_language(lang)
