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
from powderkeg.cli.admin import admin
from powderkeg.cli.cards.commands import cards
from powderkeg.cli.say import Lang, console, fail, t, use, write_plainly
from powderkeg.cli.usage import refusal, speaking
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
    terminal.play
)
app.command("replay", epilog="Example: powderkeg replay evening.jsonl --lang es")(files.replay)
app.command("verify", epilog="Example: powderkeg verify evening.jsonl")(files.verify)
app.command(
    "playout", epilog="Example: powderkeg playout risk_europe --players 4 --games 100 --json"
)(playout.playout)
app.command("judge", epilog="Example: powderkeg judge spring.txt --png spring.png")(judge.judge)
app.command("convert", epilog="Example: powderkeg convert saved.json game.jsonl")(convert.convert)
app.command("odds", epilog="Example: powderkeg odds '4 footmen, 2 archers' '3f 1c' --castle")(
    odds.odds
)
app.command("arena", epilog="Example: powderkeg arena risk_europe --a hard --b normal --seeds 50")(
    arena.arena
)
app.command("tune", epilog="Example: powderkeg tune versailles values weights.json")(tune.tune)
app.command("mcp", epilog="Example: powderkeg mcp diplomacy --seat FRANCE --bots easy")(mcp.mcp)

app.add_typer(cards, name="cards")

app.command("serve", epilog="Example: powderkeg serve --port 8000")(serve.serve)
app.command("worker", epilog="Example: powderkeg worker --database postgresql://...")(serve.worker)
app.add_typer(admin, name="admin")


@app.command("rules", epilog="Example: powderkeg rules --json")
def rules(
    *,
    as_json: Annotated[bool, typer.Option("--json", help="For programs.")] = False,
    lang: Lang = None,
) -> None:
    """How many of the numbered rules are proven by tests, and which are not."""
    use(lang)
    counts = proof.count_proven()
    if as_json:
        print(json.dumps({name: count._asdict() for name, count in counts.items()}))
        return
    for name, count in counts.items():
        console.print(t("cli.rules", game=name, proven=count.proven, total=count.total))
        if count.missing:
            console.print("  " + t("cli.rules_missing", rules=", ".join(count.missing)))


@app.command("version", epilog="Example: powderkeg version")
def version(*, lang: Lang = None) -> None:
    """The version of Powderkeg."""
    use(lang)
    print(powderkeg.__version__)


def _speak(*, lang: Lang = None) -> None:
    """Whoever asks a group of commands for help may say in which language."""
    use(lang)


for group in (app, admin, cards):
    group.callback(help=group.info.help)(_speak)


def main() -> None:
    """Run a command; what goes wrong with the input is said in the reader's language."""
    # Rich would end with 1 when the reader has gone, and takes no other end than this.
    Console.on_broken_pipe = _gone  # type: ignore[assignment, method-assign]  # Rich has no setting for it
    write_plainly()
    try:
        command = speaking(app, sys.argv[1:])
        with command.make_context("powderkeg", sys.argv[1:]) as ctx:
            command.invoke(ctx)
        sys.stdout.flush()
    except RulesError as error:
        fail(error)
    except typer.Exit as done:
        sys.exit(done.exit_code)
    except typer.TyperException as error:
        if not str(error):
            sys.exit(2)  # no command at all: the help was the answer
        fail(refusal(error))
    except (KeyboardInterrupt, EOFError, typer.Abort):
        sys.exit(130)
    except BrokenPipeError:
        _leave_quietly()
    except OSError as error:  # a folder that is not there, a full disk
        fail(Unreadable("cli.system", where=str(error.filename or "-"), why=error.strerror or ""))


def _gone(_: Console) -> NoReturn:
    raise BrokenPipeError


def _leave_quietly() -> NoReturn:
    """Who read our output has gone, as in `powderkeg ... | head`: that is no error, and nobody is
    left to hear of it. What is still to be written goes nowhere."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    sys.exit(0)
