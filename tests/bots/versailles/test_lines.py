"""Search by compiled rollouts: the same evaluation and policy as the readable ones, deals, and without Numba."""

import random
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from powderkeg.bots import levels
from powderkeg.bots.engine import compiled
from powderkeg.bots.engine.budget import Budget
from powderkeg.bots.versailles import line_search
from powderkeg.bots.versailles.levels import BOTS, JUDGE, PERSISTENT, REFERENCES, SHREWD
from powderkeg.bots.versailles.line_search import (
    LineSearch,
    find_lines,
    fits_board,
    line_clock,
    line_thinking,
    offer_moves,
    play_lines,
    weigh_answer,
)
from powderkeg.bots.versailles.negotiation import agreed_state
from powderkeg.bots.versailles.policy import Policy
from powderkeg.bots.versailles.turn import CandidateSearch
from powderkeg.core.chance import CHANCE
from powderkeg.core.words import LANGS, say
from powderkeg.games import versailles
from powderkeg.games.versailles.actions import AcceptDeal, ProposeDeal, RefuseDeal
from powderkeg.games.versailles.board import NATIONS
from powderkeg.games.versailles.state import Options, State, issue_leader
from powderkeg.games.versailles.steps import Turn
from tests.bots.versailles.positions import SMALL, at_turn, begin, by_chance, play, step, think

numpy = pytest.importorskip("numpy")
pytest.importorskip("numba")

from powderkeg.bots.versailles.fast.position_value import X_POINTS  # noqa: E402  # needs the extra
from powderkeg.bots.versailles.fast.rollouts import LinePlayer  # noqa: E402  # needs the extra
from powderkeg.games.versailles.fast.boards import TreatyBoard  # noqa: E402  # needs the extra

CUSTOM = Options(length=5, pack='{"board.cubes":25,"issues.rheinland.stars":9}')


class Quiet:
    """A generator without noise."""

    def randrange(self, n: int, /) -> int:
        return 0


def every_third_random(p: State, seat: str, rng: random.Random) -> Any:
    wise = p.turn and rng.randrange(3)
    return Policy(JUDGE).choose_action(p, seat, rng) if wise else by_chance(p, seat, rng)


def decisions(players: int, seed: int, options: Options) -> Iterator[tuple[State, str]]:
    """The decisions of a game of players who act at random every third time."""
    p, rng = begin(players, options), random.Random(seed)
    while p.agenda:
        seat = min(versailles.to_act(p))
        if seat != CHANCE and p.turn:
            yield p, seat
        p = replace(step(p, rng, every_third_random), deals=())


@pytest.mark.parametrize(
    ("players", "options"), [(4, Options()), (3, CUSTOM), (2, Options(strategies_at_once=True))]
)
def test_values_are_those_of_the_judge(players, options):
    player, compared = LinePlayer(JUDGE), 0
    for p, _ in decisions(players, 5, options):
        board = TreatyBoard.of(p)
        found = player.estimate(board)
        for nation, points in JUDGE.expected_points(p).items():
            assert found[X_POINTS + nation] == pytest.approx(points, abs=1e-9), p.agenda[-1]
            compared += 1
    assert compared > 100


@pytest.mark.parametrize(
    ("players", "options"), [(4, Options()), (3, CUSTOM), (2, Options(strategies_at_once=True))]
)
def test_answers_are_those_of_the_policy(players, options):
    """Where gains are equal the two may differ: the readable policy then gains no more."""
    player, policy, kinds = LinePlayer(JUDGE), Policy(JUDGE), set()
    for p, seat in decisions(players, 6, options):
        code = player.choose(board := TreatyBoard.of(p))
        action = board.action(code)
        assert action in versailles.legal(p, seat)
        wanted = policy.choose_action(p, seat, Quiet())
        if action != wanted and not isinstance(p.agenda[-1], Turn):  # which has noise
            mine, theirs = (policy.action_utility(p, seat, a) for a in (action, wanted))
            assert mine == pytest.approx(theirs), (p.agenda[-1], action, wanted)
        kinds.add(type(p.agenda[-1]))
    assert len(kinds) > 8


def test_lines_end_with_shares_of_one_game():
    p = at_turn(9)
    seat = min(versailles.to_act(p))
    actions = list(CandidateSearch(JUDGE).candidate_actions(p, seat, random.Random(1)))
    shares = LinePlayer(JUDGE).roll_out(p, actions, [1, 2, 3], 1 << 14)
    assert shares.shape == (len(actions), 3, 4)
    assert shares.sum(axis=2) == pytest.approx(1.0)
    assert (shares == LinePlayer(JUDGE).roll_out(p, actions, [1, 2, 3], 1 << 14)).all()


def test_deals_in_lines_are_good_for_both():
    """What the compiled players agree on is gained by both when the readable rules carry it out, or is
    what would be done anyway: the compiled policy has noise."""
    player, made = LinePlayer(JUDGE), 0
    for turn in range(3, 40):
        p = at_turn(turn, seed=2)
        if (found := player.bargain(TreatyBoard.of(p))) is None:
            continue
        issue, seat, me = p.table[found[0]], min(versailles.to_act(p)), p.active
        first = issue_leader(p, issue)
        terms = [f"{NATIONS[me]}.settle.{issue}"]
        terms += [f"{NATIONS[first]}.give.{NATIONS[me]}.{found[1]}"] if found[1] else []
        offered = versailles.apply(p, seat, ProposeDeal((NATIONS[first],), tuple(terms))).state
        other = p.seats[p.order.index(first)]
        signed = versailles.apply(offered, other, AcceptDeal(offered.deals[-1].number)).state
        gains = SHREWD.seat_gains(SHREWD.shares(p), SHREWD.shares(signed))
        assert min(gains[seat], gains[other]) >= 0, (turn, terms)
        made += gains[seat] > 0
    assert made >= 3


def test_deals_change_lines_but_not_before_they_are_allowed():
    p = at_turn(9)
    player, seeds = LinePlayer(JUDGE), list(range(1, 33))
    silent = player.roll_out(p, (), seeds, 1 << 14)
    talking = player.roll_out(p, (), seeds, 1 << 14, p.turn)
    assert talking.sum(axis=2) == pytest.approx(1.0)
    assert (silent != talking).any()
    near = p.turn + 3
    late = player.roll_out(p, (), seeds, near, near)
    assert (late == player.roll_out(p, (), seeds, near)).all()


def with_deal() -> tuple[State, str]:
    """A turn in which a deal binds the player to settle an issue."""
    for turn in range(5, 40):
        p = at_turn(turn)
        seat, me = min(versailles.to_act(p)), p.active
        other = next(n for n in p.order if n != me)
        partner = p.seats[p.order.index(other)]
        for issue in p.table:
            terms = (f"{NATIONS[me]}.settle.{issue}", f"{NATIONS[other]}.give.{NATIONS[me]}.1")
            offer = ProposeDeal((NATIONS[other],), terms)
            if offer in versailles.legal(p, seat):
                p = versailles.apply(p, seat, offer).state
                return versailles.apply(p, partner, AcceptDeal(p.deals[-1].number)).state, seat
    raise AssertionError("no deal was possible")


def test_a_deal_binds_in_lines_too():
    p, seat = with_deal()
    search = LineSearch(CandidateSearch(JUDGE, 8))
    actions = list(search.candidates.candidate_actions(p, seat, random.Random(1)))
    found = play_lines(LinePlayer(JUDGE), p, seat, actions, [3, 4], search)
    assert [len(rows) for rows in found] == [2] * len(actions)
    assert think("expert", p, seat).action in versailles.legal(p, seat)


def with_offer() -> tuple[State, str, ProposeDeal]:
    """A turn at whose start the evaluation has a good offer."""
    for turn in range(4, 60):
        p = at_turn(turn, seed=2)
        seat = min(versailles.to_act(p))
        if (said := PERSISTENT.make_offer(p, seat)) is not None:
            assert isinstance(said.action, ProposeDeal)
            return p, seat, said.action
    raise AssertionError("nobody ever offers anything")


def judge_lines(monkeypatch, seat, good):
    """Let lines end well for `seat` after the actions that are `good`, and badly after all others."""

    def play_so(player, p, asked, actions, seeds, search):
        won = {True: 0.7, False: 0.1}
        rows = [[won[good(action)] if s == seat else 0.1 for s in p.seats] for action in actions]
        return [[row] * len(seeds) for row in rows]

    monkeypatch.setattr(line_search, "play_lines", play_so)


def test_an_offer_is_a_move_that_lines_may_choose(monkeypatch):
    p, seat, _ = with_offer()
    judge_lines(monkeypatch, seat, lambda action: isinstance(action, ProposeDeal))
    said = think("expert", p, seat)
    assert said.action in versailles.legal(p, seat)
    assert isinstance(said.action, ProposeDeal)
    assert all(say(said.reason, lang) for lang in LANGS)
    judge_lines(monkeypatch, seat, lambda action: not isinstance(action, ProposeDeal))
    silent = think("expert", p, seat)
    assert not isinstance(silent.action, ProposeDeal)
    assert not any(isinstance(line.action, ProposeDeal) for line in silent.lines)


def test_the_best_offer_of_every_kind_is_played_out():
    p, seat, offer = with_offer()
    found = offer_moves(PERSISTENT, p, seat)
    assert offer in found
    assert len(found) <= line_search.OFFER_MOVES
    kinds = [tuple(t for t in each.terms if ".give." not in t) for each in found]
    assert len(set(kinds)) == len(kinds)


def test_only_a_cautious_expert_asks_what_the_leader_gains():
    p = at_turn(10, seed=2)
    seat = min(versailles.to_act(p))
    strict = replace(PERSISTENT.in_character("cautious"), king=1000.0)
    assert offer_moves(PERSISTENT, p, seat)
    assert not offer_moves(strict, p, seat)


def test_a_cautious_expert_signs_nothing_that_its_evaluation_is_against(monkeypatch):
    """Where it would rather make a counter-offer, but lines with the deal as it is go best."""
    p = at_turn(26, seed=2)
    seat = min(versailles.to_act(p))
    offer = next(iter(offer_moves(PERSISTENT, p, seat)))
    offered = versailles.apply(p, seat, offer).state
    other = p.seats[p.order.index(NATIONS.index(offer.to[0]))]
    judge_lines(monkeypatch, other, lambda action: isinstance(action, AcceptDeal))
    player, search = find_lines(JUDGE, wait=True), LineSearch(CandidateSearch(JUDGE))
    answers = {}
    for character in ("", "cautious"):
        talk, clock = PERSISTENT.in_character(character), Budget(12).start()
        said = weigh_answer(search, talk, offered, other, random.Random(1), clock, player)
        answers[character] = type(said.action)
    assert answers == {"": AcceptDeal, "cautious": RefuseDeal}


def test_lines_decide_what_is_signed(monkeypatch):
    p, seat, offer = with_offer()
    offered = versailles.apply(p, seat, offer).state
    other = p.seats[p.order.index(NATIONS.index(offer.to[0]))]
    number = offered.deals[-1].number
    judge_lines(monkeypatch, other, lambda action: isinstance(action, RefuseDeal))
    refused = think("expert", offered, other)
    assert refused.action == RefuseDeal(number)
    assert refused.spoken
    assert all(say(refused.reason, lang) for lang in LANGS)
    judge_lines(monkeypatch, other, lambda action: isinstance(action, AcceptDeal))
    assert think("expert", offered, other).action == AcceptDeal(number)


def test_what_is_agreed_on_holds_until_the_turn_ends():
    p, seat, offer = with_offer()
    signed = agreed_state(p, seat, offer)
    assert [deal.terms for deal in signed.deals if deal.made] == [offer.terms]
    search = LineSearch(CandidateSearch(JUDGE))
    end = search.turn_ends(p, seat, offer, 5)
    assert end.turn == p.turn + 1
    assert not end.deals


@pytest.mark.slow
@pytest.mark.parametrize("lineup", [["expert", "easy", "easy"], ["easy", "expert"]])
def test_whole_games_with_lines(lineup, monkeypatch):
    monkeypatch.setitem(BOTS.levels, "expert", replace(BOTS.levels["expert"], budget=SMALL))
    assert not play(lineup, 31).faults


def test_equal_seeds_give_equal_thoughts():
    p = at_turn(12)
    p, seat = replace(p, offers=(1,) * len(p.offers)), min(versailles.to_act(p))
    said = [think("expert", p, seat, seed=7) for _ in range(2)]
    assert said[0] == said[1]
    assert sum(line.visits for line in said[0].lines) >= 6


def test_without_numba_the_former_expert_plays(monkeypatch):
    monkeypatch.setattr(compiled, "find_spec", lambda name: None)
    p = at_turn(12)
    seat = min(versailles.to_act(p))
    view, question, legal = (
        versailles.view(p, seat),
        versailles.ask(p, seat),
        versailles.legal(p, seat),
    )
    said = [
        levels.find_bot(versailles, name, SMALL).think(view, question, legal, random.Random(2))
        for name in ("expert", *REFERENCES)
    ]
    assert find_lines(JUDGE, wait=True) is None
    assert said[0] == said[1]


def test_without_numba_no_more_lines_than_before(monkeypatch):
    monkeypatch.setattr(compiled, "find_spec", lambda name: None)
    clocks = []

    def note_clock(view, question, legal, rng, clock):
        clocks.append(clock)

    p = at_turn(12)
    seat = min(versailles.to_act(p))
    think_so = line_thinking(LineSearch(CandidateSearch(JUDGE)), SHREWD, note_clock)
    for budget in (BOTS.levels["expert"].budget, SMALL):
        think_so(versailles.view(p, seat), None, None, random.Random(1), budget.start())
    assert [clock.whole for clock in clocks] == [line_search.PLAIN_LINES, SMALL.iterations]


def test_a_pack_that_the_board_has_no_room_for_is_left_to_the_former_expert():
    crowded = Options(pack=f'{{"board.demobilise.grey":{[1] * 17}}}')
    assert fits_board(at_turn(12))
    assert not fits_board(replace(at_turn(12), options=crowded))


def test_lines_take_no_more_time_than_is_left():
    assert line_clock(Budget(9).start()).until is None
    assert line_clock(Budget(9, 0.0).start()).late()
    seconds = line_clock(Budget(9, 60.0).start()).seconds
    assert seconds is not None
    assert seconds <= line_search.LINE_SECONDS
