"""Every decision of the game in one table: who answers a step, with what, and what chance owes."""

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from powderkeg.core import chance
from powderkeg.core.chance import Rng
from powderkeg.core.errors import Illegal
from powderkeg.games.versailles.actions import (
    Bid,
    Demobilise,
    End,
    Pass,
    Place,
    Settle,
)
from powderkeg.games.versailles.asked import Act, Asked
from powderkeg.games.versailles.board import NATIONS, NOBODY
from powderkeg.games.versailles.events import effects
from powderkeg.games.versailles.rules import (
    auction,
    issue_options,
    settle,
    setup,
    solo,
    turn,
    uprising,
)
from powderkeg.games.versailles.rules.military import deploys, unit_places
from powderkeg.games.versailles.rules.political import (
    can_act,
    can_place,
    can_reclaim,
    least,
    must_settle,
    places,
    places_minimum,
    reclaims,
    settleable,
)
from powderkeg.games.versailles.state import Draft, Position, seat_of
from powderkeg.games.versailles.steps import (
    Announce,
    Bidding,
    BotRegion,
    ChooseNation,
    DealEvents,
    DealIssues,
    DealStrategies,
    DrawIssues,
    FactionOrder,
    FirstPlayer,
    PlaceSecond,
    RevealEvent,
    RollOff,
    RollRegion,
    SoloBid,
    Turn,
    UsaTurn,
)

ASKED: dict[type, Asked] = {
    **setup.ASKED,
    **turn.ASKED,
    **issue_options.ASKED,
    **settle.ASKED,
    **effects.ASKED,
    **uprising.ASKED,
    **auction.ASKED,
    **solo.ASKED,
}
ACTS: dict[type, Act] = {
    **turn.ACTS,
    **settle.ACTS,
    **effects.ACTS,
    **uprising.ACTS,
    **auction.ACTS,
    **solo.ACTS,
}

# Chance


class Fate(NamedTuple):
    """A step that waits for chance: what is owed, and what follows."""

    owed: Callable[[Position, Any], chance.Owed]
    settle: Callable[[Draft, Any, Any], None]


def _die(p: Position, step: Any) -> chance.Dice:
    return chance.Dice(1)


_ROLLS: dict[type, Fate] = {
    RollRegion: Fate(_die, effects.roll_region),
    Announce: Fate(_die, uprising.roll_uprising),
    RollOff: Fate(lambda p, step: chance.Dice(len(step.tied)), uprising.roll_off),
    BotRegion: Fate(lambda p, step: chance.Dice(len(step.regions)), solo.roll_bot_region),
}
_DRAWS: dict[type, Fate] = {
    FirstPlayer: Fate(
        lambda p, step: chance.Draw(p.seats, 1),
        lambda d, step, drawn: setup.first_player(d, step, drawn[0]),
    ),
    FactionOrder: Fate(
        lambda p, step: chance.shuffle(NATIONS[n] for n in setup.PLAYED[1]), setup.draw_factions
    ),
    DealIssues: Fate(lambda p, step: chance.Draw(p.deck, setup.issues_dealt(p)), setup.deal_issues),
    DealEvents: Fate(lambda p, step: chance.Draw(p.events, 3), setup.deal_events),
    DealStrategies: Fate(
        lambda p, step: chance.Draw(tuple(sorted(p.pack.strategies)), len(p.seats) + 1),
        setup.deal_strategies,
    ),
    DrawIssues: Fate(settle.next_issues, settle.take_drawn),
    RevealEvent: Fate(
        lambda p, step: chance.Draw(p.events, 1),
        lambda d, step, drawn: settle.reveal_event(d, step, drawn[0]),
    ),
}
FATES = {**_ROLLS, **_DRAWS}


def waits_for_chance(p: Position, step: Any) -> bool:
    kind = type(step)
    if kind not in FATES:
        return False
    if kind is Announce:
        return not step.waiting
    return kind is not FactionOrder or p.options.solo_order == "random"


def owed(p: Position) -> chance.Owed:
    step = p.agenda[-1]
    return FATES[type(step)].owed(p, step)


def settle_chance(d: Draft, step: Any, outcome: chance.Outcome) -> None:
    value = outcome.items if isinstance(outcome, chance.Drawn) else outcome
    FATES[type(step)].settle(d, step, value)


# Who decides


def decider(p: Position) -> int:
    """The nation whose decision is pending, or NOBODY."""
    if not p.agenda or waits_for_chance(p, p.agenda[-1]):
        return NOBODY
    step = p.agenda[-1]
    return ASKED[type(step)].who(p, step)


def deciding_seat(p: Position) -> str:
    step = p.agenda[-1]
    if isinstance(step, ChooseNation):
        return p.seats[step.seat]
    if isinstance(step, FactionOrder):
        return p.seats[0]
    return seat_of(p, ASKED[type(step)].who(p, step))


# What may be answered


def check(p: Position, action: Any) -> None:
    """Raise the reason why `action` does not answer the pending step."""
    step: Any = p.agenda[-1]
    kind = type(step)
    if kind is Turn:
        turn.check_turn(p, action)
    elif kind is UsaTurn:
        turn.check_usa(p, action)
    elif kind is PlaceSecond:
        turn.check_second(p, step, action)
    elif kind is Bidding and isinstance(action, Bid):
        auction.check_bid(p, step.waiting[0], step.issue, step.best, action)
    else:
        asked = ASKED[kind]
        if action not in asked.choices(p, step):
            raise asked.refusal(p, step, action)


def accepts(p: Position, action: Any) -> bool:
    try:
        check(p, action)
    except Illegal:
        return False
    return True


def answers(p: Position) -> list[Any]:
    """Every answer to the pending step, deals aside."""
    step = p.agenda[-1]
    return list(ASKED[type(step)].choices(p, step))


# What needs no asking


def forced(p: Position, step: Any) -> Any:
    """The only answer that is left; None where there is a choice, or more to it than that."""
    kind = type(step)
    if kind in (Turn, UsaTurn, PlaceSecond):
        return None
    if kind is Bidding:
        open_ = auction.might_bid(p, step.waiting[0], step.issue, step.best)
        return None if open_ else Pass()
    if kind is SoloBid:
        open_ = auction.can_bid(p, p.human, step.issue, auction.best_bid(step))
        return None if open_ else Pass()
    choices = ASKED[kind].choices(p, step)
    return choices[0] if len(choices) == 1 else None


def goes_on(d: Draft, step: Any) -> bool:
    """Let a turn go on by itself where nothing is left to do in it."""
    kind = type(step)
    if kind is Turn:
        return turn.turn_goes_on(d, step)
    return kind is UsaTurn and turn.usa_goes_on(d, step)


# Drawing one at random without listing all


def sample(p: Position, rng: Rng) -> Any:
    """An answer to the pending step: a verb first, every verb alike, then the rest."""
    step = p.agenda[-1]
    match step:
        case Turn():
            verbs = list(_verbs(p))
            return verbs[rng.randrange(len(verbs))](rng)
        case PlaceSecond(nation, first):
            return _sample_place(p, nation, first, rng)
        case Bidding(issue, _, waiting, _, best):
            return _sample_bid(p, waiting[0], issue, best, rng)
    choices = ASKED[type(step)].choices(p, step)
    return choices[rng.randrange(len(choices))]


def _verbs(p: Position) -> Iterator[Callable[[Rng], Any]]:
    nation = p.active
    owed = not p.political
    if owed:
        if issues := settleable(p, nation):
            yield lambda rng: Settle(_pick(issues, rng))
        if not must_settle(p, nation):
            if can_reclaim(p, nation):
                yield lambda rng: _pick(list(reclaims(p, nation)), rng)
            if can_place(p, nation):
                yield lambda rng: _sample_place(p, nation, "", rng)
    if not p.military and (places := unit_places(p, nation)):
        yield lambda rng: Demobilise(_pick(places, rng))
        if next(deploys(p, nation), None):
            yield lambda rng: _pick(list(deploys(p, nation)), rng)
    if not owed or not can_act(p, nation):
        yield lambda rng: End()


def _pick(items: list[Any], rng: Rng) -> Any:
    return items[rng.randrange(len(items))]


def _sample_place(p: Position, nation: int, first: str, rng: Rng) -> Place:
    if places_minimum(p, nation):
        return _pick(list(places(p, nation, first)), rng)  # type: ignore[no-any-return]  # places
    low = {issue: least(p, nation, issue) for issue in p.cubes if issue != first}
    one, two = (0, 0) if first else sorted(low.values())[:2]  # what the other issue may cost
    purse = p.available[nation]
    rooms = [(i, n, purse - (two if n == one else one)) for i, n in low.items()]
    issue, n, top = _pick([entry for entry in rooms if entry[1] <= entry[2]], rng)
    return Place(issue, n + rng.randrange(top - n + 1))


def _sample_bid(p: Position, nation: int, issue: str, best: Bid, rng: Rng) -> Bid | Pass:
    forces = list(auction.unit_bids(p, nation, issue, best, p.available[nation]))
    if not forces or rng.randrange(2):
        return Pass()
    units, local, few = _pick(forces, rng)
    return Bid(units, local, few + rng.randrange(p.available[nation] - few + 1))
