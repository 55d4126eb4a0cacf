"""The four levels: greedy by hand-set weights (easy with slips), then search with learnt ones."""

import math
from dataclasses import asdict, replace

from powderkeg.bots.characters import CHARACTER_NAMES
from powderkeg.bots.engine.budget import Budget
from powderkeg.bots.engine.knowledge import Knowledge
from powderkeg.bots.engine.thought import Bot, Think, ThinkingBot
from powderkeg.bots.game_bots import GameBots, Level, Tunable
from powderkeg.bots.versailles.briefing import brief_player
from powderkeg.bots.versailles.evaluate import Judge
from powderkeg.bots.versailles.line_search import PLAIN_LINES, LineSearch, line_thinking
from powderkeg.bots.versailles.negotiation import RIVALRY, Bargainer, pending_offers
from powderkeg.bots.versailles.policy import Policy, play_policy_game
from powderkeg.bots.versailles.solitaire import PatientJudge, PatientSearch
from powderkeg.bots.versailles.turn import (
    CandidateSearch,
    once_won,
    quick_thinking,
    search_thinking,
    split_by_solo,
    with_fewer_lines,
)
from powderkeg.bots.versailles.weights import PointWeights, learnt_points
from powderkeg.games import versailles

PLAIN, JUDGE = Judge(PointWeights()), Judge(learnt_points())
SHREWD = Bargainer(Policy(JUDGE), rivalry=RIVALRY, gifts=tuple(range(7)), haggles=True)
PERSISTENT = replace(SHREWD, rounds=2)  # has the last word, even about its own offers
PATIENT = PatientSearch(PatientJudge(learnt_points()))
PATIENT_LINES = 24  # per decision of solitaire
WIDE = 8  # candidates of a search that is quick enough for them
SLIP_EVERY = 3  # an easy bot plays about one action in three at random


def _easy_thinking(know: Knowledge) -> Think:
    return quick_thinking(Policy(PLAIN), SLIP_EVERY, offers=False)


def _normal_thinking(know: Knowledge) -> Think:
    return quick_thinking(Policy(PLAIN))


def _hard_thinking(know: Knowledge) -> Think:
    return split_by_solo(search_thinking(CandidateSearch(JUDGE)), quick_thinking(Policy(JUDGE)))


def _former_expert(know: Knowledge) -> Think:
    return search_thinking(CandidateSearch(JUDGE), SHREWD)


def _expert_thinking(know: Knowledge) -> Think:
    lines = LineSearch(CandidateSearch(JUDGE, WIDE))
    among = line_thinking(lines, PERSISTENT, _former_expert(know))
    return split_by_solo(_patient_thinking(), among)


def _patient_thinking() -> Think:
    """Patience wins solitaire; once it is won, a quick player brings the game to its end."""
    patient = with_fewer_lines(PATIENT_LINES, search_thinking(PATIENT))
    return once_won(patient, quick_thinking(Policy(JUDGE)))


def _adviser_thinking(know: Knowledge) -> Think:
    return search_thinking(CandidateSearch(JUDGE, ahead=4))


def _quick_weights() -> dict[str, float]:
    """The weights that affect the quick policy; the others only affect the chances to win."""
    return {name: n for name, n in asdict(learnt_points()).items() if name not in ("heat", "haze")}


def _tuned_quick_bot(weights: dict[str, float]) -> Bot:
    """A quick bot with these weights, without offers: they take nine tenths of the time."""
    judge = Judge(replace(learnt_points(), **weights))
    return ThinkingBot("tuned", quick_thinking(Policy(judge), offers=False), Budget(1))


def _trial_score(weights: dict[str, float], players: int, seed: int, seat: int) -> float:
    """By how many points the weights beat the mean of the others.

    The others play by the weights set by hand or, in every second game, by those learnt so far.
    """
    minds = [Policy(JUDGE if seed % 2 else PLAIN)] * players
    minds[seat] = Policy(Judge(replace(learnt_points(), **weights)))
    scores = play_policy_game(minds, f"trial/{seed}")
    mine = scores.pop(seat)
    return mine - math.fsum(scores) / len(scores)


LEVELS = {
    "easy": Level(_easy_thinking, Budget(1)),
    "normal": Level(_normal_thinking, Budget(1)),
    "hard": Level(_hard_thinking, Budget(24, 0.9)),  # searches only in solitaire
    "expert": Level(_expert_thinking, Budget(1000, 12.0)),  # compiled: LINE_SECONDS
}
REFERENCES = {"former-expert": Level(_former_expert, Budget(PLAIN_LINES, 12.0))}
BOTS = GameBots(
    Knowledge(versailles, value=JUDGE.shares, hinder=JUDGE.weights.hinder),
    LEVELS,
    references=REFERENCES,
    adviser=Level(_adviser_thinking, Budget(160, 1.5)),  # people want to see the alternatives
    pending_offers=pending_offers,
    characters=CHARACTER_NAMES,
    briefing=brief_player,
    idle_actions=("end", "pass", "decline"),
    tunables={"values": Tunable(_quick_weights(), _tuned_quick_bot, _trial_score)},
)
