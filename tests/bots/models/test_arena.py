"""Language models in the arena: bounds, reports, negotiation, seats in parallel."""

import json
import threading

import pytest
import sparks

from powderkeg.bots.arena import report
from powderkeg.bots.arena import tournament as arena
from powderkeg.bots.arena.tournament import Duel, TournamentFolder
from powderkeg.core import plain
from powderkeg.core.errors import Unreadable
from powderkeg.core.record import read_record
from powderkeg.games import diplomacy, find_game
from tests.bots.models.fake_endpoint import HANG, last_user_text, turn

YEAR = {"last_year": 1901}


def tournament(game=sparks, other="random", **more):
    bots = {"model": "model", other: other}
    designs = (Duel("model", other),)
    return arena.plan_tournament(game, bots, designs, **{"seeds": 1} | more)


def play_all(asked):
    return [arena.play_pairing(asked, pairing) for pairing in asked.schedule()]


def found_in(asked, kept):
    return report.summarize_games(asked, [each.played for each in kept])


def manner(named, **fields):
    named.setenv("POWDERKEG_LLM_MANNER", json.dumps(fields))


# What a bad model may cost


@pytest.mark.parametrize("name", ["diplomacy", "versailles", "risk_europe"])
@pytest.mark.slow
def test_a_model_that_repeats_itself_keeps_to_its_bounds(named, server, name):
    manner(named, phase_requests=2, game_requests=20)
    server.answer = lambda body: turn("A vie H")
    asked = tournament(find_game(name), players=2, cap=150)
    kept = arena.play_pairing(asked, asked.schedule()[0])
    found = found_in(asked, [kept])
    (row,) = found["models"]
    assert len(server.heard) == row["requests"] <= 20
    assert set(row["faults"]) <= {"repeated", "spent"}
    page = report.report_page(found)
    assert f"| model | {row['seat']} | 1 | {row['requests']} |" in page
    assert "faultless" not in page


def test_an_order_repeated_for_ever_ends_every_phase(named, server):
    """The old loop: a first order that is legal, and nothing else."""
    server.answer = lambda body: turn("A vie H")
    asked = tournament(diplomacy, options=YEAR)
    kept = arena.play_pairing(asked, asked.schedule()[0])
    assert kept.played.why, "the game came to its end"
    assert kept.played.lineup[0] == "model"
    assert len(server.heard) <= 6, "one request per phase, one more where it was refused"


def test_nonsense_is_counted_and_bounded(named, server):
    manner(named, retries=2, game_requests=10)
    count = iter(range(1000))
    server.answer = lambda body: f"Hello {next(count)}"
    asked = tournament(diplomacy, options=YEAR)
    kept = arena.play_pairing(asked, asked.schedule()[0])
    found = found_in(asked, [kept])
    assert len(server.heard) <= 10
    assert set(found["faults"]["model"]) <= {"gave_up", "spent"}
    assert "Illegal or missing answers: model: gave_up" in report.report_page(found)


def test_a_hanging_model_is_counted_and_bounded(named, server):
    manner(named, failures=2)
    named.setenv("POWDERKEG_LLM_SECONDS", "0.2")
    server.answer = lambda body: HANG
    asked = tournament(diplomacy, options=YEAR)
    kept = arena.play_pairing(asked, asked.schedule()[0])
    assert kept.played.why
    assert len(server.heard) == 2
    (row,) = found_in(asked, [kept])["models"]
    assert set(row["faults"]) == {"unreachable"}


def test_a_model_that_never_answers_is_no_clean_player(named):
    named.setenv("POWDERKEG_LLM_URL", "http://127.0.0.1:9/v1")
    asked = tournament()
    found = found_in(asked, play_all(asked))
    faults = found["faults"]["model"]
    assert set(faults) == {"unreachable"}
    page = report.report_page(found)
    assert f"model: unreachable {faults['unreachable']}" in page
    assert "Whether the same seeds give the same games also depends on model" in page


# The report


def test_the_report_shows_requests_tokens_and_cost(named, server):
    manner(named, price_in=1.0, price_out=2.0)
    server.usage = {"prompt_tokens": 1000, "completion_tokens": 500}
    server.answer = lambda body: turn("card 1")
    asked = tournament()
    kept = play_all(asked)
    found = found_in(asked, kept)
    rows = {row["seat"]: row for row in found["models"]}
    assert set(rows) == {"red", "blue"}
    for row in rows.values():
        assert row["tokens_in"] == 1000 * row["requests"]
        assert row["cost"] == pytest.approx(0.002 * row["requests"])
    assert "## Language models" in report.report_page(found)
    for lang in ("es", "it"):
        assert "bots." not in report.report_page(found, lang)
    again = plain.load(arena.GameOutcome, json.loads(json.dumps(plain.dump(kept[0].played))))
    assert again == kept[0].played


def test_results_of_older_tournaments_still_open():
    asked = arena.plan_tournament(
        sparks, {"a": "random", "b": "random"}, (Duel("a", "b"),), seeds=1
    )
    stored = plain.dump(arena.play_pairing(asked, asked.schedule()[0]).played)
    del stored["usage"]
    assert plain.load(arena.GameOutcome, stored).usage == {}
    old = plain.dump(asked)
    del old["talk"]
    assert plain.load(arena.Tournament, old) == asked


def test_model_and_manner_are_kept_with_a_tournament_and_shown(named, tmp_path):
    TournamentFolder(tmp_path, tournament())
    kept = (tmp_path / "tournament.json").read_text()
    assert json.loads(kept)["entrants"][0]["settings"]["model"] == "tiny"
    assert "secret-key" not in kept
    found = report.summarize_games(tournament(), [])
    assert found["settings"]["model"]["temperature"] == 0.5
    assert "model=tiny" in report.report_page(found)
    assert "random" not in found["settings"]


@pytest.mark.parametrize(
    ("name", "value"), [("MODEL", "large"), ("MANNER", '{"retries": 1}'), ("SECONDS", "5")]
)
def test_another_model_or_manner_is_another_tournament(named, tmp_path, name, value):
    TournamentFolder(tmp_path, tournament())
    TournamentFolder(tmp_path, tournament())
    named.setenv(f"POWDERKEG_LLM_{name}", value)
    with pytest.raises(Unreadable) as refused:
        TournamentFolder(tmp_path, tournament())
    assert refused.value.code == "bots.other_tournament"


# Seats in parallel, and talk


def test_seats_are_asked_in_parallel(named, server):
    """Six seats wait for each other: one after another they would never be answered."""
    together = threading.Barrier(6, timeout=600)

    def answer(body):
        together.wait()
        return turn()

    server.answer = answer
    asked = arena.plan_tournament(
        diplomacy,
        {"model": "model", "random": "random"},
        (Duel("random", "model"),),
        seeds=1,
        options=YEAR,
        cap=20,
    )
    kept = arena.play_pairing(asked, asked.schedule()[0])
    assert kept.played.faults == {}
    assert len(kept.played.usage) == 6


def is_talk(body):
    return '"say"' in body["messages"][0]["content"]


def test_models_negotiate_before_they_decide(named, server):
    manner(named, press=2)

    def answer(body):
        if not is_talk(body):
            return turn()
        return json.dumps({"say": [{"to": ["ITALY"], "text": "Leave Trieste alone."}] * 5})

    server.answer = answer
    asked = tournament(diplomacy, options=YEAR, talk=3, cap=40)
    kept = arena.play_pairing(asked, asked.schedule()[0])
    letters = read_record(kept.text).letters
    assert len(letters) == 4, "as many as it may send in a phase, in two phases"
    assert letters[0].to == ("ITALY",)
    assert letters[1].after < letters[2].after
    decided = [body for _, _, body in server.heard if not is_talk(body)]
    assert "Leave Trieste alone." in last_user_text(decided[0])


@pytest.mark.slow
def test_a_model_makes_peace_with_a_bot(named, server):
    """Bots write to it in words and understand its formal offers."""
    peace = {"kind": "peace", "against": [], "places": [], "action": ""}

    def answer(body):
        if is_talk(body):
            return json.dumps({"say": [{"to": ["ITALY"], "text": "Peace?", "promises": [peace]}]})
        return turn()

    server.answer = answer
    asked = tournament(diplomacy, "normal/loyal", options=YEAR, talk=2, cap=1)
    kept = arena.play_pairing(asked, asked.schedule()[0])
    letters = read_record(kept.text).letters
    answers = [x.text for x in letters if x.seat == "ITALY" and x.to == ("AUSTRIA",)]
    assert any(text.startswith(("Agreed", "No, thank you")) for text in answers)


def test_without_talk_nothing_is_said(named, server):
    server.answer = lambda body: turn()
    asked = tournament(diplomacy, options=YEAR, cap=10)
    kept = arena.play_pairing(asked, asked.schedule()[0])
    assert not read_record(kept.text).letters
    assert not [body for _, _, body in server.heard if is_talk(body)]
