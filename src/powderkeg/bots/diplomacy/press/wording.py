"""Messages in plain words, for readers of any language."""

from collections.abc import Iterable

from powderkeg.bots.diplomacy.press.daide import (
    All,
    Alliance,
    AnyOf,
    Cancel,
    Do,
    Draw,
    Evasion,
    Fact,
    Huh,
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
)
from powderkeg.core.words import Msg
from powderkeg.games.diplomacy.board import Power
from powderkeg.games.diplomacy.words import order_name, place_name, power_name


def said(message: Message) -> Msg:
    """What a message says."""
    match message:
        case Proposal(Nar(offer)):
            return Msg("bots.press.off", offer=offered(offer))
        case Proposal(offer):
            return Msg("bots.press.proposal", offer=offered(offer))
        case Fact(offer):
            return Msg("bots.press.fact", offer=offered(offer))
        case Yes(inner):
            return Msg("bots.press.yes", what=said(inner))
        case No(inner):
            return Msg("bots.press.no", what=said(inner))
        case Evasion(inner):
            return Msg("bots.press.evasion", what=said(inner))
        case Cancel(inner):
            return Msg("bots.press.cancel", what=said(inner))
        case Huh(tokens):
            return Msg("bots.press.huh", what=" ".join(tokens))
        case Try(()):
            return Msg("bots.press.try_nothing")
        case Try(tokens):
            return Msg("bots.press.try", what=" ".join(tokens))


def offered(offer: Offer) -> Msg:
    """What an offer is about."""
    match offer:
        case Peace(powers):
            return Msg("bots.press.peace", powers=_names(powers))
        case Alliance(powers, against):
            return Msg("bots.press.alliance", powers=_names(powers), against=_names(against))
        case Draw(()):
            return Msg("bots.press.draw")
        case Draw(powers):
            return Msg("bots.press.draw_of", powers=_names(powers))
        case Solo(power):
            return Msg("bots.press.solo", power=power_name(power))
        case Not(inner):
            return Msg("bots.press.not", offer=offered(inner))
        case Nar(inner):
            return Msg("bots.press.nar", offer=offered(inner))
        case Do():
            return _order(offer)
        case Zone(powers, provinces):
            places = tuple(map(place_name, provinces))
            return Msg("bots.press.zone", powers=_names(powers), places=places)
        case All(offers):
            return Msg("bots.press.all", offers=tuple(map(offered, offers)))
        case AnyOf(offers):
            return Msg("bots.press.any", offers=tuple(map(offered, offers)))


def _order(do: Do) -> Msg:
    power, order = power_name(do.power), order_name(do.order)
    if not do.seas:
        return Msg("bots.press.order", power=power, order=order)
    seas = tuple(map(place_name, do.seas))
    return Msg("bots.press.order_by_sea", power=power, order=order, seas=seas)


def _names(powers: Iterable[Power]) -> tuple[Msg, ...]:
    return tuple(map(power_name, powers))
