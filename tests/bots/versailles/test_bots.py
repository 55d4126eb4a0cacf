"""Versailles' bots: an answer to every question, deals that both gain from, reasons in words."""

import json
import os
import random
import subprocess
import sys
from collections import Counter
from dataclasses import asdict, replace
from typing import Any

import pytest

from powderkeg import bots
from powderkeg.bots import Budget, analysis, levels
from powderkeg.bots.arena import tournament
from powderkeg.bots.engine.thought import ThinkingBot
from powderkeg.bots.game_bots import bots_of
from powderkeg.bots.versailles.evaluate import remaining_game
from powderkeg.bots.versailles.levels import JUDGE, PLAIN, SHREWD
from powderkeg.bots.versailles.negotiation import LEAST_GAIN, Bargainer, pending_offers
from powderkeg.bots.versailles.policy import Policy, play_policy
from powderkeg.bots.versailles.turn import ENOUGH_LINES, CandidateSearch, CandidateTrial
from powderkeg.bots.versailles.weights import WEIGHTS_FILE, PointWeights, learnt_points
from powderkeg.core.agenda import Kind
from powderkeg.core.chance import CHANCE
from powderkeg.core.game import Result
from powderkeg.core.words import LANGS, Msg, say
from powderkeg.games import versailles
from powderkeg.games.versailles.actions import AcceptDeal, ProposeDeal, RefuseDeal
from powderkeg.games.versailles.actions import CounterDeal as CounterOffer
from powderkeg.games.versailles.board import GAME_END, NATIONS, NOBODY
from powderkeg.games.versailles.kinds import KINDS
from powderkeg.games.versailles.state import Held, Options, State, issue_leader
from powderkeg.games.versailles.steps import Turn

SMALL = Budget(6)
RULEBOOK = Options()
LEVELS = ("easy", "normal", "hard", "expert")


def mind(level: str) -> ThinkingBot:
    return levels.find_bot(versailles, level, SMALL)


def think(level: str, p: State, seat: str, seed: object = 0) -> Any:
    question, legal = versailles.ask(p, seat), versailles.legal(p, seat)
    assert question is not None
    return mind(level).think(versailles.view(p, seat), question, legal, random.Random(f"{seed}"))


def begin(players: int, options: Options = RULEBOOK) -> State:
    return versailles.start(versailles.seats(players, options), options)


def step(p: State, rng: random.Random, choose: Any) -> State:
    """One action of whoever is to act."""
    seat = min(versailles.to_act(p))
    legal = versailles.legal(p, seat)
    action = legal.sample(rng) if seat == CHANCE else choose(p, seat, rng)
    after: State = versailles.apply(p, seat, action).state
    return after


def by_chance(p: State, seat: str, rng: random.Random) -> Any:
    return versailles.legal(p, seat).sample(rng)


def at_turn(turn: int, seed: int = 1, players: int = 4) -> State:
    """A position at the start of a turn, as quick players reach it."""
    rng, p = random.Random(seed), begin(players)
    while p.turn == 0:
        p = step(p, rng, by_chance)
    p = play_policy(Policy(JUDGE), p, rng, turn)
    assert isinstance(p.agenda[-1], Turn)
    assert not p.political
    return p


# Every question


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
            assert "bots_versailles" not in said, kind


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


def test_what_is_surely_worse_is_tried_no_longer():
    """Nor is anything given up by a few lines, nor what only may be worse."""
    first, worse, like, new = (CandidateTrial(name) for name in ("first", "worse", "like", "new"))
    rng = random.Random(1)
    for _ in range(ENOUGH_LINES):
        luck = rng.random()
        for trial, worth in ((first, luck), (worse, luck - 0.5 * rng.random()), (like, 1 - luck)):
            trial.add({}, worth)
    new.add({}, -1.0)
    assert [t.is_hopeless(first) for t in (first, worse, like, new)] == [False, True, False, False]


def play(
    lineup: list[str], seed: int, options: dict[str, Any] | None = None
) -> tournament.GameOutcome:
    names = {name: name for name in dict.fromkeys(lineup)}
    planned = tournament.plan_tournament(
        versailles,
        names,
        (tournament.Mixed(tuple(lineup)),),
        players=len(lineup),
        options=options or {},
    )
    return tournament.play_pairing(planned, tournament.Pairing(seed, tuple(lineup))).played


# Strength


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
    assert wins("easy", "random", range(2)) >= 6


@pytest.mark.slow
def test_normal_beats_easy():
    assert wins("normal", "easy", range(3)) >= 6


# Equal seeds, equal answers; nothing hidden is used

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


# Values


def test_shares_are_of_one_game():
    shares = JUDGE.shares(at_turn(20))
    assert sum(shares.values()) == pytest.approx(1)
    assert sorted(shares) == ["P1", "P2", "P3", "P4"]


def test_an_issue_more_is_better_for_its_owner_only():
    p = at_turn(20)
    issue = max(p.deck, key=lambda i: p.pack.issues[i].stars)
    richer = replace(p, held={**p.held, issue: Held(p.order[0], 0)})
    before, after = JUDGE.shares(p), JUDGE.shares(richer)
    assert after["P1"] > before["P1"]
    assert all(after[s] < before[s] for s in ("P2", "P3", "P4"))


def test_the_game_goes_by():
    early, late = at_turn(2), at_turn(30)
    assert remaining_game(early) > remaining_game(late) > 0


def test_a_near_defeat_is_better_than_a_clear_one():
    """Lines played on are told apart by more than victories."""
    p, player = at_turn(20), CandidateSearch(JUDGE)
    seats = p.seats

    def end(*scores: float) -> dict[str, float]:
        order = sorted(range(4), key=lambda i: -scores[i])
        ranking = tuple((seats[i],) for i in order)
        why = Msg("versailles.result.won")
        result = Result(ranking, dict(zip(seats, scores, strict=True)), why, "")
        found: dict[str, float] = player.final_shares(p, result)
        return found

    near, clear, won = end(39, 40, 20, 20), end(21, 40, 20, 20), end(41, 40, 20, 20)
    assert clear["P1"] < near["P1"] < won["P1"]
    assert won["P1"] - near["P1"] > 0.3
    assert sum(near.values()) == pytest.approx(1)


def test_alone_a_lead_is_worth_less_where_an_uprising_threatens():
    """An uprising would hand the weakest faction to the human (V-SOLO-33)."""
    rng, p = random.Random(3), begin(1)
    while p.turn < 30:
        p = step(p, rng, Policy(JUDGE).choose_action)
    regions = sorted({r for i in p.held if (r := p.pack.issues[i].region) < len(p.unrest)})
    calm = replace(p, unrest=(1,) * 5)
    restless = replace(p, unrest=tuple(6 if r == regions[0] else 1 for r in range(5)))
    assert JUDGE.solo_points(restless) < JUDGE.solo_points(calm)
    empty = next(r for r in range(5) if r not in regions)
    elsewhere = replace(p, unrest=tuple(6 if r == empty else 1 for r in range(5)))
    assert JUDGE.solo_points(elsewhere) == JUDGE.solo_points(calm)


def points_alone(level: str, seed: int) -> int:
    """What the human has after ten turns of solitaire."""
    p, rng = begin(1), random.Random(seed)
    while p.turn < 30:
        p = step(p, rng, lambda p, seat, rng: think(level, p, seat, rng.random()).action)
    return p.points


@pytest.mark.slow
def test_alone_it_pays_to_play_on():
    assert sum(points_alone("hard", seed) for seed in range(4)) >= 1.5 * sum(
        points_alone("normal", seed) for seed in range(4)
    )


def test_alone_a_chance_is_told_by_the_target():
    p = at_turn(9, players=1)
    better = replace(p, points=p.points + 5)
    harder = replace(p, options=replace(p.options, solo_target=40))
    (low,), (chance,), (high,) = (JUDGE.shares(q).values() for q in (harder, p, better))
    assert 0 < low < chance < high < 1


def test_only_a_winner_ends_the_game():
    p = at_turn(20)
    over = replace(
        p,
        table=(p.table[0], GAME_END),
        above=NOBODY,
        cubes={**p.cubes, GAME_END: tuple(int(n == p.active) for n in range(4))},
    )
    policy = Policy(JUDGE)
    rich = dict.fromkeys(p.deck[:12], Held(p.active, 0))
    other = next(n for n in p.order if n != p.active)
    poor = dict.fromkeys(p.deck[:12], Held(other, 0))
    assert policy.ending_gain(replace(over, held=rich), p.active) > 0
    assert policy.ending_gain(replace(over, held=poor), p.active) < 0


def test_weights_are_data():
    assert all(value > 0 for value in asdict(PointWeights()).values())
    learnt = json.loads(WEIGHTS_FILE.read_text(encoding="utf-8"))["weights"]
    assert learnt.keys() == asdict(PointWeights()).keys()
    assert PointWeights(**learnt) == learnt_points() == JUDGE.weights != PointWeights()


@pytest.mark.slow
def test_tuning_tries_weights_in_quick_games():
    """The same weights as all others win from one seat what they lose from another."""
    tunable = levels.find_tunable(versailles, "values")
    assert all(n > 0 for n in tunable.start.values())
    assert tunable.trial is not None
    tried = [tunable.trial(tunable.start, 4, 1, seat) for seat in range(4)]
    assert sum(tried) == pytest.approx(0)
    assert tried == [tunable.trial(tunable.start, 4, 1, seat) for seat in range(4)]
    greedy = tunable.start | {"table": 0.01, "waiting": 0.9, "bid": 0.01}
    assert [tunable.trial(greedy, 4, 1, seat) for seat in range(4)] != tried


# Deals


@pytest.fixture(scope="module")
def deal() -> tuple[State, str, ProposeDeal]:
    """A position, a seat, and the deal that it offers."""
    for turn in range(4, 40):
        p = at_turn(turn, seed=2)
        seat = min(versailles.to_act(p))
        said = think("normal", p, seat).action
        if isinstance(said, ProposeDeal):
            return p, seat, said
    raise AssertionError("nobody ever offers anything")


def test_an_offer_is_good_for_both(deal):
    p, seat, offer = deal
    other = p.seats[p.order.index(NATIONS.index(offer.to[0]))]
    bargainer = Bargainer(Policy(PLAIN))  # the mind that made the offer
    before = bargainer.shares(p)
    offered_ = versailles.apply(p, seat, offer).state
    number = offered_.deals[-1].number
    made = versailles.apply(offered_, other, AcceptDeal(number)).state
    gains = bargainer.seat_gains(before, bargainer.shares(made))
    assert gains[seat] > 0
    assert gains[other] > 0


@pytest.mark.slow
def test_experts_haggle_for_what_the_other_may_still_sign():
    """In the first turns of quick players: what an expert offers and answers is no worse for itself
    than what the others would have said, and every party would still sign."""
    plain, asked, better = Bargainer(SHREWD.policy), 0, 0
    p, rng = begin(4), random.Random(3)
    while p.agenda and p.turn < 25:
        seat = min(versailles.to_act(p))
        if seat != CHANCE and (first := plain.make_offer(p, seat)) is not None:
            shrewd = SHREWD.make_offer(p, seat)
            assert shrewd is not None
            asked += 1
            usual, mine = (gains_of(plain, p, seat, said.action) for said in (first, shrewd))
            other = p.seats[p.order.index(NATIONS.index(shrewd.action.to[0]))]
            partner = p.seats[p.order.index(NATIONS.index(first.action.to[0]))]
            appeal = SHREWD.deal_appeal(usual[seat], usual[partner])
            assert SHREWD.deal_appeal(mine[seat], mine[other]) >= appeal
            assert min(mine[seat], mine[other]) > LEAST_GAIN
            better += mine[seat] > usual[seat]
        p = step(p, rng, SHREWD.policy.choose_action)
    assert asked >= 5
    assert better


def gains_of(mind: Bargainer, p: State, seat: str, offer: Any) -> dict[str, float]:
    """What everybody gains if a proposal is accepted."""
    offered_ = versailles.apply(p, seat, offer).state
    other = p.seats[p.order.index(NATIONS.index(offer.to[0]))]
    signed = versailles.apply(offered_, other, AcceptDeal(offered_.deals[-1].number)).state
    return mind.seat_gains(mind.shares(p), mind.shares(signed))


def test_a_good_offer_is_accepted_out_of_turn_with_a_reason(deal):
    p, seat, offer = deal
    after = versailles.apply(p, seat, offer).state
    number = after.deals[-1].number
    (other, which), *_ = pending_offers(after)
    assert which == str(number)
    assert other not in versailles.to_act(after)
    for level in ("easy", "normal"):
        thought = think(level, after, other)
        assert thought.action == AcceptDeal(number)
        assert NATIONS[p.active].upper()[:2] in say(thought.reason, "en").upper()


def test_who_has_offered_does_not_offer_again(deal):
    p, seat, offer = deal
    after = versailles.apply(p, seat, offer).state
    refused = versailles.apply(
        after, pending_offers(after)[0][0], RefuseDeal(after.deals[-1].number)
    ).state
    assert not isinstance(think("normal", refused, seat).action, ProposeDeal)
    assert not isinstance(think("hard", after, seat).action, ProposeDeal)


def begging(p: State) -> tuple[State, str, str]:
    """The active player asks the next for cubes, for nothing."""
    seat = min(versailles.to_act(p))
    me = p.active
    other = next(n for n in p.order if n != me and p.available[n] >= 3)
    spent = replace(
        p,
        available=tuple(n - 3 if i == me else n for i, n in enumerate(p.available)),
        exhausted=tuple(n + 3 if i == me else n for i, n in enumerate(p.exhausted)),
    )
    offer = ProposeDeal((NATIONS[other],), (f"{NATIONS[other]}.give.{NATIONS[me]}.3",))
    return versailles.apply(spent, seat, offer).state, p.seats[p.order.index(other)], seat


@pytest.mark.parametrize("level", LEVELS)
def test_a_gift_is_refused_with_a_reason(level):
    p = next(p for p in map(at_turn, range(2, 12)) if p.available[p.active] >= 3)
    after, other, _ = begging(p)
    thought = think(level, after, other)
    assert isinstance(thought.action, RefuseDeal | CounterOffer)
    assert {say(thought.reason, lang) for lang in LANGS}
    assert say(thought.reason, "es")


def test_the_leader_of_the_game_must_give_more():
    fair = Bargainer(Policy(JUDGE)).is_fair
    before = {"P1": 0.5, "P2": 0.2, "P3": 0.3}
    gains = {"P1": 0.1, "P2": 0.03, "P3": -0.1}
    assert not fair(before, gains, "P2", ["P1"])
    assert fair(before, gains | {"P1": 0.05}, "P2", ["P1"])
    assert fair(before | {"P1": 0.1}, gains, "P2", ["P1"])
    assert not fair(before, gains | {"P2": LEAST_GAIN / 2, "P1": 0.0}, "P2", ["P1"])


@pytest.mark.slow
def test_a_counter_asks_for_influence():
    """Whatever is countered is countered with terms that both gain from."""
    found = []
    for turn in range(4, 36):
        p = at_turn(turn, seed=4)
        seat = min(versailles.to_act(p))
        for issue in p.table:
            first = issue_leader(p, issue)
            if first in (NOBODY, p.active) or issue == GAME_END:
                continue
            for option in p.pack.issues[issue].options:
                mine, theirs = NATIONS[p.active], NATIONS[first]
                terms = (f"{mine}.settle.{issue}", f"{theirs}.option.{issue}.{option.id}")
                after = versailles.apply(p, seat, ProposeDeal((theirs,), terms)).state
                other = p.seats[p.order.index(first)]
                said = Bargainer(Policy(JUDGE)).answer_offer(after, other)
                assert said is not None
                assert said.action in versailles.legal(after, other)
                found.append(type(said.action))
    counts = Counter(found)
    assert counts[AcceptDeal]
    assert counts[RefuseDeal]


@pytest.mark.slow
def test_bots_make_deals_and_few_offers():
    planned = tournament.plan_tournament(
        versailles, {"n": "normal"}, (tournament.Duel("n", "n"),), seeds=1
    )
    kept = tournament.play_pairing(planned, planned.schedule()[0])
    said = Counter(
        line.split('"do":"')[1].split(" ")[0]
        for line in kept.text.splitlines()[1:]
        if '"do":"' in line
    )
    assert not kept.played.faults
    assert said["accept"] > 0
    assert said["propose"] <= said["place"] + said["settle"] + said["reclaim"]


def test_analysis_knows_the_value():
    know = bots_of(versailles).knowledge
    p = at_turn(10)
    assert know.evaluate_state(p, random.Random(1)).keys() == set(p.seats)
    assert CandidateSearch(JUDGE).candidate_actions(p, min(versailles.to_act(p)), random.Random(1))
    assert bots.find_bot(versailles, "expert").budget.seconds


def test_advice_shows_what_else_was_weighed():
    """At every turn, long before the end, where the levels take their first thought."""
    p = at_turn(8)
    view = versailles.view(p, min(versailles.to_act(p)))
    advice = analysis.advise_action(versailles, view, budget=SMALL)
    assert len(advice.lines) > 1
    assert advice.lines[0].action == advice.action
