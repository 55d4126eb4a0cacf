"""Notes before being ready: what a player would want to know, and nothing about orders that fit."""

import pytest

from powderkeg.core.table import Table
from powderkeg.core.words import say
from powderkeg.games import diplomacy

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
