"""What a language model must know about Risk Europe besides the rules: the goal and the map."""

from functools import cache

from powderkeg.bots.game_bots import GameBriefing
from powderkeg.core.game import Section, View
from powderkeg.core.words import Msg
from powderkeg.games.risk_europe.board import (
    ADJACENT,
    ADJACENT_BY_LAND,
    TARGETS,
    TERRITORIES,
    TERRITORY_NAMES,
)
from powderkeg.games.risk_europe.words import TERRITORY_NAME

GROUPS_BY_PLAYERS = {3: "R-3P", 2: "R-2P"}


def brief_player(view: View) -> GameBriefing:
    """The goal at this table, and which territories are neighbours."""
    options, target = view["state"]["options"], view["target"]
    goal = [Msg("bots.brief.risk_europe.goal", n=target)]
    if rounds := options["rounds"]:
        goal.append(Msg("bots.brief.risk_europe.rounds", n=rounds))
    sections = (Section(Msg("bots.brief.goal"), tuple(goal)), _map_section())
    skipped = {group for n, group in GROUPS_BY_PLAYERS.items() if TARGETS[n] != target}
    return GameBriefing(
        sections, frozenset(skipped | (set() if options["missions"] else {"R-MISSION"}))
    )


@cache
def _map_section() -> Section:
    lines = [Msg("bots.brief.risk_europe.map"), *map(_territory_line, range(len(TERRITORIES)))]
    return Section(Msg("bots.brief.map"), tuple(lines))


def _territory_line(at: int) -> Msg:
    land = TERRITORIES[at]
    city = f" [{land.city} {'gold' if land.gold else 'black'} {land.tax}]" if land.city else ""
    sea = set(ADJACENT[at]) - set(ADJACENT_BY_LAND[at])
    ways = " ".join(f"{TERRITORY_NAMES[n]}{'~' if n in sea else ''}" for n in ADJACENT[at])
    name = TERRITORY_NAME[at]
    return Msg("bots.brief.place", id=land.name, name=name, what=city, ways=ways)
