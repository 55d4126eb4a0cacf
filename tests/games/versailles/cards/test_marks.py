"""Every reconstructed or probable value carries its mark wherever it is shown."""

import json
import random
import re
from collections.abc import Iterator

import pytest

import powderkeg.games.versailles as game
from powderkeg.core.ask import Node, One
from powderkeg.core.chance import CHANCE
from powderkeg.core.words import Arg, Msg, say
from powderkeg.games import mark_cards
from powderkeg.games.versailles.board import CATEGORIES
from powderkeg.games.versailles.cards.certainty import marked_names, name_cards
from powderkeg.games.versailles.cards.pack import IssueCard
from powderkeg.games.versailles.cards.reader import amend_pack, default_pack, pack_changes
from powderkeg.games.versailles.describe import issue_card_lines
from powderkeg.games.versailles.state import Options, State
from tests.games.versailles.scene import lay, midway, opening, unsettled

MARKS = {"reconstructed": "°", "probable": "·"}
VALUES = (  # messages that say what is printed on a card
    "versailles.issue.",
    "versailles.event.",
    "versailles.strategy.",
    "versailles.choice.",
    "versailles.icon.unrest",
    "versailles.icon.happiness",
    "versailles.icon.none",
    "versailles.condition.",
    "versailles.count.stars",
    "versailles.line.military",
    "versailles.line.no_military",
    "versailles.line.cube_icon",
    "versailles.line.no_cube_icon",
    "versailles.text.",
)
CARD_LINES = ("issue", "card", "held", "event_table", "event_waiting", "option", "demobilise")
LIST_LINES = ("counters",)  # lines with a mark at every part
CARD_VALUES = ("region", "stars", "military", "icon", "counters", "crisis", "space")


def all_noted(sure: str) -> str:
    """The line of a pack with the shipped values, all of them as certain as `sure`."""
    shipped = default_pack()
    changes: dict[str, object] = {}

    def note(path: str, keys: list[str]) -> None:
        changes[f"{path}.certainty"] = dict.fromkeys(keys, sure)

    for part in ("issues", "events", "strategies"):
        for id_, card in shipped.raw[part].items():
            note(f"{part}.{id_}", ["name", *card])
            for inner in ("options", "conditions"):
                for name, table in card.get(inner, {}).items():
                    note(f"{part}.{id_}.{inner}.{name}", ["name", *table])
    board = shipped.raw["board"]
    note("board", ["random_region", "units_allowed"])
    note("board.columns", list(board["columns"]))
    note("board.demobilise", list(board["demobilise"]))
    return pack_changes(shipped, amend_pack(shipped, changes))


def unmarked(what: Arg, *, marked: bool = False) -> Iterator[Msg]:
    """The values in a message that carry no mark."""
    if isinstance(what, Msg):
        marked = marked or what.code.startswith("cards.marked.")
        if what.code.startswith(VALUES) and not marked:
            yield what
        is_line = what.code.removeprefix("versailles.line.") in (*CARD_LINES, *LIST_LINES)
        for name, arg in what.args.items():
            if is_line and name in CARD_VALUES and not is_marked(arg):
                yield what
            yield from unmarked(arg, marked=marked)
    elif not isinstance(what, str | int | float):
        for item in what:
            yield from unmarked(item, marked=marked)


def is_marked(arg: Arg) -> bool:
    if isinstance(arg, Msg):
        in_parts = arg.code.removeprefix("versailles.line.") in LIST_LINES
        return in_parts or arg.code.startswith("cards.marked.")
    return isinstance(arg, list | tuple) and all(map(is_marked, arg))


def labels(node: Node | None) -> Iterator[Msg]:
    if isinstance(node, One):
        for option in node.options:
            yield option.label
            yield from labels(option.then)
    elif node is not None:
        yield from (option.label for option in getattr(node, "options", ()))
        yield from labels(getattr(node, "then", None))


def all_messages(state: State, seat: str) -> Iterator[Msg]:
    """Everything that a player reads about this position in words."""
    question = game.ask(state, seat)
    assert question is not None
    yield question.prompt
    yield from labels(question.node)
    view = game.view(state, seat)
    for section in game.describe(view):
        yield from section.lines
    yield from game.captions(view).values()


def whole_game(players: int, pack: str) -> Iterator[Msg]:
    """What a random game shows: its log, every seventh question and its board."""
    rng, options = random.Random(players), Options(pack=pack)
    state = game.start(game.seats(players, options), options)
    count = 0
    while acting := game.to_act(state):
        (seat,) = acting
        count += 1
        if seat != CHANCE and count % 7 == 0:
            yield from all_messages(state, seat)
        step = game.apply(state, seat, game.legal(state, seat).sample(rng))
        yield from (mark_cards(game, {"pack": pack}, fact.msg) for fact in step.facts)
        state = step.state


@pytest.mark.slow
@pytest.mark.parametrize("sure", ["reconstructed", "probable"])
@pytest.mark.parametrize("players", [1, 2, 4])
def test_a_whole_game_marks_every_doubtful_value(players, sure):
    found = {say(msg) for line in whole_game(players, all_noted(sure)) for msg in unmarked(line)}
    assert found == set()


@pytest.mark.slow
def test_a_certain_pack_needs_no_marks():
    legend = {Msg("cards.legend.reconstructed"), Msg("cards.legend.probable")}
    texts = [say(line) for line in whole_game(4, all_noted("certain")) if line not in legend]
    assert [text for text in texts if "°" in text or "·" in text] == []


def printed_values(issue: IssueCard) -> Iterator[str]:
    """The values of an issue as they must be shown."""
    bare = {
        "name": Msg(f"versailles.issue.{issue.id}"),
        "stars": Msg("versailles.count.stars", n=issue.stars),
        "region": Msg(f"versailles.region.{CATEGORIES[issue.region]}"),
        "no_military": Msg(f"versailles.line.{'no_' if issue.no_military else ''}military"),
    }
    for value, msg in bare.items():
        yield f"{say(msg)}{MARKS.get(issue.sure[value], '')}"
    for option in issue.options:
        yield f"\u2013 {say(Msg(f'versailles.choice.{option.id}'))}{MARKS.get(option.sure['name'], '')} ("


def test_the_shipped_pack_is_marked_value_by_value():
    state = opening(3).state
    names = marked_names(state.pack)
    for issue in state.pack.issues.values():
        lines = [say(name_cards(names, line)) for line in issue_card_lines(state, (issue.id,))]
        for text in printed_values(issue):
            assert any(re.search(rf"{re.escape(text)}(?![°·])", line) for line in lines), text


def in_words(state: State) -> dict[str, list[str]]:
    sections = game.describe(game.view(state, "P1"))
    return {str(section.title): [str(line) for line in section.lines] for section in sections}


@pytest.mark.parametrize(
    ("line", "where"),
    [
        ("Rhineland (Europe, 6 stars, units can bid°): no cubes.", "On the table"),
        ("\u2013 Stays German (France happiness \u22122° and Industrial Growth·)°", "On the table"),
        ("\u2013 French occupation (Europe unrest +1 and UK happiness \u22121°)·", "On the table"),
    ],
)
def test_an_issue_in_words(line, where):
    state = lay(opening(3), table=("rheinland", "armenia")).state
    assert line in in_words(state)[where]


def test_grey_spaces_are_marked_and_the_others_are_probable():
    four, three = (game.view(opening(n).state, None)["certainty"] for n in (4, 3))
    assert four["demobilise"] == [
        "probable",
        "probable",
        "probable",
        "reconstructed",
        "probable",
        "reconstructed",
        "certain",
    ]
    assert three["demobilise"] == ["probable"] * 4 + ["certain"]


def test_settled_issues_tell_what_counts():
    play = lay(opening(3), held={"smyrna": ("france", "to_greece", ("usa",))})
    sections = in_words(play.state)
    (line,) = sections["Settled issues"]
    assert "Smyrna" in line
    assert "Middle East" in line or "Balkans" in line
    assert "stars" in line
    assert "USA Naval Squadron" in line


def test_every_counter_of_a_settled_issue_has_its_mark():
    play = lay(opening(3), held={"indemnity": ("france", "yes")})
    (line,) = in_words(play.state)["Settled issues"]
    assert line.count("German Reparations") == line.count("German Reparations°") == 2


def test_an_unsettled_issue_is_described_while_it_is_bid_for():
    play = midway(lay(opening(3), held={"syria": "uk"}), unsettled("syria", 2))
    sections = in_words(play.state)
    assert sections["Unsettled"][0].startswith("Syria (")


def test_names_of_a_pack_are_used_everywhere():
    pack = json.dumps(
        {
            "issues.armenia.name": "Trebizond",
            "issues.armenia.options.to_turkey.name": "Stays Turkish",
            "issues.armenia.options.partition": {"happiness": {"uk": 1}},
        }
    )
    play = lay(opening(3, options=Options(pack=pack)), cubes={"armenia": {"uk": 1}})
    assert any("Trebizond" in str(msg) for msg in all_messages(play.state, "P1"))
    play("uk settle armenia")
    question = [str(msg) for msg in all_messages(play.state, "P1")]
    assert any(text.startswith("Stays Turkish") for text in question)
    assert any(text.startswith("Partition") for text in question)
    play("uk option to_turkey")
    spoken = " ".join(str(fact.msg) for fact in play.facts)
    assert "Trebizond" in spoken
    assert "Stays Turkish" in spoken
    assert "Armenia" not in spoken
