"""Acting, undoing, forking: what a table promises."""

import random

import pytest
import sparks

from powderkeg.core.chance import CHANCE, Scripted, Seeded
from powderkeg.core.errors import Illegal, Unreadable
from powderkeg.core.game import Game
from powderkeg.core.table import UNDO, Entry, Table

GAME: Game = sparks
DEAL = "draw c1 c2 c3 c7 c8 c9 c4 c5 c6"


def table(*outcomes: str) -> Table:
    return Table(GAME, 2, source=Scripted([DEAL, *outcomes]))


def test_chance_is_rolled_at_once_and_logged():
    t = table("roll 6")
    assert t.log == [Entry(CHANCE, DEAL)]
    t.act("red", "card c1", at=12.5)
    entries = t.act("blue", "card c9", at=13)
    assert entries == (Entry("blue", "card c9", 13), Entry(CHANCE, "roll 6", 13))
    assert t.to_act == {"red"}
    assert [o.text for o in t.ask("red").node.options] == ["duck", "stand"]
    assert t.view("red")["score"] == {"red": 0, "blue": 6}


def test_refusals_change_nothing():
    t = table()
    before = t.state, list(t.log)
    for seat, what, error in (
        ("green", "card c1", Illegal),
        ("red", "card c9", Illegal),
        ("red", "castle", Unreadable),
    ):
        with pytest.raises(error):
            t.act(seat, what)
    assert (t.state, t.log) == before


def test_undo_restores_and_is_logged():
    t = table()
    fresh = t.state
    t.act("red", "card c1")
    assert t.can_undo("red")
    assert not t.can_undo("blue")
    assert t.undo("red", at=3.0) == Entry("red", UNDO, 3.0)
    assert t.state == fresh
    assert t.undone == {1}
    assert [e.do for e in t.log] == [DEAL, "card c1", "undo"]
    assert t.facts[2] == ()


def test_undo_step_by_step():
    t = table()
    for card in ("c1", "c2", "c3"):
        t.act("red", f"card {card}")
    t.undo("red")
    t.undo("red")
    assert t.state.chosen == {"red": "c1"}
    assert t.undone == {2, 3}


def test_undo_stops_where_another_seat_acted():
    t = Table(GAME, 2, source=Scripted([DEAL]))
    t.act("red", "card c1")
    with pytest.raises(Illegal, match="cannot undo"):
        t.undo("blue")
    with pytest.raises(Illegal):
        Table(GAME, 2, source=Scripted([DEAL])).undo("red")


def test_undo_stops_at_chance_and_secrets():
    t = table("roll 2")
    t.act("red", "card c1")
    t.act("blue", "card c9")  # both chose: a secret came out, then dice
    assert not t.can_undo("red")
    assert not t.can_undo("blue")
    t.act("red", "draw")  # a hidden card
    assert not t.can_undo("red")
    t.act("red", "card c2")
    assert t.can_undo("red")


def test_a_neighbours_choice_closes_the_way_back():
    calm = type("Calm", (), {n: getattr(sparks, n) for n in dir(sparks) if not n.startswith("_")})
    calm.apply = staticmethod(lambda s, seat, a: sparks.apply(s, seat, a)._replace(barrier=False))
    t = Table(calm, 2, source=Scripted([DEAL, "roll 1"]))
    t.act("red", "card c1")
    t.act("red", "card c2")
    assert len(t._back) == 2
    t.source = None
    t.act("blue", "card c9")
    assert [back.seat for back in t._back] == ["blue"]


def test_fork_shares_the_past_and_not_the_future():
    t = table("roll 3")
    t.act("red", "card c1")
    t.act("red", "card c2")
    t.undo("red")
    branch = t.fork(source=Scripted(["roll 1"]))
    assert (branch.state, branch.log, branch.undone) == (t.state, t.log, t.undone)
    branch.act("blue", "card c7")
    assert len(t.log) == 4
    assert t.fork(1).to_act == {"red", "blue"}


def test_a_script_must_fit():
    with pytest.raises(Illegal, match="is not possible here"):
        Table(GAME, 2, source=Scripted(["roll 3"]))
    with pytest.raises(Illegal, match="have run out"):
        Table(GAME, 2, source=Scripted([]))


def test_stored_entries_are_checked():
    reader = Table(GAME, 2)
    with pytest.raises(Illegal, match="is not possible here"):
        reader.enter(Entry(CHANCE, "draw c1"))
    reader.enter(Entry(CHANCE, DEAL))
    with pytest.raises(Illegal, match="No die roll or draw is due"):
        reader.enter(Entry(CHANCE, "roll 1"))


def test_nothing_after_the_end():
    rng = random.Random(4)
    t = Table(GAME, 2, sparks.Options(rounds=1), source=Seeded(rng))
    while t.to_act:
        seat = min(t.to_act)
        t.act(seat, t.legal(seat).sample(rng))
    assert t.result is not None
    assert t.result.winners
    with pytest.raises(Illegal, match="over"):
        t.act("red", "pass")


def test_what_a_state_costs_does_not_grow_with_the_log():
    t = table()
    t.act("red", "card c1")
    size = len(repr(t.state))
    for card in ("c1", "c2", "c3") * 300:
        t.act("red", f"card {card}")
    assert len(t.log) > 900
    assert len(repr(t.state)) == size
