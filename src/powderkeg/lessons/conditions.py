"""Conditions on a view: the path of a value, and what it must be."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

COMPARISONS = ("equals", "differs", "has", "lacks", "least", "most")


@dataclass(frozen=True, slots=True)
class Condition:
    """``{path = "units.FRANCE", has = "A bur"}``: a value of the view, compared with another."""

    path: str
    comparison: str
    value: Any

    def holds(self, view: Mapping[str, Any]) -> bool:
        found = _value_at(view, self.path)
        match self.comparison:
            case "equals":
                return bool(found == self.value)
            case "differs":
                return bool(found != self.value)
            case "has":
                return _contains(found, self.value)
            case "lacks":
                return not _contains(found, self.value)
            case "least":
                return found is not None and bool(found >= self.value)
        return found is not None and bool(found <= self.value)


def read_condition(data: Mapping[str, Any]) -> Condition:
    path, *more = data.items()
    ((comparison, value),) = more
    if path[0] != "path" or comparison not in COMPARISONS:
        raise ValueError(f"not a condition: {dict(data)}")
    return Condition(path[1], comparison, value)


def _contains(found: Any, value: Any) -> bool:
    """Whether a list has a value; a table stands for anything that has its entries."""
    if isinstance(value, Mapping):
        return any(value.items() <= each.items() for each in found or ())
    return value in (found or ())


def _value_at(view: Any, path: str) -> Any:
    """The value at a path such as ``nations.uk.issues``; None if there is none."""
    for name in path.split("."):
        if isinstance(view, list) and name.isdecimal():
            view = view[int(name)] if int(name) < len(view) else None
        elif isinstance(view, Mapping):
            view = view.get(name)
        else:
            return None
    return view
