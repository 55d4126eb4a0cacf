"""What people are called: those who have not said a name are guests, in the reader's word."""

from collections.abc import Iterable

from powderkeg.core.words import Msg, say
from powderkeg.server.db.rows import SeatRow, TableRow


def guest_name(lang: str) -> str:
    return say(Msg("server.guest"), lang)


def name_guests(guests: Iterable[str], lang: str) -> dict[str, str]:
    """Users without a name, told apart by numbers where there are several."""
    known = list(dict.fromkeys(guests))
    if len(known) == 1:
        return {known[0]: guest_name(lang)}
    return {each: say(Msg("server.guest_n", n=n), lang) for n, each in enumerate(known, 1)}


def name_players(row: TableRow, seats: Iterable[SeatRow], lang: str) -> dict[str, str]:
    """The names at a table, by seats. A table where one person holds all seats tells nobody who they
    are."""
    seated = list(seats)
    unnamed = {
        x.seat: x.user
        for x in seated
        if x.kind == "person" and x.user and not x.name and row.purpose == "game"
    }
    guests = name_guests(unnamed.values(), lang)
    named = {x.seat: x.name for x in seated if x.name}
    return named | {seat: guests[user] for seat, user in unnamed.items()}
