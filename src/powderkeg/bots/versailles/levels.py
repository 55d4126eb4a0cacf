"""The levels: the same mind, looking further."""

from powderkeg.bots.budget import Budget
from powderkeg.bots.levels import Level, Mind, Tunable
from powderkeg.bots.search import Knowledge
from powderkeg.bots.thought import Bot, Think
from powderkeg.bots.versailles.play import Player, glance, thinker
from powderkeg.bots.versailles.policy import Policy
from powderkeg.bots.versailles.value import Judge
from powderkeg.bots.versailles.weights import Weights, start, tuned
from powderkeg.games import versailles

JUDGE = Judge(tuned())
NORMAL, HARD = Budget(16), Budget(120, 1.5)


def _normal(know: Knowledge) -> Think:
    return thinker(Player(JUDGE, turns=0))


def _hard(know: Knowledge) -> Think:
    return thinker(Player(JUDGE, turns=4))


def _tunable(weights: dict[str, float]) -> Bot:
    player = Player(Judge(Weights(**weights)), turns=1)
    return Mind("tuned", thinker(player), NORMAL)


def _easy(know: Knowledge) -> Think:
    return glance(Policy(JUDGE))


LEVELS = {
    "easy": Level(_easy, Budget(1)),
    "normal": Level(_normal, NORMAL),
    "hard": Level(_hard, HARD),
    "expert": Level(_hard, Budget(1200, 12.0)),
}
KNOWLEDGE = Knowledge(
    versailles,
    value=JUDGE.shares,
    policy=Policy(JUDGE).choose,
    hinder=JUDGE.weights.hinder,
)
TUNABLE = {"values": Tunable(start(), _tunable)}
