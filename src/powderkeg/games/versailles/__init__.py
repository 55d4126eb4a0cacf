"""Versailles 1919 for one to four players."""

from powderkeg.core.notation import wire_reader
from powderkeg.games.versailles.defaults import default
from powderkeg.games.versailles.lines import describe
from powderkeg.games.versailles.phases import marks, phase_name
from powderkeg.games.versailles.questions import ask
from powderkeg.games.versailles.rules import (
    apply,
    legal,
    name,
    parse,
    players,
    result,
    seats,
    start,
    to_act,
    version,
)
from powderkeg.games.versailles.soundness import broken
from powderkeg.games.versailles.state import Options, State
from powderkeg.games.versailles.view import deal, view

read = wire_reader(parse)

__all__ = [
    "Options",
    "State",
    "apply",
    "ask",
    "broken",
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
    "seats",
    "start",
    "to_act",
    "version",
    "view",
]
