"""Work to measure: positions of Diplomacy in the middle of random games, and random whole games."""

import random
from collections.abc import Iterator
from typing import Any, Final

from powderkeg.core.legal import QuickRandom
from powderkeg.games import diplomacy
from powderkeg.games.diplomacy.actions import Convoy, Hold, Move, Order, Ready, Support
from powderkeg.games.diplomacy.rules.listing import legal_orders
from powderkeg.games.diplomacy.rules.position import Position
from powderkeg.games.diplomacy.state import Options, State
from powderkeg.games.diplomacy.steps import order_pieces

Phase = tuple[Position, dict[str, list[Order]]]
LAST_YEAR: Final = 1910
_WEIGHTS: Final[dict[type[Order], int]] = {Hold: 1, Move: 6, Support: 4, Convoy: 2}


def draw_orders(position: Position, rng: random.Random) -> dict[str, list[Order]]:
    """A legal order for every unit, mostly moves and supports."""
    legal = legal_orders(position)

    def pick(options: list[Order]) -> Order:
        kinds = sorted({type(order) for order in options}, key=lambda kind: kind.__name__)
        kind = rng.choices(kinds, [_WEIGHTS[each] for each in kinds])[0]
        return rng.choice([order for order in options if type(order) is kind])

    return {p: [pick(legal[u.province]) for u in us] for p, us in position.units.items()}


def random_positions(rng: random.Random, last_year: int = LAST_YEAR) -> Iterator[Position]:
    """The positions of the movement phases of random games, one after the other, without end."""
    options = Options(last_year=last_year)
    while True:
        state = diplomacy.start(diplomacy.seats(7, options), options)
        while diplomacy.to_act(state):
            if state.stage == "movement":
                yield state.position
            state = play_phase(state, rng)


def play_phase(state: State, rng: random.Random) -> State:
    """All seats order at random and are ready."""
    for seat in sorted(diplomacy.to_act(state)):
        for _, orders in order_pieces(state, seat):
            order = rng.choice(orders)
            if state.stage != "adjustment" or order in diplomacy.legal(state, seat):
                state = diplomacy.apply(state, seat, order).state
        state = diplomacy.apply(state, seat, Ready()).state
    return state


def count_units(position: Position) -> int:
    return sum(map(len, position.units.values()))


def draw_phases(count: int, seed: int, size: int = 0) -> list[Phase]:
    """Movement phases with about 30 units, none like another; or thinned out to a `size`."""
    rng = random.Random(seed)
    found: list[Phase] = []
    for position in random_positions(rng):
        if count_units(position) >= 28:
            kept = thin_position(position, rng, size) if size else position
            found.append((kept, draw_orders(kept, rng)))
        if len(found) == count:
            break
    return found


def thin_position(position: Position, rng: random.Random, size: int) -> Position:
    """The position with only so many of its units."""
    units = [(power, unit) for power, units in position.units.items() for unit in units]
    kept = set(rng.sample(units, min(size, len(units))))
    return Position({p: tuple(u for u in us if (p, u) in kept) for p, us in position.units.items()})


def play_randomly(game: Any, players: int, seed: int, **options: Any) -> int:
    """A whole random game through the contract, as a bot or the server would play it; return its length."""
    rng, chosen = QuickRandom(seed), game.Options(**options)
    state, length = game.start(game.seats(players, chosen), chosen), 0
    while acting := game.to_act(state):
        if len(acting) == 1:
            (seat,) = acting
        else:
            seat = sorted(acting)[rng.randrange(len(acting))]
        state = game.apply(state, seat, game.legal(state, seat).sample(rng)).state
        length += 1
    return length
