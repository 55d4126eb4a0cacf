"""What a model reads, in all three games and languages."""

import random

import pytest
import sparks

import powderkeg
from powderkeg import games
from powderkeg.bots.models import ModelEndpoint, ModelManner, ModelPlayer, ModelReply
from powderkeg.bots.models.outline import list_answers, outline_question
from powderkeg.bots.models.prompts import PromptWriter
from powderkeg.bots.models.rulebook import rules_page, short_rules
from powderkeg.core.ask import Amount, Assign, One, Option, Orders, Row, Share, Some
from powderkeg.core.words import LANGS, Msg


def prompts(name, seat, players=None, moves=0, options=None, **manner):
    """Introduction and question as a model reads them, after some moves."""
    table = powderkeg.table(name, players=players, seed=1, **options or {})
    rng = random.Random(1)
    for _ in range(moves):
        acting = min(table.to_act)
        table.act(acting, table.legal(acting).sample(rng))
    heard = []

    def model(request):
        heard.append([line["content"] for line in request.lines])
        return ModelReply("")

    endpoint = ModelEndpoint("http://127.0.0.1:9/v1", "tiny")
    player = ModelPlayer(table.game, endpoint, ModelManner(retries=0, **manner), reply=model)
    seat = seat or min(table.to_act)
    player.bot()(table.view(seat), table.ask(seat), table.legal(seat), random.Random(1))
    return heard[0]


def test_diplomacy_has_rules_goal_map_and_neutral_centres():
    introduction, asked = prompts("diplomacy", "FRANCE")
    assert "You play Diplomacy as France (seat FRANCE)" in introduction
    assert "Control 18 supply centres" in introduction
    assert "Two units cannot change places unless one is convoyed" in introduction
    assert "par Paris [* FRANCE]: A: bre bur gas pic" in introduction
    assert "bel Belgium [*]: A: bur hol pic ruh; F: eng hol nth pic" in introduction
    assert "spa/sc" in introduction
    assert "## Fewer players" not in introduction
    assert '"orders"' in introduction
    assert "12: Belgium, Bulgaria, Denmark" in asked
    assert "You play France." in asked
    assert "A mar - : move to" in asked
    assert "spa : Spain" in asked


@pytest.mark.parametrize(
    ("players", "duel", "read"),
    [(2, "france_austria", False), (2, "no", True), (3, "france_austria", True)],
)
def test_a_duel_is_not_given_the_rules_of_alliances(players, duel, read):
    introduction, _ = prompts("diplomacy", None, players, options={"duel": duel})
    assert ("## Fewer players" in introduction) is read
    assert "With the option `duel`, 18 win" in introduction


def test_versailles_has_rules_goal_and_the_own_nation():
    introduction, asked = prompts("versailles", None, moves=12)
    assert "Have the most points at the end" in introduction
    assert "GE the card Rush to the Finish" in introduction
    assert "Each of the two gets at least one cube." in introduction
    assert "Solitaire" not in [line.strip("# ") for line in introduction.splitlines()]
    assert "You play " in asked
    assert "unrest" in asked


def test_risk_europe_has_rules_goal_and_map():
    introduction, asked = prompts("risk_europe", "blue")
    assert "Have 7 crowns at the end of a round to win" in introduction
    assert "england England [london gold 3]: scotland wales lorraine~ normandy~" in introduction
    assert "A supply line is a set of linked territories" in introduction
    assert "## Two players" not in introduction
    assert "You play Blue." in asked
    assert "bid : Bid (up to 5)" in asked


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("name", games.GAME_NAMES)
def test_every_game_can_be_put_in_words(name, lang):
    introduction, asked = prompts(name, None, lang=lang)
    assert not [w for w in (introduction + asked).split() if w.startswith(("bots.", f"{name}."))]
    assert "{" not in asked
    talk = PromptWriter(games.find_game(name), ModelManner(lang=lang)).talk_question(
        3, ["X"], ["peace"]
    )
    assert "bots." not in talk


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_rules_are_those_of_the_table(players):
    introduction, _ = prompts("risk_europe", "blue", players)
    headings = {line[3:] for line in introduction.splitlines() if line.startswith("## ")}
    assert ("Two players" in headings, "Three players" in headings) == (players == 2, players == 3)


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("name", games.GAME_NAMES)
def test_the_rules_are_shortened(name, lang):
    page, short = rules_page(name, lang), short_rules(name, lang)
    assert len(short) < len(page)
    assert "**" not in short
    assert len(short.splitlines()) > 100
    writer = PromptWriter(games.find_game(name), ModelManner(rules="full", lang=lang))
    assert page in writer.rules({})
    assert PromptWriter(sparks, ModelManner()).rules({"seat": "red"}) == "", "it has no page"


def test_rules_can_be_left_out():
    assert "convoyed" not in prompts("diplomacy", "FRANCE", rules="none")[0]


def test_every_answer_may_be_listed_with_its_labels():
    _, asked = prompts("diplomacy", "FRANCE", legal="list")
    assert "A par - bur : move to, Burgundy" in asked
    _, asked = prompts("risk_europe", "blue", legal="list")
    assert "bid 3 : Bid (up to 5)" in asked


def test_a_list_that_is_cut_says_so():
    assert "(Only the first 5 lines are shown.)" in prompts("diplomacy", "FRANCE", most=5)[1]


def test_an_outline_shows_every_kind_of_node():
    label = Msg("core.and", some="x", last="y")
    options = (Option("a", label, then=Amount(1, 3)), Option("b", label))
    some = Some(options, 0, 2, then=Assign((Share("s", label, 2),), 1, 2))
    node = Orders((Row("r", label, some),), (Option("ready", label, then=One(options, label)),))
    lines = list(outline_question(node, "en"))
    assert any("1-3" in line for line in lines)
    assert any(line.strip().startswith("s (0-2)") for line in lines)
    assert any(line.startswith("ready") for line in lines)
    listed = list(list_answers(node, "en"))
    assert any(line.startswith("ready a 2 : ") for line in listed)
    assert any("joined by commas" in line for line in listed)
