"""Typed orders are understood, read back and not done; sketches travel with the press."""

import pytest

from powderkeg.games import diplomacy
from powderkeg.games.diplomacy.actions import Ready, parse
from powderkeg.server.views import typed_orders
from tests.server.visiting import seat_names


@pytest.fixture
def conference(site):
    people = [site.guest(f"P{i}") for i in range(7)]
    return site.table(*people, game="diplomacy"), dict(
        zip(seat_names("diplomacy", 7), people, strict=True)
    )


@pytest.mark.slow
def test_typed_orders_are_understood_and_not_done(conference):
    table, people = conference
    france = people["FRANCE"]
    before = france.get(f"/tables/{table}")
    text = "Army Paris to Burgundy\nF Brest holds; A Par-Xyzzy, A Munich holds"
    said = france.post(f"/tables/{table}/read?lang=es", {"text": text})
    assert [order["wire"] for order in said["orders"]] == ["A par - bur", "F bre H"]
    assert said["orders"][0]["text"] == "Army Paris to Burgundy"
    assert "Borgoña" in said["orders"][0]["echo"]
    assert [(e["text"], e["rule"]) for e in said["errors"]] == [
        ("A Par-Xyzzy", ""),
        ("A Munich holds", "D-ORD-07"),
    ]
    assert "Xyzzy" in said["errors"][0]["message"]
    after = france.get(f"/tables/{table}")
    assert (after["seq"], after["view"]) == (before["seq"], before["view"])
    texts = [order["wire"] for order in said["orders"]]
    act = {"command": "typed", "question": after["question"]["id"], "texts": texts}
    done = france.post(f"/tables/{table}/act", act)
    assert done["table"]["view"]["drafts"] == {"bre": "F bre H", "par": "A par - bur"}
    assert people["TURKEY"].post(f"/tables/{table}/read", {"text": "x", "seat": "FRANCE"}, 403)


def test_a_game_without_a_reader_reads_wire_notation(site):
    ann, ben = site.guest("Ann"), site.guest("Ben")
    table = site.table(ann, ben)
    card = ann.get(f"/tables/{table}")["legal"][0]
    said = ann.post(f"/tables/{table}/read", {"text": f"{card}\n\nduck\nnonsense"})
    assert [order["wire"] for order in said["orders"]] == [card]
    assert [error["code"] for error in said["errors"]] == ["sparks.not_now", "sparks.unreadable"]
    assert ann.post(f"/tables/{table}/read", {"text": "x" * 2001}, 422)


def test_no_text_is_read_for_ever():
    """A turn has at most a few dozen orders; the rest of a long text costs nothing."""
    options = diplomacy.Options()
    state = diplomacy.start(diplomacy.seats(7, options), options)
    said = typed_orders.read_typed(
        diplomacy, state, "FRANCE", "A par H\n" * (typed_orders.MOST_TYPED_ORDERS + 50), "it"
    )
    assert len(said.orders) == typed_orders.MOST_TYPED_ORDERS
    (error,) = said.errors
    assert (error.code, error.text) == ("server.read_enough", "A par H")
    assert error.message == f"Si leggono solo i primi {typed_orders.MOST_TYPED_ORDERS} ordini."


def test_reading_looks_behind_no_secret():
    """The last player to be ready sees what happens when it happens, not by typing ahead."""
    options = diplomacy.Options()

    def ready_but_one(order):
        state = diplomacy.start(diplomacy.seats(7, options), options)
        state = diplomacy.apply(state, "GERMANY", parse(order)).state
        for seat in diplomacy.seats(7, options)[1:]:
            state = diplomacy.apply(state, seat, Ready()).state
        return state

    typed = "ready\nA vie S A tyr\nA vie S A boh"  # is there an army?
    one, other = (
        typed_orders.read_typed(diplomacy, ready_but_one(order), "AUSTRIA", typed, "en")
        for order in ("A mun - tyr", "A mun - boh")
    )
    assert one == other
    assert [order.wire for order in one.orders] == ["ready"]


# Sketches


@pytest.mark.slow
def test_a_sketch_travels_with_a_message(site):
    ann, ben, eve = site.guest("Ann"), site.guest("Ben"), site.guest("Eve")
    table = site.table(ann, ben)
    with ben.live(table) as b, eve.live(table) as e:
        b.table(), e.table()
        plan = ["card c1", "card c2"]
        said = ann.post(f"/tables/{table}/press", {"sketch": plan, "command": "s"})
        assert (said["text"], said["sketch"]) == ("", plan)
        assert b.next("press")["messages"][-1]["sketch"] == plan
        assert e.next("press")["messages"][-1]["sketch"] == plan
        b.send(type="press", command="b", to=[], text="", sketch=["stand"])
        assert e.next("press")["messages"][-1]["sketch"] == ["stand"]
        ann.post(f"/tables/{table}/press", {"text": "to all", "sketch": plan[:1]})
    mine = ann.get("/me/data")["press"]
    assert [m["sketch"] for m in mine] == [plan, plan[:1]]


@pytest.mark.slow
@pytest.mark.parametrize(
    "sketch", [[], [""], ["x" * 81], ["a"] * 41, ["línea"], ["a\nb"], [1], "a", [["a"]]]
)
def test_a_sketch_is_a_short_list_of_short_texts(site, sketch):
    ann, ben = site.guest("Ann"), site.guest("Ben")
    table = site.table(ann, ben)
    assert ann.post(f"/tables/{table}/press", {"sketch": sketch}, 422)["code"] == "server.bad_shape"


@pytest.mark.slow
def test_what_a_watcher_said_is_theirs_to_take_along_and_loses_its_name(site):
    ann, ben, eve = site.guest("Ann"), site.guest("Ben"), site.guest("Evelyn")
    table = site.table(ann, ben)
    eve.post(f"/tables/{table}/press", {"text": "who wins?", "sketch": ["card c3"]})
    other = site.guest("Other")
    heard = other.get(f"/tables/{table}/press")["messages"]
    assert (heard[-1]["name"], heard[-1]["text"]) == ("Evelyn", "who wins?")
    assert [m["text"] for m in eve.get("/me/data")["press"]] == ["who wins?"]
    eve.call("DELETE", "/me")
    heard = other.get(f"/tables/{table}/press")["messages"]
    assert (heard[-1]["name"], heard[-1]["text"]) == ("", "who wins?")
