"""A view in words: for the terminal, for readers who cannot see the board, for models."""

from typing import Any

from powderkeg.core import plain
from powderkeg.core.game import Section, View
from powderkeg.core.words import Msg
from powderkeg.games.risk_europe import words
from powderkeg.games.risk_europe.board import NUMBER, Units
from powderkeg.games.risk_europe.cards import pack


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
    return words.bonus(plain.load(pack.Bonus, done["bonus"]))


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
        mission = words.mission(plain.load(pack.Mission, held["mission"]))
        texts = {"mission": mission, "bonus": _bonus(held)}
        lines.append(_msg("mission", crown=words.crown(held["card"]), **texts))
    return Section(_msg("own"), tuple(lines))
