"""How much the levels play like people: the share of their orders that each level would have given.

    python bench/human_games.py FILE ... [--levels easy normal hard] [--games N]

The files are Diplomacy games in any form that Powderkeg reads (docs/guides/archives.md); games that cannot
be opened are named and left out. The second table has the kinds of orders that winners gave, and those
that the level would have given in their place.
"""

import argparse
import itertools
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import powderkeg
from powderkeg import bots, games
from powderkeg.bots.diplomacy.human_orders import OrderTally, compare_orders, human_turns
from powderkeg.core.game_files import decode_game_file
from powderkeg.core.record import Record
from powderkeg.core.words import say

KINDS = ("move", "support", "hold", "convoy")


def read_games(paths: list[Path]) -> Iterator[Record]:
    """The Diplomacy games in some files."""
    for path in paths:
        for found in games.open_game_files(decode_game_file(path.read_bytes())):
            if found.record is None:
                print(
                    f"{path.name} {found.name}: {say(found.problem.msg) if found.problem else ''}"
                )
            elif found.record.header.game == "diplomacy":
                yield found.record


def percent(part: int, whole: int) -> str:
    return f"{100 * part / whole:.1f}%" if whole else "-"


def kind_cells(kinds: Counter[str]) -> str:
    return " / ".join(percent(kinds[kind], kinds.total()) for kind in KINDS)


def report_rows(found: dict[str, tuple[OrderTally, OrderTally]]) -> str:
    """Two tables: how many orders are the same, and where winners differ."""
    lines = [
        "| level | orders | the same | orders of winners | the same |",
        "|---|---|---|---|---|",
    ]
    for level, (all_of, won) in found.items():
        same, same_won = percent(all_of.same, all_of.orders), percent(won.same, won.orders)
        lines.append(f"| {level} | {all_of.orders} | {same} | {won.orders} | {same_won} |")
    lines += ["", f"| level | winners: {' / '.join(KINDS)} | the level there |", "|---|---|---|"]
    for level, (_, won) in found.items():
        lines.append(f"| {level} | {kind_cells(won.human)} | {kind_cells(won.bot)} |")
    return "\n".join(lines)


def compare_levels(records: list[Record], levels: list[str]) -> str:
    found = {}
    for level in levels:
        bot = bots.find_bot("diplomacy", level).exact()
        turns = itertools.chain.from_iterable(map(human_turns, records))
        found[level] = compare_orders(bot, turns)
    return report_rows(found)


def main() -> None:
    args = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    args.add_argument("files", nargs="+", type=Path)
    args.add_argument("--levels", nargs="+", default=["random", "easy", "normal", "hard"])
    args.add_argument("--games", type=int, default=None)
    given = args.parse_args()
    records = list(itertools.islice(read_games(given.files), given.games))
    if not records:
        args.error("no game of Diplomacy could be read")
    print(f"{len(records)} games, Powderkeg {powderkeg.__version__}\n")
    print(compare_levels(records, given.levels))


if __name__ == "__main__":
    main()
