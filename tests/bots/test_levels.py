"""Levels: named alike, answering everything, decided by seed and iterations alone."""

import os
import random
import re
import subprocess
import sys
from importlib.machinery import PathFinder
from pathlib import Path

import pytest
import sparks

from powderkeg import bots, games
from powderkeg.bots import game_bots, levels
from powderkeg.bots.engine import budget
from powderkeg.bots.engine.budget import Budget
from powderkeg.bots.engine.knowledge import Knowledge
from powderkeg.core.chance import Seeded
from powderkeg.core.errors import Unreadable
from powderkeg.core.table import Table

ROOT = Path(__file__).parents[2]


def play(rules, level, *, seed=0, players=None, options=None, decisions=10_000, small=None):
    """A game, or its first decisions, by bots of one level: the texts of all actions."""
    table = Table(rules, players, options, source=Seeded(random.Random(f"{seed}/chance")))
    bot = bots.find_bot(rules, level, small)
    for number in range(decisions):
        if not table.to_act:
            break
        seat = min(table.to_act)
        luck = random.Random(f"{seed}/{seat}/{number}")
        action = bot(table.view(seat), table.ask(seat), table.legal(seat), luck)
        assert action in table.legal(seat)
        table.act(seat, action)
    return table


def test_levels_are_named_alike_everywhere():
    assert bots.LEVEL_NAMES == ("random", "easy", "normal", "hard", "expert")
    for name in games.GAME_NAMES:
        assert set(levels.game_levels(games.find_game(name))) >= set(bots.LEVEL_NAMES)


def test_an_unknown_level_is_refused():
    with pytest.raises(Unreadable, match=r"core\.no_such_bot|grandmaster"):
        bots.find_bot(sparks, "grandmaster")
    with pytest.raises(Unreadable, match="bad_bots:LEAK"):
        levels.load_bot(sparks, "tests.bots.bad_bots:LEAK")  # nothing that could be asked
    with pytest.raises(Unreadable):
        levels.find_tunable(sparks, "nothing")


def test_a_custom_bot_is_found():
    from tests.bots import bad_bots

    assert levels.load_bot(sparks, "tests.bots.bad_bots:first") is bad_bots.first


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A current folder that Python does not look into by itself."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [entry for entry in sys.path if entry])
    return tmp_path


def test_a_bot_is_found_in_the_current_folder(folder):
    (folder / "bots_of_mine.py").write_text("def clever(*asked): ...\n")
    assert callable(levels.load_bot(sparks, "bots_of_mine:clever"))


def test_a_file_in_the_current_folder_takes_the_place_of_nothing(folder):
    (folder / "bisect.py").write_text("raise RuntimeError\n")
    with pytest.raises(Unreadable):
        levels.load_bot(sparks, "no_bots:clever")
    found = PathFinder.find_spec("bisect")
    assert found is not None
    assert found.origin != str(folder / "bisect.py")


@pytest.mark.parametrize("find", [levels.load_bot, levels.find_tunable])
@pytest.mark.parametrize(
    ("text", "spec", "code", "said"),
    [
        ("", "no_bots:clever", "bots.no_such_module", "no module “no_bots”"),
        ("", "no.such.bots:clever", "bots.no_such_module", "no module “no.such.bots”"),
        ("", ":clever", "bots.no_such_module", "no module “”"),
        ("", "..up:clever", "bots.no_such_module", "no module “..up”"),
        ("", "dull_bots:clever", "bots.not_in_module", "“clever” in the module “dull_bots”"),
        ("import numpyy", "dull_bots:x", "bots.module_fails", "No module named 'numpyy'"),
        ("import dull_bots.more", "dull_bots:x", "bots.module_fails", "'dull_bots.more'"),
        ("1 / 0", "dull_bots:x", "bots.module_fails", "ZeroDivisionError: division by zero"),
        ("def", "dull_bots:x", "bots.module_fails", "SyntaxError: invalid syntax"),
    ],
)
def test_a_faulty_custom_bot_is_refused_with_the_reason(
    folder, monkeypatch, find, text, spec, code, said
):
    (folder / "dull_bots.py").write_text(text)
    monkeypatch.delitem(sys.modules, "dull_bots", raising=False)
    with pytest.raises(Unreadable, match=re.escape(said)) as refused:
        find(sparks, spec)
    assert refused.value.code == code


@pytest.mark.parametrize("level", bots.LEVEL_NAMES)
def test_every_level_plays_a_game_to_its_end(level):
    assert play(sparks, level, small=Budget(12)).result is not None


@pytest.mark.parametrize("level", ["easy", "hard"])
@pytest.mark.parametrize("name", ["risk_europe", "versailles"])
def test_generic_search_plays_real_games(name, level):
    know = levels.GENERIC_LEVELS[level].think(Knowledge(games.find_game(name), horizon=30))
    rules = games.find_game(name)
    table = Table(rules, 2, source=Seeded(random.Random(1)))
    for number in range(6):
        seat = min(table.to_act)
        clock = Budget(3).start()
        legal = table.legal(seat)
        thought = know(table.view(seat), table.ask(seat), legal, random.Random(number), clock)
        table.act(seat, thought.action)


@pytest.mark.slow
@pytest.mark.parametrize("name", games.GAME_NAMES)
def test_random_ends_real_games(name):
    rules = games.find_game(name)
    short = {"diplomacy": {"last_year": 1902}, "risk_europe": {"rounds": 2}}
    options = rules.Options(**short.get(name, {}))
    assert play(rules, "random", players=2, options=options).result is not None


def test_random_gives_every_piece_an_order():
    rules = games.find_game("diplomacy")
    table = play(rules, "random", decisions=200)
    orders = [e.do for e in table.log if e.do != "ready"]
    assert len(orders) > len(table.log) / 2


# Equal seeds, equal games


SCRIPT = """
import random, sys, hashlib
sys.path[:0] = {path!r}
import sparks
from powderkeg.bots.engine.budget import Budget
from powderkeg.bots.engine.knowledge import Knowledge
from powderkeg.bots.engine.thought import ThinkingBot
from powderkeg.bots.levels import find_bot
from powderkeg.bots.engine.regret import matrix_search
from powderkeg import games
from powderkeg.core.chance import Seeded
from powderkeg.core.table import Table

def play(rules, bot, players, decisions):
    table = Table(rules, players, source=Seeded(random.Random("7/chance")))
    for number in range(decisions):
        if not table.to_act:
            break
        seat = min(table.to_act, key=table.seats.index)
        luck = random.Random(f"7/{{seat}}/{{number}}")
        table.act(seat, bot(table.view(seat), table.ask(seat), table.legal(seat), luck))
    print(rules.name, table.log)

for level in ("random", "easy", "hard"):
    play(sparks, find_bot(sparks, level, Budget(40)), 2, 99)
play(sparks, ThinkingBot("mixed", matrix_search(Knowledge(sparks)), Budget(80)), 2, 99)
risk = games.find_game("risk_europe")
from powderkeg.bots.engine.tree_search import tree_search
play(risk, ThinkingBot("tree", tree_search(Knowledge(risk, horizon=20)), Budget(15)), 3, 12)
for name in games.GAME_NAMES:
    play(games.find_game(name), find_bot(games.find_game(name), "random"), None, 120)
"""


@pytest.mark.slow
def test_equal_seeds_give_equal_games_whatever_the_hash_seed():
    script = SCRIPT.format(path=[str(ROOT / "tests" / "tiny"), str(ROOT)])
    started = [
        subprocess.Popen(
            [sys.executable, "-c", script],
            env=os.environ | {"PYTHONHASHSEED": seed},
            stdout=subprocess.PIPE,
            text=True,
        )
        for seed in ("1", "2")
    ]
    runs = [process.communicate()[0] for process in started]
    assert [process.returncode for process in started] == [0, 0]
    assert runs[0] == runs[1]
    assert len(runs[0]) > 1000


# No bot knows more than its view


@pytest.mark.parametrize("level", ["easy", "hard"])
def test_worlds_that_differ_in_the_secret_get_the_same_decision(level):
    table = Table(sparks, 2, source=Seeded(random.Random(3)))
    table.act("blue", next(iter(table.legal("blue"))))
    view = table.view("red")
    worlds = [sparks.deal(view, random.Random(n)) for n in range(8)]
    assert len({str(sorted(world.hands["blue"])) for world in worlds}) > 1
    bot = bots.find_bot(sparks, level, Budget(60))
    decisions = {
        bot(sparks.view(w, "red"), sparks.ask(w, "red"), sparks.legal(w, "red"), random.Random(5))
        for w in worlds
    }
    assert len(decisions) == 1


# Budgets


def test_iterations_are_counted():
    clock = Budget(3).start()
    assert [clock.tick() for _ in range(5)] == [True, True, True, False, False]
    assert clock.left == 0
    assert Budget(0).start().tick(), "there is always an answer"


def test_a_clock_that_is_late_grants_one_iteration(monkeypatch):
    now = [100.0]
    monkeypatch.setattr(budget, "read_time", lambda: now[0])
    clock = Budget(1000, 2.0).start()
    assert clock.tick()
    now[0] = 103.0
    assert clock.late()
    assert not clock.tick()
    late = Budget(1000, 0.0).start()
    assert late.tick()
    assert not late.tick()


@pytest.mark.parametrize("level", ["easy", "normal", "hard", "expert"])
def test_a_search_out_of_time_takes_the_best_so_far(level):
    table = Table(sparks, 2, source=Seeded(random.Random(3)))
    bot = bots.find_bot(sparks, level, Budget(10**9, 0.0))
    thought = bot.think(table.view("red"), table.ask("red"), table.legal("red"), random.Random(1))
    assert thought.action in table.legal("red")


def test_exact_drops_the_seconds():
    bot = bots.find_bot(sparks, "hard")
    assert bot.budget.seconds is not None
    assert bot.exact().budget == Budget(bot.budget.iterations)


# Bots of a game's own


def test_a_games_own_bots_come_first(monkeypatch):
    from tests.bots import nim, valued

    monkeypatch.setattr(game_bots, "_own_bots", lambda name: valued.BOTS)
    assert game_bots.bots_of(nim).knowledge is valued.BOTS.knowledge
    assert levels.game_levels(nim)["normal"] is valued.BOTS.levels["normal"]
    assert levels.game_levels(nim)["hard"] is levels.GENERIC_LEVELS["hard"]
    state = nim.State(7)
    bot = bots.find_bot(nim, "normal")
    action = bot(nim.view(state, "a"), nim.ask(state, "a"), nim.legal(state, "a"), random.Random(1))
    assert action == nim.Take(3)


def test_a_game_that_was_stopped_is_scored_by_its_own_bots(monkeypatch):
    from powderkeg.bots.arena import tournament
    from tests.bots import nim, valued

    assert tournament.final_shares(nim, nim.State(7), nim.SEATS) == {"a": 0.5, "b": 0.5}
    monkeypatch.setattr(game_bots, "_own_bots", lambda name: valued.BOTS)
    assert tournament.final_shares(nim, nim.State(7), nim.SEATS) == {"a": 1.0, "b": 0.0}
    assert tournament.final_shares(nim, nim.State(0, 1), nim.SEATS) == {"a": 1.0, "b": 0.0}


def test_a_character_is_part_of_a_bots_name():
    assert bots.find_bot("versailles", "hard/loyal").name == "hard/loyal"
    with pytest.raises(Unreadable) as unknown:
        bots.find_bot("diplomacy", "hard/rude")
    assert unknown.value.code == "bots.no_such_character"
    with pytest.raises(Unreadable) as none:
        bots.find_bot("risk_europe", "hard/loyal")
    assert none.value.code == "bots.no_characters"
