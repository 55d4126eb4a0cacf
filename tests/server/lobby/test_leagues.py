"""Leagues: tables of a club, counted together by their results."""

# ruff: noqa: PT018  # two halves of one statement about a page belong together

import pytest
import sparks

from powderkeg.games import diplomacy
from powderkeg.server.db.rows import SeatRow, TableRow
from powderkeg.server.lobby.standings import (
    Member,
    Player,
    count_standings,
    divide_points,
    finished_game,
)
from tests.server.visiting import play_out, running

slow = pytest.mark.slow
GAMES = {"sparks": sparks, "diplomacy": diplomacy}
SHORT = {"rounds": 1}


# How points come about


def outcome(ranking, **scores):
    return {"ranking": ranking, "scores": scores, "why": None, "rule": ""}


@pytest.mark.parametrize(
    ("result", "points"),
    [
        (outcome([["red"], ["blue"]], red=1.0, blue=0.0), {"red": 100.0, "blue": 0.0}),
        (outcome([["red", "blue"], ["sky"]], red=0.5, blue=0.5, sky=0.0),
         {"red": 50.0, "blue": 50.0, "sky": 0.0}),
        (outcome([["red"], ["blue"]], red=30.0, blue=10.0), {"red": 75.0, "blue": 25.0}),
        (outcome([["red"], ["blue"]], red=6.0, blue=-2.0), {"red": 100.0, "blue": 0.0}),
        (outcome([["red"], ["blue"]], red=-1.0, blue=-2.0), {"red": 100.0, "blue": 0.0}),
        (outcome([["red", "blue"]], red=0.0, blue=0.0), {"red": 50.0, "blue": 50.0}),
    ],
)  # fmt: skip
def test_a_game_is_worth_a_hundred_points_divided_as_its_scores_are(result, points):
    assert divide_points(result) == points


MEMBERS = {
    "a": Member("Ann", "person"),
    "b": Member("Ben", "guest"),
    "p": Member("Program", "bot"),
}


def seat(colour, kind="person", user=None, **more):
    return SeatRow(game="t", seat=colour, place=0, kind=kind, user=user, **more)


def game(result, *seats):
    row = TableRow(
        id="t", rules="sparks", version=1, players=2, options={}, key="", created=1, moved=1
    )
    return finished_game(row, result, seats, MEMBERS)


WON = outcome([["red"], ["blue"]], red=1.0, blue=0.0)
DRAWN = outcome([["red", "blue"]], red=0.5, blue=0.5)


def table_of(*games):
    return [
        (*each.player, each.games, each.wins, each.shared, each.points)
        for each in count_standings(games)
    ]


def test_wins_shared_wins_and_points_add_up():
    ann, ben = seat("red", user="a"), seat("blue", user="b")
    assert table_of(game(WON, ann, ben), game(DRAWN, ann, ben)) == [
        ("a", "", 2, 1, 1, 150.0),
        ("b", "", 2, 0, 1, 50.0),
    ]


def test_bots_and_programs_are_not_counted_and_a_game_needs_two_people():
    ann, ben = seat("red", user="a"), seat("blue", user="b")
    assert table_of(game(WON, ann, seat("blue", "bot"))) == []
    assert table_of(game(WON, ann, seat("blue", user="p"))) == []
    third = outcome([["sky"], ["red"], ["blue"]], sky=2.0, red=1.0, blue=1.0)
    assert table_of(game(third, ann, ben, seat("sky", "bot"))) == [
        ("a", "", 1, 0, 0, 25.0),
        ("b", "", 1, 0, 0, 25.0),
    ]


def test_who_leaves_takes_no_win_from_the_others_and_stands_nowhere():
    left = seat("blue", vacant=True, autopilot=True)
    assert table_of(game(WON, seat("red", user="a"), left)) == [("a", "", 1, 1, 0, 100.0)]


def test_people_at_one_screen_are_told_apart_by_name():
    ann, bea = seat("red", user="a", name="Ann"), seat("blue", user="a", name="Bea")
    assert table_of(game(DRAWN, ann, bea)) == [
        ("a", "", 1, 0, 1, 50.0),
        ("a", "Bea", 1, 0, 1, 50.0),
    ]
    alone = seat("blue", user="a", name="Ann")
    assert game(DRAWN, ann, alone).players == {"red": Player("a"), "blue": Player("a")}
    assert table_of(game(DRAWN, ann, alone)) == []  # one person, two seats


@pytest.mark.parametrize("user", [None, "deleted while the page was read"])
def test_deleted_accounts_are_somebody_who_comes_last(user):
    assert table_of(game(WON, seat("red", user=user), seat("blue", user="b"))) == [
        ("b", "", 1, 0, 0, 0.0),
        (None, "", 1, 1, 0, 100.0),
    ]


# On a server


def start_league(person, name="Friday club", **wish):
    return person.post("/leagues", {"name": name, **wish})["id"]


def names(standings):
    return [line["name"] for line in standings["standings"]]


def play_in(site, league, *people, **wish):
    table = site.table(*people, league=league, options=SHORT, **wish)
    play_out(site, table, list(people))
    return table


@slow
def test_tables_to_join_stand_above_those_that_run(site):
    ann, ben, cleo = site.guest("Ann"), site.guest("Ben"), site.guest("Cleo")
    league = start_league(ann)
    seats = [{"seat": "red", "kind": "me"}]
    waiting = ann.post("/tables", {"game": "sparks", "seats": seats, "league": league})["id"]
    runs = site.table(ann, ben, league=league)
    found = cleo.get(f"/leagues/{league}/tables")
    assert [line["id"] for line in found["tables"]] == [waiting, runs]


@slow
def test_friends_open_a_table_in_a_league_play_it_and_see_the_standings(site):
    ann, ben, cleo = site.guest("Ann"), site.guest("Ben"), site.guest("Cleo")
    league = start_league(ann)
    head = ben.get(f"/leagues/{league}")
    assert (head["name"], head["owner"], head["closed"]) == ("Friday club", False, False)
    assert head["link"].endswith(f"/league/{league}")
    seats = [{"seat": "red", "kind": "me"}]
    made = ann.post("/tables", {"game": "sparks", "seats": seats, "league": league})["id"]
    found = ben.get(f"/leagues/{league}/tables")
    assert [line["id"] for line in found["tables"]] == [made]
    assert found["tables"][0]["open_seats"] == ["blue"]
    ben.post(f"/tables/{made}/join")  # who knows the league may sit down
    for person in (ann, ben, cleo):
        assert person.get(f"/tables/{made}")["league"] == league
    table = play_in(site, league, ann, ben)
    found = cleo.get(f"/leagues/{league}/tables")
    assert [line["id"] for line in found["tables"]] == [made]
    (finished,) = found["finished"]
    assert finished["table"] == table
    assert sorted(place["name"] for place in finished["places"]) == ["Ann", "Ben"]
    assert sorted(names(found)) == ["Ann", "Ben"]
    assert sum(line["points"] for line in found["standings"]) == pytest.approx(100)
    assert not any(line["mine"] or line["account"] for line in found["standings"])
    mine = {
        line["name"]: line["mine"] for line in ben.get(f"/leagues/{league}/tables")["standings"]
    }
    assert mine == {"Ann": False, "Ben": True}


@slow
def test_only_those_who_play_in_a_league_find_it_in_a_list(site):
    ann, ben, cleo = site.guest("Ann"), site.guest("Ben"), site.guest("Cleo")
    league = start_league(ann)
    hidden = site.table(ann, ben, league=league)
    silent = site.table(ann, ben, league=league, settings={"pausing": False})
    listed = site.table(ann, ben, league=league, settings={"listed": True})
    assert [x["id"] for x in ann.get("/leagues")["leagues"]] == [league]
    assert [x["id"] for x in ben.get("/leagues")["leagues"]] == [league]
    assert cleo.get("/leagues")["leagues"] == []
    assert site.person().get("/leagues")["leagues"] == []
    live = [line["id"] for line in cleo.get("/lobby")["live"]]
    assert listed in live and not {hidden, silent} & {*live}
    assert cleo.get(f"/tables/{listed}")["league"] is None  # its link would open the league
    assert ben.get(f"/tables/{listed}")["league"] == league
    cleo.get("/leagues/nothing", 404)
    cleo.get("/leagues/nothing/tables", 404)
    site.person().post("/leagues", {"name": "Club"}, 401)


@slow
def test_a_table_is_opened_only_in_a_league_that_is_open_and_of_its_game(site):
    ann, ben = site.guest("Ann"), site.guest("Ben")
    wish = {"game": "sparks", "seats": [{"seat": "red", "kind": "me"}]}
    refused = ann.post("/tables", {**wish, "league": "nothing"}, 404)
    assert refused["code"] == "server.no_such_league"
    assert ann.get("/lobby")["mine"] == []
    refused = ann.post("/leagues", {"name": "Club", "game": "chess"}, 422)
    assert refused["code"] == "server.no_such_game"
    league = start_league(ann, game="sparks")
    table = play_in(site, league, ann, ben)
    ann.call("PATCH", f"/leagues/{league}", {"closed": True})
    refused = ann.post("/tables", {**wish, "league": league}, 409)
    assert refused["code"] == "server.league_closed" and "Friday club" in refused["text"]
    again = ann.post(f"/tables/{table}/rematch")["id"]
    assert ann.get(f"/tables/{again}")["league"] is None
    ann.call("PATCH", f"/leagues/{league}", {"closed": False})
    ann.post("/tables", {**wish, "league": league})


@slow
def test_the_owner_renames_a_league_and_takes_tables_out(site):
    ann, ben = site.guest("Ann"), site.guest("Ben")
    league, other = start_league(ann), start_league(ben)
    first, second = play_in(site, league, ann, ben), play_in(site, league, ann, ben)
    ben.call("PATCH", f"/leagues/{league}", {"name": "Mine"}, 403)
    ben.call("DELETE", f"/leagues/{league}/tables/{first}", None, 403)
    ben.call("DELETE", f"/leagues/{other}/tables/{first}", None, 404)
    assert ann.call("PATCH", f"/leagues/{league}", {"name": " Saturdays "})["name"] == "Saturdays"
    ann.call("DELETE", f"/leagues/{league}/tables/{first}")
    assert ben.get(f"/tables/{first}")["league"] is None
    found = ben.get(f"/leagues/{league}/tables")
    assert [line["table"] for line in found["finished"]] == [second]
    assert [line["games"] for line in found["standings"]] == [1, 1]
    again = ben.post(f"/tables/{second}/rematch")["id"]
    assert ben.get(f"/tables/{again}")["league"] == league


@slow
def test_a_running_anonymous_or_closed_table_tells_a_league_nobodys_name(site):
    ann, ben = site.guest("Ann"), site.guest("Ben")
    cleo = site.guest("Cleo")
    league = start_league(cleo)
    secret = site.table(ann, ben, league=league, settings={"anonymous": True}, options=SHORT)
    closed = site.table(ann, ben, league=league, settings={"watch": "off"})
    now = ann.get(f"/tables/{secret}")
    ann.act(secret, now["legal"][0], now["question"]["id"])
    for person in (cleo, site.person()):
        page = person.get(f"/leagues/{league}/tables", None)
        lines = {line["id"]: line for line in page.json()["tables"]}
        assert lines[secret]["names"] == [] and lines[secret]["waiting"] == []
        assert lines[secret]["moved"] == lines[secret]["created"]
        assert page.json()["standings"] == []
        hidden = lines[closed]
        assert (hidden["seq"], hidden["phase"], hidden["waiting"]) == (0, "", [])
    page = site.person().get(f"/leagues/{league}/tables", None)
    assert page.text.count("Ann") == 1  # at the table with names
    play_out(site, secret, [ann, ben])
    assert sorted(names(cleo.get(f"/leagues/{league}/tables"))) == ["Ann", "Ben"]


@slow
def test_accounts_keep_their_leagues_and_deleted_ones_leave_their_results(site):
    ann, ben = site.guest("Ann"), site.guest("Ben")
    league = start_league(ben)
    play_in(site, league, ann, ben)
    ben.post("/accounts", {"name": f"Ben {league}", "password": "correct horse"})
    found = ann.get(f"/leagues/{league}/tables")["standings"]
    assert {x["name"]: x["account"] for x in found} == {"Ann": False, f"Ben {league}": True}
    guest = site.guest("Ben")
    second = start_league(guest, "Guests")
    guest.post("/sessions", {"name": f"Ben {league}", "password": "correct horse"})
    assert {x["id"]: x["owner"] for x in guest.get("/leagues")["leagues"]} == {
        league: True,
        second: True,
    }
    assert {x["name"] for x in guest.get("/me/data")["leagues"]} == {"Friday club", "Guests"}
    guest.call("DELETE", "/me")
    found = ann.get(f"/leagues/{league}/tables")
    assert [(x["name"], x["place"]) for x in found["standings"]] == [("Ann", 1), ("", None)]
    assert sorted(place["name"] for place in found["finished"][0]["places"]) == ["", "Ann"]
    assert not any(place["bot"] for place in found["finished"][0]["places"])
    ann.call("PATCH", f"/leagues/{league}", {"closed": True}, 403)  # it has no owner
    site.table(ann, site.guest("Dora"), league=league)


@slow
def test_standings_of_one_game_or_of_all(settings):
    with running(settings, games=GAMES) as site:
        ann, ben, cleo = site.guest("Ann"), site.guest("Ben"), site.guest("Cleo")
        league = start_league(ann)
        play_in(site, league, ann, ben)
        table = site.table(ann, cleo, game="diplomacy", league=league)
        found = ann.get(f"/leagues/{league}/tables?game=diplomacy")
        assert [line["id"] for line in found["tables"]] == [table]
        assert found["standings"] == [] and found["games"] == ["sparks"]
        found = ann.get(f"/leagues/{league}/tables?game=sparks")
        assert found["tables"] == [] and sorted(names(found)) == ["Ann", "Ben"]


@slow
def test_a_player_leaves_a_league_and_comes_back_by_playing(site):
    ann, ben = site.guest("Ann"), site.guest("Ben")
    league = start_league(ann)
    table = play_in(site, league, ann, ben)
    assert ben.get(f"/leagues/{league}")["member"]
    assert not ann.get(f"/leagues/{league}")["member"]
    assert ann.post(f"/leagues/{league}/leave", expect=409)["code"] == "server.league_is_yours"
    ben.post(f"/leagues/{league}/leave")
    ben.post(f"/leagues/{league}/leave")  # once more changes nothing
    assert ben.get("/leagues")["leagues"] == [] and not ben.get(f"/leagues/{league}")["member"]
    assert sorted(names(ann.get(f"/leagues/{league}/tables"))) == ["Ann", "Ben"]
    assert ben.get(f"/tables/{table}")["held"]
    assert [x["league"] for x in ben.get("/me/data")["leagues_left"]] == [league]
    site.table(ann, ben, league=league)
    assert [x["id"] for x in ben.get("/leagues")["leagues"]] == [league]


@slow
def test_a_guest_who_has_left_a_league_stays_out_of_it_with_an_account(site):
    ann, ben = site.guest("Ann"), site.guest("Ben")
    ann.post("/accounts", {"name": f"Ann {ben.me['id']}", "password": "correct horse"})
    guest = site.guest("Guest")
    league = start_league(ben)
    play_in(site, league, ben, guest)
    guest.post(f"/leagues/{league}/leave")
    guest.post("/sessions", {"name": f"Ann {ben.me['id']}", "password": "correct horse"})
    assert guest.get("/leagues")["leagues"] == []


@slow
def test_who_sits_down_at_a_table_that_waited_already_is_in_the_league_again(site):
    ann, ben = site.guest("Ann"), site.guest("Ben")
    league = start_league(ann)
    play_in(site, league, ann, ben)
    seats = [{"seat": "red", "kind": "me"}]
    waiting = ann.post("/tables", {"game": "sparks", "seats": seats, "league": league})["id"]
    ben.post(f"/leagues/{league}/leave")
    ben.post(f"/tables/{waiting}/join")
    assert [x["id"] for x in ben.get("/leagues")["leagues"]] == [league]
    ben.post(f"/leagues/{league}/leave")
    name = f"Ben {league}"
    ben.post("/accounts", {"name": name, "password": "correct horse"})
    asked = {"seat": "blue", "kind": "invited", "invite": name}
    ann.post("/tables", {"game": "sparks", "seats": [*seats, asked], "league": league})
    assert ben.get("/leagues")["leagues"] == []  # to be invited is not to sit down
    ben.post("/tables", {"game": "sparks", "seats": seats, "league": league})
    assert [x["id"] for x in ben.get("/leagues")["leagues"]] == [league]


@slow
@pytest.mark.parametrize(
    ("leavers", "listed"), [(("guest", "account"), False), (("guest",), True), (("account",), True)]
)
def test_logging_in_brings_no_league_back_that_was_left_and_takes_none_away(site, leavers, listed):
    owner, guest, account = site.guest("Owner"), site.guest("Guest"), site.guest("Ann")
    name = f"Ann {owner.me['id']}"
    account.post("/accounts", {"name": name, "password": "correct horse"})
    league = start_league(owner)
    play_in(site, league, owner, guest)
    play_in(site, league, owner, account)
    for leaver in leavers:
        {"guest": guest, "account": account}[leaver].post(f"/leagues/{league}/leave")
    play_in(site, start_league(owner), owner, account)
    guest.post("/sessions", {"name": name, "password": "correct horse"})
    assert (league in [x["id"] for x in guest.get("/leagues")["leagues"]]) == listed


@slow
def test_who_does_not_play_in_a_league_cannot_leave_it(site):
    ann, eve = site.guest("Ann"), site.guest("Eve")
    league = start_league(ann)
    refused = eve.post(f"/leagues/{league}/leave", expect=403)
    assert refused["code"] == "server.not_in_league" and "Friday club" in refused["text"]
    assert eve.get("/me/data")["leagues_left"] == []


@slow
def test_the_owner_deletes_a_league_and_no_game_is_lost(site):
    ann, ben = site.guest("Ann"), site.guest("Ben")
    league = start_league(ann)
    finished, running_one = play_in(site, league, ann, ben), site.table(ann, ben, league=league)
    assert ben.call("DELETE", f"/leagues/{league}", None, 403)["code"] == "server.not_your_league"
    ann.call("DELETE", f"/leagues/{league}")
    ben.get(f"/leagues/{league}", 404)
    ann.call("DELETE", f"/leagues/{league}", None, 404)
    assert ann.get("/leagues")["leagues"] == ben.get("/leagues")["leagues"] == []
    for table in (finished, running_one):
        assert ben.get(f"/tables/{table}")["league"] is None
    assert ann.get(f"/tables/{ann.post(f'/tables/{finished}/rematch')['id']}")["league"] is None
    play_out(site, running_one, [ann, ben])
