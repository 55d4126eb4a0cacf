"""The invariants: rules that every state keeps (V-MIL-01, V-REG-01, V-DISCARD-05 and others)."""

from collections import Counter
from collections.abc import Iterator
from typing import Any

from powderkeg.games.versailles.board import COLUMNS, GAME_END, LAST_KEG, NAVAL, NOBODY, USA
from powderkeg.games.versailles.rules.auction import biddable_units
from powderkeg.games.versailles.rules.military import demobilise_values
from powderkeg.games.versailles.rules.tracks import units_limit, unrest_cap
from powderkeg.games.versailles.state import State, is_solo, is_two, unit_count
from powderkeg.games.versailles.steps import (
    Bidding,
    ChooseKept,
    ChooseMutineer,
    DrawIssues,
    Mutinies,
    Turn,
)


def broken(state: State) -> list[str]:
    """The invariants that `state` violates."""
    p = state
    return [
        *_wrong_cubes(p),
        *_wrong_units(p),
        *_wrong_tracks(p),
        *_wrong_issues(p),
        *_wrong_events(p),
        *_wrong_strategies(p),
        *_wrong_layout(p),
        *_wrong_bids(p),
    ]


def impossible_changes(before: State, after: State) -> list[str]:
    """Changes between two states that can never happen."""
    wrong = [
        f"nation {n} became happy again"
        for n, happiness in enumerate(before.happiness)
        if happiness == 0 != after.happiness[n]  # V-OPT-07
    ]
    gone = zip(_demobilised_units(before), _demobilised_units(after), strict=True)
    wrong += [f"nation {n} called units up again" for n, (a, b) in enumerate(gone) if b < a]
    if before.risen and not after.risen:
        wrong.append("the first uprising was forgotten")
    if any(card and card != after.strategy[n] for n, card in enumerate(before.strategy)):
        wrong.append("a strategy was given up")
    if after.points < before.points or after.turn < before.turn:
        wrong.append("points or turns were taken back")
    if after.turn > before.turn > 0 and before.over == after.over == "":
        wrong += _turn_order(before, after)
    return wrong


def _demobilised_units(p: State) -> list[int]:
    return [p.spaces.count(nation) + p.retired[nation] for nation in range(5)]  # V-MIL-14


def _turn_order(before: State, after: State) -> Iterator[str]:
    """Every seat in its turn, though turns may pass by themselves (V-TURN-01)."""
    place = before.order.index(before.active) + after.turn - before.turn
    if before.order[place % len(before.order)] != after.active:
        yield "somebody moved out of turn"


def _wrong_cubes(p: State) -> Iterator[str]:
    for nation in range(5):
        total = p.available[nation] + p.exhausted[nation] + (p.event_cube == nation)
        total += sum(row[nation] for row in p.cubes.values() if nation < len(row))
        has = nation in _with_cubes(p)
        if total != (p.pack.board.cubes if has else 0):
            yield f"nation {nation} has {total} cubes"
        if min(p.available[nation], p.exhausted[nation]) < 0:
            yield f"nation {nation} owes cubes"
    for issue, row in p.cubes.items():
        if any(row) and row.count(max(row)) > 1:
            yield f"nobody leads {issue}: {row}"
        if issue not in p.table + p.waiting and not p.over:
            yield f"cubes on {issue}, which is not open"
    if p.event_cube != NOBODY and (is_solo(p) or not p.pack.events[p.event].cube):
        yield "a cube on an event that takes none"


def _with_cubes(p: State) -> tuple[int, ...]:
    chosen = {2: (0, 1, USA), 4: (0, 1, 2, 3)}
    return chosen.get(len(p.seats), (0, 1, 2))


def _wrong_units(p: State) -> Iterator[str]:
    players = [n for n in _with_cubes(p) if not (is_two(p) and n == USA)]
    mutinous = [step.nation for step in p.agenda if isinstance(step, ChooseMutineer | Mutinies)]
    for nation in range(5):
        total = unit_count(p, nation) + p.spaces.count(nation) + p.retired[nation]
        if total != (p.pack.board.units if nation in players else 0):
            yield f"nation {nation} has {total} units"
        happiness = p.happiness[nation]
        if nation not in players:
            continue
        happiness = min(happiness, p.pack.board.most_happiness)
        if unit_count(p, nation) > units_limit(p, happiness) and nation not in mutinous:
            yield f"nation {nation} fields too many units"
    if len(p.spaces) != len(demobilise_values(p)):
        yield "wrong number of demobilise spaces"
    filled = [owner != NOBODY for owner in p.spaces]
    if filled != sorted(filled, reverse=True):
        yield "a better demobilise space was left free"


def _wrong_tracks(p: State) -> Iterator[str]:
    for region in range(5):
        keg, column = p.kegs[region], p.unrest[region]
        if not 0 <= keg <= LAST_KEG or not keg < column <= COLUMNS[-1]:
            yield f"region {region}: powder keg {keg}, unrest {column}"
        if column > unrest_cap(p, region):
            yield f"region {region}: unrest {column} beyond a unit"
        row = [n for n in p.posts[region * 4 : region * 4 + 4] if n != NOBODY]
        if len(set(row)) != len(row):
            yield f"region {region}: two units of one nation"
    for nation, happiness in enumerate(p.happiness):
        if not NOBODY <= happiness <= p.pack.board.most_happiness:
            yield f"nation {nation} has happiness {happiness}"


def _wrong_issues(p: State) -> Iterator[str]:
    drawn = [
        c for step in p.agenda if isinstance(step, DrawIssues | ChooseKept) for c in step.drawn
    ]
    end = [GAME_END] if p.above != NOBODY else []
    limbo = [p.limbo] if p.limbo else []
    places = Counter([*p.deck, *end, *p.table, *p.waiting, *p.pile, *p.held, *limbo, *drawn])
    if wrong := _miscounted_cards(places, p.pack.issues):
        yield f"issues {wrong}"
    if GAME_END in p.pile:
        yield "the game end was discarded"
    for issue, held in p.held.items():
        options = p.pack.issues[issue].options
        printed = options[held.option].counters if held.option != NOBODY else ()
        kinds = [c.partition(".")[0] if NAVAL in printed else c for c in held.counters]
        wanted = [c.partition(".")[0] if NAVAL in printed else c for c in printed]
        if sorted(kinds) != sorted(wanted):
            yield f"{issue} has counters {held.counters}"


def _wrong_events(p: State) -> Iterator[str]:
    table = [p.event] if p.event else []
    places = Counter([*p.events, *table, *p.lobby, *p.past])
    if wrong := _miscounted_cards(places, p.pack.events):
        yield f"events {wrong}"


def _miscounted_cards(places: Counter[str], cards: dict[str, Any]) -> list[str]:
    """Cards that are missing, or in two places."""
    return sorted(card for card in {*places, *cards} if places[card] != 1 or card not in cards)


def _wrong_strategies(p: State) -> Iterator[str]:
    taken = [card for card in p.strategy if card]
    if len(set(taken)) != len(taken) or any(card not in p.dealt for card in taken):
        yield f"strategies {taken}"
    if taken and not p.risen:
        yield "a strategy before the first uprising"


def _wrong_layout(p: State) -> Iterator[str]:
    """At every decision of a turn the table is laid (V-SETTLE-19)."""
    if p.agenda and isinstance(p.agenda[-1], Turn) and not p.over:
        waiting = 2 if is_solo(p) else 3
        laid = (len(p.table), len(p.waiting), bool(p.event), len(p.lobby))
        if laid != (2, waiting, True, 2):
            yield f"table, waiting room, event, lobby: {laid}"


def _wrong_bids(p: State) -> Iterator[str]:
    """The best bid can be paid, and its bidder is not asked again (V-UPR-25, 26)."""
    for step in p.agenda:
        if isinstance(step, Bidding) and step.leader != NOBODY:
            ready, local = biddable_units(p, step.leader, step.issue)
            best = step.best
            if best.units > ready or best.local > local or best.cubes > p.available[step.leader]:
                yield f"nation {step.leader} cannot pay its bid {best}"
            if step.waiting[0] == step.leader:
                yield f"nation {step.leader} is to beat its own bid"
