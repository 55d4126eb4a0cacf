"""Versailles 1919 for one to four players."""

from powderkeg.core.game import equal_shares as agreed_scores
from powderkeg.core.game import wire_reader
from powderkeg.games.versailles.actions import parse
from powderkeg.games.versailles.describe import captions, describe
from powderkeg.games.versailles.flow import (
    apply,
    ask,
    default,
    legal,
    name,
    players,
    result,
    seats,
    start,
    to_act,
    version,
)
from powderkeg.games.versailles.invariants import broken
from powderkeg.games.versailles.report import scenes, score
from powderkeg.games.versailles.state import Options, State, upgrade_options
from powderkeg.games.versailles.view import deal, marks, standing, view
from powderkeg.games.versailles.words import phase_name

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
