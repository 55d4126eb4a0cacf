"""The pack against every fact of the sources, whole or partial (`facts.toml`)."""

import tomllib
from collections import Counter
from pathlib import Path

import pytest

from powderkeg.games.versailles.board import NATIONS, REGIONS
from powderkeg.games.versailles.cards.reader import default_pack
from powderkeg.games.versailles.rules.solo import matching_icons

FACTS = tomllib.loads((Path(__file__).parent / "facts.toml").read_text(encoding="utf-8"))
PACK = default_pack()
ANY_FLAG = ("naval", "empire")
PER_REGION = ("unrest_low", "unrest_high")
PER_PIECE = ("units", "signs", "refuses")


def at(path):
    """The value of the pack at a dotted path."""
    value = PACK.raw
    for key in path.split("."):
        value = value[key]
    return value


def option(path):
    issue, _, name = path.partition(".")
    return next(o for o in PACK.issues[issue].options if o.id == name)


def certainty(path):
    """What the pack says about how sure this value is."""
    card, _, field = path.rpartition(".")
    return at(card).get("certainty", {}).get(field, "certain")


def facts(kind, *keys):
    return [pytest.param(fact, id="-".join(str(fact[k]) for k in keys)) for fact in FACTS[kind]]


@pytest.mark.parametrize("fact", facts("exact", "value"))
def test_a_value_is_what_the_sources_say(fact):
    assert at(fact["value"]) == fact["is"], fact["source"]


def test_every_value_is_as_sure_as_its_source():
    wrong = {
        fact["value"]: certainty(fact["value"])
        for fact in FACTS["exact"]
        if (certainty(fact["value"]) == "certain") != fact["stated"]
    }
    assert wrong == {}
    known = {fact["value"] for fact in FACTS["exact"]}
    assert _sure_paths(PACK.raw, "", lambda name: name != "name") - known == set()


def test_every_name_is_as_sure_as_its_source():
    wrong = {
        fact["card"]: certainty(f"{fact['card']}.name")
        for fact in FACTS["names"]
        if certainty(f"{fact['card']}.name") != ("certain" if fact["stated"] else "probable")
    }
    assert wrong == {}
    known = {f"{fact['card']}.name" for fact in FACTS["names"]}
    assert _sure_paths(PACK.raw["issues"], "issues", lambda name: name == "name") - known == set()


def _sure_paths(table, path, wanted):
    """Values that the pack calls certain or probable."""
    found = set()
    for key, value in table.items():
        if key == "certainty":
            found |= {f"{path}.{n}" for n, s in value.items() if s != "reconstructed" and wanted(n)}
        elif isinstance(value, dict):
            found |= _sure_paths(value, f"{path}.{key}".strip("."), wanted)
    return found


@pytest.mark.parametrize("fact", facts("moves", "option"))
def test_an_option_moves_a_marker(fact):
    for nation in fact["nations"]:
        mood = option(fact["option"]).mood(NATIONS.index(nation))
        assert mood < 0 if fact.get("down") else mood != 0, fact["source"]


@pytest.mark.parametrize("fact", facts("leaves", "option"))
def test_an_option_leaves_a_marker_alone(fact):
    for nation in fact["nations"]:
        assert option(fact["option"]).mood(NATIONS.index(nation)) == 0, fact["source"]


@pytest.mark.parametrize("fact", facts("wilder", "option"))
def test_an_option_brings_more_unrest_than_another(fact):
    region = REGIONS.index(fact["region"])
    one, two = (dict(option(fact[key]).unrest).get(region, 0) for key in ("option", "than"))
    assert one > two, fact["source"]


@pytest.mark.parametrize("fact", facts("alike", "nation"))
def test_two_options_please_a_nation_alike(fact):
    nation = NATIONS.index(fact["nation"])
    assert len({option(path).mood(nation) for path in fact["options"]}) == 1, fact["source"]


@pytest.mark.parametrize("fact", facts("sums", "stars", "source"))
def test_stars_add_up(fact):
    assert sum(PACK.issues[i].stars for i in fact["issues"]) == fact["stars"], fact["source"]


@pytest.mark.parametrize("fact", facts("worth", "issue", "faction"))
def test_an_issue_is_worth_what_solitaire_says(fact):
    card, faction = PACK.issues[fact["issue"]], NATIONS.index(fact["faction"])
    icons = max(matching_icons(o, faction) for o in card.options)
    assert card.stars + icons == fact["value"], fact["source"]


@pytest.mark.parametrize("fact", facts("pages", "page"))
def test_strategies_need_the_words_on_their_page(fact):
    counts = Counter(c.counts for card in fact["cards"] for c in PACK.strategies[card].conditions)
    words = {
        word: sum(counts[kind] for kind in kinds)
        for word, kinds in (("any", ANY_FLAG), ("region", PER_REGION), ("each", PER_PIECE))
    }
    assert words == {word: fact[word] for word in words}


def test_the_first_unit_demobilised_by_four_players_gains_five():
    """rindis.com/blog/7227: with four players the first one rises from 20 to 25."""
    assert max((*PACK.board.spaces, *PACK.board.grey)) == PACK.board.spaces[0] == 5


def test_the_sources_name_the_cards_of_the_box():
    """EN: 53 issues, 46 events and 10 strategies."""
    assert (len(PACK.issues), len(PACK.events), len(PACK.strategies)) == (53, 46, 10)
