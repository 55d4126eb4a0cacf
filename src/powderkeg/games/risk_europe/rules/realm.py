"""How territories change hands, and units come and go."""

from powderkeg.core.agenda import plain_fact, replace_fields
from powderkeg.core.game import Fact
from powderkeg.games.risk_europe import words
from powderkeg.games.risk_europe.board import (
    EMPTY,
    GOLD_CITIES,
    IS_CITY,
    NOBODY,
    TAX_VALUES,
    TERRITORIES,
    Units,
    add_units,
    subtract_units,
    total_units,
)
from powderkeg.games.risk_europe.state import (
    Attack,
    State,
    attack_at,
    count_crowns,
    is_disputed,
    pay_coins,
    replace_at,
    with_army,
    with_units,
)


def enter_territory(state: State, army: int, at: int, units: Units, tell: list[Fact]) -> State:
    """Units that have left their origin arrive: they join, claim, or attack."""
    owner = state.owner[at]
    if owner == army:
        return with_units(state, at, add_units(state.units[at], units))
    if owner == NOBODY:
        return claim_territory(state, army, at, units, tell)
    return _attack_territory(state, army, at, units, tell)


def claim_territory(state: State, army: int, at: int, units: Units, tell: list[Fact]) -> State:
    """An unclaimed territory is taken; a city gives crown, shield and tax value (R-CROWN-02)."""
    state = _change_owner(state, at, army, units)
    if not IS_CITY[at]:
        tell.append(
            plain_fact(
                "risk_europe.claimed",
                "R-EXP-05",
                army=words.army_name(state, army),
                at=words.TERRITORY_NAME[at],
            )
        )
        return state
    state = pay_coins(state, army, TAX_VALUES[at])
    tell.append(
        plain_fact(
            "risk_europe.claimed_city",
            "R-CROWN-02",
            army=words.army_name(state, army),
            at=words.TERRITORY_NAME[at],
            city=words.CITY_NAME[at],
            coins=words.coin_count(TAX_VALUES[at]),
            crowns=words.crown_count(count_crowns(state, army)),
        )
    )
    return state


def _attack_territory(state: State, army: int, at: int, units: Units, tell: list[Fact]) -> State:
    """Make the territory disputed, or reinforce the attack on it."""
    if attack := attack_at(state, at):
        place = state.attacks.index(attack)
        more = replace_fields(attack, units=add_units(attack.units, units))
        return replace_fields(state, attacks=replace_at(state.attacks, place, more))
    tell.append(
        plain_fact(
            "risk_europe.attacked",
            "R-EXP-04",
            army=words.army_name(state, army),
            at=words.TERRITORY_NAME[at],
            owner=words.army_name(state, state.owner[at]),
        )
    )
    return replace_fields(state, attacks=(*state.attacks, Attack(at, army, units)))


def leave_territory(state: State, at: int, units: Units, tell: list[Fact]) -> State:
    """Units of the owner leave; an empty territory is unclaimed at once (R-MAP-05)."""
    left = subtract_units(state.units[at], units)
    return with_units(state, at, left) if total_units(left) else vacate_territory(state, at, tell)


def vacate_territory(state: State, at: int, tell: list[Fact]) -> State:
    """Nobody is left: crown and shield go back, a castle stays (R-BAT-15, R-CITY-03)."""
    owner = state.owner[at]
    state = _change_owner(state, at, NOBODY, EMPTY)
    code, rule = (
        ("risk_europe.lost_city", "R-BAT-15")
        if IS_CITY[at]
        else ("risk_europe.unclaimed", "R-MAP-05")
    )
    city = (
        {"city": words.CITY_NAME[at], "crowns": words.crown_count(count_crowns(state, owner))}
        if IS_CITY[at]
        else {}
    )
    at_army = {"at": words.TERRITORY_NAME[at], "army": words.army_name(state, owner)}
    tell.append(plain_fact(code, rule, **at_army, **city))
    return state


def conquer_territory(state: State, army: int, at: int, units: Units, tell: list[Fact]) -> State:
    """The attacker has won: it takes territory, city and castle, without coins (R-BAT-16)."""
    loser = state.owner[at]
    state = _change_owner(state, at, army, units)
    names = {"army": words.army_name(state, army), "loser": words.army_name(state, loser)}
    tell.append(
        plain_fact("risk_europe.conquered", "R-BAT-16", at=words.TERRITORY_NAME[at], **names)
    )
    if IS_CITY[at]:
        counts = {
            "crowns": words.crown_count(count_crowns(state, army)),
            "left": words.crown_count(count_crowns(state, loser)),
        }
        tell.append(
            plain_fact(
                "risk_europe.took_city", "R-CROWN-03", city=words.CITY_NAME[at], **names, **counts
            )
        )
    return state


def recruit_units(state: State, army: int, at: int, wanted: Units) -> tuple[State, Units]:
    """Units from the military reserve, never more than it holds (R-SPEND-04, R-CITY-15)."""
    reserve = state.armies[army].reserve
    f, a, c, s = map(min, wanted, reserve)
    came = (f, a, c, s)
    state = with_army(state, army, reserve=subtract_units(reserve, came))
    return with_units(state, at, add_units(state.units[at], came)), came


def return_to_reserve(state: State, army: int, units: Units) -> State:
    """Lost units return to their military reserve (R-BAT-18)."""
    return with_army(state, army, reserve=add_units(state.armies[army].reserve, units))


def _change_owner(state: State, at: int, army: int, units: Units) -> State:
    state = replace_fields(
        state, owner=replace_at(state.owner, at, army), units=replace_at(state.units, at, units)
    )
    if TERRITORIES[at].gold:  # the loss of a shield is immediate, its gain is not (R-CITY-02)
        state = replace_fields(
            state, active=replace_at(state.active, GOLD_CITIES.index(at), NOBODY)
        )
    return state


def is_undisputed(state: State, army: int, at: int) -> bool:
    """Whether `army` holds `at` and nobody disputes it."""
    return state.owner[at] == army and not is_disputed(state, at)
