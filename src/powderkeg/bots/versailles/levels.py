"""The four levels: greedy by hand-set weights (easy with slips), then search with learnt ones."""

import math
from dataclasses import asdict, replace

from powderkeg.bots.engine.budget import Budget
from powderkeg.bots.engine.knowledge import Knowledge
from powderkeg.bots.engine.thought import Bot, Think, ThinkingBot
from powderkeg.bots.game_bots import GameBots, Level, Tunable
from powderkeg.bots.versailles.evaluate import Judge
from powderkeg.bots.versailles.negotiation import Bargainer, pending_offers
from powderkeg.bots.versailles.policy import Policy, play_policy_game
from powderkeg.bots.versailles.turn import (
    CandidateSearch,
    quick_thinking,
    search_thinking,
    split_by_solo,
)
from powderkeg.bots.versailles.weights import PointWeights, learnt_points
from powderkeg.games import versailles

PLAIN, JUDGE = Judge(PointWeights()), Judge(learnt_points())
SHREWD = Bargainer(Policy(JUDGE), rivalry=0.5, gifts=tuple(range(7)), haggles=True)
SLIP_EVERY = 3  # an easy bot does about one thing in three without thinking


def _easy_thinking(know: Knowledge) -> Think:
    return quick_thinking(Policy(PLAIN), SLIP_EVERY, offers=False)


def _normal_thinking(know: Knowledge) -> Think:
    return quick_thinking(Policy(PLAIN))


def _hard_thinking(know: Knowledge) -> Think:
    return split_by_solo(search_thinking(CandidateSearch(JUDGE)), quick_thinking(Policy(JUDGE)))


def _expert_thinking(know: Knowledge) -> Think:
    return search_thinking(CandidateSearch(JUDGE), SHREWD)


def _adviser_thinking(know: Knowledge) -> Think:
    return search_thinking(CandidateSearch(JUDGE, ahead=4))


def _quick_weights() -> dict[str, float]:
    """The weights that decide what the quick player does; the others only say who is likely to win."""
    return {name: n for name, n in asdict(learnt_points()).items() if name not in ("heat", "haze")}


def _tuned_quick_bot(weights: dict[str, float]) -> Bot:
    """Without offers: they take nine tenths of the time."""
    judge = Judge(replace(learnt_points(), **weights))
    return ThinkingBot("tuned", quick_thinking(Policy(judge), offers=False), Budget(1))


def _trial_score(weights: dict[str, float], players: int, seed: int, seat: int) -> float:
    """By how many points the weights beat the mean of the others: those set by hand, or, every
    other time, those learnt so far."""
    minds = [Policy(JUDGE if seed % 2 else PLAIN)] * players
    minds[seat] = Policy(Judge(replace(learnt_points(), **weights)))
    scores = play_policy_game(minds, f"trial/{seed}")
    mine = scores.pop(seat)
    return mine - math.fsum(scores) / len(scores)


LEVELS = {
    "easy": Level(_easy_thinking, Budget(1)),
    "normal": Level(_normal_thinking, Budget(1)),
    "hard": Level(_hard_thinking, Budget(24, 0.9)),  # among others it takes its first thought
    "expert": Level(_expert_thinking, Budget(96, 12.0)),
}
BOTS = GameBots(
    Knowledge(versailles, value=JUDGE.shares, hinder=JUDGE.weights.hinder),
    LEVELS,
    adviser=Level(_adviser_thinking, Budget(160, 1.5)),  # people want to see what else was weighed
    pending_offers=pending_offers,
    tunables={"values": Tunable(_quick_weights(), _tuned_quick_bot, _trial_score)},
)
