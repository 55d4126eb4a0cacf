"""The levels: greedy by hand-set weights, with and without slips, and by learnt ones; then search."""

import math
from dataclasses import asdict, replace

from powderkeg.bots.engine.budget import Budget
from powderkeg.bots.engine.knowledge import Knowledge
from powderkeg.bots.engine.thought import Bot, Think, ThinkingBot
from powderkeg.bots.game_bots import GameBots, Level, Tunable
from powderkeg.bots.versailles.evaluate import Judge
from powderkeg.bots.versailles.negotiation import Bargainer, offered
from powderkeg.bots.versailles.policy import Policy, contest
from powderkeg.bots.versailles.turn import Player, by_company, glance, thinker
from powderkeg.bots.versailles.weights import Weights, tuned
from powderkeg.games import versailles

PLAIN, JUDGE = Judge(Weights()), Judge(tuned())
SHREWD = Bargainer(Policy(JUDGE), rivalry=0.5, gifts=tuple(range(7)), haggles=True)
SLIPS = 3  # an easy bot does about one thing in three without thinking


def _easy(know: Knowledge) -> Think:
    return glance(Policy(PLAIN), SLIPS, offers=False)


def _normal(know: Knowledge) -> Think:
    return glance(Policy(PLAIN))


def _hard(know: Knowledge) -> Think:
    return by_company(thinker(Player(JUDGE)), glance(Policy(JUDGE)))


def _expert(know: Knowledge) -> Think:
    return thinker(Player(JUDGE), SHREWD)


def _adviser(know: Knowledge) -> Think:
    return thinker(Player(JUDGE, ahead=4))


def _quick() -> dict[str, float]:
    """The weights that decide what the quick player does; the others only say who is likely to win."""
    return {name: n for name, n in asdict(tuned()).items() if name not in ("heat", "haze")}


def _tunable(weights: dict[str, float]) -> Bot:
    """Without offers: they take nine tenths of the time."""
    judge = Judge(replace(tuned(), **weights))
    return ThinkingBot("tuned", glance(Policy(judge), offers=False), Budget(1))


def _trial(weights: dict[str, float], players: int, seed: int, seat: int) -> float:
    """By how many points the weights beat the mean of the others: those set by hand, or, every
    other time, those learnt so far."""
    minds = [Policy(JUDGE if seed % 2 else PLAIN)] * players
    minds[seat] = Policy(Judge(replace(tuned(), **weights)))
    scores = contest(minds, f"trial/{seed}")
    mine = scores.pop(seat)
    return mine - math.fsum(scores) / len(scores)


LEVELS = {
    "easy": Level(_easy, Budget(1)),
    "normal": Level(_normal, Budget(1)),
    "hard": Level(_hard, Budget(24, 0.9)),  # among others it takes its first thought
    "expert": Level(_expert, Budget(96, 12.0)),
}
BOTS = GameBots(
    Knowledge(versailles, value=JUDGE.shares, hinder=JUDGE.weights.hinder),
    LEVELS,
    adviser=Level(_adviser, Budget(160, 1.5)),  # people want to see what else was weighed
    pending_offers=offered,
    tunables={"values": Tunable(_quick(), _tunable, _trial)},
)
