"""Secret bids: who goes first, and who commands a mercenary army in a round."""

from functools import lru_cache

from powderkeg.core.agenda import plain_fact, replace_fields
from powderkeg.core.chance import Dice, Owed, Roll
from powderkeg.core.errors import Illegal
from powderkeg.core.game import Fact, Legal, Listed, Step
from powderkeg.games.risk_europe import actions, words
from powderkeg.games.risk_europe.actions import Action
from powderkeg.games.risk_europe.board import NOBODY
from powderkeg.games.risk_europe.rules.refusals import unexpected_action
from powderkeg.games.risk_europe.rules.setup import queue_first_cities
from powderkeg.games.risk_europe.state import (
    NO_BID_YET,
    State,
    pay_coins,
    players_left,
    pop_step,
    replace_step,
    with_army,
)
from powderkeg.games.risk_europe.steps import Bid, Tie


def waiting_bidders(state: State, step: Bid) -> tuple[int, ...]:
    return tuple(i for i in players_left(state) if state.armies[i].bid == NO_BID_YET)


def highest_bid(state: State, who: int) -> int:
    """The most that a player can bid: all their coins (R-SET-05)."""
    return state.armies[who].coins


def bid_options(state: State, step: Bid, who: int) -> Legal:
    """A bid may be changed until all have bid."""
    return _bids_up_to(highest_bid(state, who))


@lru_cache(maxsize=256)
def _bids_up_to(coins: int) -> Listed:
    return Listed(actions.PlaceBid(n) for n in range(coins + 1))


def place_secret_bid(state: State, step: Bid, who: int, action: Action) -> Step:
    if not isinstance(action, actions.PlaceBid):
        raise unexpected_action(action)
    if not 0 <= action.coins <= highest_bid(state, who):
        raise Illegal("risk_europe.too_dear", rule="R-SET-05")
    state = with_army(state, who, bid=action.coins)
    return Step(
        state, (plain_fact("risk_europe.has_bid", "R-SET-05", army=words.army_name(state, who)),)
    )


def reveal_bids(state: State, step: Bid) -> Step | None:
    """All bids are revealed together; the highest wins, and ties are rolled off (R-SET-05, R-SET-06)."""
    if waiting_bidders(state, step):
        return None
    made = [(i, state.armies[i].bid) for i in players_left(state)]
    tell = [
        plain_fact(
            "risk_europe.bid", "R-SET-05", army=words.army_name(state, i), coins=words.coin_count(n)
        )
        for i, n in made
    ]
    for i, _ in made:
        state = with_army(state, i, bid=NO_BID_YET)
    best = max(n for _, n in made)
    among = tuple(i for i, n in made if n == best)
    if len(among) > 1:
        state = replace_step(state, Tie(step.army, best, among))
        return Step(state, tuple(tell), barrier=True)
    return Step(
        _award_bid(pop_step(state), step.army, among[0], best, tell), tuple(tell), barrier=True
    )


def tie_dice(state: State, step: Tie) -> Owed:
    return Dice(len(step.among))


def tie_rolled(state: State, step: Tie, roll: Roll) -> Step:
    """One die each; players who are still tied roll again."""
    tell = [
        plain_fact("risk_europe.tie_roll", "R-SET-06", army=words.army_name(state, i), die=die)
        for i, die in zip(step.among, roll.dice, strict=True)
    ]
    best = max(roll.dice)
    among = tuple(i for i, die in zip(step.among, roll.dice, strict=True) if die == best)
    if len(among) > 1:
        return Step(replace_step(state, replace_fields(step, among=among)), tuple(tell))
    return Step(_award_bid(pop_step(state), step.army, among[0], step.amount, tell), tuple(tell))


def _award_bid(state: State, army: int, who: int, amount: int, tell: list[Fact]) -> State:
    state = pay_coins(state, who, -amount)
    name = words.army_name(state, who)
    if army == NOBODY:
        tell.append(
            plain_fact(
                "risk_europe.goes_first", "R-SET-05", army=name, coins=words.coin_count(amount)
            )
        )
        return queue_first_cities(state, who)
    hired = words.army_name(state, army)  # the winner pays the army itself: R-3P-11
    tell.append(
        plain_fact(
            "risk_europe.hired", "R-3P-11", army=name, hired=hired, coins=words.coin_count(amount)
        )
    )
    return with_army(pay_coins(state, army, amount), army, controller=who)
