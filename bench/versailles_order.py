"""Whether a place in the order of turns wins more than its share between equal bots of Versailles 1919.

    python bench/versailles_order.py FILE --level expert --lines 64 --games 200
    python bench/versailles_order.py FILE --level rollouts --games 10000 [--pack flat.toml]
    python bench/versailles_order.py FILE --report

All seats are played by one level, with `--lines` as its budget: the expert's own would take days. *rollouts*
are the players in the expert's lines, compiled: they make the commonest deals, and do not search. Every game
has a seed of its own and is a line of FILE; a run that was stopped goes on when the same command is given
again. The chance in the report is that of the luckiest among equal places.
"""

import argparse
import json
import random
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from statistics import mean
from typing import Any, NamedTuple

from powderkeg import bots
from powderkeg.bots.engine.budget import Budget
from powderkeg.bots.process import guard
from powderkeg.bots.seats.turn_order import TurnOrder
from powderkeg.bots.versailles.levels import JUDGE
from powderkeg.bots.versailles.line_search import LAST_TURN, find_lines
from powderkeg.cli.cards.packs import expand_option
from powderkeg.core.chance import Seeded
from powderkeg.core.table import Table
from powderkeg.games import versailles as game
from powderkeg.games.versailles.fast.boards import TreatyBoard
from powderkeg.games.versailles.rules.score import score_sheet
from powderkeg.games.versailles.state import Options, State

DRAWS = 2_000  # tables of equal places that the best place is compared with


class Players(NamedTuple):
    """How many there are, of which level, with how many lines, and the cards."""

    seats: int
    level: str
    lines: int
    options: Options


def play(seed: int, players: Players) -> dict[str, Any]:
    """One game: what every place in the order of turns came to."""
    end = roll_out(seed, players) if players.level == "rollouts" else think_out(seed, players)
    return {"seed": seed, **places(end)}


def think_out(seed: int, players: Players) -> State:
    """The end of a game between bots of a level."""
    source = Seeded(random.Random(f"order/{seed}"))
    table = Table(game, players.seats, players.options, source=source)
    bot = bots.find_bot(game, players.level, Budget(players.lines))
    order = TurnOrder(game, table.seats)
    while asked := order.next_seats(table.state):
        said = guard.decide_here(game, table.state, asked[0], bot, f"{seed}/{len(table.log)}")
        if said.fault:
            raise SystemExit(f"seed {seed}: {said.fault}")
        table.act(asked[0], said.action)
    end: State = table.state
    return end


def roll_out(seed: int, players: Players) -> State:
    """The end of a game between the players of the expert's lines."""
    if (player := find_lines(JUDGE, wait=True)) is None:
        raise SystemExit("rollouts need the extra `fast`")
    start = game.start(game.seats(players.seats, players.options), players.options)
    luck = random.Random(f"order/{seed}").randrange(1, 1 << 63)
    player.roll_out(start, (), [luck], LAST_TURN, 1)
    return TreatyBoard(player.boards[0], start.options, start.seats).state()


def places(p: State) -> dict[str, Any]:
    """The numbers of a finished game, by place in the order of turns."""
    result = game.result(p)
    if result is None:
        raise SystemExit("a game without an end")
    turns = [(p.first + n) % len(p.seats) for n in range(len(p.seats))]
    nations = [p.order[at] for at in turns]
    won = [(p.seats[at] in result.winners) / len(result.winners) for at in turns]
    return {
        "turns": p.turn,
        "wins": won,
        "points": [int(result.scores[p.seats[at]]) for at in turns],
        "happiness": [p.happiness[n] for n in nations],
        "rank points": [score_sheet(p, n).happiness for n in nations],
        "units": [p.ready[n] + p.spent[n] + p.posts.count(n) for n in nations],
    }


def luck_of_best(wins: Sequence[float], games: int) -> float:
    """The chance that the luckiest of equal places wins at least as often as the best one here."""
    rng, seats = random.Random(0), range(len(wins))
    drawn = (max(Counter(rng.choices(seats, k=games)).values()) for _ in range(DRAWS))
    return sum(each >= max(wins) for each in drawn) / DRAWS


def report(played: list[dict[str, Any]]) -> None:
    wins = [sum(each) for each in zip(*(g["wins"] for g in played), strict=True)]
    print(f"{len(played)} games, {mean(g['turns'] for g in played):.0f} turns each")
    print("wins by place:", " / ".join(f"{n:g}" for n in wins))
    print("in percent:", " / ".join(f"{100 * n / len(played):.1f}" for n in wins))
    print(f"chance of such a best place among equal ones: {luck_of_best(wins, len(played)):.3f}")
    for name in ("points", "happiness", "rank points", "units"):
        means = (mean(each) for each in zip(*(g[name] for g in played), strict=True))
        print(f"{name}:", " / ".join(f"{n:.1f}" for n in means))


def main() -> None:
    args = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    args.add_argument("file", type=Path)
    args.add_argument("--games", type=int, default=200)
    args.add_argument("--lines", type=int, default=64)
    args.add_argument("--level", default="expert")
    args.add_argument("--players", type=int, default=4)
    args.add_argument("--pack", default="", help="a TOML file with changes of the cards")
    args.add_argument("--report", action="store_true")
    given = args.parse_args()
    options = Options(pack=expand_option("versailles", "pack", given.pack))
    players = Players(given.players, given.level, given.lines, options)
    text = given.file.read_text("utf-8") if given.file.exists() else ""
    played = [json.loads(line) for line in text.splitlines()]
    for seed in range(len(played), 0 if given.report else given.games):
        played.append(play(seed, players))
        with given.file.open("a", encoding="utf-8") as out:
            out.write(json.dumps(played[-1]) + "\n")
    report(played)


if __name__ == "__main__":
    main()
