"""The question put to a seat: a row for every piece, whose tree writes one order."""

from collections.abc import Iterator
from dataclasses import replace

from powderkeg.core.ask import One, Option, Orders, Question, Row
from powderkeg.core.game import Seat
from powderkeg.core.words import Msg
from powderkeg.games.diplomacy.actions import (
    Absent,
    Accept,
    Action,
    Build,
    Convoy,
    Disband,
    Hold,
    Move,
    Order,
    Propose,
    Ready,
    Refuse,
    Retreat,
    Revise,
    Support,
    Waive,
    Withdraw,
)
from powderkeg.games.diplomacy.board import Power, Unit
from powderkeg.games.diplomacy.flow import Choices, to_act
from powderkeg.games.diplomacy.rules.adjustments import (
    adjustment_balance,
    adjustment_due,
    builds_due,
)
from powderkeg.games.diplomacy.rules.advice import movement_notes, retreat_notes, winter_notes
from powderkeg.games.diplomacy.state import State
from powderkeg.games.diplomacy.steps import order_pieces, own_drafts, phase_board, power_drafts
from powderkeg.games.diplomacy.words import (
    order_name,
    phase_name,
    place_name,
    proposal_name,
    unit_name,
)


def ask(state: State, seat: Seat) -> Question | None:
    """The question for `seat` now, with its drafts so far; once it is ready, its orders to read and
    the way back to them."""
    if seat in state.ready and to_act(state):
        return _ready_question(state, seat)
    if seat not in to_act(state) or seat not in state.hands:
        return None
    drafts = own_drafts(state, seat)
    rows = tuple(
        _with_draft(_piece_row(state, at, actions), drafts.get(at[:3]))
        for at, actions in order_pieces(state, seat)
    )
    return Question(_phase_prompt(state, seat), Orders(rows, tuple(_seat_options(state, seat))))


def _piece_row(state: State, at: str, actions: tuple[Action, ...]) -> Row:
    """The row of a piece; in a movement it depends on the board alone, and is built once."""
    if state.stage != "movement":
        return _build_row(at, actions)
    rows = phase_board(state).rows
    if (row := rows.get(at)) is None:
        row = rows[at] = _build_row(at, actions)
    return row


def _build_row(at: str, actions: tuple[Action, ...]) -> Row:
    return Row(at, _piece_label(actions[0]), One(tuple(_order_options(actions))))


def _with_draft(row: Row, order: Order | None) -> Row:
    return row if order is None else replace(row, chosen=str(order))


def _notes(state: State, seat: Seat) -> tuple[Msg, ...]:
    powers, drafts = state.hands[seat], own_drafts(state, seat)
    if state.stage == "retreat":
        return retreat_notes([each for each in state.dislodged if each.power in powers], drafts)
    if state.stage == "adjustment":
        return tuple(note for power in powers for note in _winter_notes(state, power))
    units = tuple(unit for power in powers for unit in state.units[power])
    return movement_notes(units, drafts)


def _winter_notes(state: State, power: Power) -> tuple[Msg, ...]:
    due = adjustment_due(state.position, state.centres, power)
    return winter_notes(power, due, len(power_drafts(state, power)))


def _ready_question(state: State, seat: Seat) -> Question:
    """What a seat wrote, to be read, and the way back to it until the last seat is ready."""
    drafts = own_drafts(state, seat)
    rows = tuple(
        Row(at, _written_order(drafts.get(at[:3]), actions[0]), One(()))
        for at, actions in order_pieces(state, seat)
    )
    back = Option(str(Revise()), Msg("diplomacy.do.revise"))
    return Question(Msg("diplomacy.ask.ready"), Orders(rows, (back,)))


def _written_order(order: Order | None, some: Action) -> Msg:
    if order is None:
        return Msg("diplomacy.no_order", piece=_piece_label(some))
    return order_name(order)


def _phase_prompt(state: State, seat: Seat) -> Msg:
    """The task of this phase; in winter with the number, unless some powers build and others remove."""
    phase = phase_name(state.phase)
    if state.in_sandbox:
        return Msg("diplomacy.ask.sandbox", phase=phase)
    if state.stage == "adjustment":
        table, powers = (state.position, state.centres), state.hands[seat]
        builds = sum(builds_due(*table, power) for power in powers)
        removals = sum(max(-adjustment_balance(*table, power), 0) for power in powers)
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


def _order_options(actions: tuple[Action, ...]) -> Iterator[Option]:
    """One option for each kind of order; those that need a target ask for it."""
    moves = [a for a in actions if isinstance(a, Move)]
    supports = [a for a in actions if isinstance(a, Support)]
    convoys = [a for a in actions if isinstance(a, Convoy)]
    flights = [a for a in actions if isinstance(a, Retreat)]
    for action in actions:
        match action:
            case Hold(unit):
                yield Option(str(action), Msg("diplomacy.do.hold"), unit.at)
            case Build(unit):
                yield Option(str(action), Msg("diplomacy.do.build", unit=unit_name(unit)), unit.at)
    if moves:
        yield Option(f"{moves[0].unit} -", Msg("diplomacy.do.move"), then=_move_choices(moves))
    if supports:
        yield Option(
            f"{supports[0].unit} S", Msg("diplomacy.do.support"), then=_support_choices(supports)
        )
    if convoys:
        yield Option(
            f"{convoys[0].unit} C", Msg("diplomacy.do.convoy"), then=_convoy_choices(convoys)
        )
    if flights:
        places = tuple(Option(a.to, place_name(a.to), a.to) for a in flights)
        yield Option(
            f"{flights[0].unit} R",
            Msg("diplomacy.do.retreat"),
            then=One(places, Msg("diplomacy.ask.where")),
        )
    for action in actions:
        match action:
            case Disband(unit):
                yield Option(str(action), Msg("diplomacy.do.disband"), unit.at)
            case Waive(at):
                yield Option(str(action), Msg("diplomacy.do.waive"), at)


def _move_choices(moves: list[Move]) -> One:
    return One(
        tuple(
            Option(f"{a.to} VIA", Msg("diplomacy.do.via", to=place_name(a.to)), a.to)
            if a.via
            else Option(a.to, place_name(a.to), a.to)
            for a in moves
        ),
        Msg("diplomacy.ask.where"),
    )


def _support_choices(supports: list[Support]) -> One:
    """The units to support, in place or on their way."""
    options = [
        Option(
            str(a.target), Msg("diplomacy.do.support_hold", unit=unit_name(a.target)), a.target.at
        )
        for a in supports
        if a.to is None
    ]
    targets: dict[Unit, list[str]] = {}
    for a in supports:
        if a.to is not None:
            targets.setdefault(a.target, []).append(a.to)
    options += [
        _destination_option(
            target, Msg("diplomacy.do.support_move", unit=unit_name(target)), places
        )
        for target, places in targets.items()
    ]
    return One(tuple(options), Msg("diplomacy.ask.whom"))


def _convoy_choices(convoys: list[Convoy]) -> One:
    armies: dict[Unit, list[str]] = {}
    for a in convoys:
        armies.setdefault(a.army, []).append(a.to)
    options = tuple(
        _destination_option(army, unit_name(army), places) for army, places in armies.items()
    )
    return One(options, Msg("diplomacy.ask.whom"))


def _destination_option(unit: Unit, label: Msg, places: list[str]) -> Option:
    """A unit and where it goes: ``A mar -`` and then ``bur``."""
    ends = tuple(Option(to, place_name(to), to) for to in places)
    return Option(f"{unit} -", label, unit.at, One(ends, Msg("diplomacy.ask.where")))


def _ready_option(state: State, seat: Seat) -> Option:
    """Being ready; in a sandbox the phase resolves at once, and one can step back."""
    if state.in_sandbox:
        return Option(str(Ready()), Msg("diplomacy.do.adjudicate"))
    return Option(str(Ready()), Msg("diplomacy.do.ready"), confirm=True, notes=_notes(state, seat))


def _seat_options(state: State, seat: Seat) -> Iterator[Option]:
    """Options that concern no piece: being ready, being absent, ending the game by agreement."""
    for action in Choices(state, seat).seat_actions:
        match action:
            case Ready():
                yield _ready_option(state, seat)
            case Absent():
                yield Option(str(action), Msg("diplomacy.do.absent"), aside=True)
            case Propose(what) | Accept(what) | Refuse(what) | Withdraw(what):
                verb = str(action).partition(" ")[0]
                label = Msg(f"diplomacy.do.{verb}", what=proposal_name(what))
                yield Option(str(action), label, aside=True)
