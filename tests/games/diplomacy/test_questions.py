"""What a sheet of orders offers."""

import random
from dataclasses import replace

import pytest

from powderkeg.core.ask import Node, One, Option, Orders, answer_texts
from powderkeg.core.chance import Audited
from powderkeg.core.table import Table
from powderkeg.core.words import say
from powderkeg.games import diplomacy
from powderkeg.games.diplomacy.ask import ask
from powderkeg.games.diplomacy.state import State
from powderkeg.games.diplomacy.steps import order_pieces, own_drafts
from tests.games.diplomacy.scene import begin, board, play


def offered(state: State, seat: str) -> dict[str, list[str]]:
    """What can be written for each piece."""
    asked = ask(state, seat)
    assert asked is not None
    assert isinstance(asked.node, Orders)
    return {row.target: sorted(answer_texts(row.node)) for row in asked.node.rows}


def choices(node: Node | None) -> tuple[Option, ...]:
    """What a question about a piece, or the part of an order that comes next, offers."""
    return node.options if isinstance(node, One) else ()


def expect_what_is_legal(state: State) -> None:
    for seat in diplomacy.to_act(state):
        if seat not in state.ready:
            pieces = order_pieces(state, seat)
            assert offered(state, seat) == {at: sorted(map(str, found)) for at, found in pieces}


@pytest.mark.parametrize("players", [2, 4, 7])
def test_it_offers_exactly_the_legal_orders_of_each_piece(players: int):
    rng = random.Random(players)
    table = Table(diplomacy, players, source=Audited(b"5eed" * 8))
    for _ in range(8):
        expect_what_is_legal(table.state)
        for seat in sorted(table.to_act):
            for _, found in order_pieces(table.state, seat):
                order = str(rng.choice(found))
                if order in map(str, table.legal(seat)):
                    table.act(seat, order)
        expect_what_is_legal(table.state)
        for seat in sorted(table.to_act):
            assert set(own_drafts(table.state, seat)) <= {
                at[:3] for at in offered(table.state, seat)
            }
            table.act(seat, "ready")
        if not table.to_act:
            break


@pytest.mark.parametrize("players", [2, 7])
def test_it_offers_convoys_coasts_and_supports_of_those_who_are_carried(players: int):
    fleets = "F nth F eng A lon A bel F mao A bre F spa/nc"
    state = board(begin(players), {"FRANCE": fleets, "GERMANY": "A hol F hel"})
    expect_what_is_legal(state)


@pytest.mark.parametrize("players", [2, 7])
def test_equal_boards_share_their_choices(players: int):
    """A server words and keeps each choice once, for all tables."""
    one = begin(players)
    seat = min(diplomacy.to_act(one))
    shared = []
    for _ in range(3):
        state = replace(one, units=dict(one.units))  # not the same board to any cache
        asked = ask(state, seat)
        assert asked is not None
        assert isinstance(asked.node, Orders)
        orders = [each for row in asked.node.rows for each in choices(row.node)]
        shared.append([choice for order in orders for choice in choices(order.then)])
    _, first, second = shared  # a cache that was almost full has room after the first board
    assert first
    assert [id(choice) for choice in first] == [id(choice) for choice in second]


def test_a_unit_that_need_not_go_in_winter_is_kept():
    """*Hold* is an order of a movement."""
    one_too_many = board(begin(), {"FRANCE": "A par A mar"}, {"FRANCE": "par"})
    asked = ask(replace(one_too_many, stage="adjustment", season="fall"), "FRANCE")
    assert asked is not None
    assert isinstance(asked.node, Orders)
    labels = [[str(say(each.label)) for each in choices(row.node)] for row in asked.node.rows]
    assert labels == [["keep", "disband"], ["keep", "disband"]]


def test_who_carried_an_army_or_was_supported_is_named_without_their_order():
    state = board(begin(), {"ENGLAND": "F nth A yor", "FRANCE": "A bel A bur"})
    _, facts = play(
        state,
        ENGLAND="A yor - nwy, F nth C A yor - nwy",
        FRANCE="A bel H, A bur S A bel",
    )
    said = [say(fact.msg) for fact in facts]
    assert "England, A Yorkshire \N{EN DASH} Norway: carried across by F North Sea." in said
    assert "France, A Burgundy supports A Belgium: support given to A Belgium." in said
