"""The final score (V-SCORE), ties (V-TIE), and the end of solitaire (V-SOLO-44)."""

from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

from powderkeg.core.cards import mark_value
from powderkeg.core.game import Result
from powderkeg.core.words import Msg
from powderkeg.games.versailles import words
from powderkeg.games.versailles.board import ITALY, JAPAN, LEAGUE, NATIONS, REGIONS, REPARATIONS
from powderkeg.games.versailles.cards.pack import Condition
from powderkeg.games.versailles.rules.solo import current_target
from powderkeg.games.versailles.state import (
    Position,
    State,
    counters_in_play,
    is_solo,
    owned_issues,
    star_total,
    unit_count,
)


class Score(NamedTuple):
    """The lines of the score sheet."""

    issues: int
    flags: int
    conditions: tuple[int, ...]  # of the strategy card
    happiness: int

    @property
    def strategy(self) -> int:
        return sum(self.conditions)

    @property
    def total(self) -> int:
        return self.issues + self.flags + self.strategy + self.happiness


def score_sheet(p: Position, nation: int) -> Score:
    card = p.pack.strategies.get(p.strategy[nation])
    conditions = card.conditions if card else ()
    return Score(
        star_total(p, nation),
        flag_points(p, nation),
        tuple(condition_points(p, nation, condition) for condition in conditions),
        happiness_line(p, nation),
    )


def flag_points(p: Position, nation: int) -> int:
    """Counters with a nation's own flag on its issues (V-SCORE-02)."""
    own = {f"naval.{NATIONS[nation]}", f"empire.{NATIONS[nation]}"}
    return sum(c in own for issue in owned_issues(p, nation) for c in p.held[issue].counters)


def condition_points(p: Position, nation: int, condition: Condition) -> int:
    """Points for each thing counted; double happiness is not counted here (V-SCORE-03)."""
    if condition.counts == "double_happiness":
        return 0
    return condition.points * count_condition(p, nation, condition.counts)


def count_condition(p: Position, nation: int, counts: str) -> int:
    """How often a condition is met."""
    match counts:
        case "regions_held":
            held = _held_regions(p, nation)
            return len({region for region in held if region < len(REGIONS)})
        case "league_held":
            return _held_regions(p, nation).count(LEAGUE)
        case "reparations_held":
            return _held_regions(p, nation).count(REPARATIONS)
        case "unrest_low":
            return sum(column <= 3 for column in p.unrest)  # V-SCORE-05
        case "unrest_high":
            return sum(column >= 4 for column in p.unrest)
        case "signs":
            return _signers(p)  # V-SCORE-07
        case "refuses":
            return 2 - _signers(p)
        case "units":
            return unit_count(p, nation)
        case _:  # counters of a kind, on all issues, whatever their flag (V-SCORE-04)
            return sum(c.partition(".")[0] == counts for c in counters_in_play(p))


def _held_regions(p: Position, nation: int) -> list[int]:
    return [p.pack.issues[issue].region for issue in owned_issues(p, nation)]


def _signers(p: Position) -> int:
    return sum(p.happiness[n] >= p.pack.board.signs_at for n in (JAPAN, ITALY))


def happiness_line(p: Position, nation: int) -> int:
    """Rank points, equals sharing the higher place, less five at zero; twice with a doubling
    strategy (V-SCORE-09..12)."""
    board = p.pack.board
    happier = sum(p.happiness[other] > p.happiness[nation] for other in p.order)
    points = board.rank_points[len(p.order)][happier]
    zero = board.zero_points if p.happiness[nation] == 0 else 0
    card = p.pack.strategies.get(p.strategy[nation])
    if card and any(c.counts == "double_happiness" for c in card.conditions):
        return 2 * points + zero * (2 if p.options.zero_doubled else 1)
    return points + zero


def ranking_key(p: Position, nation: int) -> tuple[int, int, int]:
    """The order of the ranking: points, then happiness, then issues (V-TIE-01, 02)."""
    return score_sheet(p, nation).total, p.happiness[nation], len(owned_issues(p, nation))


def game_result(p: State) -> Result | None:
    if not p.over:
        return None
    if is_solo(p):
        return _solo_result(p)
    places = {seat: ranking_key(p, nation) for seat, nation in zip(p.seats, p.order, strict=True)}
    ranking = tuple(
        tuple(seat for seat in p.seats if places[seat] == group)
        for group in sorted(set(places.values()), reverse=True)
    )
    winners = [words.NATION[p.order[p.seats.index(seat)]] for seat in ranking[0]]
    shared = "shared" if len(winners) > 1 else "won"
    points = words.count_text("points", places[ranking[0][0]][0])
    why = Msg(f"versailles.result.{shared}", nations=winners, points=points)
    rule = "V-TIE-03" if len(winners) > 1 else _deciding_rule(sorted(places.values(), reverse=True))
    scores = {seat: float(places[seat][0]) for seat in p.seats}
    best_first = sorted(p.order, key=lambda nation: ranking_key(p, nation), reverse=True)
    sheet = [line for nation in best_first for line in sheet_lines(p, nation)]
    return Result(ranking, scores, why, rule, sheet=tuple(sheet))


def sheet_lines(p: Position, nation: int) -> Iterator[Msg]:
    """The score sheet of a nation, line by line, with the total first."""
    score = score_sheet(p, nation)
    total = words.count_text("points", score.total)
    yield Msg("versailles.sheet.total", nation=words.NATION[nation], points=total)
    yield Msg("versailles.sheet.issues", n=score.issues)
    yield Msg("versailles.sheet.flags", n=score.flags)
    card = p.pack.strategies.get(p.strategy[nation])
    for condition, points in zip(card.conditions if card else (), score.conditions, strict=True):
        text = mark_value(words.condition_text(condition.counts), *condition.sure.values())
        strategy = words.strategy_name(p.strategy[nation])
        yield Msg("versailles.sheet.condition", strategy=strategy, text=text, points=points)
    yield Msg("versailles.sheet.happiness", n=score.happiness)


def _deciding_rule(places: list[tuple[int, int, int]]) -> str:
    """The rule that decided between first and second place."""
    for part, rule in enumerate(("V-SCORE-13", "V-TIE-01", "V-TIE-02")):
        if places[0][part] != places[1][part]:
            return rule
    return "V-TIE-03"


def _solo_result(p: State) -> Result:
    """Whether the target was reached, and the next one (V-SOLO-45)."""
    won = p.points >= current_target(p)
    series = p.options.solo_series + ("w" if won else "l")
    again = replace(p, options=replace(p.options, solo_series=series))
    why = Msg(
        f"versailles.result.solo_{'won' if won else 'lost'}",
        points=words.count_text("points", p.points),
        target=current_target(p),
        next=current_target(again),
    )
    scores = {p.seats[0]: float(p.points)}
    return Result(((p.seats[0],),), scores, why, "V-SOLO-44", {"solo_series": series})
