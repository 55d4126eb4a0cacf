"""Being ready is no prison: own orders stay readable and can be changed until the last one is ready."""

import pytest

from powderkeg.games import diplomacy
from powderkeg.server.db.rows import JobRow
from powderkeg.server.jobs import deadlines
from powderkeg.server.settings import Settings
from tests.server.visiting import running


def two_people(site, **settings):
    ann, ben = site.guest("Ann"), site.guest("Ben")
    wish = {"press": "none", **settings}
    mine = [{"seat": "ENTENTE", "kind": "me"}]
    table = site.table(ann, ben, game="diplomacy", players=2, seats=mine, settings=wish)
    return ann, ben, table


def order_all(person, table, text="ready"):
    now = person.get(f"/tables/{table}")
    return person.act(table, text, now["question"]["id"])


@pytest.mark.slow
@pytest.mark.parametrize("anonymous", [False, True])
def test_a_ready_seat_may_change_its_mind_whatever_others_do(site, anonymous):
    ann, ben, table = two_people(site, anonymous=anonymous)
    first = ann.get(f"/tables/{table}")
    row = first["question"]["node"]["rows"][0]
    order = row["node"]["options"][0]["text"]
    order_all(ann, table, order)
    order_all(ann, table)
    ready = ann.get(f"/tables/{table}")
    assert [option["text"] for option in ready["question"]["node"]["options"]] == ["revise"]
    assert ready["can_undo"]
    assert first["seat"] not in ready["to_act"]
    other = ben.get(f"/tables/{table}")["question"]["node"]["rows"][0]
    order_all(ben, table, other["node"]["options"][0]["text"])
    still = ann.get(f"/tables/{table}")
    assert still["can_undo"]
    assert still["question"]["node"] == ready["question"]["node"]
    order_all(ann, table, "revise")
    again = ann.get(f"/tables/{table}")
    assert again["question"]["node"]["rows"][0]["chosen"] == order


@pytest.mark.slow
def test_questions_leave_ballots_and_absence_to_the_table(site):
    ann, _, table = two_people(site)
    asked = ann.get(f"/tables/{table}")["question"]["node"]
    assert [(o["text"], o["confirm"]) for o in asked["options"]] == [("ready", True)]


def test_a_careful_command_is_refused_if_it_cannot_be_undone(site):
    ann, ben = site.guest("Ann"), site.guest("Ben")
    table = site.table(ann, ben)
    card = ann.get(f"/tables/{table}")["question"]["node"]["options"][0]["text"]
    asked = ann.get(f"/tables/{table}")["seq"]
    ann.post(
        f"/tables/{table}/act", {"command": "a", "question": asked, "text": card, "careful": True}
    )
    now = ben.get(f"/tables/{table}")
    text = now["question"]["node"]["options"][0]["text"]
    wish = {"command": "b", "question": now["seq"], "text": text, "careful": True}
    refused = ben.post(f"/tables/{table}/act", wish, 409)
    assert refused["code"] == "server.cannot_take_back"
    assert ben.get(f"/tables/{table}")["seq"] == now["seq"]
    ben.post(f"/tables/{table}/act", {**wish, "command": "c", "careful": False})
    assert ben.get(f"/tables/{table}")["seq"] > now["seq"]


@pytest.mark.slow
def test_a_missed_deadline_cannot_be_undone(tmp_path):
    with running(
        Settings(data=str(tmp_path), limits=False), games={"diplomacy": diplomacy}
    ) as site:
        ann, _, table = two_people(site, clock={"kind": "turn", "length": 3600})
        cache, seat = site.server.cache, ann.get(f"/tables/{table}")["seat"]

        async def run_out() -> None:
            async with cache.change(table) as change:
                change.set_seat(seat, due=change.now - 1)
            job = JobRow(
                id=0, kind="due", key="", game=table, run_at=0, asked=0, tries=0, locked_until=0,
                error="",
            )  # fmt: skip
            await deadlines.fire_deadline(cache, job)

        site.do(run_out())
        log = ann.get(f"/tables/{table}/log")["entries"]
        assert log[-1]["do"] == "absent"
        for _ in range(2):  # in memory, and read from the database again
            assert not ann.get(f"/tables/{table}")["can_undo"]
            refused = ann.post(f"/tables/{table}/undo", {"command": "u"}, 409)
            assert refused["code"] == "core.nothing_to_undo"
            cache.entries.clear()
