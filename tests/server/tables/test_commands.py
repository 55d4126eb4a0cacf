"""Tables: made, joined, started, played, looked back at; on SQLite and on PostgreSQL."""

# ruff: noqa: PT018  # two halves of one statement about a table belong together

import pytest
import sparks

from powderkeg.core import record
from tests.server.visiting import play_out, until


@pytest.mark.slow
def test_a_game_from_the_link_to_the_end(site):
    ann, ben = site.guest("Ann"), site.guest("Ben", "es")
    made = ann.post("/tables", {"game": "sparks", "seats": [{"seat": "red", "kind": "me"}]})
    table = made["id"]
    assert made["table"]["status"] == "open" and made["invite"] in made["link"]
    joined = ben.post(f"/tables/{table}/join", {"invite": made["invite"]})
    assert joined["seat"] == "blue"
    assert ben.post(f"/tables/{table}/start", expect=403)["code"] == "server.not_host"
    started = ann.post(f"/tables/{table}/start")
    assert started["status"] == "live" and started["key"] is None
    over = play_out(site, table, [ann, ben])
    assert over["status"] == "over" and over["result"]["ranking"]
    assert over["commitment"] == started["commitment"] and over["key"]
    text = ann.get(f"/tables/{table}/file", None).text
    assert record.verify_record(record.read_record(text), sparks) > 0


def test_everything_is_said_in_the_readers_language(site):
    ann, ben = site.guest("Ann", "en"), site.guest("Ben", "it")
    table = site.table(ann, ben)
    assert ann.post(f"/tables/{table}/start", expect=409)["text"] == "The game has already started."
    assert (
        ben.post(f"/tables/{table}/start", expect=403)["text"]
        == "Solo l\u2019host del tavolo può farlo."
    )
    assert ben.get(f"/tables/{table}?lang=es&text=1")["seats"][0]["label"]


@pytest.mark.slow
def test_bots_play_the_other_seats(site):
    ann = site.guest("Ann")
    seats = [{"seat": "red", "kind": "me"}, {"seat": "blue", "kind": "bot", "level": "random"}]
    made = ann.post("/tables", {"game": "sparks", "seats": seats, "start": True})
    over = play_out(site, made["id"], [ann])
    assert over["status"] == "over"
    log = ann.get(f"/tables/{made['id']}/log")["entries"]
    assert {"person", "bot", "chance"} == {entry["by"] for entry in log}


def test_the_preset_with_bots_starts_at_once(site):
    ann = site.guest("Ann")
    made = ann.post("/tables", {"game": "sparks", "preset": "bots", "start": True})
    kinds = sorted(seat["kind"] for seat in made["table"]["seats"])
    assert kinds == ["bot", "person"] and made["table"]["status"] == "live"


def test_a_repeated_command_does_nothing_twice(site):
    ann, ben = site.guest("Ann"), site.guest("Ben")
    table = site.table(ann, ben)
    now = ann.get(f"/tables/{table}")
    body = {"command": "once", "question": now["question"]["id"], "text": now["legal"][0]}
    first = ann.post(f"/tables/{table}/act", body)
    again = ann.post(f"/tables/{table}/act", body)
    assert not first["repeated"] and again["repeated"]
    assert again["table"]["seq"] == first["seq"] == now["seq"] + 1


def test_the_log_knows_a_phase_that_comes_back_and_none_that_was_taken_back(site):
    """Three players set up mercenaries, bid, and set up their kingdoms."""
    people = [site.guest(name) for name in ("Ann", "Ben", "Eve")]
    table = site.table(*people, game="risk_europe")

    def phases() -> list[str]:
        return [mark["phase"] for mark in people[0].get(f"/tables/{table}/log")["phases"]]

    for person, coins in zip(people, (2, 1, 0), strict=True):
        person.act(table, f"bid {coins}", person.get(f"/tables/{table}")["question"]["id"])
    assert phases() == ["setup", "bid", "setup"]
    while (now := people[0].get(f"/tables/{table}"))["phase"] == "setup":
        (seat,) = now["to_act"]
        last = next(p for p in people if p.get(f"/tables/{table}")["seat"] == seat)
        last.act(table, last.get(f"/tables/{table}")["legal"][0], now["seq"])
    assert phases() == ["setup", "bid", "setup", "1-cards"]
    last.post(f"/tables/{table}/undo", {"command": "oops"})
    assert phases() == ["setup", "bid", "setup"]


def test_another_seats_secret_choice_does_not_make_mine_late(site):
    ann, ben = site.guest("Ann"), site.guest("Ben")
    table = site.table(ann, ben)
    before = ben.get(f"/tables/{table}")
    ann.act(table, ann.get(f"/tables/{table}")["legal"][0], before["seq"])
    ben.act(table, before["legal"][0], before["question"]["id"])


def test_a_late_click_gets_the_table_and_a_reason(site):
    ann, ben = site.guest("Ann"), site.guest("Ben")
    table = site.table(ann, ben)
    old = ann.get(f"/tables/{table}")["question"]["id"]
    for person in (ann, ben):
        now = person.get(f"/tables/{table}")
        person.act(table, now["legal"][0], now["question"]["id"])
    refused = ann.act(table, "card c1", old, 409)
    assert refused["code"] == "server.moved_on" and refused["table"]["seq"] > old


def test_an_illegal_action_is_refused_with_its_rule(site):
    ann, ben = site.guest("Ann"), site.guest("Ben")
    table = site.table(ann, ben)
    now = ann.get(f"/tables/{table}")
    refused = ann.act(table, "duck", now["seq"], 409)
    assert (refused["code"], refused["rule"]) == ("sparks.not_now", "S-01")
    assert refused["table"]["seq"] == now["seq"]
    assert ann.act(table, "no such thing", now["seq"], 422)["code"].startswith("sparks.")
    assert ann.act(table, "undo", now["seq"], 422)


@pytest.mark.slow
def test_undo_takes_back_your_own_choice_but_not_a_secret_that_came_out(site):
    ann, ben = site.guest("Ann"), site.guest("Ben")
    table = site.table(ann, ben)
    now = ann.get(f"/tables/{table}")
    done = ann.act(table, now["legal"][0], now["seq"])
    assert done["table"]["can_undo"] and done["table"]["question"] is None
    back = ann.post(f"/tables/{table}/undo", {"command": "u1"})["table"]
    assert back["question"] and not back["can_undo"] and back["seq"] == done["seq"] + 1
    log = ann.get(f"/tables/{table}/log")["entries"]
    assert log[-1]["undo"] and log[-2]["undone"]
    for person in (ann, ben):
        now = person.get(f"/tables/{table}")
        person.act(table, now["legal"][0], now["question"]["id"])
    refused = ben.post(f"/tables/{table}/undo", {"command": "u2"}, 409)
    assert refused["code"] == "core.nothing_to_undo"


@pytest.mark.slow
def test_looking_back_shows_what_one_could_see_then(site):
    ann, ben = site.guest("Ann"), site.guest("Ben")
    table = site.table(ann, ben)
    seen = {}
    for _ in range(4):
        for person in (ann, ben):
            now = person.get(f"/tables/{table}")
            if now["question"]:
                person.act(table, now["legal"][-1], now["question"]["id"])
        now = ann.get(f"/tables/{table}")
        seen[now["seq"]] = now["view"]
    for seq, view in seen.items():
        assert ann.get(f"/tables/{table}/at/{seq}")["view"] == view
    assert ann.get(f"/tables/{table}/at/999", 404)["code"] == "server.no_such_moment"
    assert ben.get(f"/tables/{table}/at/1?seat=red", 403)


def test_the_first_moment_can_be_seen_before_the_game_begins(site):
    ann = site.guest("Ann")
    seats = [{"seat": "red", "kind": "me"}]
    table = ann.post("/tables", {"game": "sparks", "players": 2, "seats": seats})["id"]
    assert ann.get(f"/tables/{table}/at/0")["view"]
    refused = ann.post(f"/tables/{table}/sandbox", {}, 404)
    assert refused["code"] == "server.no_such_moment"


def test_hot_seat_one_person_holds_both_with_a_hand_over(site):
    ann = site.guest("Ann")
    seats = [{"seat": "red", "kind": "me"}, {"seat": "blue", "kind": "here", "name": "Bo"}]
    made = ann.post("/tables", {"game": "sparks", "seats": seats, "start": True})
    table = made["id"]
    between = ann.get(f"/tables/{table}")
    assert between["held"] == ["red", "blue"] and between["seat"] is None
    assert (
        between["handover"] == "red" and between["view"]["hand"] == [] and not between["question"]
    )
    for seat in ("red", "blue"):
        now = ann.get(f"/tables/{table}?seat={seat}")
        ann.act(table, now["legal"][0], now["question"]["id"], seat=seat)
    assert ann.get(f"/tables/{table}?seat=red")["view"]["round"] == 1


def test_drafts_are_kept_for_the_seat_alone_and_cleared_by_acting(site):
    ann, ben = site.guest("Ann"), site.guest("Ben")
    table = site.table(ann, ben)
    now = ann.get(f"/tables/{table}")
    ann.call("PUT", f"/tables/{table}/draft", {"question": now["seq"], "value": {"card": "c1"}})
    assert ann.get(f"/tables/{table}")["draft"]["value"] == {"card": "c1"}
    assert ben.get(f"/tables/{table}")["draft"] is None
    ann.act(table, now["legal"][0], now["question"]["id"])
    assert ann.get(f"/tables/{table}")["draft"] is None


@pytest.mark.slow
def test_a_secret_link_keeps_a_seat_and_can_be_claimed(site):
    ann, ben = site.guest("Ann"), site.guest("Ben")
    table = site.table(ann, ben)
    link = ann.post(f"/tables/{table}/seats/red/link")
    other = site.person()
    other.post("/seat-links/open", {"token": link["token"]})
    assert other.get(f"/tables/{table}")["seat"] == "red"
    carl = site.guest("Carl")
    carl.post("/seat-links/open", {"token": link["token"], "claim": True})
    assert carl.get(f"/tables/{table}")["held"] == ["red"]
    assert ann.get(f"/tables/{table}")["held"] == []
    assert other.get(f"/tables/{table}")["held"] == []
    assert other.post("/seat-links/open", {"token": link["token"]}, 404)


@pytest.mark.slow
def test_a_secret_link_ends_when_its_seat_is_taken_over(site):
    """Also on a socket that was opened by it."""
    ann, ben, carl = site.guest("Ann"), site.guest("Ben"), site.guest("Carl")
    table = site.table(ann, ben)
    link = ben.post(f"/tables/{table}/seats/blue/link")["token"]
    phone = site.person()
    phone.post("/seat-links/open", {"token": link})
    with phone.live(table) as wire:
        assert wire.table()["view"]["hand"]
        ann.post(f"/tables/{table}/proposals", {"kind": "replace", "args": {"who": "blue"}})
        assert wire.table(lambda t: t["held"] == [])["view"]["hand"] == []
    carl.post(f"/tables/{table}/join")
    said = [m["code"] for m in carl.get(f"/tables/{table}/press")["messages"]]
    assert said[-1] == "server.said.took_over"
    assert phone.get(f"/tables/{table}")["view"]["hand"] == []
    assert site.person().post("/seat-links/open", {"token": link}, 404)


def test_an_invited_seat_waits_for_its_link(site):
    ann = site.guest("Ann")
    seats = [{"seat": "red", "kind": "me"}, {"seat": "blue", "kind": "invited", "name": "Zoe"}]
    made = ann.post("/tables", {"game": "sparks", "seats": seats})
    stranger = site.guest("Stranger")
    assert stranger.post(f"/tables/{made['id']}/join", {}, 409)["code"] == "server.table_full"
    zoe = site.person()
    zoe.post("/seat-links/open", {"token": made["invites"]["blue"].rpartition("/")[2]})
    assert zoe.get(f"/tables/{made['id']}")["held"] == ["blue"]


def test_join_by_link_only_and_accounts_only(site):
    ann, ben = site.guest("Ann"), site.guest("Ben")
    made = ann.post("/tables", {"game": "sparks", "settings": {"join": "link"}})
    assert ben.post(f"/tables/{made['id']}/join", {}, 403)["code"] == "server.needs_invite"
    ben.post(f"/tables/{made['id']}/join", {"invite": made["invite"]})
    made = ann.post("/tables", {"game": "sparks", "settings": {"join": "accounts"}})
    assert ben.post(f"/tables/{made['id']}/join", {}, 403)["code"] == "server.no_guests"


def test_seats_can_be_changed_before_the_start(site):
    ann, ben = site.guest("Ann"), site.guest("Ben")
    table = ann.post("/tables", {"game": "sparks", "seats": [{"seat": "red", "kind": "me"}]})["id"]
    bot = ann.call("PUT", f"/tables/{table}/seats/blue", {"kind": "bot", "level": "random"})
    assert bot["seats"][1]["kind"] == "bot"
    ann.call("PUT", f"/tables/{table}/seats/blue", {"kind": "open"})
    ben.post(f"/tables/{table}/join", {"seat": "blue"})
    assert ben.post(f"/tables/{table}/join", {"seat": "red"}, 409)["code"] == "server.seat_taken"
    ben.post(f"/tables/{table}/leave")
    assert ann.get(f"/tables/{table}")["seats"][1]["kind"] == "open"


@pytest.mark.slow
def test_seats_can_be_drawn(site):
    people = [site.guest("Ann"), site.guest("Ben")]
    seen = set()
    for _ in range(60):  # by chance all alike only once in 10^17 runs
        table = site.table(*people, settings={"seating": "draw"})
        seen.add(people[0].get(f"/tables/{table}")["seat"])
        if seen == {"red", "blue"}:
            return
    raise AssertionError(seen)


@pytest.mark.slow
def test_watchers_see_no_secret_and_only_where_they_may(site):
    ann, ben, eve = site.guest("Ann"), site.guest("Ben"), site.guest("Eve")
    table = site.table(ann, ben)
    seen = eve.get(f"/tables/{table}")
    assert seen["seat"] is None and seen["view"]["hand"] == [] and seen["question"] is None
    assert eve.act(table, "card c1", seen["seq"], 403)["code"] == "server.not_your_seat"
    closed = site.table(ann, ben, settings={"watch": "off"})
    assert eve.get(f"/tables/{closed}", 403)["code"] == "server.not_watchable"
    assert eve.get(f"/tables/{closed}/log", 403) and eve.get(f"/tables/{closed}/press", 403)


def test_delayed_watchers_see_the_past_only(site):
    ann, ben, eve = site.guest("Ann"), site.guest("Ben"), site.guest("Eve")
    table = site.table(ann, ben, settings={"watch": "delayed", "delay": 3600})
    for person in (ann, ben):
        now = person.get(f"/tables/{table}")
        person.act(table, now["legal"][0], now["question"]["id"])
    late = eve.get(f"/tables/{table}")
    assert late["seq"] == 0 and late["view"]["shown"] == [] and late["due"] is None
    assert eve.get(f"/tables/{table}/log")["entries"] == []


def test_sandbox_holds_only_what_the_reader_knew(site):
    ann, ben = site.guest("Ann"), site.guest("Ben")
    table = site.table(ann, ben)
    mine = ann.get(f"/tables/{table}")["view"]["hand"]
    made = ann.post(f"/tables/{table}/sandbox", {})
    copy = made["table"]
    assert copy["purpose"] == "sandbox" and copy["held"] == ["red", "blue"]
    assert ann.get(f"/tables/{made['id']}?seat=red")["view"]["hand"] == mine
    assert ben.get(f"/tables/{made['id']}", 403)
    for seat in ("red", "blue"):
        now = ann.get(f"/tables/{made['id']}?seat={seat}")
        ann.act(made["id"], now["legal"][0], now["question"]["id"], seat=seat)
    assert ann.get(f"/tables/{made['id']}/at/0?seat=red")["view"]["hand"] == mine


@pytest.mark.slow
def test_a_sandbox_deals_the_hidden_cards_again(site):
    ann, ben = site.guest("Ann"), site.guest("Ben")
    table = site.table(ann, ben)
    hands = set()
    for _ in range(8):
        made = ann.post(f"/tables/{table}/sandbox", {})["id"]
        hands.add(tuple(ann.get(f"/tables/{made}?seat=blue")["view"]["hand"]))
    assert len(hands) > 1


@pytest.mark.slow
def test_rematch_is_one_table_for_all(site):
    ann, ben = site.guest("Ann"), site.guest("Ben")
    table = site.table(ann, ben)
    assert ann.post(f"/tables/{table}/rematch", expect=409)
    play_out(site, table, [ann, ben])
    first = ann.post(f"/tables/{table}/rematch")["id"]
    assert ben.post(f"/tables/{table}/rematch")["id"] == first
    ben.post(f"/tables/{first}/join")
    assert ann.get(f"/tables/{table}")["rematch"] == first


@pytest.mark.slow
def test_files_go_out_and_come_in(site):
    ann, ben = site.guest("Ann"), site.guest("Ben")
    table = site.table(ann, ben)
    assert ann.get(f"/tables/{table}/file", 409)["code"] == "server.game_not_over"
    play_out(site, table, [ann, ben])
    text = ann.get(f"/tables/{table}/file", None).text
    study = ben.post("/imports", {"file": text, "title": "again"})
    assert study["table"]["status"] == "over" and study["table"]["purpose"] == "study"
    ours, theirs = (ben.get(f"/tables/{t}/log?seat=blue")["entries"] for t in (table, study["id"]))
    assert [e["facts"] for e in ours] == [e["facts"] for e in theirs]
    assert ben.get(f"/tables/{study['id']}/at/3")["view"]
    damaged = text.replace("card", "lard", 1)
    assert ben.post("/imports", {"file": damaged}, 422)["code"] == "core.file_damaged"


@pytest.mark.slow
def test_lists_show_my_turn(site):
    ann, ben = site.guest("Ann"), site.guest("Ben")
    table = site.table(ann, ben, title="our evening")
    mine = {line["id"]: line for line in ann.get("/lobby")["mine"]}
    assert mine[table]["my_turn"] and mine[table]["title"] == "our evening"
    now = ann.get(f"/tables/{table}")
    ann.act(table, now["legal"][0], now["question"]["id"])
    mine = {line["id"]: line for line in ann.get("/lobby")["mine"]}
    assert not mine[table]["my_turn"]
    open_table = ann.post("/tables", {"game": "sparks"})["id"]
    assert open_table in {line["id"] for line in ben.get("/lobby")["open"]}
    hidden = ann.post("/tables", {"game": "sparks", "settings": {"listed": False}})["id"]
    assert hidden not in {line["id"] for line in ben.get("/lobby")["open"]}


@pytest.mark.slow
def test_the_lobby_is_streamed(site):
    ann = site.guest("Ann")
    with ann.http.stream("GET", f"{ann.base}/api/lobby/stream") as stream:
        lines = stream.iter_lines()
        assert next(lines) == "event: lobby"
        made = ann.post("/tables", {"game": "sparks"})["id"]
        assert until(lambda: made in next(lines))


def test_games_describe_themselves(site):
    found = site.person("es").get("/games")
    (game,) = [g for g in found["games"] if g["name"] == "sparks"]
    assert game["players"] == [2] and [o["name"] for o in game["options"]] == ["rounds", "sparks"]
    assert "random" in game["levels"]
    assert {"bots", "five", "live", "half", "day", "week"} <= {p["name"] for p in game["presets"]}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("wish", "code"),
    [
        ({"game": "chess"}, "server.no_such_game"),
        ({"game": "sparks", "players": 5}, "server.players"),
        ({"game": "sparks", "options": {"rounds": 9}}, "core.bad_value"),
        ({"game": "sparks", "seats": [{"seat": "green"}]}, "server.no_such_seat"),
        (
            {"game": "sparks", "seats": [{"seat": "red", "kind": "bot", "level": "god"}]},
            "server.no_such_level",
        ),
        ({"game": "sparks", "colour": "red"}, "server.bad_shape"),
    ],
)
def test_a_wish_that_makes_no_sense_is_refused(site, wish, code):
    assert site.guest("Ann").post("/tables", wish, 422)["code"] == code
