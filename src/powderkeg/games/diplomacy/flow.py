"""The flow of a game: which seats write orders when, and what follows when all are ready.

A turn is movement, retreats where units were dislodged, and after the fall the count of centres
and the adjustments. In each phase every seat drafts its orders one by one, in secret, may change
them, and says that it is ready; the phase resolves when all are ready. Phases in which nobody has
anything to decide are skipped.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Final

from powderkeg.core.chance import CHANCE, Draw, Drawn, Rng, Roll
from powderkeg.core.errors import Illegal
from powderkeg.core.game import Fact, Legal, Listed, Seat, Step, fact, private_fact, quiet_fact
from powderkeg.core.identity_cache import once_per_state
from powderkeg.games.diplomacy.actions import (
    Absent,
    Accept,
    Action,
    Ballot,
    Order,
    Propose,
    Ready,
    Refuse,
    Revise,
    Withdraw,
)
from powderkeg.games.diplomacy.board import POWERS, Power
from powderkeg.games.diplomacy.rules.adjustments import Centres
from powderkeg.games.diplomacy.rules.agreement import count_ballot, open_ballots
from powderkeg.games.diplomacy.rules.outcomes import Outcome
from powderkeg.games.diplomacy.rules.refusals import action_refusal
from powderkeg.games.diplomacy.rules.turn import Stage, resolve_phase
from powderkeg.games.diplomacy.rules.victory import fall_ending, result
from powderkeg.games.diplomacy.state import Count, Ending, Report, State, power_in_game
from powderkeg.games.diplomacy.steps import (
    deciding_seats,
    order_pieces,
    power_drafts,
    write_draft,
)
from powderkeg.games.diplomacy.words import (
    dislodged_fact,
    order_name,
    outcome_facts,
    phase_name,
    place_name,
    power_name,
    seat_name,
)

__all__ = ["apply", "default", "legal", "result", "to_act"]

CHANCE_ONLY: Final = frozenset({CHANCE})


@once_per_state
def to_act(state: State) -> frozenset[Seat]:
    """The seats that have not said that they are ready; chance when Italy is tossed for."""
    if state.stage == "toss":
        return CHANCE_ONLY
    return frozenset() if state.stage == "over" else deciding_seats(state) - state.ready


def legal(state: State, seat: Seat) -> Legal:
    """The actions open to `seat`: orders for its pieces, being ready, proposals."""
    if seat == CHANCE:
        return italy_draw(state)
    return Choices(state, seat) if seat in state.hands else Listed()


class Choices:
    """The actions open to a seat. The orders of each piece are a group, so that a random choice
    picks a piece first and then its order."""

    def __init__(self, state: State, seat: Seat) -> None:
        self.state, self.seat = state, seat

    @cached_property
    def order_groups(self) -> list[Sequence[Action]]:
        ordered: list[Sequence[Action]] = (
            [actions for _, actions in order_pieces(self.state, self.seat)]
            if self._is_asked
            else []
        )
        ready = [[Ready()]] if self._is_asked else []
        rest = [action for action in self.seat_actions if action != Ready()]
        return [*ordered, *ready, *([rest] if rest else [])]

    @property
    def seat_actions(self) -> list[Action]:
        """Actions that are not about a piece."""
        if self.state.stage in ("over", "toss"):
            return []
        words = (Ready(),) if self.state.in_sandbox else (Ready(), Revise(), Absent())
        spoken = [a for a in words if action_refusal(self.state, self.seat, a) is None]
        return [*spoken, *open_ballots(self.state, self.seat)]

    @property
    def _is_asked(self) -> bool:
        return self.seat in deciding_seats(self.state) - self.state.ready

    def __contains__(self, action: object) -> bool:
        return isinstance(action, Action) and action_refusal(self.state, self.seat, action) is None

    def __iter__(self) -> Iterator[Action]:
        return (action for group in self.order_groups for action in group)

    def count_all(self) -> int:
        return sum(map(len, self.order_groups))

    def sample(self, rng: Rng) -> Action:
        group = self.order_groups[rng.randrange(len(self.order_groups))]
        return group[rng.randrange(len(group))]

    def __repr__(self) -> str:
        return f"<{self.count_all()} legal for {self.seat} in {self.state.phase}>"


def default(state: State, seat: Seat) -> Action:
    """A seat that misses a movement without a single order is in civil disorder (D-CD-01);
    otherwise its drafts stand: other units hold, retreats become disbandments, builds are waived."""
    return Absent() if action_refusal(state, seat, Absent()) is None else Ready()


def apply(state: State, seat: Seat, action: Action | Drawn | Roll) -> Step:
    """Carry out an action of `seat`, or raise the reason why it is refused."""
    if seat == CHANCE:
        return _toss_for_italy(state, action)
    if isinstance(action, Drawn | Roll):
        raise Illegal("diplomacy.not_chance")
    if (why := action_refusal(state, seat, action)) is not None:
        raise why
    match action:
        case Ready() | Absent():
            return _mark_ready(state, seat, absent=isinstance(action, Absent))
        case Revise():
            open_again = replace(state, ready=state.ready - {seat}, absent=state.absent - {seat})
            name = seat_name(seat)
            return Step(open_again, (quiet_fact("diplomacy.revises", "D-ORD-15", seat=name),))
        case Propose() | Accept() | Refuse() | Withdraw():
            return _cast_ballot(state, seat, action)
    after = replace(state, drafts=write_draft(state, action))
    order = order_name(action)
    return Step(after, (private_fact({seat}, "diplomacy.drafts", "D-PHASE-07", order=order),))


def _seat_fact(code: str, seat: Seat, rule: str) -> Fact:
    return fact(code, rule, seat=seat_name(seat))


def _cast_ballot(state: State, seat: Seat, ballot: Ballot) -> Step:
    counted = count_ballot(state, seat, ballot)
    if counted.ending is None:
        return Step(replace(state, proposals=counted.proposals), (counted.fact,))
    facts = [counted.fact]
    return Step(_end_game(state, counted.ending, facts), tuple(facts), barrier=True)


# Being ready


def _mark_ready(state: State, seat: Seat, *, absent: bool) -> Step:
    """`seat` waits for the others; when it was the last, the phase resolves (D-PHASE-03)."""
    state = replace(
        state,
        ready=state.ready | {seat},
        absent=state.absent | {seat} if absent else state.absent,
    )
    facts = [quiet_fact("diplomacy.is_ready", "D-PHASE-03", seat=seat_name(seat))]
    if to_act(state):
        return Step(state, tuple(facts))
    return _resolve_until_choice(state, facts)


def _resolve_until_choice(state: State, facts: list[Fact]) -> Step:
    """Resolve phases until a seat has something to decide."""
    while not to_act(state) and state.stage != "over":
        state = _resolve_stage(state, facts)
    return Step(state, tuple(facts), barrier=True)


def _drafted_orders(state: State) -> dict[Power, list[Order]]:
    """The orders of every power. The absent have no drafts, so none is theirs (D-CD-02)."""
    return {
        power: [state.drafts[province] for province in power_drafts(state, power)]
        for powers in state.hands.values()
        for power in powers
    }


def _enter_stage(state: State, stage: Stage, facts: list[Fact]) -> State:
    """Begin a phase: drafts and votes of the last one are gone."""
    state = replace(
        state,
        stage=stage,
        drafts={},
        ready=frozenset(),
        absent=frozenset(),
        proposals=(),
    )
    if stage != "over" and (to_act(state) or stage == "movement"):
        facts.append(fact("diplomacy.begins", "D-PHASE-01", phase=phase_name(state.phase)))
    return state


# The end of a phase


def _resolve_stage(state: State, facts: list[Fact]) -> State:
    """Resolve the phase as written, and begin the one that follows."""
    facts += [_seat_fact("diplomacy.in_disorder", seat, "D-CD-01") for seat in sorted(state.absent)]
    helpless = state.static | {p for seat in state.absent for p in state.hands[seat]}
    done = resolve_phase(
        state.situation,
        _drafted_orders(state),
        state.options,
        static=state.static,
        helpless=helpless,
    )
    facts += outcome_facts(done.outcomes)
    facts += map(dislodged_fact, done.after.dislodged)
    units, dislodged = dict(done.after.position.units), done.after.dislodged
    after = replace(
        state, units=units, dislodged=dislodged, reports=_add_report(state, done.outcomes)
    )
    if done.counted:
        return _after_fall(_record_count(after, done.after.centres, facts), facts)
    if state.stage == "adjustment":
        facts += _elimination_facts(state, after)
    after = replace(after, year=done.after.year, season=done.after.season)
    return _enter_stage(after, done.after.stage, facts)


def _add_report(state: State, outcomes: tuple[Outcome, ...]) -> tuple[Report, ...]:
    """The reports since the latest movement; a winter in which nothing happened has none."""
    report = Report(state.phase, outcomes)
    if state.stage == "movement":
        return (report,)
    return (*state.reports, report) if outcomes else state.reports


def _after_fall(state: State, facts: list[Fact]) -> State:
    if ending := fall_ending(state):
        return _end_game(state, ending, facts)
    if state.between_alliances and "ITALY" in state.static:
        return _enter_stage(state, "toss", facts)
    return _enter_stage(state, "adjustment", facts)


# Centres, victory


def _record_count(state: State, centres: Centres, facts: list[Fact]) -> State:
    """`state` with `centres` as they were counted after the fall (D-SC-01, D-SC-02)."""
    for power, units in state.units.items():
        facts += [
            _capture_fact(power, unit.province, state.centres.get(unit.province))
            for unit in units
            if centres.get(unit.province) != state.centres.get(unit.province)
        ]
    held = {power: sum(owner == power for owner in centres.values()) for power in POWERS}
    count = Count(state.year, held)
    after = replace(state, centres=dict(centres), counts=(*state.counts, count))
    facts += _elimination_facts(state, after)
    return after


def _capture_fact(power: Power, centre: str, loser: Power | None) -> Fact:
    args = {"power": power_name(power), "at": place_name(centre)}
    if loser is None:
        return fact("diplomacy.takes", "D-SC-02", **args)
    return fact("diplomacy.takes_from", "D-SC-02", **args, loser=power_name(loser))


def _end_game(state: State, ending: Ending, facts: list[Fact]) -> State:
    names = tuple(seat_name(seat) for seat in ending.seats)
    rule = {"victory": "D-WIN-01", "time": "", "draw": "D-WIN-04", "concession": "D-WIN-04"}
    facts.append(fact(f"diplomacy.ends.{ending.how}", rule[ending.how], seats=names))
    return replace(_enter_stage(state, "over", facts), ending=ending, dislodged=())


# Italy between two


def _toss_for_italy(state: State, action: object) -> Step:
    """A coin decides who plays Italy from now on (D-ALT-09)."""
    if state.stage != "toss":
        raise Illegal("diplomacy.not_chance")
    if action not in italy_draw(state) or not isinstance(action, Drawn):
        raise Illegal("diplomacy.not_chance", rule="D-ALT-09")
    seat = action.items[0]
    hands = {**state.hands, seat: (*state.hands[seat], "ITALY")}
    facts = [_seat_fact("diplomacy.gets_italy", seat, "D-ALT-09")]
    state = _enter_stage(replace(state, hands=hands), "adjustment", facts)
    return _resolve_until_choice(state, facts)


def italy_draw(state: State) -> Draw:
    """The draw that chance owes: one of the two seats."""
    return Draw(tuple(state.hands) if state.stage == "toss" else (), 1)


def _elimination_facts(before: State, after: State) -> list[Fact]:
    """Powers that have neither units nor centres any more (D-ADJ-15)."""
    out = [p for p in POWERS if power_in_game(before, p) and not power_in_game(after, p)]
    return [fact("diplomacy.eliminated", "D-ADJ-15", power=power_name(p)) for p in out]
