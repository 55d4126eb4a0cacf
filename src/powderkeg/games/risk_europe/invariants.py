"""What must hold in every state; `broken` says what does not."""

from collections import Counter
from collections.abc import Iterator

from powderkeg.games.risk_europe.board import (
    CASTLES,
    CROWN_CARDS,
    DECK,
    EMPTY,
    FULL_ARMY,
    GOLD_CITIES,
    NOBODY,
    TERRITORY_NAMES,
    UNITS,
    add_units,
    total_units,
)
from powderkeg.games.risk_europe.cards import pack
from powderkeg.games.risk_europe.state import NO_BID_YET, State, count_crowns
from powderkeg.games.risk_europe.steps import Battle, Battles, Bid, Keep, NewRound, Pick


def broken(state: State) -> list[str]:
    """The invariants that `state` violates."""
    return [
        *_check_units(state),
        *_check_territories(state),
        *_check_castles(state),
        *_check_cards(state),
        *_check_coins(state),
        *_check_missions(state),
        *_check_marker(state),
    ]


def _check_units(state: State) -> Iterator[str]:
    for i, army in enumerate(state.armies):
        there = army.reserve
        for at, owner in enumerate(state.owner):
            if owner == i:
                there = add_units(there, state.units[at])
        for attack in state.attacks:
            if attack.army == i:
                there = add_units(there, attack.units)
        if there != FULL_ARMY or min(army.reserve) < 0:
            yield f"{state.colours[i]} has {dict(zip(UNITS, there, strict=True))}"
        if army.out and army.reserve != FULL_ARMY:
            yield f"{state.colours[i]} is out but on the board"


def _check_territories(state: State) -> Iterator[str]:
    for at, owner in enumerate(state.owner):
        units = state.units[at]
        if min(units) < 0 or (owner == NOBODY) != (units == EMPTY):
            yield f"{TERRITORY_NAMES[at]}: owner {owner} with {units}"
    places = [attack.at for attack in state.attacks]
    if len(set(places)) < len(places):
        yield "more than two armies in a territory"
    for attack in state.attacks:
        if state.owner[attack.at] in (NOBODY, attack.army) or total_units(attack.units) < 1:
            yield f"{TERRITORY_NAMES[attack.at]} is disputed by {attack}"
        if min(attack.units) < 0:
            yield f"{TERRITORY_NAMES[attack.at]} has negative attackers"
    quiet = state.agenda and isinstance(state.agenda[-1], NewRound | Pick | Bid)
    if places and (quiet or not state.agenda):
        yield "disputes outlive the round"


def _check_castles(state: State) -> Iterator[str]:
    if len(set(state.castles)) != len(state.castles) or len(state.castles) > CASTLES:
        yield f"castles {state.castles}"
    for at, holder in zip(GOLD_CITIES, state.active, strict=True):
        if holder not in (NOBODY, state.owner[at]):
            yield f"the shield of {TERRITORY_NAMES[at]} works for {holder}"


def _check_cards(state: State) -> Iterator[str]:
    for i, army in enumerate(state.armies):
        cards = army.hand + army.stack + army.shown + army.discard
        if Counter(cards) != Counter(() if army.out else DECK):
            yield f"{state.colours[i]} has the cards {cards}"
        if i >= state.people and army.stack:
            yield f"the mercenary {state.colours[i]} has placed cards"
    if state.agenda and isinstance(state.agenda[-1], Pick):
        size = 8 - 2 * ((state.round - 1) % 4)
        for i in range(state.people):
            own = state.armies[i]
            if not own.out and len(own.hand + own.stack) != size:
                yield f"{state.colours[i]} has {len(own.hand + own.stack)} cards, not {size}"


def _check_coins(state: State) -> Iterator[str]:
    for i, army in enumerate(state.armies):
        if army.coins < 0 or army.bid > army.coins or army.bid < NO_BID_YET:
            yield f"{state.colours[i]} has {army.coins} coins and bids {army.bid}"
        if army.out and (army.coins or count_crowns(state, i)):
            yield f"{state.colours[i]} is out with {army.coins} coins"
    bought = sum(army.bought for army in state.armies)
    if bought + state.crown_cards > CROWN_CARDS or state.crown_cards < 0:
        yield f"{bought} crown cards bought and {state.crown_cards} left"


def _check_missions(state: State) -> Iterator[str]:
    cards = [card for army in state.armies for card in army.missions + army.completed]
    cards += [*state.unseen, *(card.card for card in state.bottom)]
    cards += [card for step in state.agenda if isinstance(step, Keep) for card in step.cards]
    expected = pack.crown_pack(state.options.cards) if state.options.missions else {}
    if sorted(cards) != sorted(expected):
        yield f"missions {sorted(cards)}"


def _check_marker(state: State) -> Iterator[str]:
    if state.round and (state.marker == NOBODY or state.armies[state.marker].out):
        ended = not state.agenda
        if not ended:
            yield "nobody in the game has the marker"
    fighting = [step for step in state.agenda if isinstance(step, Battle)]
    if fighting and not isinstance(state.agenda[-2], Battles):
        yield "a battle outside the battles"
