"""The question put to a seat: a row for every piece, whose tree writes one order."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any

from powderkeg.core.ask import One, Option, Orders, Question, Row
from powderkeg.core.game import Seat
from powderkeg.core.identity_cache import cache_by_identity
from powderkeg.core.words import Msg
from powderkeg.games.diplomacy.actions import (
    Absent,
    Action,
    Ballot,
    Build,
    Convoy,
    Disband,
    Hold,
    Order,
    Ready,
    Retreat,
    Revise,
    Support,
    Waive,
)
from powderkeg.games.diplomacy.board import Power, Unit
from powderkeg.games.diplomacy.flow import to_act
from powderkeg.games.diplomacy.rules.advice import movement_notes, retreat_notes, winter_notes
from powderkeg.games.diplomacy.rules.agreement import open_ballots
from powderkeg.games.diplomacy.rules.listing import OrderGroups
from powderkeg.games.diplomacy.rules.refusals import action_refusal
from powderkeg.games.diplomacy.state import State
from powderkeg.games.diplomacy.steps import order_pieces, own_drafts, phase_board, power_drafts
from powderkeg.games.diplomacy.words import (
    order_name,
    phase_name,
    place_name,
    proposal_name,
    unit_name,
)

MOST_CHOICES = 4096  # of one kind that are kept


def ask(state: State, seat: Seat) -> Question | None:
    """The question for `seat` now, with its drafts so far; once it is ready, its orders to read and
    the way back to them."""
    if seat in state.ready and to_act(state):
        return _ready_question(state, seat)
    if seat not in to_act(state) or seat not in state.hands:
        return None
    drafts = own_drafts(state, seat)
    return _draft_question(state, seat, drafts) if drafts else _new_question(state, seat)


def _new_question(state: State, seat: Seat) -> Question:
    """The question before any answer: others who write orders do not change it, so it is built once."""
    known = phase_board(state).questions
    if state.proposals:
        return _draft_question(state, seat, {})
    found = known.get(seat)
    if found is None or found[0] is not state.options or found[1] != state.phase:
        asked = _draft_question(state, seat, {})
        found = known[seat] = state.options, state.phase, asked
    return found[2]


def _draft_question(state: State, seat: Seat, drafts: dict[str, Order]) -> Question:
    rows = tuple(_with_draft(row, drafts.get(row.target[:3])) for row in _rows(state, seat))
    orders = Orders(rows, tuple(_seat_options(state, seat)), due=_orders_due(state, seat))
    return Question(_phase_prompt(state, seat), orders)


def _orders_due(state: State, seat: Seat) -> int | None:
    """How many orders are wanted in winter, where there is a choice of centres or units."""
    if state.stage != "adjustment":
        return None
    dues = phase_board(state).dues
    return sum(abs(dues[power]) for power in state.hands[seat])


def _rows(state: State, seat: Seat) -> Iterator[Row]:
    """A row for every piece; in a movement they depend on the board alone, and are built once."""
    if state.stage != "movement":
        for at, actions in order_pieces(state, seat):
            yield Row(at, _piece_label(actions[0]), One(tuple(_piece_options(actions))))
        return
    board = phase_board(state)
    for unit in _seat_units(state, seat):
        if (row := board.rows.get(unit.at)) is None:
            options = tuple(_movement_options(unit, board.unit_groups(unit)))
            row = board.rows[unit.at] = Row(unit.at, unit_name(unit), One(options))
        yield row


def _seat_units(state: State, seat: Seat) -> Iterator[Unit]:
    return (unit for power in state.hands[seat] for unit in state.units[power])


def _piece_labels(state: State, seat: Seat) -> Iterator[tuple[str, Msg]]:
    """The pieces that a seat orders, by location."""
    if state.stage == "movement":
        return ((unit.at, unit_name(unit)) for unit in _seat_units(state, seat))
    return ((at, _piece_label(actions[0])) for at, actions in order_pieces(state, seat))


def _with_draft(row: Row, order: Order | None) -> Row:
    return row if order is None else replace(row, chosen=str(order))


def _notes(state: State, seat: Seat) -> tuple[Msg, ...]:
    powers, drafts = state.hands[seat], own_drafts(state, seat)
    if state.stage == "retreat":
        return retreat_notes([each for each in state.dislodged if each.power in powers], drafts)
    if state.stage == "adjustment":
        return tuple(note for power in powers for note in _winter_notes(state, power))
    return movement_notes(tuple(_seat_units(state, seat)), drafts)


def _winter_notes(state: State, power: Power) -> tuple[Msg, ...]:
    return winter_notes(power, phase_board(state).dues[power], len(power_drafts(state, power)))


def _ready_question(state: State, seat: Seat) -> Question:
    """What a seat wrote, to be read, and the way back to it until the last seat is ready."""
    drafts = own_drafts(state, seat)
    rows = tuple(
        Row(at, _written_order(drafts.get(at[:3]), label), One(()))
        for at, label in _piece_labels(state, seat)
    )
    back = Option(str(Revise()), Msg("diplomacy.do.revise"))
    return Question(Msg("diplomacy.ask.ready"), Orders(rows, (back,)))


def _written_order(order: Order | None, piece: Msg) -> Msg:
    return Msg("diplomacy.no_order", piece=piece) if order is None else order_name(order)


def _phase_prompt(state: State, seat: Seat) -> Msg:
    """The task of this phase; in winter with the number, unless some powers build and others remove."""
    phase = phase_name(state.phase)
    if state.in_sandbox:
        return Msg("diplomacy.ask.sandbox", phase=phase)
    if state.stage == "adjustment":
        dues = [phase_board(state).dues[power] for power in state.hands[seat]]
        builds = sum(due for due in dues if due > 0)
        removals = -sum(due for due in dues if due < 0)
        if bool(builds) != bool(removals):
            code = "diplomacy.ask.build" if builds else "diplomacy.ask.remove"
            return Msg(code, phase=phase, n=builds or removals)
    return Msg(f"diplomacy.ask.{state.stage}", phase=phase)


def _piece_label(action: Action) -> Msg:
    """The unit or the home centre of a row."""
    match action:
        case Waive(at):
            return place_name(at)
        case Hold(unit) | Retreat(unit) | Disband(unit):
            return unit_name(unit)
    raise TypeError(action)


def _piece_options(actions: tuple[Action, ...]) -> Iterator[Option]:
    """The options of a piece in a retreat or an adjustment; a retreat asks where to."""
    if flights := [each for each in actions if isinstance(each, Retreat)]:
        yield _retreat_option(flights[0].unit, tuple(each.to for each in flights))
    yield from (_keep_option(each) for each in actions if isinstance(each, Hold))
    kinds = (Build, Disband, Waive)
    yield from (_plain_option(each) for kind in kinds for each in actions if isinstance(each, kind))


def _movement_options(unit: Unit, orders: OrderGroups) -> Iterator[Option]:
    """One option for each kind of order; those that need a target ask for it."""
    hold, *moves = (*orders.own, *orders.convoyed)
    yield _plain_option(hold)
    if moves:
        yield _move_option(unit, tuple((each.to, each.via) for each in moves))  # type: ignore[union-attr]  # all are moves
    if supports := _target_choices(_support_options, orders.supports):
        yield Option(f"{unit} S", Msg("diplomacy.do.support"), then=supports)
    if convoys := _target_choices(_convoy_options, orders.convoys):
        yield Option(f"{unit} C", Msg("diplomacy.do.convoy"), then=convoys)


# Choices that are the same in most positions are made once, so that their words are, too.


@lru_cache(maxsize=MOST_CHOICES)
def _plain_option(action: Hold | Build | Disband | Waive) -> Option:
    """An order that needs no target."""
    match action:
        case Hold(unit):
            return Option(str(action), Msg("diplomacy.do.hold"), unit.at)
        case Build(unit):
            kind = unit.kind + unit.at[3:].replace("/", ".")  # the row says where
            return Option(str(action), Msg(f"diplomacy.do.build.{kind}"), unit.at)
        case Disband(unit):
            return Option(str(action), Msg("diplomacy.do.disband"), unit.at)
        case Waive(at):
            return Option(str(action), Msg("diplomacy.do.waive"), at)


@lru_cache(maxsize=MOST_CHOICES)
def _keep_option(kept: Hold) -> Option:
    """A unit that stays where others must be removed."""
    return Option(str(kept), Msg("diplomacy.do.keep"), kept.unit.at)


@lru_cache(maxsize=MOST_CHOICES)
def _place_option(at: str, *, via: bool = False) -> Option:
    """A place to go to, by convoy or not."""
    if via:
        return Option(f"{at} VIA", Msg("diplomacy.do.via", to=place_name(at)), at)
    return Option(at, place_name(at), at)


@lru_cache(maxsize=MOST_CHOICES)
def _move_option(unit: Unit, ends: tuple[tuple[str, bool], ...]) -> Option:
    places = tuple(_place_option(at, via=via) for at, via in ends)
    return Option(
        f"{unit} -", Msg("diplomacy.do.move"), then=One(places, Msg("diplomacy.ask.where"))
    )


@lru_cache(maxsize=MOST_CHOICES)
def _retreat_option(unit: Unit, ends: tuple[str, ...]) -> Option:
    places = tuple(map(_place_option, ends))
    return Option(
        f"{unit} R", Msg("diplomacy.do.retreat"), then=One(places, Msg("diplomacy.ask.where"))
    )


@cache_by_identity(MOST_CHOICES)
def _support_options(supports: Sequence[Support]) -> tuple[Option | None, Option | None]:
    """To support a unit in its place, and on its way."""
    target, ends = supports[0].target, tuple(each.to for each in supports if each.to)
    stays = Msg("diplomacy.do.support_hold", unit=unit_name(target))
    moves = Msg("diplomacy.do.support_move", unit=unit_name(target))
    return (
        None if supports[0].to else Option(str(target), stays, target.at),
        _destination_option(target, moves, ends) if ends else None,
    )


@cache_by_identity(MOST_CHOICES)
def _convoy_options(convoys: Sequence[Convoy]) -> tuple[Option]:
    """To carry an army."""
    army = convoys[0].army
    return (_destination_option(army, unit_name(army), tuple(each.to for each in convoys)),)


def _destination_option(unit: Unit, label: Msg, ends: tuple[str, ...]) -> Option:
    """A unit and where it goes: ``A mar -`` and then ``bur``."""
    places = tuple(map(_place_option, ends))
    return Option(f"{unit} -", label, unit.at, One(places, Msg("diplomacy.ask.where")))


def _target_choices(
    options_for: Callable[[Any], tuple[Option | None, ...]],
    groups: Iterable[Sequence[Order]],
) -> One | None:
    """The units to support, first those in place and then those on their way, or the armies to carry."""
    found = [options_for(group) for group in groups if group]
    options = tuple(option for kind in zip(*found, strict=True) for option in kind if option)
    return One(options, Msg("diplomacy.ask.whom")) if options else None


def _ready_option(state: State, seat: Seat) -> Option:
    """Being ready; in a sandbox the phase resolves at once, and one can step back."""
    if state.in_sandbox:
        return Option(str(Ready()), Msg("diplomacy.do.adjudicate"))
    return Option(str(Ready()), Msg("diplomacy.do.ready"), confirm=True, notes=_notes(state, seat))


def _seat_options(state: State, seat: Seat) -> Iterator[Option]:
    """Options that concern no piece: being ready, being absent, ending the game by agreement."""
    yield _ready_option(state, seat)  # only those who may be are asked
    if not state.in_sandbox and action_refusal(state, seat, Absent()) is None:
        yield _aside_option(Absent())
    if state.proposals:
        yield from map(_aside_option, open_ballots(state, seat))
    elif seat in phase_board(state).survivors:
        yield from _first_ballots(state, seat)


def _first_ballots(state: State, seat: Seat) -> tuple[Option, ...]:
    """What may be proposed while nothing is: the same for all who may propose."""
    board = phase_board(state)
    if board.ballots is None:
        board.ballots = tuple(map(_aside_option, open_ballots(state, seat)))
    return board.ballots


@lru_cache(maxsize=MOST_CHOICES)
def _aside_option(action: Absent | Ballot) -> Option:
    if isinstance(action, Absent):
        return Option(str(action), Msg("diplomacy.do.absent"), aside=True)
    verb = str(action).partition(" ")[0]
    label = Msg(f"diplomacy.do.{verb}", what=proposal_name(action.what))
    return Option(str(action), label, aside=True)
