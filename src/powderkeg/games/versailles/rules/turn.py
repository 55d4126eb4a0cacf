"""Turns: order, actions and end of a turn (V-TURN, V-2P-03), and mutiny."""

from collections.abc import Iterator
from typing import Any

from powderkeg.core.agenda import opening_fact
from powderkeg.core.chance import Rng
from powderkeg.core.errors import Illegal
from powderkeg.games.versailles import words
from powderkeg.games.versailles.actions import (
    DemobiliseUnit,
    DeployUnit,
    End,
    Mutiny,
    Place,
    Reclaim,
    Settle,
)
from powderkeg.games.versailles.board import NATIONS, NOBODY, USA
from powderkeg.games.versailles.deals.exchange import finish_exchanges
from powderkeg.games.versailles.rules.answers import DescribedAnswers, pick_one
from powderkeg.games.versailles.rules.military import (
    check_deploy,
    demobilise_unit,
    deploy_unit,
    mutiny_unit,
    possible_deployments,
    unit_places,
)
from powderkeg.games.versailles.rules.political import (
    can_act,
    can_place,
    can_reclaim,
    check_place,
    check_reclaim,
    check_settle,
    must_settle,
    place_influence,
    possible_places,
    possible_reclaims,
    reclaim_tokens,
    sample_place,
    settle_issue,
    settleable_issues,
)
from powderkeg.games.versailles.rules.settle import end_game
from powderkeg.games.versailles.rules.solo import score_turn
from powderkeg.games.versailles.rules.tracks import units_limit
from powderkeg.games.versailles.state import (
    Position,
    StateBuilder,
    clockwise_after,
    is_bot,
    is_solo,
    is_two,
    unit_count,
)
from powderkeg.games.versailles.steps import (
    BotMilitary,
    BotPolitical,
    ChooseMutineer,
    EndTurn,
    Mutinies,
    PlaceSecond,
    StartTurn,
    Turn,
    UsaTurn,
)

# Turns


def start_turn(b: StateBuilder, step: StartTurn) -> None:
    b.turn += 1
    b.active = b.acting = step.nation
    b.political = b.military = b.acted = False
    b.settled, b.controller, b.gained = "", NOBODY, ()
    b.offers, b.exchanged = (0,) * 5, ()
    phase = f"turn.{b.turn}.{NATIONS[step.nation]}"
    whose = words.NATION[step.nation]
    b.facts.append(opening_fact(phase, "versailles.turn", "V-TURN-01", turn=b.turn, nation=whose))
    b.push(EndTurn())
    if is_bot(b, step.nation):
        b.push(BotMilitary(step.nation), BotPolitical(step.nation), BotMilitary(step.nation))
        return
    if is_solo(b):
        score_turn(b)
    elif is_two(b):
        b.push(UsaTurn())
    b.push(Turn())


def end_turn(b: StateBuilder, step: EndTurn) -> None:
    """Deals end with the turn (V-NEG-09). When nobody did anything for a whole round, nothing can
    ever change (V-TURN-06)."""
    finish_exchanges(b)
    for deal in b.deals:
        b.say("versailles.deal_over", "V-NEG-09", deal=deal.number)
    b.deals = ()
    b.idle = 0 if b.acted else b.idle + 1
    if b.idle >= len(b.order):
        end_game(b, "deadlock", "V-TURN-06")
        return
    b.push(StartTurn(clockwise_after(b.order, b.active)[0]))


def can_military(p: Position, nation: int) -> bool:
    return unit_count(p, nation) > 0


def skip_turn(b: StateBuilder, step: Turn) -> bool:
    """Go on where nothing is left to ask: the turn is finished, or a bot has taken it over."""
    nation = b.active
    idle = b.military or not can_military(b, nation)
    if is_bot(b, nation):
        b.pop()
        b.push(BotMilitary(nation))  # V-SOLO-35
        return True
    if not b.political and idle and not can_act(b, nation):
        b.political = True
        b.say("versailles.forced_pass", "V-TURN-06", nation=words.NATION[nation])
        return True
    if b.political and idle:
        b.pop()
        return True
    return False


def turn_menu(p: Position, step: Turn) -> Iterator[Any]:
    """Everything the active player may do (V-TURN-04)."""
    nation = p.active
    if not p.political:
        for issue in settleable_issues(p, nation):
            yield Settle(issue)
        if not must_settle(p, nation):
            yield from possible_reclaims(p, nation)
            if can_place(p, nation):
                yield from possible_places(p, nation)
    if not p.military:
        yield from possible_deployments(p, nation)
        for unit in unit_places(p, nation):
            yield DemobiliseUnit(unit)
    if p.political or not can_act(p, nation):
        yield End()


def check_turn(p: Position, action: object) -> None:
    """Raise the reason why the active player may not do this."""
    nation = p.active
    match action:
        case Place() | Reclaim() | Settle():
            if p.political:
                raise Illegal("versailles.refused.political_done", rule="V-TURN-02")
            if must_settle(p, nation) and not isinstance(action, Settle):
                raise Illegal("versailles.refused.must_settle", rule="V-SOLO-10")
            _check_political(p, nation, action)
        case DeployUnit() | DemobiliseUnit():
            if p.military:
                raise Illegal("versailles.refused.military_done", rule="V-TURN-02")
            if isinstance(action, DeployUnit):
                check_deploy(p, nation, action)
            elif action.unit not in unit_places(p, nation):
                raise Illegal(
                    "versailles.refused.no_such_unit",
                    rule="V-MIL-12",
                    unit=words.unit_name(action.unit),
                )
        case End():
            if not p.political and can_act(p, nation):
                raise Illegal("versailles.refused.political_owed", rule="V-TURN-07")
        case _:
            raise Illegal("versailles.refused.not_now", rule="V-TURN-03", action=str(action))


def _check_political(p: Position, nation: int, action: Place | Reclaim | Settle) -> None:
    match action:
        case Place():
            check_place(p, nation, action)
        case Reclaim():
            check_reclaim(p, nation, action)
        case Settle():
            check_settle(p, nation, action)


def turn_answers(p: Position, step: Turn) -> DescribedAnswers:
    return DescribedAnswers(
        lambda: turn_menu(p, step),
        lambda action: check_turn(p, action),
        lambda rng: _sample_turn(p, rng),
    )


def _open_verbs(p: Position) -> list[type]:
    """The verbs that the active player may use now."""
    nation = p.active
    political: list[type] = []
    if not p.political:
        if settleable_issues(p, nation):
            political.append(Settle)
        if not must_settle(p, nation):
            if can_reclaim(p, nation):
                political.append(Reclaim)
            if can_place(p, nation):
                political.append(Place)
    military: list[type] = []
    if not p.military and can_military(p, nation):
        military.append(DemobiliseUnit)
        if next(possible_deployments(p, nation), None):
            military.append(DeployUnit)
    can_end = p.political or not (political or can_act(p, nation))
    return [*political, *military, End] if can_end else political + military


def _sample_turn(p: Position, rng: Rng) -> Any:
    """A verb at random, then the rest of the action."""
    nation = p.active
    verb = pick_one(_open_verbs(p), rng)
    if verb is Settle:
        return Settle(pick_one(settleable_issues(p, nation), rng))
    if verb is Reclaim:
        return pick_one(possible_reclaims(p, nation), rng)
    if verb is Place:
        return sample_place(p, nation, "", rng)
    if verb is DemobiliseUnit:
        return DemobiliseUnit(pick_one(unit_places(p, nation), rng))
    return pick_one(list(possible_deployments(p, nation)), rng) if verb is DeployUnit else End()


def take_turn(b: StateBuilder, step: Turn, action: Any) -> None:
    nation = b.active
    if isinstance(action, End):
        if not b.political:
            b.say("versailles.forced_pass", "V-TURN-06", nation=words.NATION[nation])
        b.say("versailles.ends", "V-TURN-09", nation=words.NATION[nation])
        return
    b.push(Turn())
    match action:
        case DeployUnit():
            b.military = True
            deploy_unit(b, nation, action)
        case DemobiliseUnit(unit):
            b.military = True
            demobilise_unit(b, nation, unit)
        case _:
            b.political = True
            _take_political(b, nation, action)


def _take_political(b: StateBuilder, nation: int, action: Place | Reclaim | Settle) -> None:
    match action:
        case Place():
            place_influence(b, nation, action)
        case Reclaim():
            reclaim_tokens(b, nation, action)
        case Settle(issue):
            settle_issue(b, nation, issue)


# The USA of two players


def usa_can_act(p: Position) -> bool:
    return bool(can_place(p, USA) or settleable_issues(p, USA) or p.exhausted[USA])


def skip_usa_turn(b: StateBuilder, step: UsaTurn) -> bool:
    """Skip the action if nothing at all is open (V-2P-16)."""
    if usa_can_act(b):
        return False
    b.pop()
    b.say("versailles.forced_pass", "V-2P-16", nation=words.NATION[USA])
    return True


def usa_menu(p: Position, step: UsaTurn) -> Iterator[Any]:
    for issue in settleable_issues(p, USA):
        yield Settle(issue)
    if can_place(p, USA):
        yield from possible_places(p, USA)
    if p.exhausted[USA]:
        for n in range(_usa_reclaim(p) + 1):
            yield Reclaim(n)


def _usa_reclaim(p: Position) -> int:
    """The most that the owner of the turn may take back beside the USA (V-2P-14)."""
    return min(p.pack.board.reclaim, p.exhausted[USA], p.exhausted[p.active])


def check_usa(p: Position, action: object) -> None:
    match action:
        case Settle():
            check_settle(p, USA, action)
        case Place():
            check_place(p, USA, action)
        case Reclaim(n, regions):
            if not can_reclaim(p, USA):
                raise Illegal("versailles.refused.reclaim_nothing", rule="V-2P-16")
            if n > _usa_reclaim(p) or regions:
                raise Illegal("versailles.refused.reclaim_most", rule="V-2P-14", n=_usa_reclaim(p))
        case _:
            raise Illegal("versailles.refused.usa_action", rule="V-2P-03")


def usa_answers(p: Position, step: UsaTurn) -> DescribedAnswers:
    return DescribedAnswers(
        lambda: usa_menu(p, step),
        lambda action: check_usa(p, action),
        lambda rng: pick_one(list(usa_menu(p, step)), rng),
    )


def take_usa_turn(b: StateBuilder, step: UsaTurn, action: Any) -> None:
    b.acting = USA
    if isinstance(action, Reclaim):
        b.acted = True
        n = b.recover(USA, b.pack.board.reclaim)
        b.say("versailles.reclaimed", "V-2P-14", nation=words.NATION[USA], n=n)
        if action.n:
            b.recover(b.active, action.n)
            b.say("versailles.reclaimed", "V-2P-14", nation=words.NATION[b.active], n=action.n)
    else:
        _take_political(b, USA, action)


# Placing on the second issue, and mutiny


def check_second(p: Position, step: PlaceSecond, action: object) -> None:
    if not isinstance(action, Place):
        raise Illegal("versailles.refused.second_owed", rule="V-PLACE-01")
    check_place(p, step.nation, action, step.first)


def second_answers(p: Position, step: PlaceSecond) -> DescribedAnswers:
    return DescribedAnswers(
        lambda: possible_places(p, step.nation, step.first),
        lambda action: check_second(p, step, action),
        lambda rng: sample_place(p, step.nation, step.first, rng),
    )


def place_second(b: StateBuilder, step: PlaceSecond, action: Place) -> None:
    place_influence(b, step.nation, action, step.first)


def check_mutinies(b: StateBuilder, step: Mutinies) -> None:
    """One unit at a time until happiness allows the units that are left (V-MUT-04)."""
    if unit_count(b, step.nation) > units_limit(b, b.happiness[step.nation]):
        b.push(ChooseMutineer(step.nation))


def mutineer_choices(p: Position, step: ChooseMutineer) -> list[Mutiny]:
    return [Mutiny(place) for place in unit_places(p, step.nation)]


def choose_mutineer(b: StateBuilder, step: ChooseMutineer, action: Mutiny) -> None:
    b.push(Mutinies(step.nation))
    mutiny_unit(b, step.nation, action.unit)
