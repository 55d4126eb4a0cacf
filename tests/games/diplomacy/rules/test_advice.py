"""Notes before being ready: what a player would want to know, and nothing about orders that fit."""

import pytest

from powderkeg.core.ask import Orders
from powderkeg.core.table import Table
from powderkeg.core.words import say
from powderkeg.games import diplomacy
from powderkeg.games.diplomacy.actions import Move, Retreat
from powderkeg.games.diplomacy.board import Unit
from powderkeg.games.diplomacy.rules.advice import retreat_notes, winter_notes
from powderkeg.games.diplomacy.rules.outcomes import Dislodged

TWO = (Unit("A", "bur"), Unit("A", "mar"))

NOTES = {
    "orders that fit": (["A par - bur", "A mar S A par - bur", "F bre - mao"], []),
    "units without orders": (
        ["A par - bur"],
        ["No orders for A Marseilles and F Brest. They hold."],
    ),
    "one unit without an order": (
        ["A par - bur", "F bre - mao"],
        ["No order for A Marseilles. It holds."],
    ),
    "a bounce with an own unit": (
        ["A par - bur", "A mar - bur", "F bre - mao"],
        ["A Marseilles and A Paris go to the same place, Burgundy, and bounce."],
    ),
    "into an own unit that stays": (
        ["A par - bre", "A mar H", "F bre H"],
        ["A Paris \N{EN DASH} Brest: your own F Brest stays there."],
    ),
    "a support for something else": (
        ["A par - pic", "A mar S A par - bur", "F bre - mao"],
        [
            (
                "A Marseilles supports A Paris \N{EN DASH} Burgundy, "
                "but your order is A Paris \N{EN DASH} Picardy."
            )
        ],
    ),
}


@pytest.mark.parametrize("case", NOTES)
def test_the_notes_on_a_set_of_orders(case):
    orders, expected = NOTES[case]
    table = Table(diplomacy, 7)
    for order in orders:
        table.act("FRANCE", order)
    ready = next(o for o in table.ask("FRANCE").node.options if o.text == "ready")
    assert [say(note, "en") for note in ready.notes] == expected


def test_an_army_that_nobody_convoys_and_a_convoy_without_its_army():
    table = Table(diplomacy, 7)
    for order in ("F lon - nth", "A lvp - yor", "F edi - nwg"):
        table.act("ENGLAND", order)
    for seat in table.seats:
        table.act(seat, "ready")
    table.act("ENGLAND", "A yor - nwy")
    table.act("ENGLAND", "F nth C A yor - den")
    table.act("ENGLAND", "F nwg H")
    ready = next(o for o in table.ask("ENGLAND").node.options if o.text == "ready")
    notes = sorted(str(note.code) for note in ready.notes)
    assert notes == ["diplomacy.note.no_convoy", "diplomacy.note.unmatched"]
    table.act("ENGLAND", "F nth C A yor - nwy")
    assert not next(o for o in table.ask("ENGLAND").node.options if o.text == "ready").notes


def ready_notes(table: Table, seat: str) -> list[str]:
    question = table.ask(seat)
    assert question is not None
    assert isinstance(question.node, Orders)
    ready = next(o for o in question.node.options if o.text == "ready")
    return [say(note, "en") for note in ready.notes]


def play_phase(table: Table, **orders: str) -> None:
    """Give orders, several with commas, and let everybody who must be ready."""
    for seat, given in orders.items():
        for order in given.split(", "):
            table.act(seat, order)
    for seat in sorted(table.to_act):
        table.act(seat, "ready")


def germany_takes_burgundy() -> Table:
    table = Table(diplomacy, 7)
    play_phase(
        table, FRANCE="A par - bur, A mar - spa, F bre - mao", GERMANY="A mun - ruh, A ber - mun"
    )
    play_phase(table, FRANCE="F mao - por", GERMANY="A ruh - bur, A mun S A ruh - bur")
    return table


def test_a_dislodged_unit_without_a_retreat_is_disbanded():
    table = germany_takes_burgundy()
    assert ready_notes(table, "FRANCE") == ["No retreat for A Burgundy. It is disbanded."]
    table.act("FRANCE", "A bur R gas")
    assert ready_notes(table, "FRANCE") == []


def test_builds_and_removals_that_are_left():
    table = germany_takes_burgundy()
    play_phase(table, FRANCE="A bur R gas")
    assert ready_notes(table, "FRANCE") == ["France may build 2 more units."]
    table.act("FRANCE", "A par B")
    assert ready_notes(table, "FRANCE") == ["France may build 1 more unit."]
    table.act("FRANCE", "F bre B")
    assert ready_notes(table, "FRANCE") == []


def test_two_units_that_retreat_to_the_same_place_are_both_disbanded():
    beaten = [Dislodged("FRANCE", unit, Move(Unit("A", "mun"), unit.at), ("gas",)) for unit in TWO]
    drafts = {unit.province: Retreat(unit, "gas") for unit in TWO}
    (note,) = retreat_notes(beaten, drafts)
    assert say(note, "en") == (
        "A Burgundy and A Marseilles retreat to the same place, Gascony. Both are disbanded."
    )


def test_removals_that_are_left_to_the_rules():
    (note,) = winter_notes("FRANCE", -2, 1)
    assert say(note, "en") == "France: 1 more unit must go. If you do not choose it, the rules do."
    assert winter_notes("FRANCE", -1, 1) == ()


def test_a_build_is_offered_before_not_building():
    """What comes first is what a click elsewhere is taken for, and explained."""
    table = germany_takes_burgundy()
    play_phase(table, FRANCE="A bur R gas")
    brest = next(row for row in table.ask("FRANCE").node.rows if row.target == "bre")
    assert [option.text for option in brest.node.options] == ["A bre B", "F bre B", "WAIVE bre"]


def test_the_sheet_says_how_many_orders_are_due_in_winter():
    """Not how many centres are free: with two units to build, two orders are enough."""
    table = germany_takes_burgundy()
    assert table.ask("FRANCE").node.due is None  # every dislodged unit
    play_phase(table, FRANCE="A bur R gas")
    node = table.ask("FRANCE").node
    assert (len(node.rows), node.due) == (3, 2)
