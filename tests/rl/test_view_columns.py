"""Views as numbers: fixed columns with names, between -1 and 1, nothing secret."""

import random

import numpy as np
import pytest
import sparks

import powderkeg
from powderkeg import bots, games
from powderkeg.core.chance import Seeded
from powderkeg.core.table import Table
from powderkeg.games.diplomacy.board import NUMBER_OF
from powderkeg.rl.diplomacy import BoardEncoder
from powderkeg.rl.encoders import find_encoder
from powderkeg.rl.play import encode_written, make_setting
from powderkeg.rl.view_columns import gather_columns, stored_columns, view_leaves


def test_everything_a_view_says_becomes_a_leaf():
    view = {"a": {"b": [1, {"c": None}], "d": False}, "skip": {"x": 1}, "e": [{"id": "q", "n": 2}]}
    assert view_leaves(view, frozenset({"skip"})) == [
        ("a/b/0", 1.0),
        ("a/d", 0.0),
        ("e=q", 1.0),
        ("e=q/n", 2.0),
    ]


def test_columns_are_gathered_the_same_every_time():
    one, two = (gather_columns(sparks, (2,), sparks.Options()) for _ in range(2))
    assert one == two
    assert "hand=c3" in one.names
    assert "score/red" in one.names
    assert "sparks" not in one.names, "what never changes has no column"


def test_what_was_not_seen_is_counted():
    columns = gather_columns(sparks, (2,), sparks.Options())
    table = Table(sparks, 2, source=Seeded(random.Random(1)))
    view = table.view("red")
    assert columns.encode(view)[-1] < 0.9
    strange = columns.encode({**view, "brand": "new", "more": 5})
    assert strange[-1] > columns.encode(view)[-1]
    assert np.abs(columns.encode({**view, "score": {"red": 10**6, "blue": -9}})).max() == 1


@pytest.mark.parametrize("name", games.GAME_NAMES)
def test_real_games_are_encoded(name):
    rules = games.find_game(name)
    made = find_encoder(rules, rules.players[-1], rules.Options())
    assert len(made.names) == len(set(made.names))
    table = Table(rules, source=Seeded(random.Random(5)))
    bot, rng, seen = bots.find_bot(rules, "random"), random.Random(5), []
    for _ in range(60):
        seat = min(table.to_act)
        view = table.view(seat)
        vector = made.encode(view)
        assert vector.shape == (len(made.names),)
        assert vector.dtype == np.float32
        assert np.abs(vector).max() <= 1
        seen.append(vector)
        table.act(seat, bot(view, table.ask(seat), table.legal(seat), rng))
    assert np.stack(seen).std(axis=0).any()


@pytest.mark.parametrize("name", ["risk_europe", "versailles"])
def test_stored_columns_know_nearly_everything(name):
    """If this fails, views have changed: gather the columns again (see `encode.store`)."""
    rules, columns = games.find_game(name), stored_columns(name)
    table = Table(rules, source=Seeded(random.Random(8)))
    bot, rng, shares = bots.find_bot(rules, "random"), random.Random(8), []
    for _ in range(100):
        if not table.to_act:
            break
        seat = min(table.to_act)
        view = table.view(seat)
        said = [path for path, _ in view_leaves(view, columns.skip)]
        shares.append(sum(path not in columns.seen for path in said) / len(said))
        table.act(seat, bot(view, table.ask(seat), table.legal(seat), rng))
    assert max(shares) < 0.05


def test_diplomacys_board_is_in_its_planes():
    rules = games.find_game("diplomacy")
    table = Table(rules, source=Seeded(random.Random(1)))
    board = BoardEncoder()
    vector = board.encode(table.view("FRANCE"))
    named = dict(zip(board.names, vector, strict=True))
    assert named["par: army"] == named["par: unit of FRANCE"] == named["par: my unit"] == 1
    assert named["lon: fleet"] == named["lon: centre of ENGLAND"] == 1
    assert named["lon: my unit"] == named["lon: my centre"] == named["par: fleet"] == 0
    assert named["bel: centre of nobody"] == named["mine: FRANCE"] == named["stage movement"] == 1
    assert board.planes(vector).shape == (81, 54)
    table.act("FRANCE", "A par - bur")
    mine, theirs = (board.encode(table.view(seat)) for seat in ("FRANCE", "ENGLAND"))
    assert dict(zip(board.names, mine, strict=True))["bur: target of my orders"] == 1
    assert dict(zip(board.names, theirs, strict=True))["bur: target of my orders"] == 0


def test_diplomacys_observation_has_the_orders_of_the_last_phase():
    table = powderkeg.table("diplomacy")
    table.submit("FRANCE", "A par-bur; A mar S par-bur; F bre-mao")
    table.submit("GERMANY", "A mun-bur")
    for seat in table.seats:
        assert not any(last_orders(table, seat).values()), "nothing is known before it resolves"
    for seat in table.seats:
        table.act(seat, "ready")
    last = last_orders(table, "ITALY")
    assert last["par"] == {
        "last order of FRANCE": 1,
        "last order was to move": 1,
        "last order succeeded": 1,
        "last order named this place, of 81": (1 + NUMBER_OF["bur"]) / 81,
    }
    assert last["mar"]["last order helped the unit here, of 81"] == (1 + NUMBER_OF["par"]) / 81
    assert "last order succeeded" not in last["mun"]
    assert last["rom"]["last order was to hold"] == 1
    assert "bur" not in last


def last_orders(table, seat):
    """What an observation says of the last orders, by place, without zeros."""
    board = BoardEncoder()
    found = {}
    for name, value in zip(board.names, board.encode(table.view(seat)).tolist(), strict=True):
        place, _, plane = name.partition(": ")
        if value and plane.startswith("last order"):
            found.setdefault(place, {})[plane] = pytest.approx(value)
    return found


def test_words_written_keep_their_order():
    fixed = make_setting("diplomacy")
    one, two = (encode_written(fixed, words) for words in (["A", "par", "S"], ["par", "A", "S"]))
    assert not (one == two).all()
    numbers = fixed.lexicon.numbers
    assert [one[numbers[word]] * 16 for word in ("A", "par", "S")] == [1, 2, 3]
    assert one[len(fixed.lexicon) + numbers["S"]] == 1
    assert encode_written(fixed, ["A"] * 40).max() == 1


def test_every_column_and_action_has_a_name():
    fixed = make_setting(sparks)
    spec = fixed.spec()
    assert len(spec["observation"]) == fixed.width
    assert len(spec["actions"]) == len(fixed.lexicon)


@pytest.mark.parametrize("reward", ["wins", "shares", "scores"])
def test_rewards(reward):
    fixed = make_setting(sparks, reward=reward)
    result = sparks.Result((("red",), ("blue",)), {"red": 6.0, "blue": 2.0}, sparks.Msg("x.y"))
    wanted = {"wins": (1, 0), "shares": (0.9, 0.1), "scores": (6, 2)}[reward]
    assert tuple(fixed.rewards(result).values()) == pytest.approx(wanted)
