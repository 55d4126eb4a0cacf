"""What a language model must know about Diplomacy besides the rules: the goal and the map."""

from functools import cache

from powderkeg.bots.game_bots import GameBriefing
from powderkeg.core import plain
from powderkeg.core.game import Section, View
from powderkeg.core.words import Msg
from powderkeg.games.diplomacy.board import ARMY_MOVES, FLEET_MOVES, LOCATIONS, POWERS, PROVINCES
from powderkeg.games.diplomacy.state import Options, is_duel
from powderkeg.games.diplomacy.words import place_name


def brief_player(view: View) -> GameBriefing:
    """The goal at this table, and where every unit can go."""
    goal = [Msg("bots.brief.diplomacy.goal", n=view["target"])]
    if last := view["options"]["last_year"]:
        goal.append(Msg("bots.brief.diplomacy.last_year", year=last))
    sections = (Section(Msg("bots.brief.goal"), tuple(goal)), _map_section())
    skipped = {"D-GM"} | (set() if _shares_powers(view) else {"D-ALT"})
    return GameBriefing(sections, frozenset(skipped))


def _shares_powers(view: View) -> bool:
    """Whether the rules for fewer players hold here: they say nothing about a duel."""
    players = len(view["seats"])
    return players < len(POWERS) and not is_duel(players, plain.load(Options, view["options"]))


@cache
def _map_section() -> Section:
    lines = [Msg("bots.brief.diplomacy.map"), *map(_place_line, LOCATIONS)]
    return Section(Msg("bots.brief.map"), tuple(lines))


def _place_line(at: str) -> Msg:
    province = PROVINCES[at[:3]]
    home = f" {province.home}" if province.home else ""
    centre = f" [*{home}]" if province.centre and at == province.code else ""
    moves = {"A": ARMY_MOVES.get(at, ()), "F": FLEET_MOVES.get(at, ())}
    ways = "; ".join(f"{kind}: {' '.join(places)}" for kind, places in moves.items() if places)
    return Msg("bots.brief.place", id=at, name=place_name(at), what=centre, ways=ways)
