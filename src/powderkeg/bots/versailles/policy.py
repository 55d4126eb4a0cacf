"""The quick policy of a seat, for every kind of question. It is quick enough for rollouts:
political actions are evaluated by formula, questions with few answers by trying each. The same
formulas choose the candidates of a search.
"""

import random
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from powderkeg.bots.versailles.evaluate import REGION_COUNT, Judge, remaining_game
from powderkeg.core.chance import CHANCE, Rng
from powderkeg.games.versailles.actions import (
    Advance,
    Bid,
    DemobiliseUnit,
    DeployUnit,
    DrawCards,
    End,
    Keep,
    Modify,
    Pass,
    Place,
    Reclaim,
    Settle,
)
from powderkeg.games.versailles.board import GAME_END, NOBODY, POSTS, REGIONS
from powderkeg.games.versailles.deals.binding import broken_deal
from powderkeg.games.versailles.flow import apply, legal, seats, start
from powderkeg.games.versailles.kinds import (
    deciding_nation,
    deciding_seat,
    kept_answers,
    legal_answers,
    waits_for_chance,
)
from powderkeg.games.versailles.rules.auction import unit_bids
from powderkeg.games.versailles.rules.military import AVAILABLE, EXHAUSTED, unit_places
from powderkeg.games.versailles.rules.political import (
    can_act,
    can_place,
    can_reclaim,
    least_to_lead,
    must_settle,
    places_minimum,
    settleable_issues,
)
from powderkeg.games.versailles.rules.score import ranking_key as standing
from powderkeg.games.versailles.rules.score import score_sheet
from powderkeg.games.versailles.rules.uprising import most_issues
from powderkeg.games.versailles.state import (
    Options,
    State,
    is_bot,
    is_solo,
    issue_leader,
    nation_of,
    nation_seat,
    post_of,
)
from powderkeg.games.versailles.steps import (
    Announce,
    Bidding,
    ChooseKept,
    ChooseNation,
    ChooseSource,
    ChooseToAdvance,
    FactionOrder,
    PlaceSecond,
    Turn,
)

EXTRA = 3  # cubes beyond the bare lead that are considered
LONGEST_GAME = 5000  # most actions of a whole game
LONGEST_LINE = 400  # most actions of a line, so that it ends
NOISE = 0.15  # points of noise: ties are not always decided alike


class WeighedAction(NamedTuple):
    """An action and its estimated points."""

    gain: float
    action: Any


class Policy:
    """The quick player that follows a judge's evaluation."""

    def __init__(self, judge: Judge) -> None:
        self.judge = judge

    # One decision

    def choose_action(self, p: State, seat: str, rng: Rng) -> Any:
        """What `seat` does now."""
        action = self.first_thought(p, seat, rng)
        return action if self.is_lawful(p, action) else self.best_action(p, seat, kept_answers(p))

    def first_thought(self, p: State, seat: str, rng: Rng) -> Any:
        step: Any = p.agenda[-1]
        match step:
            case Turn():
                return self.turn_action(p, rng)
            case PlaceSecond(nation, first) if not is_bot(p, nation):
                return self.second_placement(p, nation, first)
            case Bidding():
                return self.bid_action(p, step)
            case ChooseNation() | FactionOrder():
                found = list(legal_answers(p))
                return found[rng.randrange(len(found))]
            case ChooseToAdvance():
                return self.advance_action(p, seat, rng)
            case ChooseSource():
                return self.source_action(p, seat)
            case ChooseKept(drawn):
                me = nation_of(p, seat)
                return Keep(max(drawn, key=lambda issue: self.issue_preference(p, issue, me)))
            case Announce(region):
                return self.modify_action(p, seat, region)
        return self.best_action(p, seat, kept_answers(p))

    def is_lawful(self, p: State, action: Any) -> bool:
        """Whether `action` keeps every deal."""
        return not p.deals or not broken_deal(p, p.agenda[-1], deciding_nation(p), action)

    def best_action(self, p: State, seat: str, choices: Sequence[Any]) -> Any:
        """The best action by the value of the state after it."""
        if len(choices) == 1:
            return choices[0]
        return max(choices, key=lambda action: self.action_utility(p, seat, action))

    def action_utility(self, p: State, seat: str, action: Any) -> float:
        return self.seat_utility(apply(p, seat, action).state, seat)

    def seat_utility(self, p: State, seat: str) -> float:
        """The points of the seat, less those of the best rival."""
        if is_solo(p):
            return self.judge.solo_points(p)
        found = self.judge.expected_points(p)
        me = nation_of(p, seat)
        best = max(n for nation, n in found.items() if nation != me)
        return found[me] - self.judge.weights.hinder * best

    # The turn

    def turn_action(self, p: State, rng: Rng) -> Any:
        nation = p.active
        if not p.political and can_act(p, nation):
            found = [w for w in self.political_actions(p, nation) if self.is_lawful(p, w.action)]
            if found:
                return max(found, key=lambda w: w.gain + NOISE * rng.randrange(100) / 100).action
        return self.military_action(p, nation)

    def political_actions(self, p: State, nation: int) -> Iterator[WeighedAction]:
        """The political actions worth weighing, each with its gain."""
        yield from (
            WeighedAction(self.settling_gain(p, nation, i), Settle(i))
            for i in settleable_issues(p, nation)
        )
        if must_settle(p, nation):
            return
        if can_place(p, nation):
            yield from self.placement_pairs(p, nation)
        if can_reclaim(p, nation):
            yield self.reclaim_action(p, nation)

    def settling_gain(self, p: State, nation: int, issue: str) -> float:
        """The gain of settling an issue: a lead becomes certain, a rival's too, but own cubes come
        back.
        """
        if issue == GAME_END:
            return self.ending_gain(p, nation)
        first, row = issue_leader(p, issue), p.cubes[issue]
        doubt = 1 - self.judge.chance_to_hold(self.judge.weights.table, cube_lead(row))
        gain = doubt * self.judge.prize_value(p, issue, first) if first in p.order else 0.0
        if first == nation:
            w = self.judge.weights
            return gain + w.soon - self.judge.cube_part(remaining_game(p)) * w.placed * row[nation]
        w = self.judge.weights
        return (w.cube - w.placed) * row[nation] - gain / 2 - w.soon

    def ending_gain(self, p: State, nation: int) -> float:
        """The gain of ending the game: only worth it for the winner."""
        if is_solo(p):
            return -20.0
        bonus = p.pack.issues[GAME_END].stars
        winner = issue_leader(p, GAME_END)
        final = {n: _add_points(standing(p, n), bonus if n == winner else 0) for n in p.order}
        mine = final.pop(nation)
        return 100.0 if mine > max(final.values()) else -100.0

    def placement_pairs(self, p: State, nation: int) -> Iterator[WeighedAction]:
        """Pairs of placements, with cubes for each; the first of the two is the action."""
        single = [(issue, list(self.placement_gains(p, nation, issue))) for issue in p.cubes]
        purse = p.available[nation]
        price = [self.placement_cost(p, nation, n) for n in range(purse + 1)]
        for k, (one, firsts) in enumerate(single):
            for two, seconds in single[k + 1 :]:
                best: WeighedAction | None = None
                for n, gain in firsts:
                    for m, more in seconds:
                        if n + m <= purse:
                            total = gain + more - price[n + m]
                            if best is None or total > best.gain:
                                first = Place(one, n) if gain >= more else Place(two, m)
                                best = WeighedAction(total, first)
                if best is not None:
                    yield best

    def placement_gains(self, p: State, nation: int, issue: str) -> Iterator[tuple[int, float]]:
        """Numbers of cubes for an issue, and their gain before costs."""
        low = least_to_lead(p, nation, issue)
        extra = 0 if places_minimum(p, nation) else EXTRA
        for n in range(low, min(low + extra, p.available[nation]) + 1):
            yield n, self.placement_gain(p, nation, issue, n)

    def placement_gain(self, p: State, nation: int, issue: str, n: int) -> float:
        w, row = self.judge.weights, p.cubes[issue]
        base = w.table if issue in p.table else w.waiting
        worth = self.judge.prize_value(p, issue, nation)
        top = max(row[:nation] + row[nation + 1 :])
        after = self.judge.chance_to_hold(base, row[nation] + n - top) * worth
        first = issue_leader(p, issue)
        if first == NOBODY:
            return after
        held = self.judge.chance_to_hold(base, cube_lead(row))
        if first == nation:
            return after - held * worth
        rival = self.judge.prize_value(p, issue, first) if first in p.order else 0.0
        before = (1 - held) * w.follow * row[nation] / row[first] * worth
        return after - before + w.hinder * held * rival

    def reclaim_action(self, p: State, nation: int) -> WeighedAction:
        judge, late, purse = self.judge, remaining_game(p), p.available[nation]
        n = min(p.pack.board.reclaim, p.exhausted[nation])
        spent = p.spent[nation]
        gain = judge.purse_value(purse + n, late) - judge.purse_value(purse, late)
        gain += judge.unit_value(spent, 0, -spent, late)
        regions = () if n or spent else self._posted_regions(p, nation)[:1]
        return WeighedAction(gain, Reclaim(n, regions))

    def _posted_regions(self, p: State, nation: int) -> tuple[str, ...]:
        return tuple(REGIONS[r] for r in range(REGION_COUNT) if post_of(p, nation, r))

    def second_placement(self, p: State, nation: int, first: str) -> Place:
        found = [
            place
            for issue in p.cubes
            if issue != first
            for n, _ in self.placement_gains(p, nation, issue)
            if self.is_lawful(p, place := Place(issue, n))
        ]
        return max(found, key=lambda action: self.placed_gain(p, nation, action))

    def placed_gain(self, p: State, nation: int, action: Place) -> float:
        """The gain of a placement, less the cost of the cubes."""
        price = self.placement_cost(p, nation, action.n)
        return self.placement_gain(p, nation, action.issue, action.n) - price

    def placement_cost(self, p: State, nation: int, n: int) -> float:
        """How much more `n` cubes are worth at hand than on an issue."""
        judge, late, purse = self.judge, remaining_game(p), p.available[nation]
        there = judge.cube_part(late) * judge.weights.placed * n
        return judge.purse_value(purse, late) - judge.purse_value(purse - n, late) - there

    # Units

    def military_action(self, p: State, nation: int) -> Any:
        """Deploy or demobilise if that is better than waiting."""
        if p.military or not unit_places(p, nation):
            return End()
        best, most = self.sending_home(p, nation)
        seat, now = nation_seat(p, nation), None
        for action in self.deployments(p, nation):
            now = self.seat_utility(p, seat) if now is None else now
            gain = self.action_utility(p, seat, action) - now
            if gain > most:
                best, most = action, gain
        if best is None:
            owed = not p.political and can_act(p, nation)
            return self.best_action(p, seat, kept_answers(p)) if owed else End()
        return best

    def sending_home(self, p: State, nation: int) -> tuple[Any, float]:
        """A unit to demobilise and the gain; none if happiness gains less than the army loses.

        The rank by happiness is weighed: a player who does not follow a rival to the demobilise
        track stays behind all game."""
        if is_solo(p):
            return None, NOISE
        place = EXHAUSTED if p.spent[nation] else unit_places(p, nation)[0]
        action, seat = DemobiliseUnit(place), nation_seat(p, nation)
        gain = self.action_utility(p, seat, action) - self.seat_utility(p, seat)
        return (action, gain) if gain > NOISE else (None, NOISE)

    def deployments(self, p: State, nation: int) -> Iterator[DeployUnit]:
        """Deployments worth considering: to protect own issues, or to gain cubes."""
        if not p.ready[nation]:
            return
        thresholds, poor = p.pack.board.uprising, p.available[nation] < 4 <= p.exhausted[nation]
        for region in range(REGION_COUNT):
            column = p.unrest[region]
            if not thresholds[column] or post_of(p, nation, region):
                continue
            hit = nation in most_issues(p, region)
            if hit or (poor and column >= 4):
                for post in (max(POSTS[0], min(column, POSTS[-1])), 7) if hit else (6,):
                    if p.posts[region * 4 + post - POSTS[0]] == NOBODY:
                        yield DeployUnit(AVAILABLE, REGIONS[region], post)

    def military_actions(self, p: State, nation: int) -> Iterator[DeployUnit | DemobiliseUnit]:
        """The few military actions worth considering."""
        if unit_places(p, nation):
            yield DemobiliseUnit(EXHAUSTED if p.spent[nation] else unit_places(p, nation)[0])
            yield from dict.fromkeys(self.deployments(p, nation))

    def modify_action(self, p: State, seat: str, region: int) -> Modify:
        """Lower unrest where own issues are in danger, raise it where a rival's are."""
        choices = list(legal_answers(p))
        hit, me = most_issues(p, region), nation_of(p, seat)
        wanted = Modify(0 if not hit else -1 if me in hit else 1)
        return wanted if wanted in choices else choices[0]

    # Settling

    def issue_preference(self, p: State, issue: str, nation: int) -> float:
        """How much more an issue is worth to `nation` than to the others."""
        others = [self.judge.issue_worth(p, issue, n) for n in p.order if n != nation]
        mine = self.judge.issue_worth(p, issue, nation)
        return mine - sum(others) / max(1, len(others)) + 0.2 * mine

    def advance_action(self, p: State, seat: str, rng: Rng) -> Advance:
        choices, me = list(legal_answers(p)), nation_of(p, seat)
        issues = [a for a in choices if a.card in p.waiting]
        if not issues:
            events: Advance = choices[rng.randrange(len(choices))]
            return events
        best: Advance = max(issues, key=lambda a: self._table_value(p, a.card, me))
        return best

    def _table_value(self, p: State, issue: str, nation: int) -> float:
        """The value of having an issue on the table: good if led, bad if a rival leads."""
        first = issue_leader(p, issue)
        if issue == GAME_END:
            return self.ending_gain(p, nation)
        if first == NOBODY or first not in p.order:
            return self.issue_preference(p, issue, nation) / 4
        worth = self.judge.issue_worth(p, issue, first)
        return worth * (1 if first == nation else -1)

    def source_action(self, p: State, seat: str) -> Any:
        choices, me = list(legal_answers(p)), nation_of(p, seat)
        dives = [a for a in choices if not isinstance(a, DrawCards)]
        if not dives:
            return choices[0]
        top = dives[0]
        return (
            top
            if self.issue_preference(p, top.issue, me) > self.judge.weights.dive
            else DrawCards()
        )

    # Bids

    def bid_action(self, p: State, step: Bidding) -> Bid | Pass:
        """The cheapest raise while the issue is worth it, else pass."""
        raised = self.cheapest_raise(p, step)
        worth = self.judge.weights.bid * self.judge.prize_value(p, step.issue, step.waiting[0])
        return Pass() if raised is None or raised[0] > worth else raised[1]

    def cheapest_raise(self, p: State, step: Bidding) -> tuple[float, Bid] | None:
        """The cheapest raise and its price; None if none can be paid."""
        nation, late, w, judge = step.waiting[0], remaining_game(p), self.judge.weights, self.judge
        purse = p.available[nation]
        found: list[tuple[float, Bid]] = []
        for units, local, few in unit_bids(p, nation, step.issue, step.best, purse):
            cubes = max(few, 0 if units or local else 1)
            price = judge.unit_value(units, local, -units - local, late)
            price += (units + local) * (w.mood + w.step)
            price += judge.purse_value(purse, late) - judge.purse_value(purse - cubes, late)
            found.append((price, Bid(units, local, cubes)))
        return min(found, key=lambda pair: pair[0], default=None)


def cube_lead(row: Sequence[int]) -> int:
    """By how many cubes the first is ahead of the second."""
    first, second = sorted(row)[-1:-3:-1]
    return first - second


def _add_points(place: tuple[int, int, int], points: int) -> tuple[int, int, int]:
    return place[0] + points, *place[1:]


# Playing on


def play_policy_game(minds: Sequence[Policy], seed: str) -> list[int]:
    """The points of each player in a game of quick policies without talk, in seat order."""
    rng, options = random.Random(seed), Options()
    p = start(seats(len(minds), options), options)
    for _ in range(LONGEST_GAME):
        if not p.agenda:
            break
        if waits_for_chance(p, p.agenda[-1]):
            p = apply(p, CHANCE, legal(p, CHANCE).sample(rng)).state
        else:
            seat = deciding_seat(p)
            mind = minds[p.seats.index(seat)]
            p = apply(p, seat, mind.choose_action(p, seat, rng)).state
    return [score_sheet(p, nation).total for nation in p.order]


def play_policy(policy: Policy, p: State, rng: Rng, until: int, *, chance: bool = True) -> State:
    """Let all seats follow the policy until that turn begins, or until chance decides."""
    for _ in range(LONGEST_LINE):
        if not p.agenda or p.turn >= until:
            break
        step = p.agenda[-1]
        if waits_for_chance(p, step):
            if not chance:
                break
            p = apply(p, CHANCE, legal(p, CHANCE).sample(rng)).state
        else:
            seat = deciding_seat(p)
            p = apply(p, seat, policy.choose_action(p, seat, rng)).state
    return p
