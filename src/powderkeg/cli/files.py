"""Game files: read, shown, verified."""

from pathlib import Path
from typing import Annotated

import typer

from powderkeg import games
from powderkeg.cli.say import Lang, console, speak, t, use
from powderkeg.core import record
from powderkeg.core.errors import Unreadable
from powderkeg.core.game import Game
from powderkeg.core.table import Table

File = Annotated[Path, typer.Argument(help="A game file (.jsonl).", show_default=False)]


def load(path: Path) -> record.Record:
    """The record in a file, or a sentence that says what is wrong with it."""
    try:
        return record.read(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise Unreadable("cli.no_file", path=str(path)) from None
    except (OSError, UnicodeDecodeError):
        raise Unreadable("core.file_foreign") from None


def rules_of(kept: record.Record) -> Game:
    """The game of a record. A file may come from anybody: it names a game, never a module to run."""
    if "." in kept.header.game:
        raise Unreadable("core.no_such_game", name=kept.header.game, games=games.NAMES)
    return games.find(kept.header.game)


def replay(
    file: File,
    *,
    seat: Annotated[
        str | None, typer.Option(help="Tell only what this seat may know; default: everything.")
    ] = None,
    lang: Lang = None,
) -> None:
    """Tell a stored game from its first entry to its last."""
    use(lang)
    kept = load(file)
    table = record.replay(kept, rules_of(kept))
    if seat is not None and seat not in table.seats:
        raise Unreadable("core.no_such_seat", seat=seat)
    console.print(t("cli.replay", game=kept.header.game, n=len(kept.entries)), markup=False)
    for position in range(len(table.log)):
        tell(table, position, seat)
    if table.result:
        console.print(speak(table.result.why), style="bold", markup=False)


def tell(table: Table, position: int, seat: str | None) -> None:
    """One entry of the log in words; `seat` None: all that was said to anybody."""
    style = "dim strike" if position in table.undone else ""
    facts = [f for f in table.facts[position] if seat is None or f.seen_by(seat)]
    for fact in facts:
        rule = f"  [{fact.rule}]" if fact.rule else ""
        console.print(f"{speak(fact.msg)}{rule}", style=style, markup=False)


def verify(file: File, *, lang: Lang = None) -> None:
    """Check every die and every draw of a finished game against its published key."""
    use(lang)
    kept = load(file)
    n = record.verify(kept, rules_of(kept))
    console.print(t("cli.verified", n=n), markup=False)
