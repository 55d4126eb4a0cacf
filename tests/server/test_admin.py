"""What the host may do by hand, and what not even the host may do."""

import re
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path

import pytest
from sqlalchemy import func, select

from powderkeg.core import record
from powderkeg.server.db import schema
from powderkeg.server.refusals import Refused
from powderkeg.server.settings import Settings
from tests.server.visiting import ROOT, Running, hosted, play_out, running, until

pytestmark = pytest.mark.slow


@pytest.fixture
def site(settings) -> Iterator[Running]:
    with running(settings) as found:
        yield found


def pair(site, **wish):
    ann, ben = site.guest("Ann"), site.guest("Ben")
    return ann, ben, site.table(ann, ben, **wish)


@pytest.mark.parametrize("ending", ["played", "closed"])
def test_a_game_whose_key_is_published_is_not_rewound(site, ending):
    """Everybody could foretell its dice. Its file stays what it was, and can be verified."""
    ann, ben, table = pair(site)
    if ending == "played":
        play_out(site, table, [ann, ben])
    else:
        hosted(site, lambda host: host.close_table(table))
    before = hosted(site, lambda host: host.export_table(table))
    assert record.read_record(before).key
    with pytest.raises(Refused) as refused:
        hosted(site, lambda host: host.rewind_table(table, 1))
    assert (refused.value.code, refused.value.status) == ("server.rewind_over", 409)
    assert hosted(site, lambda host: host.export_table(table)) == before
    ended = "over" if ending == "played" else "closed"
    until(lambda: ann.get(f"/tables/{table}")["status"] == ended)  # word of it takes a moment
    assert not list(Path(site.server.settings.data).glob("rewound-*"))


def test_a_copy_of_a_finished_game_may_be_played_on(site):
    """That is the way: the copy has a key of its own, which nobody knows."""
    ann, ben, table = pair(site)
    over = play_out(site, table, [ann, ben])
    copy = ann.post(f"/tables/{table}/sandbox", {"seq": 1})["table"]
    assert copy["status"] == "live"
    assert copy["commitment"] != over["commitment"]
    with pytest.raises(Refused) as refused:
        hosted(site, lambda host: host.export_table(copy["id"]))
    assert refused.value.code == "server.copy_no_file"


def test_a_seat_freed_before_the_start_is_simply_open(site):
    ann, ben = site.guest("Ann"), site.guest("Ben")
    table = ann.post("/tables", {"game": "sparks", "seats": [{"seat": "red", "kind": "me"}]})["id"]
    ben.post(f"/tables/{table}/join")
    hosted(site, lambda host: host.replace_seat(table, "blue", None, None))
    until(lambda: ann.get(f"/tables/{table}")["seats"][1]["kind"] == "open")
    blue = ann.post(f"/tables/{table}/start")["seats"][1]
    assert (blue["kind"], blue["vacant"], blue["autopilot"]) == ("bot", False, False)


def test_what_players_report_reaches_the_host(site):
    ann, _, table = pair(site)
    ann.post(f"/tables/{table}/report", {"seat": "blue", "text": "rude words"})
    (report,) = hosted(site, lambda host: host.list_reports())
    assert (report["game"], report["seat"], report["text"]) == (table, "blue", "rude words")
    assert report["by"] == ann.me["id"]


def test_after_a_rewind_the_seat_to_act_gets_a_notice_again(site):
    """It was announced before, for the same place in the log; that turn is no more."""
    ann, _, table = pair(site, settings={"watch": "on"})
    ann.call("PATCH", "/me", {"hook": {"url": "http://127.0.0.1:1/", "form": "json"}})

    async def announced():
        async with site.server.store.read() as tx:
            mine = (n.game == table) & (n.event == "your_turn") & (n.user == ann.me["id"])
            return await tx.value(select(func.max(n.id)).where(mine))

    async def was_tried():
        async with site.server.store.read() as tx:
            tried = (n.game == table) & (n.status != "sending") & (n.error != "")
            return await tx.value(select(func.count()).where(tried))

    n = schema.notices.c
    start = ann.get(f"/tables/{table}")
    ann.act(table, start["legal"][0], start["question"]["id"])
    hosted(site, lambda host: host.rewind_table(table, start["seq"]))
    first = site.do(announced())
    assert first
    while not site.do(was_tried()):  # a notice on its way is not called back
        continue
    site.do(site.server.store.publish_host_events())
    ann.act(table, start["legal"][0], start["seq"])
    hosted(site, lambda host: host.rewind_table(table, start["seq"]))
    assert site.do(announced()) > first


def test_a_paused_game_that_is_rewound_goes_on(site):
    ann, ben, table = pair(site, settings={"clock": {"kind": "turn", "length": 9e4}})
    start = ann.get(f"/tables/{table}")
    ann.act(table, start["legal"][0], start["question"]["id"])
    vote = ann.post(f"/tables/{table}/proposals", {"kind": "pause"})["id"]
    ben.post(f"/tables/{table}/proposals/{vote}/vote", {"agree": True})
    kept = hosted(site, lambda host: host.rewind_table(table, start["seq"]))
    assert len(record.read_record(Path(kept).read_text()).entries) == start["seq"] + 1

    async def paused():
        await site.server.store.publish_host_events()
        async with site.server.cache.look(table) as loaded:
            return loaded.row.status, loaded.row.paused, loaded.row.pause_ends

    assert site.do(paused()) == ("live", None, None)
    assert ann.get(f"/tables/{table}")["question"]


def test_every_setting_is_in_the_guide():
    page = (ROOT / "docs" / "guides" / "hosting.md").read_text(encoding="utf-8")
    table = page.partition("## Settings")[2].partition("\n## ")[0]
    documented = set(re.findall(r"`([A-Z_]+)`", table))
    assert {field.name.upper() for field in fields(Settings)} == documented
