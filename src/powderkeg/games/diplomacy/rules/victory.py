"""The end of a game: victory after a fall, and the ranking (D-WIN)."""

from powderkeg.core.game import Result, Seat
from powderkeg.core.words import Msg
from powderkeg.games.diplomacy.state import Ending, State, survivors
from powderkeg.games.diplomacy.words import seat_name


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
    together = state.between_two or state.options.sum_of_nations
    return sum(each) if together else max(each)


def _out_of_time(state: State) -> Ending | None:
    last = state.options.last_year
    return Ending("time", survivors(state)) if last and state.year >= last else None


def result(state: State) -> Result | None:
    """The winner, or the seats that share; then the others by their centres."""
    if state.ending is None:
        return None
    how, winners = state.ending
    sizes = {s: sum(len(state.centres_of(p)) for p in ps) for s, ps in state.hands.items()}
    if how == "time":
        total = sum(sizes.values()) or 1
        scores = {seat: size / total for seat, size in sizes.items()}
        first: tuple[Seat, ...] = ()
    else:
        scores = {seat: 1 / len(winners) if seat in winners else 0.0 for seat in state.hands}
        first = winners
    groups = _ranking_groups({seat: size for seat, size in sizes.items() if seat not in first})
    names = tuple(seat_name(seat) for seat in winners)
    rule = "D-WIN-01" if how == "victory" else "D-WIN-04"
    ranking = (first, *groups) if first else groups
    return Result(ranking, scores, Msg(f"diplomacy.ends.{how}", seats=names), rule)


def _ranking_groups(sizes: dict[Seat, int]) -> tuple[tuple[Seat, ...], ...]:
    return tuple(
        tuple(seat for seat in sizes if sizes[seat] == size)
        for size in sorted(set(sizes.values()), reverse=True)
    )
