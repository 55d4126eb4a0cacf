"""Reviews of games that are judged action by action: empty turns, and how a mistake is punished."""

import random

import pytest

from powderkeg.bots import analysis, levels
from powderkeg.bots.engine.budget import Budget
from powderkeg.bots.game_bots import bots_of
from powderkeg.core.chance import Seeded
from powderkeg.core.record import make_record, read_record, write_record
from powderkeg.core.table import Table
from powderkeg.games import diplomacy, risk_europe, versailles
from powderkeg.server.analysis import worker
from powderkeg.server.tables.labels import action_labels

LOOK = Budget(15, None)
GAMES = {"risk_europe": (risk_europe, "pass"), "versailles": (versailles, "end")}


def played(game, lazy: str, seat_number: int, decisions: int) -> Table:
    """The beginning of a game in which one seat does nothing whenever it can."""
    table = Table(game, 2, game.Options(), source=Seeded(random.Random(5)))
    bot, rng = levels.find_bot(game, "normal"), random.Random(5)
    idle = table.seats[seat_number]
    while table.to_act and len(table.log) < decisions:
        seat = min(table.to_act, key=table.seats.index)
        legal, question = table.legal(seat), table.ask(seat)
        assert question is not None
        if seat == idle and game.parse(lazy) in legal:
            table.act(seat, lazy)
        else:
            table.act(seat, bot(table.view(seat), question, legal, rng))
    return table


@pytest.mark.parametrize("name", GAMES)
def test_every_verb_of_doing_nothing_is_known(name):
    game, lazy = GAMES[name]
    assert lazy.startswith(bots_of(game).idle_actions)
    assert "ready".startswith(bots_of(diplomacy).idle_actions)


@pytest.mark.parametrize("name", GAMES)
def test_mistakes_are_answered_in_words_by_others(name):
    game, lazy = GAMES[name]
    table = played(game, lazy, 0, 60)
    seat = table.seats[0]
    found = list(
        analysis.find_blunders(make_record(table), game, seats=(seat,), budget=LOOK, least=0.005)
    )
    answered = [each for each in found if each.then]
    assert answered
    for blunder in answered:
        assert len(blunder.then) == len(blunder.asked)
        for (who, action), asked in zip(blunder.then, blunder.asked, strict=True):
            assert who != seat
            assert action_labels(asked, str(action)) != [str(action)] or " " not in str(action)


def test_a_pass_in_the_middle_of_a_turn_is_no_empty_turn():
    """What counts is what was done, not how many entries the turn has."""
    table = played(risk_europe, "pass", 0, 60)
    rec = make_record(table)
    decisions = analysis._list_decisions(rec, risk_europe, turns=False)
    empty = [one for one in decisions if one.empty]
    assert empty
    idle = bots_of(risk_europe).idle_actions
    assert all(one.entry.do.startswith(idle) for one in empty)
    busy = [one for one in decisions if not one.empty and one.entry.do.startswith(idle)]
    for one in busy:
        before = rec.entries[one.position - 1]
        assert before.seat in (one.entry.seat, "chance")


def test_orders_that_were_all_taken_back_leave_an_empty_turn():
    table = Table(diplomacy, 7)
    table.act("GERMANY", "A ber - kie")
    table.undo("GERMANY")
    for seat in table.seats:
        table.act(seat, "ready")
    rec = read_record(write_record(make_record(table)))
    (german,) = [
        one
        for one in analysis._list_decisions(rec, diplomacy, turns=True)
        if one.entry.seat == "GERMANY"
    ]
    assert german.empty


def test_a_server_tells_the_punishment_in_words_and_in_notation():
    table = played(versailles, "end", 0, 60)
    request = {
        "game": versailles.__name__,
        "file": write_record(make_record(table)),
        "since": 0,
        "seats": [table.seats[0]],
        "level": "normal",
    }
    for found in worker.analyse_game(request)["found"]:
        for seat, text, said in found["then"]:
            assert seat in table.seats
            assert text
            assert said
