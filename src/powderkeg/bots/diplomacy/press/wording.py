"""Press messages in words, for readers of any language."""

from collections.abc import Iterable

from powderkeg.bots.diplomacy.press.daide import (
    All,
    Alliance,
    AnyOf,
    Cancel,
    DrawOffer,
    Evasion,
    Huh,
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
)
from powderkeg.core.words import Msg
from powderkeg.games.diplomacy.board import Power
from powderkeg.games.diplomacy.words import order_name, place_name, power_name


def message_words(message: PressMessage) -> Msg:
    """A message in words."""
    match message:
        case PressProposal(Nar(offer)):
            return Msg("bots.press.off", offer=offer_words(offer))
        case PressProposal(offer):
            return Msg("bots.press.proposal", offer=offer_words(offer))
        case PressFact(offer):
            return Msg("bots.press.fact", offer=offer_words(offer))
        case Yes(inner):
            return Msg("bots.press.yes", what=message_words(inner))
        case No(inner):
            return Msg("bots.press.no", what=message_words(inner))
        case Evasion(inner):
            return Msg("bots.press.evasion", what=message_words(inner))
        case Cancel(inner):
            return Msg("bots.press.cancel", what=message_words(inner))
        case Huh(tokens):
            return Msg("bots.press.huh", what=" ".join(tokens))
        case TryTokens(()):
            return Msg("bots.press.try_nothing")
        case TryTokens(tokens):
            return Msg("bots.press.try", what=" ".join(tokens))


def offer_words(offer: Offer) -> Msg:
    """An offer in words."""
    match offer:
        case Peace(powers):
            return Msg("bots.press.peace", powers=_power_words(powers))
        case Alliance(powers, against):
            return Msg(
                "bots.press.alliance", powers=_power_words(powers), against=_power_words(against)
            )
        case DrawOffer(()):
            return Msg("bots.press.draw")
        case DrawOffer(powers):
            return Msg("bots.press.draw_of", powers=_power_words(powers))
        case Solo(power):
            return Msg("bots.press.solo", power=power_name(power))
        case Not(inner):
            return Msg("bots.press.not", offer=offer_words(inner))
        case Nar(inner):
            return Msg("bots.press.nar", offer=offer_words(inner))
        case OrderOffer():
            return _order_words(offer)
        case Zone(powers, provinces):
            places = tuple(map(place_name, provinces))
            return Msg("bots.press.zone", powers=_power_words(powers), places=places)
        case All(offers):
            return Msg("bots.press.all", offers=tuple(map(offer_words, offers)))
        case AnyOf(offers):
            return Msg("bots.press.any", offers=tuple(map(offer_words, offers)))


def _order_words(do: OrderOffer) -> Msg:
    power, order = power_name(do.power), order_name(do.order)
    if not do.seas:
        return Msg("bots.press.order", power=power, order=order)
    seas = tuple(map(place_name, do.seas))
    return Msg("bots.press.order_by_sea", power=power, order=order, seas=seas)


def _power_words(powers: Iterable[Power]) -> tuple[Msg, ...]:
    return tuple(map(power_name, powers))
