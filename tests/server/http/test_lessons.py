"""Lessons over HTTP: begun, continued, judged by the rules, kept for the person who did them."""

import sqlite3
import time

import pytest

from powderkeg.games import find_game
from powderkeg.lessons import find_exercise
from powderkeg.server.settings import Settings
from tests.server.visiting import running


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    games = {name: find_game(name) for name in ("versailles", "risk_europe", "diplomacy")}
    folder = tmp_path_factory.mktemp("lessons")
    with running(Settings(data=str(folder), limits=False), games=games) as site:
        yield site


def begin(person, name, *, again=False):
    game, exercise = name.split("/")
    return person.call("POST", f"/games/{game}/lessons/{exercise}", {"again": again})["id"]


def do(person, table, *texts):
    for n, text in enumerate(texts):
        now = person.call("GET", f"/tables/{table}")
        wish = {"command": f"{table}{n}{text}", "question": now["question"]["id"], "text": text}
        person.call("POST", f"/tables/{table}/act", wish)


def line(person, name):
    game, exercise = name.split("/")
    lines = person.call("GET", f"/games/{game}/lessons")["lessons"]
    return next(each for each in lines if each["name"] == exercise)


@pytest.mark.parametrize("name", ["diplomacy/cut", "versailles/deal", "risk_europe/battle"])
def test_a_solved_exercise_stays_solved_for_the_one_who_solved_it(site, name):
    ann, ben = site.guest("Ann"), site.guest("Ben")
    assert not line(ann, name)["solved"]
    table = begin(ann, name)
    assert ann.call("GET", f"/tables/{table}/lesson")["verdict"] == "open"
    do(ann, table, *find_exercise(name).solution)
    lesson = ann.call("GET", f"/tables/{table}/lesson")
    assert lesson["verdict"] == "solved"
    assert lesson["done"]
    assert line(ann, name)["solved"]
    assert not line(ann, name)["begun"]
    assert not line(ben, name)["solved"]
    begin(ann, name)  # a new try changes nothing
    assert line(ann, name)["solved"]
    assert line(ann, name)["begun"]


def test_an_exercise_is_continued_where_it_was_left_and_begun_again_on_request(site):
    ann = site.guest("Ann")
    table = begin(ann, "diplomacy/support")
    do(ann, table, "A par - bur")
    assert begin(ann, "diplomacy/support") == table
    drafts = ann.call("GET", f"/tables/{table}")["view"]["drafts"]
    assert list(drafts.values()) == ["A par - bur"]
    fresh = begin(ann, "diplomacy/support", again=True)
    assert fresh != table
    assert ann.call("GET", f"/tables/{fresh}")["view"]["drafts"] == {}


def test_tables_of_earlier_tries_are_deleted_after_an_hour(tmp_path):
    now = [time.time()]
    games = {"diplomacy": find_game("diplomacy")}
    settings = Settings(data=str(tmp_path), limits=False)
    with running(settings, games=games, clock=lambda: now[0]) as site:
        ann = site.guest("Ann")
        first, second = begin(ann, "diplomacy/cut"), begin(ann, "diplomacy/cut", again=True)
        now[0] += 4000
        begin(ann, "diplomacy/bounce")
        with sqlite3.connect(tmp_path / "powderkeg.sqlite") as db:
            left = {row[0] for row in db.execute("select id from games")}
        assert second in left
        assert first not in left


def test_a_wrong_answer_fails_and_a_new_try_begins(site):
    ann = site.guest("Ann")
    table = begin(ann, "diplomacy/bounce")
    do(ann, table, "A par H", "ready")
    assert ann.call("GET", f"/tables/{table}/lesson")["verdict"] == "failed"
    assert not line(ann, "diplomacy/bounce")["solved"]
    assert begin(ann, "diplomacy/bounce") != table


def test_a_lesson_is_nobody_elses_and_no_table_in_a_list(site):
    ann, ben = site.guest("Ann"), site.guest("Ben")
    table = begin(ann, "versailles/settle")
    assert table not in str(ann.call("GET", "/lobby"))
    ben.call("GET", f"/tables/{table}/lesson", expect=404)
    assert ann.call("GET", f"/tables/{table}")["purpose"] == "lesson"


def test_the_texts_come_in_the_readers_language(site):
    ann = site.guest("Ann")
    table = begin(ann, "diplomacy/bounce")
    for lang, word in (("en", "Burgundy"), ("es", "Borgoña"), ("it", "Borgogna")):
        assert word in ann.call("GET", f"/tables/{table}/lesson?lang={lang}")["task"]


def test_a_solution_is_drawn_where_the_game_has_a_map(site):
    ann = site.guest("Ann")
    for game in ("diplomacy", "risk_europe"):
        lines = ann.call("GET", f"/games/{game}/lessons")["lessons"]
        for each in (each for each in lines if each["pictured"]):
            path = f"/games/{game}/lessons/{each['name']}/picture"
            drawn = ann.call("GET", path, expect=None)
            assert drawn.headers["content-type"].startswith("image/svg+xml")
            assert drawn.text.startswith("<svg")
    assert not any(e["pictured"] for e in ann.call("GET", "/games/versailles/lessons")["lessons"])
    ann.call("GET", "/games/versailles/lessons/settle/picture", expect=404)


def test_a_puzzle_keeps_its_solution_to_itself_until_it_is_solved(site):
    ann = site.guest("Ann")
    name = "diplomacy/bulgaria"
    assert not line(ann, name)["done"]
    assert not line(ann, name)["pictured"]
    picture = "/games/diplomacy/lessons/bulgaria/picture"
    ann.call("GET", picture, expect=404)
    table = begin(ann, name)
    assert not ann.call("GET", f"/tables/{table}/lesson")["done"]
    do(ann, table, *find_exercise(name).solution)
    assert line(ann, name)["done"]
    assert line(ann, name)["pictured"]
    assert ann.call("GET", f"/tables/{table}/lesson")["done"]
    assert ann.call("GET", picture, expect=None).text.startswith("<svg")
    site.person().call("GET", picture, expect=404)


def test_an_exercise_that_does_not_exist_is_refused_in_words(site):
    refused = site.guest("Ann").call("POST", "/games/diplomacy/lessons/siege", {}, expect=404)
    assert refused["text"] == "There is no exercise called “diplomacy/siege”."


def test_a_scripted_table_never_waits_for_a_bot(site):
    """The others have answered when the answer of the server comes."""
    ann = site.guest("Ann")
    table = begin(ann, "risk_europe/orders")
    do(ann, table, "pick split tax", "pass")
    assert ann.call("GET", f"/tables/{table}")["to_act"] == ["blue"]
