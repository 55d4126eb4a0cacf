"""The `powderkeg` command: the table of its commands, and how a command is run."""

import os
import sys
from typing import Annotated, NoReturn

import typer
from rich.console import Console

import powderkeg
from powderkeg.cli.lazy import CommandLine, LazyGroup
from powderkeg.cli.say import Lang, fail_with, use_language, write_plainly
from powderkeg.cli.usage import translated_commands, usage_refusal
from powderkeg.core.errors import RulesError, Unreadable


class Commands(LazyGroup):
    """Every command, in the order of the help. The line of help is the function's first sentence."""

    lines = (
        CommandLine(
            "play",
            "powderkeg.cli.play.commands:play_here",
            "Play a game here, alone against bots or passing the keyboard around.",
            "powderkeg play versailles --players 3",
        ),
        CommandLine(
            "options",
            "powderkeg.cli.options:list_options",
            "List the options of a game with their meaning, values and defaults.",
            "powderkeg options diplomacy",
        ),
        CommandLine(
            "replay",
            "powderkeg.cli.files:replay_file",
            "Tell the story of a stored game.",
            "powderkeg replay evening.jsonl --lang es",
        ),
        CommandLine(
            "verify",
            "powderkeg.cli.files:verify_file",
            "Check every die roll and every draw of a finished game against its published key.",
            "powderkeg verify evening.jsonl",
        ),
        CommandLine(
            "playout",
            "powderkeg.cli.playout:play_games",
            "Play whole games between bots and check the game's invariants along the way.",
            "powderkeg playout risk_europe --players 4 --games 100 --json",
        ),
        CommandLine(
            "judge",
            "powderkeg.cli.judge:judge_orders",
            "Adjudicate Diplomacy orders, explain the results and write the page for the next phase.",
            "powderkeg judge spring.txt --png spring.png",
        ),
        CommandLine(
            "convert",
            "powderkeg.cli.convert:convert_games",
            "Convert games of other Diplomacy programs into Powderkeg game files, or ours into theirs.",
            "powderkeg convert saved.json game.jsonl",
        ),
        CommandLine(
            "odds",
            "powderkeg.cli.odds:print_odds",
            "The exact odds of a Risk Europe battle: who wins, and with how many units left.",
            "powderkeg odds '4 footmen, 2 archers' '3f 1c' --castle",
        ),
        CommandLine(
            "arena",
            "powderkeg.cli.arena:play_arena",
            "Play a tournament: one against the rest and the rest against one, every seed from every seat.",
            "powderkeg arena risk_europe --a hard --b normal --seeds 50",
        ),
        CommandLine(
            "tune",
            "powderkeg.cli.tune:tune_bot",
            "Tune the weights of a bot with CMA-ES and check them on fresh seeds.",
            "powderkeg tune versailles values weights.json",
        ),
        CommandLine(
            "mcp",
            "powderkeg.cli.seats.mcp:serve_mcp",
            "Let an assistant that speaks MCP sit at a table, marked as a bot.",
            "powderkeg mcp diplomacy --seat FRANCE --bots easy",
        ),
        CommandLine(
            "daide",
            "powderkeg.cli.daide.commands:daide_app",
            "Play Diplomacy with other programs over DAIDE, as a server or as a player.",
        ),
        CommandLine(
            "seat",
            "powderkeg.cli.seats.model:seat_model",
            "Let a language model play at a table of a server, marked as a bot, until the game is over.",
            "powderkeg seat 'https://example.org/t/AbCdEf1234?invite=...' --model some-model",
        ),
        CommandLine(
            "cards",
            "powderkeg.cli.cards.commands:cards_app",
            "Card packs: look at values, check them, correct them from your own cards, share them.",
        ),
        CommandLine(
            "serve",
            "powderkeg.cli.host.serve:run_server",
            "Run a server: tables, bots, deadlines and notifications.",
            "powderkeg serve --port 8000",
        ),
        CommandLine(
            "worker",
            "powderkeg.cli.host.serve:run_worker",
            "Run the jobs of a server on PostgreSQL: bots, deadlines, notifications. Run as many workers as you like.",
            "powderkeg worker --database postgresql://...",
        ),
        CommandLine(
            "admin",
            "powderkeg.cli.host.admin:admin_app",
            "Commands for hosts: show, export, rewind, replace, close, ban, token.",
        ),
        CommandLine(
            "bench",
            "powderkeg.cli.about:run_bench",
            "Measure how fast Powderkeg is on this machine, beside other engines.",
            "powderkeg bench --short adjudicate legal",
        ),
        CommandLine(
            "rules",
            "powderkeg.cli.about:count_rules",
            "Count the numbered rules that tests prove, and list the others.",
            "powderkeg rules --json",
        ),
        CommandLine(
            "version",
            "powderkeg.cli.about:print_version",
            "Print the version of Powderkeg.",
            "powderkeg version",
        ),
    )


app = typer.Typer(
    cls=Commands,
    invoke_without_command=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
    help="Diplomacy, Versailles 1919 and Risk Europe. Without a command, a game starts.",
)


def _print_version(wanted: bool) -> None:
    if wanted:
        print(f"powderkeg {powderkeg.__version__}")
        raise typer.Exit


@app.callback(help=app.info.help)
def start_command(
    context: typer.Context,
    *,
    version: Annotated[
        bool,
        typer.Option(
            "--version", "-V", help="Print the version.", callback=_print_version, is_eager=True
        ),
    ] = False,
    lang: Lang = None,
) -> None:
    """Choose the language of what follows; with no command, start a game."""
    use_language(lang)
    if context.invoked_subcommand is None:
        from powderkeg.cli.start import start_game

        start_game(context)


def main() -> None:
    """Run a command; bad input gets a sentence in the reader's language."""
    # Rich would end with 1 when the reader has gone, and takes no other end than this.
    Console.on_broken_pipe = _raise_broken_pipe  # type: ignore[assignment, method-assign]  # Rich has no setting for it
    write_plainly()
    try:
        command = translated_commands(app, sys.argv[1:])
        if "_POWDERKEG_COMPLETE" in os.environ:
            command.main(prog_name="powderkeg")  # answers the shell's question and ends
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
    """End without an error when the reader has left, as in `powderkeg ... | head`."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    sys.exit(0)
