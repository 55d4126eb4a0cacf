"""Weights: tuned, checked on fresh seeds, and kept with the run that made them."""

import json
from dataclasses import asdict, replace
from importlib.resources import files
from pathlib import Path

import pytest
import sparks
from typer.testing import CliRunner

from powderkeg.bots import levels
from powderkeg.bots.arena import tournament, tuning
from powderkeg.bots.arena.tournament import Tournament
from powderkeg.cli.app import app
from powderkeg.core.errors import Illegal, Unreadable
from powderkeg.core.words import say
from powderkeg.games import find_game

WHAT = "tests.bots.tunable:CARDS"


@pytest.fixture
def plan():
    base = Tournament("tests.tiny.sparks", 2, (), ())
    return tuning.TuningPlan(base, WHAT, WHAT, generations=3, population=5, seeds=6, check_seeds=30)


@pytest.mark.slow
def test_tuning_finds_that_high_cards_win(plan):
    """The bot begins by playing its lowest card; a little more for high ones turns it round."""
    found = tuning.tune_weights(plan, jobs=1)
    assert found.weights["high"] > found.weights["low"]
    check = found.check[WHAT]
    assert check["low"] > 0.5
    assert check["n"] == 60
    assert found.games == 3 * 5 * 6 * 2
    assert set(found.check) == {"equal", WHAT, "random"}


@pytest.mark.slow
def test_an_interrupted_run_goes_on_to_the_same_weights(plan, tmp_path):
    short = replace(plan, generations=2, check_seeds=2)
    whole = tuning.tune_weights(short, path=tmp_path / "whole.json", jobs=1)
    tuning.tune_weights(replace(short, generations=1), path=tmp_path / "cut.json", jobs=1)
    heard = []
    again = tuning.tune_weights(
        short,
        path=tmp_path / "cut.json",
        jobs=1,
        on_generation=lambda number, _: heard.append(number),
    )
    assert again == whole
    assert heard == [1]
    assert tuning.read_weights(tmp_path / "cut.json") == whole


@pytest.mark.slow
def test_going_on_never_shortens_what_is_stored(plan, tmp_path, monkeypatch):
    """Killed at any moment of a run that goes on, no generation is lost."""
    path, short = tmp_path / "w.json", replace(plan, generations=2, check_seeds=2)
    tuning.tune_weights(short, path=path, jobs=1)
    lengths = []

    def noted(path, text):
        lengths.append(len(json.loads(text)["history"]))
        tournament.write_whole(path, text)

    monkeypatch.setattr(tuning, "write_whole", noted)
    tuning.tune_weights(replace(short, generations=4), path=path, jobs=1)
    assert lengths == [2, 3, 4, 4]  # at once, after each generation, after the check
    with pytest.raises(Unreadable) as refused:
        tuning.tune_weights(short, path=path, jobs=1)
    assert refused.value.code == "bots.other_plan"
    assert len(tuning.read_weights(path).history) == 4


@pytest.mark.slow
def test_what_is_finished_is_not_played_again(plan, tmp_path):
    path, short = tmp_path / "w.json", replace(plan, generations=1, check_seeds=2)
    whole = tuning.tune_weights(short, path=path, jobs=1)
    marked = replace(whole, check=whole.check | {"equal": 0.25})  # what is not measured again stays
    path.write_text(json.dumps(asdict(marked)))
    assert tuning.tune_weights(short, path=path, jobs=1) == marked


def test_the_last_check_may_be_another_when_a_run_goes_on(plan, tmp_path):
    path, short = tmp_path / "w.json", replace(plan, generations=1, check_seeds=2)
    first = tuning.tune_weights(short, path=path, jobs=1)
    heard = []
    other = replace(short, also="easy", check_seeds=3)
    again = tuning.tune_weights(
        other, path=path, jobs=1, on_generation=lambda number, _: heard.append(number)
    )
    assert heard == []
    assert again.weights == first.weights
    assert set(again.check) == {"equal", WHAT, "easy"}
    assert again.check["easy"]["n"] == 3 * 2
    assert tuning.read_weights(path) == again


@pytest.mark.parametrize("wrong", ["rival", "also"])
def test_a_missing_rival_is_refused_before_anything_is_played(plan, tmp_path, wrong):
    path = tmp_path / "w.json"
    with pytest.raises(Unreadable) as refused:
        tuning.tune_weights(
            replace(plan, **{wrong: "nromal"}), path=path, jobs=1, on_generation=pytest.fail
        )
    assert refused.value.code == "core.no_such_bot"
    assert not path.exists()


def test_an_impossible_number_of_players_is_refused_before_anything_is_played(plan):
    with pytest.raises(Illegal):
        tuning.tune_weights(
            replace(plan, base=replace(plan.base, players=9)), jobs=1, on_generation=pytest.fail
        )


def test_a_missing_folder_is_refused_before_anything_is_played(plan, tmp_path):
    with pytest.raises(FileNotFoundError) as refused:
        tuning.tune_weights(
            plan, path=tmp_path / "nowhere" / "w.json", jobs=1, on_generation=pytest.fail
        )
    assert refused.value.filename == str(tmp_path / "nowhere" / "w.json")


def test_a_quick_trial_takes_the_place_of_the_table(plan):
    """What a candidate scores is what its trial says, from every seat, and nothing else."""
    what = "tests.bots.tunable:TRIED"
    tried = replace(plan, what=what, rival=what, generations=1, check_seeds=2)
    found = tuning.tune_weights(tried, jobs=1)
    luck = [(seed * 2 + seat) % 3 / 10 for seed in range(6) for seat in range(2)]
    ratios = [score - sum(luck) / len(luck) for score in found.history[0].scores]
    assert all(ratio > 0 for ratio in ratios)
    assert len(set(ratios)) == 5
    assert tuning.tune_weights(replace(tried, generations=8), jobs=1).weights["high"] > 2
    assert found.check[what]["n"] == 4  # the check is at a table


def test_a_file_of_another_run_is_refused(plan, tmp_path):
    path = tmp_path / "w.json"
    tuning.tune_weights(replace(plan, generations=1, check_seeds=2), path=path, jobs=1)
    with pytest.raises(Unreadable) as refused:
        tuning.tune_weights(replace(plan, seed=5), path=path, jobs=1)
    assert refused.value.code == "bots.other_plan"
    old = replace(tuning.read_weights(path), rules_version=sparks.version - 1)
    path.write_text(json.dumps(asdict(old)))
    with pytest.raises(Unreadable) as refused:
        tuning.tune_weights(plan, path=path, jobs=1)
    assert refused.value.code == "bots.other_plan"
    path.write_text("[]")
    with pytest.raises(Unreadable):
        tuning.read_weights(path)


@pytest.mark.parametrize(
    ("lang", "words"),
    [
        ("en", "“nope” cannot be tuned. In this game you can tune: values."),
        ("es", "«nope» no se puede ajustar. En este juego se puede ajustar: values."),
        ("it", "«nope» non si può regolare. In questo gioco si può regolare: values."),
    ],
)
def test_a_refusal_to_tune_lists_what_can_be_tuned(tmp_path, lang, words):
    path = tmp_path / "w.json"
    done = CliRunner().invoke(app, ["tune", "versailles", "nope", str(path), "--lang", lang])
    assert isinstance(done.exception, Unreadable)
    assert say(done.exception.msg, lang).startswith(words)
    assert not path.exists()


@pytest.mark.parametrize("spec", ["nope", "tests.bots.bad_bots:first"])
def test_a_game_without_weights_says_so(spec):
    with pytest.raises(Unreadable) as refused:
        levels.find_tunable(sparks, spec)
    assert refused.value.code == "bots.nothing_to_tune"
    assert say(refused.value.msg, "en").startswith(f"“{spec}” cannot be tuned")


def test_the_command_writes_weights_with_their_run(tmp_path):
    path = tmp_path / "weights.json"
    arguments = ["tune", "tests.tiny.sparks", WHAT, str(path), "--generations", "1"]
    arguments += ["--population", "4", "--seeds", "1", "--check-seeds", "2", "--jobs", "1"]
    done = CliRunner().invoke(app, [*arguments, "--lang", "en"])
    assert done.exit_code == 0, done.output
    assert "Generation 1" in done.output
    stored = json.loads(path.read_text())
    assert set(stored["weights"]) == {"high", "low", "stand"}
    assert stored["plan"]["base"]["game"] == "tests.tiny.sparks"


def test_a_quick_trial_lists_what_it_does_not_use(tmp_path):
    arguments = ["--generations", "1", "--population", "4", "--seeds", "1", "--check-seeds", "2"]
    arguments += ["--jobs", "1", "--lang", "en"]

    def said(what, *more):
        path = tmp_path / f"{len(list(tmp_path.iterdir()))}.json"
        given = ["tune", "tests.tiny.sparks", what, str(path), *arguments, *more]
        done = CliRunner().invoke(app, given)
        assert done.exit_code == 0, done.output
        return "only count in the check at the end" in done.output

    assert said("tests.bots.tunable:TRIED", "--rival", "random")
    assert said("tests.bots.tunable:TRIED", "-o", "rounds=2")
    assert not said("tests.bots.tunable:TRIED")
    assert not said(WHAT, "--rival", "random")


@pytest.mark.parametrize("wrong", [("--sigma", "0"), ("--seed", "-1")])
def test_numbers_that_no_search_can_begin_with_are_refused(tmp_path, wrong):
    path = tmp_path / "w.json"
    done = CliRunner().invoke(app, ["tune", "tests.tiny.sparks", WHAT, str(path), *wrong])
    assert done.exit_code == 2
    assert not path.exists()


def test_the_run_for_diplomacys_values_is_kept_with_its_verdict():
    """No better than the weights as they are: they stay."""
    folder = files("powderkeg.bots.diplomacy")
    run = tuning.read_weights(Path(str(folder / "tuning.json")))
    assert set(run.weights) == set(levels.find_tunable(find_game("diplomacy"), "values").start)
    assert len(run.history) == run.plan.generations
    assert run.games == sum(len(g.scores) for g in run.history) * run.plan.seeds * 7
    paired = run.check["paired"]
    assert run.check["kept"] is (paired["gain"] > paired["error"])
