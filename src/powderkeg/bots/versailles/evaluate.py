"""Evaluation of a position: the points each nation may expect at the end, and its chance to win.

It is the expected value of each line of the score sheet: issues held (less the risk of uprisings),
issues that are led, counters that suit the strategy, the rank by happiness; and what cubes and
units can still achieve.
"""

import math
from typing import TypeAlias

from powderkeg.bots.engine.shares import Shares
from powderkeg.bots.versailles.weights import PointWeights
from powderkeg.games.versailles.board import (
    GAME_END,
    ITALY,
    JAPAN,
    LEAGUE,
    NATIONS,
    NAVAL,
    NAVAL_FLAGS,
    NOBODY,
    REGIONS,
    REPARATIONS,
)
from powderkeg.games.versailles.cards.pack import IssueOption, StrategyCard
from powderkeg.games.versailles.rules.solo import current_target, faction_strength, potential_value
from powderkeg.games.versailles.state import Position, is_solo, issue_leader, owned_issues

Points: TypeAlias = dict[int, float]  # by nation

SHORTEST_GAME = 13  # settlements from the start to the end of the shortest game, if nobody dives
LAST_SETTLEMENTS = 3  # settlements left once the end card is drawn
REGION_COUNT = len(REGIONS)
UPSET_LOSS = 0.9  # part of the value of a lead that an uprising costs
NEAR_TARGET = (
    8.0  # points short of the target in solitaire with which one game in four is still won
)


def remaining_game(p: Position) -> float:
    """How much of the game is still to come: about 1 at the start, 0 at the end."""
    if p.above == NOBODY:
        if GAME_END in p.table:
            return 0.05 if any(p.cubes[GAME_END]) else 0.1
        return 0.2
    return min(1.0, (p.above / 2 + LAST_SETTLEMENTS) / (SHORTEST_GAME + LAST_SETTLEMENTS))


class Judge:
    """Evaluates positions by its weights."""

    def __init__(self, weights: PointWeights) -> None:
        self.weights = weights
        self._worth: dict[tuple[str, str, int, str], float] = {}
        self._suits: dict[tuple[str, int, str], dict[str, float]] = {}

    # Cards

    def counter_values(self, p: Position, nation: int) -> dict[str, float]:
        """The value of a counter of each kind to `nation`, in any place."""
        card = p.strategy[nation]
        key = (p.options.pack, nation, card or "+".join(p.dealt))
        found = self._suits.get(key)
        if found is None:
            cards = p.pack.strategies
            if card:
                found = points_by_kind(cards[card])
            else:
                found = self.hoped_values([points_by_kind(cards[name]) for name in p.dealt])
            self._suits[key] = found
        return found

    def hoped_values(self, cards: list[dict[str, float]]) -> dict[str, float]:
        """Values before the strategies are chosen: a part of the mean over them."""
        share = self.weights.hopes / max(1, len(cards))
        total: dict[str, float] = {}
        for card in cards:
            for kind, n in card.items():
                total[kind] = total.get(kind, 0.0) + share * n
        return total

    def kept_part(self, late: float) -> float:
        """The part of what is held now that will still count at the end."""
        return 1 - min(0.97, self.weights.frail) * late

    def prize_value(self, p: Position, issue: str, nation: int) -> float:
        """The value of an open issue to `nation`, if it can be kept."""
        return self.kept_part(remaining_game(p)) * self.issue_worth(p, issue, nation)

    def issue_worth(self, p: Position, issue: str, nation: int) -> float:
        """The value of winning an open issue: its stars and the best of its options."""
        if is_solo(p):
            return potential_value(p, issue, nation)
        key = (p.options.pack, issue, nation, p.strategy[nation] or "+".join(p.dealt))
        found = self._worth.get(key)
        if found is None:
            card = p.pack.issues[issue]
            bonus = [self.option_bonus(p, option, nation) for option in card.options]
            found = self._worth[key] = card.stars + max(bonus, default=0.0)
        return found

    def option_effect(self, p: Position, option: IssueOption, nation: int) -> float:
        """The effect of an option on `nation`, no matter which nation chooses it: counters and happiness."""
        suits = self.counter_values(p, nation)
        total = (self.weights.step + self.weights.mood) * option.mood(nation)
        return total + sum(suits.get(c.partition(".")[0], 0.0) for c in option.counters)

    def option_bonus(self, p: Position, option: IssueOption, nation: int) -> float:
        """The value of an option to its chooser: flags, counters, happiness."""
        own = NATIONS[nation]
        navy = own in NAVAL_FLAGS
        flags = [c.endswith("." + own) or (c == NAVAL and navy) for c in option.counters]
        return self.option_effect(p, option, nation) + sum(flags)

    def purse_value(self, cubes: int, late: float) -> float:
        """The value of cubes at hand: each a little less than the one before."""
        w = self.weights
        return self.cube_part(late) * w.cube * w.purse * (1 - math.exp(-cubes / w.purse))

    def cube_part(self, late: float) -> float:
        """How much cubes still count at this point of the game."""
        return 1 - min(0.9, self.weights.fade) * late

    def unit_value(self, ready: float, posted: float, spent: float, late: float) -> float:
        """The value of units."""
        w = self.weights
        return min(1.0, 0.15 + 3 * late) * (w.unit * ready + w.post * posted + w.tired_unit * spent)

    # The score sheet, line by line

    def expected_points(self, p: Position) -> Points:
        """The points that each player's nation may expect at the end."""
        late = remaining_game(p)
        keeps = self.kept_part(late)
        found = {n: keeps * points for n, points in self._card_points(p).items()}
        mood = self._happiness_points(p, late)
        for n in p.order:
            units = self.unit_value(p.ready[n], p.posts.count(n), p.spent[n], late)
            found[n] += mood[n] + units + self.purse_value(p.available[n], late)
        self._add_open_issues(p, late, found)
        self._subtract_unrest(p, late, found)
        return found

    def _card_points(self, p: Position) -> Points:
        """Issues, flags and strategies as they stand."""
        issues = p.pack.issues
        found = [0.0] * 5
        kinds: dict[str, int] = {}
        regions: list[list[int]] = [[] for _ in range(5)]
        for issue, held in p.held.items():
            card = issues[issue]
            owner = held.owner
            found[owner] += card.stars
            regions[owner].append(card.region)
            for counter in held.counters:
                kind, _, flag = counter.partition(".")
                kinds[kind] = kinds.get(kind, 0) + 1
                if flag == NATIONS[owner]:
                    found[owner] += 1
        return {n: found[n] + self._strategy_points(p, n, kinds, regions[n]) for n in p.order}

    def _strategy_points(
        self, p: Position, nation: int, kinds: dict[str, int], regions: list[int]
    ) -> float:
        card = p.strategy[nation]
        if not card:
            suits = self.counter_values(p, nation)
            return sum(n * suits.get(kind, 0.0) for kind, n in kinds.items())
        total = 0.0
        for condition in p.pack.strategies[card].conditions:
            counts = condition.counts
            if counts in kinds:
                total += condition.points * kinds[counts]
            elif counts in _COUNT_BY_CONDITION:
                total += condition.points * _COUNT_BY_CONDITION[counts](p, nation, regions)
        return total

    def _happiness_points(self, p: Position, late: float) -> Points:
        """Rank points by how likely each rank is, and a little for every step."""
        w, board = self.weights, p.pack.board
        gap = w.gap * (0.6 + 0.8 * late)
        ranks = board.rank_points[len(p.order)] if len(p.order) > 1 else (0,)
        found = {}
        for n in p.order:
            mine = p.happiness[n]
            happier = 0.0
            for other in p.order:
                if other != n:
                    happier += 1 / (1 + math.exp((mine - p.happiness[other]) / gap))
            low = int(happier)
            high = min(low + 1, len(ranks) - 1)
            rank = ranks[low] + (happier - low) * (ranks[high] - ranks[low])
            if mine == 0:
                rank += board.zero_points
            card = p.pack.strategies.get(p.strategy[n])
            if card and _doubles_happiness(card):
                rank *= 2
            found[n] = rank + w.mood * mine
        return found

    def _add_open_issues(self, p: Position, late: float, found: Points) -> None:
        """Add the expected points of issues on the table and in the waiting room, mostly to their
        leaders.
        """
        w, keeps = self.weights, self.kept_part(late)
        placed = self.cube_part(late) * w.placed
        table = p.table
        for issue, row in p.cubes.items():
            top = max(row)
            if not top:
                continue
            first = row.index(top)
            second = max(row[:first] + row[first + 1 :])
            holds = self.chance_to_hold(w.table if issue in table else w.waiting, top - second)
            for n, cubes in enumerate(row):
                if cubes and n in found:
                    part = holds if n == first else (1 - holds) * w.follow * cubes / top
                    found[n] += part * keeps * self.issue_worth(p, issue, n) + placed * cubes

    def chance_to_hold(self, base: float, margin: int) -> float:
        """The chance that a lead holds."""
        return 1 - (1 - base) * math.exp((1 - margin) / self.weights.margin)

    def _subtract_unrest(self, p: Position, late: float, found: Points) -> None:
        """Subtract the expected loss by uprisings: the nation with most issues in a region may lose
        the best.
        """
        w, issues, thresholds = self.weights, p.pack.issues, p.pack.board.uprising
        highest = max(p.unrest)
        danger = [self._uprising_chance(p, r, thresholds, highest) for r in range(REGION_COUNT)]
        if not any(danger):
            return
        count = [[0] * 5 for _ in range(REGION_COUNT)]
        best = [[0] * 5 for _ in range(REGION_COUNT)]
        for issue, held in p.held.items():
            card = issues[issue]
            if card.region < REGION_COUNT and danger[card.region]:
                count[card.region][held.owner] += 1
                row = best[card.region]
                row[held.owner] = max(row[held.owner], card.stars)
        for region, chance in enumerate(danger):
            most = max(count[region])
            if chance and most:
                hit = [n for n in range(5) if count[region][n] == most]
                for n in hit:
                    if n in found:
                        loss = best[region][n] / len(hit)
                        found[n] -= w.risk * chance * loss * (0.5 + 0.5 * late)

    def _uprising_chance(
        self, p: Position, region: int, thresholds: tuple[int, ...], highest: int
    ) -> float:
        column = p.unrest[region]
        wanted = thresholds[column]
        if not wanted:
            return 0.0
        chance = (7 - wanted) / 6
        return chance if column == highest else chance * self.weights.elsewhere

    # Who wins

    def shares(self, p: Position) -> Shares:
        """The chance of each seat to win, by its expected points."""
        if is_solo(p):
            return {p.seats[0]: self.solo_chance(p, self.solo_points(p))}
        if NOBODY in p.order or len(p.order) < len(p.seats):  # nations are still being chosen
            return dict.fromkeys(p.seats, 1 / len(p.seats))
        found = self.expected_points(p)
        return self.winning_chances(p, found)

    def winning_chances(self, p: Position, found: Points) -> Shares:
        heat = self.weights.heat + self.weights.haze * remaining_game(p)
        top = max(found.values())
        odds = {s: math.exp((found[n] - top) / heat) for s, n in zip(p.seats, p.order, strict=True)}
        total = math.fsum(odds.values())
        return {seat: n / total for seat, n in odds.items()}

    # Solitaire

    def solo_points(self, p: Position) -> float:
        """Victory points that the human may expect (V-SOLO-08)."""
        if not p.order or p.human == NOBODY:
            return 0.0
        others = [faction_strength(p, f) for f in p.order if f != p.human]
        lead = float(faction_strength(p, p.human) - max(others))
        lead += sum(self._solo_hope(p, issue) for issue in p.cubes)
        alone = all(owned_issues(p, f) for f in p.order)
        to_come = 12 * remaining_game(p)
        scoring = 1 / (1 + math.exp(-lead / 3))
        return p.points + to_come * scoring * (1.0 if alone else 0.6) * (
            1 - UPSET_LOSS * self._upset_chance(p)
        )

    def solo_chance(self, p: Position, points: float) -> float:
        """The chance to win with these expected points (V-SOLO-44)."""
        return 1 / (1 + math.exp((current_target(p) - points) / NEAR_TARGET))

    def _upset_chance(self, p: Position) -> float:
        """The chance of an uprising over an issue: the human then gets the weakest faction
        (V-SOLO-33)."""
        issues, thresholds, highest = p.pack.issues, p.pack.board.uprising, max(p.unrest)
        settled = {issues[issue].region for issue in p.held}
        danger = [
            self._uprising_chance(p, r, thresholds, highest) if r in settled else 0.0
            for r in range(REGION_COUNT)
        ]
        return 1 - math.prod(1 - chance for chance in danger)

    def _solo_hope(self, p: Position, issue: str) -> float:
        first = issue_leader(p, issue)
        if first == NOBODY:
            return 0.0
        base = self.weights.table if issue in p.table else self.weights.waiting
        worth = potential_value(p, issue, first) if issue != GAME_END else 0
        return base * worth * (1 if first == p.human else -0.5)


def points_by_kind(card: StrategyCard) -> dict[str, float]:
    return {c.counts: float(c.points) for c in card.conditions if c.counts not in _NOT_COUNTERS}


def _doubles_happiness(card: StrategyCard) -> bool:
    return any(condition.counts == "double_happiness" for condition in card.conditions)


def _signing_nations(p: Position) -> int:
    at = p.pack.board.signs_at
    return (p.happiness[JAPAN] >= at) + (p.happiness[ITALY] >= at)


def _unit_count(p: Position, nation: int, regions: list[int]) -> float:
    return p.ready[nation] + p.spent[nation] + p.posts.count(nation)


_COUNT_BY_CONDITION = {
    "regions_held": lambda p, n, regions: len({r for r in regions if r < REGION_COUNT}),
    "league_held": lambda p, n, regions: regions.count(LEAGUE),
    "reparations_held": lambda p, n, regions: regions.count(REPARATIONS),
    "unrest_low": lambda p, n, regions: sum(column <= 3 for column in p.unrest),
    "unrest_high": lambda p, n, regions: sum(column >= 4 for column in p.unrest),
    "signs": lambda p, n, regions: _signing_nations(p),
    "refuses": lambda p, n, regions: 2 - _signing_nations(p),
    "units": _unit_count,
}
_NOT_COUNTERS = {*_COUNT_BY_CONDITION, "double_happiness"}
