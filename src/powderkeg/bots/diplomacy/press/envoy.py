"""The envoy of our bots at a table: seats and stored memories instead of powers and values.

It satisfies `powderkeg.bots.envoy.Envoy`; what it says and why is decided in `negotiation`.
"""

import json
import random
from collections.abc import Mapping, Sequence
from typing import Any, Final

from powderkeg.bots.diplomacy.press import commitments, negotiation, wording
from powderkeg.bots.diplomacy.press.daide import (
    All,
    Alliance,
    AnyOf,
    Do,
    Draw,
    Fact,
    Huh,
    Letter,
    Message,
    Nar,
    No,
    Not,
    Offer,
    Peace,
    Proposal,
    Solo,
    Try,
    Yes,
    Zone,
    parse,
)
from powderkeg.bots.diplomacy.press.memory import Memory, look_back
from powderkeg.bots.engine.budget import Clock
from powderkeg.bots.envoy import EnvoyReply, FormalNote, PromiseKind, PromisePart
from powderkeg.core import plain
from powderkeg.core.chance import Rng
from powderkeg.core.errors import Illegal, RulesError, Unreadable
from powderkeg.core.game import Seat, View
from powderkeg.core.words import Msg
from powderkeg.games.diplomacy.actions import Convoy, Hold, Move, Movement, Support, parse_order
from powderkeg.games.diplomacy.board import CODES, Power, Unit
from powderkeg.games.diplomacy.words import place_name

TALKING_LEVELS: Sequence[str] = ("normal", "hard", "expert")
TALKING_STAGES: Sequence[str] = ("movement",)
REOPEN_ACTION: str = "revise"
KINDS: Final = {"peace": "", "alliance": "against", "zone": "places", "order": "action", "draw": ""}


def canonical_text(text: str) -> str:
    return str(parse(text))


def describe_text(text: str) -> Msg:
    return wording.said(parse(text))


def expects_answer(text: str) -> bool:
    message = parse(text)
    return isinstance(message, Proposal) and not isinstance(message.offer, Nar)


def answer_text(text: str, *, agree: bool) -> str:
    message = parse(text)
    return str(Yes(message) if agree else No(message))


# What people put together


def promise_kinds() -> list[PromiseKind]:
    return [
        PromiseKind(kind, Msg(f"bots.press.kind.{kind}"), needs) for kind, needs in KINDS.items()
    ]


def promise_places() -> list[tuple[str, Msg]]:
    return [(code, place_name(code)) for code in CODES]


def compose_offer(view: View, to: Sequence[Seat], parts: Sequence[PromisePart]) -> str:
    both = tuple(sorted(commitments.speaking_power(view, seat) for seat in {view["seat"], *to}))
    offers = [_offer(view, both, to, part) for part in parts]
    if not offers:
        raise Unreadable("bots.press.nothing")
    return str(Proposal(All(tuple(offers)) if len(offers) > 1 else offers[0]))


def _offer(view: View, both: tuple[Power, ...], to: Sequence[Seat], part: PromisePart) -> Offer:
    if part.kind not in KINDS:
        raise Unreadable("bots.press.unreadable", text=part.kind)
    if part.kind not in ("draw", "order") and len(both) < 2:
        raise Unreadable("bots.press.nobody")
    match part.kind:
        case "peace":
            return Peace(both)
        case "alliance":
            return Alliance(both, _against(view, both, part.against))
        case "zone":
            return Zone(both, _zone(part.places))
        case "order":
            return _do(view, [view["seat"], *to], part.action)
    return Draw()


def _against(view: View, both: tuple[Power, ...], seats: Sequence[Seat]) -> tuple[Power, ...]:
    found = tuple(commitments.speaking_power(view, seat) for seat in seats)
    if not found or set(found) & set(both):
        raise Unreadable("bots.press.against_whom")
    return found


def _zone(codes: Sequence[str]) -> tuple[str, ...]:
    if not codes or not set(codes) <= set(CODES):
        raise Unreadable("bots.press.where")
    return tuple(dict.fromkeys(codes))


def _do(view: View, seats: Sequence[Seat], text: str) -> Do:
    """An order of mine, or of somebody to whom I write."""
    order = parse_order(text)
    if not isinstance(order, Hold | Move | Support | Convoy):
        raise Unreadable("bots.press.unreadable", text=text)
    power = _owner(view, order.unit)
    powers = {power for seat in seats for power in view["seats"][seat]["powers"]}
    if power is None or power not in powers:
        raise Illegal("bots.press.not_ours", unit=str(order.unit))
    if not commitments.can_be_given(view, power, order) or _by_sea(view, power, order):
        raise Illegal("bots.press.no_such_order", order=text)
    friend = getattr(order, "target", None) or getattr(order, "army", None)
    other = _owner(view, friend) if friend is not None else None
    return Do(power, order, None if other == power else other)


def _by_sea(view: View, power: Power, order: Movement) -> bool:
    """Whether an army would have to be carried: the language names the seas, a person does not."""
    if not isinstance(order, Move):
        return False
    alone = {**view, "units": {power: [str(order.unit)]}}
    return order.via or not commitments.can_be_given(alone, power, order)


def _owner(view: View, unit: Unit) -> Power | None:
    at = [power for power, units in view["units"].items() if str(unit) in units]
    return at[0] if at else None


# What bots say


def exchange_letters(
    view: View,
    memory: Any,
    heard: Sequence[FormalNote],
    rng: Rng,
    clock: Clock | None = None,
    *,
    public: bool = False,
) -> EnvoyReply:
    before = plain.load(Memory, memory) if memory else Memory()
    if view["stage"] not in TALKING_STAGES or not view["seats"][view["seat"]]["in_game"]:
        return EnvoyReply((), memory)
    now, letters = look_back(view, before), list[Letter]()
    bound = now.deals
    if now.spoken != view["phase"]:
        letters, now = negotiation.speak(view, now, rng, public=public, clock=clock)
    for note in heard:
        letter = _letter(view, note)
        if letter is not None:
            more, now = negotiation.hear(view, now, letter, rng, clock=clock)
            letters += more
    notes = tuple(_note(view, letter, public=public) for letter in letters)
    return EnvoyReply(notes, plain.dump(now), now.deals != bound)


def _letter(view: View, note: FormalNote) -> Letter | None:
    """What reached me, if it is meant for me: of what is said to all, what names me or nobody."""
    try:
        message = parse(note.text)
    except RulesError:
        return None
    me, sender = (
        commitments.speaking_power(view, view["seat"]),
        commitments.speaking_power(view, note.seat),
    )
    named = set(_named(message)) - {sender}
    if not note.to and named and me not in named:
        return None
    return Letter(sender, (me,), message)


def _note(view: View, letter: Letter, *, public: bool) -> FormalNote:
    seats = {commitments.speaking_power(view, seat): seat for seat in view["seats"]}
    to = () if public else tuple(seats[power] for power in letter.to)
    return FormalNote(view["seat"], to, str(letter.message))


def _named(what: Message | Offer) -> list[Power]:
    """The powers of which a message speaks."""
    match what:
        case Proposal(inner) | Fact(inner) | Not(inner) | Nar(inner):
            return _named(inner)
        case Peace(powers) | Draw(powers) | Zone(powers, _):
            return list(powers)
        case Alliance(powers, _):
            return list(powers)  # not those whom it is about
        case Solo(power):
            return [power]
        case Do(power, _, other):
            return [power, *([other] if other else [])]
        case All(offers) | AnyOf(offers):
            return [power for offer in offers for power in _named(offer)]
        case Huh() | Try():
            return []
    return _named(what.message)


# What was promised


def bind_view(view: View, memory: Any) -> Mapping[str, Any]:
    """The view with what was promised. Asked again for the same turn, the bot stays with what it
    decided: its luck comes from what it sees."""
    if not memory or view["stage"] not in TALKING_STAGES:
        return view
    key = json.dumps([view["phase"], view["seat"], view["units"], memory], sort_keys=True)
    if key not in _DECIDED:
        _DECIDED.clear()
        remembered = look_back(view, plain.load(Memory, memory))
        _DECIDED[key] = negotiation.pledges(view, remembered, random.Random(key))
    return {**view, "pledges": _DECIDED[key]}


_DECIDED: dict[str, dict[str, Any]] = {}  # of the last turn that was asked for
