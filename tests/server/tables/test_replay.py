"""A table in memory: moves after which all choose at once, and the phases of its log."""

import random

import pytest
import sparks

from powderkeg.core.chance import CHANCE
from powderkeg.games import find_game
from powderkeg.server.tables.replay import LogLine, ReplayedGame, resume_replay, roll_opening


def play_until_all_choose(name: str, *, anonymous: bool) -> tuple[ReplayedGame, list[LogLine], str]:
    """The game, its log, and the seat whose move made in turn has just led to a choice of all."""
    game = sparks if name == "sparks" else find_game(name)
    for seed in range(20):
        rng = random.Random(seed)
        current = resume_replay(game, game.players[-1], game.Options(), b"k", state=None, length=0)
        current.anonymous = anonymous
        lines = roll_opening(current, 0.0)
        while asked := sorted(current.table.to_act - {CHANCE}):
            seat = rng.choice(asked)
            lines += current.act(seat, str(current.table.legal(seat).sample(rng)), 0.0)
            last = lines[-1].entry.seat
            if len(asked) == 1 and len(current.table.to_act) > 1 and last != CHANCE:
                return current, lines, seat
    raise AssertionError("it never happened")


@pytest.mark.parametrize("name", ["sparks", "risk_europe"])
def test_at_an_anonymous_table_it_is_final_so_that_its_undo_shows_nobody_who_has_chosen(name: str):
    current, lines, seat = play_until_all_choose(name, anonymous=True)
    assert current.together  # so nobody sees the choices of others
    assert not current.table.can_undo(seat)
    again = resume_replay(
        current.table.game,
        len(current.table.seats),
        current.table.options,
        b"k",
        state=None,
        length=0,
    )
    for line in lines:
        again.enter(line.entry, barrier=line.barrier)
    assert (again.base, again.together, again.table.can_undo(seat)) == (current.base, True, False)


def test_at_any_other_table_it_can_be_taken_back():
    current, _, seat = play_until_all_choose("risk_europe", anonymous=False)
    assert current.table.can_undo(seat)


def test_every_line_has_the_phase_that_follows_it_though_dice_end_several_at_once():
    """A lone battle begins with the last card and is fought by dice alone."""
    game, rng = find_game("risk_europe"), random.Random(3)
    live, again = (resume_replay(game, 4, game.Options(), b"k", state=None, length=0) for _ in "12")
    lines = roll_opening(live, 0.0)
    while (asked := live.table.to_act) and live.table.state.round < 12:
        seat = min(asked, key=live.table.seats.index)
        lines += live.act(seat, str(live.table.legal(seat).sample(rng)), 0.0)
    for line in lines:
        again.enter(line.entry, barrier=line.barrier)
        assert line.phase == again.phase
        opens = [fact.opens for fact in line.facts if fact.opens]
        assert opens[-1:] in ([], [line.phase])
    opened = [fact.msg.code for line in lines for fact in line.facts if fact.opens]
    assert {"risk_europe.round", "risk_europe.revealed", "risk_europe.battle_begins"} <= {*opened}
