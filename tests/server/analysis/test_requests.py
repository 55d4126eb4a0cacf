"""Studying: only finished games and your own tables, never a running game against others or its copy."""

import asyncio
import random

import pytest
import sparks

from powderkeg.bots.engine.thought import Line, Thought
from powderkeg.core.chance import Seeded
from powderkeg.core.table import Table
from powderkeg.core.words import Msg, say
from powderkeg.games import diplomacy, versailles
from powderkeg.server import message_json
from powderkeg.server.analysis import process, worker
from powderkeg.server.analysis.process import AnalysisProcess
from powderkeg.server.refusals import Refused
from powderkeg.server.tables import labels
from tests.bots.versailles.positions import at_turn
from tests.server.visiting import PATIENCE, Person, Site, play_out


def two(site: Site) -> tuple[Person, Person, str]:
    ann, ben = site.guest("Ann"), site.guest("Ben")
    return ann, ben, site.table(ann, ben)


@pytest.mark.slow
def test_no_analysis_in_a_running_game_nor_in_a_copy_of_it(on_sqlite):
    ann, ben, table = two(on_sqlite)
    assert ann.post(f"/tables/{table}/advice", {}, 403)["code"] == "server.no_analysis"
    assert ann.post(f"/tables/{table}/review", {}, 409)["code"] == "server.game_not_over"
    copy = ann.post(f"/tables/{table}/sandbox", {})["id"]
    assert ann.post(f"/tables/{copy}/advice", {"seat": "red"}, 403)["code"] == "server.no_analysis"
    again = ann.post(f"/tables/{copy}/sandbox", {"seat": "red"})["id"]
    assert ann.post(f"/tables/{again}/advice", {"seat": "red"}, 403)["code"] == "server.no_analysis"
    play_out(on_sqlite, table, [ann, ben])
    assert ann.post(f"/tables/{copy}/advice", {"seat": "red", "level": "easy"})["moves"]


@pytest.mark.slow
def test_a_copy_played_to_its_end_tells_nothing_of_the_running_game(on_sqlite):
    """Nor does a copy of that copy: what matters is the game that both come from."""
    ann, ben, table = two(on_sqlite)
    copy = ann.post(f"/tables/{table}/sandbox", {})["id"]
    while (now := ann.get(f"/tables/{copy}?text=0"))["status"] == "live":
        mine = ann.get(f"/tables/{copy}?text=0&seat={now['to_act'][0]}")
        ann.act(copy, mine["legal"][0], mine["question"]["id"], seat=mine["seat"])
    wish = {"seq": 0, "seat": "red", "level": "easy"}
    assert ann.post(f"/tables/{copy}/advice", wish, 403)["code"] == "server.no_analysis"
    again = ann.post(f"/tables/{copy}/sandbox", {"seq": 0, "seat": "red"})["id"]
    assert ann.post(f"/tables/{again}/advice", wish, 403)["code"] == "server.no_analysis"
    play_out(on_sqlite, table, [ann, ben])
    assert ann.post(f"/tables/{copy}/advice", wish)["moves"]
    assert ann.post(f"/tables/{again}/advice", wish)["moves"]


@pytest.mark.slow
def test_a_game_against_bots_is_coached_unless_it_is_rated_or_anonymous(on_sqlite):
    ann = on_sqlite.person("en").guest("Ann")
    seats = [{"seat": "red", "kind": "me"}, {"seat": "blue", "kind": "bot", "level": "random"}]
    wish = {"game": "sparks", "seats": seats, "start": True}
    table = ann.post("/tables", wish)["id"]
    asked = {"seat": "red", "level": "easy"}
    for move in ann.post(f"/tables/{table}/advice", {"seq": 0, **asked})["moves"]:
        assert " ".join(move["parts"]) == move["said"]
    assert ann.post(f"/tables/{table}/advice", {**asked, "seat": "blue"}, None).status_code == 403
    for settings in ({"rated": True}, {"anonymous": True}):
        other = ann.post("/tables", wish | {"settings": settings})["id"]
        assert ann.post(f"/tables/{other}/advice", asked, 403)["code"] == "server.no_analysis"
    eve = on_sqlite.person("en").guest("Eve")
    assert eve.post(f"/tables/{table}/advice", {}, 403)["code"] == "server.no_analysis"


@pytest.mark.slow
def test_a_table_of_my_own_is_studied(on_sqlite):
    ann = on_sqlite.person("es").guest("Ann")
    seats = [{"seat": "red", "kind": "me"}, {"seat": "blue", "kind": "here"}]
    wish = {"game": "sparks", "players": 2, "seats": seats, "start": True}
    table = ann.post("/tables", wish)["id"]
    found = ann.post(f"/tables/{table}/advice", {"seat": "red"})
    assert abs(sum(part["share"] for part in found["shares"]) - 1) < 0.01
    asked = ann.get(f"/tables/{table}?seat=red")["question"]["node"]["options"]
    (move,) = found["moves"]
    assert move["said"] == next(o["label"] for o in asked if o["text"] == move["text"])
    assert found["reason"]
    eve = on_sqlite.guest("Eve")
    assert eve.post(f"/tables/{table}/advice", {}, 403)


@pytest.mark.slow
def test_a_moment_of_a_finished_game_is_studied_through_any_eyes(on_sqlite):
    ann, ben, table = two(on_sqlite)
    play_out(on_sqlite, table, [ann, ben])
    asked = next(n for n in range(20) if "blue" in ann.get(f"/tables/{table}/at/{n}")["to_act"])
    found = ann.post(f"/tables/{table}/advice", {"seq": asked, "seat": "blue", "level": "easy"})
    assert found["seat"] == "blue"
    assert found["moves"]
    over = ann.post(f"/tables/{table}/advice", {})
    assert over["moves"] == []
    assert ann.post(f"/tables/{table}/advice", {"seq": 999}, 404)["code"] == "server.no_such_moment"


@pytest.mark.slow
def test_a_review_goes_through_the_whole_game(on_sqlite):
    ann, ben, table = two(on_sqlite)
    play_out(on_sqlite, table, [ann, ben])
    length = ann.get(f"/tables/{table}")["seq"]
    part, rounds = ann.post(f"/tables/{table}/review", {"level": "easy"}), 1
    while part["next"] is not None:
        assert 0 < part["next"] <= length
        more = {"since": part["next"], "level": "easy"}
        part, rounds = ann.post(f"/tables/{table}/review", more), rounds + 1
        assert rounds < 100
    assert part["all"] == length
    assert ann.post(f"/tables/{table}/review", {"seat": "green"}, 403)


@pytest.mark.asyncio
async def test_a_study_that_would_wait_too_long_is_refused():
    """One process studies for all. A few may wait; more would wait longer than they will."""
    one = AnalysisProcess()
    await one.lock.acquire()
    queue = [asyncio.create_task(one.request({})) for _ in range(process.WAITING_REQUESTS)]
    await asyncio.sleep(0)
    with pytest.raises(Refused) as refused:
        await one.request({})
    assert (refused.value.status, refused.value.code) == (503, "server.study_busy")
    assert refused.value.seconds
    for task in queue:
        task.cancel()
    await asyncio.gather(*queue, return_exceptions=True)
    assert one.waiting == 0


@pytest.mark.asyncio
async def test_a_study_that_takes_too_long_is_given_up_and_the_next_one_served():
    state = Table(sparks, 2, source=Seeded(random.Random(1))).state
    view = sparks.view(state, "red")
    request = {"kind": "advice", "game": "sparks", "view": view, "asked": True, "level": "easy"}
    one = AnalysisProcess()
    one.host.seconds = 0.01
    with pytest.raises(Refused) as refused:
        await one.request(request)
    assert (refused.value.status, refused.value.code) == (409, "server.study_failed")
    one.host.seconds = PATIENCE
    assert (await one.request(request))["moves"]
    with pytest.raises(Refused) as refused:
        await one.request({**request, "kind": "nothing"})
    assert refused.value.code == "server.study_failed"
    one.close()


def test_the_analysis_lists_what_a_bot_weighed(monkeypatch):
    """The best lines come with their shares, in the reader's words."""
    state = Table(sparks, 2, source=Seeded(random.Random(1))).state
    best = next(iter(sparks.legal(state, "red")))

    def think(*_: object) -> Thought:
        return Thought(best, Msg("bots.reason.only"), (Line(best, {"red": 0.7, "blue": 0.3}, 9),))

    monkeypatch.setattr(worker.analysis, "_think_for", think)
    view = sparks.view(state, "red")
    request = {"game": "sparks", "view": view, "asked": True, "level": "hard"}
    found = worker.analyse_moment(request)
    assert found["lines"][0]["text"] == str(best)
    assert found["lines"][0]["shares"] == {"red": 0.7, "blue": 0.3}
    said = " ".join(
        say(message_json.load_message(part), "en") for part in found["lines"][0]["said"]
    )
    assert said == labels.action_in_words(sparks.ask(state, "red"), str(best), "en")


@pytest.mark.slow
def test_a_player_who_should_offer_a_deal_sees_what_may_be_done_then():
    p = at_turn(18)
    view = versailles.view(p, min(versailles.to_act(p)))
    request = {"game": versailles.__name__, "view": view, "asked": True, "level": "hard"}
    found = worker.analyse_moment(request)
    assert [move["text"].split()[0] for move in found["moves"]][:1] == ["propose"]
    assert len(found["lines"]) > 1


def test_a_turn_that_takes_too_long_says_that_it_is_cut_off(monkeypatch):
    state = Table(diplomacy, 7).state
    view = diplomacy.view(state, "RUSSIA")
    request = {"game": diplomacy.__name__, "view": view, "asked": True, "level": "normal"}
    whole = worker.analyse_moment(request)
    assert (len(whole["moves"]), whole["cut"]) == (5, False)
    monkeypatch.setattr(worker, "MOST_MOVES", 2)
    short = worker.analyse_moment(request)
    assert (short["moves"], short["cut"]) == (whole["moves"][:2], True)
