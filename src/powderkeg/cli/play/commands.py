"""`powderkeg play`: a new game in the terminal, or one that goes on."""

import os
from pathlib import Path
from typing import Annotated

import typer
from rich.prompt import Prompt

from powderkeg import games
from powderkeg.bots.levels import load_bot
from powderkeg.cli.complete import complete_game, complete_level
from powderkeg.cli.play.evening import Evening, Leave
from powderkeg.cli.play.saves import (
    DEFAULT_BOTS,
    GameSave,
    GameWishes,
    TableNotes,
    new_key,
    read_notes,
    resume_game,
    start_game,
)
from powderkeg.cli.say import Lang, console, t, use_language
from powderkeg.core.chance import Audited
from powderkeg.core.errors import Unreadable
from powderkeg.core.game import Seat
from powderkeg.core.table import Table


def play_here(
    game: Annotated[
        str | None,
        typer.Argument(
            help="diplomacy, versailles, risk_europe or a saved game; default: asks.",
            autocompletion=complete_game,
        ),
    ] = None,
    *,
    players: Annotated[
        int | None, typer.Option(min=1, help="How many seats; default: the most.")
    ] = None,
    people: Annotated[
        int | None, typer.Option(min=0, help="How many seats are for people; default: one.")
    ] = None,
    seat: Annotated[
        list[str] | None, typer.Option(help="Your seat; repeat it for more people.")
    ] = None,
    bot: Annotated[
        str | None,
        typer.Option(
            "--bots",
            help="The bots in the other seats; default: normal.",
            autocompletion=complete_level,
        ),
    ] = None,
    option: Annotated[
        list[str] | None,
        typer.Option("--option", "-o", help="An option of the game, name=value; help lists them."),
    ] = None,
    seed: Annotated[
        int | None,
        typer.Option(help="Seed for repeatable luck; default: dice that can be verified."),
    ] = None,
    save: Annotated[
        Path | None, typer.Option(help="Save the game in this file; continue if it exists.")
    ] = None,
    lang: Lang = None,
) -> None:
    """Play a game here, alone against bots or passing the keyboard around."""
    use_language(lang)
    file = Path(game) if game and _looks_like_file(game) else None
    source, target = _choose_files(file, save)
    wishes = GameWishes(None if file else game, players, option or [], seed)
    notes = (read_notes(source) if source else None) or TableNotes(new_key(seed), (), DEFAULT_BOTS)
    table = _open_game(source, wishes, notes.key)
    chosen = _choose_people(table, seat, people, notes.people)
    notes = TableNotes(notes.key, chosen, bot or notes.bots)
    _play_evening(table, notes, target, resumed=source is not None)


def _choose_files(file: Path | None, save: Path | None) -> tuple[Path | None, Path | None]:
    """The file to continue from and the file to save to."""
    existing = save if save is not None and save.exists() else None
    if file is None:
        return existing, save
    if existing and file.exists() and not existing.samefile(file):
        raise Unreadable("cli.save_exists", path=str(existing))
    return file, save or file


def _looks_like_file(game: str) -> bool:
    return game.endswith(".jsonl") or os.sep in game or Path(game).is_file()


def _open_game(source: Path | None, wishes: GameWishes, key: str) -> Table:
    """The game in a file, or a new one."""
    if source is None:
        return start_game(wishes.game or ask_game(), wishes, key)
    table = resume_game(source, wishes, key, f"powderkeg play {source}")
    if not isinstance(table.source, Audited):
        console.print(t("cli.dice_unverified"), markup=False)
    return table


def _choose_people(
    table: Table, asked: list[str] | None, number: int | None, before: tuple[Seat, ...]
) -> tuple[Seat, ...]:
    """The seats of people: as asked for, as on the last evening, or the first one."""
    if asked:
        return tuple(dict.fromkeys(_find_seat(table, name) for name in asked))
    if number is None and before:
        return before
    count = 1 if number is None else number
    if count > len(table.seats):
        raise Unreadable("cli.too_many_people", n=count, seats=len(table.seats))
    return table.seats[:count]


def _find_seat(table: Table, name: str) -> Seat:
    for seat in table.seats:
        if seat.casefold() == name.casefold():
            return seat
    raise Unreadable("core.no_such_seat", seat=name)


def _play_evening(table: Table, notes: TableNotes, target: Path | None, *, resumed: bool) -> None:
    save = GameSave(target, table, notes).write if target else None
    evening = Evening(table, notes.people, load_bot(table.game, notes.bots), notes.key)
    if save:
        evening.on_change = save
        save()  # whether it can be written is found out before the evening
    if resumed:
        console.print(t("cli.goes_on"), markup=False)
        evening.skip_story()
    try:
        evening.play()
    except Leave:
        console.print(t("cli.bye"), markup=False)
    finally:
        if save:
            save()
            console.print(t("cli.saved", path=str(target)), markup=False, soft_wrap=True)


def ask_game() -> str:
    """The game that the player chooses from a list."""
    for number, name in enumerate(games.GAME_NAMES, start=1):
        console.print(f"  {number}  {t(f'{name}.name')}", markup=False)
    answer = Prompt.ask(t("cli.which_game"), console=console).strip()
    return games.GAME_NAMES[int(answer) - 1] if answer in {"1", "2", "3"} else answer
