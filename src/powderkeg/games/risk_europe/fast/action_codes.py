"""Actions as one number each, the same at every moment of every game.

A code is a verb and 17 bits: one number, two of eight bits (`besiege`, `garrison`, `pick`), a unit, a
territory and a count (`buy`), or four counts of units.
"""

from collections.abc import Callable
from typing import Any, Final

from powderkeg.games.risk_europe import actions
from powderkeg.games.risk_europe.actions import Action
from powderkeg.games.risk_europe.board import COLOURS
from powderkeg.games.risk_europe.cards.pack import crown_pack
from powderkeg.games.risk_europe.fast.layout import (
    CARD_KINDS,
    PAYLOAD,
    V_AUCTION,
    V_BERLIN,
    V_BESIEGE,
    V_BID,
    V_BUILD,
    V_BUY,
    V_CROWN,
    V_DONE,
    V_FIGHT,
    V_FORTIFY,
    V_FROM,
    V_GARRISON,
    V_KEEP,
    V_LOSE,
    V_MARCH,
    V_ORDER,
    V_PASS,
    V_PICK,
    V_REROLL,
    V_REVEAL,
    V_SETTLE,
    V_STAND,
    V_STORM,
    V_TAX,
    V_TO,
    VERB_SHIFT,
)

__all__ = ["action_code", "code_action"]

CROWN_NAMES: Final = tuple(crown_pack(""))


def pack_units(units: tuple[int, ...]) -> int:
    """Four counts of units in 17 bits."""
    f, a, c, s = units
    return f << 11 | a << 7 | c << 3 | s


def _unpack_units(bits: int) -> tuple[int, int, int, int]:
    return bits >> 11, bits >> 7 & 15, bits >> 3 & 15, bits & 7


def action_code(action: Action, colours: tuple[str, ...] = COLOURS) -> int:
    """The code of an action; `colours` are those of the state, mercenaries last."""
    verb, payload = _verb_payload(action, colours)
    return verb << VERB_SHIFT | payload


def _verb_payload(action: Action, colours: tuple[str, ...]) -> tuple[int, int]:  # one per verb
    match action:
        case actions.March(units):
            return V_MARCH, pack_units(units)
        case actions.Storm(units):
            return V_STORM, pack_units(units)
        case actions.Lose(units):
            return V_LOSE, pack_units(units)
        case actions.PlaceBid(coins):
            return V_BID, coins
        case actions.SplitGarrison(at, n):
            return V_GARRISON, at << 8 | n
        case actions.PickCards(first, second):
            return V_PICK, CARD_KINDS.index(first) << 8 | CARD_KINDS.index(second)
        case actions.Auction(colour):
            return V_AUCTION, colours.index(colour)
        case actions.GiveOrder(name):
            return V_ORDER, actions.ORDER_NAMES.index(name)
        case actions.Besiege(origin, target):
            return V_BESIEGE, origin << 8 | target
        case actions.Buy(unit, at, count):
            return V_BUY, unit << 14 | at << 8 | count
        case actions.KeepMission(card):
            return V_KEEP, CROWN_NAMES.index(card)
        case actions.Reveal(card):
            return V_REVEAL, CROWN_NAMES.index(card)
    verb = _PLAIN_VERBS[type(action)]
    return verb, getattr(action, "at", 0)


_PLAIN_VERBS: Final[dict[type, int]] = {
    actions.SettleCity: V_SETTLE,
    actions.Fortify: V_FORTIFY,
    actions.Berlin: V_BERLIN,
    actions.From: V_FROM,
    actions.To: V_TO,
    actions.TaxCity: V_TAX,
    actions.BuildCastle: V_BUILD,
    actions.BuyCrown: V_CROWN,
    actions.Fight: V_FIGHT,
    actions.Reroll: V_REROLL,
    actions.Stand: V_STAND,
    actions.Finish: V_DONE,
    actions.PassTurn: V_PASS,
}


def code_action(code: int, colours: tuple[str, ...] = COLOURS) -> Action:
    """The action that a code means.

    >>> from powderkeg.games.risk_europe.actions import parse
    >>> from powderkeg.games.risk_europe.fast.action_codes import action_code, code_action
    >>> str(code_action(action_code(parse("buy archer saxony 2"))))
    'buy archer saxony 2'
    """
    verb, payload = code >> VERB_SHIFT, code & PAYLOAD
    if verb == V_AUCTION:
        return actions.Auction(colours[payload])
    made: Action = _MAKERS[verb](payload)
    return made


_MAKERS: Final[dict[int, Callable[[int], Any]]] = {
    V_BID: actions.PlaceBid,
    V_SETTLE: actions.SettleCity,
    V_GARRISON: lambda bits: actions.SplitGarrison(bits >> 8, bits & 255),
    V_PICK: lambda bits: actions.PickCards(CARD_KINDS[bits >> 8], CARD_KINDS[bits & 255]),
    V_ORDER: lambda bits: actions.GiveOrder(actions.ORDER_NAMES[bits]),
    V_FORTIFY: actions.Fortify,
    V_BESIEGE: lambda bits: actions.Besiege(bits >> 8, bits & 255),
    V_BERLIN: lambda _bits: actions.Berlin(),
    V_FROM: actions.From,
    V_TO: actions.To,
    V_MARCH: lambda bits: actions.March(_unpack_units(bits)),
    V_STORM: lambda bits: actions.Storm(_unpack_units(bits)),
    V_TAX: actions.TaxCity,
    V_BUY: lambda bits: actions.Buy(bits >> 14, bits >> 8 & 63, bits & 255),
    V_BUILD: actions.BuildCastle,
    V_CROWN: lambda _bits: actions.BuyCrown(),
    V_KEEP: lambda bits: actions.KeepMission(CROWN_NAMES[bits]),
    V_REVEAL: lambda bits: actions.Reveal(CROWN_NAMES[bits]),
    V_FIGHT: actions.Fight,
    V_REROLL: lambda _bits: actions.Reroll(),
    V_STAND: lambda _bits: actions.Stand(),
    V_LOSE: lambda bits: actions.Lose(_unpack_units(bits)),
    V_DONE: lambda _bits: actions.Finish(),
    V_PASS: lambda _bits: actions.PassTurn(),
}
