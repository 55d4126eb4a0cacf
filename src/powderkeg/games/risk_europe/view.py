"""What a seat sees, as JSON and in words. Made from a masked state, so it cannot tell a secret."""

from typing import Any, Final

from powderkeg.core import plain
from powderkeg.core.chance import Rng
from powderkeg.core.game import Marks, Seat, Standing, View
from powderkeg.games.risk_europe.actions import Lose
from powderkeg.games.risk_europe.board import (
    CITIES,
    CROWN_PRICE,
    GOLD_CITIES,
    NOBODY,
    TARGETS,
    TERRITORIES,
    TERRITORY_NAMES,
    UNITS,
    Units,
)
from powderkeg.games.risk_europe.cards import pack
from powderkeg.games.risk_europe.mask import HIDDEN_LOSSES, mask_state
from powderkeg.games.risk_europe.odds import forecast
from powderkeg.games.risk_europe.rules import battle_dice as dice
from powderkeg.games.risk_europe.rules import economy, missions
from powderkeg.games.risk_europe.rules.forces import Forces
from powderkeg.games.risk_europe.state import (
    NO_BID_YET,
    SECRET_NUMBER,
    UNKNOWN_CARD,
    Army,
    Returned,
    State,
    attack_at,
    castles_left,
    count_crowns,
    replace_step,
    territories_of,
)
from powderkeg.games.risk_europe.steps import (
    Act,
    Auctions,
    Battle,
    Battles,
    Bid,
    Garrison,
    Keep,
    Move,
    Pick,
    Reveals,
    Settle,
    Shields,
    Tie,
    Turn,
)

_STEP_STAGES: Final[dict[type, str]] = {
    Shields: "setup",
    Settle: "setup",
    Garrison: "setup",
    Pick: "cards",
    Auctions: "hire",
    Battles: "battles",
    Battle: "battles",
    Reveals: "missions",
}


_BONUS_RULES: Final = {
    "london": "R-CITY-05",
    "paris": "R-CITY-06",
    "madrid": "R-CITY-07",
    "stockholm": "R-CITY-09",
    "berlin": "R-CITY-10",
    "constantinople": "R-CITY-12",
    "kiev": "R-CITY-13",
    "rome": "R-CITY-14",
}


def view(state: State, seat: Seat | None) -> View:
    """The table as `seat` sees it; ``state`` is the same in the form that `deal` reads."""
    shown = mask_state(state, seat)
    return {
        "seat": seat,
        "phase": phase_of_round(shown),
        "stage": stage_of_step(shown),
        "round": shown.round,
        "turn": shown.turn,
        "target": TARGETS[shown.people],
        "marker": _colour_of(shown, shown.marker),
        "order": [shown.colours[i] for i in shown.order],
        "territories": {
            TERRITORY_NAMES[at]: _territory_json(shown, at) for at in range(len(TERRITORY_NAMES))
        },
        "armies": {colour: _army_json(shown, i) for i, colour in enumerate(shown.colours)},
        "shields": {TERRITORIES[at].city: _shield_json(shown, at) for at in GOLD_CITIES},
        "reserve": _reserve_json(shown),
        "card": _card_json(shown),
        "battle": _battle_json(shown),
        "odds": forecast.forecast_odds(shown),
        "own": None if seat is None else _own_json(shown, shown.colours.index(seat)),
        "over": shown.over,
        "ranking": [[shown.colours[i] for i in group] for group in shown.ranking],
        "state": plain.dump(shown, State),
    }


def marks(state: State) -> Marks:
    """Phase and stage; at this table people may always talk."""
    out = frozenset(state.colours[i] for i in range(state.people) if state.armies[i].out)
    return Marks(phase_of_round(state), stage_of_step(state), out=out)


def standing(state: State) -> dict[Seat, Standing]:
    """The crowns of each seat."""
    return {state.colours[i]: Standing(count_crowns(state, i)) for i in range(state.people)}


def stage_of_step(state: State) -> str:
    """The stage of the game to which a step belongs."""
    if not state.agenda:
        return "over"
    step = state.agenda[-1]
    if isinstance(step, Bid | Tie):
        return "bid" if step.army == NOBODY else "hire"
    return _STEP_STAGES.get(type(step), "turns")


def phase_of_round(state: State) -> str:
    """The phase of the round: ``bid``, ``setup``, ``3-cards``, ``3-turn1``, ``over``."""
    now = stage_of_step(state)
    if now in ("bid", "setup", "over"):
        return now
    if now == "turns":
        step = state.agenda[-1]
        now = f"turn{step.number if isinstance(step, Turn) else state.turn}"
    return f"{state.round}-{now}"


def _colour_of(state: State, army: int) -> str | None:
    return None if army == NOBODY else state.colours[army]


def _units_json(units: Units) -> dict[str, int]:
    return dict(zip(UNITS, units, strict=True))


def _territory_json(state: State, at: int) -> dict[str, Any]:
    land = TERRITORIES[at]
    attack = attack_at(state, at)
    return {
        "owner": _colour_of(state, state.owner[at]),
        "units": _units_json(state.units[at]),
        "attacker": attack
        and {"army": state.colours[attack.army], "units": _units_json(attack.units)},
        "castle": at in state.castles,
        "city": land.city or None,
        "gold": land.gold,
        "tax": land.tax,
        "crown": bool(land.city) and state.owner[at] != NOBODY,
    }


def _army_json(state: State, i: int) -> dict[str, Any]:
    army = state.armies[i]
    mercenary = i >= state.people
    return {
        "mercenary": mercenary,
        "controller": _colour_of(state, army.controller) if _is_hired(state, i) else None,
        "coins": army.coins,
        "crowns": count_crowns(state, i),
        "territories": len(territories_of(state, i)),
        "reserve": _units_json(army.reserve),
        "hand": len(army.hand) - (0 if mercenary else army.stack.count(UNKNOWN_CARD)),
        "stack": len(army.stack),
        "shown": list(army.shown),
        "discard": list(army.discard),
        "placed": bool(army.stack),
        "has_bid": army.bid != NO_BID_YET,
        "crown_cards": army.bought,
        "missions": len(army.missions),
        "completed": [_mission_json(state, card) for card in army.completed],
        "prices": _prices_json(state, i),
        "saved": army.grace,
        "out": army.out,
    }


def _is_hired(state: State, i: int) -> bool:
    """Whether somebody controls this mercenary army; who did so last round does no longer."""
    if i < state.people:
        return False
    return not any(
        isinstance(step, Auctions) or (isinstance(step, Bid | Tie) and step.army == i)
        for step in state.agenda
    )


def _prices_json(state: State, i: int) -> dict[str, int]:
    units = {name: economy.unit_price(state, i, unit) for unit, name in enumerate(UNITS)}
    return {**units, "castle": economy.castle_price(state, i), "crown_card": CROWN_PRICE}


def _mission_json(state: State, card: str) -> dict[str, Any]:
    crown = missions.crown_card(state, card)
    return {"card": card, "mission": plain.dump(crown.mission), "bonus": plain.dump(crown.bonus)}


def _shield_json(state: State, at: int) -> dict[str, Any]:
    works = state.active[GOLD_CITIES.index(at)]
    return {
        "at": TERRITORY_NAMES[at],
        "holder": _colour_of(state, state.owner[at]),
        "works": works != NOBODY and works == state.owner[at],
        "rule": _BONUS_RULES[TERRITORIES[at].city],
    }


def _reserve_json(state: State) -> dict[str, int]:
    return {
        "castles": castles_left(state),
        "crowns": sum(state.owner[at] == NOBODY for at in CITIES),
        "crown_cards": 0 if state.options.missions else state.crown_cards,
        "missions": _mission_pile_size(state),
    }


def _mission_pile_size(state: State) -> int:
    """The number of missions in the pile, the same for every viewer."""
    if not state.options.missions:
        return 0
    held = sum(len(army.missions + army.completed) for army in state.armies)
    offered = sum(len(step.cards) for step in state.agenda if isinstance(step, Keep))
    return len(pack.crown_pack(state.options.cards)) - held - offered


def _card_json(state: State) -> dict[str, Any] | None:
    """The card that is being carried out."""
    for step in reversed(state.agenda):
        if isinstance(step, Act):
            return {
                "army": state.colours[step.army],
                "card": step.card,
                "order": step.order,
                "bonus": step.bonus,
            }
    return None


def _battle_json(state: State) -> dict[str, Any] | None:
    step = state.agenda[-1] if state.agenda else None
    if not isinstance(step, Battle):
        return None
    attack = attack_at(state, step.at)
    on_defender, on_attacker = dice.count_hits(step.rank, step.attacker, step.defender)
    return {
        "at": TERRITORY_NAMES[step.at],
        "rank": step.rank,
        "stage": step.stage,
        "reroll": step.reroll and step.at in state.castles,
        "attacker": attack and state.colours[attack.army],
        "defender": _colour_of(state, state.owner[step.at]),
        "attacker_dice": list(step.attacker),
        "defender_dice": list(step.defender),
        "attacker_hits": on_defender,
        "defender_hits": on_attacker,
    }


def _own_json(state: State, who: int) -> dict[str, Any]:
    army = state.armies[who]
    offer = [step.cards for step in state.agenda if isinstance(step, Keep) and step.army == who]
    return {
        "hand": list(army.hand),
        "stack": list(army.stack),
        "bid": None if army.bid in (NO_BID_YET, SECRET_NUMBER) else army.bid,
        "missions": [_mission_json(state, card) for card in army.missions],
        "offer": [_mission_json(state, card) for cards in offer for card in cards],
        "move": _move_json(state),
    }


def _move_json(state: State) -> dict[str, Any] | None:
    """The move in the making; blank unless the viewer makes it."""
    step = state.agenda[-1] if state.agenda else None
    if not isinstance(step, Move):
        return None
    return {
        "army": state.colours[step.army],
        "order": step.order,
        "origin": None if step.origin == NOBODY else TERRITORY_NAMES[step.origin],
        "target": None if step.target == NOBODY else TERRITORY_NAMES[step.target],
        "groups": [
            {"to": TERRITORY_NAMES[g.to], "units": _units_json(g.units)} for g in step.groups
        ],
    }


# A full state behind a view


def deal(view: View, rng: Rng) -> State:
    """A full state that fits `view`, its secrets drawn at random."""
    state = plain.load(State, view["state"])
    pool = list(state.unseen)

    def fill(cards: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(_take_random(pool, rng) if card == UNKNOWN_CARD else card for card in cards)

    state = state._replace(
        armies=tuple(
            _deal_army(army._replace(missions=fill(army.missions)), rng) for army in state.armies
        ),
        bottom=tuple(Returned(fill((card.card,))[0], card.by) for card in state.bottom),
    )
    top = state.agenda[-1] if state.agenda else None
    if isinstance(top, Keep):
        state = replace_step(state, top._replace(cards=fill(top.cards)))
    if isinstance(top, Battle):
        state = replace_step(state, _with_losses(state, top, rng))
    return state._replace(unseen=tuple(card for card in state.unseen if card in pool))


def _take_random(pool: list[str], rng: Rng) -> str:
    return pool.pop(rng.randrange(len(pool)))


def _deal_army(army: Army, rng: Rng) -> Army:
    hand = list(army.hand)
    stack = tuple(_take_random(hand, rng) if card == UNKNOWN_CARD else card for card in army.stack)
    bid = rng.randrange(army.coins + 1) if army.bid == SECRET_NUMBER else army.bid
    return army._replace(hand=tuple(hand), stack=stack, bid=bid)


def _with_losses(state: State, step: Battle, rng: Rng) -> Battle:
    attack = attack_at(state, step.at)
    on_defender, on_attacker = dice.count_hits(step.rank, step.attacker, step.defender)
    if step.attacker_loses == HIDDEN_LOSSES and attack:
        force = Forces(Lose, attack.units, on_attacker, on_attacker)
        step = step._replace(attacker_loses=force.sample(rng).units)
    if step.defender_loses == HIDDEN_LOSSES:
        force = Forces(Lose, state.units[step.at], on_defender, on_defender)
        step = step._replace(defender_loses=force.sample(rng).units)
    return step
