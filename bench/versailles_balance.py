"""How fair the default pack of Versailles 1919 is, between simple bots.

    python bench/versailles_balance.py --games 1000 --write docs   # measure, write page and plots
    python bench/versailles_balance.py --check docs               # is the page out of date?
    python bench/versailles_balance.py --games 200 --pack mine.toml

Three bots. *random* draws a verb first, every verb alike, then the rest. *normal* and *hard* are the
first thoughts of the levels of that name (`powderkeg.bots.versailles`): *normal* with weights set by
hand, *hard* with learnt ones, without search. Only *random* makes deals. Equal seeds give equal games.

The page carries a fingerprint of some games. `make release` runs `--check`, which plays them again and
says when rules, cards or bots have changed since the page was written.
"""

import argparse
import hashlib
import random
import sys
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from time import process_time
from typing import Any, TypeAlias

from powderkeg.bots.versailles.levels import JUDGE, PLAIN
from powderkeg.bots.versailles.policy import Policy
from powderkeg.cli.cards.packs import expand_option
from powderkeg.core.chance import CHANCE
from powderkeg.games import versailles as game
from powderkeg.games.versailles.board import NATIONS
from powderkeg.games.versailles.cards.reader import default_pack
from powderkeg.games.versailles.rules.score import score_sheet
from powderkeg.games.versailles.state import Options, State

CAP = 20_000  # actions; no game comes near

Chooser: TypeAlias = Callable[[State, str, random.Random], Any]


@dataclass
class Tally:
    """The results of some games. Keys are nations, seats, strategies, issue/option."""

    games: int = 0
    seconds: float = 0.0
    wins: Counter[str] = field(default_factory=Counter)
    seat_wins: Counter[str] = field(default_factory=Counter)
    points: Counter[str] = field(default_factory=Counter)
    turns: list[int] = field(default_factory=list)
    uprisings: list[int] = field(default_factory=list)
    settled: int = 0
    rush: int = 0
    chosen: Counter[str] = field(default_factory=Counter)
    strategy_taken: Counter[str] = field(default_factory=Counter)
    strategy_offered: Counter[str] = field(default_factory=Counter)
    strategy_wins: Counter[str] = field(default_factory=Counter)
    strategy_points: Counter[str] = field(default_factory=Counter)

    def add(self, other: "Tally") -> None:
        for name, value in vars(other).items():
            if isinstance(value, Counter):
                getattr(self, name).update(value)
            else:
                setattr(self, name, getattr(self, name) + value)


def at_random(state: State, seat: str, rng: random.Random) -> Any:
    return game.legal(state, seat).sample(rng)


BOTS: dict[str, Chooser] = {
    "random": at_random,
    "normal": Policy(PLAIN).choose_action,
    "hard": Policy(JUDGE).choose_action,
}


def play(players: int, seed: int, options: Options, bot: str) -> Tally:
    """One game, counted."""
    tally, rng, choose = Tally(games=1), random.Random(f"{bot}/{players}/{seed}"), BOTS[bot]
    began, uprisings = process_time(), 0
    state = game.start(game.seats(players, options), options)
    for _ in range(CAP):
        acting = game.to_act(state)
        if not acting:
            break
        seat = min(acting)
        action = at_random(state, seat, rng) if seat == CHANCE else choose(state, seat, rng)
        step = game.apply(state, seat, action)
        state = step.state
        for fact in step.facts:
            if fact.msg.code == "versailles.rises":
                uprisings += 1
            elif fact.msg.code == "versailles.option":
                args = fact.msg.args
                tally.chosen[f"{_name(args['issue'])}/{_name(args['option'])}"] += 1
    tally.uprisings.append(uprisings)
    _finish(tally, state)
    tally.seconds = process_time() - began
    return tally


def _name(noun: Any) -> str:
    return str(noun.code.rpartition(".")[2])


def _finish(tally: Tally, state: State) -> None:
    result = game.result(state)
    if result is None:
        raise RuntimeError("a game without an end")
    tally.turns.append(state.turn)
    tally.settled, tally.rush = len(state.held), int(state.over == "rush")
    tally.strategy_offered.update(state.dealt)
    for place, seat in enumerate(state.seats):
        nation = state.order[place]
        won = (seat in result.winners) / len(result.winners)
        tally.wins[NATIONS[nation]] += won  # type: ignore[assignment]  # a shared win is a part
        turn = (place - state.first) % len(state.seats) + 1
        tally.seat_wins[str(turn)] += won  # type: ignore[assignment]  # as above
        tally.points[NATIONS[nation]] += int(result.scores[seat])
        if card := state.strategy[nation]:
            tally.strategy_taken[card] += 1
            tally.strategy_wins[card] += won  # type: ignore[assignment]  # as above
            tally.strategy_points[card] += _strategy_points(state, nation)


def _strategy_points(state: State, nation: int) -> int:
    """What the card brought: its conditions, and the happiness that it doubled."""
    line = score_sheet(state, nation)
    card = state.pack.strategies[state.strategy[nation]]
    doubled = any(c.counts == "double_happiness" for c in card.conditions)
    return line.strategy + (line.happiness // 2 if doubled else 0)


def _some(job: tuple[int, int, int, Options, str]) -> Tally:
    players, first, number, options, bot = job
    total = Tally()
    for seed in range(first, first + number):
        total.add(play(players, seed, options, bot))
    return total


def measure(players: int, games: int, options: Options, bot: str, jobs: int) -> Tally:
    size = max(1, games // (jobs * 4))
    parts = [
        (players, first, min(size, games - first), options, bot) for first in range(0, games, size)
    ]
    total = Tally()
    with ProcessPoolExecutor(jobs) as pool:
        for part in pool.map(_some, parts):
            total.add(part)
    return total


# Telling


PAPER, INK, ACCENT = "#fbf7ee", "#3b332a", "#8c3b2e"
Bar: TypeAlias = tuple[str, float]  # label, number


def bars(title: str, rows: list[Bar], unit: str, aim: float | None = None) -> str:
    """A plot of horizontal bars."""
    most = max([aim or 0, *(number for _, number in rows)]) or 1
    step, scale = 22, 300 / most
    height = 44 + step * len(rows)
    parts = [f'<text x="12" y="24" font-size="15" font-weight="bold">{title}</text>']
    for i, (label, now) in enumerate(rows):
        y = 38 + i * step
        parts.append(f'<text x="182" y="{y + 12}" text-anchor="end">{label}</text>')
        parts.append(_bar(y, now * scale, 14, ACCENT))
        parts.append(f'<text x="{196 + now * scale:.0f}" y="{y + 12}">{now:.0f}{unit}</text>')
    if aim is not None:
        x = 190 + aim * scale
        parts.append(
            f'<line x1="{x:.0f}" x2="{x:.0f}" y1="32" y2="{height - 6}" stroke="{INK}" '
            'stroke-dasharray="3 3"/>'
        )
    return _svg(560, height, parts)


def _bar(y: float, width: float, height: int, colour: str) -> str:
    return f'<rect x="190" y="{y}" width="{max(0, width):.1f}" height="{height}" fill="{colour}"/>'


def histogram(title: str, numbers: list[int], width: int) -> str:
    """How often a number fell into each class of `width`."""
    classes = Counter(n // width * width for n in numbers)
    first, last = min(classes), max(classes)
    starts = range(first, last + 1, width)
    each, most = 500 / len(starts), max(classes.values())
    parts = [f'<text x="12" y="24" font-size="15" font-weight="bold">{title}</text>']
    for i, start in enumerate(starts):
        tall, x = 120 * classes[start] / most, 30 + i * each
        parts.append(
            f'<rect x="{x:.1f}" y="{160 - tall:.1f}" width="{each - 2:.1f}" height="{tall:.1f}" '
            f'fill="{ACCENT}"/>'
        )
        if i % max(1, len(starts) // 10) == 0:
            parts.append(
                f'<text x="{x + each / 2:.1f}" y="176" text-anchor="middle">{start}</text>'
            )
    return _svg(560, 186, parts)


def _svg(width: int, height: int, parts: list[str]) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        f'font-family="Georgia, serif" font-size="12" fill="{INK}">'
        f'<rect width="{width}" height="{height}" fill="{PAPER}"/>{"".join(parts)}</svg>\n'
    )


Tallies: TypeAlias = dict[str, Tally]  # "random/4": bot and players


def summary(key: str, tally: Tally) -> str:
    """A line of the table of games."""
    n, (bot, players) = tally.games, key.split("/")
    wins = ", ".join(f"{name} {share(tally.wins, name, n):.0f}%" for name in sorted(tally.wins))
    seats = " / ".join(f"{share(tally.seat_wins, k, n):.0f}" for k in sorted(tally.seat_wins))
    turns, uprisings = sum(tally.turns) / n, sum(tally.uprisings) / n
    return (
        f"| {bot} | {players} | {n} | {wins} | {seats} | {turns:.0f} | "
        f"{uprisings:.1f} | {tally.settled / n:.1f} |"
    )


def share(counts: Counter[str], key: str, of: float) -> float:
    return 100 * counts[key] / of if of else 0.0


def strategies(tally: Tally) -> list[Bar]:
    """Points that each strategy brought to who had it."""
    return [
        (card.replace("_", " "), tally.strategy_points[card] / tally.strategy_taken[card])
        for card in sorted(tally.strategy_taken)
    ]


def option_shares(tally: Tally) -> list[float]:
    """Of each issue that was settled often enough, the share of its favourite option, where 100
    would be all and an even choice among three 33."""
    shares = []
    for issue in default_pack().issues.values():
        counts = [tally.chosen[f"{issue.id}/{option.id}"] for option in issue.options]
        if len(counts) > 1 and sum(counts) >= 20:
            shares.append(100 * max(counts) / sum(counts))
    return shares


def never(tally: Tally) -> list[str]:
    """Options that were not chosen once though their issue was settled often."""
    return [
        f"{issue.id}/{option.id}"
        for issue in default_pack().issues.values()
        for option in issue.options
        if sum(tally.chosen[f"{issue.id}/{o.id}"] for o in issue.options) >= 20
        and not tally.chosen[f"{issue.id}/{option.id}"]
    ]


def plots(now: Tallies) -> dict[str, str]:
    """Every plot of the page, by the name of its file."""
    found = {}
    for key, tally in now.items():
        bot, players = key.split("/")
        nations = [(name, share(tally.wins, name, tally.games)) for name in sorted(tally.wins)]
        name = f"versailles-wins-{bot}-{players}"
        found[name] = bars(
            f"Wins by nation: {bot}, {players} players", nations, "%", 100 / int(players)
        )
        if players == "4":
            title = f"Points by strategy: {bot}, 4 players"
            found[f"versailles-strategies-{bot}"] = bars(title, strategies(tally), "")
    if first := next((t for key, t in now.items() if key == "random/4"), None):
        found["versailles-turns"] = histogram("Turns of a game: random, 4 players", first.turns, 10)
        title = "Uprisings of a game: random, 4 players"
        found["versailles-uprisings"] = histogram(title, first.uprisings, 1)
        shares = [int(n) for n in option_shares(first)]
        title = "Share of each issue's favourite option, %: random, 4 players"
        found["versailles-options"] = histogram(title, shares, 5)
    return found


HEAD = "| bots | players | games | wins by nation | wins by turn order, % | turns | uprisings | issues held |"


def page(now: Tallies, notes: str) -> str:
    lines = [notes.rstrip(), "", "## Measured", "", HEAD, "|---" * 8 + "|"]
    lines += [summary(key, tally) for key, tally in now.items()]
    lines += ["", f"{STAMP}`{fingerprint()}`", "", "## Plots", ""]
    lines += ["The dashed line is an even share.", ""]
    lines += [f"![{name}](../images/{name}.svg)" for name in plots(now)]
    for key, tally in now.items():
        lines += ["", f"## Strategies and options: {key.replace('/', ', ')} players", ""]
        lines += ["| strategy | taken when dealt | wins | points |", "|---|---|---|---|"]
        for card in sorted(tally.strategy_taken):
            taken = tally.strategy_taken[card]
            lines.append(
                f"| {card} | {share(tally.strategy_taken, card, tally.strategy_offered[card]):.0f}% | "
                f"{share(tally.strategy_wins, card, taken):.0f}% | "
                f"{tally.strategy_points[card] / taken:.1f} |"
            )
        shares = option_shares(tally)
        if shares:
            most, mean = max(shares), sum(shares) / len(shares)
            missing = ", ".join(never(tally)) or "none"
            lines += [
                "",
                f"Issues settled at least 20 times: {len(shares)}.",
                f"Their favourite option was chosen {mean:.0f}% of the time on average,",
                f"{most:.0f}% at most. Options never chosen: {missing}.",
            ]
    return "\n".join(lines) + "\n"


# The fingerprint

SAMPLE = 3  # games of each kind
STAMP = "Fingerprint of the rules, cards and bots that played: "


def fingerprint(games: int = SAMPLE) -> str:
    """A short hash of how some games go: it changes with rules, cards and bots, not with names."""
    found = hashlib.sha256()
    for bot in BOTS:
        for players in (4, 3, 2):
            for seed in range(games):
                found.update(_course(play(players, seed, Options(), bot)).encode())
    return found.hexdigest()[:16]


def _course(tally: Tally) -> str:
    """How a game went, without how long it took."""
    counted = {name: value for name, value in vars(tally).items() if name != "seconds"}
    return repr({k: sorted(v.items()) if isinstance(v, Counter) else v for k, v in counted.items()})


def stale_page(docs: Path) -> str:
    """What is wrong with the page: nothing, if it was measured with these rules, cards and bots."""
    text = (docs / "reference" / "versailles-balance.md").read_text(encoding="utf-8")
    if f"{STAMP}`{fingerprint()}`" in text:
        return ""
    return (
        "docs/reference/versailles-balance.md is out of date: rules, cards or bots of Versailles "
        "have changed since its games were played. Run bench/versailles_balance.py --games 1000 "
        "--write docs."
    )


NOTES = """# The balance of the Versailles pack

Most icons of the issue and strategy cards are [reconstructed](../guides/cards.md). Where nothing is known
we may choose, and we chose so that no nation, strategy or option dominates between bots. Values that a source
states or implies are not ours to choose: a test compares the pack with every such fact, whole or partial.

The playbook's two example games are replayed as far as they go. `powderkeg cards check versailles` counts the
numbers that come out as printed, and says where a position was set by hand, a move or a card was changed, or a
number differs, because the playbook contradicts itself or the rules there.

Made by `python bench/versailles_balance.py --games 1000 --write docs`. *random* draws any verb and then any of
its actions; *normal* and *hard* are the first thoughts of the levels of that name, without search or offers:
*normal* weighs positions with weights set by hand, *hard* with learnt ones. None of them bargains: the numbers
show faults of the cards, not how experts fare.

## What was changed

- **Happiness.** The average option cost France 23, the USA 18, the UK 17 and Italy 6 happiness over all
  issues, so that Italy ended far ahead. Reconstructed losses were moved from France to Italy, and later a few
  from the USA to the UK.
- **Flags.** A counter with the own flag is a point, and the UK had twice as many as France and four times as
  many as the USA: between bots it won 37% of games with three players and 57% with two. Three British
  squadrons and one British empire became squadrons whose flag is chosen or went; one French and one American
  counter came.
- **Counters.** Self-determination lay on 37 options and made three strategies rich; five went, some to German
  containment, and three reparations counters came.
- **Strategies.** Reconstructed points and conditions were set so that each card brings about as much. Later
  three conditions gave way to others, because the words on the Italian cards leave no room for them: Regional
  Competition counts units instead of squadrons, Mobilization reparations instead of regions in unrest,
  Revanchism containment instead of squadrons.
- **Dominated options.** Four options were worse than a neighbour in every respect; none is now.

## How to read it

A share of wins is uncertain by about nine percentage points either way in 100 games, by five in 400, by three in
1000. That a strategy wins more often than another says little by itself: the player who is behind chooses first,
and players choose what suits them.

## Does it pay to go first?

Between *hard* bots, yes: the first player wins 31% of games with four players (an even share is 25%, and chance
explains three points), 59% with two, and 36% with three, which may still be chance. Between *normal* bots it does
not pay: with two players the second wins 54%. Between *random* bots no place is ahead by more than chance.

The reason is the demobilise track. Its spaces are worth 5, 4, 3 and 2 happiness to the units that come first, and
the happiest nation gets 6 points at the end (one strategy doubles them). The first player takes the 5 on the first turn and is still ahead at
the end. If every space is worth 3, the advantage is gone:

| *hard* bots, four players, 400 games each | wins by turn order, % | happiness at the end | points for it |
|---|---|---|---|
| spaces of 5, 4, 3 and 2 | 31 / 25 / 24 / 21 | 16.0 / 10.5 / 11.2 / 10.7 | 7.6 / 3.3 / 4.1 / 3.7 |
| every space 3 | 26 / 26 / 24 / 25 | 11.7 / 11.7 / 12.0 / 11.4 | 4.6 / 4.6 / 4.7 / 4.3 |
| spaces of 5, 4, 3 and 2, and everybody demobilises on the first turn | 31 / 23 / 23 / 23 | | |

With four players it is the game and not the bots: the others win no more if they all follow to the track at once
(last line), nor does one of them who follows alone (23% of 450 games, like those who do not). The values of the
spaces are probable, not certain: a source tells of the 5, the others follow from the sources.

With two players a part of it was the bots' fault. They counted steps of happiness, not the rank, and the second
let the first have it. Now they follow, and win 59% of games against those that do not (300 games):

| *hard* bots, two players, 300 games each | first wins | happiness on turn 5 | at the end |
|---|---|---|---|
| as they were: the second did not follow to the track | 65% | 24.3 and 19.6 | 15.2 and 9.1 |
| nobody demobilises by choice | 50% | 19.4 and 19.7 | 8.4 and 8.2 |
| as they are: the rank by happiness is weighed | 60% | 24.3 and 20.6 | 13.2 and 10.9 |

*normal* bots show that it can be made up for: their second player keeps more units and wins more auctions (32
points of issues against 26).

## Checked

`python bench/versailles.py --sound 150` plays random games of every number of players and every length, and after
every action checks all that must always hold: cubes, units, cards, tracks, leads, bids, and what can never be
undone.
"""


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--games", type=int, default=0, help="games of each kind")
    parser.add_argument("--bots", nargs="+", default=list(BOTS), choices=list(BOTS))
    parser.add_argument("--players", type=int, nargs="+", default=[4, 3, 2])
    parser.add_argument("--pack", default="", help="your own pack")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--write", type=Path, help="the folder of the docs")
    parser.add_argument("--check", type=Path, help="the folder of the docs: is the page current?")
    args = parser.parse_args()
    if args.check:
        sys.exit(stale_page(args.check) or 0)
    options = Options(pack=expand_option("versailles", "pack", args.pack))
    now = {}
    for bot in args.bots:
        for players in args.players:
            key = f"{bot}/{players}"
            now[key] = measure(players, args.games, options, bot, args.jobs)
            print(summary(key, now[key]), flush=True)
    if args.write:
        target = args.write / "reference" / "versailles-balance.md"
        target.write_text(page(now, NOTES), encoding="utf-8")
        for name, svg in plots(now).items():
            (args.write / "images" / f"{name}.svg").write_text(svg, encoding="utf-8")


if __name__ == "__main__":
    main()
