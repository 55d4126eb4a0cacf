"""The envoy of Diplomacy's bots: it speaks for a seat and keeps its memory as JSON.

It satisfies `powderkeg.bots.envoy.Envoy`; `negotiation` decides what to propose and accept.
"""

import json
import random
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from powderkeg.bots.diplomacy.press import (
    commitments,
    composing,
    negotiation,
    prose_answers,
    wording,
)
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
from powderkeg.bots.envoy import EnvoyReply, FormalNote, PromiseKind
from powderkeg.core import plain
from powderkeg.core.chance import Rng
from powderkeg.core.errors import RulesError
from powderkeg.core.game import View
from powderkeg.core.words import Msg
from powderkeg.games.diplomacy.board import CODES, Power
from powderkeg.games.diplomacy.words import place_name

TALKING_LEVELS: Sequence[str] = ("normal", "hard", "expert")
TALKING_STAGES: Sequence[str] = ("movement",)
REOPEN_ACTION: str = "revise"


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

answer_prose = prose_answers.answer_letter
compose_offer = composing.compose_offer
split_offer = composing.split_offer


def promise_kinds() -> list[PromiseKind]:
    return [
        PromiseKind(kind, Msg(f"bots.press.kind.{kind}"), needs)
        for kind, needs in composing.PROMISE_FIELDS.items()
    ]


def promise_places() -> list[tuple[str, Msg]]:
    return [(code, place_name(code)) for code in CODES]


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
