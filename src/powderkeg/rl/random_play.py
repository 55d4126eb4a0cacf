"""Random games, decision by decision."""

import random
from collections.abc import Iterator

from powderkeg.bots import levels
from powderkeg.core.game import Seat
from powderkeg.core.table import Table


def random_decisions(table: Table, rng: random.Random, most: int) -> Iterator[Seat]:
    """The seat that is about to decide, again and again; each decides at random. Stops at the end of
    the game, or when its log has `most` entries."""
    bot = levels.find_bot(table.game, "random")
    while (acting := table.to_act) and len(table.log) < most:
        seat = min(acting)
        yield seat
        question = table.ask(seat)
        assert question is not None, "every seat that must act is asked"  # noqa: S101  # the contract
        table.act(seat, bot(table.view(seat), question, table.legal(seat), rng))
