"""Names of things, phases and reasons as messages, and the facts of a phase. Codes only.

A name is made once and shared: a phase has hundreds of them, and there are few different ones.
"""

from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Final

from powderkeg.core.game import Fact, Seat, fact
from powderkeg.core.words import Msg
from powderkeg.games.diplomacy.actions import (
    DRAW,
    Build,
    Convoy,
    Disband,
    Hold,
    Move,
    Order,
    Retreat,
    Support,
    Waive,
)
from powderkeg.games.diplomacy.board import Power, Unit
from powderkeg.games.diplomacy.rules.outcomes import Dislodged, Outcome, Why

MOST_NAMES = 1024  # of one kind that are kept
MOST_ORDERS = 8192


@lru_cache(maxsize=MOST_NAMES)
def power_name(power: Power) -> Msg:
    return Msg(f"diplomacy.power.{power}")


@lru_cache(maxsize=MOST_NAMES)
def seat_name(seat: Seat) -> Msg:
    return Msg(f"diplomacy.seat.{seat}")


@lru_cache(maxsize=MOST_NAMES)
def place_name(location: str, *, short: bool = False) -> Msg:
    return Msg(f"diplomacy_map.{location}{'.abbr' if short else ''}")


@lru_cache(maxsize=MOST_NAMES)
def unit_name(unit: Unit) -> Msg:
    return Msg(f"diplomacy.unit.{unit.kind}", at=place_name(unit.at))


@lru_cache(maxsize=MOST_ORDERS)
def order_name(order: Order) -> Msg:
    """An order in the reader's notation."""
    match order:
        case Hold(unit):
            return Msg("diplomacy.order.hold", unit=unit_name(unit))
        case Move(unit, to, via):
            code = "diplomacy.order.via" if via else "diplomacy.order.move"
            return Msg(code, unit=unit_name(unit), to=place_name(to))
        case Support(unit, target, None):
            return Msg(
                "diplomacy.order.support_hold", unit=unit_name(unit), target=unit_name(target)
            )
        case Support(unit, target, str(to)):
            return Msg(
                "diplomacy.order.support_move",
                unit=unit_name(unit),
                target=unit_name(target),
                to=place_name(to),
            )
        case Convoy(unit, army, to):
            return Msg(
                "diplomacy.order.convoy",
                unit=unit_name(unit),
                army=unit_name(army),
                to=place_name(to),
            )
        case Retreat(unit, to):
            return Msg("diplomacy.order.retreat", unit=unit_name(unit), to=place_name(to))
        case Disband(unit):
            return Msg("diplomacy.order.disband", unit=unit_name(unit))
        case Build(unit):
            return Msg("diplomacy.order.build", unit=unit_name(unit))
        case Waive(at):
            return (
                Msg("diplomacy.order.waive", at=place_name(at))
                if at
                else Msg("diplomacy.order.waive_any")
            )
    raise TypeError(order)


@lru_cache(maxsize=MOST_NAMES)
def phase_name(phase: str) -> Msg:
    """A phase in words: ``S1901M`` is *Spring 1901, movement*."""
    return Msg(f"diplomacy.phase.{phase[0]}{phase[-1]}", year=int(phase[1:-1]))


def proposal_name(what: str) -> Msg:
    """The subject of a proposal: a draw or the victory of a seat."""
    if what == DRAW:
        return Msg("diplomacy.proposal.draw")
    return Msg("diplomacy.proposal.victory", seat=seat_name(what))


NAMED_BY_UNIT: Final = frozenset([Why.CARRIED, Why.HELPED_HOLD])  # "carried by F Ionian Sea"


def reason_name(
    outcome: Outcome,
    order_name: Callable[[Order], Msg] = order_name,
    unit_name: Callable[[Unit], Msg] = unit_name,
) -> Msg:
    """Why an order succeeded or failed, in one sentence."""

    def cause_name(order: Order) -> Msg:
        if outcome.why in NAMED_BY_UNIT and not isinstance(order, Waive):
            return unit_name(order.unit)
        return order_name(order)

    strengths = dict(zip(("ours", "theirs"), outcome.strengths or (), strict=False))
    return Msg(
        f"diplomacy.why.{outcome.why}",
        power=power_name(outcome.power),
        order=order_name(outcome.order),
        by=tuple(map(cause_name, outcome.by)),
        **strengths,
    )


def outcome_facts(outcomes: Iterable[Outcome]) -> list[Fact]:
    return [Fact(reason_name(outcome), outcome.rule) for outcome in outcomes]


def dislodged_fact(beaten: Dislodged) -> Fact:
    """A unit was dislodged, and where it may go."""
    args = {
        "power": power_name(beaten.power),
        "unit": unit_name(beaten.unit),
        "by": order_name(beaten.by),
    }
    if beaten.retreats:
        places = tuple(place_name(to) for to in beaten.retreats)
        return fact("diplomacy.dislodged", "D-DISL-03", **args, to=places)
    return fact("diplomacy.dislodged_for_good", "D-RET-06", **args)
