"""The card tool of a game: showing its cards, correcting them and sharing corrections.

A pack is nested tables, as in a TOML file; beside a value stands how certain it is.
A game whose cards can be corrected makes one `CardTool`, and `powderkeg cards` works with it.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal, TypeAlias, get_args

from powderkeg.core.words import Msg

PackTables: TypeAlias = dict[str, Any]
FindingLevel: TypeAlias = Literal["wrong", "doubt", "note"]

Certainty: TypeAlias = Literal["certain", "probable", "reconstructed"]
CERTAINTIES: Final = get_args(Certainty)
CERTAINTY_KEY: Final = "certainty"  # the name beside the values; never a value itself


def certainty_of(values: Mapping[str, Any], key: str) -> str:
    """How certain the value `key` of a table is; one word may stand for the whole table."""
    noted = values.get(CERTAINTY_KEY, {})
    return noted if isinstance(noted, str) else str(noted.get(key, ""))


def mark_value(text: Msg, *certainties: str) -> Msg:
    """`text` with the mark of the least certain of the values in it, if any needs a mark."""
    for doubt in ("reconstructed", "probable"):
        if doubt in certainties:
            return Msg(f"cards.marked.{doubt}", text=text)
    return text


@dataclass(frozen=True, slots=True)
class CardTool:
    """What a game provides so that its cards can be shown, checked and corrected.

    - `option`: the option of the game that holds the values which differ from the shipped pack.
    - `whole_tables`: the names of tables that count as one value, such as the happiness of an option.
    - `named`: the paths of cards and parts that have a name of their own; ``*`` is any one word.
    - `open_lists`: the paths of tables whose parts may be added and removed, each with an empty part.
    - `shipped_pack`: the pack that comes with the game, as a new copy.
    - `parse_option`: the pack that a value of the option stands for.
    - `format_option`: a pack as the option holds it. `Unreadable` says what cannot be played.
    - `card_titles`: the path and the title of every card in a pack.
    - `part_title`: the title of the part of a card at a path of a pack, if it has one of its own.
    - `card_preview`: a card of a pack as the board draws it, and its sentences; empty for a card
      that no board draws.
    - `value_choices`: the words that a value at a path is chosen from, with their names: of a text
      one, of a list several, of a table the keys, which have numbers. Empty if it is typed.
    - `mark_names`: a message with a mark behind the names of cards that are not certain, for a value
      of the option.
    - `check_pack`: everything that is wrong, doubtful or worth knowing about a pack.
    """

    option: str
    whole_tables: tuple[str, ...]
    named: tuple[str, ...]
    open_lists: Mapping[str, PackTables]
    shipped_pack: Callable[[], PackTables]
    parse_option: Callable[[str], PackTables]
    format_option: Callable[[PackTables], str]
    card_titles: Callable[[PackTables], dict[str, Msg]]
    part_title: Callable[[PackTables, str], Msg | None]
    card_preview: Callable[[PackTables, str], tuple[dict[str, Any], dict[str, Msg]]]
    value_choices: Callable[[str], Mapping[str, Msg]]
    mark_names: Callable[[str, Msg], Msg]
    check_pack: Callable[[PackTables], Iterable[tuple[FindingLevel, Msg]]]
