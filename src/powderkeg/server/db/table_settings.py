"""The settings of a table, as its host chose them. Stored as JSON; frozen types everywhere else."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from functools import cache
from typing import Any, Literal, TypeVar

ClockKind = Literal["none", "bank", "turn"]
JoinPolicy = Literal["anyone", "link", "accounts"]
WatchPolicy = Literal["off", "on", "delayed"]
PressPolicy = Literal["all", "rulebook", "public", "none"]
DrawPolicy = Literal["survivors", "named", "none"]
VotePolicy = Literal["open", "secret"]
Part = TypeVar("Part")
RARE = ("copied_from", "exercise")  # stored only where they are set


@dataclass(frozen=True, slots=True)
class ClockSettings:
    """How long people may think: see `schemas.tables.ClockIn`."""

    kind: ClockKind = "none"
    bank: float = 0
    gain: float = 0
    length: float = 0
    at: str | None = None
    zone: str = "UTC"
    stages: Mapping[str, float] = field(default_factory=dict)
    rest: Sequence[int] = ()  # weekdays without deadlines; 0 is Monday


@dataclass(frozen=True, slots=True)
class MissedPolicy:
    """When a bot plays for a seat that misses deadlines: see `schemas.tables.MissedIn`."""

    grace: float = 0
    autopilot: int = 2
    open: int = 4
    level: str = ""


@dataclass(frozen=True, slots=True)
class TableSettings:
    """All settings of a table; the order of the fields is the order in which they are stored."""

    listed: bool = True
    join: JoinPolicy = "anyone"
    watch: WatchPolicy = "on"
    delay: float = 600
    anonymous: bool = False
    seating: Literal["choose", "draw"] = "choose"
    press: PressPolicy = "all"
    clock: ClockSettings = field(default_factory=ClockSettings)
    missed: MissedPolicy = field(default_factory=MissedPolicy)
    rated: bool = False
    fill: bool = True
    pausing: bool = True
    draws: DrawPolicy = "survivors"
    votes: VotePolicy = "open"
    copied_from: str | None = None  # the running game of which this table is a copy
    exercise: str | None = None  # the exercise that is done at this table


def load_settings(stored: Mapping[str, Any]) -> TableSettings:
    """Settings from JSON. A key that an older version did not write has its default."""
    parts = {
        "clock": _load_part(ClockSettings, stored.get("clock", {})),
        "missed": _load_part(MissedPolicy, stored.get("missed", {})),
    }
    return _load_part(TableSettings, {**stored, **parts})


def _load_part(kind: type[Part], stored: Mapping[str, Any]) -> Part:
    names = _part_names(kind)  # type: ignore[arg-type]  # types can be hashed
    return kind(**{name: value for name, value in stored.items() if name in names})


@cache
def _part_names(kind: Any) -> frozenset[str]:
    return frozenset(each.name for each in fields(kind))


def dump_settings(settings: TableSettings) -> dict[str, Any]:
    """The inverse of `load_settings`. Only copies have `copied_from`, only lessons `exercise`, and only
    clocks that rest have `rest`."""
    stored = _dump_part(settings)
    stored |= {"clock": _dump_part(settings.clock), "missed": _dump_part(settings.missed)}
    if not settings.clock.rest:
        del stored["clock"]["rest"]
    return {key: value for key, value in stored.items() if key not in RARE or value is not None}


def _dump_part(settings: TableSettings | ClockSettings | MissedPolicy) -> dict[str, Any]:
    return {each.name: getattr(settings, each.name) for each in fields(settings)}
