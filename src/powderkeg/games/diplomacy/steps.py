"""What a seat may do now, and why not: one source for the list, the check and the refusals."""

from collections.abc import Iterator
from functools import cached_property

from powderkeg.core.chance import Rng
from powderkeg.core.errors import Illegal
from powderkeg.core.game import Seat
from powderkeg.games.diplomacy.actions import (
    DRAW,
    Absent,
    Accept,
    Action,
    Ballot,
    Build,
    Disband,
    Hold,
    Order,
    Propose,
    Ready,
    Refuse,
    Retreat,
    Revise,
    Waive,
    Withdraw,
)
from powderkeg.games.diplomacy.board import NUMBER, Power
from powderkeg.games.diplomacy.rules import adjustments, legality, retreats
from powderkeg.games.diplomacy.rules.adjustments import balance, build_sites, builds_at, builds_due
from powderkeg.games.diplomacy.rules.listing import Listing
from powderkeg.games.diplomacy.rules.outcomes import RULES, Why
from powderkeg.games.diplomacy.state import (
    State,
    deciders,
    draft_power,
    draftable,
    needed,
    survivors,
)
from powderkeg.games.diplomacy.words import order_name, power_name, what_name

# Refusals


def refusal(state: State, seat: Seat, action: Action) -> Illegal | None:
    """Why `seat` may not do this now, ready to be raised; None if it may."""
    if state.stage == "over":
        return Illegal("diplomacy.game_over")
    if state.stage == "toss":
        return Illegal("diplomacy.toss_first", rule="D-ALT-09")
    match action:
        case Propose() | Accept() | Refuse() | Withdraw():
            return _ballot_refusal(state, seat, action)
        case Revise():
            return None if seat in state.ready else Illegal("diplomacy.not_ready_yet")
    if seat not in deciders(state):
        return Illegal("diplomacy.nothing_to_decide", rule="D-PHASE-09")
    if seat in state.ready:
        return Illegal("diplomacy.revise_first", rule="D-ORD-15")
    match action:
        case Ready():
            return None
        case Absent():
            return _absence_refusal(state, seat)
    return _order_refusal(state, seat, action)


def _absence_refusal(state: State, seat: Seat) -> Illegal | None:
    """Only a movement can be missed, and only without a single order."""
    units = any(state.units[power] for power in state.hands[seat])
    if state.stage != "movement" or not units or own_drafts(state, seat):
        return Illegal("diplomacy.not_absent", rule="D-CD-01")
    return None


def _ballot_refusal(state: State, seat: Seat, action: Ballot) -> Illegal | None:
    what = action.what
    if what != DRAW and what not in state.hands:
        return Illegal("diplomacy.no_such_proposal", rule="D-WIN-04")
    if seat not in survivors(state):
        return Illegal("diplomacy.no_voice", rule="D-WIN-04")
    found = [each for each in state.proposals if each.what == what]
    if isinstance(action, Propose):
        if what != DRAW and what not in survivors(state):
            return Illegal("diplomacy.no_voice", rule="D-WIN-04")
        return Illegal("diplomacy.proposed_already", rule="D-WIN-04") if found else None
    if not found:
        return Illegal("diplomacy.not_proposed", rule="D-WIN-04", what=what_name(what))
    mine = found[0].by == seat
    if isinstance(action, Withdraw):
        return None if mine else Illegal("diplomacy.not_your_proposal", rule="D-WIN-04")
    answered = found[0].yes if isinstance(action, Accept) else found[0].no
    if mine or seat not in needed(state, what) or seat in answered:
        return Illegal("diplomacy.answered_already", rule="D-WIN-04", what=what_name(what))
    return None


def _order_refusal(state: State, seat: Seat, order: Order) -> Illegal | None:
    if isinstance(order, Waive) and not order.at:
        return Illegal("diplomacy.waive_where", rule="D-ADJ-10")
    province = order.at[:3] if isinstance(order, Waive) else order.unit.province
    power = draft_power(state, province)
    if power is None or power not in state.hands[seat]:
        why = Why.NO_UNIT if power is None else Why.FOREIGN_UNIT
        return _illegal(why, power or state.hands[seat][0], order)
    found = _objection(state, power, order)
    return None if found is None else _illegal(found, power, order)


def _illegal(why: Why, power: Power, order: Order) -> Illegal:
    return Illegal(
        f"diplomacy.why.{why}",
        rule=RULES[why].rule,
        power=power_name(power),
        order=order_name(order),
        by=(),
        number=RULES[why].number,
    )


def _objection(state: State, power: Power, order: Order) -> Why | None:
    if state.stage == "movement":
        field = legality.Field(state.position)
        return legality.objection(field, field.powers.index(power), order)
    if state.stage == "retreat":
        return retreats.objection(state.dislodged, power, order)
    return _adjustment_objection(state, power, order)


def draft_objection(state: State, province: str, order: Order) -> Why | None:
    """What is wrong with a draft that stands for `province`."""
    power = draft_power(state, province)
    return Why.NO_UNIT if power is None else _objection(state, power, order)


def _adjustment_objection(state: State, power: Power, order: Order) -> Why | None:
    why = adjustments.objection(state.position, state.centres, power, order)
    if why is not None or isinstance(order, Hold):
        return why
    if isinstance(order, Waive):
        sites = build_sites(state.position, state.centres, power)
        return None if order.at[:3] in sites else Why.HOME_OCCUPIED
    due = abs(balance(state.position, state.centres, power))
    others = [p for p in power_drafts(state, power) if p != order.unit.province]
    if len(others) < due:
        return None
    return Why.NO_BUILD_DUE if isinstance(order, Build) else Why.NO_REMOVAL_DUE


# Drafts


def power_drafts(state: State, power: Power) -> list[str]:
    """The provinces for which `power` has drafted something."""
    mine = set(draftable(state, power))
    return [province for province in sorted(state.drafts) if province in mine]


def own_drafts(state: State, seat: Seat) -> dict[str, Order]:
    """The drafts that `seat` may know: its own."""
    provinces = [p for power in state.hands[seat] for p in power_drafts(state, power)]
    return {province: state.drafts[province] for province in sorted(provinces)}


def drafted(state: State, order: Order) -> dict[str, Order]:
    """The drafts with a legal order written in; one that changes nothing erases."""
    if isinstance(order, Waive):
        return {p: o for p, o in state.drafts.items() if p != order.at[:3]}
    province = order.unit.province
    if state.stage == "adjustment" and isinstance(order, Hold):
        return {p: o for p, o in state.drafts.items() if p != province}
    return {**state.drafts, province: _spelled(state, order)}


def _spelled(state: State, order: Order) -> Order:
    """The order as the list writes it."""
    if state.stage == "movement":
        return legality.spelled(legality.Field(state.position), order)
    if state.stage == "retreat":
        power = draft_power(state, order.unit.province)  # type: ignore[union-attr]  # it has one
        return retreats.spelled(state.dislodged, power or "", order)
    return adjustments.spelled(state.position, order)


# The list


class Choices:
    """What a seat may do: the orders of each piece are a group, so that chance picks a piece
    first and then what it does."""

    def __init__(self, state: State, seat: Seat) -> None:
        self.state, self.seat = state, seat

    @cached_property
    def groups(self) -> list[list[Action]]:
        ordered = [actions for _, actions in pieces(self.state, self.seat)] if self._asked else []
        ready: list[list[Action]] = [[Ready()]] if self._asked else []
        rest = [action for action in self.others if action != Ready()]
        return [*ordered, *ready, *([rest] if rest else [])]

    @property
    def others(self) -> list[Action]:
        """What is not about a piece."""
        if self.state.stage in ("over", "toss"):
            return []
        words = (Ready(), Revise(), Absent())
        spoken = [a for a in words if refusal(self.state, self.seat, a) is None]
        return [*spoken, *_ballots(self.state, self.seat)]

    @property
    def _asked(self) -> bool:
        return self.seat in deciders(self.state) - self.state.ready

    def __contains__(self, action: object) -> bool:
        return isinstance(action, Action) and refusal(self.state, self.seat, action) is None

    def __iter__(self) -> Iterator[Action]:
        return (action for group in self.groups for action in group)

    def count_all(self) -> int:
        return sum(map(len, self.groups))

    def sample(self, rng: Rng) -> Action:
        group = self.groups[rng.randrange(len(self.groups))]
        return group[rng.randrange(len(group))]

    def __repr__(self) -> str:
        return f"<{self.count_all()} legal for {self.seat} in {self.state.phase}>"


def _ballots(state: State, seat: Seat) -> Iterator[Ballot]:
    """Proposals that `seat` may make, answer or withdraw."""
    alive = survivors(state)
    if seat not in alive:
        return
    proposed = {each.what: each for each in state.proposals}
    for what in (DRAW, *state.hands):
        if what not in proposed:
            if what == DRAW or what in alive:
                yield Propose(what)
        elif proposed[what].by == seat:
            yield Withdraw(what)
        elif what != seat:
            if seat not in proposed[what].yes:
                yield Accept(what)
            if seat not in proposed[what].no:
                yield Refuse(what)


def pieces(state: State, seat: Seat) -> Iterator[tuple[str, list[Action]]]:
    """The pieces that `seat` may order, by location, each with its orders."""
    for power in state.hands[seat]:
        match state.stage:
            case "movement":
                yield from _movers(state, power)
            case "retreat":
                yield from _retreaters(state, power)
            case "adjustment":
                yield from _adjusters(state, power)


def _movers(state: State, power: Power) -> Iterator[tuple[str, list[Action]]]:
    listing = Listing(legality.Field(state.position))
    for unit in state.units[power]:
        yield unit.at, [*listing.orders(NUMBER[unit.province])]


def _retreaters(state: State, power: Power) -> Iterator[tuple[str, list[Action]]]:
    for each in state.dislodged:
        if each.power == power and each.retreats:
            actions: list[Action] = [Retreat(each.unit, to) for to in each.retreats]
            yield each.unit.at, [*actions, Disband(each.unit)]


def _adjusters(state: State, power: Power) -> Iterator[tuple[str, list[Action]]]:
    if builds_due(state.position, state.centres, power):
        for home in build_sites(state.position, state.centres, power):
            builds = [Build(unit) for unit in builds_at(home)]
            yield home, [Waive(home), *_allowed(state, power, builds)]
    elif balance(state.position, state.centres, power) < 0:
        for unit in state.units[power]:
            yield unit.at, [Hold(unit), *_allowed(state, power, [Disband(unit)])]


def _allowed(state: State, power: Power, orders: list[Build] | list[Disband]) -> list[Action]:
    return [order for order in orders if _objection(state, power, order) is None]
