"""Turns: who is next, what a turn holds, when it ends (V-TURN, V-2P-03), and mutiny."""

from collections.abc import Callable, Iterator
from typing import Any

from powderkeg.core.chance import Rng
from powderkeg.games.versailles import words
from powderkeg.games.versailles.actions import (
    Demobilise,
    Deploy,
    End,
    Mutiny,
    Place,
    Reclaim,
    Settle,
)
from powderkeg.games.versailles.board import NOBODY, USA
from powderkeg.games.versailles.rules.answers import DescribedAnswers, pick_one
from powderkeg.games.versailles.rules.military import (
    check_deploy,
    demobilise,
    deploy,
    deploys,
    mutiny,
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
    place,
    places,
    reclaim,
    reclaims,
    sample_place,
    settle,
    settleable,
)
from powderkeg.games.versailles.rules.settle import end_game
from powderkeg.games.versailles.rules.solo import score_turn
from powderkeg.games.versailles.rules.tracks import limit
from powderkeg.games.versailles.state import (
    Draft,
    Position,
    after,
    is_bot,
    is_solo,
    is_two,
    refused,
    units,
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


def start_turn(d: Draft, step: StartTurn) -> None:
    d.turn += 1
    d.active = d.acting = step.nation
    d.political = d.military = d.acted = False
    d.settled, d.controller, d.gained = "", NOBODY, ()
    d.offers, d.exchanged = [0] * 5, ()
    d.say("turn", "V-TURN-01", turn=d.turn, nation=words.NATION[step.nation])
    d.push(EndTurn())
    if is_bot(d, step.nation):
        d.push(BotMilitary(step.nation), BotPolitical(step.nation), BotMilitary(step.nation))
        return
    if is_solo(d):
        score_turn(d)
    elif is_two(d):
        d.push(UsaTurn())
    d.push(Turn())


def end_turn(d: Draft, step: EndTurn) -> None:
    """Deals end with the turn (V-NEG-09). When nobody did anything for a whole round, nothing can
    ever change (V-TURN-06)."""
    for deal in d.deals:
        d.say("deal_over", "V-NEG-09", deal=deal.number)
    d.deals = ()
    d.idle = 0 if d.acted else d.idle + 1
    if d.idle >= len(d.order):
        end_game(d, "deadlock", "V-TURN-06")
        return
    d.push(StartTurn(after(d.order, d.active)[0]))


def can_military(p: Position, nation: int) -> bool:
    return units(p, nation) > 0


def skip_turn(d: Draft, step: Turn) -> bool:
    """Go on where nothing is left to ask: the turn is finished, or a bot has taken it over."""
    nation = d.active
    idle = d.military or not can_military(d, nation)
    if is_bot(d, nation):
        d.pop()
        d.push(BotMilitary(nation))  # V-SOLO-35
        return True
    if not d.political and idle and not can_act(d, nation):
        d.political = True
        d.say("forced_pass", "V-TURN-06", nation=words.NATION[nation])
        return True
    if d.political and idle:
        d.pop()
        return True
    return False


def menu(p: Position, step: Turn) -> Iterator[Any]:
    """All that the active player may do (V-TURN-04)."""
    nation = p.active
    if not p.political:
        for issue in settleable(p, nation):
            yield Settle(issue)
        if not must_settle(p, nation):
            yield from reclaims(p, nation)
            if can_place(p, nation):
                yield from places(p, nation)
    if not p.military:
        yield from deploys(p, nation)
        for unit in unit_places(p, nation):
            yield Demobilise(unit)
    if p.political or not can_act(p, nation):
        yield End()


def check_turn(p: Position, action: object) -> None:
    """Raise the reason why the active player may not do this."""
    nation = p.active
    match action:
        case Place() | Reclaim() | Settle():
            if p.political:
                raise refused("political_done", "V-TURN-02")
            if must_settle(p, nation) and not isinstance(action, Settle):
                raise refused("must_settle", "V-SOLO-10")
            _check_political(p, nation, action)
        case Deploy() | Demobilise():
            if p.military:
                raise refused("military_done", "V-TURN-02")
            if isinstance(action, Deploy):
                check_deploy(p, nation, action)
            elif action.unit not in unit_places(p, nation):
                raise refused("no_such_unit", "V-MIL-12", unit=words.unit(action.unit))
        case End():
            if not p.political and can_act(p, nation):
                raise refused("political_owed", "V-TURN-07")
        case _:
            raise refused("not_now", "V-TURN-03", action=str(action))


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
        lambda: menu(p, step),
        lambda action: check_turn(p, action),
        lambda rng: pick_one(list(_samplers(p)), rng)(rng),
    )


def _samplers(p: Position) -> Iterator[Callable[[Rng], Any]]:
    """One function per verb that is open, which draws the rest of the action."""
    nation = p.active
    owed = not p.political
    if owed:
        if issues := settleable(p, nation):
            yield lambda rng: Settle(pick_one(issues, rng))
        if not must_settle(p, nation):
            if can_reclaim(p, nation):
                yield lambda rng: pick_one(list(reclaims(p, nation)), rng)
            if can_place(p, nation):
                yield lambda rng: sample_place(p, nation, "", rng)
    if not p.military and (places := unit_places(p, nation)):
        yield lambda rng: Demobilise(pick_one(places, rng))
        if next(deploys(p, nation), None):
            yield lambda rng: pick_one(list(deploys(p, nation)), rng)
    if not owed or not can_act(p, nation):
        yield lambda rng: End()


def take_turn(d: Draft, step: Turn, action: Any) -> None:
    nation = d.active
    if isinstance(action, End):
        if not d.political:
            d.say("forced_pass", "V-TURN-06", nation=words.NATION[nation])
        d.say("ends", "V-TURN-09", nation=words.NATION[nation])
        return
    d.push(Turn())
    match action:
        case Deploy():
            d.military = True
            deploy(d, nation, action)
        case Demobilise(unit):
            d.military = True
            demobilise(d, nation, unit)
        case _:
            d.political = True
            _act(d, nation, action)


def _act(d: Draft, nation: int, action: Place | Reclaim | Settle) -> None:
    match action:
        case Place():
            place(d, nation, action)
        case Reclaim():
            reclaim(d, nation, action)
        case Settle(issue):
            settle(d, nation, issue)


# The USA of two players


def usa_can_act(p: Position) -> bool:
    return bool(can_place(p, USA) or settleable(p, USA) or p.exhausted[USA])


def skip_usa_turn(d: Draft, step: UsaTurn) -> bool:
    """Skip the action if nothing at all is open (V-2P-16)."""
    if usa_can_act(d):
        return False
    d.pop()
    d.say("forced_pass", "V-2P-16", nation=words.NATION[USA])
    return True


def usa_menu(p: Position, step: UsaTurn) -> Iterator[Any]:
    for issue in settleable(p, USA):
        yield Settle(issue)
    if can_place(p, USA):
        yield from places(p, USA)
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
                raise refused("reclaim_nothing", "V-2P-16")
            if n > _usa_reclaim(p) or regions:
                raise refused("reclaim_most", "V-2P-14", n=_usa_reclaim(p))
        case _:
            raise refused("usa_action", "V-2P-03")


def usa_answers(p: Position, step: UsaTurn) -> DescribedAnswers:
    return DescribedAnswers(
        lambda: usa_menu(p, step),
        lambda action: check_usa(p, action),
        lambda rng: pick_one(list(usa_menu(p, step)), rng),
    )


def take_usa_turn(d: Draft, step: UsaTurn, action: Any) -> None:
    d.acting = USA
    if isinstance(action, Reclaim):
        d.acted = True
        n = d.recover(USA, d.pack.board.reclaim)
        d.say("reclaimed", "V-2P-14", nation=words.NATION[USA], n=n)
        if action.n:
            d.recover(d.active, action.n)
            d.say("reclaimed", "V-2P-14", nation=words.NATION[d.active], n=action.n)
    else:
        _act(d, USA, action)


# Placing on the second issue, and mutiny


def check_second(p: Position, step: PlaceSecond, action: object) -> None:
    if not isinstance(action, Place):
        raise refused("second_owed", "V-PLACE-01")
    check_place(p, step.nation, action, step.first)


def second_answers(p: Position, step: PlaceSecond) -> DescribedAnswers:
    return DescribedAnswers(
        lambda: places(p, step.nation, step.first),
        lambda action: check_second(p, step, action),
        lambda rng: sample_place(p, step.nation, step.first, rng),
    )


def place_second(d: Draft, step: PlaceSecond, action: Place) -> None:
    place(d, step.nation, action, step.first)


def mutinies(d: Draft, step: Mutinies) -> None:
    """One unit at a time until happiness allows what is left (V-MUT-04)."""
    if units(d, step.nation) > limit(d, d.happiness[step.nation]):
        d.push(ChooseMutineer(step.nation))


def mutineer_choices(p: Position, step: ChooseMutineer) -> list[Mutiny]:
    return [Mutiny(place) for place in unit_places(p, step.nation)]


def choose_mutineer(d: Draft, step: ChooseMutineer, action: Mutiny) -> None:
    d.push(Mutinies(step.nation))
    mutiny(d, step.nation, action.unit)
