"""Deadlines, banks, missed moves, pauses: on a clock that the test moves."""

# ruff: noqa: PT018  # two halves of one statement about a table belong together

from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from powderkeg.server import local_time
from powderkeg.server.db.table_settings import ClockSettings
from powderkeg.server.lobby import create
from powderkeg.server.tables.clock import turn_deadline
from tests.server.visiting import Clock, Running, play_out, running, until

pytestmark = pytest.mark.slow

HOUR, DAY = 3600.0, 86400.0


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def site(settings, clock) -> Iterator[Running]:
    with running(settings, clock=clock) as found:
        yield found


TURN = {"kind": "turn", "length": DAY}


def pair(site, **settings):
    ann, ben = site.guest("Ann"), site.guest("Ben")
    return ann, ben, site.table(ann, ben, settings=settings)


def seat(person, table, name):
    return next(s for s in person.get(f"/tables/{table}")["seats"] if s["seat"] == name)


def said(person, table):
    return [
        m["code"].removeprefix("server.said.")
        for m in person.get(f"/tables/{table}/press")["messages"]
    ]


@pytest.mark.slow
def test_a_missed_deadline_plays_the_default_and_says_so(site, clock):
    ann, ben, table = pair(site, clock=TURN)
    now = ann.get(f"/tables/{table}")
    assert now["due"] == clock.now + DAY
    ann.act(table, now["legal"][0], now["question"]["id"])
    clock.now += DAY - 60
    site.server.events.publish("jobs:due", {})
    assert ben.get(f"/tables/{table}")["view"]["round"] == 0
    clock.now += 120
    until(lambda: ben.get(f"/tables/{table}")["view"]["round"] == 1)
    log = ben.get(f"/tables/{table}/log")["entries"]
    assert [e["by"] for e in log if e["seat"] == "blue"][:1] == ["time"]
    assert said(ben, table)[:1] == ["missed"]


@pytest.mark.slow
def test_each_missed_deadline_is_one_of_the_turns_that_were_asked(site, clock, monkeypatch):
    # With this luck both are asked at once in both rounds.
    monkeypatch.setattr(create, "draw_key", lambda: "5eed" * 16)
    ann, ben, table = pair(site, clock=TURN, missed={"autopilot": 9, "open": 9})

    def is_round(n: int) -> bool:
        site.server.events.publish("jobs:due", {})
        return bool(ben.get(f"/tables/{table}")["view"]["round"] == n)

    for n in (1, 2):  # red is asked in both, and never answers
        clock.now += DAY + 60
        until(lambda n=n: is_round(n))
    me = ann.get("/me")
    assert (me["turns"], me["misses"]) == (2, 2)


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "status"), [("draw", "over"), ("pause", "paused")])
def test_nobody_is_charged_once_an_absence_has_ended_or_paused_the_game(site, clock, kind, status):
    """Both are late. Without Ann, who is counted first, Ben's own vote decides."""
    ann, ben, table = pair(site, clock=TURN, missed={"autopilot": 1, "open": 9, "level": "random"})
    ben.post(f"/tables/{table}/proposals", {"kind": kind})
    clock.now += DAY + 60
    site.server.events.publish("jobs:due", {})
    until(lambda: ben.get(f"/tables/{table}")["status"] == status)
    charged = [(me["turns"], me["misses"]) for me in (ann.get("/me"), ben.get("/me"))]
    assert charged == [(1, 1), (1, 0)]
    assert said(ben, table).count("missed") == 1


@pytest.mark.slow
def test_grace_comes_first(site, clock):
    _, ben, table = pair(site, clock=TURN, missed={"grace": HOUR})
    clock.now += DAY + HOUR / 2
    site.server.events.publish("jobs:due", {})
    assert ben.get(f"/tables/{table}")["view"]["round"] == 0
    clock.now += HOUR
    until(lambda: ben.get(f"/tables/{table}")["view"]["round"] == 1)


@pytest.mark.slow
def test_an_absent_player_is_played_by_a_bot_then_replaced(site, clock):
    ann, ben, table = pair(site, clock=TURN, missed={"autopilot": 1, "open": 2, "level": "random"})
    now = ann.get(f"/tables/{table}")
    ann.act(table, now["legal"][0], now["question"]["id"])
    clock.now += DAY + 1
    until(lambda: seat(ann, table, "blue")["autopilot"])
    assert {"missed", "autopilot"} <= set(said(ann, table))
    until(lambda: ann.get(f"/tables/{table}")["question"])
    back = ben.post(f"/tables/{table}/back")
    assert not next(s for s in back["seats"] if s["seat"] == "blue")["autopilot"]


@pytest.mark.slow
def test_a_table_without_people_waits_for_somebody_to_return(site, clock):
    ann, _, table = pair(site, clock=TURN, missed={"autopilot": 1, "open": 9, "level": "random"})
    clock.now += DAY + 1
    until(lambda: ann.get(f"/tables/{table}")["status"] == "paused")
    assert "deserted" in said(ann, table)
    seq = ann.get(f"/tables/{table}")["seq"]
    clock.now += 3 * DAY
    site.server.events.publish("jobs:due", {})
    assert ann.get(f"/tables/{table}")["seq"] == seq
    clock.now += 15 * DAY  # the longest pause is over, and still nobody is there
    site.server.events.publish("jobs:resume", {})
    until(lambda: ann.get(f"/tables/{table}")["paused_until"] > clock.now)
    assert said(ann, table).count("deserted") == 1
    clock.now += 15 * DAY
    ann.post(f"/tables/{table}/back")  # to wait, even if the last limit has just passed
    assert ann.get(f"/tables/{table}")["paused_until"] == clock.now + 14 * DAY
    assert ann.get(f"/tables/{table}")["status"] == "paused"
    ann.post(f"/tables/{table}/proposals", {"kind": "resume"})
    now = until(lambda: ann.get(f"/tables/{table}"))
    assert now["status"] == "live"
    until(lambda: ann.get(f"/tables/{table}")["question"])


def test_people_who_sit_down_again_have_their_whole_time(site, clock):
    ann, _, table = pair(site, clock=TURN, missed={"grace": HOUR})
    clock.now += DAY + 60  # too late, but for the grace

    async def leave() -> None:
        async with site.server.cache.change(table) as change:
            change.set_seat("red", autopilot=True)
            change.set_seat("blue", autopilot=True, vacant=True)

    site.do(leave())
    assert ann.get(f"/tables/{table}")["status"] == "paused"
    ann.post(f"/tables/{table}/back")
    carl = site.guest("Carl")
    carl.post(f"/tables/{table}/join")  # in place of Ben
    vote = ann.post(f"/tables/{table}/proposals", {"kind": "resume"})["id"]
    carl.post(f"/tables/{table}/proposals/{vote}/vote", {"agree": True})
    assert seat(ann, table, "red")["due"] == seat(ann, table, "blue")["due"] == clock.now + DAY


@pytest.mark.slow
def test_an_absent_seat_is_left_out_of_votes_and_can_be_taken_over(site, clock):
    ann, ben, table = pair(site, clock=TURN, missed={"autopilot": 1, "open": 1, "level": "random"})
    now = ann.get(f"/tables/{table}")
    ann.act(table, now["legal"][0], now["question"]["id"])
    vote = ann.post(f"/tables/{table}/proposals", {"kind": "extend"})
    assert vote["status"] == "open"
    clock.now += DAY + 1
    until(lambda: seat(ann, table, "blue")["vacant"])
    assert ann.get(f"/tables/{table}")["proposals"] == []
    carl = site.guest("Carl")
    carl.post(f"/tables/{table}/join")
    assert (
        carl.get(f"/tables/{table}")["held"] == ["blue"]
        and ben.get(f"/tables/{table}")["held"] == []
    )
    assert play_out(site, table, [ann, carl])["status"] == "over"


def test_choosing_again_wins_no_time(site, clock):
    ann, _, table = pair(site, clock=TURN)
    due = ann.get(f"/tables/{table}")["due"]
    clock.now += HOUR
    now = ann.get(f"/tables/{table}")
    ann.act(table, now["legal"][0], now["question"]["id"])
    ann.post(f"/tables/{table}/undo", {"command": "u"})
    assert seat(ann, table, "red")["due"] == due


def test_banks_run_down_and_gain(site, clock):
    ann, _, table = pair(site, clock={"kind": "bank", "bank": 100, "gain": 10})
    clock.now += 30
    now = ann.get(f"/tables/{table}")
    ann.act(table, now["legal"][0], now["question"]["id"])
    assert seat(ann, table, "red")["bank"] == 80


@pytest.mark.slow
def test_a_pause_moves_every_deadline(site, clock):
    ann, ben, table = pair(site, clock=TURN)
    due = ann.get(f"/tables/{table}")["due"]
    vote = ann.post(f"/tables/{table}/proposals", {"kind": "pause"})["id"]
    ben.post(f"/tables/{table}/proposals/{vote}/vote", {"agree": True})
    clock.now += 3 * DAY
    site.server.events.publish("jobs:due", {})
    assert ann.get(f"/tables/{table}")["status"] == "paused"
    vote = ann.post(f"/tables/{table}/proposals", {"kind": "resume"})["id"]
    ben.post(f"/tables/{table}/proposals/{vote}/vote", {"agree": True})
    assert ann.get(f"/tables/{table}")["due"] == due + 3 * DAY


@pytest.mark.slow
def test_a_pause_ends_by_itself_at_last(site, clock):
    ann, ben, table = pair(site, clock=TURN)
    vote = ann.post(f"/tables/{table}/proposals", {"kind": "pause"})["id"]
    ben.post(f"/tables/{table}/proposals/{vote}/vote", {"agree": True})
    clock.now += 15 * DAY
    until(lambda: ann.get(f"/tables/{table}")["status"] == "live")
    assert "resumed" in said(ann, table)


def test_an_extension_gives_a_turn_again(site, clock):
    ann, ben, table = pair(site, clock=TURN)
    due = ann.get(f"/tables/{table}")["due"]
    vote = ann.post(f"/tables/{table}/proposals", {"kind": "extend"})["id"]
    ben.post(f"/tables/{table}/proposals/{vote}/vote", {"agree": True})
    assert ann.get(f"/tables/{table}")["due"] == due + DAY
    clock.now += DAY + 60
    site.server.events.publish("jobs:due", {})
    assert ann.get(f"/tables/{table}")["view"]["round"] == 0


@pytest.mark.slow
def test_proposals_expire(site, clock):
    ann, _, table = pair(site)
    ann.post(f"/tables/{table}/proposals", {"kind": "draw", "hours": 1})
    clock.now += 2 * HOUR
    until(lambda: ann.get(f"/tables/{table}")["proposals"] == [])
    assert ann.get(f"/tables/{table}")["status"] == "live"


@pytest.mark.slow
def test_a_clock_set_back_breaks_nothing(site, clock):
    ann, ben, table = pair(site, clock=TURN)
    clock.now -= 30 * DAY
    over = play_out(site, table, [ann, ben])
    times = [e["at"] for e in ann.get(f"/tables/{table}/log")["entries"]]
    assert over["status"] == "over" and times == sorted(times)


# The hours of the day


def at(zone, *when):
    return datetime(*when, tzinfo=ZoneInfo(zone)).timestamp()


def test_an_hour_of_day_keeps_its_hour_across_daylight_saving():
    rome = "Europe/Rome"
    before = at(rome, 2026, 3, 28, 20, 0)  # clocks go forward in the night of the 29th
    first = local_time.next_local_hour("20:00", rome, before + 1)
    assert first == at(rome, 2026, 3, 29, 20, 0) and first - before == 23 * HOUR
    before = at(rome, 2026, 10, 24, 20, 0)
    assert local_time.next_local_hour("20:00", rome, before + 1) - before == 25 * HOUR


def test_an_hour_that_is_skipped_or_comes_twice_comes_once():
    rome = "Europe/Rome"
    skipped = local_time.next_local_hour("02:30", rome, at(rome, 2026, 3, 29, 0, 0))
    assert datetime.fromtimestamp(skipped, ZoneInfo(rome)).date().isoformat() == "2026-03-29"
    twice = local_time.next_local_hour("02:30", rome, at(rome, 2026, 10, 25, 0, 0))
    after = local_time.next_local_hour("02:30", rome, twice + 1)
    assert after - twice == 25 * HOUR


@given(
    start=st.floats(1_700_000_000, 1_900_000_000),
    hour=st.integers(0, 23),
    minute=st.integers(0, 59),
    zone=st.sampled_from(["Europe/Rome", "America/New_York", "Australia/Lord_Howe", "UTC"]),
)
def test_the_hour_is_never_early_and_within_a_day_or_so(start, hour, minute, zone):
    found = local_time.next_local_hour(f"{hour:02}:{minute:02}", zone, start)
    assert start <= found <= start + 26 * HOUR


def test_stages_have_lengths_of_their_own():
    clock = ClockSettings(kind="turn", length=DAY, stages={"retreat": HOUR})
    assert turn_deadline(clock, "movement", 0, None) == DAY
    assert turn_deadline(clock, "retreat", 0, None) == HOUR
    assert turn_deadline(replace(clock, kind="none"), "retreat", 0, None) is None


@pytest.mark.slow
@pytest.mark.parametrize("kind", [TURN, {"kind": "bank", "bank": HOUR, "gain": 60}])
def test_the_clock_of_a_seat_that_has_decided_stands_still(site, clock, kind):
    ann, ben, table = pair(site, clock=kind)
    now = ann.get(f"/tables/{table}")
    clock.now += 100
    ann.act(table, now["legal"][0], now["question"]["id"])
    assert seat(ben, table, "red")["due"] is None and seat(ben, table, "blue")["due"]
    bank = seat(ben, table, "red")["bank"]
    clock.now += 1000
    assert seat(ben, table, "red")["bank"] == bank
    if kind["kind"] == "bank":
        assert bank == HOUR - 100 + 60


@pytest.mark.slow
def test_a_vote_does_not_wait_for_a_seat_that_a_bot_plays(site, clock):
    ann, _, table = pair(site, clock=TURN, missed={"autopilot": 1, "open": 9, "level": "random"})
    now = ann.get(f"/tables/{table}")
    ann.act(table, now["legal"][0], now["question"]["id"])
    made = ann.post(f"/tables/{table}/proposals", {"kind": "draw"})
    assert made["status"] == "open"  # Ben has a say
    clock.now += DAY + 1
    until(lambda: seat(ann, table, "blue")["autopilot"])
    until(lambda: ann.get(f"/tables/{table}")["status"] == "over")


@pytest.mark.slow
def test_a_deadline_waits_for_monday(site, clock):
    """The clock of the test stands on a Friday morning."""
    rest = {"kind": "turn", "length": DAY, "rest": [5, 6]}
    ann, _, table = pair(site, clock=rest)
    due = ann.get(f"/tables/{table}")["due"]
    assert due == clock.now + 3 * DAY
