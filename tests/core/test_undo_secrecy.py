"""Whether my last answer can be taken back says nothing about what others did in secret."""

import copy
import random

import pytest
import sparks

from powderkeg.core.chance import CHANCE, Seeded
from powderkeg.core.errors import Illegal
from powderkeg.core.table import Table
from powderkeg.games import GAME_NAMES, find_game

STEPS = 400  # of random play
TWINS = 12  # pairs of tables that are compared in each game


def takes_back(table: Table, seat: str) -> bool:
    """Whether an undo succeeds."""
    try:
        table.undo(seat)
    except Illegal:
        return False
    return True


def act_in_secret(table: Table, seat: str, rng: random.Random) -> bool:
    """Let a seat answer; return whether that revealed nothing."""
    table.act(seat, table.legal(seat).sample(rng))
    return table.can_undo(seat)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["sparks", *GAME_NAMES])
def test_undo_depends_on_my_own_acts_alone(name):
    """Two tables, equal but for what others chose in secret, answer a seat's undo alike."""
    game, rng = sparks if name == "sparks" else find_game(name), random.Random(name)
    table, compared = Table(game, game.players[-1], source=Seeded(rng)), 0
    for _ in range(STEPS):
        asked = sorted(table.to_act - {CHANCE})
        if compared == TWINS:
            break
        if not asked:
            table = Table(game, game.players[-1], source=Seeded(rng))
            continue
        if len(asked) > 1:
            compared += compare_twins(table, asked, rng)
        seat = rng.choice(asked)
        table.act(seat, table.legal(seat).sample(rng))
    assert compared or name == "versailles"  # there seats act one after the other


def compare_twins(table: Table, asked: list[str], rng: random.Random) -> bool:
    """Compare two copies after a seat's act, in one of which others have acted too. Not where the seat
    could still take back an act from before all were asked."""
    mine, *others = rng.sample(asked, len(asked))
    if table.can_undo(mine):
        return False
    quiet = copy.deepcopy(table)
    if rng.random() < 0.7 and not act_in_secret(quiet, mine, rng):
        return False
    busy = copy.deepcopy(quiet)
    for seat in others[: rng.randrange(1, len(others) + 1)]:
        if seat not in busy.to_act or not act_in_secret(busy, seat, rng):
            return False
    assert busy.can_undo(mine) == quiet.can_undo(mine)
    assert takes_back(busy, mine) == takes_back(quiet, mine)
    return True
