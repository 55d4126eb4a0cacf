"""Press and proposals: who hears what, who decides what."""

# ruff: noqa: PT018  # two halves of one statement about a table belong together

import asyncio
from contextlib import asynccontextmanager
from typing import Any

import pytest

from powderkeg.core.errors import Unreadable
from powderkeg.server.press import letters
from powderkeg.server.schemas.press import PressIn
from powderkeg.server.settings import Settings
from powderkeg.server.tables.commands import play_actions
from tests.server.visiting import play_out, principal, running, until


def texts(person, table, query=""):
    return [
        m["text"] for m in person.get(f"/tables/{table}/press?{query}")["messages"] if not m["said"]
    ]


@pytest.mark.slow
def test_a_channel_is_a_set_of_seats(site):
    ann, ben, eve = site.guest("Ann"), site.guest("Ben"), site.guest("Eve")
    table = site.table(ann, ben)
    ann.post(f"/tables/{table}/press", {"text": "to all"})
    eve.post(f"/tables/{table}/press", {"text": "among us"})
    assert texts(ann, table) == texts(ben, table) == ["to all"]
    assert texts(eve, table) == ["to all", "among us"]
    said = ann.post(f"/tables/{table}/press", {"text": "twice", "command": "k"})
    again = ann.post(f"/tables/{table}/press", {"text": "twice", "command": "k"})
    assert said["id"] == again["id"] and texts(ben, table) == ["to all", "twice"]
    assert ann.post(f"/tables/{table}/press", {"text": "x", "to": ["green"]}, 422)


def test_the_number_of_the_last_letter_is_known_until_a_letter_comes(settings):
    with running(settings) as site:
        ann = site.guest("Ann")
        table = site.table(ann, site.guest("Ben"))
        cache = site.server.cache
        before = site.do(cache.last_letter(table))
        assert cache.entries[table].last_letter == before
        made = ann.post(f"/tables/{table}/press", {"text": "Hello"})
        assert made["id"] > before
        until(
            lambda: site.do(cache.last_letter(table)) == made["id"]
        )  # PostgreSQL says it a moment later


def test_silence_where_the_table_wants_it(site):
    ann, ben = site.guest("Ann"), site.guest("Ben")
    table = site.table(ann, ben, settings={"press": "none"})
    assert ann.post(f"/tables/{table}/press", {"text": "psst"}, 409)["code"] == "server.no_talk"
    assert ann.get(f"/tables/{table}")["may_talk"] == []
    public = site.table(ann, ben, settings={"press": "public"})
    assert ann.get(f"/tables/{public}")["may_talk"] == ["all"]


def test_pages_of_press_go_on_where_they_ended(site):
    ann, ben = site.guest("Ann"), site.guest("Ben")
    table = site.table(ann, ben)
    for n in range(5):
        ann.post(f"/tables/{table}/press", {"text": str(n)})
    page = ben.get(f"/tables/{table}/press?limit=2")
    assert [m["text"] for m in page["messages"]] == ["0", "1"]
    rest = ben.get(f"/tables/{table}/press?since={page['next']}")
    assert [m["text"] for m in rest["messages"]] == ["2", "3", "4"] and rest["next"] is None


def test_a_draw_needs_everybody(site):
    ann, ben = site.guest("Ann"), site.guest("Ben")
    table = site.table(ann, ben)
    made = ann.post(f"/tables/{table}/proposals", {"kind": "draw"})
    assert made["status"] == "open" and made["votes"] == {"red": True}
    assert (
        ann.post(f"/tables/{table}/proposals", {"kind": "draw"}, 409)["code"]
        == "server.already_proposed"
    )
    inbox = ben.get("/inbox")["proposals"]
    assert [p["id"] for p in inbox if p["may_vote"]] == [made["id"]]
    done = ben.post(f"/tables/{table}/proposals/{made['id']}/vote", {"agree": True})
    assert done["status"] == "agreed"
    over = ann.get(f"/tables/{table}")
    assert over["status"] == "over" and over["result"]["ranking"] == [["red", "blue"]]
    assert ann.get(f"/tables/{table}/press")["messages"][-1]["code"] == "server.agreed.draw"


@pytest.mark.slow
def test_one_no_declines_a_draw_and_the_proposer_may_withdraw(site):
    ann, ben = site.guest("Ann"), site.guest("Ben")
    table = site.table(ann, ben)
    first = ann.post(f"/tables/{table}/proposals", {"kind": "draw"})["id"]
    assert (
        ben.post(f"/tables/{table}/proposals/{first}/vote", {"agree": False})["status"]
        == "declined"
    )
    second = ann.post(f"/tables/{table}/proposals", {"kind": "draw"})["id"]
    assert (
        ann.post(f"/tables/{table}/proposals/{second}/vote", {"agree": False})["status"]
        == "withdrawn"
    )
    assert ben.post(f"/tables/{table}/proposals/{second}/vote", {"agree": True}, 404)


def test_a_concession_names_its_winner(site):
    ann, ben = site.guest("Ann"), site.guest("Ben")
    table = site.table(ann, ben)
    assert ben.post(f"/tables/{table}/proposals", {"kind": "concede"}, 422)
    ben.post(f"/tables/{table}/proposals", {"kind": "concede", "args": {"winner": "red"}})
    assert ann.get(f"/tables/{table}")["result"]["ranking"] == [["red"], ["blue"]]


@pytest.mark.slow
def test_a_pause_stops_play_until_it_is_over(site):
    ann, ben = site.guest("Ann"), site.guest("Ben")
    table = site.table(ann, ben)
    vote = ann.post(f"/tables/{table}/proposals", {"kind": "pause"})["id"]
    ben.post(f"/tables/{table}/proposals/{vote}/vote", {"agree": True})
    now = ann.get(f"/tables/{table}")
    assert now["status"] == "paused" and now["question"] is None and now["paused_until"]
    assert ann.act(table, "card c1", now["seq"], 409)["code"] == "server.table_paused"
    vote = ann.post(f"/tables/{table}/proposals", {"kind": "resume"})["id"]
    ben.post(f"/tables/{table}/proposals/{vote}/vote", {"agree": True})
    assert ann.get(f"/tables/{table}")["question"]
    unpausing = site.table(ann, ben, settings={"pausing": False})
    assert (
        ann.post(f"/tables/{unpausing}/proposals", {"kind": "pause"}, 409)["code"]
        == "server.no_pausing"
    )


@pytest.mark.slow
def test_a_replaced_seat_can_be_taken_over_and_the_game_goes_on(site):
    ann, ben, carl = site.guest("Ann"), site.guest("Ben"), site.guest("Carl")
    table = site.table(ann, ben, settings={"missed": {"level": "random"}})
    ann.post(f"/tables/{table}/proposals", {"kind": "replace", "args": {"who": "blue"}})
    assert ben.get(f"/tables/{table}")["held"] == []
    assert table in {line["id"] for line in carl.get("/lobby")["open"]}
    carl.post(f"/tables/{table}/join")
    assert play_out(site, table, [ann, carl])["status"] == "over"


def test_deals_are_between_those_who_make_them(site):
    ann, ben, eve = site.guest("Ann"), site.guest("Ben"), site.guest("Eve")
    table = site.table(ann, ben)
    deal = {
        "kind": "deal",
        "to": ["blue"],
        "args": {"text": "two cards for peace", "gives": {"red": 2}},
    }
    made = ann.post(f"/tables/{table}/proposals", deal)
    assert "two cards for peace" in made["text"]
    assert eve.get(f"/tables/{table}")["proposals"] == []
    done = ben.post(f"/tables/{table}/proposals/{made['id']}/vote", {"agree": True})
    assert done["status"] == "agreed" and ann.get(f"/tables/{table}")["status"] == "live"


def test_the_game_may_end_without_a_result(site):
    ann, ben = site.guest("Ann"), site.guest("Ben")
    table = site.table(ann, ben)
    vote = ann.post(f"/tables/{table}/proposals", {"kind": "cancel"})["id"]
    ben.post(f"/tables/{table}/proposals/{vote}/vote", {"agree": True})
    assert ann.get(f"/tables/{table}")["status"] == "closed"


def test_a_nudge_cools_down(site):
    ann, ben = site.guest("Ann"), site.guest("Ben")
    table = site.table(ann, ben)
    ann.post(f"/tables/{table}/nudge")
    assert ann.post(f"/tables/{table}/nudge", expect=409)["code"] == "server.nudged_already"
    eve = site.guest("Eve")
    assert eve.post(f"/tables/{table}/nudge", expect=403)


def test_reports_reach_the_host(site):
    ann, ben = site.guest("Ann"), site.guest("Ben")
    table = site.table(ann, ben)
    ann.post(f"/tables/{table}/report", {"seat": "blue", "text": "rude"})
    assert ann.post(f"/tables/{table}/report", {"seat": "green", "text": "x"}, 404)


@pytest.mark.slow
@pytest.mark.parametrize("press", ["all", "rulebook"])
def test_the_rulebooks_silence_is_the_games_to_say(site, press):
    """Sparks says nothing of talk, so there is none forbidden."""
    ann, ben = site.guest("Ann"), site.guest("Ben")
    table = site.table(ann, ben, settings={"press": press})
    assert ann.get(f"/tables/{table}")["may_talk"] == ["all", "seats"]


@pytest.mark.slow
def test_a_proposal_does_not_outlive_the_game(site):
    """Otherwise a late vote for a draw would put another result in the place of the real one."""
    ann, ben = site.guest("Ann"), site.guest("Ben")
    table = site.table(ann, ben, options={"rounds": 1})
    late = ann.post(f"/tables/{table}/proposals", {"kind": "draw"})["id"]
    over = play_out(site, table, [ann, ben])
    assert over["status"] == "over" and over["proposals"] == []
    assert table not in {p["table"] for p in ben.get("/inbox")["proposals"]}
    ben.post(f"/tables/{table}/proposals/{late}/vote", {"agree": True}, 404)
    assert ann.get(f"/tables/{table}")["result"] == over["result"]


def test_a_closed_table_decides_nothing_more(site):
    ann, ben = site.guest("Ann"), site.guest("Ben")
    table = site.table(ann, ben)
    draw = ann.post(f"/tables/{table}/proposals", {"kind": "draw"})["id"]
    vote = ann.post(f"/tables/{table}/proposals", {"kind": "cancel"})["id"]
    ben.post(f"/tables/{table}/proposals/{vote}/vote", {"agree": True})
    ben.post(f"/tables/{table}/proposals/{draw}/vote", {"agree": True}, 404)
    assert ann.get(f"/tables/{table}")["status"] == "closed"


async def spoken_meanwhile(site, table, work):
    """Do `work` while somebody tries something illegal as soon as a transaction is begun."""
    cache, store = site.server.cache, site.server.store
    begin = {"read": store.read, "write": store.write}
    tried: list[asyncio.Task[Any]] = []

    def begun(name):
        @asynccontextmanager
        async def disturbed():
            for each, original in begin.items():
                setattr(store, each, original)
            illegal = play_actions(cache, table, "red", ["nonsense"], command=None, question=None)
            tried.append(asyncio.create_task(illegal))
            await asyncio.wait(tried, timeout=0.3)
            async with begin[name]() as tx:
                yield tx

        return disturbed

    for name in begin:
        setattr(store, name, begun(name))
    done = await work
    await asyncio.wait(tried)
    assert isinstance(tried[0].exception(), Unreadable)
    return done


@pytest.mark.slow
def test_a_letter_is_not_harmed_by_anothers_mistake(tmp_path):
    """What is illegal makes the server load the table again: not while somebody else still looks at it."""
    with running(Settings(data=str(tmp_path), limits=False)) as site:
        ann, ben = site.guest("Ann"), site.guest("Ben")
        table = site.table(ann, ben)
        cache = site.server.cache
        who = principal(ben.me["id"], "Ben")
        ann.get(f"/tables/{table}")  # the table is known
        said = letters.send_letter(cache, who, table, PressIn(to=["red"], text="psst"))
        assert site.do(spoken_meanwhile(site, table, said)).text == "psst"
        ann.get(f"/tables/{table}")
        heard = letters.read_letters(cache, who, table, None, 0, 10)
        assert site.do(spoken_meanwhile(site, table, heard)).messages[-1].text == "psst"
