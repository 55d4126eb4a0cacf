"""Ballots: who votes on the end of a game, and what the others see of it."""

import pytest

import powderkeg
from powderkeg.bots.analysis import evaluate_view
from powderkeg.bots.engine.budget import Budget
from powderkeg.server.jobs.ballots import weigh_offer
from tests.server.visiting import until

BOTS = [
    {"seat": seat, "kind": "bot", "level": "random"}
    for seat in ("AUSTRIA", "ENGLAND", "GERMANY", "ITALY", "RUSSIA", "TURKEY")
]


def diplomacy_table(person, **settings):
    wish = {
        "game": "diplomacy",
        "players": 7,
        "seats": [{"seat": "FRANCE", "kind": "me"}, *BOTS],
        "settings": {"press": "none", **settings},
        "start": True,
    }
    return person.post("/tables", wish)["id"]


def ballots(person, table):
    return person.get(f"/tables/{table}/proposals")["proposals"]


@pytest.mark.slow
def test_bots_vote_and_find_it_too_early_for_a_draw(site):
    ann = site.guest("Ann")
    table = diplomacy_table(ann)
    made = ann.post(f"/tables/{table}/proposals", {"kind": "draw"})
    assert (made["status"], len(made["voters"])) == ("open", 7)
    decided = until(lambda: [b for b in ballots(ann, table) if b["status"] != "open"])
    assert decided[0]["status"] == "declined"
    assert False in decided[0]["votes"].values()
    assert ann.get(f"/tables/{table}")["status"] == "live"
    said = [m["text"] for m in ann.get(f"/tables/{table}/press")["messages"] if m["said"]]
    assert any(text.startswith("Voted down by") and text.endswith("a draw.") for text in said)
    assert any(text.endswith("votes no: it is too early to end the game.") for text in said)


@pytest.mark.parametrize(
    ("expected", "reason"), [(0.4, "vote_more"), (0.25, ""), (0.1, ""), (None, "vote_unsure")]
)
def test_a_bot_agrees_only_to_what_is_no_worse_than_its_estimate(expected, reason):
    shares = None if expected is None else {"FRANCE": expected}
    assert weigh_offer(shares, "FRANCE", 0.25) == reason


@pytest.mark.parametrize("name", ["diplomacy", "versailles", "risk_europe"])
def test_bots_of_every_game_can_weigh_the_end_of_it(name):
    table = powderkeg.table(name, seed=1)
    seat = next(iter(table.seats))
    shares = evaluate_view(table.game, table.view(seat), budget=Budget(1), seed="1")
    assert sum(shares.values()) == pytest.approx(1)
    assert weigh_offer(shares, seat, 1.0) == ""
    assert weigh_offer(shares, seat, 0.0) == "vote_more"


@pytest.mark.slow
def test_people_alone_vote_on_a_pause(site):
    ann = site.guest("Ann")
    table = diplomacy_table(ann)
    made = ann.post(f"/tables/{table}/proposals", {"kind": "pause"})
    assert (made["status"], made["voters"]) == ("agreed", ["FRANCE"])


def test_a_player_who_comes_back_votes_on_what_was_proposed_meanwhile(site):
    ann, ben, cleo = (site.guest(name) for name in ("Ann", "Ben", "Cleo"))
    table = site.table(ann, ben, cleo, game="risk_europe")
    mine, his, hers = [seat["seat"] for seat in ann.get(f"/tables/{table}")["seats"]]
    ben.post(f"/tables/{table}/leave")
    made = ann.post(f"/tables/{table}/proposals", {"kind": "draw"})
    assert made["voters"] == [mine, hers]  # a vote does not wait for absent players
    ben.post(f"/tables/{table}/join", {"seat": his})
    [ballot] = ballots(ben, table)
    assert (ballot["voters"], ballot["may_vote"]) == ([mine, his, hers], True)
    cleo.post(f"/tables/{table}/proposals/{made['id']}/vote", {"agree": True})
    assert ann.get(f"/tables/{table}")["status"] == "live"
    ben.post(f"/tables/{table}/proposals/{made['id']}/vote", {"agree": True})
    assert ann.get(f"/tables/{table}")["status"] == "over"
    assert ballots(ben, table)[0]["voters"] == [mine, his, hers]


def test_a_table_without_draws_or_with_draws_of_all(site):
    ann, ben = site.guest("Ann"), site.guest("Ben")
    none = site.table(ann, ben, settings={"draws": "none"})
    refused = ann.post(f"/tables/{none}/proposals", {"kind": "draw"}, 409)
    assert refused["code"] == "server.no_draws"
    everybody = site.table(ann, ben)
    some = {"kind": "draw", "args": {"seats": ["red"]}}
    refused = ann.post(f"/tables/{everybody}/proposals", some, 409)
    assert refused["code"] == "server.draw_for_all"


def test_a_draw_of_those_it_names(site):
    ann, ben = site.guest("Ann"), site.guest("Ben")
    table = site.table(ann, ben, settings={"draws": "named"})
    assert ann.post(
        f"/tables/{table}/proposals", {"kind": "draw", "args": {"seats": ["pink"]}}, 422
    )
    # a draw of one would be a victory
    for wrong in (["red"], ["red", "red"], [], [["red"]], "red"):
        wish = {"kind": "draw", "args": {"seats": wrong}}
        assert ann.post(f"/tables/{table}/proposals", wish, 422)
    both = {"kind": "draw", "args": {"seats": ["blue", "red"]}}
    made = ann.post(f"/tables/{table}/proposals", both)
    assert made["text"] == "Red proposes a draw between Blue, Red."
    ben.post(f"/tables/{table}/proposals/{made['id']}/vote", {"agree": True})
    assert ann.get(f"/tables/{table}")["result"]["ranking"] == [["red", "blue"]]


def test_a_draw_is_worth_what_the_scoring_of_the_table_says(site):
    ann, ben = site.guest("Ann"), site.guest("Ben")
    options = {"scoring": "squares"}
    table = site.table(ann, ben, game="diplomacy", options=options)
    made = ann.post(f"/tables/{table}/proposals", {"kind": "draw"})
    ben.post(f"/tables/{table}/proposals/{made['id']}/vote", {"agree": True})
    over = ann.get(f"/tables/{table}")
    assert over["result"]["scores"] == {"ENTENTE": 100 * 100 / 181, "CENTRAL": 81 * 100 / 181}
    assert over["result"]["ranking"] == [["ENTENTE", "CENTRAL"]]  # still a draw
    pad = ann.get(f"/tables/{table}/at/{over['seq']}/score")["lines"]
    assert pad[-1]["label"] == "Points as agreed"
    assert pad[-1]["points"] == over["result"]["scores"]
    assert not any(line["open"] for line in pad)


@pytest.mark.parametrize(
    "wish",
    [
        {"kind": "pause", "args": {"code": "x"}},
        {"kind": "draw", "args": {"winner": "blue"}},  # would leave blue without a vote
        {"kind": "concede", "args": {"winner": "red", "change": "x"}},
    ],
)
def test_a_proposal_says_no_more_than_its_kind_knows(site, wish):
    ann, ben = site.guest("Ann"), site.guest("Ben")
    table = site.table(ann, ben)
    refused = ann.post(f"/tables/{table}/proposals", wish, 422)
    assert refused["code"] == "server.bad_proposal"


def test_a_secret_ballot_shows_only_your_own_vote_and_the_outcome(site):
    ann, ben = site.guest("Ann"), site.guest("Ben")
    table = site.table(ann, ben, settings={"votes": "secret"})
    made = ann.post(f"/tables/{table}/proposals", {"kind": "draw"})
    assert made["votes"] == {"red": True}
    assert ballots(ben, table)[0]["votes"] == {}
    ben.post(f"/tables/{table}/proposals/{made['id']}/vote", {"agree": False})
    assert ballots(ann, table)[0]["votes"] == {"red": True}
    said = ann.get(f"/tables/{table}/press")["messages"][-1]
    assert said["text"] == "Voted down: a draw."


def test_a_decided_secret_ballot_does_not_tell_who_refused(site):
    ann, ben, cleo = (site.guest(name) for name in ("Ann", "Ben", "Cleo"))
    table = site.table(ann, ben, cleo, game="risk_europe", settings={"votes": "secret"})
    made = ann.post(f"/tables/{table}/proposals", {"kind": "draw"})
    ben.post(f"/tables/{table}/proposals/{made['id']}/vote", {"agree": False})
    assert (ballots(cleo, table)[0]["voters"], ballots(cleo, table)[0]["votes"]) == ([], {})


def test_decided_ballots_stay_readable_for_those_they_concern(site):
    ann, ben, eve = site.guest("Ann"), site.guest("Ben"), site.guest("Eve")
    table = site.table(ann, ben)
    for kind in ("draw", "pause"):
        made = ann.post(f"/tables/{table}/proposals", {"kind": kind})
        ben.post(f"/tables/{table}/proposals/{made['id']}/vote", {"agree": False})
    deal = {"kind": "deal", "to": ["blue"], "args": {"text": "peace"}}
    ann.post(f"/tables/{table}/proposals", deal)
    assert [(b["kind"], b["status"]) for b in ballots(ben, table)] == [
        ("deal", "open"),
        ("pause", "declined"),
        ("draw", "declined"),
    ]
    assert [b["kind"] for b in ballots(eve, table)] == ["pause", "draw"]
