"""Whole games as text: the rulebook's sample game, and seven powers at random."""

import json
import random
from pathlib import Path

import pytest

from powderkeg.core.check import write_transcript
from powderkeg.core.table import Table
from powderkeg.games import diplomacy
from powderkeg.games.diplomacy.actions import Action, Hold, Ready, Waive, parse
from powderkeg.games.diplomacy.state import Options
from powderkeg.games.diplomacy.steps import order_pieces

BOOK = json.loads((Path(__file__).parent / "cases/diagrams.json").read_text(encoding="utf-8"))
SAMPLE = {phase["phase"]: phase["orders"] for phase in BOOK["sample_game"]}


def from_the_book(table: Table, seat: str, rng: random.Random) -> Action:
    """The next printed order that is not written yet."""
    written = {str(order) for order in table.state.drafts.values()}
    printed = map(str, map(parse, SAMPLE.get(table.state.phase, {}).get(seat, [])))
    return next((parse(text) for text in printed if text not in written), Ready())


def one_order_each(table: Table, seat: str, rng: random.Random) -> Action:
    """Any legal order for a piece that has none, then ready."""
    for at, orders in order_pieces(table.state, seat):
        if at[:3] not in table.state.drafts:
            order = rng.choice(orders)
            keeps = table.state.stage == "adjustment" and isinstance(order, Hold | Waive)
            if order in table.legal(seat) and not keeps:
                return order
    return Ready()


@pytest.mark.rule("D-PHASE-02")
def test_the_sample_game_is_recorded(recorded):
    text = write_transcript(diplomacy, 7, cap=166, choose=from_the_book)
    assert text.splitlines()[-1].endswith("Spring 1903, movement. [D-PHASE-01]")
    recorded("diplomacy-sample.txt", text)


@pytest.mark.parametrize(("players", "last_year"), [(7, 1904), (2, 1915)])
def test_playthrough(players, last_year, recorded):
    options = Options(last_year=last_year)
    recorded(
        f"diplomacy-{players}.txt",
        write_transcript(diplomacy, players, options, choose=one_order_each),
    )
