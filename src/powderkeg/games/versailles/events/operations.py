"""The operations of events: a small set of which the texts of all 92 halves are made.

The data files write them as ``{ do = "unrest", region = "pacific", n = 2 }``; `parse_effects`
makes the values below; `effects.py` carries them out. `you` is the nation that decides the event
(V-EVENT-02); the *subject* is the nation it happens to: you, unless a player was chosen or each player takes a turn.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, fields
from typing import Any, Literal, TypeAlias, get_args

from powderkeg.core.errors import Unreadable
from powderkeg.games.versailles.board import CATEGORIES, COUNTERS, REGIONS

Recipients: TypeAlias = Literal["subject", "controller", "each", "lowest_happiness", "most_issues"]


@dataclass(frozen=True, slots=True)
class Check:
    """Uprising check (V-UPR). `calm` follows if nothing rises, `kept` if no issue is unsettled;
    with `per`, you choose the sign of a modifier of one for each such counter."""

    region: str  # a region, "highest" or "settled"
    modifier: int = 0
    per: str = ""
    calm: "tuple[Effect, ...]" = ()
    kept: "tuple[Effect, ...]" = ()


@dataclass(frozen=True, slots=True)
class Unrest:
    region: str  # a region, "random", "settled", "gained", "checked" or "chosen"
    n: int
    per: str = ""  # for each such counter on settled issues (V-EVENT-15)


@dataclass(frozen=True, slots=True)
class Keg:
    region: str  # a region, "random" or "any" (you choose)
    n: int


@dataclass(frozen=True, slots=True)
class Pay:
    """A cost: without all of it the effect is not open (V-EVENT-09)."""

    n: int


@dataclass(frozen=True, slots=True)
class Exhaust:
    """A loss: as much as there is (V-EVENT-09)."""

    n: int
    who: Recipients = "subject"


@dataclass(frozen=True, slots=True)
class Recover:
    n: int
    who: Recipients = "subject"
    per: str = ""


@dataclass(frozen=True, slots=True)
class Happiness:
    n: int
    who: Recipients = "subject"
    per_unit: bool = False  # for each deployed unit


@dataclass(frozen=True, slots=True)
class ChoosePlayer:
    """You choose a player, perhaps regions too; then that player is the subject (V-EVENT-11)."""

    then: "tuple[Effect, ...]"
    regions: int = 0


@dataclass(frozen=True, slots=True)
class Either:
    """The subject picks one branch."""

    branches: "tuple[tuple[Effect, ...], ...]"


@dataclass(frozen=True, slots=True)
class Each:
    """Each player is the subject in turn: you first, or you last (V-EVENT-12)."""

    then: "tuple[Effect, ...]"
    first: bool = False


@dataclass(frozen=True, slots=True)
class Withdraw:
    """One deployed unit of the subject becomes exhausted; or everyone's, all of them."""

    everyone: bool = False


@dataclass(frozen=True, slots=True)
class Rally:
    """The subject may take one deployed or exhausted unit back to available."""


@dataclass(frozen=True, slots=True)
class Demobilise:
    pass


@dataclass(frozen=True, slots=True)
class Deploy:
    pass


@dataclass(frozen=True, slots=True)
class Unsettle:
    """You choose a settled issue of these categories; it is bid for again (V-EVENT-18)."""

    categories: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Clear:
    """All cubes on one issue of the waiting room go home (V-EVENT-22)."""


@dataclass(frozen=True, slots=True)
class Unless:
    """Unless such a counter lies on a settled issue of the region."""

    counter: str
    region: str
    then: "tuple[Effect, ...]"


Effect: TypeAlias = (
    Check
    | Unrest
    | Keg
    | Pay
    | Exhaust
    | Recover
    | Happiness
    | ChoosePlayer
    | Either
    | Each
    | Withdraw
    | Rally
    | Demobilise
    | Deploy
    | Unsettle
    | Clear
    | Unless
)

OPERATIONS: dict[str, type[Effect]] = {
    "check": Check,
    "unrest": Unrest,
    "keg": Keg,
    "pay": Pay,
    "exhaust": Exhaust,
    "recover": Recover,
    "happiness": Happiness,
    "choose_player": ChoosePlayer,
    "either": Either,
    "each": Each,
    "withdraw": Withdraw,
    "rally": Rally,
    "demobilise": Demobilise,
    "deploy": Deploy,
    "unsettle": Unsettle,
    "clear": Clear,
    "unless": Unless,
}

OPERATION_NAMES = {kind: name for name, kind in OPERATIONS.items()}
BRANCHES = 2  # of an alternative

_SOMEWHERE = ("highest", "settled", "random", "any", "gained", "checked", "chosen")
_TAKES: dict[str, tuple[type, tuple[str, ...] | None]] = {  # field: type, and its words
    "region": (str, (*REGIONS, *_SOMEWHERE)),
    "category": (str, CATEGORIES),
    "who": (str, get_args(Recipients)),
    "per": (str, ("", *COUNTERS)),
    "counter": (str, COUNTERS),
    "n": (int, None),
    "modifier": (int, None),
    "regions": (int, None),
    "first": (bool, None),
    "everyone": (bool, None),
    "per_unit": (bool, None),
}


def parse_effects(data: Any, where: str) -> tuple[Effect, ...]:
    """The effects written in a data file; there is at least one."""
    if not isinstance(data, list) or not data:
        raise Unreadable("versailles.pack_incomplete", where=where)
    return tuple(_parse_effect(entry, f"{where}/{i}") for i, entry in enumerate(data))


def _parse_effect(entry: Any, where: str) -> Effect:
    if not isinstance(entry, dict) or not isinstance(entry.get("do"), str):
        raise Unreadable("versailles.pack_incomplete", where=where)
    kind = OPERATIONS.get(entry["do"])
    if kind is None:
        raise Unreadable("versailles.pack_operation", where=where, got=entry["do"])
    known = {field.name for field in fields(kind)}
    given = {key: _field_value(key, value, where) for key, value in entry.items() if key != "do"}
    if given.keys() - known:
        raise Unreadable("versailles.pack_unknown", where=where, got=min(given.keys() - known))
    try:
        return kind(**given)
    except TypeError:
        raise Unreadable("versailles.pack_incomplete", where=where) from None


def _field_value(key: str, value: Any, where: str) -> Any:
    """The value of a field, of the kind and out of the words that the field takes."""
    if key in ("then", "calm", "kept"):
        return parse_effects(value, f"{where}/{key}")
    if key == "branches":
        if not isinstance(value, list) or len(value) != BRANCHES:
            raise Unreadable("versailles.pack_incomplete", where=f"{where}/{key}")
        return tuple(parse_effects(branch, f"{where}/{i}") for i, branch in enumerate(value))
    if key == "categories" and isinstance(value, list):
        return tuple(_field_value("category", name, where) for name in value)
    kind, words = _TAKES.get(key, (object, None))
    if type(value) is not kind and kind is not object:
        raise Unreadable("versailles.pack_unknown", where=f"{where}/{key}", got=str(value))
    if words is not None and value not in words:
        raise Unreadable("versailles.pack_unknown", where=f"{where}/{key}", got=str(value))
    return value


def has_choice(effects: tuple[Effect, ...]) -> bool:
    """Whether somebody has something to choose while these effects are carried out."""
    return any(map(_leaves_choice, effects))


def _leaves_choice(effect: Effect) -> bool:
    match effect:
        case ChoosePlayer() | Either() | Rally() | Demobilise() | Deploy() | Unsettle() | Clear():
            return True
        case Keg(region):
            return region == "any"
        case Withdraw(everyone):
            return not everyone
        case Check(per=per, calm=calm, kept=kept):
            return bool(per) or has_choice((*calm, *kept))
        case Each(then) | Unless(then=then):
            return has_choice(then)
    return False


def dump_effects(effects: tuple[Effect, ...]) -> list[dict[str, Any]]:
    """The inverse of `parse_effects`, for views."""
    return [_dump_effect(effect) for effect in effects]


def _dump_effect(effect: Effect) -> dict[str, Any]:
    out: dict[str, Any] = {"do": OPERATION_NAMES[type(effect)]}
    for field in fields(effect):
        value = getattr(effect, field.name)
        if value == field.default:
            continue
        if field.name in ("then", "calm", "kept"):
            value = dump_effects(value)
        elif field.name == "branches":
            value = [dump_effects(branch) for branch in value]
        out[field.name] = list(value) if isinstance(value, tuple) else value
    return out


def nested_effects(effects: Iterable[Effect]) -> Iterator[Effect]:
    """Effects, and those inside of them that somebody chosen carries out."""
    for effect in effects:
        yield effect
        if isinstance(effect, ChoosePlayer | Each):
            yield from nested_effects(effect.then)


def either_of(effects: Iterable[Effect]) -> Iterator[Either]:
    """The choices between branches among effects."""
    return (effect for effect in nested_effects(effects) if isinstance(effect, Either))
