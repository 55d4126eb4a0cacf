"""Coins: prices, recruiting, castles, crown cards, Tax and Fortify, with the city bonuses."""

from collections.abc import Iterator
from typing import Final

from powderkeg.core.agenda import plain_fact, replace_fields
from powderkeg.core.chance import Rng
from powderkeg.core.game import Fact
from powderkeg.games.risk_europe import words
from powderkeg.games.risk_europe.actions import BuildCastle, Buy, BuyCrown, Finish
from powderkeg.games.risk_europe.board import (
    ARCHER,
    CASTLE_PRICE,
    CAVALRY,
    CITY_AT,
    CROWN_PRICE,
    FOOTMAN,
    IS_CITY,
    PRICES,
    SIEGE,
    TAX_VALUES,
    UNITS,
    Units,
    total_units,
    units_of,
)
from powderkeg.games.risk_europe.rules.missions import bonus_amount
from powderkeg.games.risk_europe.rules.realm import is_undisputed, recruit_units
from powderkeg.games.risk_europe.rules.refusals import Refusal
from powderkeg.games.risk_europe.state import (
    State,
    attack_at,
    castles_left,
    count_crowns,
    has_shield,
    pay_coins,
    supply_line,
    territories_of,
    with_army,
)

TAX_UNITS: Final[dict[int, Units]] = {  # R-CITY-05 to R-CITY-07
    CITY_AT["london"]: units_of(ARCHER, 2),
    CITY_AT["paris"]: (1, 0, 1, 0),
    CITY_AT["madrid"]: units_of(FOOTMAN, 4),
}
BERLIN_DISCOUNT: Final = 3  # R-CITY-11
ESCORT: Final = 4  # footmen with each siege weapon: R-CITY-12
FORTIFY_CITY, FORTIFY_CASTLE = 3, 4  # R-FORT-01


# Prices


def unit_price(state: State, army: int, unit: int) -> int:
    return bonus_amount(state, army, "unit_price", UNITS[unit]) or PRICES[unit]


def castle_price(state: State, army: int) -> int:
    berlin = BERLIN_DISCOUNT if has_shield(state, army, CITY_AT["berlin"]) else 0
    return max(0, CASTLE_PRICE - berlin - bonus_amount(state, army, "castle_discount"))


# Spend


def recruiting_places(state: State, army: int) -> list[int]:
    """The army's undisputed cities and castles; Kiev adds its supply line (R-CITY-13)."""
    kiev: list[int] = []
    if has_shield(state, army, CITY_AT["kiev"]):
        kiev = supply_line(state, army, CITY_AT["kiev"])
    castles = state.castles
    return [
        at
        for at in territories_of(state, army)
        if (IS_CITY[at] or at in castles or at in kiev) and is_undisputed(state, army, at)
    ]


def why_not_buy(state: State, army: int, unit: int, at: int, count: int) -> Refusal:
    if state.owner[at] != army:
        return "risk_europe.not_yours", "R-SPEND-03"
    if attack_at(state, at):
        return "risk_europe.disputed", "R-SPEND-05"
    if at not in recruiting_places(state, army):
        return "risk_europe.no_recruiting_place", "R-SPEND-03"
    if count < 1:
        return "risk_europe.nothing_bought", "R-SPEND-01"
    if count > state.armies[army].reserve[unit]:
        return "risk_europe.reserve_empty", "R-SPEND-04"
    if count * unit_price(state, army, unit) > state.armies[army].coins:
        return "risk_europe.too_dear", "R-SPEND-01"
    return None


def why_not_build(state: State, army: int, at: int) -> Refusal:
    if state.owner[at] != army:
        return "risk_europe.not_yours", "R-SPEND-06"
    if attack_at(state, at):
        return "risk_europe.disputed", "R-SPEND-06"
    if at in state.castles:
        return "risk_europe.castle_there", "R-SPEND-06"
    if not castles_left(state):
        return "risk_europe.castles_gone", "R-SPEND-07"
    if castle_price(state, army) > state.armies[army].coins:
        return "risk_europe.too_dear", "R-SPEND-01"
    return None


def why_not_crown(state: State, army: int) -> Refusal:
    if state.options.missions:
        return "risk_europe.crowns_not_for_sale", "R-MISSION-01"
    if army >= state.people:
        return "risk_europe.mercenary_crown", "R-3P-17"
    if not state.crown_cards:
        return "risk_europe.crown_cards_gone", "R-SPEND-10"
    if not state.armies[army].buys:
        return "risk_europe.one_crown_a_round", "R-SPEND-10"
    if state.armies[army].coins < CROWN_PRICE:
        return "risk_europe.too_dear", "R-SPEND-01"
    return None


def can_spend(state: State, army: int) -> bool:
    """Whether there is anything to buy."""
    own = state.armies[army]
    if why_not_crown(state, army) is None:
        return True
    wanted = any(own.reserve[u] and unit_price(state, army, u) <= own.coins for u in range(4))
    if wanted and recruiting_places(state, army):
        return True
    if own.coins < castle_price(state, army):
        return False
    return any(why_not_build(state, army, at) is None for at in territories_of(state, army))


class Purchases:
    """Everything that can be bought now, and `done`."""

    __slots__ = ("army", "most", "others", "places", "state")

    def __init__(self, state: State, army: int) -> None:
        self.state, self.army = state, army
        self.places = recruiting_places(state, army)
        own = state.armies[army]
        self.most = [
            min(own.reserve[unit], own.coins // unit_price(state, army, unit)) if self.places else 0
            for unit in range(4)
        ]
        self.others: list[BuildCastle | BuyCrown | Finish] = [
            BuildCastle(at) for at in self.sites()
        ]
        if why_not_crown(state, army) is None:
            self.others.append(BuyCrown())
        self.others.append(Finish())

    def sites(self) -> list[int]:
        """The territories where a castle can be built."""
        state, army = self.state, self.army
        if state.armies[army].coins < castle_price(state, army) or not castles_left(state):
            return []
        return [at for at in territories_of(state, army) if why_not_build(state, army, at) is None]

    def __contains__(self, action: object) -> bool:
        if isinstance(action, Buy):
            return action.at in self.places and 1 <= action.count <= self.most[action.unit]
        return action in self.others

    def __iter__(self) -> Iterator[Buy | BuildCastle | BuyCrown | Finish]:
        for unit, most in enumerate(self.most):
            for at in self.places:
                for count in range(1, most + 1):
                    yield Buy(unit, at, count)
        yield from self.others

    def count_all(self) -> int:
        return sum(self.most) * len(self.places) + len(self.others)

    def sample(self, rng: Rng) -> Buy | BuildCastle | BuyCrown | Finish:
        units = [unit for unit, most in enumerate(self.most) if most]
        choice = rng.randrange(len(units) + len(self.others))
        if choice >= len(units):
            return self.others[choice - len(units)]
        unit = units[choice]
        at = self.places[rng.randrange(len(self.places))]
        return Buy(unit, at, 1 + rng.randrange(self.most[unit]))


def buy_units(state: State, army: int, unit: int, at: int, count: int, tell: list[Fact]) -> State:
    cost = count * unit_price(state, army, unit)
    state, came = recruit_units(pay_coins(state, army, -cost), army, at, units_of(unit, count))
    names = {"army": words.army_name(state, army), "at": words.TERRITORY_NAME[at]}
    tell.append(
        plain_fact(
            "risk_europe.bought",
            "R-SPEND-03",
            units=words.unit_list(came),
            coins=words.coin_count(cost),
            **names,
        )
    )
    if unit == SIEGE and has_shield(state, army, CITY_AT["constantinople"]):
        state, came = recruit_units(state, army, at, units_of(FOOTMAN, ESCORT * count))
        if total_units(came):
            tell.append(
                plain_fact("risk_europe.escort", "R-CITY-12", units=words.unit_list(came), **names)
            )
    return state


def build_castle(state: State, army: int, at: int, tell: list[Fact]) -> State:
    cost = castle_price(state, army)
    state = pay_coins(state, army, -cost)
    names = {"army": words.army_name(state, army), "at": words.TERRITORY_NAME[at]}
    tell.append(
        plain_fact("risk_europe.built", "R-SPEND-06", coins=words.coin_count(cost), **names)
    )
    return replace_fields(state, castles=tuple(sorted((*state.castles, at))))


def buy_crown(state: State, army: int, tell: list[Fact]) -> State:
    own = state.armies[army]
    state = with_army(state, army, coins=own.coins - CROWN_PRICE, bought=own.bought + 1, buys=False)
    state = replace_fields(state, crown_cards=state.crown_cards - 1)
    names = {
        "army": words.army_name(state, army),
        "crowns": words.crown_count(count_crowns(state, army)),
    }
    tell.append(
        plain_fact(
            "risk_europe.bought_crown", "R-SPEND-11", coins=words.coin_count(CROWN_PRICE), **names
        )
    )
    return state


# Tax


def why_not_tax(state: State, army: int, at: int) -> Refusal:
    if not IS_CITY[at]:
        return "risk_europe.no_city", "R-TAX-01"
    if state.owner[at] != army:
        return "risk_europe.not_yours", "R-TAX-01"
    if attack_at(state, at):
        return "risk_europe.disputed", "R-TAX-05"
    return None


def taxable_cities(state: State, army: int) -> list[int]:
    return [at for at in territories_of(state, army) if why_not_tax(state, army, at) is None]


def tax_income(state: State, army: int, city: int) -> int:
    """Each city of the supply line pays its value, each other territory 1 (R-TAX-02)."""
    line = sum(TAX_VALUES[at] for at in supply_line(state, army, city))
    return line + bonus_amount(state, army, "tax_coins")


def collect_tax(state: State, army: int, city: int, tell: list[Fact]) -> State:
    coins = tax_income(state, army, city)
    names = {"army": words.army_name(state, army), "city": words.CITY_NAME[city]}
    tell.append(plain_fact("risk_europe.taxed", "R-TAX-02", coins=words.coin_count(coins), **names))
    line = supply_line(state, army, city)
    state = pay_coins(state, army, coins)
    for at, units in TAX_UNITS.items():
        if at in line and has_shield(state, army, at):
            state = _add_free_units(state, army, at, units, "R-TAX-07", tell)
    for unit in (FOOTMAN, ARCHER, CAVALRY, SIEGE):
        if more := bonus_amount(state, army, "tax_units", UNITS[unit]):
            state = _add_free_units(state, army, city, units_of(unit, more), "R-MISSION-06", tell)
    return state


def _add_free_units(
    state: State, army: int, at: int, units: Units, rule: str, tell: list[Fact]
) -> State:
    state, came = recruit_units(state, army, at, units)
    if total_units(came):
        names = {"army": words.army_name(state, army), "at": words.TERRITORY_NAME[at]}
        tell.append(
            plain_fact("risk_europe.free_units", rule, units=words.unit_list(came), **names)
        )
    return state


# Fortify


def why_not_fortify(state: State, army: int, at: int) -> Refusal:
    attack = attack_at(state, at)
    if attack and attack.army == army:
        return "risk_europe.only_defender", "R-FORT-02"
    if state.owner[at] != army:
        return "risk_europe.not_yours", "R-FORT-01"
    if not IS_CITY[at] and at not in state.castles:
        return "risk_europe.no_city_or_castle", "R-FORT-01"
    if not state.armies[army].reserve[FOOTMAN]:
        return "risk_europe.reserve_empty", "R-FORT-04"
    return None


def fortify_options(state: State, army: int) -> list[int]:
    return [at for at in territories_of(state, army) if why_not_fortify(state, army, at) is None]


def fortify_territory(state: State, army: int, at: int, tell: list[Fact]) -> State:
    footmen = FORTIFY_CASTLE if at in state.castles else FORTIFY_CITY
    footmen += bonus_amount(state, army, "fortify")
    state, came = recruit_units(state, army, at, units_of(FOOTMAN, footmen))
    names = {"army": words.army_name(state, army), "at": words.TERRITORY_NAME[at]}
    tell.append(plain_fact("risk_europe.fortified", "R-FORT-01", n=total_units(came), **names))
    return state
