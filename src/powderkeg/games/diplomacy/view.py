"""The view: everything that a seat may know. `deal` makes a full state that fits a view."""

from collections import Counter
from dataclasses import replace
from functools import lru_cache
from typing import Any

from powderkeg.core import plain
from powderkeg.core.chance import Rng
from powderkeg.core.game import Marks, Seat, Standing, View
from powderkeg.core.identity_cache import once_per_state
from powderkeg.games.diplomacy.actions import Build, Disband, Move, Order, parse_order, parse_unit
from powderkeg.games.diplomacy.board import POWERS
from powderkeg.games.diplomacy.flow import to_act
from powderkeg.games.diplomacy.rules.adjustments import adjustment_balance, build_sites, builds_due
from powderkeg.games.diplomacy.rules.outcomes import Dislodged, Outcome, Verdict, Why
from powderkeg.games.diplomacy.state import (
    Count,
    Ending,
    Options,
    Proposal,
    Report,
    State,
    opening_homes,
    opening_year,
)
from powderkeg.games.diplomacy.steps import draft_power, order_pieces, own_drafts, phase_board


def view(state: State, seat: Seat | None) -> View:
    """Everything that `seat` may know. Hidden are the orders of others until a phase resolves (everybody
    sees which seats are ready, but not whether they wrote anything), and their answers to
    proposals."""
    return {
        "seat": seat,
        "phase": state.phase,
        "year": state.year,
        "season": state.season,
        "stage": state.stage,
        "options": _dump_options(state.options),
        "target": state.target,
        "talk": marks(state).talk,
        "seats": _seat_entries(state),
        **_board_entries(state),
        "drafts": _draft_entries(state, seat),
        "absent": seat in state.absent,
        "proposals": [_proposal_entry(each, seat) for each in state.proposals],
        "ending": None if state.ending is None else plain.dump(state.ending),
    }


@lru_cache(maxsize=256)
def _dump_options(options: Options) -> Any:
    """The options as a view shows them: the same object each time, which nobody changes."""
    return plain.dump(options)


def _board_entries(state: State) -> dict[str, Any]:
    """What every seat sees alike, built once for all of them while they write their orders. Its parts
    are the same objects each time: comparing two views takes no time."""
    board = phase_board(state)
    shown = board.shown
    if shown is None or shown[0] is not state.reports or shown[1] is not state.counts:
        shown = board.shown = state.reports, state.counts, _build_board_entries(state)
    return shown[2]


def _build_board_entries(state: State) -> dict[str, Any]:
    return {
        "units": {power: [str(unit) for unit in units] for power, units in state.units.items()},
        "centres": {power: list(state.centres_of(power)) for power in POWERS},
        "neutral": sorted(state.position.closed),
        "dislodged": [_dislodged_entry(each) for each in state.dislodged],
        "adjustments": _adjustment_entries(state),
        "reports": [_report_entry(report) for report in state.reports],
        "history": [_count_entry(each) for each in (opening_count(state), *state.counts)],
    }


def marks(state: State) -> Marks:
    """Phase and stage; players talk in the movement phases unless the options let them always."""
    talk = state.options.talk_always or state.stage in ("movement", "over")
    return Marks(state.phase, state.stage, talk, phase_board(state).out)


def standing(state: State) -> dict[Seat, Standing]:
    """The supply centres of each seat."""
    held = Counter(state.centres.values())
    return {
        seat: Standing(sum(held[power] for power in powers)) for seat, powers in state.hands.items()
    }


@once_per_state
def _seat_entries(state: State) -> dict[Seat, Any]:
    """The seats as every seat sees them: built once for all."""
    asked, out = to_act(state), phase_board(state).out
    return {
        seat: {
            "powers": list(powers),
            "in_game": seat not in out,
            "asked": seat in asked,
            "ready": seat in state.ready,
        }
        for seat, powers in state.hands.items()
    }


def _dislodged_entry(each: Dislodged) -> dict[str, Any]:
    return {
        "power": each.power,
        "unit": str(each.unit),
        "by": str(each.by),
        "retreats": list(each.retreats),
    }


def _adjustment_entries(state: State) -> dict[str, Any]:
    """For each power that must adjust: the difference, and where it may build."""
    if state.stage != "adjustment":
        return {}
    position, centres = state.position, state.centres
    return {
        power: {
            "due": due,
            "builds": builds_due(position, centres, power),
            "sites": list(build_sites(position, centres, power)) if due > 0 else [],
        }
        for power in POWERS
        if (due := adjustment_balance(position, centres, power)) and power not in state.static
    }


def _report_entry(report: Report) -> dict[str, Any]:
    return {"phase": report.phase, "outcomes": [_outcome_entry(each) for each in report.outcomes]}


def _outcome_entry(outcome: Outcome) -> dict[str, Any]:
    return {
        "power": outcome.power,
        "order": str(outcome.order),
        "verdict": str(outcome.verdict),
        "why": str(outcome.why),
        "number": outcome.number,
        "rule": outcome.rule,
        "by": [str(order) for order in outcome.by],
        "dislodged_by": str(outcome.dislodged_by) if outcome.dislodged_by else None,
        "strengths": list(outcome.strengths) if outcome.strengths else None,
    }


def _count_entry(count: Count) -> dict[str, Any]:
    return {"year": count.year, "centres": dict(count.centres)}


def opening_count(state: State) -> Count:
    """The centres before the first fall: the first point of a game's chart."""
    players = len(state.hands)
    owners = Counter(opening_homes(players, state.options).values())
    year = opening_year(players, state.options)
    return Count(year - 1, {power: owners[power] for power in POWERS})


def _draft_entries(state: State, seat: Seat | None) -> dict[str, str]:
    if seat not in state.hands:
        return {}
    return {province: str(order) for province, order in own_drafts(state, seat).items()}


def _proposal_entry(each: Proposal, seat: Seat | None) -> dict[str, Any]:
    mine = "yes" if seat in each.yes else "no" if seat in each.no else ""
    return {"what": each.what, "by": each.by, "mine": mine}


# A world that fits


def deal(view: View, rng: Rng) -> State:
    """A state that fits a view: other seats that are ready have written some legal orders, and
    have not answered proposals. Powers that the view leaves out have nothing."""
    units = {**dict.fromkeys(POWERS, ()), **view["units"]}
    state = State(
        plain.load(Options, view["options"]),
        {seat: tuple(each["powers"]) for seat, each in view["seats"].items()},
        view["year"],
        view["season"],
        view["stage"],
        {power: tuple(map(parse_unit, texts)) for power, texts in units.items()},
        {code: power for power in POWERS for code in view["centres"].get(power, ())},
        dislodged=tuple(_load_dislodged(each) for each in view["dislodged"]),
        drafts={at: parse_order(text) for at, text in view["drafts"].items()},
        ready=frozenset(seat for seat, each in view["seats"].items() if each["ready"]),
        absent=frozenset({view["seat"]} if view["absent"] else ()),
        reports=tuple(_load_report(each) for each in view["reports"]),
        counts=tuple(Count(**each) for each in view["history"][1:]),
        ending=None if view["ending"] is None else plain.load(Ending, view["ending"]),
    )
    drafts = dict(state.drafts)
    for seat in sorted(state.ready - {view["seat"]}):
        drafts |= _deal_orders(state, seat, rng)
    proposals = tuple(_deal_proposal(view["seat"], each) for each in view["proposals"])
    return replace(state, drafts=drafts, proposals=proposals)


def _deal_orders(state: State, seat: Seat, rng: Rng) -> dict[str, Order]:
    """Random orders that a seat which is ready may have written, one per piece."""
    drafts: dict[str, Order] = {}
    left = {
        power: abs(adjustment_balance(state.position, state.centres, power))
        for power in state.hands[seat]
    }
    for at, actions in order_pieces(state, seat):
        order = actions[rng.randrange(len(actions))]
        if state.stage == "adjustment":
            if not isinstance(order, Build | Disband):
                continue
            power = draft_power(state, at[:3])
            if power is None or left[power] == 0:
                continue
            left[power] -= 1
        drafts[at[:3]] = order  # type: ignore[assignment]  # pieces get orders
    return drafts


def _deal_proposal(seat: Seat | None, each: dict[str, Any]) -> Proposal:
    yes = {each["by"]} | ({seat} if seat is not None and each["mine"] == "yes" else set())
    no = {seat} if seat is not None and each["mine"] == "no" else set()
    return Proposal(each["what"], each["by"], frozenset(yes), frozenset(no))


def _load_dislodged(each: dict[str, Any]) -> Dislodged:
    by = parse_order(each["by"])
    assert isinstance(by, Move)  # noqa: S101  # a view of ours
    return Dislodged(each["power"], parse_unit(each["unit"]), by, tuple(each["retreats"]))


def _load_report(each: dict[str, Any]) -> Report:
    return Report(each["phase"], tuple(load_outcome(outcome) for outcome in each["outcomes"]))


def load_outcome(each: dict[str, Any]) -> Outcome:
    """An outcome from its entry in a view."""
    by = each["dislodged_by"] and parse_order(each["dislodged_by"])
    assert by is None or isinstance(by, Move)  # noqa: S101  # a view of ours
    return Outcome(
        each["power"],
        parse_order(each["order"]),
        Verdict(each["verdict"]),
        Why(each["why"]),
        tuple(map(parse_order, each["by"])),
        by,
        _load_strengths(each.get("strengths")),
    )


def _load_strengths(found: list[int] | None) -> tuple[int, int] | None:
    return (found[0], found[1]) if found else None
