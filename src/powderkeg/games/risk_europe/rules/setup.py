"""Before the first round: mercenaries, and where kingdoms begin."""

from typing import Final

from powderkeg.core.agenda import plain_fact, replace_fields
from powderkeg.core.chance import Draw, Drawn, Owed
from powderkeg.core.errors import Illegal
from powderkeg.core.game import Fact, Legal, Listed, Seat, Step
from powderkeg.core.words import Arg
from powderkeg.games.risk_europe import actions, words
from powderkeg.games.risk_europe.actions import Action
from powderkeg.games.risk_europe.board import (
    ADJACENT,
    COLOURS,
    FOOTMAN,
    GOLD_CITIES,
    IS_CITY,
    NOBODY,
    START_COINS,
    TAX_VALUES,
    TERRITORIES,
    TERRITORY_NAMES,
    TERRITORY_NUMBER,
    units_of,
)
from powderkeg.games.risk_europe.cards import pack
from powderkeg.games.risk_europe.rules.realm import (
    claim_territory,
    enter_territory,
    leave_territory,
    recruit_units,
)
from powderkeg.games.risk_europe.rules.refusals import refuse_at, unexpected_action
from powderkeg.games.risk_europe.state import (
    Army,
    Options,
    State,
    count_crowns,
    pop_step,
    replace_step,
)
from powderkeg.games.risk_europe.steps import Bid, Garrison, NewRound, Settle, Shields

# Whether each first city of a kingdom gets a castle, and its footmen, by players: R-SET-11, R-3P-06,
# R-3P-07, R-2P-05, R-2P-06.
FIRST_CITIES: Final = {
    4: ((True, 10),),
    3: ((True, 5), (False, 5)),
    2: ((True, 5), (True, 5), (False, 5)),
}
MERCENARY_FOOTMEN: Final = 10  # in each of their cities: R-3P-03, R-2P-03


def initial_state(seats: tuple[Seat, ...], options: Options) -> State:
    """The first state: everything is in the box except the start coins."""
    mercenaries = tuple(colour for colour in COLOURS if colour not in seats)
    state = State(
        options,
        seats + mercenaries,
        len(seats),
        (Army(START_COINS),) * len(COLOURS),
        (NewRound(), Bid(), Shields()) if mercenaries else (NewRound(), Bid()),
        unseen=tuple(pack.crown_pack(options.cards)) if options.missions else (),
    )
    return state


# Mercenary cities


def shields_owed(state: State, step: Shields) -> Owed:
    return Draw(tuple(TERRITORY_NAMES[at] for at in GOLD_CITIES), 2)


def shields_drawn(state: State, step: Shields, drawn: Drawn) -> Step:
    """One army takes both cities, castle in the first (R-3P-03); two take one each (R-2P-03)."""
    tell: list[Fact] = []
    state = pop_step(state)
    both = state.people == 3
    for place, name in enumerate(drawn.items):
        army = 3 if both else 2 + place
        castle = not (both and place == 1)
        state = _found_city(
            state, army, TERRITORY_NUMBER[name], MERCENARY_FOOTMEN, castle=castle, tell=tell
        )
    return Step(state, tuple(tell))


def _found_city(
    state: State, army: int, at: int, footmen: int, *, castle: bool, tell: list[Fact]
) -> State:
    """Crown, shield, tax value, footmen and perhaps a castle in a first city (R-SET-09)."""
    state, units = recruit_units(state, army, at, units_of(FOOTMAN, footmen))
    state = claim_territory(state, army, at, units, [])
    if castle:
        state = replace_fields(state, castles=tuple(sorted((*state.castles, at))))
    names = {
        "army": words.army_name(state, army),
        "at": words.TERRITORY_NAME[at],
        "city": words.CITY_NAME[at],
    }
    counts = {
        "coins": words.coin_count(TAX_VALUES[at]),
        "crowns": words.crown_count(count_crowns(state, army)),
    }
    code = "risk_europe.settled_castle" if castle else "risk_europe.settled"
    tell.append(plain_fact(code, "R-SET-09", **names, **counts))
    return state


# Kingdoms


def queue_first_cities(state: State, first: int) -> State:
    """The winner takes the marker and settles first, then to the left (R-SET-07, R-SET-08)."""
    order = tuple(range(first, state.people)) + tuple(range(first))
    choices = [
        Settle(i, footmen, castle) for castle, footmen in FIRST_CITIES[state.people] for i in order
    ]
    # A single mercenary army sits to the right of the first player (R-3P-10), two sit between
    # the players (R-2P-08).
    ring = order + tuple(range(state.people, len(COLOURS)))
    if state.people == 2:
        ring = (order[0], 2, order[1], 3)
    state = replace_fields(state, marker=first, ring=ring)
    return replace_fields(state, agenda=state.agenda + tuple(choices[::-1]))


def settle_asked(state: State, step: Settle) -> tuple[int, ...]:
    return (step.army,)


def settle_legal(state: State, step: Settle, who: int) -> Legal:
    return Listed(actions.SettleCity(at) for at in GOLD_CITIES if state.owner[at] == NOBODY)


def settle_city(state: State, step: Settle, who: int, action: Action) -> Step:
    if not isinstance(action, actions.SettleCity):
        raise unexpected_action(action)
    if not TERRITORIES[action.at].gold:
        refuse_at(("risk_europe.not_gold", "R-SET-09"), action.at)
    if state.owner[action.at] != NOBODY:
        refuse_at(("risk_europe.city_taken", "R-SET-09"), action.at)
    tell: list[Fact] = []
    state = replace_step(state, Garrison(who, action.at, step.footmen))
    state = _found_city(state, who, action.at, step.footmen, castle=step.castle, tell=tell)
    return Step(state, tuple(tell))


def garrison_asked(state: State, step: Garrison) -> tuple[int, ...]:
    return (step.army,)


def garrison_places(state: State, step: Garrison) -> list[int]:
    """Unclaimed territories without a city beside the new one."""
    return [at for at in ADJACENT[step.city] if not IS_CITY[at] and state.owner[at] == NOBODY]


def garrison_legal(state: State, step: Garrison, who: int) -> Legal:
    return Listed(
        actions.SplitGarrison(at, n)
        for at in garrison_places(state, step)
        for n in range(1, step.footmen)
    )


def split_garrison(state: State, step: Garrison, who: int, action: Action) -> Step:
    if not isinstance(action, actions.SplitGarrison):
        raise unexpected_action(action)
    if action.at not in garrison_places(state, step):
        refuse_at(("risk_europe.not_beside_city", "R-SET-11"), action.at)
    if not 0 < action.footmen < step.footmen:  # both territories are held
        raise Illegal("risk_europe.both_held", rule="R-SET-11", footmen=step.footmen)
    sent = units_of(FOOTMAN, action.footmen)
    state = enter_territory(
        leave_territory(pop_step(state), step.city, sent, []), who, action.at, sent, []
    )
    places = {"at": words.TERRITORY_NAME[action.at], "city": words.TERRITORY_NAME[step.city]}
    stay = words.unit_list(units_of(FOOTMAN, step.footmen - action.footmen))
    names: dict[str, Arg] = {"army": words.army_name(state, who), "units": words.unit_list(sent)}
    garrisoned = plain_fact("risk_europe.garrisoned", "R-SET-11", **names, stay=stay, **places)
    return Step(state, (garrisoned,))


def fair_split(state: State, step: Garrison, who: int) -> Action:
    return actions.SplitGarrison(garrison_places(state, step)[0], step.footmen // 2)
