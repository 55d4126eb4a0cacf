"""Search by compiled lines: the same evaluation as the readable one, legal answers, and without Numba."""

import random
from collections.abc import Iterator
from itertools import islice
from typing import Any

import pytest

from powderkeg import bots
from powderkeg.bots.engine import compiled
from powderkeg.bots.engine.budget import Budget
from powderkeg.bots.engine.thought import Thought
from powderkeg.bots.risk_europe import capitals, line_search
from powderkeg.bots.risk_europe.card_choices import rank_pairs
from powderkeg.bots.risk_europe.evaluate import winning_chances
from powderkeg.bots.risk_europe.levels import REFERENCES
from powderkeg.bots.risk_europe.line_search import (
    LineTrial,
    after_course,
    find_rounds,
    hidden_pairs,
    likeliest,
    number_pair,
    pair_mix,
    round_clock,
    with_placed_pair,
)
from powderkeg.bots.risk_europe.policy import RoundPolicy
from powderkeg.games import risk_europe
from powderkeg.games.risk_europe.actions import PickCards
from powderkeg.games.risk_europe.board import CITY_AT
from powderkeg.games.risk_europe.state import State, has_shield, players_left, with_army
from powderkeg.games.risk_europe.steps import Act, Garrison, Move, Pick, Settle
from tests.bots.risk_europe.positions import SHORT, W, board, positions

numpy = pytest.importorskip("numpy")
pytest.importorskip("numba")

from powderkeg.bots.risk_europe.fast.card_mixes import CardMixes  # noqa: E402  # needs the extra
from powderkeg.bots.risk_europe.fast.rollout_kernel import FINE  # noqa: E402  # needs the extra
from powderkeg.bots.risk_europe.fast.rollouts import (  # noqa: E402  # needs the extra
    RoundPlayer,
    whole_chances,
)
from powderkeg.games.risk_europe.fast.boards import SearchBoard  # noqa: E402  # needs the extra
from powderkeg.games.risk_europe.fast.kernel import CHANCE_ASKED  # noqa: E402  # needs the extra
from powderkeg.games.risk_europe.fast.state_arrays import outcome_numbers  # noqa: E402  # needs the extra

TABLES: list[tuple[int, dict[str, Any]]] = [
    (4, {}),
    (4, {"missions": True, "rounds": 6}),
    (3, {"rounds": 6}),
    (2, {"rounds": 6}),
]


def at_step(kind: type, seed: int = 6, **options: Any) -> tuple[State, str]:
    return next(
        (s, seat) for s, seat in positions(seed, **options) if isinstance(s.agenda[-1], kind)
    )


def think(level: str, state: State, seat: str, seed: int = 2) -> Thought:
    question = risk_europe.ask(state, seat)
    assert question is not None
    legal = risk_europe.legal(state, seat)
    view = risk_europe.view(state, seat)
    return bots.find_bot(risk_europe, level, SHORT).think(
        view, question, legal, random.Random(seed)
    )


@pytest.mark.parametrize(("players", "options"), TABLES)
def test_chances_are_those_of_the_readable_evaluation(players, options):
    player, compared = RoundPlayer(W), 0
    for state, _ in islice(positions(3, players, **options), 0, None, 3):
        found = player.chances(state).tolist()
        assert found == pytest.approx(winning_chances(state, W), abs=1e-9), state.agenda[-1]
        compared += 1
    assert compared > 50


def policy_codes(players: int, seed: int, options: dict[str, Any]) -> Iterator[tuple[State, str]]:
    """The decisions of a game that the compiled policy plays, each answer checked by the rules."""
    chosen = risk_europe.Options(**options)
    state: State = risk_europe.start(risk_europe.seats(players, chosen), chosen)
    compiled_board, player, rng = SearchBoard.of(state), RoundPlayer(W), random.Random(seed)
    while asked := compiled_board.asked():
        state = compiled_board.state()
        if asked == CHANCE_ASKED:
            outcome = risk_europe.legal(state, "chance").sample(rng)
            compiled_board.chance(outcome_numbers(outcome))
            continue
        who = max(i for i in range(players) if asked >> i & 1)
        code = player.choose(compiled_board, who)
        assert compiled_board.action(code) in risk_europe.legal(state, state.colours[who])
        yield state, type(state.agenda[-1]).__name__
        compiled_board.act(who, code)


@pytest.mark.parametrize(("players", "options"), TABLES)
def test_the_policy_always_answers_legally(players, options):
    steps = {kind for seed in range(3) for _, kind in policy_codes(players, seed, options)}
    assert {"Pick", "Act", "Move", "Tax", "Spend", "Battle", "Battles"} <= steps


def test_the_policy_carries_out_cards_like_the_readable_one():
    """Its first action is one that gains as much."""
    player, compared, equal = RoundPlayer(W), 0, 0
    for state, _ in positions(4):
        act = state.agenda[-1]
        if not isinstance(act, Act):
            continue
        player.forget_plan()
        action = SearchBoard.of(state).action(player.choose(SearchBoard.of(state), act.army))
        wanted = RoundPolicy(state, W).best_turn(state, act).actions
        compared += 1
        equal += str(action) == str(wanted[0] if wanted else "pass")
    assert compared > 20
    assert equal > 0.9 * compared


def test_lines_share_one_victory_and_repeat():
    state, _ = at_step(Pick)
    lines = RoundPlayer(W).roll_out([state, state], {}, [1, 2, 3], 99)
    assert lines.shape == (2, 3, 4)
    assert lines.sum(axis=2) == pytest.approx(1.0)
    assert (lines[0] == lines[1]).all()
    assert (lines == RoundPlayer(W).roll_out([state, state], {}, [1, 2, 3], 99)).all()


def test_more_lines_go_to_the_better_choices():
    state, _ = at_step(Pick)
    weak = state._replace(owner=tuple(-1 if army == 0 else army for army in state.owner))
    trial = LineTrial(RoundPlayer(W), [weak, state, weak, weak], {}, 0, state.round + 1)
    assert trial.ranked_choices(64, Budget(64).start())[0] == 1
    assert trial.counts[1] > min(trial.counts) > 0
    assert sum(trial.counts) <= 64


@pytest.mark.parametrize("kind", [Settle, Garrison, Pick, Act, Move])
@pytest.mark.parametrize(("players", "options"), TABLES)
def test_equal_seeds_give_equal_legal_thoughts(players, options, kind):
    state, seat = at_step(kind, players=players, **options)
    said = []
    for _ in range(2):
        line_search._best_line.cache_clear()
        said.append(think("expert", state, seat))
    assert said[0] == said[1]
    assert said[0].action in risk_europe.legal(state, seat)


def test_a_line_goes_on_with_the_berlin_manoeuvre_only_where_the_rules_give_it():
    """Not without the shield; with it, after a march."""
    given = set()
    for seed in range(3):
        for state, _ in positions(seed):
            act = state.agenda[-1]
            if not isinstance(act, Act):
                continue
            for course in RoundPolicy(state, W).turn_courses(state, act, 12):
                left = after_course(state, act, course).agenda[-1].berlin
                shield = has_shield(course.state, act.army, CITY_AT["berlin"])
                assert shield or not left or act.berlin
                given.add((shield, left))
    assert given == {(False, False), (True, False), (True, True)}


def test_what_ran_out_of_time_is_not_the_answer_to_who_has_time():
    state, seat = at_step(Act)
    view, legal = risk_europe.view(state, seat), risk_europe.legal(state, seat)
    said = []
    for budget in (Budget(400), Budget(400, 0.0), Budget(400)):
        bot = bots.find_bot(risk_europe, "expert", budget)
        said.append(bot.think(view, risk_europe.ask(state, seat), legal, random.Random(1)))
    assert said[0] == said[2]
    assert line_search._best_line.cache_info().currsize >= 2


def test_a_guess_knows_only_which_cards_are_hidden():
    state = with_army(board(), 1, hand=("tax", "king"), stack=("split", "split"))
    other = with_army(board(), 1, hand=("split", "tax"), stack=("king", "split"))
    guesses = [hidden_pairs(RoundPolicy(s, W), s, 0) for s in (state, other)]
    assert guesses[0] == guesses[1]
    assert sum(guesses[0][1]) == pytest.approx(1)


def test_chances_become_whole_numbers_of_which_none_is_lost():
    found = whole_chances([1 / 3, 0.0, 1 / 3, 1 / 3])
    assert sum(found) == FINE
    assert found[1] == 0


def test_the_last_to_place_cards_turns_none_over():
    """The others' cards are guessed in every line, also the first of each."""
    state, _ = at_step(Pick)
    for who in (1, 2, 3):
        hand = state.armies[who].hand
        state = with_army(state, who, hand=hand[2:], stack=hand[:2])
    after = with_placed_pair(state, 0, PickCards("tax", "split"))
    assert isinstance(after.agenda[-1], Pick)
    assert after.armies[0].stack == ("tax", "split")
    assert len(after.armies[0].hand) == len(state.armies[0].hand) - 2


def test_cards_that_win_are_placed_more_often_and_others_never():
    """Two players with two pairs each, of which the second wins for one of them."""
    mixes = CardMixes({0: [0.5, 0.5, 0.0], 2: [0.9, 0.1, 0.0]})
    for drawn in ([0, 1, 0, 0], [1, 1, 0, 0]) * 40:
        won = [float(drawn[0] == 1), 0.0, float(drawn[0] == 0), 0.0]
        mixes.learn_from(numpy.array([won]), numpy.array([drawn]))
    found = mixes.average()
    assert found[0][1] > 0.9
    assert found[2][0] > 0.5
    assert all(mix[2] == 0 and sum(mix) == pytest.approx(1) for mix in found.values())


def test_everybody_chooses_from_the_cards_in_hand():
    state, _ = at_step(Pick)
    mind, player = RoundPolicy(state, W), RoundPlayer(W)
    anchors = {who: pair_mix(rank_pairs(mind, state, who)) for who in players_left(state)}
    found = player.solve_cards(state, anchors, [[1, 2, 3, 4], [5, 6, 7, 8]], state.round + 1)
    for who, mix in found.items():
        hand = state.armies[who].hand
        for pair in map(number_pair, likeliest(mix, 99)):
            assert all(
                hand.count(c) >= (pair.first, pair.second).count(c)
                for c in (pair.first, pair.second)
            )


def test_openings_are_chosen_from_the_book_and_vary():
    """Of the second to choose: one capital is by far the best to choose first."""
    state, seat = at_step(Settle)
    first = think("expert", state, seat, 0).action
    state = risk_europe.apply(state, seat, first).state
    while not isinstance(state.agenda[-1], Settle):
        seat = min(risk_europe.to_act(state))
        state = risk_europe.apply(state, seat, risk_europe.default(state, seat)).state
    (seat,) = risk_europe.to_act(state)
    worth = capitals.capital_chances(capitals.taken_capitals(state))
    said = {think("expert", state, seat, seed).action.at for seed in range(24)}
    assert len(said) > 1
    assert all(worth[city] > max(worth.values()) - 0.1 for city in said)


def test_equally_good_openings_are_all_played():
    state, _ = at_step(Pick)
    trial = LineTrial(RoundPlayer(W), [state] * 2, {}, 0, state.round + 1)
    trial.ranked_choices(16, Budget(16).start())
    assert trial.near_best() == [0, 1]


def test_lines_do_not_look_at_hidden_cards():
    """Two deals of the same view have the same lines."""
    state, seat = at_step(Act, seed=5)
    me, player = state.colours.index(seat), RoundPlayer(W)
    hidden = hidden_pairs(RoundPolicy(state, W), state, me)
    turned = state
    for who in players_left(state):
        own = state.armies[who]
        if who != me and own.stack:
            cards = tuple(reversed(own.hand + own.stack))
            count = len(own.stack)
            turned = with_army(turned, who, hand=cards[count:], stack=cards[:count])
    assert turned != state
    lines = [player.roll_out([s], hidden, [1, 2, 3, 4], 99) for s in (state, turned)]
    assert (lines[0] == lines[1]).all()


def test_without_numba_the_former_expert_plays(monkeypatch):
    monkeypatch.setattr(compiled, "find_spec", lambda name: None)
    state, seat = at_step(Pick)
    assert find_rounds(W, wait=True) is None
    said = [think(name, state, seat) for name in ("expert", *REFERENCES)]
    assert said[0] == said[1]


def test_lines_take_no_more_time_than_is_left():
    assert round_clock(Budget(9).start()).until is None
    assert round_clock(Budget(9, 0.0).start()).late()
    seconds = round_clock(Budget(9, 60.0).start()).seconds
    assert seconds is not None
    assert seconds <= line_search.ROUND_SECONDS
