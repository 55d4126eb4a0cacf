"""Acting, undoing, forking: what a table promises."""

import copy
import pickle
import random
import sys
from types import SimpleNamespace

import pytest
import sparks

from powderkeg.core import record
from powderkeg.core.chance import CHANCE, Scripted, Seeded
from powderkeg.core.errors import Illegal, Unreadable
from powderkeg.core.game import Game, HoldsGame
from powderkeg.core.reports.drawing import DRAWINGS
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


def calm_game(**changed):
    """Sparks without barriers, so that only the table decides what can be undone."""
    calm = type("Calm", (), {n: getattr(sparks, n) for n in dir(sparks) if not n.startswith("_")})
    calm.apply = staticmethod(lambda s, seat, a: sparks.apply(s, seat, a)._replace(barrier=False))
    for name, function in changed.items():
        setattr(calm, name, staticmethod(function))
    return calm


def test_in_turn_a_neighbours_action_closes_the_way_back():
    game = calm_game(to_act=lambda s: frozenset(sorted(sparks.to_act(s))[:1]))
    t = Table(game, 2, source=Scripted([DEAL]))
    t.source = None
    t.act("red", "card c1")
    t.act("blue", "card c9")
    assert not t.can_undo("red")
    assert t.can_undo("blue")


def test_at_once_everybody_can_undo_their_own_choice_whatever_others_did():
    t = Table(calm_game(), 2, source=Scripted([DEAL]))
    t.source = None
    t.act("red", "card c1")
    t.act("red", "card c2")
    t.act("blue", "card c9")
    t.undo("red")
    alone = Table(calm_game(), 2, source=Scripted([DEAL]))
    alone.source = None
    alone.act("red", "card c1")
    alone.act("blue", "card c9")
    assert (t.state, t.undone) == (alone.state, {2})
    t.undo("blue")
    t.undo("red")
    assert t.state == Table(GAME, 2, source=Scripted([DEAL])).state
    assert not t.can_undo("red")
    assert not t.can_undo("blue")


def test_what_others_built_on_cannot_be_undone():
    def apply(s, seat, a):
        if seat == "blue" and "red" not in s.chosen:
            raise Illegal("sparks.not_yours")
        return sparks.apply(s, seat, a)._replace(barrier=False)

    t = Table(calm_game(apply=apply), 2, source=Scripted([DEAL]))
    t.source = None
    t.act("red", "card c1")
    t.act("blue", "card c9")
    before = t.state
    with pytest.raises(Illegal, match="cannot undo"):
        t.undo("red")
    assert t.state == before


def test_a_sealed_action_is_final():
    t = table()
    t.act("red", "card c1")
    t.seal("blue")
    assert t.can_undo("red")
    t.seal("red")
    assert not t.can_undo("red")
    with pytest.raises(Illegal, match="cannot undo"):
        t.undo("red")


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


# What a table looks like


def test_repr_says_where_the_game_stands():
    t = table("roll 6")
    assert repr(t) == "<Table: sparks, 2 players, 1 entry, to act: blue, red>"
    over = Table(GAME, 2, source=Seeded(random.Random(1)))
    while over.to_act:
        over.act(min(over.to_act), over.legal(min(over.to_act)).sample(random.Random(1)))
    assert "over, first: " in repr(over)


def test_a_notebook_shows_the_board_in_words_or_drawn(monkeypatch):
    t = table()
    assert t._repr_svg_() is None
    assert "<li>" in t._repr_html_()
    with pytest.raises(Unreadable, match="map"):
        t.draw()
    monkeypatch.setitem(DRAWINGS, "sparks", f"{__name__}:draw_nothing")
    monkeypatch.setitem(sys.modules, __name__, SimpleNamespace(draw_nothing=draw_nothing))
    assert t._repr_html_() is None
    assert t._repr_svg_() == t.draw() == "<svg>None en</svg>"
    assert t.draw("red", lang="es") == "<svg>red es</svg>"
    with monkeypatch.context() as patch:
        patch.setattr(Table, "to_act", frozenset())
        assert t.draw() == "<svg>None en</svg>"


def draw_nothing(view, /, *, lang="en", title=""):
    return f"<svg>{view['seat']} {lang}</svg>"


# Copies


@pytest.mark.parametrize("copy_of", [copy.deepcopy, lambda t: pickle.loads(pickle.dumps(t))])
def test_a_copy_is_independent_and_has_the_same_luck(copy_of):
    t = Table(GAME, 2, source=Seeded(random.Random(5)))
    t.act("red", t.legal("red").sample(random.Random(1)))
    twin = copy_of(t)
    assert (twin.state, twin.log, twin.facts, twin.game) == (t.state, t.log, t.facts, t.game)
    twin.undo("red")
    assert t.can_undo("red")
    assert len(t.log) == len(twin.log) - 1
    twin = copy_of(t)
    for each in (t, twin):
        each.act("blue", next(iter(each.legal("blue"))))
    assert t.log == twin.log


def test_a_game_that_is_no_module_is_pickled_itself():
    assert pickle.loads(pickle.dumps(Holder(4))).game == 4


class Holder(HoldsGame):
    def __init__(self, game):
        self.game = game


# What people type


def typed(**more):
    """Sparks, where people may leave out the word *card* and write several actions."""

    def read(view, text, lang=None):
        return [(word, sparks.parse(f"card {word}")) for word in text.split()]

    names = {name: getattr(sparks, name) for name in sparks.__dict__ if not name.startswith("__")}
    return Table(SimpleNamespace(**{**names, "read": read, **more}), 2, source=Scripted([DEAL]))


def test_wire_notation_comes_first_then_what_people_type():
    t = typed()
    assert t.act("red", "card c1")[0].do == t.act("red", "c1")[0].do == "card c1"
    with pytest.raises(Unreadable, match="several"):
        t.act("red", "c1 c2")
    with pytest.raises(Unreadable):
        t.act("red", " ")


def test_several_actions_are_read_before_the_first_is_done():
    t = typed()
    assert [e.do for e in t.submit("red", "c1 c2")] == ["card c1", "card c2"]
    assert [e.do for e in t.submit("red", ["c3", "card c1"])] == ["card c3", "card c1"]
    before = len(t.log)
    with pytest.raises(Unreadable):
        t.submit("red", ["c1", "castle"])
    with pytest.raises(Illegal):
        t.submit("green", "c1")
    wrong = typed(read=lambda view, text, lang=None: [(text, Illegal("core.game_over"))])
    with pytest.raises(Illegal):
        wrong.act("red", "c1")
    assert len(t.log) == before


# Positions put together by hand


def test_a_table_begins_in_any_position():
    later = table("roll 6")
    later.act("red", "card c1")
    t = Table(GAME, 2, state=later.state, source=Scripted(["roll 5"]))
    assert t.to_act == {"blue"}
    t.act("blue", "card c9")
    assert t.fork(1).state == t.fork(1, source=None).state != t.state
    with pytest.raises(Illegal, match="beginning"):
        record.make_record(t)
