"""The envoy of Diplomacy's bots: it speaks for a seat and keeps its memory as JSON.

It satisfies `powderkeg.bots.envoy.Envoy`; `negotiation` decides what to propose and accept.
"""

import json
import random
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from powderkeg.bots.diplomacy.press import commitments, negotiation, prose, wording
from powderkeg.bots.diplomacy.press.daide import (
    All,
    Alliance,
    AnyOf,
    DrawOffer,
    Huh,
    Letter,
    Nar,
    No,
    Not,
    Offer,
    OrderOffer,
    Peace,
    PressFact,
    PressMessage,
    PressProposal,
    Solo,
    TryTokens,
    Yes,
    Zone,
    parse_message,
)
from powderkeg.bots.diplomacy.press.memory import EnvoyMemory, look_back
from powderkeg.bots.engine.budget import Clock
from powderkeg.bots.envoy import EnvoyReply, FormalNote, PromiseKind, PromisePart
from powderkeg.core import plain
from powderkeg.core.chance import Rng
from powderkeg.core.errors import Illegal, RulesError, Unreadable
from powderkeg.core.game import Seat, View
from powderkeg.core.words import Msg
from powderkeg.games.diplomacy.actions import Convoy, Hold, Move, Movement, Support, parse_order
from powderkeg.games.diplomacy.board import CODES, Power, Unit
from powderkeg.games.diplomacy.words import order_name, place_name

TALKING_LEVELS: Sequence[str] = ("normal", "hard", "expert")
TALKING_STAGES: Sequence[str] = ("movement",)
REOPEN_ACTION: str = "revise"
PROMISE_FIELDS: Final = {
    "peace": "",
    "alliance": "against",
    "zone": "places",
    "order": "action",
    "draw": "",
}


def canonical_text(text: str) -> str:
    return str(parse_message(text))


def describe_text(text: str) -> Msg:
    return wording.message_words(parse_message(text))


def expects_answer(text: str) -> bool:
    message = parse_message(text)
    return isinstance(message, PressProposal) and not isinstance(message.offer, Nar)


def answer_text(text: str, *, agree: bool) -> str:
    message = parse_message(text)
    return str(Yes(message) if agree else No(message))


# Offers that people put together


def answer_prose(view: View, to: Seat, text: str) -> Msg:
    read = prose.read_letter(view, to, text)
    if read.parts:
        return _read_offer(view, to, read)
    return _prose_remark(read) or Msg("bots.prose.unclear")


def _prose_remark(read: prose.ProseReading) -> Msg | None:
    """What there is to say about the part of a letter that is no offer yet."""
    if read.choices:
        orders = tuple(order_name(parse_order(part.action)) for part in read.choices)
        return Msg("bots.prose.which", orders=orders)
    return Msg(f"bots.prose.{read.remark}") if read.remark else None


def _read_offer(view: View, to: Seat, read: prose.ProseReading) -> Msg:
    try:
        what = describe_text(compose_offer(view, [to], read.parts))
    except RulesError as error:
        return Msg("bots.prose.impossible", why=error.msg)
    if rest := _prose_remark(read):
        return Msg("bots.prose.partly", what=what, rest=rest)
    return Msg("bots.prose.understood", what=what)


def promise_kinds() -> list[PromiseKind]:
    return [
        PromiseKind(kind, Msg(f"bots.press.kind.{kind}"), needs)
        for kind, needs in PROMISE_FIELDS.items()
    ]


def promise_places() -> list[tuple[str, Msg]]:
    return [(code, place_name(code)) for code in CODES]


def compose_offer(view: View, to: Sequence[Seat], parts: Sequence[PromisePart]) -> str:
    both = tuple(sorted(commitments.speaking_power(view, seat) for seat in {view["seat"], *to}))
    offers = [_offer_of_part(view, both, to, part) for part in parts]
    if not offers:
        raise Unreadable("bots.press.nothing")
    return str(PressProposal(All(tuple(offers)) if len(offers) > 1 else offers[0]))


def _offer_of_part(
    view: View, both: tuple[Power, ...], to: Sequence[Seat], part: PromisePart
) -> Offer:
    if part.kind not in PROMISE_FIELDS:
        raise Unreadable("bots.press.unreadable", text=part.kind)
    if part.kind not in ("draw", "order") and len(both) < 2:
        raise Unreadable("bots.press.nobody")
    match part.kind:
        case "peace":
            return Peace(both)
        case "alliance":
            return Alliance(both, _alliance_targets(view, both, part.against))
        case "zone":
            return Zone(both, _zone_codes(part.places))
        case "order":
            return _order_offer(view, [view["seat"], *to], part.action)
    return DrawOffer()


def _alliance_targets(
    view: View, both: tuple[Power, ...], seats: Sequence[Seat]
) -> tuple[Power, ...]:
    found = tuple(commitments.speaking_power(view, seat) for seat in seats)
    if not found or set(found) & set(both):
        raise Unreadable("bots.press.against_whom")
    return found


def _zone_codes(codes: Sequence[str]) -> tuple[str, ...]:
    if not codes or not set(codes) <= set(CODES):
        raise Unreadable("bots.press.where")
    return tuple(dict.fromkeys(codes))


def _order_offer(view: View, seats: Sequence[Seat], text: str) -> OrderOffer:
    """The offer of an order of the writer or of an addressee."""
    order = parse_order(text)
    if not isinstance(order, Hold | Move | Support | Convoy):
        raise Unreadable("bots.press.unreadable", text=text)
    power = _unit_owner(view, order.unit)
    powers = {power for seat in seats for power in view["seats"][seat]["powers"]}
    if power is None or power not in powers:
        raise Illegal("bots.press.not_ours", unit=str(order.unit))
    if not commitments.is_possible_order(view, power, order) or _needs_convoy(view, power, order):
        raise Illegal("bots.press.no_such_order", order=text)
    friend = getattr(order, "target", None) or getattr(order, "army", None)
    other = _unit_owner(view, friend) if friend is not None else None
    return OrderOffer(power, order, None if other == power else other)


def _needs_convoy(view: View, power: Power, order: Movement) -> bool:
    """Whether the order needs a convoy: the press language names its seas, a person does not."""
    if not isinstance(order, Move):
        return False
    alone = {**view, "units": {power: [str(order.unit)]}}
    return order.via or not commitments.is_possible_order(alone, power, order)


def _unit_owner(view: View, unit: Unit) -> Power | None:
    at = [power for power, units in view["units"].items() if str(unit) in units]
    return at[0] if at else None


# Letters of bots


def exchange_letters(
    view: View,
    memory: Any,
    heard: Sequence[FormalNote],
    rng: Rng,
    clock: Clock | None = None,
    *,
    public: bool = False,
) -> EnvoyReply:
    before = plain.load(EnvoyMemory, memory) if memory else EnvoyMemory()
    if view["stage"] not in TALKING_STAGES or not view["seats"][view["seat"]]["in_game"]:
        return EnvoyReply((), memory)
    before = replace(before, character=view.get("character", before.character))
    now, letters = look_back(view, before), list[Letter]()
    bound = now.deals
    if now.spoken != view["phase"]:
        letters, now = negotiation.propose_deals(view, now, rng, public=public, clock=clock)
    for note in heard:
        letter = _letter_to_me(view, note)
        if letter is not None:
            more, now = negotiation.answer_letter(view, now, letter, rng, clock=clock)
            letters += more
    notes = tuple(_formal_note(view, letter, public=public) for letter in letters)
    return EnvoyReply(notes, plain.dump(now), now.deals != bound)


def _letter_to_me(view: View, note: FormalNote) -> Letter | None:
    """A note as a letter to this seat; None if it is not meant for it: a note to all is meant for
    the powers that it names, or for everybody if it names none."""
    try:
        message = parse_message(note.text)
    except RulesError:
        return None
    me, sender = (
        commitments.speaking_power(view, view["seat"]),
        commitments.speaking_power(view, note.seat),
    )
    named = set(_named_powers(message)) - {sender}
    if not note.to and named and me not in named:
        return None
    return Letter(sender, (me,), message)


def _formal_note(view: View, letter: Letter, *, public: bool) -> FormalNote:
    seats = {commitments.speaking_power(view, seat): seat for seat in view["seats"]}
    to = () if public else tuple(seats[power] for power in letter.to)
    return FormalNote(view["seat"], to, str(letter.message), letter.reason)


def _named_powers(what: PressMessage | Offer) -> list[Power]:
    """The powers that a message names."""
    match what:
        case PressProposal(inner) | PressFact(inner) | Not(inner) | Nar(inner):
            return _named_powers(inner)
        case Peace(powers) | DrawOffer(powers) | Zone(powers, _):
            return list(powers)
        case Alliance(powers, _):
            return list(powers)  # not the powers it is directed against
        case Solo(power):
            return [power]
        case OrderOffer(power, _, other):
            return [power, *([other] if other else [])]
        case All(offers) | AnyOf(offers):
            return [power for offer in offers for power in _named_powers(offer)]
        case Huh() | TryTokens():
            return []
    return _named_powers(what.message)


# Promises


def bind_view(view: View, memory: Any) -> Mapping[str, Any]:
    """The view with the promises of its seat. Asked again in the same turn, the decision which deals
    to keep stays the same: its seed comes from the view and the memory."""
    if not memory or view["stage"] not in TALKING_STAGES:
        return view
    key = json.dumps([view["phase"], view["seat"], view["units"], memory], sort_keys=True)
    if key not in _DECIDED_PLEDGES:
        _DECIDED_PLEDGES.clear()
        remembered = look_back(view, plain.load(EnvoyMemory, memory))
        _DECIDED_PLEDGES[key] = negotiation.deal_promises(view, remembered, random.Random(key))
    return {**view, "pledges": _DECIDED_PLEDGES[key]}


_DECIDED_PLEDGES: dict[str, dict[str, Any]] = {}  # of the last turn asked for
