"""Weights: tuned, checked on fresh seeds, and kept with the run that made them."""

import json
from dataclasses import replace
from importlib.resources import files
from pathlib import Path

import pytest
import sparks
from typer.testing import CliRunner

from powderkeg.bots import levels, tune
from powderkeg.bots.arena import Tournament
from powderkeg.cli.app import app
from powderkeg.core.errors import Unreadable
from powderkeg.core.words import say
from powderkeg.games import find

WHAT = "tests.bots.tunable:CARDS"


@pytest.fixture
def plan():
    base = Tournament("tests.tiny.sparks", 2, (), ())
    return tune.Plan(base, WHAT, WHAT, generations=3, population=5, seeds=6, check_seeds=30)


def test_tuning_finds_that_high_cards_win(plan):
    """The bot begins by playing its lowest card; a little more for high ones turns it round."""
    found = tune.tune(plan, jobs=1)
    assert found.weights["high"] > found.weights["low"]
    check = found.check[WHAT]
    assert check["low"] > 0.5
    assert check["n"] == 60
    assert found.games == 3 * 5 * 6 * 2
    assert set(found.check) == {"equal", WHAT, "random"}


def test_an_interrupted_run_goes_on_to_the_same_weights(plan, tmp_path):
    short = replace(plan, generations=2, check_seeds=2)
    whole = tune.tune(short, path=tmp_path / "whole.json", jobs=1)
    tune.tune(replace(short, generations=1), path=tmp_path / "cut.json", jobs=1)
    told = []
    again = tune.tune(
        short, path=tmp_path / "cut.json", jobs=1, told=lambda number, _: told.append(number)
    )
    assert again == whole
    assert told == [1]
    assert tune.read(tmp_path / "cut.json") == whole


def test_a_quick_trial_takes_the_place_of_the_table(plan):
    """What a candidate scores is what its trial says, from every seat, and nothing else."""
    tried = replace(plan, what="tests.bots.tunable:TRIED", generations=1, check_seeds=2)
    found = tune.tune(tried, jobs=1)
    luck = [(seed * 2 + seat) % 3 / 10 for seed in range(6) for seat in range(2)]
    ratios = [score - sum(luck) / len(luck) for score in found.history[0].scores]
    assert all(ratio > 0 for ratio in ratios)
    assert len(set(ratios)) == 5
    assert tune.tune(replace(tried, generations=8), jobs=1).weights["high"] > 2
    assert found.check[WHAT]["n"] == 4  # the check is at a table


def test_a_file_of_another_run_is_refused(plan, tmp_path):
    path = tmp_path / "w.json"
    tune.tune(replace(plan, generations=1, check_seeds=2), path=path, jobs=1)
    with pytest.raises(Unreadable) as refused:
        tune.tune(replace(plan, seed=5), path=path, jobs=1)
    assert refused.value.code == "bots.other_plan"
    path.write_text("[]")
    with pytest.raises(Unreadable):
        tune.read(path)


@pytest.mark.parametrize(
    ("lang", "words"),
    [
        ("en", "“nope” cannot be tuned. In this game these can: values."),
        ("es", "«nope» no se puede afinar. En este juego se puede afinar: values."),
        ("it", "«nope» non si può tarare. In questo gioco si può tarare: values."),
    ],
)
def test_what_cannot_be_tuned_is_told_with_what_can(tmp_path, lang, words):
    path = tmp_path / "w.json"
    done = CliRunner().invoke(app, ["tune", "versailles", "nope", str(path), "--lang", lang])
    assert isinstance(done.exception, Unreadable)
    assert say(done.exception.msg, lang).startswith(words)
    assert not path.exists()


@pytest.mark.parametrize("spec", ["nope", "tests.bots.tunable:NOPE", "no.such.module:X"])
def test_a_game_without_weights_says_so(spec):
    with pytest.raises(Unreadable) as refused:
        levels.tunable(sparks, spec)
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


def test_the_run_for_diplomacys_values_is_kept_with_its_verdict():
    """No better than the weights as they are: they stay."""
    folder = files("powderkeg.bots.diplomacy") / "data"
    run = tune.read(Path(str(folder / "tuning.json")))
    assert set(run.weights) == set(levels.tunable(find("diplomacy"), "values").start)
    assert len(run.history) == run.plan.generations
    assert run.games == sum(len(g.scores) for g in run.history) * run.plan.seeds * 7
    paired = run.check["paired"]
    assert run.check["kept"] is (paired["gain"] > paired["error"])
