"""The card tool of a game: showing its cards, correcting them and sharing corrections.

A pack is nested tables, as in a TOML file; a value may come with a note on how certain it is.
A game whose cards can be corrected makes one `CardTool`, and `powderkeg cards` works with it.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from powderkeg.core.words import Msg

PackTables: TypeAlias = dict[str, Any]
FindingLevel: TypeAlias = Literal["wrong", "doubt", "note"]


@dataclass(frozen=True, slots=True)
class CardTool:
    """What a game provides so that its cards can be shown, checked and corrected.

    - `option`: the option of the game that holds the values which differ from the shipped pack.
    - `whole_tables`: the names of tables that count as one value, such as the happiness of an option.
    - `shipped_pack`: the pack that comes with the game, as a new copy.
    - `parse_option`: the pack that a value of the option stands for.
    - `format_option`: a pack as the option holds it. `Unreadable` says what cannot be played.
    - `card_titles`: the path and the title of every card in a pack.
    - `part_title`: the title of the part of a card at a path, if it has one of its own.
    - `check_pack`: everything that is wrong, doubtful or worth knowing about a pack.
    """

    option: str
    whole_tables: tuple[str, ...]
    shipped_pack: Callable[[], PackTables]
    parse_option: Callable[[str], PackTables]
    format_option: Callable[[PackTables], str]
    card_titles: Callable[[PackTables], dict[str, Msg]]
    part_title: Callable[[str], Msg | None]
    check_pack: Callable[[PackTables], Iterable[tuple[FindingLevel, Msg]]]
