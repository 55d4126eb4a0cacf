"""`powderkeg cards`: look at the values of cards, check them, correct them, share corrections."""

import json
import sys
from collections import Counter
from typing import Annotated, Any, Final, Literal

import typer
from rich.prompt import Prompt
from rich.table import Table as Grid

from powderkeg.cli.cards import packs
from powderkeg.cli.cards.packs import PackValue
from powderkeg.cli.say import Lang, console, speak_text, t, use_language
from powderkeg.core.cards import CardTool, PackTables
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
Certainty = Literal["certain", "probable", "reconstructed"]

DOUBT_MARK: Final = "°"  # beside a value that nobody has read from a card yet
FINDING_MARKS: Final = {"wrong": ("✗", "red"), "doubt": ("?", "yellow"), "note": ("·", "dim")}
SAME_VALUE: Final = "="  # the answer of who finds on the card what the pack says


@cards_app.command("list", epilog="Example: powderkeg cards list versailles --doubtful")
def list_cards(
    game: CardGame,
    *,
    pack: PackName = "",
    doubtful: Annotated[
        bool, typer.Option("--doubtful", help="Only cards with reconstructed values.")
    ] = False,
    as_json: AsJson = False,
    lang: Lang = None,
) -> None:
    """List every card with its number of certain values, and your own packs."""
    use_language(lang)
    name, tool = packs.card_tool_of(game)
    tables = packs.whole_pack(name, tool, pack)
    found = {
        path: Counter(value.sure for value in _card_values(tables, tool, path))
        for path in tool.card_titles(tables)
    }
    if as_json:
        print(json.dumps({"cards": found, "packs": packs.own_packs(name)}))
        return
    grid = Grid(t("cards.card"), t("cards.name"), t("cards.values"), t("cards.doubtful"), box=None)
    for path, title in tool.card_titles(tables).items():
        if not doubtful or found[path]["reconstructed"]:
            doubts = str(found[path]["reconstructed"] or "")
            grid.add_row(speak_text(title), path, str(found[path].total()), doubts)
    console.print(grid)
    every = sum(found.values(), Counter[str]())
    console.print(
        t("cards.totals", total=every.total(), doubts=every["reconstructed"]), markup=False
    )
    if names := packs.own_packs(name):
        console.print(t("cards.kept", packs=names), markup=False)


def _card_values(tables: PackTables, tool: CardTool, path: str) -> list[PackValue]:
    """The values of the card at `path`."""
    folder, last = packs.folder_of(tables, path)
    return list(packs.pack_values(folder[last], tool.whole_tables, path))


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
    """Everything on the cards, with a mark beside reconstructed values."""
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
    console.print(t("cards.legend", mark=DOUBT_MARK), style="dim", markup=False)


def _find_card(titles: dict[str, Msg], wanted: str) -> str:
    """The card that a word means: its path, its id, or its name in the reader's language."""
    for path, title in titles.items():
        if wanted in (path, path.rpartition(".")[2]) or wanted.lower() == speak_text(title).lower():
            return path
    raise Unreadable("cards.no_card", card=wanted)


def _print_card(tables: PackTables, tool: CardTool, card: str, title: Msg) -> None:
    console.print(f"[bold]{speak_text(title)}[/bold]  [dim]{card}[/dim]")
    part = card
    for value in _card_values(tables, tool, card):
        above, _, last = value.path.rpartition(".")
        if above != part:
            part = above
            name = tool.part_title(part)
            heading = f"{speak_text(name)}  [dim]{part.rpartition('.')[2]}[/dim]" if name else part
            console.print(f"  {heading}")
        indent = "  " if part == card else "    "
        mark = DOUBT_MARK if value.sure == "reconstructed" else ""
        console.print(f"{indent}{last:14} {packs.toml_value(value.value)} {mark}", markup=False)
    console.print()


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
        tables = packs.merge_packs(tables, packs.load_pack_file(path), tool.whole_tables)
    given = dict(_parse_assignment(tables, tool, text) for text in value or [])
    for wanted in card or ([] if value else tool.card_titles(tables)):
        given |= _ask_values(tables, tool, _find_card(tool.card_titles(tables), wanted))
    for where, new in given.items():
        packs.put_value(tables, where, new, sure)
    tables.setdefault("name", path.stem)
    tool.format_option(tables)  # refuses what cannot be played before anything is written
    packs.save_pack_file(
        path, packs.pack_differences(base, tables, tool.whole_tables), t("cards.heading", game=name)
    )
    console.print(t("cards.saved", n=len(given), path=str(path)), markup=False)
    console.print(t("cards.use", game=name, option=tool.option, pack=pack), markup=False)


def _parse_assignment(tables: PackTables, tool: CardTool, text: str) -> tuple[str, Any]:
    """A value written path=value."""
    name, equals, new = text.partition("=")
    if not equals:
        raise Unreadable("cards.no_equals", text=text)
    path = packs.find_path(tables, name.strip(), tool.whole_tables)
    folder, last = packs.folder_of(tables, path)
    return path, packs.parse_value(new, folder[last])


def _ask_values(tables: PackTables, tool: CardTool, card: str) -> dict[str, Any]:
    """Every value of a card, asked one by one: empty leaves it, ``=`` confirms it."""
    console.print(f"[bold]{speak_text(tool.card_titles(tables)[card])}[/bold]  [dim]{card}[/dim]")
    console.print(t("cards.how", same=SAME_VALUE), style="dim", markup=False)
    given: dict[str, Any] = {}
    for value in _card_values(tables, tool, card):
        mark = DOUBT_MARK if value.sure == "reconstructed" else ""
        short = value.path.removeprefix(f"{card}.").removeprefix("options.")
        asked = f"  {short} ({packs.toml_value(value.value)}{mark})"
        while answer := Prompt.ask(asked, console=console, default="", show_default=False).strip():
            try:
                given[value.path] = (
                    value.value if answer == SAME_VALUE else packs.parse_value(answer, value.value)
                )
            except Unreadable as error:
                console.print(speak_text(error.msg), style="red", markup=False)
            else:
                break
    return given


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
    old = {value.path: value for value in packs.pack_values(base, tool.whole_tables)}
    new = [v for v in packs.pack_values(mine, tool.whole_tables) if v != old.get(v.path)]
    if as_json:
        found = {v.path: {"from": old[v.path].value, "to": v.value, "sure": v.sure} for v in new}
        print(json.dumps(found))
        return
    for value in new:
        _print_difference(old[value.path], value)
    console.print(t("cards.differences", n=len(new)), markup=False)


def _print_difference(old: PackValue, new: PackValue) -> None:
    before, after = packs.toml_value(old.value), packs.toml_value(new.value)
    change = after if before == after else f"{before} → {after}"
    sure = "" if old.sure == new.sure else t(f"cards.sure.{new.sure}")
    console.print(f"{new.path}  {change}  {sure}".rstrip(), markup=False)
