"""Orders as people type them.

A game reads typed text with its own `read(view, text, lang)`. A game whose wire notation is
already what people type makes one from its parser: ``read = wire_reader(parse)``.
"""

from collections.abc import Callable
from typing import Any, Protocol, TypeAlias

from powderkeg.core.errors import RulesError

TypedOrder: TypeAlias = tuple[str, Any | RulesError]
"""One piece of a text, and the action that it means or the reason why it cannot be read."""


class TypedReader(Protocol):
    """The type of a game's `read`."""

    def __call__(
        self, view: dict[str, Any], text: str, lang: str | None = None
    ) -> list[TypedOrder]: ...


def wire_reader(parse: Callable[[str], Any]) -> TypedReader:
    """A `read` for games without a language of their own: one action in wire notation per line."""

    def read(view: dict[str, Any], text: str, lang: str | None = None) -> list[TypedOrder]:
        lines = [line.strip() for line in text.splitlines()]
        return [(line, _parse_line(parse, line)) for line in lines if line]

    return read


def _parse_line(parse: Callable[[str], Any], line: str) -> Any | RulesError:
    try:
        return parse(line)
    except RulesError as error:
        return error
