"""What talk is worth: some seats with an envoy, the others silent, all of one level.

    python bench/diplomacy_talk.py [--level normal] [--talkers 3] [--seeds 5] [--last 1907]

Every seed is played from every seat: the talkers sit side by side and move on by one seat each time.
The same games are played again with everybody silent; what is told is the share of the sum of
squares of the seats that talk, and of the same seats when they do not.
"""

import argparse
import math
import random
from typing import Any

from powderkeg import bots
from powderkeg.bots import arena
from powderkeg.bots.diplomacy import talk
from powderkeg.bots.diplomacy.daide import Letter
from powderkeg.bots.diplomacy.talk import Memory
from powderkeg.core.chance import Seeded
from powderkeg.core.table import Table
from powderkeg.games import diplomacy


def deliver(table: Table, memories: dict[str, Memory], letters: list[Letter], rng: Any) -> int:
    """Letters and their answers, until nobody has anything to say; how many deals were agreed."""
    agreed = 0
    while letters:
        letter = letters.pop(0)
        for to in letter.to:
            if to in memories:
                before = memories[to].deals
                more, memories[to] = talk.hear(table.view(to), memories[to], letter, rng)
                agreed += memories[to].deals != before
                letters += more
    return agreed


def play(level: str, talkers: frozenset[str], seed: int, last: int) -> tuple[Table, int]:
    table = Table(
        diplomacy, 7, diplomacy.Options(last_year=last), source=Seeded(random.Random(seed))
    )
    minds = {seat: bots.find(diplomacy, level).exact() for seat in table.seats}
    memories = {seat: Memory() for seat in sorted(talkers)}
    phase, deals, number = "", 0, dict.fromkeys(table.seats, 0)
    while acting := table.to_act:
        seat = min(acting, key=table.seats.index)
        if table.view(None)["phase"] != phase:
            phase = table.view(None)["phase"]
            for speaker in sorted(talkers & acting) if phase.endswith("M") else ():
                rng = random.Random(f"{seed}/{phase}/{speaker}")
                said, memories[speaker] = talk.speak(table.view(speaker), memories[speaker], rng)
                deals += deliver(table, memories, said, rng)
        view = dict(table.view(seat))
        if seat in memories:
            view["pledges"] = talk.pledges(view, memories[seat])
        question = table.ask(seat)
        assert question is not None  # noqa: S101  # whoever must act is asked
        rng = random.Random(f"{seed}/{seat}/{number[seat]}")
        number[seat] += 1
        table.act(seat, minds[seat](view, question, table.legal(seat), rng))
    return table, deals


def main() -> None:
    args = argparse.ArgumentParser()
    args.add_argument("--level", default="normal")
    args.add_argument("--talkers", type=int, default=3)
    args.add_argument("--seeds", type=int, default=5)
    args.add_argument("--last", type=int, default=1907)
    given = args.parse_args()
    gains: list[float] = []
    spoken = silent = 0.0
    deals = 0
    for seed in range(given.seeds):
        quiet, _ = play(given.level, frozenset(), seed, given.last)
        alone = arena.standing(diplomacy, quiet.state, quiet.seats)
        block = []
        for first in range(7):
            who = frozenset(quiet.seats[(first + i) % 7] for i in range(given.talkers))
            table, agreed = play(given.level, who, seed, given.last)
            shares = arena.standing(diplomacy, table.state, table.seats)
            block.append(math.fsum(shares[s] - alone[s] for s in who) / len(who))
            spoken += math.fsum(shares[s] for s in who) / len(who)
            silent += math.fsum(alone[s] for s in who) / len(who)
            deals += agreed
        gains.append(math.fsum(block) / len(block))
    games = 7 * given.seeds
    mean = math.fsum(gains) / len(gains)
    spread = math.sqrt(math.fsum((g - mean) ** 2 for g in gains) / max(1, len(gains) - 1))
    print(f"{given.level}, {given.talkers} of 7 talk, to {given.last}: {games} games")
    print(f"share of a seat that talks {spoken / games:.3f}, silent {silent / games:.3f}")
    print(f"gain {mean:+.4f} +- {1.96 * spread / math.sqrt(len(gains)):.4f} (95%, by seeds)")
    print(f"deals agreed a game {deals / games:.1f}")


if __name__ == "__main__":
    main()
