"""Card packs over HTTP: checked, edited, saved, shared, and shown at the table."""

import json

import pytest

from powderkeg.core.words import LANGS
from powderkeg.games import find_game
from powderkeg.server.schemas.cards import PackIn
from powderkeg.server.settings import Settings
from powderkeg.server.views.pack_sheet import make_sheet
from tests.server.visiting import running

pytestmark = pytest.mark.slow

TOML = """
name = "Anna's box"

[issues.fiume]
name = "Danzig"
stars = 6

[issues.fiume.options.free_city]
removed = true
"""


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    games = {name: find_game(name) for name in ("versailles", "risk_europe", "diplomacy")}
    folder = tmp_path_factory.mktemp("packs")
    with running(Settings(data=str(folder), limits=False), games=games) as site:
        yield site


def sheet(person, text="", *edits, card="", game="versailles", expect=200):
    wish = {"text": text, "edits": list(edits), "card": card}
    return person.call("POST", f"/games/{game}/pack", wish, expect)


def test_a_game_says_how_certain_its_cards_are(site):
    games = {game["name"]: game["deck"] for game in site.person().call("GET", "/games")["games"]}
    assert games["diplomacy"] is None
    assert games["versailles"]["option"] == "pack"
    assert games["versailles"]["reconstructed"] > 400
    assert games["risk_europe"]["reconstructed"] > 10


def test_a_toml_file_becomes_the_line_of_the_option(site):
    found = sheet(site.person(), TOML, card="issues.fiume")
    assert found["name"] == "Anna's box"
    assert json.loads(found["line"])["issues.fiume.name"] == "Danzig"
    said = [(change["card"], change["what"]) for change in found["changes"]]
    assert ("Danzig", "Name") in said
    assert ("Danzig", "Free city") in said
    assert found["card"]["view"]["stars"] == 6
    assert found["card"]["parts"][0]["removable"] is False
    assert {finding["level"] for finding in found["findings"]} <= {"wrong", "doubt", "note"}
    again = sheet(site.person(), found["toml"])
    assert again["line"] == found["line"]
    assert sheet(site.person(), found["line"])["toml"] == found["toml"]


def test_values_are_edited_one_by_one(site):
    ann = site.person()
    line = sheet(ann, "", {"do": "set", "path": "rheinland.stars", "text": "5"})["line"]
    line = sheet(ann, line, {"do": "add", "path": "issues.fiume", "text": "Città libera"})["line"]
    change = {"do": "set", "path": "fiume.citta_libera.happiness", "text": "italy -1"}
    found = sheet(ann, line, change, card="issues.fiume")
    added = found["card"]["parts"][-1]
    assert added["title"] == "Città libera"
    assert {v["label"]: v["text"] for v in added["values"]}["Happiness"] == "italy -1"
    confirmed = {"do": "sure", "path": "silesia.stars", "sure": "certain"}
    found = sheet(ann, found["line"], confirmed, {"do": "name", "text": "Mine"})
    assert found["name"] == "Mine"
    remove = {"do": "remove", "path": "issues.fiume.options.citta_libera"}
    back = [{"do": "reset", "path": p} for p in ("issues.rheinland.stars", "issues.silesia.stars")]
    assert sheet(ann, found["line"], remove, *back)["changes"] == []
    gone = {"do": "remove", "path": "issues.fiume.options.free_city"}
    returned = {"do": "reset", "path": "issues.fiume.options.free_city"}
    assert sheet(ann, "", gone, returned)["changes"] == []


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("game", ["versailles", "risk_europe"])
def test_every_value_and_every_part_has_a_label(lang, game):
    """No key of a file stands where a reader expects words."""
    wish = PackIn(text="", edits=[], card="")
    cards = make_sheet(game, wish, lang).cards
    for path in {line.path.partition(".")[0]: line.path for line in cards}.values():
        card = make_sheet(game, wish.model_copy(update={"card": path}), lang).card
        labels = [card.title, *(part.title for part in card.parts)]
        labels += [value.label for part in card.parts for value in part.values]
        keys = {key for part in card.parts for value in part.values for key in _words(value.path)}
        assert not keys & set(labels), path
        assert not [label for label in labels if "cards." in label or label.isdecimal()]


def _words(path):
    """The keys of a path as they would be shown without words for them."""
    return [key.replace("_", " ") for key in path.split(".")]


def test_words_are_chosen_and_shown_by_their_names(site):
    region = {"do": "set", "path": "issues.fiume.region", "text": "middle_east"}
    unrest = {"do": "set", "path": "issues.fiume.options.to_italy.unrest", "text": "pacific 2"}
    found = sheet(site.person(), "", region, unrest, card="issues.fiume")
    values = {v["path"]: v for part in found["card"]["parts"] for v in part["values"]}
    assert values["issues.fiume.region"]["kind"] == "choice"
    assert {"value": "league", "text": "League"} in values["issues.fiume.region"]["choices"]
    assert values["issues.fiume.options.to_italy.unrest"]["kind"] == "numbers"
    assert values["issues.fiume.options.to_italy.counters"]["kind"] == "several"
    assert values["issues.fiume.stars"]["choices"] == []
    assert [change["new"] for change in found["changes"]] == [
        "Middle East (certain)",
        "Pacific +2 (certain)",
    ]
    crown = sheet(site.person(), card="engineer", game="risk_europe")["card"]
    kinds = {v["path"]: v["kind"] for part in crown["parts"] for v in part["values"]}
    assert kinds["engineer.bonus.unit"] == kinds["engineer.mission.type"] == "choice"


@pytest.mark.parametrize(
    ("text", "edit", "code"),
    [
        ("[issues.fiume\n", {}, "cards.toml_mistake"),
        ("{", {}, "cards.not_a_line"),
        ("[issues.atlantis]\nstars = 1", {}, "cards.no_place"),
        ("", {"do": "set", "path": "rheinland.stars", "text": "many"}, "cards.bad_value"),
        ("", {"do": "set", "path": "rheinland.region", "text": "mars"}, "versailles.pack_unknown"),
        ("", {"do": "set", "path": "x", "text": "1"}, "cards.no_value"),
        ("", {"do": "remove", "path": "issues.fiume"}, "cards.no_part"),
        ("", {"do": "remove", "path": "issues.fiume.options.atlantis"}, "cards.no_part"),
        ("", {"do": "add", "path": "board", "text": "Zone"}, "cards.no_part"),
        ("", {"do": "reset", "path": "atlantis"}, "cards.no_value"),
    ],
)
@pytest.mark.parametrize("lang", ["en", "es", "it"])
def test_what_cannot_be_played_is_refused_in_the_readers_language(site, lang, text, edit, code):
    refusal = sheet(site.person(lang), text, *([edit] if edit else []), expect=None)
    assert refusal.status_code in (400, 422)
    assert refusal.json()["code"] == code
    assert "Expect" not in refusal.json()["text"]


def test_packs_are_saved_shared_and_deleted(site):
    ann, ben = site.guest("Ann"), site.guest("Ben")
    wish = {"game": "versailles", "name": "Box", "text": TOML}
    saved = ann.call("POST", "/packs", wish)
    assert saved["link"].endswith(f"/cards/versailles?pack={saved['id']}")
    assert [pack["name"] for pack in ann.call("GET", "/packs")["packs"]] == ["Box"]
    assert ben.call("GET", "/packs")["packs"] == []
    assert ben.call("GET", f"/packs/{saved['id']}")["mine"] is False
    ben.call("PUT", f"/packs/{saved['id']}", wish, 403)
    ben.call("DELETE", f"/packs/{saved['id']}", None, 403)
    ann.call("PUT", f"/packs/{saved['id']}", {**wish, "name": "Better"})
    assert ben.call("GET", f"/packs/{saved['id']}")["name"] == "Better"
    ann.call("DELETE", f"/packs/{saved['id']}")
    ann.call("GET", f"/packs/{saved['id']}", None, 404)
    site.person().call("POST", "/packs", wish, 401)
    ann.call("POST", "/packs", {**wish, "game": "diplomacy"}, 404)


def test_everybody_at_the_table_sees_the_pack(site):
    ann = site.guest("Ann")
    line = sheet(ann, TOML)["line"]
    wanted = {"game": "versailles", "players": 2, "options": {"pack": line}}
    made = ann.call("POST", "/tables", wanted)
    watcher = site.person("es").call("GET", f"/tables/{made['id']}")
    assert watcher["pack"]["name"] == "Anna's box"
    assert {"card": "Danzig", "what": "Nombre", "old": "Fiume", "new": "Danzig (seguro)"} in (
        watcher["pack"]["changes"]
    )
    plain = ann.call("POST", "/tables", {"game": "versailles", "players": 2})
    assert plain["table"]["pack"] is None
