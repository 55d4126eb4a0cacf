"""Orders in the customary notation of English, Spanish and Italian, short or in full."""

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

OrderForm: TypeAlias = Literal["short", "full"]
FORMS: tuple[OrderForm, OrderForm] = ("short", "full")


def write_order(order: Order, lang: str = "en", form: OrderForm = "short") -> str:
    """`order` as it is customarily written in `lang`: short ``A Par-Bur``, or in full."""
    return say(written_order(order, form), lang)


def written_unit(unit: Unit, form: OrderForm = "short") -> Msg:
    kind = Msg(f"diplomacy_notation.kind.{unit.kind}.{form}")
    return Msg(f"diplomacy_notation.unit.{form}", kind=kind, at=_written_place(unit.at, form))


def written_order(order: Order, form: OrderForm = "short") -> Msg:
    """`order` as a message, for the reader's language to be chosen later."""
    match order:
        case Waive(at):
            return (
                _order_message("waive_at", form, at=_written_place(at, form))
                if at
                else _order_message("waive", form)
            )
        case Support(unit, target, to):
            if to is None:
                return _order_message("support_hold", form, unit, target=written_unit(target, form))
            help_ = written_unit(target, form)
            return _order_message(
                "support_move", form, unit, target=help_, to=_written_place(to, form)
            )
        case Convoy(unit, army, to):
            return _order_message(
                "convoy", form, unit, army=written_unit(army, form), to=_written_place(to, form)
            )
        case Move(unit, to, via):
            return _order_message(
                "move_via" if via else "move", form, unit, to=_written_place(to, form)
            )
        case Retreat(unit, to):
            return _order_message("retreat", form, unit, to=_written_place(to, form))
        case Hold(unit) | Disband(unit) | Build(unit):
            return _order_message(type(order).__name__.lower(), form, unit)


def written_reason(outcome: Outcome) -> Msg:
    """The reason for an outcome, with all orders and units in customary notation."""
    return reason_name(outcome, written_order, written_unit)


def _order_message(verb: str, form: OrderForm, unit: Unit | None = None, **args: Arg) -> Msg:
    if unit:
        args["unit"] = written_unit(unit, form)
    return Msg(f"diplomacy_notation.order.{verb}.{form}", **args)


def _written_place(location: str, form: OrderForm) -> Msg:
    return place_name(location, short=form == "short")
