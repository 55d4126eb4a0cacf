"""A turn of Diplomacy is judged as a whole, by the orders that counted, against the plan of a bot."""

import random
from dataclasses import replace
from typing import Any

import pytest

from powderkeg import bots
from powderkeg.bots import analysis, levels
from powderkeg.bots.engine.budget import Budget
from powderkeg.core.record import make_record, write_record
from powderkeg.core.table import Table
from powderkeg.core.words import say
from powderkeg.games import diplomacy
from powderkeg.games.diplomacy.actions import Build, Ready, parse_unit
from powderkeg.server import message_json
from powderkeg.server.analysis import worker
from powderkeg.server.tables.labels import action_in_words

LOOK = Budget(64)
BAD = ("A ber S A mun", "A mun S A ber", "F kie - bal", "ready")


def spring(*german: str) -> Table:
    """The first spring: Germany plays the given orders, the others what a good bot plays."""
    table, mind = Table(diplomacy, 7), bots.find_bot(diplomacy, "hard", LOOK)
    for text in german:
        table.act("GERMANY", text)
    while table.view(None)["phase"] == "S1901M":
        seat = min(table.to_act)
        question = table.ask(seat)
        assert question is not None
        table.act(seat, mind(table.view(seat), question, table.legal(seat), random.Random(seat)))
    return table


def found_in(table: Table) -> list[analysis.Blunder]:
    return list(analysis.find_blunders(make_record(table), diplomacy, budget=LOOK))


def test_a_bad_turn_is_found_and_good_ones_are_not():
    (found,) = found_in(spring(*BAD))
    assert (found.position, found.seat) == (0, "GERMANY")
    assert set(map(str, found.did)) == set(BAD[:3])
    assert len(found.better) == 3
    assert 0.05 < found.loss < 0.5
    assert "F kie - bal" in str(found.reason)


def test_a_known_opening_is_no_blunder():
    opening = ("A mos - sev", "F sev - bla", "A war - ukr", "F stp/sc - bot")
    table, judge = Table(diplomacy, 7), levels.find_judge(diplomacy)
    for text in opening:
        table.act("RUSSIA", text)
    assert judge is not None
    assert judge(table.view("RUSSIA"), Ready(), random.Random(1), LOOK) is None


@pytest.mark.slow
def test_orders_that_were_changed_in_time_do_not_count():
    assert found_in(spring(*BAD, "revise")), "they are as bad as before"
    plan = [entry.do for entry in spring().log if entry.seat == "GERMANY"]
    assert found_in(spring(*BAD, "revise", *plan)) == []
    assert found_in(spring(*BAD[:3], *plan)) == []


@pytest.mark.parametrize("last", ["ready", "absent"])
def test_units_without_orders_hold(last):
    (found,) = found_in(spring(last))
    assert [str(order) for order in found.did] == ["A ber H", "F kie H", "A mun H"]


def winter(*built: Build) -> diplomacy.State:
    """Germany has two centres more than units, and its homes are free."""
    state = diplomacy.start(diplomacy.seats(7, diplomacy.Options()), diplomacy.Options())
    units = tuple(map(parse_unit, ("F den", "A hol", "A ruh")))
    return replace(
        state,
        season="fall",
        stage="adjustment",
        units={**state.units, "GERMANY": units},
        centres={**state.centres, "den": "GERMANY", "hol": "GERMANY"},
        drafts={order.unit.province: order for order in built},
    )


def test_a_forgotten_build_is_found():
    judge = levels.find_judge(diplomacy, "hard/loyal")
    assert judge is not None
    rng, view = random.Random(1), diplomacy.view(winter(), "GERMANY")
    forgot = judge(view, Ready(), rng, LOOK)
    assert forgot is not None
    assert forgot.did == (Ready(),)
    assert [type(order) for order in forgot.better] == [Build, Build]
    assert forgot.loss > 0.02
    view = diplomacy.view(winter(*forgot.better), "GERMANY")
    built = judge(view, Ready(), rng, LOOK)
    assert built is None or built.loss < 0.01


def test_a_vote_is_no_turn():
    judge = levels.find_judge(diplomacy, "hard/loyal")
    assert judge is not None
    view = diplomacy.view(winter(), "GERMANY")
    assert judge(view, diplomacy.parse("propose draw"), random.Random(1), LOOK) is None


def reviewed(monkeypatch, *german: str) -> dict[str, Any]:
    """The one mistake that a server finds in a spring of Germany."""
    monkeypatch.setattr(analysis, "_patient_budget", lambda game, level: LOOK)
    request = {
        "game": diplomacy.__name__,
        "file": write_record(make_record(spring(*german))),
        "since": 0,
        "seats": ["GERMANY"],
        "level": "hard",
    }
    (found,) = worker.analyse_game(request)["found"]
    return dict(found)


def test_among_seven_players_an_army_without_an_order_is_a_mistake(monkeypatch):
    found = reviewed(monkeypatch, "A ber - kie", "F kie - den", "ready")
    assert worker.least_loss(7) < found["loss"] < worker.least_loss(2)


def test_the_review_tells_all_orders_of_the_turn_in_words(monkeypatch):
    found = reviewed(monkeypatch, *BAD)
    words = [
        " ".join(say(message_json.load_message(part), "en") for part in order)
        for order in found["did"]
    ]
    assert words[1] == "F Kiel move to Baltic Sea"
    assert len(found["better"]) == 3


def test_a_turn_without_orders_is_found_whatever_it_costs():
    found = [each for each in found_in(spring("ready")) if each.seat == "GERMANY"]
    assert [each.empty for each in found] == [True]
    assert found[0].loss >= 0


def test_a_loss_is_explained_by_attacks_on_what_the_seat_holds():
    table = spring(*BAD)
    state = table.state
    view = diplomacy.view(state, "FRANCE")
    judge = levels.find_judge(diplomacy, "hard")
    assert judge is not None
    verdict = judge(view, Ready(), random.Random(1), LOOK)
    assert verdict is not None
    goals = {str(action)[-3:] for _, action in verdict.then}
    mine = {unit[2:5] for unit in view["units"]["FRANCE"]} | set(view["centres"]["FRANCE"])
    assert goals <= mine
    assert all(seat != "FRANCE" for seat, _ in verdict.then)


@pytest.mark.parametrize("ready", ["", "ready"])
def test_the_punishing_orders_come_with_the_questions_that_say_them_in_words(ready):
    """Also those of players who have given theirs already."""
    table = spring(*BAD)
    for seat in table.to_act - {"AUSTRIA"} if ready else ():
        table.act(seat, ready)
    judge = levels.find_judge(diplomacy, "hard")
    assert judge is not None
    verdict = judge(table.view("AUSTRIA"), Ready(), random.Random(1), LOOK)
    assert verdict is not None
    said = [
        action_in_words(asked, str(action), "it")
        for (_, action), asked in zip(verdict.then, verdict.asked, strict=True)
    ]
    assert said == ["A Venezia muovi in Trieste", "A Bulgaria muovi in Serbia"]
