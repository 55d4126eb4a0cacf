"""Scenes of the solitaire game: the human begins as the USA, the UK moves first."""

from dataclasses import replace

from powderkeg.games.versailles.board import NATIONS
from powderkeg.games.versailles.state import Options, StateBuilder
from powderkeg.games.versailles.steps import EndTurn, StartTurn
from tests.games.versailles.scene import lay, midway, opening


def solo(options=Options(), **laid):  # noqa: B008  # a value
    return lay(opening(1, options=replace(options, solo_order="chosen")), **laid)


def turn_of(play, nation):
    """Begin the turn of a faction."""
    b = StateBuilder(play.state)
    b.agenda = (StartTurn(NATIONS.index(nation)),)
    play.state = b.freeze()
    return midway(play)


def bot_step(play, step):
    """Let one step of a bot go on, with the end of its turn behind it."""
    b = StateBuilder(play.state)
    b.agenda = (EndTurn(),)
    b.active = b.acting = step.nation
    play.state = b.freeze()
    return midway(play, step)
