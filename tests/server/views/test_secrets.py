"""Nobody peeks: all seats are connected, and no message to anybody holds another's secret."""

# ruff: noqa: PT018  # two halves of one statement about a table belong together

import json
from typing import Any

import pytest
import sparks

from tests.server.visiting import Clock, Person, running

pytestmark = pytest.mark.slow


def secrets_of(view: dict[str, Any]) -> set[str]:
    return set(view["hand"])


@pytest.mark.slow
def test_no_message_holds_a_card_that_its_reader_may_not_know(site):
    """Sparks: hands are known to their holders until cards are shown."""
    ann, ben, eve = site.guest("Ann"), site.guest("Ben"), site.guest("Eve")
    table = site.table(ann, ben)
    with (
        ann.live(table, "text=1") as a,
        ben.live(table, "text=1&raw=1") as b,
        eve.live(table, "text=1") as e,
    ):
        wires = {"red": (ann, a), "blue": (ben, b)}
        ever: dict[str, set[str]] = {"red": set(), "blue": set()}
        for _ in range(30):
            moved = False
            for seat, (person, _) in wires.items():
                now = person.get(f"/tables/{table}?seat={seat}")
                ever[seat] |= secrets_of(now["view"])
                if now["question"]:
                    person.act(table, now["legal"][-1], now["question"]["id"])
                    moved = True
                check_wire(a, "red", wires)
                check_wire(b, "blue", wires)
                check_wire(e, None, wires)
                for reader in (ann, ben, eve):
                    check_log(reader, table)
            if not moved:
                break
        assert now["status"] == "over"


def check_wire(wire, seat, wires):
    """No card of a hand reaches the others, unless it was shown."""
    wire.drain(0.02)
    for message in wire.heard:
        if message["type"] != "table" or message["table"]["status"] == "over":
            continue
        view = message["table"]["view"]
        allowed = (
            set(view["hand"]) | set(view["shown"]) | set(filter(None, [view["chosen"].get(seat)]))
        )
        text = json.dumps(message)
        shown = {card for card in sparks.CARDS if f'"{card}"' in text or f"={card}" in text}
        assert shown <= allowed, (seat, shown - allowed)
    wire.heard.clear()


def check_log(reader: Person, table: str) -> None:
    page = reader.get(f"/tables/{table}/log")
    now = reader.get(f"/tables/{table}")
    if now["status"] == "over":
        return
    mine = now["seat"]
    for entry in page["entries"]:
        assert entry["do"] is None or entry["seat"] == mine
        if entry["seat"] != mine:
            codes = {fact["code"] for fact in entry["facts"]}
            assert not codes & {"sparks.you_chose", "sparks.you_drew"}


@pytest.mark.slow
@pytest.mark.parametrize("field", ["key", "initial", "state", "password", "hash"])
def test_no_state_and_no_key_ever_leaves(site, field):
    ann, ben = site.guest("Ann"), site.guest("Ben")
    table = site.table(ann, ben)
    text = json.dumps(ann.get(f"/tables/{table}"))
    assert f'"{field}": null' in text or f'"{field}"' not in text


@pytest.mark.slow
def test_an_anonymous_table_leaks_nothing(site):
    """Two tables that differ only in who has already chosen look the same to the other."""
    ann, ben, eve = site.guest("Ann"), site.guest("Ben"), site.guest("Eve")
    table = site.table(
        ann, ben, settings={"anonymous": True, "clock": {"kind": "turn", "length": 9e4}}
    )

    def seen(person):
        now = person.get(f"/tables/{table}")
        return {k: v for k, v in now.items() if k != "now"}

    before = seen(ben), seen(eve)
    log = ben.get(f"/tables/{table}/log"), eve.get(f"/tables/{table}/log")
    with ben.live(table) as b, eve.live(table) as e:
        b.table(), e.table()
        now = ann.get(f"/tables/{table}")
        ann.act(table, now["legal"][0], now["question"]["id"])
        assert not [m for m in b.drain(0.6) if m["type"] == "table"][1:]
        assert not [m for m in e.drain(0.1) if m["type"] == "table"][1:]
    assert (seen(ben), seen(eve)) == before
    assert (ben.get(f"/tables/{table}/log"), eve.get(f"/tables/{table}/log")) == log
    text = json.dumps([*before, *log, [x for x in eve.get("/lobby")["live"] if x["id"] == table]])
    assert "Ann" not in text and ann.me["id"] not in text
    other = next(s for s in before[0]["seats"] if not s["mine"])
    assert (other["kind"], other["present"], other["to_act"], other["name"]) == (
        "hidden",
        None,
        None,
        "",
    )
    mine = ben.get(f"/tables/{table}")
    ben.act(table, mine["legal"][0], mine["question"]["id"])
    after = ben.get(f"/tables/{table}/log")["entries"]
    assert len(after) > len(log[0]["entries"]) and all(entry["at"] is None for entry in after)


def test_who_took_something_back_in_secret_stays_secret(site):
    """At an anonymous table nobody learns, not even when all have chosen, who had changed their mind."""
    ann, ben = site.guest("Ann"), site.guest("Ben")
    table = site.table(ann, ben, settings={"anonymous": True})
    base = ann.get(f"/tables/{table}")["seq"]
    for text, taken_back in (("first", True), ("second", False)):
        now = ann.get(f"/tables/{table}")
        ann.act(table, now["legal"][0], now["question"]["id"])
        if taken_back:
            ann.post(f"/tables/{table}/undo", {"command": text})
    now = ben.get(f"/tables/{table}")
    ben.act(table, now["legal"][0], now["question"]["id"])

    def mine(person):
        return [e for e in person.get(f"/tables/{table}/log")["entries"] if e["seat"] == "red"]

    assert [(e["undone"], e["undo"]) for e in mine(ann)] == [
        (True, False),
        (False, True),
        (False, False),
    ]
    (seen,) = mine(ben)
    assert not seen["undone"]
    log = ben.get(f"/tables/{table}/log")["entries"]
    assert [e["seq"] for e in log] == list(range(len(log)))
    assert not [fact for e in log if not e["seat"] for fact in e["facts"]]
    for since in range(len(log)):  # a page may begin between an entry and what took it back
        pages = [ben.get(f"/tables/{table}/log?since={since}&limit={n}") for n in (1, 2, 100)]
        assert all(page["entries"] == log[since:][: len(page["entries"])] for page in pages)
    moments = [ben.get(f"/tables/{table}/at/{seq}")["view"] for seq in range(base, base + 4)]
    assert all(moment["chosen"] == {} for moment in moments)
    for seq in range(base, base + 4):
        copy = ben.post(f"/tables/{table}/sandbox", {"seq": seq})["id"]
        assert ben.get(f"/tables/{copy}")["view"]["chosen"] == {}


def test_who_watches_late_does_not_see_who_has_chosen(settings):
    """A player may watch the table beside, with the name of a guest."""
    clock = Clock()
    with running(settings, clock=clock) as site:
        ann, ben, eve = site.guest("Ann"), site.guest("Ben"), site.guest("Eve")
        wish = {"anonymous": True, "watch": "delayed", "delay": 60}
        table = site.table(ann, ben, settings=wish)
        clock.now += 100
        before = eve.get(f"/tables/{table}/log")["entries"]
        now = ann.get(f"/tables/{table}")
        ann.act(table, now["legal"][0], now["question"]["id"])
        clock.now += 100
        assert eve.get(f"/tables/{table}")["view"]["chosen"] == {}
        assert eve.get(f"/tables/{table}/log")["entries"] == before


def test_names_and_votes_are_open_when_the_game_has_ended(site):
    """A cancelled game has ended as much as one that was played out."""
    ann, ben = site.guest("Ann"), site.guest("Ben")
    table = site.table(ann, ben, settings={"anonymous": True})
    proposal = ann.post(f"/tables/{table}/proposals", {"kind": "cancel"})
    vote = f"/tables/{table}/proposals/{proposal['id']}/vote"
    assert ben.get(f"/tables/{table}")["proposals"][0]["votes"] == {}
    ended = ben.post(vote, {"agree": True})
    assert (ended["status"], ended["votes"]) == ("agreed", {"red": True, "blue": True})
    now = ben.get(f"/tables/{table}")
    assert now["status"] == "closed"
    assert [seat["name"] for seat in now["seats"]] == ["Ann", "Ben"]


def test_the_place_of_my_move_does_not_tell_that_others_have_moved(site):
    """In an anonymous game entries are numbered for me as if I were alone."""
    ann, ben = site.guest("Ann"), site.guest("Ben")
    table = site.table(ann, ben, settings={"anonymous": True})
    base = ben.get(f"/tables/{table}")["seq"]
    for n in range(2):
        now = ann.get(f"/tables/{table}")
        ann.act(table, now["legal"][0], now["question"]["id"])
        ann.post(f"/tables/{table}/undo", {"command": f"u{n}"})
    with ben.live(table) as b:
        now = b.table()
        b.send(type="act", command="1", question=now["question"]["id"], text=now["legal"][0])
        assert b.next("done")["seq"] == base + 1
    mine = [e["seq"] for e in ben.get(f"/tables/{table}/log")["entries"] if e["seat"] == "blue"]
    assert mine == [base]
    assert ben.get(f"/tables/{table}/log?since={base + 1}")["entries"] == []


@pytest.mark.slow
@pytest.mark.parametrize("settings", [{"anonymous": True}, {}])
def test_what_comes_later_has_a_greater_rev(site, settings):
    """From the waiting loaded to the end: who drops what is older never drops what is newer."""
    ann, ben, eve = site.guest("Ann"), site.guest("Ben"), site.guest("Eve")
    seats = [{"seat": "red", "kind": "me"}]
    made = ann.post("/tables", {"game": "sparks", "seats": seats, "settings": settings})
    table = made["id"]
    revs: dict[Person, list[int]] = {ann: [], ben: [], eve: []}

    def look() -> None:
        for person, seen in revs.items():
            seen.append(person.get(f"/tables/{table}")["rev"])

    for _ in range(5):  # a table that was much changed before it began
        ann.call("PUT", f"/tables/{table}/seats/blue", {"kind": "bot", "level": "random"})
        ann.call("PUT", f"/tables/{table}/seats/blue", {"kind": "open"})
        look()
    ben.post(f"/tables/{table}/join", {"invite": made["invite"]})
    look()
    ann.post(f"/tables/{table}/start")
    look()
    while (status := ann.get(f"/tables/{table}")["status"]) == "live":
        for person in (ann, ben):
            now = person.get(f"/tables/{table}")
            if now["question"]:
                person.act(table, now["legal"][0], now["question"]["id"])
                look()
    assert status == "over"
    for seen in revs.values():
        assert seen == sorted(seen)


@pytest.mark.slow
def test_a_sandbox_of_a_running_game_is_dealt_again(site):
    """The player who copies a game holds all seats of the copy, and finds other cards in the others' hands."""
    ann, ben = site.guest("Ann"), site.guest("Ben")
    table = site.table(ann, ben)
    mine = ann.get(f"/tables/{table}")["view"]["hand"]
    theirs = ben.get(f"/tables/{table}")["view"]["hand"]
    found = []
    for _ in range(8):
        copy = ann.post(f"/tables/{table}/sandbox")["id"]
        assert ann.get(f"/tables/{copy}?seat=red")["view"]["hand"] == mine
        found.append(ann.get(f"/tables/{copy}?seat=blue")["view"]["hand"])
        assert ben.get(f"/tables/{copy}", 403)
    assert any(hand != theirs for hand in found)


# Several people at one screen


@pytest.fixture
def shared(site):
    """Ann's screen, where red and blue are played."""
    ann = site.guest("Ann")
    seats = [{"seat": "red", "kind": "me"}, {"seat": "blue", "kind": "here"}]
    made = ann.post("/tables", {"game": "sparks", "seats": seats, "start": True})
    return ann, made["id"]


def test_at_one_screen_a_seat_does_not_see_what_the_other_did(shared):
    ann, table = shared
    now = ann.get(f"/tables/{table}?seat=red")
    ann.act(table, now["legal"][0], now["question"]["id"], seat="red")
    done = {
        seat: [e["do"] for e in ann.get(f"/tables/{table}/log?{seat}")["entries"] if e["do"]]
        for seat in ("seat=red", "seat=blue", "")
    }
    assert done["seat=red"][-1] == now["legal"][0]
    assert now["legal"][0] not in done["seat=blue"] + done[""]


def test_at_one_screen_proposals_are_shown_to_whom_they_are_made(shared):
    ann, table = shared
    deal = {"kind": "deal", "to": ["blue"], "args": {"text": "You first."}, "seat": "red"}
    ann.post(f"/tables/{table}/proposals", deal)
    ann.post(f"/tables/{table}/proposals", {"kind": "draw", "seat": "red"})

    def open_to(seat):
        found = ann.get(f"/tables/{table}{seat}")["proposals"]
        return {p["kind"]: p["may_vote"] for p in found}

    assert open_to("?seat=blue") == {"deal": True, "draw": True}
    assert open_to("?seat=red") == {"deal": False, "draw": False}
    assert open_to("") == {"draw": False}  # for all readers
    assert {p["kind"] for p in ann.get("/inbox")["proposals"]} == {"deal", "draw"}


def test_leaving_a_seat_leaves_the_seats_of_others_alone(shared):
    ann, table = shared
    assert ann.post(f"/tables/{table}/leave?seat=green", expect=403)
    ann.post(f"/tables/{table}/leave?seat=red")
    assert ann.get(f"/tables/{table}")["held"] == ["blue"]
    ann.post(f"/tables/{table}/leave")
    assert ann.get(f"/tables/{table}")["held"] == []


def test_at_one_screen_a_no_is_not_a_withdrawal_by_the_other(shared):
    ann, table = shared
    made = ann.post(f"/tables/{table}/proposals", {"kind": "draw", "seat": "red"})
    path = f"/tables/{table}/proposals/{made['id']}/vote"
    assert ann.post(path, {"agree": False, "seat": "blue"})["status"] == "declined"
    made = ann.post(f"/tables/{table}/proposals", {"kind": "draw", "seat": "red"})
    path = f"/tables/{table}/proposals/{made['id']}/vote"
    assert ann.post(path, {"agree": False, "seat": "red"})["status"] == "withdrawn"
