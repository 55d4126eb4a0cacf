"""The smaller contracts: typed text, messages, facts, captions, card tools and drawings."""

import pytest
import sparks

from powderkeg.core import cards
from powderkeg.core.errors import Unreadable
from powderkeg.core.game import (
    Game,
    Marks,
    fact,
    game_message,
    no_captions,
    private_fact,
    seat_message,
    wire_reader,
)
from powderkeg.core.reports import drawing
from powderkeg.core.table import Table
from powderkeg.games import CARD_TOOLS, find_card_tool, find_game

GAME: Game = sparks


def test_each_line_is_an_action_or_says_why_not():
    read = wire_reader(sparks.parse)
    (first, action), (second, error) = read({}, " card c1 \n\nnonsense\n", "es")
    assert (first, action, second) == ("card c1", sparks.Card("c1"), "nonsense")
    assert isinstance(error, Unreadable)
    assert GAME.read({}, "duck") == [("duck", sparks.Say("duck"))]


def test_names_come_from_the_catalogue_of_the_game():
    assert game_message(GAME).code == "sparks.name"
    assert seat_message(GAME, "red").code == "sparks.seat.red"


def test_a_game_need_not_mark_its_phases():
    assert Marks() == ("", "", True, frozenset())


def test_a_fact_is_for_everybody_and_a_private_fact_for_some():
    public, private = fact("a.code", "R-1"), private_fact(["red"], "a.code", "R-1", n=2)
    assert public.seen_by(None)
    assert public.seen_by("red")
    assert private.seen_by("red")
    assert not private.seen_by("blue")
    assert not private.seen_by(None)


def test_a_game_may_have_no_captions():
    table = Table(sparks, 2, sparks.Options())
    assert no_captions(table.view(None)) == {}


@pytest.mark.parametrize("game", sorted(CARD_TOOLS))
def test_a_card_tool_reads_what_it_writes(game):
    tool = find_card_tool(game)
    assert isinstance(tool, cards.CardTool)
    assert hasattr(find_game(game).Options(), tool.option)
    shipped = tool.shipped_pack()
    assert tool.parse_option(tool.format_option(shipped)) == shipped
    assert tool.card_titles(shipped)
    assert [msg for level, msg in tool.check_pack(shipped) if level == "wrong"] == []


@pytest.mark.parametrize("game", sorted(drawing.DRAWINGS))
def test_a_map_is_drawn_from_a_view(game):
    draw = drawing.find_drawing(game)
    rules = find_game(game)
    table = Table(rules, max(rules.players), rules.Options())
    svg = draw(table.view(None), lang="es", title="Europa")
    assert svg.startswith("<svg")
    assert "Europa" in svg
