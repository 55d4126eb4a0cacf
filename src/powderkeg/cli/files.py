"""Game files: read, shown, verified."""

from collections.abc import Iterable
from pathlib import Path
from typing import Annotated

import typer

from powderkeg import games, picture
from powderkeg.cli.say import Lang, console, speak_text, t, use_language
from powderkeg.core import plain, record
from powderkeg.core.errors import Unreadable
from powderkeg.core.game import Game, seat_message
from powderkeg.core.table import Table
from powderkeg.core.words import Msg

GameFile = Annotated[Path, typer.Argument(help="A game file (.jsonl).", show_default=False)]


def load_record(path: Path) -> record.Record:
    """The record in a file, or a sentence that says what is wrong with it."""
    try:
        return record.read_record(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise Unreadable("cli.no_file", path=str(path)) from None
    except (OSError, UnicodeDecodeError):
        raise Unreadable("core.file_foreign") from None


def rules_of(kept: record.Record) -> Game:
    """The game of a record. A file may come from anybody: it names a game, never a module to run."""
    if "." in kept.header.game:
        raise Unreadable("core.no_such_game", name=kept.header.game, games=games.GAME_NAMES)
    return games.find_game(kept.header.game)


def replay_file(
    file: GameFile,
    *,
    seat: Annotated[
        str | None, typer.Option(help="Show only what this seat may know; default: everything.")
    ] = None,
    at: Annotated[
        int | None, typer.Option(min=0, help="Stop after this many entries; default: at the end.")
    ] = None,
    svg: Annotated[Path | None, typer.Option(help="Draw the map at that moment, as SVG.")] = None,
    png: Annotated[Path | None, typer.Option(help="The same as PNG.")] = None,
    lang: Lang = None,
) -> None:
    """Tell the story of a stored game."""
    chosen = use_language(lang)
    kept = load_record(file)
    table = record.replay_record(kept, rules_of(kept))
    if seat is not None and seat not in table.seats:
        raise Unreadable("core.no_such_seat", seat=seat)
    if at is not None:
        table = table.fork(at)
    console.print(t("cli.replay", game=kept.header.game, n=len(kept.entries)), markup=False)
    letters = [each for each in kept.letters if each.after <= len(table.log) and each.seen_by(seat)]
    for position in range(len(table.log)):
        print_letters(table.game, [each for each in letters if each.after == position])
        print_entry(table, position, seat)
    print_letters(table.game, [each for each in letters if each.after == len(table.log)])
    shown = [fact.msg for fact in table.facts[-1]] if table.facts else []
    if table.result and table.result.why not in shown:
        console.print(speak_text(table.result.why), style="bold", markup=False)
    if svg or png:
        keep_picture(table.draw(seat, lang=chosen), svg, png)


def keep_picture(drawn: str, svg: Path | None, png: Path | None) -> None:
    if svg:
        svg.write_text(drawn, encoding="utf-8")
    if png:
        try:
            png.write_bytes(picture.render_png(drawn))
        except ImportError:
            raise Unreadable("judge.no_drawing") from None


def print_entry(table: Table, position: int, seat: str | None) -> None:
    """One entry of the log in words; `seat` None: the facts of all seats."""
    style = "dim strike" if position in table.undone else ""
    facts = [f for f in table.facts[position] if seat is None or f.seen_by(seat)]
    options = plain.dump(table.options)
    for fact in facts:
        rule = f"  [{fact.rule}]" if fact.rule else ""
        text = speak_text(games.mark_cards(table.game, options, fact.msg))
        console.print(f"{text}{rule}", style=style, markup=False)


def print_letters(game: Game, letters: Iterable[record.Letter]) -> None:
    """What the players wrote to each other, in their own words."""
    for letter in letters:
        sender = seat_message(game, letter.seat) if letter.seat else Msg("cli.moderator")
        to = tuple(seat_message(game, seat) for seat in letter.to) or Msg("cli.everybody")
        line = t("cli.letter", sender=sender, to=to, text=letter.text)
        console.print(line, style="italic", markup=False)


def verify_file(file: GameFile, *, lang: Lang = None) -> None:
    """Check every die roll and every draw of a finished game against its published key."""
    use_language(lang)
    kept = load_record(file)
    n = record.verify_record(kept, rules_of(kept))
    console.print(t("cli.verified", n=n), markup=False)
