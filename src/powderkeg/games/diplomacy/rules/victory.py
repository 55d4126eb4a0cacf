"""The end of a game: victory after a fall, ranking and scores (D-WIN).

The rulebook knows a winner and equal draws. The scoring systems of clubs and tournaments also count how
the centres lie when a game ends without a winner; a winner takes everything. A game of seven is always
worth the same.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import Final, TypeAlias

from powderkeg.core.game import Result, Seat, equal_shares
from powderkeg.core.words import Msg
from powderkeg.games.diplomacy.board import Power
from powderkeg.games.diplomacy.state import CentreScoring, Ending, State, survivors
from powderkeg.games.diplomacy.words import seat_name

Places: TypeAlias = dict[Seat, tuple[int, int]]  # centres, and the last year with any

HUNDRED: Final = 100
PLACE: Final = 1000  # Carnage: for each place, from the last one up
PRIZES: Final = (38, 14, 7)  # C-Diplo: for the first three


def fall_ending(state: State) -> Ending | None:
    """How the game ends after the count of a fall, if it does."""
    if state.in_sandbox:
        return None
    return _victory_ending(state) or _out_of_time(state)


def _victory_ending(state: State) -> Ending | None:
    """A seat with enough centres and more than any other wins; checked only after the fall count
    (D-WIN-02)."""
    scores = {seat: _claimed_centres(state, seat) for seat in state.hands}
    best = max(scores.values())
    leaders = [seat for seat, score in scores.items() if score == best]
    if best < state.target or len(leaders) > 1:
        return None
    return Ending("victory", (leaders[0],))


def _claimed_centres(state: State, seat: Seat) -> int:
    """The centres that count for victory: of the best nation, or of all (D-WIN-05, D-WIN-06)."""
    each = [len(state.centres_of(power)) for power in state.hands[seat]]
    together = state.between_alliances or state.options.sum_of_nations
    return sum(each) if together else max(each)


def _out_of_time(state: State) -> Ending | None:
    last = state.options.last_year
    return Ending("time", survivors(state)) if last and state.year >= last else None


def result(state: State) -> Result | None:
    """The winner, or the seats that share; then the others by their centres."""
    if state.ending is None:
        return None
    how, seats = state.ending
    names = tuple(seat_name(seat) for seat in seats)
    rule = "D-WIN-01" if how == "victory" else "D-WIN-04"
    why = Msg(f"diplomacy.ends.{how}", seats=names)
    return Result(
        _final_ranking(state, state.ending), _final_scores(state, state.ending), why, rule
    )


def agreed_scores(state: State, seats: Sequence[Seat]) -> dict[Seat, float]:
    """The scores if the players agree to end the game now: one seat wins it, or several share (D-WIN-04)."""
    scoring = state.options.scoring
    if scoring == "shared":
        return equal_shares(state, seats)
    if len(seats) == 1:
        return winner_points(scoring, final_places(state), seats[0])
    return centre_points(scoring, final_places(state))


def _final_scores(state: State, ending: Ending) -> dict[Seat, float]:
    if ending.how != "time":
        return dict.fromkeys(state.hands, 0.0) | agreed_scores(state, ending.seats)
    places = final_places(state)
    if state.options.scoring != "shared":
        return centre_points(state.options.scoring, places)
    whole = sum(centres for centres, _ in places.values()) or 1
    return {seat: centres / whole for seat, (centres, _) in places.items()}


def _final_ranking(state: State, ending: Ending) -> tuple[tuple[Seat, ...], ...]:
    """Those who won or share, then the others by their centres; after the last year all by their scores."""
    if ending.how == "time":
        return _ranking_groups(_final_scores(state, ending))
    sizes = {seat: float(centres) for seat, (centres, _) in final_places(state).items()}
    rest = _ranking_groups({seat: size for seat, size in sizes.items() if seat not in ending.seats})
    return (ending.seats, *rest)


def final_places(state: State) -> Places:
    """The place of each seat by its centres."""
    return {seat: _seat_place(state, powers) for seat, powers in state.hands.items()}


def _seat_place(state: State, powers: tuple[Power, ...]) -> tuple[int, int]:
    centres = sum(len(state.centres_of(power)) for power in powers)
    held = (count.year for count in state.counts if any(count.centres[p] for p in powers))
    return centre_place(centres, held)


def centre_place(centres: int, years: Iterable[int]) -> tuple[int, int]:
    """The centres of a seat; if it has none, the last of the `years` in which it had some."""
    return centres, 0 if centres else max(years, default=0)


def _ranking_groups(values: dict[Seat, float]) -> tuple[tuple[Seat, ...], ...]:
    return tuple(
        tuple(seat for seat in values if values[seat] == value)
        for value in sorted(set(values.values()), reverse=True)
    )


# Scoring systems


def centre_points(scoring: CentreScoring, places: Places) -> dict[Seat, float]:
    """The points of every seat if the game ends as the centres lie."""
    return _SYSTEMS[scoring](places)


def winner_points(scoring: CentreScoring, places: Places, winner: Seat) -> dict[Seat, float]:
    """The points of a game that `winner` has won alone: all of them."""
    whole = sum(_carnage_points(places).values()) if scoring == "carnage" else HUNDRED
    return {seat: float(whole) if seat == winner else 0.0 for seat in places}


def _square_points(places: Places) -> dict[Seat, float]:
    squares = {seat: centres**2 for seat, (centres, _) in places.items()}
    whole = sum(squares.values()) or 1
    return {seat: HUNDRED * square / whole for seat, square in squares.items()}


def _carnage_points(places: Places) -> dict[Seat, float]:
    """A thousand for each place, and one for each centre. Those without centres are placed by how long they
    lasted."""
    prizes = [PLACE * place for place in range(len(places), 0, -1)]
    shared = _shared_prizes(prizes, places)
    return {seat: shared[seat] + centres for seat, (centres, _) in places.items()}


def _diplo_points(places: Places) -> dict[Seat, float]:
    """A point for taking part, one for each centre, and prizes for the first three."""
    shared = _shared_prizes(PRIZES, {seat: (centres, 0) for seat, (centres, _) in places.items()})
    return {seat: 1 + centres + shared[seat] for seat, (centres, _) in places.items()}


def _shared_prizes(prizes: list[int] | tuple[int, ...], places: Places) -> dict[Seat, float]:
    """The prize of each seat; those who are level share the prizes of their places."""
    shared: dict[Seat, float] = {}
    for rank in sorted(set(places.values()), reverse=True):
        level = [seat for seat, place in places.items() if place == rank]
        won = prizes[len(shared) : len(shared) + len(level)]
        shared |= dict.fromkeys(level, sum(won) / len(level))
    return shared


_SYSTEMS: Final[dict[CentreScoring, Callable[[Places], dict[Seat, float]]]] = {
    "squares": _square_points,
    "carnage": _carnage_points,
    "c_diplo": _diplo_points,
}
