"""Carrying out events: the interpreter of `operations`."""

from collections.abc import Callable, Sequence
from typing import Any

from powderkeg.core import chance
from powderkeg.games.versailles import words
from powderkeg.games.versailles.actions import Choose, Decline, DemobiliseUnit, DeployUnit
from powderkeg.games.versailles.board import CATEGORIES, NATIONS, NO_CUBES, NOBODY, REGIONS
from powderkeg.games.versailles.cards.certainty import mark_card
from powderkeg.games.versailles.events import operations
from powderkeg.games.versailles.events.words import effects_text
from powderkeg.games.versailles.rules.military import (
    EXHAUSTED,
    demobilise_unit,
    deploy_unit,
    exhaust_unit,
    possible_deployments,
    take_unit,
    unit_places,
)
from powderkeg.games.versailles.rules.tracks import (
    EUROPE,
    REGION_INDEX,
    add_keg,
    add_moods,
    add_unrest,
)
from powderkeg.games.versailles.rules.uprising import most_unrest
from powderkeg.games.versailles.state import (
    Position,
    StateBuilder,
    clockwise_after,
    clockwise_from,
    counters_in_play,
    deployed_regions,
    owned_issues,
    sides_in_play,
    unit_count,
)
from powderkeg.games.versailles.steps import (
    Checking,
    ChooseBranch,
    ChooseCleared,
    ChooseDeploy,
    ChooseKegRegion,
    ChoosePlayer,
    ChooseRegions,
    ChooseSign,
    ChooseUnit,
    Do,
    RollRegion,
    Unsettle,
)

# Affected nations and regions


def affected_nations(p: Position, who: operations.Recipients, subject: int) -> list[int]:
    """The nations meant, clockwise from the active player (V-TURN-12)."""
    circle = clockwise_from(sides_in_play(p), p.active)
    match who:
        case "subject":
            return [subject]
        case "controller":
            return _settled_controller(p)
        case "each":
            return list(circle)
        case "lowest_happiness":
            lowest = min(p.happiness[nation] for nation in p.order)
            return [n for n in circle if n in p.order and p.happiness[n] == lowest]
        case "most_issues":
            held = {nation: len(owned_issues(p, nation)) for nation in circle}
            return [n for n in circle if held[n] == max(held.values()) > 0]


def _settled_controller(p: Position) -> list[int]:
    """Who controls the settled issue: nobody, if it was lost and nobody bid (V-SETTLE-20)."""
    if not p.options.rebid_controller:
        return [p.controller]
    return [p.held[p.settled].owner] if p.settled in p.held else []


def affected_regions(p: Position, region: str, chosen: tuple[int, ...]) -> tuple[int, ...]:
    """The regions that an effect names."""
    if region in REGION_INDEX:
        return (REGION_INDEX[region],)
    if region == "settled":
        return _settled_region(p)
    if region == "highest":
        return most_unrest(p)
    return p.gained if region == "gained" else chosen


def _settled_region(p: Position) -> tuple[int, ...]:
    """The region of the settled issue; League and Reparations count for Europe (V-EVENT-16)."""
    index = p.pack.issues[p.settled].region
    if index < len(REGIONS):
        return (index,)
    return (EUROPE,) if p.options.league_region == "europe" else ()


def count_counters(p: Position, counter: str) -> int:
    return counters_in_play(p).count(counter)


def total_cost(effects: Sequence[operations.Effect]) -> int:
    return sum(effect.n for effect in effects if isinstance(effect, operations.Pay))


def can_perform(p: Position, effects: Sequence[operations.Effect], you: int) -> bool:
    """Whether `you` can pay for the effects and has something to do them with (V-EVENT-09)."""
    if total_cost(effects) > p.available[you]:
        return False
    if any(isinstance(effect, operations.Deploy) for effect in effects):
        return you in p.order and next(possible_deployments(p, you), None) is not None
    return all(eligible_issues(p, e) for e in effects if isinstance(e, operations.Unsettle))


def open_branches(p: Position, effect: operations.Either, subject: int) -> list[int]:
    """Branches that the subject can pay in full; all of them if it can pay none (V-EVENT-11)."""
    paid = [i for i, branch in enumerate(effect.branches) if _can_pay(p, branch, subject)]
    return paid or list(range(len(effect.branches)))


def _can_pay(p: Position, branch: Sequence[operations.Effect], nation: int) -> bool:
    for effect in branch:
        if (
            isinstance(effect, operations.Pay | operations.Exhaust)
            and effect.n > p.available[nation]
        ):
            return False
        if (
            isinstance(effect, operations.Demobilise)
            and nation in p.order
            and not unit_count(p, nation)
        ):
            return False  # the USA of two players may choose it in vain (V-2P-12)
    return True


# Operations


def perform_effect(b: StateBuilder, step: Do) -> None:
    """Carry out the first effect; the rest waits until its consequences are over (V-EVENT-21)."""
    first, *rest = step.effects
    if rest:
        b.push(Do(tuple(rest), step.you, step.subject, step.half, step.regions))
    _OPERATIONS[type(first)](b, first, step)


def _do_check(b: StateBuilder, effect: operations.Check, step: Do) -> None:
    if effect.per and (n := count_counters(b, effect.per)):
        b.push(ChooseSign(effect, n, step.you, step.subject, step.half))
    else:
        start_check(b, effect, step, 0)


def start_check(
    b: StateBuilder, check: operations.Check, step: Do | ChooseSign, modifier: int
) -> None:
    regions = affected_regions(b, check.region, ())
    if not regions:
        say_no_track(b)
        return
    b.unsettled = False
    b.push(Checking(check, check.modifier + modifier, regions, step.you, step.subject, step.half))


def say_no_track(b: StateBuilder) -> None:
    b.say("versailles.no_track", "V-EVENT-16", issue=words.issue_name(b.settled))


def _do_unrest(b: StateBuilder, effect: operations.Unrest, step: Do) -> None:
    if effect.region == "random":
        b.push(RollRegion(effect))
        return
    n = effect.n * count_counters(b, effect.per) if effect.per else effect.n
    regions = affected_regions(b, effect.region, step.regions)
    if effect.per and not n:
        b.say("versailles.no_counters", "V-EVENT-15", counter=words.counter_name(effect.per))
    elif not regions and effect.region == "settled":
        say_no_track(b)
    for region in regions if n else ():
        add_unrest(b, region, n, "V-EVENT-01")


def _do_keg(b: StateBuilder, effect: operations.Keg, step: Do) -> None:
    if effect.region == "random":
        b.push(RollRegion(effect))
    elif effect.region == "any":
        if keg_regions(b, effect.n):
            b.push(ChooseKegRegion(effect.n, step.you))
        else:
            b.say("versailles.no_effect", "V-REG-06")
    else:
        for region in affected_regions(b, effect.region, step.regions):
            add_keg(b, region, effect.n)


def keg_regions(p: Position, n: int) -> list[int]:
    """Where a powder keg can still be moved that way (V-REG-06)."""
    least = 1 if p.options.keg_stays else 0
    return [r for r in range(len(REGIONS)) if n > 0 or p.kegs[r] > least]


def _do_pay(b: StateBuilder, effect: operations.Pay, step: Do) -> None:
    n = b.exhaust(step.subject, effect.n)
    b.say("versailles.exhausted", "V-EVENT-09", nation=words.NATION[step.subject], n=n)


def _do_exhaust(b: StateBuilder, effect: operations.Exhaust, step: Do) -> None:
    for nation in affected_nations(b, effect.who, step.subject):
        n = b.exhaust(nation, effect.n)
        b.say("versailles.exhausted", "V-EVENT-09", nation=words.NATION[nation], n=n)


def _do_recover(b: StateBuilder, effect: operations.Recover, step: Do) -> None:
    n = effect.n * count_counters(b, effect.per) if effect.per else effect.n
    if not n:
        b.say("versailles.no_counters", "V-EVENT-15", counter=words.counter_name(effect.per))
        return
    for nation in affected_nations(b, effect.who, step.subject):
        back = b.recover(nation, n)
        b.say("versailles.recovered", "V-EVENT-10", nation=words.NATION[nation], n=back)


def _do_happiness(b: StateBuilder, effect: operations.Happiness, step: Do) -> None:
    changes = [
        (nation, effect.n * (len(deployed_regions(b, nation)) if effect.per_unit else 1))
        for nation in affected_nations(b, effect.who, step.subject)
    ]
    if all(n == 0 or b.happiness[nation] == NOBODY for nation, n in changes):
        b.say("versailles.no_effect", "V-EVENT-01")
    add_moods(b, changes, "V-EVENT-01")


def _do_choose_player(b: StateBuilder, effect: operations.ChoosePlayer, step: Do) -> None:
    b.push(ChoosePlayer(effect, step.you, step.half))


def _do_either(b: StateBuilder, effect: operations.Either, step: Do) -> None:
    b.push(ChooseBranch(effect, step.you, step.subject, step.half, step.regions))


def _do_each(b: StateBuilder, effect: operations.Each, step: Do) -> None:
    circle = (
        clockwise_from(sides_in_play(b), step.you)
        if effect.first
        else clockwise_after(sides_in_play(b), step.you)
    )
    b.push(*(Do(effect.then, step.you, nation, step.half) for nation in circle))


def _do_withdraw(b: StateBuilder, effect: operations.Withdraw, step: Do) -> None:
    nations = clockwise_from(b.order, b.active) if effect.everyone else (step.subject,)
    for nation in nations:
        there = deployed_regions(b, nation)
        if not effect.everyone and len(there) > 1:
            b.push(ChooseUnit(nation, "withdraw"))
            return
        for region in there:
            exhaust_unit(b, nation, REGIONS[region], "V-EVENT-14")


def _do_rally(b: StateBuilder, effect: operations.Rally, step: Do) -> None:
    if _units_for(b, step.subject, "rally"):
        b.push(ChooseUnit(step.subject, "rally"))


def _do_demobilise(b: StateBuilder, effect: operations.Demobilise, step: Do) -> None:
    if step.subject in b.order and unit_count(b, step.subject):
        b.push(ChooseUnit(step.subject, "demobilise"))
    else:
        b.say("versailles.no_effect", "V-EVENT-13")


def _do_deploy(b: StateBuilder, effect: operations.Deploy, step: Do) -> None:
    if step.subject in b.order and next(possible_deployments(b, step.subject), None):
        b.push(ChooseDeploy(step.subject))
    else:
        b.say("versailles.no_effect", "V-EVENT-13")


def eligible_issues(p: Position, effect: operations.Unsettle) -> tuple[str, ...]:
    """Settled issues that the effect may unsettle."""
    wanted = {CATEGORIES.index(category) for category in effect.categories}
    return tuple(sorted(issue for issue in p.held if p.pack.issues[issue].region in wanted))


def _do_unsettle(b: StateBuilder, effect: operations.Unsettle, step: Do) -> None:
    if issues := eligible_issues(b, effect):
        b.push(Unsettle(issues, step.you, NOBODY))
    else:
        b.say("versailles.no_effect", "V-EVENT-18")


def _do_clear(b: StateBuilder, effect: operations.Clear, step: Do) -> None:
    if any(any(b.cubes[issue]) for issue in b.waiting):
        b.push(ChooseCleared(step.you))
    else:
        b.say("versailles.no_effect", "V-EVENT-22")


def _do_unless(b: StateBuilder, effect: operations.Unless, step: Do) -> None:
    region = CATEGORIES.index(effect.region)
    for issue, held in b.held.items():
        if b.pack.issues[issue].region == region and effect.counter in held.counters:
            b.say("versailles.no_effect", "V-EVENT-15")
            return
    b.push(Do(effect.then, step.you, step.subject, step.half))


_OPERATIONS: dict[type, Callable[[StateBuilder, Any, Do], None]] = {
    operations.Check: _do_check,
    operations.Unrest: _do_unrest,
    operations.Keg: _do_keg,
    operations.Pay: _do_pay,
    operations.Exhaust: _do_exhaust,
    operations.Recover: _do_recover,
    operations.Happiness: _do_happiness,
    operations.ChoosePlayer: _do_choose_player,
    operations.Either: _do_either,
    operations.Each: _do_each,
    operations.Withdraw: _do_withdraw,
    operations.Rally: _do_rally,
    operations.Demobilise: _do_demobilise,
    operations.Deploy: _do_deploy,
    operations.Unsettle: _do_unsettle,
    operations.Clear: _do_clear,
    operations.Unless: _do_unless,
}

# Answers


def roll_region(b: StateBuilder, step: RollRegion, roll: chance.Roll) -> None:
    """A region by die; on a six nothing happens (V-EVENT-08)."""
    die = roll.dice[0]
    region = b.pack.board.random_region[die - 1]
    if region == NOBODY:
        b.say("versailles.no_region", "V-EVENT-08", die=die)
        return
    b.say("versailles.random_region", "V-EVENT-08", die=die, region=words.REGION[region])
    if isinstance(step.effect, operations.Keg):
        add_keg(b, region, step.effect.n)
    else:
        add_unrest(b, region, step.effect.n, "V-EVENT-01")


def player_choices(p: Position, step: ChoosePlayer) -> list[Choose]:
    return [Choose(NATIONS[n]) for n in clockwise_from(sides_in_play(p), p.active)]


def choose_player(b: StateBuilder, step: ChoosePlayer, action: Choose) -> None:
    subject = NATIONS.index(action.what)
    b.say(
        "versailles.chose_player",
        "V-EVENT-11",
        nation=words.NATION[step.you],
        chosen=words.NATION[subject],
    )
    if step.effect.regions:
        b.push(ChooseRegions(step.effect, step.you, subject, step.half))
    else:
        b.push(Do(step.effect.then, step.you, subject, step.half))


def region_choices(p: Position, step: ChooseRegions) -> list[Choose]:
    return [Choose(name) for i, name in enumerate(REGIONS) if i not in step.regions]


def choose_regions(b: StateBuilder, step: ChooseRegions, action: Choose) -> None:
    regions = (*step.regions, REGION_INDEX[action.what])
    region = words.REGION[regions[-1]]
    b.say("versailles.chose_region", "V-EVENT-02", nation=words.NATION[step.you], region=region)
    if len(regions) < step.effect.regions:
        b.push(ChooseRegions(step.effect, step.you, step.subject, step.half, regions))
    else:
        b.push(Do(step.effect.then, step.you, step.subject, step.half, regions))


def keg_choices(p: Position, step: ChooseKegRegion) -> list[Choose]:
    return [Choose(REGIONS[region]) for region in keg_regions(p, step.n)]


def choose_keg_region(b: StateBuilder, step: ChooseKegRegion, action: Choose) -> None:
    region = REGION_INDEX[action.what]
    nation = words.NATION[step.you]
    b.say("versailles.chose_region", "V-EVENT-02", nation=nation, region=words.REGION[region])
    add_keg(b, region, step.n, "V-REG-06")


def branch_choices(p: Position, step: ChooseBranch) -> list[Choose]:
    return [Choose(str(i + 1)) for i in open_branches(p, step.effect, step.subject)]


def choose_branch(b: StateBuilder, step: ChooseBranch, action: Choose) -> None:
    number = int(action.what)
    branch = step.effect.branches[number - 1]
    event = b.pack.events[b.event if step.half == "conference" else b.lobby[-1]]
    effects = mark_card(effects_text(branch), event, step.half)
    nation = words.NATION[step.subject]
    b.say("versailles.chose_effects", "V-EVENT-11", nation=nation, effects=effects)
    b.push(Do(branch, step.you, step.subject, step.half, step.regions))


def sign_choices(p: Position, step: ChooseSign) -> list[Choose]:
    return [Choose("plus"), Choose("minus")]


def choose_sign(b: StateBuilder, step: ChooseSign, action: Choose) -> None:
    modifier = step.n if action.what == "plus" else -step.n
    b.say("versailles.modifies", "V-EVENT-19", nation=words.NATION[step.you], modifier=modifier)
    start_check(b, step.check, step, modifier)


def _units_for(p: Position, nation: int, work: str) -> list[str]:
    """Where the unit may come from."""
    places = unit_places(p, nation) if nation in p.order else []
    if work == "withdraw":
        return [place for place in places if place in REGION_INDEX]
    if work == "rally":
        return [place for place in places if place in REGION_INDEX or place == EXHAUSTED]
    return places


def unit_choices(p: Position, step: ChooseUnit) -> list[Choose | Decline | DemobiliseUnit]:
    places = _units_for(p, step.nation, step.work)
    if step.work == "demobilise":
        return [DemobiliseUnit(place) for place in places]
    may: list[Choose | Decline | DemobiliseUnit] = [Choose(place) for place in places]
    return [*may, Decline()] if step.work == "rally" else may


def choose_unit(
    b: StateBuilder, step: ChooseUnit, action: Choose | Decline | DemobiliseUnit
) -> None:
    nation = words.NATION[step.nation]
    match action:
        case DemobiliseUnit(place):
            demobilise_unit(b, step.nation, place)
        case Choose(place) if step.work == "rally":
            take_unit(b, step.nation, place)
            b.ready[step.nation] += 1
            b.say("versailles.rallied", "V-EVENT-12", nation=nation, unit=words.unit_name(place))
        case Choose(place):
            exhaust_unit(b, step.nation, place, "V-EVENT-12")
        case Decline():
            b.say("versailles.rally_declined", "V-EVENT-12", nation=nation)


def deploy_choices(p: Position, step: ChooseDeploy) -> list[DeployUnit]:
    return list(possible_deployments(p, step.nation))


def choose_deploy(b: StateBuilder, step: ChooseDeploy, action: DeployUnit) -> None:
    deploy_unit(b, step.nation, action)


def cleared_choices(p: Position, step: ChooseCleared) -> list[Choose]:
    return [Choose(issue) for issue in p.waiting if any(p.cubes[issue])]


def choose_cleared(b: StateBuilder, step: ChooseCleared, action: Choose) -> None:
    for nation, n in enumerate(b.cubes[action.what]):
        b.available[nation] += n
        if n:
            b.say("versailles.returned", "V-EVENT-22", nation=words.NATION[nation], n=n)
    b.cubes = {**b.cubes, action.what: NO_CUBES}
    card = words.issue_name(action.what)
    b.say("versailles.cleared", "V-EVENT-22", nation=words.NATION[step.you], issue=card)
