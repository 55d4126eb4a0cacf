"""Values to JSON and back, driven by their type hints.

For states, options and snapshots: frozen dataclasses and named tuples of plain fields, tuples,
frozensets, dicts, enums, literals and unions. In a union, ``"is"`` names the dataclass.
Loading validates: options typed into a form and snapshots read from disk go through the same
validation.
"""

import types
from collections.abc import Callable, Hashable, Mapping
from dataclasses import MISSING, dataclass, field, fields, is_dataclass
from enum import Enum
from functools import cache
from typing import (
    Annotated,
    Any,
    Literal,
    NamedTuple,
    TypeVar,
    Union,
    get_args,
    get_origin,
    get_type_hints,
)

from powderkeg.core.errors import Unreadable
from powderkeg.core.words import Msg

T = TypeVar("T")


PLAYERS = "players"  # the key of a field's metadata: with how many players it matters


def for_players(*players: int, default: T) -> T:
    """A field of an options class that matters only with these numbers of players."""
    return field(default=default, metadata={PLAYERS: players})


@dataclass(frozen=True, slots=True)
class Between:
    """Bounds of a whole number: ``Annotated[int, Between(0, 5)]``.

    With `start`, an option is off at 0 and makes no sense from 1 to `start` - 1 (`core.options`).
    """

    least: int
    most: int
    start: int = 0


class _Codec(NamedTuple):
    dump: Callable[[Any], Any]
    load: Callable[[Any, str], Any]
    fits: Callable[[Any], bool]  # whether a Python value has this type, to dump unions
    tag: str = ""  # the name of this type in a union


def dump(value: Any, kind: Any = None) -> Any:
    """`value` as JSON data; `kind` is its declared type where that is not just its class."""
    return _codec_of(kind or type(value)).dump(value)


def load(kind: type[T], data: Any) -> T:
    """The value of type `kind` that `data` describes, or `Unreadable` with the place at fault."""
    return _codec_of(kind).load(data, "")  # type: ignore[no-any-return]  # made from kind


@cache
def _cached_codec(kind: Hashable) -> _Codec:
    return _build_codec(kind)


def _codec_of(kind: Any) -> _Codec:
    return _cached_codec(kind)


def _build_codec(kind: Any) -> _Codec:
    origin, args = get_origin(kind), get_args(kind)
    if origin is Annotated:
        return _bounded_codec(args[0], args[1])
    if origin is Literal:
        return _checked_codec(
            lambda v: v in args and type(v) in {type(a) for a in args}, _wanted_choice(args)
        )
    if kind is None or kind is types.NoneType:
        return _checked_codec(lambda v: v is None, _WANTED["nothing"])
    if kind in (int, str, bool):
        return _checked_codec(lambda v: type(v) is kind, _WANTED[kind.__name__])
    if kind is float:
        return _checked_codec(lambda v: type(v) in (int, float), _WANTED["number"])
    if kind is Any or kind is object:
        return _checked_codec(lambda v: True, "")
    if origin in (Union, types.UnionType):
        return _union_codec([_codec_of(arg) for arg in args])
    if origin is tuple:
        return _list_codec(tuple, _codec_of(args[0])) if args[1:] == (...,) else _tuple_codec(args)
    if origin is frozenset:
        return _list_codec(frozenset, _codec_of(args[0]))
    if origin in (dict, Mapping):
        return _dict_codec(*map(_codec_of, args))
    if isinstance(kind, type) and issubclass(kind, Enum):
        return _enum_codec(kind)
    return _record_codec(kind)


_WANTED = {
    name: Msg(f"core.wanted.{name}")
    for name in ("nothing", "int", "str", "bool", "number", "list", "object", "several")
}


def _wanted_choice(choices: tuple[Any, ...]) -> Msg:
    return Msg("core.wanted.one_of", choices=", ".join(map(str, choices)))


def _bad_value(where: str, wanted: str | Msg, value: Any) -> Unreadable:
    return Unreadable("core.bad_value", where=where or "/", wanted=wanted, got=repr(value)[:60])


def _checked_codec(fits: Callable[[Any], bool], name: str | Msg) -> _Codec:
    def load(data: Any, where: str) -> Any:
        if not fits(data):
            raise _bad_value(where, name, data)
        return data

    return _Codec(lambda v: v, load, fits)


def _bounded_codec(kind: Any, bounds: Any) -> _Codec:
    inner = _codec_of(kind)

    def load(data: Any, where: str) -> Any:
        value = inner.load(data, where)
        if not bounds.least <= value <= bounds.most:
            raise _bad_value(
                where, Msg("core.wanted.between", least=bounds.least, most=bounds.most), data
            )
        return value

    return inner._replace(load=load)


def _enum_codec(kind: type[Enum]) -> _Codec:
    def load(data: Any, where: str) -> Any:
        try:
            return kind(data)
        except ValueError:
            raise _bad_value(where, _wanted_choice(tuple(m.value for m in kind)), data) from None

    return _Codec(lambda v: v.value, load, lambda v: isinstance(v, kind))


def _list_codec(kind: type, item: _Codec) -> _Codec:
    def dump(value: Any) -> Any:
        dumped = [item.dump(v) for v in value]
        return sorted(dumped, key=repr) if kind is frozenset else dumped

    def load(data: Any, where: str) -> Any:
        if not isinstance(data, list):
            raise _bad_value(where, _WANTED["list"], data)
        return kind(item.load(d, f"{where}/{i}") for i, d in enumerate(data))

    return _Codec(dump, load, lambda v: isinstance(v, kind))


def _tuple_codec(args: tuple[Any, ...]) -> _Codec:
    items = [_codec_of(arg) for arg in args]

    def load(data: Any, where: str) -> Any:
        if not isinstance(data, list) or len(data) != len(items):
            raise _bad_value(where, Msg("core.wanted.list_of", n=len(items)), data)
        return tuple(c.load(d, f"{where}/{i}") for i, (c, d) in enumerate(zip(items, data)))  # noqa: B905  # lengths were compared

    return _Codec(
        lambda value: [c.dump(v) for c, v in zip(items, value, strict=True)],
        load,
        lambda v: isinstance(v, tuple),
    )


def _dict_codec(key: _Codec, item: _Codec) -> _Codec:
    """Text keys make an object; other keys make a list of pairs."""

    def dump(value: Any) -> Any:
        pairs = [(key.dump(k), item.dump(v)) for k, v in value.items()]
        if all(isinstance(k, str) for k, _ in pairs):
            return dict(pairs)
        return [list(pair) for pair in pairs]

    def load(data: Any, where: str) -> Any:
        if isinstance(data, dict):
            data = list(data.items())
        if not isinstance(data, list) or not all(len(pair) == 2 for pair in data):
            raise _bad_value(where, _WANTED["object"], data)
        return {key.load(k, f"{where}/{k}"): item.load(v, f"{where}/{k}") for k, v in data}

    return _Codec(dump, load, lambda v: isinstance(v, Mapping))


def _union_codec(codecs: list[_Codec]) -> _Codec:
    tagged = {codec.tag: codec for codec in codecs if codec.tag}

    def dump(value: Any) -> Any:
        codec = next(c for c in codecs if c.fits(value))
        dumped = codec.dump(value)
        return {"is": codec.tag, **dumped} if codec.tag and len(tagged) > 1 else dumped

    def load(data: Any, where: str) -> Any:
        if isinstance(data, dict) and data.get("is") in tagged:
            rest = {k: v for k, v in data.items() if k != "is"}
            return tagged[data["is"]].load(rest, where)
        for codec in codecs:
            try:
                return codec.load(data, where)
            except Unreadable:
                continue
        raise _bad_value(
            where, _wanted_choice(tuple(tagged)) if tagged else _WANTED["several"], data
        )

    return _Codec(dump, load, lambda v: any(c.fits(v) for c in codecs))


def _record_codec(kind: Any) -> _Codec:
    """A frozen dataclass or named tuple, as an object of its fields."""
    hints = get_type_hints(kind, include_extras=True)
    if is_dataclass(kind):
        needed = {f.name for f in fields(kind) if f.default is f.default_factory is MISSING}
    elif hasattr(kind, "_field_defaults"):
        needed = set(kind._fields) - set(kind._field_defaults)
    else:
        raise TypeError(f"{kind} cannot be stored as JSON")
    codecs: dict[str, _Codec] = {}  # filled at first use, so that a type may contain itself

    def parts() -> dict[str, _Codec]:
        if not codecs:
            codecs.update({name: _codec_of(hint) for name, hint in hints.items()})
        return codecs

    def dump(value: Any) -> Any:
        return {name: codec.dump(getattr(value, name)) for name, codec in parts().items()}

    def load(data: Any, where: str) -> Any:
        if not isinstance(data, dict):
            raise _bad_value(where, _WANTED["object"], data)
        if strange := data.keys() - hints.keys():
            known = ", ".join(hints)
            raise Unreadable("core.unknown_field", where=f"{where}/{min(strange)}", known=known)
        if missing := needed - data.keys():
            raise Unreadable("core.missing_field", where=f"{where}/{min(missing)}")
        return kind(**{k: parts()[k].load(v, f"{where}/{k}") for k, v in data.items()})

    return _Codec(dump, load, lambda v: type(v) is kind, kind.__name__)
