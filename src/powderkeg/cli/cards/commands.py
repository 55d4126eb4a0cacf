"""`powderkeg cards`: look at the values of cards, check them, correct them, share corrections."""

import copy
import json
import sys
from collections import Counter
from typing import Annotated, Any, Final

import typer
from rich.markup import escape
from rich.prompt import Prompt
from rich.table import Table as Grid

from powderkeg.cli.cards import packs
from powderkeg.cli.say import Lang, chosen_language, console, speak_text, t, use_language
from powderkeg.core.cards import CardTool, PackTables, certainty_of, mark_value
from powderkeg.core.cards.packs import (
    NAME_KEY,
    PackValue,
    add_part,
    find_part,
    find_path,
    fits_pattern,
    folder_of,
    list_changes,
    merge_packs,
    note_certainty,
    pack_differences,
    pack_values,
    parse_value,
    put_value,
    remove_part,
    spoken_value,
    table_at,
    toml_value,
)
from powderkeg.core.cards.tool import Certainty
from powderkeg.core.cards.union import Disagreement, unite_packs
from powderkeg.core.errors import Unreadable
from powderkeg.core.words import Msg

cards_app = typer.Typer(
    no_args_is_help=True,
    help="Card packs: look at values, check them, correct them from your own cards, share them.",
)

CardGame = Annotated[str, typer.Argument(help="versailles or risk_europe.", show_default=False)]
PackName = Annotated[
    str, typer.Option("--pack", "-p", help="Your own pack: its name or a TOML file.")
]
AsJson = Annotated[bool, typer.Option("--json", help="For programs.")]

DOUBTS: Final = ("reconstructed", "probable")
FINDING_MARKS: Final = {"wrong": ("✗", "red"), "doubt": ("?", "yellow"), "note": ("·", "dim")}
NO_VALUE: Final = "-"  # where one of two packs has nothing
SAME_VALUE: Final = "="  # the answer when the card says what the pack says


@cards_app.command("list", epilog="Example: powderkeg cards list versailles --doubtful")
def list_cards(
    game: CardGame,
    *,
    pack: PackName = "",
    doubtful: Annotated[
        bool, typer.Option("--doubtful", help="Only cards with reconstructed or probable values.")
    ] = False,
    as_json: AsJson = False,
    lang: Lang = None,
) -> None:
    """List every card with its number of certain values, and your own packs."""
    use_language(lang)
    name, tool = packs.card_tool_of(game)
    tables = packs.whole_pack(name, tool, pack)
    titles = tool.card_titles(tables)
    found = {path: Counter(v.sure for v in _card_values(tables, tool, path)) for path in titles}
    if as_json:
        print(json.dumps({"cards": found, "packs": packs.own_packs(name)}))
        return
    heads = [t(f"cards.{head}") for head in ("card", "name", "values", *DOUBTS)]
    grid = Grid(*heads, box=None)
    for path, title in titles.items():
        counts = found[path]
        if not doubtful or any(counts[doubt] for doubt in DOUBTS):
            doubts = [str(counts[doubt] or "") for doubt in DOUBTS]
            grid.add_row(speak_text(title), path, str(counts.total()), *doubts)
    console.print(grid)
    every = sum(found.values(), Counter[str]())
    doubt_counts = {doubt: every[doubt] for doubt in DOUBTS}
    console.print(t("cards.totals", total=every.total(), **doubt_counts), markup=False)
    if names := packs.own_packs(name):
        console.print(t("cards.kept", packs=names), markup=False)


def _card_values(tables: PackTables, tool: CardTool, path: str) -> list[PackValue]:
    """The values of the card at `path`."""
    return list(pack_values(table_at(tables, path), tool, path))


@cards_app.command("show", epilog="Example: powderkeg cards show versailles rheinland")
def show_cards(
    game: CardGame,
    card: Annotated[
        list[str] | None, typer.Argument(help="Cards, such as rheinland; none: all of them.")
    ] = None,
    *,
    pack: PackName = "",
    as_json: AsJson = False,
    lang: Lang = None,
) -> None:
    """Everything on the cards, with a mark beside values that are not certain."""
    use_language(lang)
    name, tool = packs.card_tool_of(game)
    tables = packs.whole_pack(name, tool, pack)
    titles = tool.card_titles(tables)
    paths = [_find_card(titles, wanted) for wanted in card or []] or list(titles)
    if as_json:
        values = {path: [v._asdict() for v in _card_values(tables, tool, path)] for path in paths}
        print(json.dumps(values))
        return
    for path in paths:
        _print_card(tables, tool, path, titles[path])
    for doubt in DOUBTS:
        console.print(t(f"cards.legend.{doubt}"), style="dim", markup=False)


def _find_card(titles: dict[str, Msg], wanted: str) -> str:
    """The card that a word means: its path, its id, or its name in the reader's language."""
    for path, title in titles.items():
        if wanted in (path, path.rpartition(".")[2]) or wanted.lower() == speak_text(title).lower():
            return path
    raise Unreadable("cards.no_card", card=wanted)


def _print_card(tables: PackTables, tool: CardTool, card: str, title: Msg) -> None:
    """The card's title, its values, and its parts with theirs."""
    part = ""
    for value in _card_values(tables, tool, card):
        above, _, last = value.path.rpartition(".")
        if above != part:
            part = above
            _print_heading(tables, tool, card, title, part)
        if last != NAME_KEY:
            indent = "  " if part == card else "    "
            console.print(f"{indent}{last:14} {_marked_toml(value)}", markup=False)
    console.print()


def _print_heading(tables: PackTables, tool: CardTool, card: str, title: Msg, part: str) -> None:
    """The title of a card or of one of its parts, with the mark of its name."""
    name = title if part == card else tool.part_title(tables, part)
    noted = certainty_of(table_at(tables, part), NAME_KEY) if fits_pattern(part, tool.named) else ""
    if part == card:
        console.print(
            f"[bold]{escape(speak_text(mark_value(title, noted)))}[/bold]  [dim]{part}[/dim]"
        )
    elif name:
        last = part.rpartition(".")[2]
        console.print(f"  {escape(speak_text(mark_value(name, noted)))}  [dim]{last}[/dim]")
    else:
        console.print(f"  {part}")


def _marked_toml(value: PackValue) -> str:
    """A value as TOML writes it, with its mark."""
    return speak_text(mark_value(Msg("cards.plain", text=toml_value(value.value)), value.sure))


@cards_app.command("check", epilog="Example: powderkeg cards check versailles mine")
def check_cards(
    game: CardGame,
    pack: Annotated[str, typer.Argument(help="A name or a TOML file; none: our pack.")] = "",
    *,
    as_json: AsJson = False,
    lang: Lang = None,
) -> None:
    """Check counts, references and balance, and which rulebook examples a pack breaks."""
    use_language(lang)
    name, tool = packs.card_tool_of(game)
    found = list(tool.check_pack(packs.whole_pack(name, tool, pack)))
    if as_json:
        print(json.dumps([{"level": level, "text": speak_text(msg)} for level, msg in found]))
    else:
        for level, msg in sorted(found, key=lambda finding: list(FINDING_MARKS).index(finding[0])):
            mark, style = FINDING_MARKS[level]
            console.print(f"{mark} {speak_text(msg)}", style=style, markup=False)
    if any(level == "wrong" for level, _ in found):
        sys.exit(2)


@cards_app.command(
    "edit", epilog="Example: powderkeg cards edit versailles mine rheinland.stars=5 smuts.cube=true"
)
def edit_cards(
    game: CardGame,
    pack: Annotated[str, typer.Argument(help="Your pack: a name or a TOML file; made if new.")],
    value: Annotated[
        list[str] | None, typer.Argument(help="Values, such as rheinland.stars=5.")
    ] = None,
    *,
    card: Annotated[
        list[str] | None, typer.Option("--card", help="Ask for every value of this card.")
    ] = None,
    add: Annotated[
        list[str] | None, typer.Option("--add", help="Add an option, such as fiume.plebiscite.")
    ] = None,
    remove: Annotated[
        list[str] | None, typer.Option("--remove", help="Remove an option of a card.")
    ] = None,
    sure: Annotated[
        Certainty, typer.Option("--certainty", help="How certain your values are.")
    ] = "certain",
    lang: Lang = None,
) -> None:
    """Correct values from your own cards and save them as your own pack."""
    use_language(lang)
    name, tool = packs.card_tool_of(game)
    path = packs.pack_path(name, pack)
    base = tool.shipped_pack()
    tables = tool.shipped_pack()  # another copy: what is changed must not change the base
    if path.exists():
        tables = merge_packs(tables, packs.load_pack_file(path), tool)
    for part in add or []:
        add_part(tables, tool, find_part(tables, tool, part), sure)
    for part in remove or []:
        remove_part(tables, find_part(tables, tool, part))
    given = [_put_assignment(tables, tool, text, sure) for text in value or []]
    asked = card or ([] if value or add or remove else tool.card_titles(tables))
    for wanted in asked:
        given += _ask_values(tables, tool, _find_card(tool.card_titles(tables), wanted), sure)
    tables.setdefault(NAME_KEY, path.stem)
    tool.format_option(tables)  # refuses what cannot be played before anything is written
    own = pack_differences(base, tables, tool)
    packs.save_pack_file(path, own, t("cards.heading", game=name))
    changed = len({*given, *(add or []), *(remove or [])})
    console.print(t("cards.saved", n=changed, path=str(path)), markup=False)
    console.print(t("cards.use", game=name, option=tool.option, pack=pack), markup=False)


def _put_assignment(tables: PackTables, tool: CardTool, text: str, sure: str) -> str:
    """Make a correction written ``path=value``, and return its path."""
    name, equals, new = text.partition("=")
    if not equals:
        raise Unreadable("cards.no_equals", text=text)
    name = name.strip()
    if name.count(".") > 3:  # a whole path may name a part that is still to be added
        add_part(tables, tool, name.rpartition(".")[0], sure)
    path = find_path(tables, tool, name)
    folder, last = folder_of(tables, path)
    put_value(tables, path, parse_value(new, folder.get(last, "")), sure)
    return path


def _ask_values(tables: PackTables, tool: CardTool, card: str, sure: str) -> list[str]:
    """Ask for every value of a card, one by one: empty leaves it, ``=`` confirms it. Return the paths
    of the values that were given."""
    title = escape(speak_text(tool.card_titles(tables)[card]))
    console.print(f"[bold]{title}[/bold]  [dim]{card}[/dim]")
    console.print(t("cards.how", same=SAME_VALUE), style="dim", markup=False)
    given: list[str] = []
    for value in _card_values(tables, tool, card):
        short = value.path.removeprefix(f"{card}.").removeprefix("options.")
        asked = f"  {short} ({_marked_toml(_known_value(tables, tool, value))})"
        while answer := Prompt.ask(asked, console=console, default="", show_default=False).strip():
            try:
                _put_answer(tables, tool, value, answer, sure)
            except Unreadable as error:
                console.print(speak_text(error.msg), style="red", markup=False)
            else:
                given.append(value.path)
                break
    return given


def _known_value(tables: PackTables, tool: CardTool, value: PackValue) -> PackValue:
    return spoken_value(tables, tool, value, chosen_language())


def _put_answer(
    tables: PackTables, tool: CardTool, value: PackValue, answer: str, sure: str
) -> None:
    """Store an answer, or refuse it before the next question."""
    if answer == SAME_VALUE:
        note_certainty(tables, value.path, sure)
        return
    new, tried = parse_value(answer, value.value), copy.deepcopy(tables)
    put_value(tried, value.path, new, sure)
    tool.format_option(tried)
    put_value(tables, value.path, new, sure)


@cards_app.command("diff", epilog="Example: powderkeg cards diff versailles mine --line")
def compare_packs(
    game: CardGame,
    pack: Annotated[str, typer.Argument(help="A pack: a name, a file or an option's line.")],
    other: Annotated[str, typer.Argument(help="Another one; none: our pack.")] = "",
    *,
    line: Annotated[
        bool, typer.Option("--line", help="One line, for the option of a table on a server.")
    ] = False,
    as_json: AsJson = False,
    lang: Lang = None,
) -> None:
    """Show where two packs differ, to share your corrections."""
    use_language(lang)
    name, tool = packs.card_tool_of(game)
    mine = packs.whole_pack(name, tool, pack)
    if line:
        print(tool.format_option(mine))
        return
    base = packs.whole_pack(name, tool, other)
    found = list_changes(base, mine, tool)
    if as_json:
        print(json.dumps({path: _change_json(old, new) for path, old, new in found}))
        return
    for path, old, new in found:
        _print_difference(
            path,
            old and _known_value(base, tool, old),
            new and _known_value(mine, tool, new),
        )
    console.print(t("cards.differences", n=len(found)), markup=False)


def _change_json(old: PackValue | None, new: PackValue | None) -> dict[str, Any]:
    return {
        "from": old.value if old else None,
        "to": new.value if new else None,
        "sure": new.sure if new else "",
    }


def _print_difference(path: str, old: PackValue | None, new: PackValue | None) -> None:
    before, after = (toml_value(value.value) if value else NO_VALUE for value in (old, new))
    change = after if before == after else f"{before} → {after}"
    same = old and new and old.sure == new.sure
    sure = "" if same or not new or not new.sure else t(f"cards.sure.{new.sure}")
    console.print(f"{path}  {change}  {sure}".rstrip(), markup=False)


@cards_app.command("merge", epilog="Example: powderkeg cards merge versailles all anna ben carla")
def merge_own_packs(
    game: CardGame,
    into: Annotated[str, typer.Argument(help="The pack to write: a name or a TOML file.")],
    pack: Annotated[list[str], typer.Argument(help="The packs of several owners.")],
    *,
    as_json: AsJson = False,
    lang: Lang = None,
) -> None:
    """Put the packs of several owners together and list where they disagree."""
    use_language(lang)
    name, tool = packs.card_tool_of(game)
    path = packs.pack_path(name, into)
    read = {each: packs.whole_pack(name, tool, each) for each in pack}
    united, disputed = unite_packs(tool, read)
    united[NAME_KEY] = path.stem
    tool.format_option(united)  # refuses what cannot be played before anything is written
    own = pack_differences(tool.shipped_pack(), united, tool)
    packs.save_pack_file(path, own, t("cards.heading", game=name))
    if as_json:
        print(json.dumps([each._asdict() for each in disputed]))
        return
    for each in disputed:
        _print_disagreement(each, tool)
    n = len(pack)
    console.print(t("cards.merged", n=n, path=str(path), disputed=len(disputed)), markup=False)


def _print_disagreement(disputed: Disagreement, tool: CardTool) -> None:
    console.print(disputed.path, style="bold", markup=False)
    shipped = tool.shipped_pack()
    for pack, said in disputed.said.items():
        value = _known_value(shipped, tool, PackValue(disputed.path, said, "")).value
        console.print(f"  {pack}: {NO_VALUE if said is None else toml_value(value)}", markup=False)
