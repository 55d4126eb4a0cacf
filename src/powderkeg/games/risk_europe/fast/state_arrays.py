"""From a `State` to a row of numbers and back, and chance outcomes in numbers."""

from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from powderkeg.core.chance import Drawn, Outcome, Roll
from powderkeg.games.risk_europe import steps
from powderkeg.games.risk_europe.actions import ORDER_NAMES
from powderkeg.games.risk_europe.board import (
    TERRITORY_NUMBER,
    UNITS,
    Units,
)
from powderkeg.games.risk_europe.cards.pack import crown_pack
from powderkeg.games.risk_europe.fast import layout as at
from powderkeg.games.risk_europe.fast.action_codes import CROWN_NAMES
from powderkeg.games.risk_europe.fast.layout import CARD_KINDS
from powderkeg.games.risk_europe.state import Army, Attack, Options, Returned, State
from powderkeg.games.risk_europe.steps import Pending

__all__ = ["outcome_numbers", "pack_state", "unpack_board"]

Board: TypeAlias = NDArray[np.int16]
Numbers: TypeAlias = list[int]


def _card_bits(cards: tuple[str, ...]) -> int:
    return sum(1 << CROWN_NAMES.index(card) for card in cards)


def _cards_of(bits: int) -> tuple[str, ...]:
    return tuple(card for n, card in enumerate(CROWN_NAMES) if bits >> n & 1)


def _padded_numbers(numbers: Any, size: int) -> Numbers:
    """The numbers, filled up with -1."""
    found = list(numbers)
    return found + [-1] * (size - len(found))


# To numbers


def pack_state(state: State) -> Board:
    """The board of a state."""
    board = np.full(at.BOARD_SIZE, -1, np.int16)
    board[at.OWNER : at.UNITS_AT] = state.owner
    board[at.UNITS_AT : at.ATTACKER] = [n for units in state.units for n in units]
    board[at.FORCE_AT : at.ACTIVE] = 0
    for attack in state.attacks:
        board[at.ATTACKER + attack.at] = attack.army
        board[at.FORCE_AT + 4 * attack.at : at.FORCE_AT + 4 * attack.at + 4] = attack.units
    board[[at.CASTLE + place for place in state.castles]] = 1
    board[at.ACTIVE : at.ARMIES] = state.active
    for number, army in enumerate(state.armies):
        start = at.ARMIES + number * at.ARMY_SIZE
        board[start : start + at.ARMY_SIZE] = _army_numbers(army)
    board[at.TABLE : at.OPTIONS] = _table_numbers(state)
    board[at.OPTIONS : at.PACK] = _option_numbers(state.options)
    board[at.PACK : at.AGENDA] = pack_numbers(state.options.cards)
    _write_agenda(board, state.agenda)
    return board


def _army_numbers(army: Army) -> Numbers:
    return [
        army.coins,
        *army.reserve,
        *(army.hand.count(kind) for kind in CARD_KINDS),
        *_padded_numbers(map(CARD_KINDS.index, army.stack), 2),
        *_padded_numbers(map(CARD_KINDS.index, army.shown), 2),
        *(army.discard.count(kind) for kind in CARD_KINDS),
        army.bid,
        army.bought,
        army.buys,
        _card_bits(army.missions),
        _card_bits(army.completed),
        army.wins,
        army.grace,
        army.out,
        army.controller,
    ]


def _table_numbers(state: State) -> Numbers:
    ranks = [-1] * at.ARMY_COUNT
    for place, group in enumerate(state.ranking):
        for player in group:
            ranks[player] = place
    return [
        state.people,
        state.marker,
        state.round,
        state.turn,
        state.crown_cards,
        _card_bits(state.unseen),
        at.OVER_NAMES.index(state.over),
        len(state.order),
        len(state.bottom),
        *_padded_numbers(state.ring, at.ARMY_COUNT),
        *_padded_numbers(state.order, at.ARMY_COUNT),
        *ranks,
        *_padded_numbers((CROWN_NAMES.index(card.card) for card in state.bottom), at.CROWN_COUNT),
        *_padded_numbers((card.by for card in state.bottom), at.CROWN_COUNT),
    ]


def _option_numbers(options: Options) -> Numbers:
    rulings = [names.index(getattr(options, name)) for name, names in at.RULINGS.items()]
    return [options.missions, options.rounds, *rulings]


def pack_numbers(cards: str) -> Numbers:
    """Missions and bonuses of the crown cards that a game plays with."""
    found: Numbers = []
    for card in crown_pack(cards).values():
        mission, bonus = card.mission, card.bonus
        found += [at.MISSION_KINDS.index(mission.type), mission.least, _unit_number(mission.unit)]
        found += [at.BONUS_KINDS.index(bonus.type), bonus.amount, _unit_number(bonus.unit)]
    return found


def _unit_number(name: str) -> int:
    return UNITS.index(name) if name else -1


def _write_agenda(board: Board, agenda: tuple[Pending, ...]) -> None:
    board[at.DEPTH] = len(agenda)
    board[at.STEPS : at.MOVE] = 0
    for place, step in enumerate(agenda):
        start = at.STEPS + at.STEP_SIZE * place
        record = [at.STEP_NAMES.index(type(step).__name__), *_step_numbers(board, step)]
        board[start : start + len(record)] = record


def _step_numbers(board: Board, step: Pending) -> Numbers:
    match step:
        case steps.Act(army, card, order, bonus, berlin):
            left = order * at.ORDER_LEFT + bonus * at.BONUS_LEFT + berlin * at.BERLIN_LEFT
            return [army, CARD_KINDS.index(card), left]
        case steps.Move():
            _write_move(board, step)
            return [step.army]
        case steps.Keep(army, cards):
            board[at.KEEP_CARDS : at.KEEP_CARDS + 2] = _padded_numbers(
                map(CROWN_NAMES.index, cards), 2
            )
            return [army]
        case steps.Tie(army, amount, among):
            board[at.TIE_AMOUNT], board[at.TIE_AMONG] = amount, sum(1 << i for i in among)
            return [army]
        case steps.Reveals(passed):
            return [sum(1 << i for i in passed)]
        case steps.Battle():
            _write_battle(board, step)
            return []
    return [int(number) for number in step]


def _write_move(board: Board, move: steps.Move) -> None:
    board[at.MOVE_ORDER] = ORDER_NAMES.index(move.order)
    board[at.MOVE_ORIGIN], board[at.MOVE_TARGET] = move.origin, move.target
    for group in move.groups:
        board[at.GROUP_TO] = group.to
        board[at.GROUP_UNITS : at.GROUP_UNITS + 4] = group.units


def _write_battle(board: Board, battle: steps.Battle) -> None:
    board[at.BATTLE : at.MY_DICE] = [
        battle.at,
        battle.rank,
        at.STAGES.index(battle.stage),
        battle.reroll,
        len(battle.attacker),
        len(battle.defender),
    ]
    board[at.MY_DICE : at.THEIR_DICE] = _padded_numbers(battle.attacker, at.MOST_DICE)
    board[at.THEIR_DICE : at.MY_LOSSES] = _padded_numbers(battle.defender, at.MOST_DICE)
    board[at.MY_LOSSES : at.THEIR_LOSSES] = _padded_numbers(battle.attacker_loses, 4)
    board[at.THEIR_LOSSES : at.BOARD_SIZE] = _padded_numbers(battle.defender_loses, 4)


def outcome_numbers(outcome: Outcome) -> NDArray[np.int16]:
    """Dice, or the numbers of what was drawn."""
    numbers = np.zeros(at.MOST_OUTCOME, np.int16)
    match outcome:
        case Roll(dice):
            numbers[: len(dice)] = dice
        case Drawn(items):
            numbers[: len(items)] = [_DRAWN_NUMBERS[item] for item in items]
    return numbers


_DRAWN_NUMBERS: Final = {
    **TERRITORY_NUMBER,
    **{card: n for n, card in enumerate(CARD_KINDS)},
    **{card: n for n, card in enumerate(CROWN_NAMES)},
}


# Back to a state


def unpack_board(board: Board, options: Options, colours: tuple[str, ...]) -> State:
    """The state of a board: attacks by territory, crown cards in the order of the pack."""
    cells = board.tolist()
    units = _unit_rows(cells, at.UNITS_AT)
    forces = _unit_rows(cells, at.FORCE_AT)
    places = range(at.PLACES)
    unseen = set(_cards_of(cells[at.UNSEEN]))
    return State(
        options,
        colours,
        cells[at.PEOPLE],
        tuple(_read_army(cells, at.ARMIES + n * at.ARMY_SIZE) for n in range(at.ARMY_COUNT)),
        tuple(_read_step(cells, n) for n in range(cells[at.DEPTH])),
        owner=tuple(cells[at.OWNER : at.UNITS_AT]),
        units=units,
        attacks=tuple(
            Attack(n, cells[at.ATTACKER + n], forces[n])
            for n in places
            if cells[at.ATTACKER + n] >= 0
        ),
        castles=tuple(n for n in places if cells[at.CASTLE + n]),
        active=tuple(cells[at.ACTIVE : at.ARMIES]),
        marker=cells[at.MARKER],
        ring=_without_fill(cells[at.RING : at.ORDER]),
        order=_without_fill(cells[at.ORDER : at.RANK]),
        round=cells[at.ROUND],
        turn=cells[at.TURN],
        crown_cards=cells[at.CROWNS_LEFT],
        unseen=tuple(card for card in crown_pack(options.cards) if card in unseen),
        bottom=tuple(
            Returned(CROWN_NAMES[cells[at.BOTTOM + n]], cells[at.BOTTOM_BY + n])
            for n in range(cells[at.BOTTOM_COUNT])
        ),
        over=at.OVER_NAMES[cells[at.OVER]],
        ranking=_read_ranking(cells[at.RANK : at.BOTTOM]),
    )


def _without_fill(numbers: Numbers) -> tuple[int, ...]:
    return tuple(number for number in numbers if number >= 0)


def _read_units(cells: Numbers, start: int) -> Units:
    f, a, c, s = cells[start : start + 4]
    return f, a, c, s


def _unit_rows(cells: Numbers, start: int) -> tuple[Units, ...]:
    return tuple(_read_units(cells, start + 4 * place) for place in range(at.PLACES))


def _read_ranking(ranks: Numbers) -> tuple[tuple[int, ...], ...]:
    groups = range(max(ranks) + 1)
    return tuple(tuple(i for i, rank in enumerate(ranks) if rank == group) for group in groups)


def _counted_cards(counts: Numbers) -> tuple[str, ...]:
    return tuple(kind for kind, n in zip(CARD_KINDS, counts, strict=True) for _ in range(n))


def _read_army(cells: Numbers, start: int) -> Army:
    own = cells[start : start + at.ARMY_SIZE]
    return Army(
        own[at.COINS],
        _read_units(own, at.RESERVE),
        _counted_cards(own[at.HAND : at.STACK]),
        tuple(CARD_KINDS[n] for n in _without_fill(own[at.STACK : at.SHOWN])),
        tuple(CARD_KINDS[n] for n in _without_fill(own[at.SHOWN : at.DISCARD])),
        _counted_cards(own[at.DISCARD : at.BID]),
        own[at.BID],
        own[at.BOUGHT],
        bool(own[at.BUYS]),
        _cards_of(own[at.MISSIONS]),
        _cards_of(own[at.COMPLETED]),
        own[at.WINS],
        bool(own[at.GRACE]),
        own[at.OUT],
        own[at.CONTROLLER],
    )


def _read_step(cells: Numbers, place: int) -> Pending:
    kind, x, y, z = cells[at.STEPS + 4 * place : at.STEPS + 4 * place + 4]
    match at.STEP_NAMES[kind]:
        case "Act":
            flags = (bool(z & bit) for bit in (at.ORDER_LEFT, at.BONUS_LEFT, at.BERLIN_LEFT))
            return steps.Act(x, CARD_KINDS[y], *flags)
        case "Move":
            return _read_move(cells, x)
        case "Keep":
            cards = _without_fill(cells[at.KEEP_CARDS : at.KEEP_CARDS + 2])
            return steps.Keep(x, tuple(CROWN_NAMES[card] for card in cards))
        case "Tie":
            return steps.Tie(x, cells[at.TIE_AMOUNT], _players_in(cells[at.TIE_AMONG]))
        case "Reveals":
            return steps.Reveals(_players_in(x))
        case "Battle":
            return _read_battle(cells)
        case "Settle":
            return steps.Settle(x, y, bool(z))
    made: Any = getattr(steps, at.STEP_NAMES[kind])
    step: Pending = made(*(x, y, z)[: len(made._fields)])
    return step


def _players_in(bits: int) -> tuple[int, ...]:
    return tuple(i for i in range(at.ARMY_COUNT) if bits >> i & 1)


def _read_move(cells: Numbers, army: int) -> steps.Move:
    groups: tuple[steps.Group, ...] = ()
    if cells[at.GROUP_TO] >= 0:
        groups = (steps.Group(cells[at.GROUP_TO], _read_units(cells, at.GROUP_UNITS)),)
    order = ORDER_NAMES[cells[at.MOVE_ORDER]]
    return steps.Move(army, order, cells[at.MOVE_ORIGIN], cells[at.MOVE_TARGET], groups)


def _read_battle(cells: Numbers) -> steps.Battle:
    mine, theirs = cells[at.B_MINE], cells[at.B_THEIRS]
    return steps.Battle(
        cells[at.B_AT],
        cells[at.B_RANK],
        at.STAGES[cells[at.B_STAGE]],
        bool(cells[at.B_REROLL]),
        tuple(cells[at.MY_DICE : at.MY_DICE + mine]),
        tuple(cells[at.THEIR_DICE : at.THEIR_DICE + theirs]),
        _read_losses(cells, at.MY_LOSSES),
        _read_losses(cells, at.THEIR_LOSSES),
    )


def _read_losses(cells: Numbers, start: int) -> tuple[int, ...]:
    return () if cells[start] < 0 else tuple(cells[start : start + 4])


def plain_order(state: State) -> State:
    """The state with attacks and crown cards in the order of `unpack_board`."""
    armies = tuple(
        army._replace(
            missions=_sorted_cards(army.missions), completed=_sorted_cards(army.completed)
        )
        for army in state.armies
    )
    agenda = tuple(
        step._replace(passed=tuple(sorted(step.passed)))
        if isinstance(step, steps.Reveals)
        else step
        for step in state.agenda
    )
    attacks = tuple(sorted(state.attacks))
    return state._replace(armies=armies, agenda=agenda, attacks=attacks)


def _sorted_cards(cards: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(card for card in CROWN_NAMES if card in cards)
