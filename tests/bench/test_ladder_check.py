"""The release check of the levels: a level that lost its lead fails it, chance does not."""

import sys
from itertools import pairwise

import pytest

from bench import ladder
from powderkeg.bots.process.guard import Guard


def recorded(low, *, blocks=20):
    return {"duels": [{"wins": {"mean": 0.6, "low": low, "high": 0.7, "blocks": blocks}}]}


@pytest.mark.parametrize("game", ladder.LADDERS)
def test_every_level_is_checked_against_the_one_below(game):
    levels = ("random", "easy", "normal", "hard", "expert")
    pairs = {f"{one}-{rest}" for rest, one in pairwise(levels)}
    assert set(ladder.CHECKED_DUELS) == pairs
    assert pairs <= set(ladder.LADDERS[game].duels)


@pytest.mark.parametrize("game", ladder.LADDERS)
def test_reference_bots_are_on_the_ladder(game):
    rests = {plan.rest for plan in ladder.LADDERS[game].duels.values()}
    wanted = {"random", "greedy", "former-expert"} | ({"dumbbot"} if game == "diplomacy" else set())
    assert wanted <= rests


@pytest.mark.parametrize("game", ladder.LADDERS)
def test_the_pages_have_what_their_table_shows(game):
    for name, found in ladder.recorded_duels(game).items():
        assert ladder.row(ladder.LADDERS[game], name, found).count("|") == ladder.HEAD.count(
            "|", 0, ladder.HEAD.index("\n")
        )


def test_a_level_must_keep_the_low_end_of_what_the_page_says():
    risk = ladder.LADDERS["risk_europe"]
    test = ladder.lead_test(risk, risk.duels["hard-normal"], recorded(0.5))
    assert (test.kept, test.lost) == (0.5, 0.25)


def test_with_few_seeds_on_the_page_or_none_a_level_must_keep_its_promise():
    risk = ladder.LADDERS["risk_europe"]
    for few in (recorded(0.6, blocks=2), {}):
        test = ladder.lead_test(risk, risk.duels["hard-normal"], few)
        assert (test.kept, test.lost) == (pytest.approx(0.425), 0.25)


def test_a_level_that_always_won_may_lose_a_game():
    risk = ladder.LADDERS["risk_europe"]
    test = ladder.lead_test(risk, risk.duels["easy-random"], recorded(1.0))
    assert test.weigh_results([1] * 10 + [0]) > 0


def test_against_another_release_a_level_must_keep_an_equal_share(monkeypatch):
    monkeypatch.setattr(ladder.releases, "release_version", lambda python: "0.9")
    risk = ladder.with_release(ladder.LADDERS["risk_europe"], "/old/bin/python")
    plan = risk.duels["expert-release"]
    assert (plan.one, plan.rest, plan.python) == ("expert", "expert of 0.9", "/old/bin/python")
    test = ladder.lead_test(risk, plan, {})
    assert (test.kept, test.lost) == (0.25, 0.125)


@pytest.mark.parametrize(
    ("one", "rest", "well"), [("easy", "random", True), ("random", "easy", False)]
)
def test_a_check_plays_until_it_is_clear(tmp_path, capsys, one, rest, well):
    plan = ladder.Plan(one, rest, 6, 2, {"rounds": 2})
    small = ladder.Ladder("risk_europe", {"duel": plan}, by="wins", players=2)
    test = ladder.LeadTest(kept=0.9, lost=0.5)
    assert ladder.check_duel(small, tmp_path, "duel", test, 1) is well
    assert f", {'kept' if well else 'lost'} (" in capsys.readouterr().out
    played = len(list((tmp_path / "check-duel" / "games").iterdir()))
    assert played < 2 * plan.seeds


def test_a_check_ends_with_the_first_fault(tmp_path, monkeypatch):
    """A bot that never answers loses every game, which says nothing about the level it plays against."""
    decide = Guard.decide

    def fail(guard, game, state, seat, bot, seed, **more):
        return decide(guard, game, state, seat, "no_such_level", seed, **more)

    monkeypatch.setattr(Guard, "decide", fail)
    plan = ladder.Plan("easy", "easy of 0.9", 6, 2, {"rounds": 1}, python=sys.executable)
    small = ladder.Ladder("risk_europe", {"duel": plan}, by="wins", players=2)
    with pytest.raises(SystemExit, match=r"easy of 0\.9.*raised"):
        ladder.check_duel(small, tmp_path, "duel", ladder.LeadTest(kept=0.5, lost=0.25), 1)
