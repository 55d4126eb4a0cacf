"""Games in arrays are the games of the readable rules, phase by phase."""

import random

import pytest

import powderkeg
from powderkeg.core.errors import RulesError
from powderkeg.games.diplomacy.actions import parse_order
from powderkeg.games.diplomacy.board import CODES, NUMBER_OF, POWERS
from powderkeg.games.diplomacy.steps import deciding_seats, order_pieces

np = pytest.importorskip("numpy")
pytest.importorskip("numba")

from powderkeg.games.diplomacy.fast import order_codes  # noqa: E402  # needs both
from powderkeg.games.diplomacy.fast.games import BatchGames  # noqa: E402  # see above


def listed_orders(games, n):
    """The legal orders of a game in arrays, in wire notation, by province."""
    return {
        CODES[at]: {
            str(games.order(n, CODES[at], code))
            for code in games.codes[n, at, : games.counts[n, at]]
        }
        for at in np.flatnonzero(games.counts[n])
    }


def readable_orders(state):
    seats = deciding_seats(state)
    return {
        at[:3]: set(map(str, actions))
        for seat in seats
        for at, actions in order_pieces(state, seat)
    }


def compare(games, n, table):
    state = table.state
    assert bool(games.over[n]) == (not table.to_act)
    assert {p: sorted(map(str, us)) for p, us in games.position(n).items()} == {
        p: sorted(map(str, us)) for p, us in state.units.items()
    }
    owners = {CODES[at]: POWERS[owner] for at, owner in enumerate(games.owner[n]) if owner >= 0}
    assert owners == state.centres
    if table.to_act:
        assert games.phase(n) == state.phase
        assert listed_orders(games, n) == {
            at: orders
            for at, orders in readable_orders(state).items()
            if len(orders) > 1 or state.stage == "movement"
        }


def warlike_orders(games, rng):
    """Random orders in which units support each other's moves."""
    orders = games.sample_orders(np.random.default_rng(rng.getrandbits(32)))
    for n in range(games.count):
        aims = {}
        for at in np.flatnonzero(games.counts[n]):
            kind, _, to = order_codes.split_code(int(orders[n, at]))
            if kind in (order_codes.MOVE, order_codes.VIA):
                aims[at] = to
        for at in np.flatnonzero(games.counts[n]):
            codes = games.codes[n, at, : games.counts[n, at]].tolist()
            fitting = [
                code
                for code in codes
                for kind, who, to in [order_codes.split_code(code)]
                if kind in (order_codes.SUPPORT, order_codes.CONVOY) and aims.get(who) == to
            ]
            if fitting and rng.random() < 0.6:
                orders[n, at] = rng.choice(fitting)
                aims.pop(at, None)
    return orders


def play_readable(games, n, table, orders):
    """Give the same orders at a table; builds and removals that are not due any more are refused."""
    for at in np.flatnonzero(games.counts[n]):
        power = POWERS[games.pieces[n, at]]
        try:
            table.act(power, str(games.order(n, CODES[at], int(orders[n, at]))))
        except RulesError:
            assert table.state.stage == "adjustment"
    for seat in sorted(table.to_act):
        table.act(seat, "ready")


@pytest.mark.slow
@pytest.mark.parametrize(
    "options",
    [{}, {"removal_distance": "owned"}, {"to_the_letter": "es"}],
    ids=["home", "owned", "letter"],
)
def test_games_in_arrays_are_those_of_the_rules(options):
    rng = random.Random(str(options))
    tables = [powderkeg.table("diplomacy", last_year=1908, **options) for _ in range(5)]
    games = BatchGames(5, last_year=1908, rulebook=tables[0].options)
    seen = set()
    while not games.over.all():
        for n, table in enumerate(tables):
            compare(games, n, table)
            seen.add(table.state.stage)
        orders = warlike_orders(games, rng)
        for n, table in enumerate(tables):
            play_readable(games, n, table, orders)
        games.step(orders)
    for n, table in enumerate(tables):
        compare(games, n, table)
    assert seen >= {"movement", "retreat", "adjustment"}


def test_pieces_without_orders_do_nothing_harmful():
    games = BatchGames(2, last_year=1901)
    before = games.units.copy()
    for _ in range(2):
        games.step(np.zeros_like(games.sample_orders(np.random.default_rng(1))))
    assert (games.units == before).all()
    assert games.over.all()
    games.reset(np.array([True, False]))
    assert games.over.tolist() == [False, True]
    assert games.phase(0) == "S1901M"
    assert games.centres.sum() == 2 * 22


def test_a_code_that_is_not_legal_means_hold():
    games = BatchGames(1)
    orders = np.zeros((1, 75), np.uint16)
    orders[0, NUMBER_OF["par"]] = order_codes.order_code(parse_order("A par - lon"))
    orders[0, NUMBER_OF["mar"]] = 65535
    orders[0, NUMBER_OF["bre"]] = order_codes.join_code(order_codes.DISBAND)
    games.step(orders)
    assert games.last[0, NUMBER_OF["mar"]].tolist() == [3, 0, 1, 0, 0], "as if it had held"
    assert str(games.position(0)["FRANCE"][1]) == "A mar"
    assert games.phase(0) == "F1901M"


@pytest.mark.parametrize(
    "text",
    ["A par H", "A par - bur", "A lon - bre VIA", "A par S A mar - bur", "F eng C A lon - bre",
     "A par R pic", "A par D", "F stp/nc B", "A par B"],
)  # fmt: skip
def test_a_code_means_its_order(text):
    order = parse_order(text)
    other = getattr(order, "target", None) or getattr(order, "army", None)
    units = {other.province: other} if other else {}
    assert str(order_codes.code_order(order.unit, order_codes.order_code(order), units)) == text
