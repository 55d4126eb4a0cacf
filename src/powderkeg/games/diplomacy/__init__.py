"""Diplomacy: seven great powers, simultaneous orders, no dice."""

from powderkeg.core.game import no_captions as captions
from powderkeg.core.game import no_upgrade as upgrade_options
from powderkeg.games.diplomacy.actions import parse
from powderkeg.games.diplomacy.ask import ask
from powderkeg.games.diplomacy.describe import describe
from powderkeg.games.diplomacy.flow import apply, default, legal, result, to_act
from powderkeg.games.diplomacy.invariants import broken
from powderkeg.games.diplomacy.notation.typed import read
from powderkeg.games.diplomacy.report import scenes, score
from powderkeg.games.diplomacy.rules.victory import agreed_scores
from powderkeg.games.diplomacy.state import Options, State, seats, start
from powderkeg.games.diplomacy.view import deal, marks, standing, view
from powderkeg.games.diplomacy.words import phase_name

name = "diplomacy"
version = 1
players = range(2, 8)
stages = ("movement", "retreat", "adjustment")

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
