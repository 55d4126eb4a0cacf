"""The options of a game: what forms, lists and checks need to know about each of them."""

from collections.abc import Mapping
from dataclasses import fields
from typing import (
    Annotated,
    Any,
    Literal,
    NamedTuple,
    Protocol,
    TypeVar,
    get_args,
    get_origin,
    get_type_hints,
    runtime_checkable,
)

from powderkeg.core.errors import Unreadable
from powderkeg.core.game import Game
from powderkeg.core.plain import PLAYERS, Between, load
from powderkeg.core.words import Arg, Msg, has_words

T = TypeVar("T")


@runtime_checkable
class ChecksNew(Protocol):
    """Options that refuse some values in new games only."""

    def check_new(self) -> None:
        """Raise `Unreadable` for a value with which no new game may begin."""


class OptionField(NamedTuple):
    """One option, as a form shows it.

    With `start`, 0 means *off*, and 1 to `start` - 1 are not allowed. `players` are the numbers of
    players with which it matters; empty: all.
    """

    name: str
    kind: Literal["bool", "int", "choice", "text"]
    default: Any
    choices: tuple[Any, ...] = ()
    least: int = 0
    most: int = 0
    start: int = 0
    players: tuple[int, ...] = ()


def option_fields(kind: type) -> tuple[OptionField, ...]:
    """The fields of an options class."""
    hints = get_type_hints(kind, include_extras=True)
    return tuple(
        _option_field(f.name, hints[f.name], f.default)._replace(
            players=f.metadata.get(PLAYERS, ())
        )
        for f in fields(kind)
    )


def _option_field(name: str, hint: Any, default: Any) -> OptionField:
    origin = get_origin(hint)
    if origin is Literal:
        return OptionField(name, "choice", default, get_args(hint))
    if origin is Annotated and isinstance(bounds := get_args(hint)[1], Between):
        return OptionField(name, "int", default, (), bounds.least, bounds.most, bounds.start)
    return OptionField(name, "bool" if hint is bool else "text", default)


def load_options(kind: type[T], data: Mapping[str, Any]) -> T:
    """The options of a new game; values that make no sense are refused, also those that the options
    themselves refuse in `check_new`. Stored games are loaded with `plain.load`, which accepts them
    all: they were already played.
    """
    options = load(kind, dict(data))
    for field in option_fields(kind):
        value = getattr(options, field.name)
        if field.start and 0 < value < field.start:
            wanted = allowed_values(field)
            raise Unreadable(
                "core.bad_value", where=f"/{field.name}", wanted=wanted, got=repr(value)
            )
    if isinstance(options, ChecksNew):
        options.check_new()
    return options


def allowed_values(field: OptionField) -> Msg:
    """The values that an option accepts, as a person types them."""
    match field:
        case OptionField(kind="choice", choices=choices):
            return Msg("core.wanted.one_of", choices=", ".join(map(str, choices)))
        case OptionField(kind="int", start=0, least=least, most=most):
            return Msg("core.wanted.between", least=least, most=most)
        case OptionField(kind="int", start=start, most=most):
            return Msg("core.wanted.zero_or", least=start, most=most)
    return Msg(f"core.wanted.{'bool' if field.kind == 'bool' else 'str'}")


def option_label(game: Game, field: OptionField, lang: str) -> Arg:
    """The label of an option; its name if the game's catalogue has no words for it."""
    code = f"{game.name}.option.{field.name}"
    return Msg(code) if has_words(code, lang) else field.name.replace("_", " ")


def option_hint(game: Game, field: OptionField, lang: str) -> Arg:
    """What an option does, in a sentence; empty if its label says enough."""
    code = f"{game.name}.option.{field.name}.hint"
    return Msg(code) if has_words(code, lang) else ""


def choice_label(game: Game, field: OptionField, choice: Any, lang: str) -> Arg:
    """The label of a choice; the choice itself if the game's catalogue has no words for it."""
    code = f"{game.name}.option.{field.name}.{choice}"
    return Msg(code) if has_words(code, lang) else str(choice)
