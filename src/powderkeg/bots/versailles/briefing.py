"""What a language model must know about Versailles 1919 besides the rules: the goal."""

from powderkeg.bots.game_bots import GameBriefing
from powderkeg.core.game import Section, View
from powderkeg.core.words import Msg


def brief_player(view: View) -> GameBriefing:
    """The goal at this table; there is no map to travel on."""
    solo, players = view["solo"], len(view["players"])
    target = view["state"]["options"]["solo_target"]
    goal = (
        Msg("bots.brief.versailles.solo", n=target) if solo else Msg("bots.brief.versailles.goal")
    )
    lines = (goal, Msg("bots.brief.versailles.words"))
    skipped = ({"V-2P"} if players != 2 else set()) | (set() if solo else {"V-SOLO"})
    return GameBriefing((Section(Msg("bots.brief.goal"), lines),), frozenset(skipped))
