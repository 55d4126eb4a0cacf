"""Whole games of Versailles' bots: an answer to every question, the same every time, from nothing but the view."""

import os
import random
import subprocess
import sys

import pytest

from powderkeg.core.agenda import Kind
from powderkeg.core.chance import CHANCE
from powderkeg.core.words import LANGS, say
from powderkeg.games import versailles
from powderkeg.games.versailles.kinds import KINDS
from powderkeg.games.versailles.state import Options, State
from tests.bots.versailles.positions import (
    LEVELS,
    RULEBOOK,
    at_turn,
    begin,
    by_chance,
    play,
    step,
    think,
)


def kinds(players: int, seeds: range, options: Options = RULEBOOK) -> dict[type, tuple[State, str]]:
    """One position for every kind of question that comes up in games of chance."""
    found: dict[type, tuple[State, str]] = {}
    for seed in seeds:
        rng, p = random.Random(seed), begin(players, options)
        while p.agenda:
            seat = min(versailles.to_act(p))
            if seat != CHANCE:
                found.setdefault(type(p.agenda[-1]), (p, seat))
            p = step(p, rng, by_chance)
    return found


@pytest.fixture(scope="module")
def questions() -> dict[type, tuple[State, str]]:
    """Every kind of question of the game, each in a position that came about."""
    found: dict[type, tuple[State, str]] = {}
    for players in (1, 2, 3, 4):
        options = Options(solo_order="chosen") if players == 1 else Options()
        found |= kinds(players, range(60 if players == 1 else 8), options)
    return found


@pytest.mark.slow
def test_games_of_chance_ask_everything(questions):
    asking = {step for step, kind in KINDS.items() if kind.answer is not Kind().answer}
    assert set(questions) == asking


@pytest.mark.slow
@pytest.mark.parametrize("level", LEVELS)
def test_every_kind_of_question_is_answered(level, questions):
    for kind, (p, seat) in questions.items():
        thought = think(level, p, seat)
        assert thought.action in versailles.legal(p, seat), kind
        for lang in LANGS:
            said = say(thought.reason, lang)
            assert said, kind
            assert "versailles_bots" not in said, kind


@pytest.mark.slow
@pytest.mark.parametrize("players", [1, 2, 3, 4])
@pytest.mark.parametrize("level", ["easy", "normal"])
def test_whole_games(level, players):
    table = play([level] * players, seed=3)
    assert not table.faults
    assert table.why in ("versailles.result.won", "versailles.result.shared") or players == 1


@pytest.mark.slow
@pytest.mark.parametrize(
    "options", [{"length": 5}, {"exchange_once": False}, {"strategies_at_once": True}]
)
def test_variants(options):
    assert not play(["normal", "easy", "normal"], seed=5, options=options).faults


@pytest.mark.slow
def test_search_plays_whole_games():
    p, rng = begin(2), random.Random(8)
    while p.agenda:
        p = step(p, rng, lambda p, seat, rng: think("expert", p, seat, rng.random()).action)
    assert versailles.result(p) is not None


def wins(hero: str, rest: str, seeds: range) -> float:
    total = 0.0
    for seed in seeds:
        for seat in range(4):
            lineup = [rest] * 4
            lineup[seat] = hero
            total += play(lineup, seed).wins[seat]
    return total


@pytest.mark.slow
def test_easy_beats_luck():
    assert wins("easy", "random", range(1)) >= 3


@pytest.mark.slow
def test_normal_beats_easy():
    assert wins("normal", "easy", range(2)) >= 4


SCRIPT = """
import random, hashlib
from powderkeg.bots import Budget, levels
from powderkeg.core.chance import CHANCE
from powderkeg.games import versailles as game
options = game.Options()
p, rng, said = game.start(game.seats(4, options), options), random.Random(4), []
minds = [levels.find_bot(game, level, Budget(5)) for level in ("easy", "normal", "hard", "expert")]
while p.agenda and p.turn < 12:
    seat = min(game.to_act(p))
    legal = game.legal(p, seat)
    if seat == CHANCE:
        action = legal.sample(rng)
    else:
        action = minds[int(seat[1]) - 1](game.view(p, seat), game.ask(p, seat), legal, rng)
        said.append(str(action))
    p = game.apply(p, seat, action).state
print(hashlib.sha256("|".join(said).encode()).hexdigest(), len(said))
"""


@pytest.mark.slow
def test_equal_seeds_give_equal_answers_whatever_the_hash_seed():
    runs = []
    for seed in ("0", "77"):
        environment = os.environ | {"PYTHONHASHSEED": seed}
        done = subprocess.run(
            [sys.executable, "-c", SCRIPT], env=environment, capture_output=True, check=True
        )
        runs.append(done.stdout)
    assert runs[0] == runs[1]


@pytest.mark.slow
@pytest.mark.parametrize("level", LEVELS)
def test_cards_to_come_change_nothing(level):
    """The order of a deck is the only secret: the same view, the same answer."""
    p = at_turn(9)
    seat = min(versailles.to_act(p))
    view = versailles.view(p, seat)
    worlds = [versailles.deal(view, random.Random(seed)) for seed in (1, 2)]
    said = [think(level, world, seat, seed=3).action for world in worlds]
    assert said[0] == said[1]
    assert "deck" not in {k for k, v in view.items() if isinstance(v, list)}


def points_alone(level: str, seed: int) -> int:
    """What the human has after ten turns of solitaire."""
    p, rng = begin(1), random.Random(seed)
    while p.turn < 30:
        p = step(p, rng, lambda p, seat, rng: think(level, p, seat, rng.random()).action)
    return p.points


@pytest.mark.slow
def test_alone_it_pays_to_play_on():
    assert sum(points_alone("hard", seed) for seed in range(3)) >= 1.5 * sum(
        points_alone("normal", seed) for seed in range(3)
    )
