"""Card packs in words: checked, edited value by value, compared with the shipped pack."""

import re
import unicodedata
from collections import Counter
from functools import lru_cache
from typing import Any, Final, Literal

from powderkeg import games
from powderkeg.core.cards import CardTool, PackTables
from powderkeg.core.cards.packs import (
    NAME_KEY,
    PackChange,
    PackValue,
    add_part,
    blank_part,
    find_part,
    find_path,
    folder_of,
    list_changes,
    note_certainty,
    pack_differences,
    pack_values,
    parse_value,
    put_value,
    read_pack_text,
    remove_part,
    spoken_value,
    table_at,
    title_at,
    toml_text,
    typed_text,
)
from powderkeg.core.errors import Unreadable
from powderkeg.core.words import Msg, has_words, say
from powderkeg.server.refusals import Refused
from powderkeg.server.schemas.cards import (
    CardChoiceOut,
    CardLineOut,
    CardOut,
    CardPartOut,
    CardValueOut,
    PackChangeOut,
    PackEditIn,
    PackFindingOut,
    PackIn,
    PackSheetOut,
    TablePackOut,
)
from powderkeg.server.schemas.games import DeckOut


def need_card_tool(game: str) -> CardTool:
    tool = games.find_card_tool(game)
    if tool is None:
        raise Refused(404, "no_cards", game=game)
    return tool


# How certain the shipped cards are


@lru_cache
def count_deck(game: str) -> DeckOut | None:
    """How many values of a game's cards are certain; None if it has no cards to correct."""
    tool = games.find_card_tool(game)
    if tool is None:
        return None
    sures = Counter(value.sure for value in pack_values(tool.shipped_pack(), tool))
    return DeckOut(
        option=tool.option,
        values=sures.total(),
        reconstructed=sures["reconstructed"],
        probable=sures["probable"],
    )


# Editing


def make_sheet(game: str, wish: PackIn, lang: str) -> PackSheetOut:
    """The pack with its changes, checked. Refuses what cannot be played."""
    tool = need_card_tool(game)
    tables = read_pack_text(tool, wish.text)
    for edit in wish.edits:
        edit_pack(tables, tool, edit)
    line = tool.format_option(tables)
    shipped = tool.shipped_pack()
    changes = list_changes(shipped, tables, tool)
    own = pack_differences(shipped, tables, tool)
    return PackSheetOut(
        name=_pack_name(tables),
        line=line,
        toml=toml_text(own, say(Msg("cards.heading", game=game), lang)),
        cards=_list_cards(tables, tool, changes, lang),
        card=_present_card(tables, tool, wish.card, changes, lang) if wish.card else None,
        changes=[_present_change(tables, tool, change, lang) for change in changes],
        findings=[
            PackFindingOut(level=level, text=say(msg, lang))
            for level, msg in tool.check_pack(tables)
        ],
    )


def edit_pack(tables: PackTables, tool: CardTool, edit: PackEditIn) -> None:
    """Carry out one change."""
    match edit.do:
        case "name":
            tables[NAME_KEY] = edit.text.strip()
        case "add":
            path = find_part(tables, tool, f"{edit.path}.{part_id(edit.text)}")
            add_part(tables, tool, path, edit.sure)
            put_value(tables, f"{path}.{NAME_KEY}", edit.text.strip(), edit.sure)
        case "remove":
            remove_part(tables, _known_part(tables, tool, edit.path))
        case "reset":
            _reset_value(tables, tool, edit.path)
        case "sure":
            note_certainty(tables, find_path(tables, tool, edit.path), edit.sure)
        case "set":
            path = find_path(tables, tool, edit.path)
            folder, last = folder_of(tables, path)
            put_value(tables, path, parse_value(edit.text, folder.get(last, "")), edit.sure)


def part_id(name: str) -> str:
    """An id for a new part from its name: *Free City* is ``free_city``."""
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    words = re.sub(r"[^a-z0-9]+", "_", plain).strip("_")[:30]
    return words if words[:1].isalpha() else f"option_{words}".rstrip("_")


def _known_part(tables: PackTables, tool: CardTool, path: str) -> str:
    if blank_part(tool, path) is None or _is_missing(tables, path):
        raise Unreadable("cards.no_part", name=path)
    return path


def _is_missing(tables: PackTables, path: str) -> bool:
    try:
        table_at(tables, path)
    except (KeyError, TypeError):
        return True
    return False


def _reset_value(tables: PackTables, tool: CardTool, path: str) -> None:
    """The value and its certainty as they are shipped; a part as a whole."""
    shipped = tool.shipped_pack()
    if blank_part(tool, path) is not None and not _is_missing(shipped, path):
        folder, last = folder_of(tables, path)
        folder[last] = table_at(shipped, path)
        return
    found = {value.path: value for value in pack_values(shipped, tool)}
    path = find_path(tables, tool, path)
    if path not in found:
        raise Unreadable("cards.no_value", name=path, near=next(iter(found)))
    put_value(tables, path, found[path].value, found[path].sure or "certain")
    if path.endswith(f".{NAME_KEY}") and not found[path].value:
        folder, last = folder_of(tables, path)
        del folder[last]


# Presenting


def _list_cards(
    tables: PackTables, tool: CardTool, changes: list[PackChange], lang: str
) -> list[CardLineOut]:
    found = []
    for path, title in tool.card_titles(tables).items():
        sures = Counter(v.sure for v in pack_values(table_at(tables, path), tool, path))
        group = tool.part_title(tables, path.partition(".")[0]) if "." in path else None
        line = CardLineOut(
            path=path,
            title=say(title, lang),
            group=say(group, lang) if group else "",
            reconstructed=sures["reconstructed"],
            probable=sures["probable"],
            changed=any(_is_below(change.path, path) for change in changes),
        )
        found.append(line)
    return found


def _is_below(path: str, card: str) -> bool:
    return path.startswith(f"{card}.")


def _present_card(
    tables: PackTables, tool: CardTool, card: str, changes: list[PackChange], lang: str
) -> CardOut:
    titles = tool.card_titles(tables)
    if card not in titles:
        raise Unreadable("cards.no_card", card=card)
    parts: dict[str, list[PackValue]] = {}
    for value in pack_values(table_at(tables, card), tool, card):
        parts.setdefault(value.path.rpartition(".")[0], []).append(value)
    changed = {change.path for change in changes}
    view, captions = tool.card_preview(tables, card)
    return CardOut(
        path=card,
        title=say(titles[card], lang),
        parts=[
            CardPartOut(
                path=part,
                title=_part_label(tables, tool, card, part, lang),
                removable=blank_part(tool, part) is not None,
                values=[_present_value(tables, tool, value, changed, lang) for value in values],
            )
            for part, values in parts.items()
        ],
        may_add=any(blank_part(tool, part) is not None for part in parts),
        view=view,
        captions={about: say(msg, lang) for about, msg in captions.items()},
    )


def _part_label(tables: PackTables, tool: CardTool, card: str, part: str, lang: str) -> str:
    if part == card:
        return say(tool.card_titles(tables)[card], lang)
    title = tool.part_title(tables, part)
    return say(title, lang) if title else _value_label(part, lang)


def _value_label(path: str, lang: str) -> str:
    """The label of a value: at this place, by its name anywhere, or by its number."""
    part, _, key = path.rpartition(".")
    for code in (f"cards.value.{path}", f"cards.value.{key}", f"cards.value.{part}.n"):
        if has_words(code, lang):
            return say(Msg(code, n=key), lang)
    return key.replace("_", " ")


ValueKind = Literal["bool", "int", "text", "long", "choice", "several", "numbers"]
_TYPED: Final[dict[type, ValueKind]] = {bool: "bool", int: "int"}
_CHOSEN: Final[dict[type, ValueKind]] = {str: "choice", list: "several", dict: "numbers"}


def _value_kind(value: Any, chosen: bool) -> ValueKind:  # noqa: FBT001  # called once
    if isinstance(value, list) and any(isinstance(part, dict) for part in value):
        return "long"  # the effects of an event
    return (_CHOSEN if chosen else _TYPED).get(type(value), "text")


def _present_value(
    tables: PackTables, tool: CardTool, value: PackValue, changed: set[str], lang: str
) -> CardValueOut:
    choices = tool.value_choices(value.path)
    return CardValueOut(
        path=value.path,
        label=_value_label(value.path, lang),
        kind=_value_kind(value.value, bool(choices)),
        choices=[CardChoiceOut(value=it, text=say(msg, lang)) for it, msg in choices.items()],
        text=typed_text(spoken_value(tables, tool, value, lang).value),
        sure=value.sure or "certain",
        changed=value.path in changed,
    )


def _title_at(tables: PackTables, tool: CardTool, path: str) -> Msg:
    """The title of a card or part; of a removed part, the one it had."""
    for pack in (tables, tool.shipped_pack()):
        if title := title_at(pack, tool, path):
            return title
    return Msg("cards.plain", text=path)


def _present_change(
    tables: PackTables, tool: CardTool, change: PackChange, lang: str
) -> PackChangeOut:
    """A difference in words: the card, what it is about, and the two values."""
    titles = tool.card_titles(tables)
    card = next((path for path in titles if _is_below(change.path, path)), "")
    part = change.path.rpartition(".")[0]
    if change.new is None:
        what = say(_title_at(tables, tool, change.path), lang)
    else:
        what = _value_label(change.path, lang)
        if part != card:
            what = f"{_part_label(tables, tool, card, part, lang)}: {what}"
    return PackChangeOut(
        card=say(titles[card], lang) if card else "",
        what=what,
        old=_change_text(tables, tool, change.old, lang),
        new=_change_text(tables, tool, change.new, lang),
    )


def _change_text(tables: PackTables, tool: CardTool, value: PackValue | None, lang: str) -> str:
    """One side of a difference; a value that only became more certain says so."""
    if value is None:
        return say(Msg("cards.absent"), lang)
    if value.path.endswith(f".{NAME_KEY}") and not value.value:
        return say(_title_at(tool.shipped_pack(), tool, value.path.rpartition(".")[0]), lang)
    if value.value == {} and not value.sure:
        return say(Msg("cards.present"), lang)
    sure = say(Msg(f"cards.sure.{value.sure or 'certain'}"), lang)
    return f"{_spoken_value(tool, value, lang) or '0'} {sure}"


def _spoken_value(tool: CardTool, value: PackValue, lang: str) -> str:
    """A value with the names of the words that it is chosen from."""
    names = {word: say(msg, lang) for word, msg in tool.value_choices(value.path).items()}
    match value.value:
        case str() if names:
            return names.get(value.value, value.value)
        case list() if names:
            return ", ".join(str(names.get(word, word)) for word in value.value)
        case dict() if names:
            return ", ".join(f"{names.get(word, word)} {n:+d}" for word, n in value.value.items())
    return typed_text(value.value)


@lru_cache(256)
def present_table_pack(game: str, line: str, lang: str) -> TablePackOut | None:
    """The pack of a table: its name and where its values differ; None for the shipped one."""
    tool = games.find_card_tool(game)
    if tool is None or not line:
        return None
    tables, shipped = tool.parse_option(line), tool.shipped_pack()
    changes = [
        change
        for change in list_changes(shipped, tables, tool)
        if not (change.old and change.new and change.old.value == change.new.value)
    ]
    return TablePackOut(
        name=_pack_name(tables) or say(Msg("cards.unnamed"), lang),
        changes=[_present_change(tables, tool, change, lang) for change in changes],
    )


def pack_of_options(game: str, options: dict[str, Any], lang: str) -> TablePackOut | None:
    tool = games.find_card_tool(game)
    line = options.get(tool.option) if tool else None
    return present_table_pack(game, line, lang) if isinstance(line, str) else None


def _pack_name(tables: PackTables) -> str:
    """The name of a pack, without characters that cannot be shown."""
    return "".join(filter(str.isprintable, str(tables.get(NAME_KEY, ""))))
