"""A view in words: for the terminal, for readers who cannot see the board, for models."""

from typing import Any

from powderkeg.core import plain
from powderkeg.core.game import Section, View
from powderkeg.core.words import Msg
from powderkeg.games.risk_europe import words
from powderkeg.games.risk_europe.board import TERRITORY_NUMBER, Units
from powderkeg.games.risk_europe.cards import pack


def describe(view: View) -> tuple[Section, ...]:
    armies = [_army_section(view, colour) for colour in view["armies"]]
    sections = [_situation_section(view), *armies, _empty_section(view), _own_section(view)]
    return tuple(section for section in sections if section.lines)


def _view_message(code: str, /, **args: Any) -> Msg:
    return Msg(f"risk_europe.view.{code}", **args)


def _colour_name(colour: str) -> Msg:
    return Msg(f"risk_europe.seat.{colour}")


def _situation_section(view: View) -> Section:
    lines = [words.phase_name(view["phase"])]
    if view["seat"] is not None:
        lines.append(_view_message("you", army=_colour_name(view["seat"])))
    if view["round"]:
        lines.append(_view_message("target", crowns=words.crown_count(view["target"])))
        lines.append(
            _view_message("order", armies=[_colour_name(colour) for colour in view["order"]])
        )
    if view["marker"]:
        lines.append(_view_message("marker", army=_colour_name(view["marker"])))
    if card := view["card"]:
        lines.append(
            _view_message(
                "card", army=_colour_name(card["army"]), card=words.king_card_name(card["card"])
            )
        )
    if battle := view["battle"]:
        lines.append(_battle_line(battle))
    lines.append(_view_message("reserve", **view["reserve"]))
    return Section(_view_message("situation"), tuple(lines))


def _battle_line(battle: dict[str, Any]) -> Msg:
    return _view_message(
        "battle",
        at=words.TERRITORY_NAME[TERRITORY_NUMBER[battle["at"]]],
        attacker=_colour_name(battle["attacker"]),
        defender=_colour_name(battle["defender"]),
        rank=Msg(f"risk_europe.rank.{battle['rank']}"),
        attacker_dice=words.dice_text(tuple(battle["attacker_dice"])),
        defender_dice=words.dice_text(tuple(battle["defender_dice"])),
    )


def _army_section(view: View, colour: str) -> Section:
    army = view["armies"][colour]
    title = _colour_name(colour)
    if army["out"]:
        return Section(title, (_view_message("out", n=army["out"]),))
    lines = [
        _view_message(
            "standing",
            crowns=words.crown_count(army["crowns"]),
            coins=words.coin_count(army["coins"]),
        )
    ]
    if army["controller"]:
        lines.append(_view_message("controller", army=_colour_name(army["controller"])))
    shields = [
        _view_message("shield" if shield["works"] else "shield_later", city=_city_name(city))
        for city, shield in view["shields"].items()
        if shield["holder"] == colour
    ]
    if shields:
        lines.append(_view_message("shields", shields=shields))
    lines += [
        _view_message(
            "completed", crown=words.crown_name(done["card"]), bonus=_completed_bonus(done)
        )
        for done in army["completed"]
    ]
    if army["missions"]:
        lines.append(_view_message("missions", n=army["missions"]))
    if army["saved"]:
        lines.append(_view_message("saved"))
    if army["discard"] or army["shown"]:
        cards = [words.king_card_name(card) for card in army["discard"] + army["shown"]]
        lines.append(_view_message("played", cards=cards))
    lands = view["territories"].items()
    lines += [_land_line(name, land) for name, land in lands if land["owner"] == colour]
    return Section(title, tuple(lines))


def _city_name(city: str) -> Msg:
    return Msg(f"risk_europe.city.{city}")


def _completed_bonus(done: dict[str, Any]) -> Msg:
    return words.bonus_text(plain.load(pack.Bonus, done["bonus"]))


def _land_name(name: str, land: dict[str, Any]) -> Msg:
    at = words.TERRITORY_NAME[TERRITORY_NUMBER[name]]
    if land["city"]:
        at = Msg("risk_europe.city_at", city=_city_name(land["city"]), at=at)
    return _view_message("with_castle", at=at) if land["castle"] else at


def _land_line(name: str, land: dict[str, Any]) -> Msg:
    place = _land_name(name, land)
    units = words.unit_list(_units_tuple(land["units"]))
    if land["attacker"] is None:
        return _view_message("land", at=place, units=units)
    enemy = land["attacker"]
    foes = words.unit_list(_units_tuple(enemy["units"]))
    return _view_message(
        "disputed", at=place, units=units, army=_colour_name(enemy["army"]), foes=foes
    )


def _units_tuple(units: dict[str, int]) -> Units:
    return (units["footman"], units["archer"], units["cavalry"], units["siege"])


def _empty_section(view: View) -> Section:
    """Unclaimed territories worth knowing: cities and castles."""
    lands = view["territories"].items()
    lines = [
        _land_name(name, land)
        for name, land in lands
        if land["owner"] is None and (land["city"] or land["castle"])
    ]
    return Section(_view_message("unclaimed"), tuple(lines))


def _own_section(view: View) -> Section:
    own = view["own"]
    if own is None:
        return Section(_view_message("own"), ())
    lines = []
    if own["hand"]:
        lines.append(
            _view_message("hand", cards=[words.king_card_name(card) for card in own["hand"]])
        )
    if own["stack"]:
        lines.append(
            _view_message("stack", cards=[words.king_card_name(card) for card in own["stack"]])
        )
    if own["bid"] is not None:
        lines.append(_view_message("bid", coins=words.coin_count(own["bid"])))
    for held in own["missions"]:
        mission = words.mission_text(plain.load(pack.Mission, held["mission"]))
        texts = {"mission": mission, "bonus": _completed_bonus(held)}
        lines.append(_view_message("mission", crown=words.crown_name(held["card"]), **texts))
    return Section(_view_message("own"), tuple(lines))
