"""Tables, memories and deals that the tests of negotiation share."""

import random
from dataclasses import replace
from typing import Any

from powderkeg.bots.diplomacy.press import negotiation
from powderkeg.bots.diplomacy.press.daide import (
    Letter,
    PressProposal,
    Yes,
    parse_offer,
)
from powderkeg.bots.diplomacy.press.memory import AgreedDeal, EnvoyMemory, look_back
from powderkeg.core.table import Table
from powderkeg.games import diplomacy


def view(table: Table, seat: str) -> dict[str, Any]:
    return dict(table.view(seat))


def played(*moves: dict[str, list[str]]) -> Table:
    table = Table(diplomacy, 7, diplomacy.Options(last_year=1905))
    for written in moves:
        for seat in table.seats:
            for text in written.get(seat, [f"{u} H" for u in table.state.units[seat]]):
                table.act(seat, text)
            table.act(seat, "ready")
    return table


def agreed(partner: str, offer: str) -> EnvoyMemory:
    """England's memory of a deal in spring 1901."""
    table = played()
    memory = look_back(view(table, "ENGLAND"), EnvoyMemory())
    deal = Letter(partner, ("ENGLAND",), Yes(PressProposal(parse_offer(offer))))
    memory = replace(memory, proposed=(f"{partner} {offer}",))
    letters, memory = negotiation.answer_letter(
        view(table, "ENGLAND"), memory, deal, random.Random(1)
    )
    assert not letters
    assert memory.deals == (AgreedDeal(partner, offer, memory.deals[0].left),)
    return memory


PEACE = "PCE ( ENG FRA )"
