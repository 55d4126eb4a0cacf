"""The rule table of a game: its options and its pack of cards in one row of numbers."""

from collections.abc import Iterator
from functools import lru_cache
from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from powderkeg.games.versailles.board import CATEGORIES, COLUMNS, NAVAL, POSTS
from powderkeg.games.versailles.cards.pack import CardPack, EventCard, IssueCard, StrategyCard
from powderkeg.games.versailles.cards.reader import pack_of
from powderkeg.games.versailles.events import operations
from powderkeg.games.versailles.events.operations import OPERATION_NAMES, Effect
from powderkeg.games.versailles.fast import layout as at
from powderkeg.games.versailles.fast.layout import CONDITIONS, ICONS, OP_NAMES, PLACE_WORDS
from powderkeg.games.versailles.state import Options

__all__ = ["EffectNodes", "RuleTable", "effect_nodes", "make_table"]

RuleTable: TypeAlias = NDArray[np.int16]
Effects: TypeAlias = tuple[Effect, ...]
NOTHING: Final = -1


class EffectNodes:
    """The effects of a pack, numbered: every list of effects is a row of nodes."""

    def __init__(self, pack: CardPack) -> None:
        self.numbers: dict[Effects, int] = {}  # of the rest of a list from each effect on
        self.lists: list[Effects] = []  # by node: the rest of its list
        for event in pack.events.values():
            self._add_list(event.crisis)
            self._add_list(event.conference)

    def _add_list(self, effects: Effects) -> None:
        if not effects or effects in self.numbers:
            return
        for place in range(len(effects)):
            self.numbers.setdefault(effects[place:], len(self.lists))
            self.lists.append(effects[place:])
        for effect in effects:
            for inner in inner_lists(effect):
                self._add_list(inner)

    def list_number(self, effects: Effects) -> int:
        return self.numbers[effects] if effects else NOTHING

    def effect_number(self, effect: Effect) -> int:
        """A node of an effect."""
        return next(n for n, effects in enumerate(self.lists) if effects[0] == effect)


def inner_lists(effect: Effect) -> tuple[Effects, ...]:
    """The two lists of effects inside an effect; empty where it has fewer."""
    match effect:
        case operations.Check(calm=calm, kept=kept):
            return calm, kept
        case operations.Either(branches):
            return branches[0], branches[1]
        case operations.ChoosePlayer(then) | operations.Each(then) | operations.Unless(then=then):
            return then, ()
    return (), ()


@lru_cache(64)
def effect_nodes(pack: CardPack) -> EffectNodes:
    return EffectNodes(pack)


@lru_cache(64)
def make_table(options: Options, players: int) -> RuleTable:
    """The rule table; packs with more than it has room for are refused."""
    pack = pack_of(options.pack)
    nodes = effect_nodes(pack)
    table = np.zeros(at.T_NODE + at.NODE_SIZE * len(nodes.lists), np.int16)
    _write_options(table, options)
    _write_board(table, pack, players)
    for number, issue in enumerate(at.ISSUE_IDS):
        _write_issue(table, at.T_ISSUE + at.ISSUE_SIZE * number, pack.issues[issue])
    for number, event in enumerate(at.EVENT_IDS):
        start = at.T_EVENT + at.EVENT_SIZE * number
        table[start : start + at.EVENT_SIZE] = _event_numbers(nodes, pack.events[event])
    for number, strategy in enumerate(at.STRATEGY_IDS):
        start = at.T_STRATEGY + at.STRATEGY_SIZE * number
        _write_strategy(table, start, pack.strategies[strategy])
    for number, effects in enumerate(nodes.lists):
        start = at.T_NODE + at.NODE_SIZE * number
        table[start : start + at.NODE_SIZE] = _node_numbers(nodes, effects)
    table.flags.writeable = False
    return table


def _write_options(table: RuleTable, options: Options) -> None:
    table[at.T_KEG_STAYS : at.T_LENGTH + 1] = [
        options.keg_stays,
        options.rebid_controller,
        options.deck_end == "always",
        options.empty_uprising_resets,
        options.strategies_at_once,
        options.zero_doubled,
        options.league_region == "europe",
        options.length == 5,
        options.length,
    ]


def _check_room(items: Any, most: int) -> None:
    if len(items) > most:
        raise ValueError(f"the compiled board has room for {most}, not for {len(items)}: {items}")


def space_values(pack: CardPack, players: int) -> tuple[int, ...]:
    """As `demobilise_values`."""
    board = pack.board
    return tuple(sorted(board.spaces + board.grey, reverse=True)) if players == 4 else board.spaces


def _write_board(table: RuleTable, pack: CardPack, players: int) -> None:
    board, spaces = pack.board, space_values(pack, players)
    dives = board.dive_costs[: at.ISSUE_COUNT]
    _check_room(spaces, at.MOST_SPACES)
    table[at.T_MOST_HAPPY : at.T_REGION_DIE] = [
        board.most_happiness,
        board.signs_at,
        board.mutiny_gain,
        board.reclaim,
        board.most_exchanged,
        board.zero_points,
        board.last_space,
        len(spaces),
        len(dives),
    ]
    table[at.T_REGION_DIE : at.T_UPRISING] = board.random_region
    table[at.T_UPRISING : at.T_BACK] = board.uprising[: len(COLUMNS) + 1]
    table[at.T_BACK : at.T_UNHAPPY] = [board.cubes_back[column] for column in POSTS]
    table[at.T_UNHAPPY : at.T_MODIFIES] = [board.unhappy[column] for column in POSTS]
    table[at.T_MODIFIES : at.T_RANK] = [column in board.modifies for column in POSTS]
    table[at.T_RANK : at.T_RANK + players] = board.rank_points[players]
    table[at.T_ALLOWED : at.T_ALLOWED + len(board.units_allowed)] = board.units_allowed
    table[at.T_SPACE : at.T_SPACE + len(spaces)] = spaces
    table[at.T_DIVE : at.T_DIVE + len(dives)] = dives


def _write_issue(table: RuleTable, start: int, issue: IssueCard) -> None:
    table[start : start + at.I_OPTION] = [
        issue.region,
        issue.stars,
        issue.no_military,
        len(issue.options),
    ]
    for number, option in enumerate(issue.options):
        own = start + at.I_OPTION + at.OPTION_SIZE * number
        _check_room(option.counters, at.MOST_COUNTERS)
        table[own + at.O_MOOD : own + at.O_UNREST] = [option.mood(n) for n in range(5)]
        for region, change in option.unrest:
            table[own + at.O_UNREST + region] = change
        table[own + at.O_NAVAL] = option.counters.count(NAVAL)
        table[own + at.O_COUNTERS] = len(option.counters)
        icons = [ICONS.index(counter) for counter in option.counters]
        table[own + at.O_COUNTER : own + at.O_COUNTER + len(icons)] = icons


def _event_numbers(nodes: EffectNodes, event: EventCard) -> list[int]:
    crisis, conference = nodes.list_number(event.crisis), nodes.list_number(event.conference)
    return [event.cube, event.optional, crisis, conference]


def _write_strategy(table: RuleTable, start: int, strategy: StrategyCard) -> None:
    _check_room(strategy.conditions, at.MOST_CONDITIONS)
    kinds = [CONDITIONS.index(condition.counts) for condition in strategy.conditions]
    table[start + at.S_DOUBLE] = at.C_DOUBLE in kinds
    table[start + at.S_CONDITIONS] = len(kinds)
    for number, (kind, condition) in enumerate(zip(kinds, strategy.conditions, strict=True)):
        own = start + at.S_CONDITION + 2 * number
        table[own : own + 2] = kind, condition.points


def _node_numbers(nodes: EffectNodes, effects: Effects) -> list[int]:
    effect = effects[0]
    values = [*_effect_values(effect), 0, 0, 0][:3]
    inner = [nodes.list_number(inner) for inner in inner_lists(effect)]
    return [OP_NAMES.index(OPERATION_NAMES[type(effect)]), len(effects) == 1, *values, *inner]


def _effect_values(effect: Effect) -> Iterator[int]:
    """Up to three numbers, in the order of `layout`."""
    match effect:
        case operations.Check(region, modifier, per):
            yield from (PLACE_WORDS.index(region), modifier, _counter_number(per))
        case operations.Unrest(region, n, per):
            yield from (PLACE_WORDS.index(region), n, _counter_number(per))
        case operations.Keg(region, n):
            yield from (PLACE_WORDS.index(region), n)
        case operations.Pay(n):
            yield n
        case operations.Exhaust(n, who):
            yield from (n, at.RECIPIENTS.index(who))
        case operations.Recover(n, who, per):
            yield from (n, at.RECIPIENTS.index(who), _counter_number(per))
        case operations.Happiness(n, who, per_unit):
            yield from (n, at.RECIPIENTS.index(who), per_unit)
        case operations.ChoosePlayer(_, regions):
            yield regions
        case operations.Each(_, first):
            yield first
        case operations.Withdraw(everyone):
            yield everyone
        case operations.Unsettle(categories):
            yield sum(1 << CATEGORIES.index(name) for name in set(categories))
        case operations.Unless(counter, region):
            yield from (ICONS.index(counter), CATEGORIES.index(region))


def _counter_number(counter: str) -> int:
    return ICONS.index(counter) if counter else NOTHING
