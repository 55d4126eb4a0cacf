"""The commands and what they share."""

import json
import os
import sys
from typing import Annotated, NoReturn

import typer
from rich.console import Console

import powderkeg
from powderkeg import proof
from powderkeg.cli import arena, convert, files, judge, mcp, odds, playout, serve, terminal, tune
from powderkeg.cli.admin import admin_app
from powderkeg.cli.cards.commands import cards_app
from powderkeg.cli.say import Lang, console, fail_with, t, use_language, write_plainly
from powderkeg.cli.usage import translated_commands, usage_refusal
from powderkeg.core.errors import RulesError, Unreadable

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode="rich",
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
    help="Diplomacy, Versailles 1919 and Risk Europe: play, replay, check, study.",
)

app.command("play", epilog="Example: powderkeg play versailles --players 3 --bots random")(
    terminal.play_here
)
app.command("replay", epilog="Example: powderkeg replay evening.jsonl --lang es")(files.replay_file)
app.command("verify", epilog="Example: powderkeg verify evening.jsonl")(files.verify_file)
app.command(
    "playout", epilog="Example: powderkeg playout risk_europe --players 4 --games 100 --json"
)(playout.play_games)
app.command("judge", epilog="Example: powderkeg judge spring.txt --png spring.png")(
    judge.judge_orders
)
app.command("convert", epilog="Example: powderkeg convert saved.json game.jsonl")(
    convert.convert_game
)
app.command("odds", epilog="Example: powderkeg odds '4 footmen, 2 archers' '3f 1c' --castle")(
    odds.print_odds
)
app.command("arena", epilog="Example: powderkeg arena risk_europe --a hard --b normal --seeds 50")(
    arena.play_arena
)
app.command("tune", epilog="Example: powderkeg tune versailles values weights.json")(tune.tune_bot)
app.command("mcp", epilog="Example: powderkeg mcp diplomacy --seat FRANCE --bots easy")(
    mcp.serve_mcp
)

app.add_typer(cards_app, name="cards")

app.command("serve", epilog="Example: powderkeg serve --port 8000")(serve.run_server)
app.command("worker", epilog="Example: powderkeg worker --database postgresql://...")(
    serve.run_worker
)
app.add_typer(admin_app, name="admin")


@app.command("rules", epilog="Example: powderkeg rules --json")
def count_rules(
    *,
    as_json: Annotated[bool, typer.Option("--json", help="For programs.")] = False,
    lang: Lang = None,
) -> None:
    """Count the numbered rules that tests prove, and list the others."""
    use_language(lang)
    counts = proof.count_proven()
    if as_json:
        print(json.dumps({name: count._asdict() for name, count in counts.items()}))
        return
    for name, count in counts.items():
        console.print(t("cli.rules", game=name, proven=count.proven, total=count.total))
        if count.missing:
            console.print("  " + t("cli.rules_missing", rules=", ".join(count.missing)))


@app.command("version", epilog="Example: powderkeg version")
def print_version(*, lang: Lang = None) -> None:
    """The version of Powderkeg."""
    use_language(lang)
    print(powderkeg.__version__)


def _choose_language(*, lang: Lang = None) -> None:
    """Whoever asks a group of commands for help may say in which language."""
    use_language(lang)


for group in (app, admin_app, cards_app):
    group.callback(help=group.info.help)(_choose_language)


def main() -> None:
    """Run a command; what goes wrong with the input is said in the reader's language."""
    # Rich would end with 1 when the reader has gone, and takes no other end than this.
    Console.on_broken_pipe = _raise_broken_pipe  # type: ignore[assignment, method-assign]  # Rich has no setting for it
    write_plainly()
    try:
        command = translated_commands(app, sys.argv[1:])
        with command.make_context("powderkeg", sys.argv[1:]) as ctx:
            command.invoke(ctx)
        sys.stdout.flush()
    except RulesError as error:
        fail_with(error)
    except typer.Exit as done:
        sys.exit(done.exit_code)
    except typer.TyperException as error:
        if not str(error):
            sys.exit(2)  # no command at all: the help was the answer
        fail_with(usage_refusal(error))
    except (KeyboardInterrupt, EOFError, typer.Abort):
        sys.exit(130)
    except BrokenPipeError:
        _leave_quietly()
    except OSError as error:  # a folder that is not there, a full disk
        fail_with(
            Unreadable("cli.system", where=str(error.filename or "-"), why=error.strerror or "")
        )


def _raise_broken_pipe(_: Console) -> NoReturn:
    raise BrokenPipeError


def _leave_quietly() -> NoReturn:
    """Who read our output has gone, as in `powderkeg ... | head`: that is no error, and nobody is
    left to hear of it. What is still to be written goes nowhere."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    sys.exit(0)
