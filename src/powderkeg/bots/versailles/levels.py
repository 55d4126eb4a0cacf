"""The levels: greedy by hand-set weights with and without slips; learnt weights and search."""

from powderkeg.bots.budget import Budget
from powderkeg.bots.levels import Level, Mind, Tunable
from powderkeg.bots.search import Knowledge
from powderkeg.bots.thought import Bot, Think
from powderkeg.bots.versailles.bargain import offered
from powderkeg.bots.versailles.play import Player, glance, thinker
from powderkeg.bots.versailles.policy import Policy
from powderkeg.bots.versailles.value import Judge
from powderkeg.bots.versailles.weights import Weights, start, tuned
from powderkeg.games import versailles

PLAIN, JUDGE = Judge(Weights()), Judge(tuned())
EARLY = 10  # issues before the end of the game from which an expert plays on to the end
SLIPS = 3  # an easy bot does about one thing in three without thinking


def _easy(know: Knowledge) -> Think:
    return glance(Policy(PLAIN), SLIPS)


def _normal(know: Knowledge) -> Think:
    return glance(Policy(PLAIN))


def _hard(know: Knowledge) -> Think:
    return thinker(Player(JUDGE))


def _expert(know: Knowledge) -> Think:
    return thinker(Player(JUDGE, EARLY))


def _tunable(weights: dict[str, float]) -> Bot:
    return Mind("tuned", glance(Policy(Judge(Weights(**weights)))), Budget(1))


LEVELS = {
    "easy": Level(_easy, Budget(1)),
    "normal": Level(_normal, Budget(1)),
    "hard": Level(_hard, Budget(40, 1.5)),
    "expert": Level(_expert, Budget(400, 12.0)),
}
KNOWLEDGE = Knowledge(
    versailles,
    value=JUDGE.shares,
    policy=Policy(JUDGE).choose,
    hinder=JUDGE.weights.hinder,
)
TUNABLE = {"values": Tunable(start(), _tunable)}
OFFERED = offered
