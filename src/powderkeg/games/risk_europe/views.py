"""What a seat sees, as JSON and in words. Made from a masked state, so it cannot tell a secret."""

from typing import Any, Final

from powderkeg.core import plain
from powderkeg.core.game import Marks, Seat, Section, View
from powderkeg.core.words import Msg
from powderkeg.games.risk_europe import battle as dice
from powderkeg.games.risk_europe import economy, forecast, missions, packs, words
from powderkeg.games.risk_europe.board import (
    CITIES,
    CROWN_PRICE,
    GOLD,
    NAMES,
    NUMBER,
    TARGETS,
    TERRITORIES,
    UNITS,
    Units,
)
from powderkeg.games.risk_europe.hidden import mask
from powderkeg.games.risk_europe.state import (
    NO_BID,
    NOBODY,
    SECRET,
    UNKNOWN,
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
    State,
    Tie,
    Turn,
    attack_at,
    castles_left,
    crowns,
    territories,
)

_STAGES: Final[dict[type, str]] = {
    Shields: "setup",
    Settle: "setup",
    Garrison: "setup",
    Pick: "cards",
    Auctions: "hire",
    Battles: "battles",
    Battle: "battles",
    Reveals: "missions",
}


def view(state: State, seat: Seat | None) -> View:
    """The table as `seat` sees it; ``state`` is the same in the form that `deal` reads."""
    shown = mask(state, seat)
    return {
        "seat": seat,
        "phase": phase(shown),
        "stage": stage(shown),
        "round": shown.round,
        "turn": shown.turn,
        "target": TARGETS[shown.people],
        "marker": _colour(shown, shown.marker),
        "order": [shown.colours[i] for i in shown.order],
        "territories": {NAMES[at]: _territory(shown, at) for at in range(len(NAMES))},
        "armies": {colour: _army(shown, i) for i, colour in enumerate(shown.colours)},
        "shields": {TERRITORIES[at].city: _shield(shown, at) for at in GOLD},
        "reserve": _reserve(shown),
        "card": _card(shown),
        "battle": _battle(shown),
        "odds": forecast.forecast(shown),
        "own": None if seat is None else _own(shown, shown.colours.index(seat)),
        "over": shown.over,
        "ranking": [[shown.colours[i] for i in group] for group in shown.ranking],
        "state": plain.dump(shown, State),
    }


def marks(state: State) -> Marks:
    """Phase and stage; at this table people may always talk."""
    return Marks(phase(state), stage(state))


def stage(state: State) -> str:
    """What kind of thing is going on."""
    if not state.agenda:
        return "over"
    step = state.agenda[-1]
    if isinstance(step, Bid | Tie):
        return "bid" if step.army == NOBODY else "hire"
    return _STAGES.get(type(step), "turns")


def phase(state: State) -> str:
    """Where the game is: ``bid``, ``setup``, ``3-cards``, ``3-turn1``, ``over``."""
    now = stage(state)
    if now in ("bid", "setup", "over"):
        return now
    if now == "turns":
        step = state.agenda[-1]
        now = f"turn{step.number if isinstance(step, Turn) else state.turn}"
    return f"{state.round}-{now}"


def _colour(state: State, army: int) -> str | None:
    return None if army == NOBODY else state.colours[army]


def _units(units: Units) -> dict[str, int]:
    return dict(zip(UNITS, units, strict=True))


def _territory(state: State, at: int) -> dict[str, Any]:
    land = TERRITORIES[at]
    attack = attack_at(state, at)
    return {
        "owner": _colour(state, state.owner[at]),
        "units": _units(state.units[at]),
        "attacker": attack and {"army": state.colours[attack.army], "units": _units(attack.units)},
        "castle": at in state.castles,
        "city": land.city or None,
        "gold": land.gold,
        "tax": land.tax,
        "crown": bool(land.city) and state.owner[at] != NOBODY,
    }


def _army(state: State, i: int) -> dict[str, Any]:
    army = state.armies[i]
    mercenary = i >= state.people
    return {
        "mercenary": mercenary,
        "controller": _colour(state, army.controller) if _is_hired(state, i) else None,
        "coins": army.coins,
        "crowns": crowns(state, i),
        "territories": len(territories(state, i)),
        "reserve": _units(army.reserve),
        "hand": len(army.hand) - (0 if mercenary else army.stack.count(UNKNOWN)),
        "stack": len(army.stack),
        "shown": list(army.shown),
        "discard": list(army.discard),
        "placed": bool(army.stack),
        "has_bid": army.bid != NO_BID,
        "crown_cards": army.bought,
        "missions": len(army.missions),
        "completed": [_mission(state, card) for card in army.completed],
        "prices": _prices(state, i),
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


def _prices(state: State, i: int) -> dict[str, int]:
    units = {name: economy.price(state, i, unit) for unit, name in enumerate(UNITS)}
    return {**units, "castle": economy.castle_price(state, i), "crown_card": CROWN_PRICE}


def _mission(state: State, card: str) -> dict[str, Any]:
    crown = missions.crown(state, card)
    return {"card": card, "mission": plain.dump(crown.mission), "bonus": plain.dump(crown.bonus)}


def _shield(state: State, at: int) -> dict[str, Any]:
    works = state.active[GOLD.index(at)]
    return {
        "at": NAMES[at],
        "holder": _colour(state, state.owner[at]),
        "works": works != NOBODY and works == state.owner[at],
    }


def _reserve(state: State) -> dict[str, int]:
    return {
        "castles": castles_left(state),
        "crowns": sum(state.owner[at] == NOBODY for at in CITIES),
        "crown_cards": 0 if state.options.missions else state.crown_cards,
        "missions": _pile(state),
    }


def _pile(state: State) -> int:
    """How many missions lie in the pile, whoever looks at it."""
    if not state.options.missions:
        return 0
    held = sum(len(army.missions + army.completed) for army in state.armies)
    offered = sum(len(step.cards) for step in state.agenda if isinstance(step, Keep))
    return len(packs.given(state.options.cards)) - held - offered


def _card(state: State) -> dict[str, Any] | None:
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


def _battle(state: State) -> dict[str, Any] | None:
    step = state.agenda[-1] if state.agenda else None
    if not isinstance(step, Battle):
        return None
    attack = attack_at(state, step.at)
    on_defender, on_attacker = dice.hits(step.rank, step.attacker, step.defender)
    return {
        "at": NAMES[step.at],
        "rank": step.rank,
        "stage": step.stage,
        "reroll": step.reroll and step.at in state.castles,
        "attacker": attack and state.colours[attack.army],
        "defender": _colour(state, state.owner[step.at]),
        "attacker_dice": list(step.attacker),
        "defender_dice": list(step.defender),
        "attacker_hits": on_defender,
        "defender_hits": on_attacker,
    }


def _own(state: State, who: int) -> dict[str, Any]:
    army = state.armies[who]
    offer = [step.cards for step in state.agenda if isinstance(step, Keep) and step.army == who]
    return {
        "hand": list(army.hand),
        "stack": list(army.stack),
        "bid": None if army.bid in (NO_BID, SECRET) else army.bid,
        "missions": [_mission(state, card) for card in army.missions],
        "offer": [_mission(state, card) for cards in offer for card in cards],
        "move": _move(state),
    }


def _move(state: State) -> dict[str, Any] | None:
    """The move in the making; blank unless the viewer makes it."""
    step = state.agenda[-1] if state.agenda else None
    if not isinstance(step, Move):
        return None
    return {
        "army": state.colours[step.army],
        "order": step.order,
        "origin": None if step.origin == NOBODY else NAMES[step.origin],
        "target": None if step.target == NOBODY else NAMES[step.target],
        "groups": [{"to": NAMES[g.to], "units": _units(g.units)} for g in step.groups],
    }


# In words


def describe(view: View) -> tuple[Section, ...]:
    armies = [_army_section(view, colour) for colour in view["armies"]]
    sections = [_situation(view), *armies, _empty_lands(view), _own_section(view)]
    return tuple(section for section in sections if section.lines)


def _msg(code: str, /, **args: Any) -> Msg:
    return Msg(f"risk_europe.view.{code}", **args)


def _seat(colour: str) -> Msg:
    return Msg(f"risk_europe.seat.{colour}")


def _situation(view: View) -> Section:
    lines = [words.phase_name(view["phase"])]
    if view["round"]:
        lines.append(_msg("target", crowns=words.crowns(view["target"])))
        lines.append(_msg("order", armies=[_seat(colour) for colour in view["order"]]))
    if view["marker"]:
        lines.append(_msg("marker", army=_seat(view["marker"])))
    if card := view["card"]:
        lines.append(_msg("card", army=_seat(card["army"]), card=words.card(card["card"])))
    if battle := view["battle"]:
        lines.append(_battle_line(battle))
    lines.append(_msg("reserve", **view["reserve"]))
    return Section(_msg("situation"), tuple(lines))


def _battle_line(battle: dict[str, Any]) -> Msg:
    return _msg(
        "battle",
        at=words.TERRITORY[NUMBER[battle["at"]]],
        attacker=_seat(battle["attacker"]),
        defender=_seat(battle["defender"]),
        rank=Msg(f"risk_europe.rank.{battle['rank']}"),
        attacker_dice=words.dice(tuple(battle["attacker_dice"])),
        defender_dice=words.dice(tuple(battle["defender_dice"])),
    )


def _army_section(view: View, colour: str) -> Section:
    army = view["armies"][colour]
    title = _seat(colour)
    if army["out"]:
        return Section(title, (_msg("out", n=army["out"]),))
    lines = [
        _msg("standing", crowns=words.crowns(army["crowns"]), coins=words.coins(army["coins"]))
    ]
    if army["controller"]:
        lines.append(_msg("controller", army=_seat(army["controller"])))
    shields = [
        _msg("shield" if shield["works"] else "shield_later", city=_city(city))
        for city, shield in view["shields"].items()
        if shield["holder"] == colour
    ]
    if shields:
        lines.append(_msg("shields", shields=shields))
    lines += [
        _msg("completed", crown=words.crown(done["card"]), bonus=_bonus(done))
        for done in army["completed"]
    ]
    if army["missions"]:
        lines.append(_msg("missions", n=army["missions"]))
    if army["saved"]:
        lines.append(_msg("saved"))
    if army["discard"] or army["shown"]:
        cards = [words.card(card) for card in army["discard"] + army["shown"]]
        lines.append(_msg("played", cards=cards))
    lands = view["territories"].items()
    lines += [_land(name, land) for name, land in lands if land["owner"] == colour]
    return Section(title, tuple(lines))


def _city(city: str) -> Msg:
    return Msg(f"risk_europe.city.{city}")


def _bonus(done: dict[str, Any]) -> Msg:
    return words.bonus(plain.load(packs.Bonus, done["bonus"]))


def _place(name: str, land: dict[str, Any]) -> Msg:
    at = words.TERRITORY[NUMBER[name]]
    if land["city"]:
        at = Msg("risk_europe.city_at", city=_city(land["city"]), at=at)
    return _msg("with_castle", at=at) if land["castle"] else at


def _land(name: str, land: dict[str, Any]) -> Msg:
    place = _place(name, land)
    units = words.units(_tuple(land["units"]))
    if land["attacker"] is None:
        return _msg("land", at=place, units=units)
    enemy = land["attacker"]
    foes = words.units(_tuple(enemy["units"]))
    return _msg("disputed", at=place, units=units, army=_seat(enemy["army"]), foes=foes)


def _tuple(units: dict[str, int]) -> Units:
    return (units["footman"], units["archer"], units["cavalry"], units["siege"])


def _empty_lands(view: View) -> Section:
    """Unclaimed territories worth knowing: cities and castles."""
    lands = view["territories"].items()
    lines = [
        _place(name, land)
        for name, land in lands
        if land["owner"] is None and (land["city"] or land["castle"])
    ]
    return Section(_msg("unclaimed"), tuple(lines))


def _own_section(view: View) -> Section:
    own = view["own"]
    if own is None:
        return Section(_msg("own"), ())
    lines = []
    if own["hand"]:
        lines.append(_msg("hand", cards=[words.card(card) for card in own["hand"]]))
    if own["stack"]:
        lines.append(_msg("stack", cards=[words.card(card) for card in own["stack"]]))
    if own["bid"] is not None:
        lines.append(_msg("bid", coins=words.coins(own["bid"])))
    for held in own["missions"]:
        mission = words.mission(plain.load(packs.Mission, held["mission"]))
        texts = {"mission": mission, "bonus": _bonus(held)}
        lines.append(_msg("mission", crown=words.crown(held["card"]), **texts))
    return Section(_msg("own"), tuple(lines))
