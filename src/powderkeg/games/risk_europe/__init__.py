"""Risk Europe, for two to four players."""

from powderkeg.core.game import equal_shares as agreed_scores
from powderkeg.core.game import no_upgrade as upgrade_options
from powderkeg.core.game import wire_reader
from powderkeg.games.risk_europe.actions import parse
from powderkeg.games.risk_europe.describe import describe
from powderkeg.games.risk_europe.flow import (
    apply,
    ask,
    default,
    legal,
    result,
    seats,
    start,
    to_act,
)
from powderkeg.games.risk_europe.invariants import broken
from powderkeg.games.risk_europe.report import captions, scenes, score
from powderkeg.games.risk_europe.state import Options, State
from powderkeg.games.risk_europe.view import deal, marks, standing, view
from powderkeg.games.risk_europe.words import phase_name

name = "risk_europe"
version = 1
players = range(2, 5)
stages = ()
read = wire_reader(parse)

__all__ = [
    "Options",
    "State",
    "agreed_scores",
    "apply",
    "ask",
    "broken",
    "captions",
    "deal",
    "default",
    "describe",
    "legal",
    "marks",
    "name",
    "parse",
    "phase_name",
    "players",
    "read",
    "result",
    "scenes",
    "score",
    "seats",
    "stages",
    "standing",
    "start",
    "to_act",
    "upgrade_options",
    "version",
    "view",
]
