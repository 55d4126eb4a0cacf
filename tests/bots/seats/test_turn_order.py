"""Who is asked next: offers first, each once, wherever bots play."""

import io
import random
from collections import Counter

import pytest
import sparks

from powderkeg import games
from powderkeg.bots import levels
from powderkeg.bots.game_bots import bots_of
from powderkeg.bots.process import guard
from powderkeg.bots.seats.assistant import take_seat
from powderkeg.bots.seats.turn_order import TurnOrder, seats_without_offers
from powderkeg.cli import playout
from powderkeg.cli.play.evening import Evening, Leave
from powderkeg.core.chance import Seeded
from powderkeg.core.table import Table

VERSAILLES = games.find_game("versailles")
ANSWERS = ("accept", "refuse", "counter")


def conference(seed, to):
    """A table of three bots at which somebody has just made an offer to `to`."""
    table = Table(VERSAILLES, 3, source=Seeded(random.Random(seed)))
    bot = levels.find_bot(VERSAILLES, "normal").exact()
    while not bots_of(VERSAILLES).pending_offers(table.state):
        seat = min(table.to_act)
        luck = f"{seed}/{seat}/{len(table.log)}"
        table.act(seat, guard.decide_here(VERSAILLES, table.state, seat, bot, luck).action)
    ((asked, _),) = bots_of(VERSAILLES).pending_offers(table.state)
    assert asked == to
    return table


def before_the_offer(table):
    return table.fork(len(table.log) - 1, source=Seeded(random.Random(1)))


def verb(entry):
    return entry.do.partition(" ")[0]


def test_without_offers_all_who_must_act_are_asked():
    table = Table(sparks, 2, source=Seeded(random.Random(1)))
    assert TurnOrder(sparks, table.seats).next_seats(table.state) == table.seats


def test_an_offer_comes_first_and_once():
    table = conference(3, to="P1")
    (proposer,) = table.to_act
    order = TurnOrder(VERSAILLES, table.seats)
    assert order.next_seats(table.state) == order.next_seats(table.state) == ("P1",), (
        "until it answers"
    )
    another = next(a for a in table.legal("P1") if str(a).startswith("propose"))
    table.act("P1", another)
    ((asked, _), *_) = [o for o in bots_of(VERSAILLES).pending_offers(table.state) if o[0] != "P1"]
    assert order.next_seats(table.state) == (asked,), "the new offer"
    order.skip_offer(table.state)
    assert order.next_seats(table.state) == (proposer,), "both were put"


def test_pure_luck_is_asked_about_no_offer():
    """It would make more of them than anybody wants to answer."""
    table = conference(3, to="P1")
    luck, normal = levels.find_bot(VERSAILLES, "random"), levels.find_bot(VERSAILLES, "normal")
    assert seats_without_offers(normal, table.seats) == frozenset()
    order = TurnOrder(VERSAILLES, table.seats, seats_without_offers(luck, table.seats))
    assert order.copy().next_seats(table.state) == tuple(table.to_act)


def test_what_is_taken_back_is_asked_again():
    table = conference(3, to="P1")
    order = TurnOrder(VERSAILLES, table.seats)
    order.next_seats(table.state)
    table.act("P1", "refuse 1")
    assert order.next_seats(table.state) != ("P1",)
    table.undo("P1")
    assert order.next_seats(table.state) == ("P1",)
    copy = order.copy()
    copy.skip_offer(table.state)
    assert order.next_seats(table.state) == ("P1",), "a copy remembers for itself"


def test_an_assistant_can_accept_what_a_bot_offers():
    table = before_the_offer(conference(3, to="P1"))
    place = take_seat(table, "P1", "normal", seed="3")
    assert verb(table.log[-1]) == "propose", "the bot waits for the answer"
    assert "accept 1" in place.answers("accept")
    place.act("accept 1")
    assert [deal.made for deal in place.table.state.deals[:1]] in ([True], [])
    assert any(entry == ("P1", "accept 1", None) for entry in table.log)


def test_a_bot_answers_what_an_assistant_offers():
    made = conference(0, to="P3")
    table = before_the_offer(made)
    place = take_seat(table, "P1", "normal", seed="0")
    place.act(made.log[-1].do)
    proposed = table.log.index(made.log[-1])
    answer = table.log[proposed + 1]
    assert (answer.seat, verb(answer) in ANSWERS) == ("P3", True)


def typed(monkeypatch, text):
    monkeypatch.setattr("sys.stdin", io.StringIO(text))


def evening(table):
    bot = levels.find_bot(VERSAILLES, "normal").exact()
    with pytest.raises(Leave):
        Evening(table, ("P1",), bot, "1").play()


def test_a_person_can_accept_what_a_bot_offers(monkeypatch):
    table = conference(3, to="P1")
    length = len(table.log)
    typed(monkeypatch, "nonsense\naccept 1\nq\n")
    evening(table)
    assert table.log[length][:2] == ("P1", "accept 1")


def test_a_bot_answers_what_a_person_offers(monkeypatch):
    made = conference(0, to="P3")
    table = before_the_offer(made)
    length = len(table.log)
    typed(monkeypatch, made.log[-1].do + "\nq\nq\nq\n")
    evening(table)
    assert table.log[length + 1].seat == "P3"
    assert verb(table.log[length + 1]) in ANSWERS


@pytest.mark.slow
def test_bots_that_play_among_themselves_answer_each_other():
    tables = []
    choose = playout.make_chooser(VERSAILLES, "normal")

    def watched(table, seat, luck):
        tables.append(table)
        return choose(table, seat, luck)

    options = VERSAILLES.Options(length=5)
    playout.play_one(VERSAILLES, 3, options, watched, "1", playout.PlayoutTally())
    verbs = Counter(verb(entry) for entry in tables[-1].log)
    assert verbs["propose"]
    assert sum(verbs[answer] for answer in ANSWERS) >= verbs["propose"]
