"""Solitaire, in which time is on the human's side: every turn as the strongest faction scores a point.

Once every faction has an issue and one's own leads, little needs to be settled: it pays to keep the bots
from leading on the table, to make them place elsewhere, and to take back one cube at a time.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from powderkeg.bots.versailles.evaluate import Judge, remaining_game
from powderkeg.bots.versailles.policy import Policy
from powderkeg.bots.versailles.turn import CandidateSearch
from powderkeg.bots.versailles.weights import PointWeights
from powderkeg.core.chance import Rng
from powderkeg.games.versailles.actions import End, Place, Reclaim, Settle
from powderkeg.games.versailles.board import GAME_END, NOBODY
from powderkeg.games.versailles.flow import apply
from powderkeg.games.versailles.kinds import deciding_seat
from powderkeg.games.versailles.rules.political import (
    can_act,
    can_place,
    can_reclaim,
    must_settle,
    placing_range,
    settleable_issues,
)
from powderkeg.games.versailles.rules.solo import faction_strength, potential_value
from powderkeg.games.versailles.state import Position, State, is_bot, issue_leader
from powderkeg.games.versailles.steps import PlaceSecond, Turn


@dataclass(frozen=True, slots=True)
class PatienceWeights:
    """Set by hand. Turns are those in which a point may be scored."""

    length: float = 12.0  # turns from the start to the end
    led_by_bot: float = 2.0  # turns lost by an issue on the table that a bot leads, and will settle
    led_twice: float = 1.5  # and by leading both, because one must be settled
    settling: float = 1.0  # points that settling costs, by the cards that are drawn
    own_cube: float = 0.1  # turns that a cube at hand may fill
    own_spent: float = 0.07  # and an exhausted one
    bot_cube: float = 0.03  # turns lost by a cube with which a bot may act
    lead: float = 3.0  # points of strength ahead with which three turns in four score
    hope: float = 0.45  # part of an issue's value for leading it on the table
    fear: float = 0.3  # and for a bot
    waiting: float = 0.4  # what is left of that in the waiting room
    unheld: float = 0.25  # part of the points left if a faction has no issue
    nearly_held: float = 0.5  # and if it leads one on the table
    upset: float = 0.5  # part of the points that an uprising costs


class PatientJudge(Judge):
    """Values a position of solitaire by the points that are still to come."""

    def __init__(self, weights: PointWeights, patience: PatienceWeights | None = None) -> None:
        super().__init__(weights)
        self.patience = patience or PatienceWeights()

    def solo_points(self, p: Position) -> float:
        if not p.order or p.human == NOBODY:
            return 0.0
        k = self.patience
        turns = max(0.5, k.length * remaining_game(p) + self._turns_gained(p))
        scoring = 1 / (1 + math.exp(-self._strength_lead(p) / k.lead))
        scoring *= 1 - k.upset * self._upset_chance(p)
        return p.points + scoring * self._holders_part(p) * turns

    def _strength_lead(self, p: Position) -> float:
        """By how much the human's faction is the strongest, with a part of what each leads."""
        k = self.patience
        strength = {f: float(faction_strength(p, f)) for f in p.order}
        for issue in p.cubes:
            first = issue_leader(p, issue)
            if first in strength and issue != GAME_END:
                part = k.hope if first == p.human else k.fear
                near = 1 if issue in p.table else k.waiting
                strength[first] += part * near * potential_value(p, issue, first)
        return strength.pop(p.human) - max(strength.values())

    def _holders_part(self, p: Position) -> float:
        """Nobody scores before every faction has an issue (V-SOLO-08)."""
        k, part = self.patience, 1.0
        holders = {held.owner for held in p.held.values()}
        leaders = {issue_leader(p, issue) for issue in p.table}
        for faction in p.order:
            if faction not in holders:
                part *= k.nearly_held if faction in leaders else k.unheld
        return part

    def _turns_gained(self, p: Position) -> float:
        """Turns in which nothing need be settled, and less for those in which something must."""
        k, me = self.patience, p.human
        gained = k.own_cube * p.available[me] + k.own_spent * p.exhausted[me]
        if len({held.owner for held in p.held.values()}) < len(p.order):
            return gained
        bots = [f for f in p.order if f != me]
        leaders = [issue_leader(p, issue) for issue in p.table]
        gained -= k.led_by_bot * sum(first in bots for first in leaders)
        if leaders and all(first == me for first in leaders):
            gained -= k.led_twice
        return gained - k.bot_cube * sum(p.available[f] + p.exhausted[f] / 2 for f in bots)


class PatientPolicy(Policy):
    """The quick player of solitaire: every political action by the position after it."""

    judge: PatientJudge

    def first_thought(self, p: State, seat: str, rng: Rng) -> Any:
        step = p.agenda[-1]
        if isinstance(step, Turn) and (found := list(self.solo_actions(p))):
            return max(found, key=lambda action: self.solo_value(p, seat, action))
        if isinstance(step, PlaceSecond) and not is_bot(p, step.nation):
            return self.best_action(p, seat, list(least_places(p, step.nation, step.first)))
        return super().first_thought(p, seat, rng)

    def solo_actions(self, p: State) -> Iterator[Any]:
        """The political actions worth weighing; none after the political action."""
        nation = p.active
        if p.political or not can_act(p, nation):
            return
        yield from (Settle(issue) for issue in settleable_issues(p, nation))
        if must_settle(p, nation):
            return
        if can_reclaim(p, nation):
            if p.exhausted[nation] > 1:
                yield Reclaim(1, ())  # fills the most turns
            yield self.reclaim_action(p, nation).action
        if can_place(p, nation):
            yield from least_places(p, nation)

    def solo_value(self, p: State, seat: str, action: Any) -> float:
        """The points that may be expected after an action; a placement is completed by the best second."""
        after = apply(p, seat, action).state
        step = after.agenda[-1] if after.agenda else None
        if isinstance(step, PlaceSecond):
            seconds = least_places(after, step.nation, step.first)
            return max(self.action_utility(after, seat, second) for second in seconds)
        cost = self.judge.patience.settling if isinstance(action, Settle) else 0.0
        return self.judge.solo_points(after) - cost


def least_places(p: State, nation: int, first: str = "") -> Iterator[Place]:
    """The fewest cubes that lead, on each issue where they can be paid."""
    for issue in p.cubes:
        if issue != first:
            low, top = placing_range(p, nation, issue, first)
            if low <= top:
                yield Place(issue, low)


@dataclass(frozen=True)
class PatientSearch(CandidateSearch):
    """Rollouts by the patient policy, of what it weighs itself."""

    judge: PatientJudge

    @property
    def policy(self) -> PatientPolicy:
        return PatientPolicy(self.judge)

    def _turn_candidates(self, p: State) -> list[Any]:
        policy, nation, seat = self.policy, p.active, deciding_seat(p)
        found = list(policy.solo_actions(p)) or [End()]
        if len(found) > 1:
            found.sort(key=lambda action: -policy.solo_value(p, seat, action))
        found = found[: self.width]
        return found if p.military else [*found, *policy.military_actions(p, nation)]
