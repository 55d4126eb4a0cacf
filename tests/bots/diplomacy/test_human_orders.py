"""Orders of people in archives beside those of bots."""

import json

import pytest

from bench.human_games import compare_levels, read_games
from powderkeg import bots, games
from powderkeg.bots.diplomacy.human_orders import bot_orders, compare_orders, human_turns
from powderkeg.core.record import make_record
from powderkeg.games.diplomacy.actions import Ready
from powderkeg.games.diplomacy.state import Options
from tests.games.diplomacy.archive.archive_games import GROWTH, STUCK, as_dipcc, played, saved


@pytest.fixture(scope="module")
def record():
    """A short game as dipcc keeps it, opened with the archive reader."""
    (found,) = games.open_game_files(json.dumps(as_dipcc(saved(GROWTH))))
    return found.record


def test_every_unit_of_every_movement_is_an_order(record):
    turns = {(turn.phase, turn.seat): turn for turn in human_turns(record)}
    austria = turns["S1901M", "AUSTRIA"].orders
    assert austria == {"bud": "A bud - ser", "tri": "F tri - alb", "vie": "A vie H"}
    assert turns["S1901M", "RUSSIA"].orders["mos"] == "A mos H"  # nothing was written
    assert not any(phase.endswith("A") for phase, _ in turns)  # builds are not compared


def hold_everything(_view, _question, _legal, _rng):
    return Ready()


def test_the_same_orders_are_counted_and_kinds_compared(record):
    turns = (turn for turn in human_turns(record) if turn.phase == "S1901M")
    everybody, winners = compare_orders(hold_everything, turns)
    assert (everybody.orders, everybody.same, winners.orders) == (22, 20, 0)
    assert everybody.human == {"hold": 20, "move": 2}
    assert everybody.bot == {"hold": 22}


def test_a_level_orders_every_unit(record):
    bot = bots.find_bot("diplomacy", "normal").exact()
    (turn,) = (t for t in human_turns(record) if (t.phase, t.seat) == ("S1901M", "RUSSIA"))
    assert set(bot_orders(bot, turn.view, "0")) == {"mos", "war", "sev", "stp"}


def test_winners_are_counted_alone():
    table = played(STUCK[:2], Options(last_year=1901))
    turns = list(human_turns(make_record(table)))
    bot = bots.find_bot("diplomacy", "random").exact()
    everybody, winners = compare_orders(bot, iter(turns))
    assert winners.orders == sum(len(turn.orders) for turn in turns if turn.won)
    assert winners.orders < everybody.orders
    assert 0 <= everybody.same < everybody.orders


def test_the_report_names_levels_and_what_could_not_be_read(record, tmp_path, capsys):
    (tmp_path / "game.json").write_text(json.dumps(as_dipcc(saved(GROWTH))), "utf-8")
    (tmp_path / "bad.json").write_text('{"id": "x", "phases": [{}]}', "utf-8")
    records = list(read_games([tmp_path / "bad.json", tmp_path / "game.json"]))
    assert len(records) == 1
    assert "bad.json" in capsys.readouterr().out
    page = compare_levels(records, ["random"])
    assert "| random | 44 | " in page
