"""The meaning of written orders on the board: letters, units and coasts filled in.

The unit letter is only a reminder, because one region holds one unit (D-ORD-09, D-ORD-10); a coast
goes without saying where only one can be reached (D-ORD-12) and is ignored where it says nothing
(D-ORD-14). Impossible orders stay as written, for the adjudicator to refuse (D-ORD-07).
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from powderkeg.core.errors import Illegal, Unreadable
from powderkeg.games.diplomacy.actions import (
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
from powderkeg.games.diplomacy.board import PROVINCES, Power, Unit, UnitKind, can_stand, unit_moves
from powderkeg.games.diplomacy.notation import grammar
from powderkeg.games.diplomacy.notation.grammar import OrderParse, WrittenPiece, WrittenPlace
from powderkeg.games.diplomacy.notation.writing import written_unit
from powderkeg.games.diplomacy.rules.legality import NumberedPosition, movement_objection
from powderkeg.games.diplomacy.rules.position import Position
from powderkeg.games.diplomacy.words import place_name, power_name

PhaseLetter: TypeAlias = Literal["M", "R", "A"]
_UNIT_KINDS: tuple[UnitKind, UnitKind] = ("A", "F")


@dataclass(frozen=True, slots=True)
class Context:
    """The part of the board that matters to a reader of one power's orders."""

    power: Power
    units: Mapping[Power, Sequence[Unit]]
    phase: PhaseLetter = "M"
    retreats: Mapping[Unit, Sequence[str]] = field(default_factory=dict)  # the power's dislodged
    owed: int = 0  # builds that it may make; below zero, units that it must remove
    sites: Sequence[str] = ()  # home centres where it may build

    def own_unit(self, province: str) -> Unit | None:
        """The power's unit there that can be given an order now."""
        able = self.retreats if self.phase == "R" else self.units.get(self.power, ())
        return next((unit for unit in able if unit.province == province), None)

    def units_at(self, province: str) -> Iterator[tuple[Power, Unit]]:
        """The units in a province, with their powers."""
        for power, units in self.units.items():
            yield from ((power, unit) for unit in units if unit.province == province)

    def is_illegal(self, order: Order) -> bool:
        """Whether a movement order could not work for any orders of the others."""
        field_ = NumberedPosition(
            Position({power: tuple(units) for power, units in self.units.items()})
        )
        return movement_objection(field_, field_.powers.index(self.power), order) is not None


# From a parse to an order


def complete_order(parse: OrderParse, context: Context | None, text: str) -> Order:
    """The order that `parse` describes; raises when no unit can be meant or no verb was given."""
    if parse.verb == grammar.WAIVE:
        return Waive(parse.to.at if parse.to else "")
    assert parse.unit is not None  # noqa: S101  # the grammar gives every other verb a unit
    verb = _meant_verb(parse, context, text)
    if verb == grammar.BUILD:
        return Build(_unit_as_written(parse.unit, text))
    unit = _ordered_unit(parse.unit, context, text)
    if verb in (grammar.HOLD, grammar.DISBAND) or parse.verb == grammar.BARE:
        return Disband(unit) if verb == grammar.DISBAND else Hold(unit)
    return _with_target(verb, unit, parse, context, text)


def _with_target(
    verb: str, unit: Unit, parse: OrderParse, context: Context | None, text: str
) -> Order:
    if verb == grammar.MOVE and parse.to:
        return Move(
            unit, _reached_location(unit, parse.to, context), parse.via and unit.kind == "A"
        )
    if verb == grammar.RETREAT and parse.to:
        return Retreat(unit, _reached_location(unit, parse.to, context))
    assert parse.target is not None  # noqa: S101  # the grammar gives every other verb a target
    target = _helped_unit(parse.target, context, text)
    if verb == grammar.CONVOY and parse.to:
        return Convoy(unit, target, parse.to.at)
    if parse.to is None:
        return Support(unit, target)
    return Support(unit, target, parse.to.at if target.kind == "A" else parse.to.location)


def _meant_verb(parse: OrderParse, context: Context | None, text: str) -> str:
    """The verb in this phase: a bare unit is built or removed, a move is a retreat."""
    verb, phase = parse.verb, context.phase if context else None
    if verb == grammar.BARE:
        if context is None or phase != "A" or not context.owed:
            raise Unreadable("diplomacy_notation.no_verb", text=text)
        return grammar.BUILD if context.owed > 0 else grammar.DISBAND
    if verb == grammar.MOVE and phase == "R":
        return grammar.RETREAT
    return verb


def _ordered_unit(piece: WrittenPiece, context: Context | None, text: str) -> Unit:
    if context is None:
        return _unit_as_written(piece, text)
    if own := context.own_unit(piece.place.at):
        return own
    where = place_name(piece.place.at)
    power = power_name(context.power)
    for owner, _ in context.units_at(piece.place.at):
        if owner == context.power:
            raise Illegal("diplomacy_notation.not_dislodged", rule="D-RET-01", place=where)
        raise Illegal(
            "diplomacy_notation.not_yours",
            rule="D-ORD-07",
            place=where,
            owner=power_name(owner),
            power=power,
        )
    raise Illegal("diplomacy_notation.no_unit_there", rule="D-ORD-07", place=where, power=power)


def _helped_unit(piece: WrittenPiece, context: Context | None, text: str) -> Unit:
    """The unit that is supported or convoyed, of any power (D-ORD-03)."""
    for _, unit in context.units_at(piece.place.at) if context else ():
        return unit
    return _unit_as_written(piece, text)


def _unit_as_written(piece: WrittenPiece, text: str) -> Unit:
    """A unit from its text alone."""
    able = possible_units(piece)
    if len(able) > 1:
        raise Unreadable(
            "diplomacy_notation.unit_kind_missing",
            rule="D-ADJ-06",
            text=text,
            candidates=[written_unit(unit, "full") for unit in able],
        )
    return able[0]


def possible_units(piece: WrittenPiece) -> list[Unit]:
    """The units that `piece` can be: as written, or as the place allows (D-ADJ-06)."""
    province, coast = PROVINCES[piece.place.at], piece.place.coast
    if piece.kind == "A":
        return [Unit("A", province.code)]
    if piece.kind == "F" or coast or province.kind == "sea":
        return [Unit("F", piece.place.location)]
    return [
        Unit(kind, province.code)
        for kind in _UNIT_KINDS
        if kind == "A" or province.kind != "inland"
    ]


def _reached_location(unit: Unit, to: WrittenPlace, context: Context | None) -> str:
    """Where `unit` goes: armies know no coasts, fleets the one that they can reach."""
    if unit.kind == "A" or to.coast:
        return to.at if unit.kind == "A" else to.location
    open_ = context.retreats.get(unit, ()) if context and context.phase == "R" else unit_moves(unit)
    coasts = [place for place in open_ if place[:3] == to.at]
    return coasts[0] if context and len(coasts) == 1 else to.at


# Possible orders


def is_possible(order: Order, context: Context) -> bool:
    """Whether `order` could be valid for some orders of the others (D-ORD-07)."""
    phase = context.phase
    match order:
        case Hold() | Move() | Support() | Convoy():
            return phase == "M" and not context.is_illegal(order)
        case Retreat(unit, to):
            return phase == "R" and to in context.retreats.get(unit, ())
        case Disband():
            return phase == "R" or (phase == "A" and context.owed < 0)
        case Build(unit):
            due = phase == "A" and context.owed > 0
            return due and unit.province in context.sites and can_stand(unit)
        case Waive():
            return phase == "A"
