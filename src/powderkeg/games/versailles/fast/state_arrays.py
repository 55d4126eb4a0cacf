"""From a `State` to a row of numbers and back, and chance outcomes in numbers."""

from dataclasses import replace
from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from powderkeg.core.chance import Drawn, Outcome, Roll
from powderkeg.games.versailles import steps
from powderkeg.games.versailles.actions import Bid
from powderkeg.games.versailles.board import NAVAL, NOBODY
from powderkeg.games.versailles.cards.pack import CardPack
from powderkeg.games.versailles.cards.reader import pack_of
from powderkeg.games.versailles.fast import layout as at
from powderkeg.games.versailles.fast.layout import (
    EVENT_IDS,
    HALVES,
    ISSUE_IDS,
    PENDING_NAMES,
    STRATEGY_IDS,
    WORKS,
)
from powderkeg.games.versailles.fast.rule_tables import EffectNodes, effect_nodes
from powderkeg.games.versailles.state import Held, Options, State
from powderkeg.games.versailles.steps import Pending

__all__ = ["fallen_numbers", "pack_treaty", "unpack_treaty"]

TreatyCells: TypeAlias = NDArray[np.int16]
Values: TypeAlias = list[int]


def _number_of(ids: tuple[str, ...], name: str) -> int:
    return ids.index(name) if name else NOBODY


def _name_of(ids: tuple[str, ...], number: int) -> str:
    return ids[number] if number >= 0 else ""


def _listed_number(numbers: Any) -> int:
    """A few small numbers in one."""
    return sum((number + 1) << 3 * place for place, number in enumerate(numbers))


def _listed_numbers(listed: int) -> tuple[int, ...]:
    found = []
    while listed:
        found.append((listed & 7) - 1)
        listed >>= 3
    return tuple(found)


def _set_number(numbers: Any) -> int:
    return sum(1 << number for number in numbers)


def _set_members(bits: int) -> tuple[int, ...]:
    return tuple(number for number in range(bits.bit_length()) if bits >> number & 1)


# To numbers


def pack_treaty(state: State) -> TreatyCells:
    """The board of a state. Solitaire and deals are not part of it."""
    if len(state.seats) == 1:
        raise ValueError("the compiled board has no solitaire")
    if state.deals:
        raise ValueError("the compiled board has no deals")
    board = np.full(at.TREATY_SIZE, -1, np.int16)
    _write_cards(board, state)
    _write_open(board, state)
    _write_nations(board, state)
    _write_singles(board, state)
    board[at.HEIGHT] = len(state.agenda)
    board[at.AGENDA_AT :] = 0
    nodes = effect_nodes(state.pack)
    for place, step in enumerate(state.agenda):
        start = at.AGENDA_AT + at.RECORD * place
        values = [PENDING_NAMES.index(type(step).__name__), *_step_values(step, state.pack, nodes)]
        board[start : start + len(values)] = values
    return board


def _write_cards(board: TreatyCells, state: State) -> None:
    for issue in state.deck:
        board[at.ISSUE_AT + ISSUE_IDS.index(issue)] = at.IN_DECK
    for issue, held in state.held.items():
        board[at.ISSUE_AT + ISSUE_IDS.index(issue)] = _held_number(state.pack, issue, held)
    board[at.EVENT_AT : at.OPEN] = at.NO_DECK
    for mark, cards in ((at.EVENT_DECK, state.events), (at.EVENT_PAST, state.past)):
        for event in cards:
            board[at.EVENT_AT + EVENT_IDS.index(event)] = mark
    pile = [ISSUE_IDS.index(issue) for issue in reversed(state.pile)]
    board[at.PILE_COUNT] = len(pile)
    board[at.PILE : at.PILE + len(pile)] = pile


def _held_number(pack: CardPack, issue: str, held: Held) -> int:
    flags = 0
    if held.option >= 0:
        printed = pack.issues[issue].options[held.option].counters
        chosen = [c for c, icon in zip(held.counters, printed, strict=True) if icon == NAVAL]
        flags = sum((flag == "naval.usa") << place for place, flag in enumerate(chosen))
    return held.owner | held.option + 1 << at.OPTION_SHIFT | flags << at.FLAG_SHIFT


def _write_open(board: TreatyCells, state: State) -> None:
    board[at.OPEN : at.PILE_COUNT] = [NOBODY, 0, 0, 0, 0] * (at.OPEN_SLOTS + 1)
    slots = {0: state.table, at.TABLE_SLOTS: state.waiting}
    if state.over == "rush":
        slots[at.OPEN_SLOTS] = (ISSUE_IDS[at.END_ISSUE],)
    for first, issues in slots.items():
        for place, issue in enumerate(issues, first):
            start = at.OPEN + at.SLOT_SIZE * place
            cubes = state.cubes[issue]
            board[start : start + at.SLOT_SIZE] = [ISSUE_IDS.index(issue), *cubes]


def _write_nations(board: TreatyCells, state: State) -> None:
    rows = (
        (at.HAPPY, state.happiness),
        (at.FREE, state.available),
        (at.TIRED, state.exhausted),
        (at.READY, state.ready),
        (at.SPENT, state.spent),
        (at.RETIRED, state.retired),
        (at.STRATEGY, [_number_of(STRATEGY_IDS, card) for card in state.strategy]),
        (at.POST_AT, state.posts),
        (at.SPACE_AT, state.spaces),
        (at.KEG_AT, state.kegs),
        (at.UNREST_AT, state.unrest),
        (at.SEAT_NATION, state.order),
        (at.LOBBY, [EVENT_IDS.index(event) for event in state.lobby]),
        (at.DEALT, [STRATEGY_IDS.index(card) for card in state.dealt]),
    )
    for start, numbers in rows:
        board[start : start + len(numbers)] = numbers


def _write_singles(board: TreatyCells, state: State) -> None:
    board[at.SINGLES : at.SEAT_NATION] = [
        len(state.seats),
        state.first,
        state.turn,
        state.active,
        state.acting,
        state.political,
        state.military,
        state.acted,
        state.idle,
        state.above,
        _number_of(EVENT_IDS, state.event),
        state.event_cube,
        _number_of(ISSUE_IDS, state.limbo),
        state.risen,
        state.unsettled,
        _number_of(ISSUE_IDS, state.settled),
        state.controller,
        _set_number(state.gained),
        at.ENDINGS.index(state.over),
    ]


def _context_number(you: int, subject: int, half: str) -> int:
    return you | subject << 3 | HALVES.index(half) << 6


def _step_values(step: Pending, pack: CardPack, nodes: EffectNodes) -> Values:
    """The values of a step, in the order of `layout`."""
    match step:
        case steps.Do(effects, you, subject, half, regions):
            context = _context_number(you, subject, half)
            return [nodes.list_number(effects), context, _listed_number(regions)]
        case steps.ChooseRegions(effect, you, subject, half, regions) | steps.ChooseBranch(
            effect, you, subject, half, regions
        ):
            context = _context_number(you, subject, half)
            return [nodes.effect_number(effect), context, _listed_number(regions)]
        case steps.ChoosePlayer(effect, you, half):
            return [nodes.effect_number(effect), _context_number(you, 0, half)]
        case steps.ChooseSign(check, n, you, subject, half):
            return [nodes.effect_number(check), n, _context_number(you, subject, half)]
        case steps.RollRegion(effect):
            return [nodes.effect_number(effect)]
        case steps.ChooseUnit(nation, work):
            return [nation, WORKS.index(work)]
        case steps.ChooseFlag(issue, nation, option, flags):
            usa = sum((flag == "usa") << place for place, flag in enumerate(flags))
            return [ISSUE_IDS.index(issue), nation, option, len(flags), usa]
        case steps.ChooseKept(drawn) | steps.DrawIssues(drawn):
            return ([ISSUE_IDS.index(card) for card in drawn] + [NOBODY])[:2]
    return _uprising_values(step, pack, nodes)


def _uprising_values(step: Pending, pack: CardPack, nodes: EffectNodes) -> Values:
    match step:
        case steps.Checking(check, modifier, queue, you, subject, half, checked, risen):
            sets = [_set_number(queue), _context_number(you, subject, half)]
            sets += [_set_number(checked), _set_number(risen)]
            return [nodes.effect_number(check), modifier, *sets]
        case steps.AfterCheck(kept, checked, you, subject, half):
            context = _context_number(you, subject, half)
            return [nodes.list_number(kept), _set_number(checked), context]
        case steps.Announce(region, modifier, waiting):
            return [region, modifier, _listed_number(waiting)]
        case steps.ChooseAffected(region, tied, by):
            return [region, _set_number(tied), by]
        case steps.RollOff(region, tied):
            return [region, _set_number(tied)]
        case steps.Unsettle(issues, nation, region) | steps.ChooseUnsettled(issues, nation, region):
            categories = {pack.issues[issue].region for issue in issues}
            return [nation, region, 0 if region >= 0 else _set_number(categories)]
        case steps.Bidding(issue, region, waiting, leader, best):
            force = 2 * best.units + best.local
            listed = _listed_number(waiting)
            return [ISSUE_IDS.index(issue), region, listed, leader, force, best.cubes]
        case steps.ChooseStrategy(waiting):
            return [_listed_number(waiting)]
    return [_plain_value(getattr(step, name)) for name in step.__slots__]


def _plain_value(value: int | str) -> int:
    """A number, or the number of an issue or event."""
    if not isinstance(value, str):
        return int(value)
    return ISSUE_IDS.index(value) if value in ISSUE_IDS else EVENT_IDS.index(value)


def fallen_numbers(outcome: Outcome) -> NDArray[np.int16]:
    """Dice, or the numbers of what was drawn."""
    numbers = np.zeros(at.MOST_FALLEN, np.int16)
    match outcome:
        case Roll(dice):
            numbers[: len(dice)] = dice
        case Drawn(items):
            numbers[: len(items)] = [_DRAWN[item] for item in items]
    return numbers


_DRAWN: Final = {
    **{f"P{seat + 1}": seat for seat in range(4)},
    **{issue: n for n, issue in enumerate(ISSUE_IDS)},
    **{event: n for n, event in enumerate(EVENT_IDS)},
    **{strategy: n for n, strategy in enumerate(STRATEGY_IDS)},
}


# Back to a state


def unpack_treaty(board: TreatyCells, options: Options, seats: tuple[str, ...]) -> State:
    """The state of a board; events that are past are sorted."""
    cells: Values = board.tolist()
    pack = pack_of(options.pack)
    issues, events = range(at.ISSUE_COUNT), range(at.EVENT_COUNT)
    places = [cells[at.ISSUE_AT + issue] for issue in issues]
    table, waiting = _open_issues(cells, 0, at.TABLE_SLOTS), _open_issues(cells, 2, at.OPEN_SLOTS)
    ended = _open_issues(cells, at.OPEN_SLOTS, at.OPEN_SLOTS + 1)
    nodes = effect_nodes(pack)
    held = {ISSUE_IDS[n]: _read_held(pack, n, places[n]) for n in issues if places[n] >= 0}
    return State(
        options=options,
        seats=seats,
        agenda=tuple(_read_pending(cells, n, pack, nodes, held) for n in range(cells[at.HEIGHT])),
        cubes={**table, **waiting, **ended},
        held=held,
        order=tuple(cells[at.SEAT_NATION : at.SEAT_NATION + len(seats)]),
        table=tuple(table),
        waiting=tuple(waiting),
        pile=tuple(ISSUE_IDS[cells[at.PILE + n]] for n in reversed(range(cells[at.PILE_COUNT]))),
        deck=tuple(ISSUE_IDS[n] for n in issues if places[n] == at.IN_DECK),
        events=tuple(EVENT_IDS[n] for n in events if cells[at.EVENT_AT + n] == at.EVENT_DECK),
        past=tuple(EVENT_IDS[n] for n in events if cells[at.EVENT_AT + n] == at.EVENT_PAST),
        lobby=tuple(EVENT_IDS[n] for n in cells[at.LOBBY : at.DEALT] if n >= 0),
        dealt=tuple(STRATEGY_IDS[n] for n in cells[at.DEALT : at.HEIGHT] if n >= 0),
        strategy=tuple(_name_of(STRATEGY_IDS, n) for n in _row(cells, at.STRATEGY)),
        **_read_singles(cells),
        **_read_rows(cells, pack, len(seats)),
    )


def _row(cells: Values, start: int, size: int = at.NATION_COUNT) -> tuple[int, ...]:
    return tuple(cells[start : start + size])


def _open_issues(cells: Values, first: int, last: int) -> dict[str, tuple[int, ...]]:
    """The issues of some slots, with their cubes."""
    starts = [at.OPEN + at.SLOT_SIZE * place for place in range(first, last)]
    return {ISSUE_IDS[cells[n]]: _row(cells, n + 1, 4) for n in starts if cells[n] >= 0}


def _read_held(pack: CardPack, issue: int, number: int) -> Held:
    option = (number >> at.OPTION_SHIFT & 15) - 1
    if option < 0:
        return Held(number & 7)
    flags, counters = number >> at.FLAG_SHIFT, []
    for icon in pack.issues[ISSUE_IDS[issue]].options[option].counters:
        counters.append(("naval.usa" if flags & 1 else "naval.uk") if icon == NAVAL else icon)
        flags >>= icon == NAVAL
    return Held(number & 7, option, tuple(counters))


def _read_singles(cells: Values) -> dict[str, Any]:
    return {
        "first": cells[at.FIRST],
        "turn": cells[at.ROUND_TURN],
        "active": cells[at.ACTIVE_NATION],
        "acting": cells[at.ACTING],
        "political": bool(cells[at.POLITICAL]),
        "military": bool(cells[at.MILITARY]),
        "acted": bool(cells[at.ACTED]),
        "idle": cells[at.IDLE],
        "above": cells[at.ABOVE],
        "event": _name_of(EVENT_IDS, cells[at.EVENT]),
        "event_cube": cells[at.EVENT_CUBE],
        "limbo": _name_of(ISSUE_IDS, cells[at.LIMBO]),
        "risen": bool(cells[at.RISEN]),
        "unsettled": bool(cells[at.UNSETTLED]),
        "settled": _name_of(ISSUE_IDS, cells[at.SETTLED]),
        "controller": cells[at.WINNER],
        "gained": _set_members(cells[at.GAINED]),
        "over": at.ENDINGS[cells[at.ENDED_BY]],
    }


def _read_rows(cells: Values, pack: CardPack, players: int) -> dict[str, Any]:
    spaces = len(pack.board.spaces) + (len(pack.board.grey) if players == 4 else 0)
    return {
        "happiness": _row(cells, at.HAPPY),
        "available": _row(cells, at.FREE),
        "exhausted": _row(cells, at.TIRED),
        "ready": _row(cells, at.READY),
        "spent": _row(cells, at.SPENT),
        "retired": _row(cells, at.RETIRED),
        "posts": _row(cells, at.POST_AT, at.POST_COUNT * at.REGION_COUNT),
        "spaces": _row(cells, at.SPACE_AT, spaces),
        "kegs": _row(cells, at.KEG_AT),
        "unrest": _row(cells, at.UNREST_AT),
    }


def _read_context(context: int) -> tuple[int, int, Any]:
    return context & 7, context >> 3 & 7, HALVES[context >> 6]


def _read_pending(
    cells: Values, place: int, pack: CardPack, nodes: EffectNodes, held: dict[str, Held]
) -> Pending:
    start = at.AGENDA_AT + at.RECORD * place
    name, values = PENDING_NAMES[cells[start]], cells[start + 1 : start + at.RECORD]
    if name in _EVENT_STEPS:
        return _read_event_step(name, values, nodes)
    if name in ("Unsettle", "ChooseUnsettled"):
        return _read_unsettle(name, values, pack, held)
    return _read_other(name, values)


_EVENT_STEPS: Final = frozenset(
    ("Do", "ChooseRegions", "ChooseBranch", "ChoosePlayer", "ChooseSign", "RollRegion", "Checking")
) | {"AfterCheck"}


def _read_event_step(name: str, values: Values, nodes: EffectNodes) -> Pending:
    x, y, z, u, v, w = values
    effects = nodes.lists[x] if x >= 0 else ()
    first: Any = effects[0] if effects else None
    if name == "Do":
        return steps.Do(effects, *_read_context(y), _listed_numbers(z))
    if name in ("ChooseRegions", "ChooseBranch"):
        made: Any = getattr(steps, name)
        chosen: Pending = made(first, *_read_context(y), _listed_numbers(z))
        return chosen
    if name == "ChoosePlayer":
        you, _, half = _read_context(y)
        return steps.ChoosePlayer(first, you, half)
    if name == "ChooseSign":
        return steps.ChooseSign(first, y, *_read_context(z))
    if name == "RollRegion":
        return steps.RollRegion(first)
    if name == "AfterCheck":
        return steps.AfterCheck(effects, _set_members(y), *_read_context(z))
    queue, checked, risen = map(_set_members, (z, v, w))
    return steps.Checking(first, y, queue, *_read_context(u), checked, risen)


def _read_unsettle(name: str, values: Values, pack: CardPack, held: dict[str, Held]) -> Pending:
    """The issues are those that the event names, or those of the nation with most stars."""
    nation, region, categories = values[:3]
    issues = pack.issues
    if region < 0:
        found = [issue for issue in held if categories >> issues[issue].region & 1]
    else:
        own = [i for i in held if held[i].owner == nation and issues[i].region == region]
        most = max(issues[issue].stars for issue in own)
        found = [issue for issue in own if issues[issue].stars == most]
    made: Any = getattr(steps, name)
    step: Pending = made(tuple(sorted(found)), nation, region)
    return step


def _read_other(name: str, values: Values) -> Pending:
    x, y, z, u, v, w = values
    match name:
        case "ChooseUnit":
            works: Any = WORKS[y]
            return steps.ChooseUnit(x, works)
        case "ChooseFlag":
            flags = tuple("usa" if v >> place & 1 else "uk" for place in range(u))
            return steps.ChooseFlag(ISSUE_IDS[x], y, z, flags)
        case "ChooseKept":
            return steps.ChooseKept((ISSUE_IDS[x], ISSUE_IDS[y]))
        case "DrawIssues":
            return steps.DrawIssues((ISSUE_IDS[x],) if x >= 0 else ())
        case "Announce":
            return steps.Announce(x, y, _listed_numbers(z))
        case "ChooseAffected":
            return steps.ChooseAffected(x, _set_members(y), z)
        case "RollOff":
            return steps.RollOff(x, _set_members(y))
        case "Bidding":
            best = Bid(v >> 1, v & 1, w)
            return steps.Bidding(ISSUE_IDS[x], y, _listed_numbers(z), u, best)
        case "ChooseStrategy":
            return steps.ChooseStrategy(_listed_numbers(x))
        case "ChooseToAdvance":
            return steps.ChooseToAdvance(bool(x), bool(y))
    return _read_plain(name, values)


def _read_plain(name: str, values: Values) -> Pending:
    """A step of numbers, issues and events only."""
    made: Any = getattr(steps, name)
    read = []
    for field, value in zip(made.__slots__, values, strict=False):
        names = {"issue": ISSUE_IDS, "first": ISSUE_IDS, "event": EVENT_IDS}.get(field)
        read.append(names[value] if names else value)
    step: Pending = made(*read)
    return step


def plain_past(state: State) -> State:
    """The state with past events in the order of `unpack_treaty`, and without a trace of deals."""
    return replace(state, past=tuple(sorted(state.past)))
