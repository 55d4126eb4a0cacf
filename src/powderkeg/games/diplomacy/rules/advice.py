"""What a player would want to know before being ready. It is advice: every legal order may be meant."""

from collections.abc import Iterable, Iterator, Mapping
from itertools import combinations

from powderkeg.core.words import Msg
from powderkeg.games.diplomacy.actions import (
    Convoy,
    Hold,
    Move,
    Order,
    Retreat,
    Support,
)
from powderkeg.games.diplomacy.board import Power, Unit, unit_moves
from powderkeg.games.diplomacy.rules.outcomes import Dislodged
from powderkeg.games.diplomacy.words import order_name, place_name, power_name, unit_name

Drafts = Mapping[str, Order]  # by the province of the unit


def movement_notes(units: tuple[Unit, ...], drafts: Drafts) -> tuple[Msg, ...]:
    """Notes on the orders of one player's units in a movement."""
    notes = [*_missing_orders(units, drafts), *_own_bounces(units, drafts)]
    for order in drafts.values():
        match order:
            case Support():
                notes += _idle_support(units, drafts, order)
            case Convoy():
                notes += _idle_convoy(units, drafts, order)
            case Move():
                notes += _missing_convoy(drafts, order)
    return tuple(notes)


def retreat_notes(beaten: Iterable[Dislodged], drafts: Drafts) -> tuple[Msg, ...]:
    """Notes on the retreats of one player: units that leave the board, and why."""
    lost = [unit_name(each.unit) for each in beaten if each.unit.province not in drafts]
    missing = [Msg("diplomacy.note.no_retreat", n=len(lost), units=lost)] if lost else []
    flights = [order for order in drafts.values() if isinstance(order, Retreat)]
    return (*missing, *_same_refuges(flights))


def winter_notes(power: Power, due: int, ordered: int) -> tuple[Msg, ...]:
    """Notes on the adjustments of one power: `due` are builds, below zero removals. They name it: a
    player may have several."""
    left = abs(due) - ordered
    code = "diplomacy.note.more_builds" if due > 0 else "diplomacy.note.more_removals"
    return (Msg(code, n=left, power=power_name(power)),) if left > 0 else ()


def _same_refuges(flights: list[Retreat]) -> Iterator[Msg]:
    for one, other in combinations(flights, 2):
        if one.to[:3] == other.to[:3]:
            names = [unit_name(one.unit), unit_name(other.unit)]
            yield Msg("diplomacy.note.same_refuge", units=names, to=place_name(one.to))


def _missing_orders(units: tuple[Unit, ...], drafts: Drafts) -> Iterator[Msg]:
    idle = [unit_name(unit) for unit in units if unit.province not in drafts]
    if idle:
        yield Msg("diplomacy.note.no_orders", n=len(idle), units=idle)


def _own_bounces(units: tuple[Unit, ...], drafts: Drafts) -> Iterator[Msg]:
    """Own units that go to the same place, or to where an own unit stays."""
    moves = [order for order in drafts.values() if isinstance(order, Move)]
    for one, other in combinations(moves, 2):
        if one.to[:3] == other.to[:3]:
            names = [unit_name(one.unit), unit_name(other.unit)]
            yield Msg("diplomacy.note.same_place", units=names, to=place_name(one.to))
    staying = {u.province: u for u in units if not isinstance(drafts.get(u.province), Move)}
    for move in moves:
        if stays := staying.get(move.to[:3]):
            yield Msg("diplomacy.note.own_unit", order=order_name(move), unit=unit_name(stays))


def _idle_support(units: tuple[Unit, ...], drafts: Drafts, order: Support) -> Iterator[Msg]:
    """A support of an own unit that does something else."""
    if order.target not in units:
        return
    given = drafts.get(order.target.province, Hold(order.target))
    going = given.to[:3] if isinstance(given, Move) else None
    if going != (order.to[:3] if order.to else None):
        yield Msg("diplomacy.note.unmatched", order=order_name(order), other=order_name(given))


def _idle_convoy(units: tuple[Unit, ...], drafts: Drafts, order: Convoy) -> Iterator[Msg]:
    if order.army not in units:
        return
    given = drafts.get(order.army.province, Hold(order.army))
    if not (isinstance(given, Move) and given.to[:3] == order.to[:3]):
        yield Msg("diplomacy.note.unmatched", order=order_name(order), other=order_name(given))


def _missing_convoy(drafts: Drafts, order: Move) -> Iterator[Msg]:
    """An army that must go by sea, and no own fleet that is ordered to carry it."""
    if order.to in unit_moves(order.unit):
        return
    fleets = [each for each in drafts.values() if isinstance(each, Convoy)]
    if not any(each.army == order.unit and each.to == order.to for each in fleets):
        yield Msg("diplomacy.note.no_convoy", order=order_name(order))
