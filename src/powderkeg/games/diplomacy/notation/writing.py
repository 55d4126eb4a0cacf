"""Writing orders as is customary in English, Spanish and Italian: short, or in full."""

from typing import Literal, TypeAlias

from powderkeg.core.words import Arg, Msg, say
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
from powderkeg.games.diplomacy.board import Unit
from powderkeg.games.diplomacy.rules.outcomes import Outcome
from powderkeg.games.diplomacy.words import place_name, reason_name

Form: TypeAlias = Literal["short", "full"]
FORMS: tuple[Form, Form] = ("short", "full")


def write(order: Order, lang: str = "en", form: Form = "short") -> str:
    """`order` as it is customarily written in `lang`: short ``A Par-Bur``, or in full."""
    return say(order_msg(order, form), lang)


def unit_msg(unit: Unit, form: Form = "short") -> Msg:
    kind = Msg(f"diplomacy_notation.kind.{unit.kind}.{form}")
    return Msg(f"diplomacy_notation.unit.{form}", kind=kind, at=_at(unit.at, form))


def order_msg(order: Order, form: Form = "short") -> Msg:
    """`order` as a message, for the reader's language to be chosen later."""
    match order:
        case Waive(at):
            return _written("waive_at", form, at=_at(at, form)) if at else _written("waive", form)
        case Support(unit, target, to):
            if to is None:
                return _written("support_hold", form, unit, target=unit_msg(target, form))
            help_ = unit_msg(target, form)
            return _written("support_move", form, unit, target=help_, to=_at(to, form))
        case Convoy(unit, army, to):
            return _written("convoy", form, unit, army=unit_msg(army, form), to=_at(to, form))
        case Move(unit, to, via):
            return _written("move_via" if via else "move", form, unit, to=_at(to, form))
        case Retreat(unit, to):
            return _written("retreat", form, unit, to=_at(to, form))
        case Hold(unit) | Disband(unit) | Build(unit):
            return _written(type(order).__name__.lower(), form, unit)


def reason_msg(outcome: Outcome) -> Msg:
    """What became of an order and why, with all orders as they are written."""
    return reason_name(outcome, order_msg)


def _written(verb: str, form: Form, unit: Unit | None = None, **args: Arg) -> Msg:
    if unit:
        args["unit"] = unit_msg(unit, form)
    return Msg(f"diplomacy_notation.order.{verb}.{form}", **args)


def _at(location: str, form: Form) -> Msg:
    return place_name(location, short=form == "short")
