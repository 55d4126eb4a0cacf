"""Game files: read, shown, verified."""

from pathlib import Path
from typing import Annotated, Final

import typer

from powderkeg import games, picture
from powderkeg.cli.say import Lang, console, speak_text, t, use_language
from powderkeg.core import record
from powderkeg.core.drawing import MapDrawing
from powderkeg.core.errors import Unreadable
from powderkeg.core.game import Game
from powderkeg.core.table import Table

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
    for position in range(len(table.log)):
        print_entry(table, position, seat)
    if table.result:
        console.print(speak_text(table.result.why), style="bold", markup=False)
    if svg or png:
        keep_picture(_draw_map(table, seat, chosen), svg, png)


def _draw_map(table: Table, seat: str | None, lang: str) -> str:
    """The map of a game that has one, under the name of its phase."""
    if table.game.name not in MAP_DRAWINGS:
        raise Unreadable("cli.no_map", game=table.game.name)
    phase = table.game.marks(table.state).phase
    title = speak_text(table.game.phase_name(phase)) if table.to_act else ""
    return MAP_DRAWINGS[table.game.name]()(table.view(seat), lang=lang, title=title)


def _diplomacy_drawing() -> MapDrawing:
    from powderkeg.games.diplomacy.draw import draw_diplomacy_view

    return draw_diplomacy_view


def _risk_europe_drawing() -> MapDrawing:
    from powderkeg.games.risk_europe.draw import draw_risk_view

    return draw_risk_view


# The games that have a map; a game's drawing is imported when it is asked for.
MAP_DRAWINGS: Final = {"diplomacy": _diplomacy_drawing, "risk_europe": _risk_europe_drawing}


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
    for fact in facts:
        rule = f"  [{fact.rule}]" if fact.rule else ""
        console.print(f"{speak_text(fact.msg)}{rule}", style=style, markup=False)


def verify_file(file: GameFile, *, lang: Lang = None) -> None:
    """Check every die roll and every draw of a finished game against its published key."""
    use_language(lang)
    kept = load_record(file)
    n = record.verify_record(kept, rules_of(kept))
    console.print(t("cli.verified", n=n), markup=False)
