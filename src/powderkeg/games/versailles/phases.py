"""Where the game is: a phase for marks in the log, a stage for clocks of its own.

A phase is one player turn (``turn.12.uk``), so that whoever looks back walks from turn to turn;
before and after the turns it is ``setup`` and ``over``.
"""

from powderkeg.core.game import Marks
from powderkeg.core.words import Msg
from powderkeg.games.versailles import names
from powderkeg.games.versailles.board import NATIONS
from powderkeg.games.versailles.state import State
from powderkeg.games.versailles.steps import (
    Announce,
    Bidding,
    BotPlaces,
    BotReclaims,
    BotSettles,
    ChooseAffected,
    ChooseMutineer,
    ChooseStrategy,
    ChooseUnsettled,
    PlaceSecond,
    RollOff,
    SoloBid,
    SoloWinner,
    Turn,
    UsaTurn,
)

_STAGES: dict[type, str] = {
    Turn: "turn",
    UsaTurn: "turn",
    PlaceSecond: "turn",
    BotSettles: "turn",
    BotPlaces: "turn",
    BotReclaims: "turn",
    Announce: "uprising",
    ChooseAffected: "uprising",
    RollOff: "uprising",
    ChooseUnsettled: "uprising",
    Bidding: "bid",
    SoloBid: "bid",
    SoloWinner: "bid",
    ChooseStrategy: "strategies",
    ChooseMutineer: "mutiny",
}


def marks(state: State) -> Marks:
    """Phase and stage; at this table people may always talk."""
    return Marks(phase(state), stage(state))


def phase(p: State) -> str:
    if p.over:
        return "over"
    return f"turn.{p.turn}.{NATIONS[p.active]}" if p.turn else "setup"


def stage(p: State) -> str:
    """What is going on within the phase; whatever is not named belongs to settling an issue."""
    if p.over or not p.turn:
        return phase(p)
    return _STAGES.get(type(p.agenda[-1]), "settle")


def phase_name(phase: str) -> Msg:
    """A phase in words: ``turn.12.uk`` is *Turn 12, UK*."""
    kind, *rest = phase.split(".")
    if not rest:
        return Msg(f"versailles.phase.{kind}")
    turn, nation = rest
    return Msg("versailles.phase.turn", turn=int(turn), nation=names.NATION[NATIONS.index(nation)])
