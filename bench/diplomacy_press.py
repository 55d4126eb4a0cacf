"""What talk is worth: some seats with an envoy, the others silent, all of one level.

    python bench/diplomacy_press.py talk.jsonl [--level normal] [--talkers 3] [--seeds 20] [--last 1907]

Every seed is played from every seat: the talkers sit side by side and move on by one seat each time.
In silence the seven games of a seed would be the same game, in which the seats share what there is:
a seat without talk gets a seventh on average, and the bench reports how much more the talkers get,
in points of the sum of squares. Seeds are the blocks of the interval. The file keeps a line for each
seed; starting a run again continues it. With `--honest` nobody breaks a deal, however much it pays.
"""

import argparse
import json
import math
import random
from collections import Counter
from pathlib import Path
from typing import Any

from powderkeg import bots
from powderkeg.bots.arena import tournament
from powderkeg.bots.diplomacy.numbers.engine import find_engine
from powderkeg.bots.diplomacy.press import negotiation
from powderkeg.bots.diplomacy.press.commitments import offer_parts
from powderkeg.bots.diplomacy.press.daide import Letter, parse_offer
from powderkeg.bots.diplomacy.press.memory import EnvoyMemory
from powderkeg.core.chance import Seeded
from powderkeg.core.table import Table
from powderkeg.games import diplomacy


class Talks:
    """The envoys of one game, and what comes of them."""

    def __init__(self, table: Table, talkers: list[str], seed: int, *, honest: bool) -> None:
        self.table, self.seed, self.honest = table, seed, honest
        self.memories = {seat: EnvoyMemory() for seat in talkers}
        self.counts: Counter[str] = Counter()

    def begin(self, phase: str) -> None:
        """A movement begins: everybody speaks, and all is answered."""
        for speaker in self.memories:
            if speaker in self.table.to_act:
                rng = random.Random(f"{self.seed}/{phase}/{speaker}")
                before = self.memories[speaker]
                said, now = negotiation.propose_deals(self.table.view(speaker), before, rng)
                self.memories[speaker] = now
                self._judged(before, now)
                self._deliver(said, rng)

    def _judged(self, before: EnvoyMemory, now: EnvoyMemory) -> None:
        for word, then, new in (
            ("kept", before.kept, now.kept),
            ("broken", before.broken, now.broken),
        ):
            self.counts[word] += sum(n > then.get(who, 0.0) for who, n in new.items())

    def _deliver(self, letters: list[Letter], rng: random.Random) -> None:
        while letters:
            letter = letters.pop(0)
            for to in letter.to:
                if to in self.memories:
                    before = self.memories[to].deals
                    heard = negotiation.answer_letter(
                        self.table.view(to), self.memories[to], letter, rng
                    )
                    more, self.memories[to] = heard
                    made = set(self.memories[to].deals) - set(before)
                    self.counts.update(_kind(deal.offer) for deal in made)
                    letters += more

    def view(self, seat: str) -> dict[str, Any]:
        view = dict(self.table.view(seat))
        if seat in self.memories:
            luck = None if self.honest else random.Random(f"{self.seed}/{view['phase']}/{seat}")
            view["pledges"] = negotiation.deal_promises(view, self.memories[seat], luck)
        return view


def _kind(offer: str) -> str:
    return "+".join(type(part).__name__.lower() for part in offer_parts(parse_offer(offer)))


def play(level: str, talkers: list[str], seed: int, last: int, *, honest: bool) -> Talks:
    options = diplomacy.Options(last_year=last)
    table = Table(diplomacy, 7, options, source=Seeded(random.Random(seed)))
    minds = {seat: bots.find_bot(diplomacy, level).exact() for seat in table.seats}
    talks = Talks(table, talkers, seed, honest=honest)
    phase, number = "", dict.fromkeys(table.seats, 0)
    while acting := table.to_act:
        if (now := table.view(None)["phase"]) != phase:
            phase = now
            if phase.endswith("M"):
                talks.begin(phase)
        seat = min(acting, key=table.seats.index)
        question = table.ask(seat)
        assert question is not None  # noqa: S101  # every seat that must act is asked
        rng = random.Random(f"{seed}/{seat}/{number[seat]}")
        number[seat] += 1
        table.act(seat, minds[seat](talks.view(seat), question, table.legal(seat), rng))
    return talks


def block(level: str, talkers: int, seed: int, last: int, *, honest: bool) -> dict[str, Any]:
    """The seven games of a seed: how much a seat that talks gets more than a seventh."""
    seats = diplomacy.seats(7, diplomacy.Options())
    gains, counts = [], Counter[str]()
    for first in range(7):
        who = [seats[(first + i) % 7] for i in range(talkers)]
        talks = play(level, who, seed, last, honest=honest)
        table = talks.table
        shares = tournament.final_shares(diplomacy, table.state, table.seats)
        gains.append(math.fsum(shares[s] for s in who) / len(who) - 1 / 7)
        counts += talks.counts
    return {"seed": seed, "gain": math.fsum(gains) / 7, "counts": dict(counts)}


def result_table(rows: list[dict[str, Any]]) -> str:
    gains, games = [row["gain"] for row in rows], 7 * len(rows)
    mean = math.fsum(gains) / len(gains)
    spread = math.sqrt(math.fsum((g - mean) ** 2 for g in gains) / max(1, len(gains) - 1))
    error = 196 * spread / math.sqrt(len(gains))
    counts: Counter[str] = Counter()
    for row in rows:
        counts.update(row["counts"])
    each = ", ".join(f"{name} {n / games:.1f}" for name, n in sorted(counts.items()))
    return f"{games} games: {100 * mean:+.2f} +- {error:.2f} points (95%, by seeds)\na game: {each}"


def main() -> None:
    args = argparse.ArgumentParser()
    args.add_argument("file", type=Path)
    args.add_argument("--level", default="normal")
    args.add_argument("--talkers", type=int, default=3)
    args.add_argument("--seeds", type=int, default=20)
    args.add_argument("--last", type=int, default=1907)
    args.add_argument("--honest", action="store_true")
    given = args.parse_args()
    find_engine(wait=True)  # what is compiled later gives the same, but not the same speed
    lines = given.file.read_text().splitlines() if given.file.exists() else []
    rows = [json.loads(line) for line in lines]
    for seed in range(given.seeds):
        if seed not in {row["seed"] for row in rows}:
            row = block(given.level, given.talkers, seed, given.last, honest=given.honest)
            rows.append(row)
            with given.file.open("a") as file:
                file.write(json.dumps(row) + "\n")
    print(result_table(rows))


if __name__ == "__main__":
    main()
