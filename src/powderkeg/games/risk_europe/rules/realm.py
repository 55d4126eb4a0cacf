"""How territories change hands, and units come and go."""

from powderkeg.core.game import Fact, fact
from powderkeg.games.risk_europe import words
from powderkeg.games.risk_europe.board import (
    EMPTY,
    GOLD,
    IS_CITY,
    NOBODY,
    TAX,
    TERRITORIES,
    Units,
    minus,
    plus,
    total,
)
from powderkeg.games.risk_europe.state import (
    Attack,
    State,
    attack_at,
    crowns,
    is_disputed,
    pay,
    put,
    with_army,
    with_units,
)


def enter(state: State, army: int, at: int, units: Units, tell: list[Fact]) -> State:
    """Units that have left their origin arrive: they join, claim, or attack."""
    owner = state.owner[at]
    if owner == army:
        return with_units(state, at, plus(state.units[at], units))
    if owner == NOBODY:
        return claim(state, army, at, units, tell)
    return _attack(state, army, at, units, tell)


def claim(state: State, army: int, at: int, units: Units, tell: list[Fact]) -> State:
    """An unclaimed territory is taken; a city gives crown, shield and tax value (R-CROWN-02)."""
    state = _owned(state, at, army, units)
    if not IS_CITY[at]:
        tell.append(
            fact(
                "risk_europe.claimed",
                "R-EXP-05",
                army=words.army(state, army),
                at=words.TERRITORY[at],
            )
        )
        return state
    state = pay(state, army, TAX[at])
    tell.append(
        fact(
            "risk_europe.claimed_city",
            "R-CROWN-02",
            army=words.army(state, army),
            at=words.TERRITORY[at],
            city=words.CITY[at],
            coins=words.coins(TAX[at]),
            crowns=words.crowns(crowns(state, army)),
        )
    )
    return state


def _attack(state: State, army: int, at: int, units: Units, tell: list[Fact]) -> State:
    """The territory is disputed from now on; or an attack there is reinforced."""
    if attack := attack_at(state, at):
        place = state.attacks.index(attack)
        more = attack._replace(units=plus(attack.units, units))
        return state._replace(attacks=put(state.attacks, place, more))
    tell.append(
        fact(
            "risk_europe.attacked",
            "R-EXP-04",
            army=words.army(state, army),
            at=words.TERRITORY[at],
            owner=words.army(state, state.owner[at]),
        )
    )
    return state._replace(attacks=(*state.attacks, Attack(at, army, units)))


def leave(state: State, at: int, units: Units, tell: list[Fact]) -> State:
    """Units of the owner leave; an empty territory is unclaimed at once (R-MAP-05)."""
    left = minus(state.units[at], units)
    return with_units(state, at, left) if total(left) else vacate(state, at, tell)


def vacate(state: State, at: int, tell: list[Fact]) -> State:
    """Nobody is left: crown and shield go back, a castle stays (R-BAT-15, R-CITY-03)."""
    owner = state.owner[at]
    state = _owned(state, at, NOBODY, EMPTY)
    code, rule = (
        ("risk_europe.lost_city", "R-BAT-15")
        if IS_CITY[at]
        else ("risk_europe.unclaimed", "R-MAP-05")
    )
    city = (
        {"city": words.CITY[at], "crowns": words.crowns(crowns(state, owner))}
        if IS_CITY[at]
        else {}
    )
    at_army = {"at": words.TERRITORY[at], "army": words.army(state, owner)}
    tell.append(fact(code, rule, **at_army, **city))
    return state


def conquer(state: State, army: int, at: int, units: Units, tell: list[Fact]) -> State:
    """The attacker has won: territory, city and castle are his, without coins (R-BAT-16)."""
    loser = state.owner[at]
    state = _owned(state, at, army, units)
    names = {"army": words.army(state, army), "loser": words.army(state, loser)}
    tell.append(fact("risk_europe.conquered", "R-BAT-16", at=words.TERRITORY[at], **names))
    if IS_CITY[at]:
        counts = {
            "crowns": words.crowns(crowns(state, army)),
            "left": words.crowns(crowns(state, loser)),
        }
        tell.append(
            fact("risk_europe.took_city", "R-CROWN-03", city=words.CITY[at], **names, **counts)
        )
    return state


def recruit(state: State, army: int, at: int, wanted: Units) -> tuple[State, Units]:
    """Units from the military reserve, never more than it holds (R-SPEND-04, R-CITY-15)."""
    reserve = state.armies[army].reserve
    f, a, c, s = map(min, wanted, reserve)
    came = (f, a, c, s)
    state = with_army(state, army, reserve=minus(reserve, came))
    return with_units(state, at, plus(state.units[at], came)), came


def fall(state: State, army: int, units: Units) -> State:
    """Lost units return to their military reserve (R-BAT-18)."""
    return with_army(state, army, reserve=plus(state.armies[army].reserve, units))


def _owned(state: State, at: int, army: int, units: Units) -> State:
    state = state._replace(owner=put(state.owner, at, army), units=put(state.units, at, units))
    if TERRITORIES[at].gold:  # the loss of a shield is immediate, its gain is not (R-CITY-02)
        state = state._replace(active=put(state.active, GOLD.index(at), NOBODY))
    return state


def is_open(state: State, army: int, at: int) -> bool:
    """Whether `army` holds `at` and nobody disputes it."""
    return state.owner[at] == army and not is_disputed(state, at)
