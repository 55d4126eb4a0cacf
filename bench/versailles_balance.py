"""How fair the default pack of Versailles 1919 is, between simple bots.

    python bench/versailles_balance.py --random 1000 --normal 500 --write docs  # page and plots
    python bench/versailles_balance.py --keep now.json --before then.json --write docs
    python bench/versailles_balance.py --random 500 --pack mine.toml            # one's own pack

Three bots. *random* draws a verb first, every verb alike, then the rest. *greedy* looks one action
ahead: it takes what leaves it best off in points, in issues it leads and in happiness. *normal* is
the first thought of the level of that name (`powderkeg.bots.versailles`). Only *random* makes
deals. Equal seeds give equal games.
"""

import argparse
import json
import random
from collections import Counter
from collections.abc import Callable, Iterable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from time import process_time
from typing import Any, TypeAlias

from powderkeg.bots.versailles.levels import JUDGE
from powderkeg.bots.versailles.policy import Policy
from powderkeg.cli.cards.packs import expand_option
from powderkeg.core.chance import CHANCE
from powderkeg.games import versailles as game
from powderkeg.games.versailles.board import NATIONS, NOBODY
from powderkeg.games.versailles.cards.reader import default_pack
from powderkeg.games.versailles.kinds import kept_answers
from powderkeg.games.versailles.rules.score import score_sheet
from powderkeg.games.versailles.state import Options, State

CAP = 20_000  # actions; no game comes near
WEIGHED = 14  # actions that the greedy bot looks at

Chooser: TypeAlias = Callable[[State, str, random.Random], Any]


@dataclass
class Tally:
    """What came of some games. Keys are nations, seats, strategies, issue/option."""

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


def greedy(state: State, seat: str, rng: random.Random) -> Any:
    """The best of a few actions, one action ahead."""
    if NOBODY in state.order:  # nations are still being chosen
        return at_random(state, seat, rng)
    legal = kept_answers(state)
    if len(legal) == 1:
        return legal[0]
    weighed = rng.sample(legal, WEIGHED) if len(legal) > WEIGHED else legal
    worth = [(value(game.apply(state, seat, a).state, seat), rng.random(), a) for a in weighed]
    return max(worth, key=lambda w: w[:2])[2]


def value(state: State, seat: str) -> float:
    """Points against the best rival, issues about to be won, happiness, influence at hand."""
    nation = state.order[state.seats.index(seat)]
    mine, rivals = _standing(state, nation), [n for n in state.order if n != nation]
    best = max(_standing(state, rival) for rival in rivals)
    return mine - 0.5 * best + 0.1 * state.happiness[nation] + 0.05 * state.available[nation]


def _standing(state: State, nation: int) -> float:
    return score_sheet(state, nation).total + sum(_hope(state, nation))


def _hope(state: State, nation: int) -> Iterable[float]:
    """What issues on offer promise: most of their stars to who leads, a little to the others."""
    for issue, near in (*((i, 0.6) for i in state.table), *((i, 0.4) for i in state.waiting)):
        row = state.cubes[issue]
        if not row[nation]:
            continue
        rival = max(row[n] for n in range(4) if n != nation)
        lead = 1.0 if row[nation] > rival else 0.4 * row[nation] / rival
        yield near * lead * state.pack.issues[issue].stars


BOTS: dict[str, Chooser] = {
    "random": at_random,
    "greedy": greedy,
    "normal": Policy(JUDGE).choose_action,
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
        tally.seat_wins[str(turn)] += won  # type: ignore[assignment]
        tally.points[NATIONS[nation]] += int(result.scores[seat])
        if card := state.strategy[nation]:
            tally.strategy_taken[card] += 1
            tally.strategy_wins[card] += won  # type: ignore[assignment]
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


PAPER, INK, FAINT, ACCENT = "#fbf7ee", "#3b332a", "#c9bda6", "#8c3b2e"
Bar: TypeAlias = tuple[str, float, float | None]  # label, now, before


def bars(title: str, rows: list[Bar], unit: str, aim: float | None = None) -> str:
    """A plot of horizontal bars; the faint one below each is the pack as it was before."""
    most = max([aim or 0, *(max(now, then or 0) for _, now, then in rows)]) or 1
    tall = any(then is not None for *_, then in rows)
    step, scale = (30 if tall else 22), 300 / most
    height = 44 + step * len(rows)
    parts = [f'<text x="12" y="24" font-size="15" font-weight="bold">{title}</text>']
    for i, (label, now, then) in enumerate(rows):
        y = 38 + i * step
        parts.append(f'<text x="182" y="{y + 12}" text-anchor="end">{label}</text>')
        parts.append(_bar(y, now * scale, 14, ACCENT))
        parts.append(f'<text x="{196 + now * scale:.0f}" y="{y + 12}">{now:.0f}{unit}</text>')
        if then is not None:
            parts.append(_bar(y + 16, then * scale, 6, FAINT))
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


def strategies(tally: Tally, before: Tally | None) -> list[Bar]:
    """Points that each strategy brought to who had it."""
    cards = sorted(tally.strategy_taken)

    def mean(t: Tally, card: str) -> float:
        return t.strategy_points[card] / max(1, t.strategy_taken[card])

    return [
        (card.replace("_", " "), mean(tally, card), mean(before, card) if before else None)
        for card in cards
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


def plots(now: Tallies, before: Tallies) -> dict[str, str]:
    """Every plot of the page, by the name of its file."""
    found = {}
    for key, tally in now.items():
        bot, players = key.split("/")
        then = before.get(key)
        nations: list[Bar] = [
            (
                name,
                share(tally.wins, name, tally.games),
                share(then.wins, name, then.games) if then else None,
            )
            for name in sorted(tally.wins)
        ]
        name = f"versailles-wins-{bot}-{players}"
        found[name] = bars(
            f"Wins by nation: {bot}, {players} players", nations, "%", 100 / int(players)
        )
        if players == "4":
            title = f"Points by strategy: {bot}, 4 players"
            found[f"versailles-strategies-{bot}"] = bars(title, strategies(tally, then), "")
    if first := next((t for key, t in now.items() if key == "random/4"), None):
        found["versailles-turns"] = histogram("Turns of a game: random, 4 players", first.turns, 10)
        title = "Uprisings of a game: random, 4 players"
        found["versailles-uprisings"] = histogram(title, first.uprisings, 1)
        shares = [int(n) for n in option_shares(first)]
        title = "Share of each issue's favourite option, %: random, 4 players"
        found["versailles-options"] = histogram(title, shares, 5)
    return found


HEAD = "| bots | players | games | wins by nation | wins by turn order, % | turns | uprisings | issues held |"


def page(now: Tallies, before: Tallies, notes: str) -> str:
    lines = [notes.rstrip(), "", "## Measured", "", HEAD, "|---" * 8 + "|"]
    lines += [summary(key, tally) for key, tally in now.items()]
    if before:
        lines += ["", "Before the last round of tuning:", "", HEAD, "|---" * 8 + "|"]
        lines += [summary(key, tally) for key, tally in before.items()]
    lines += [
        "",
        "## Plots",
        "",
        "Dark: the pack as it is. Faint: before. Dashed: an even share.",
        "",
    ]
    lines += [f"![{name}](../images/{name}.svg)" for name in plots(now, before)]
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


NOTES = """# The balance of the Versailles pack

Most icons of the issue and strategy cards are [reconstructed](../guides/cards.md). Where nothing is known
we may choose, and we chose so that no nation, strategy or option dominates between bots. Values that a source
states or implies were not touched, and the playbook's two example games still come out to the last number
(`powderkeg cards check versailles`).

Made by `python bench/versailles_balance.py --random N --greedy N --normal N --write docs`. *random* draws any
verb and then any of its actions; *greedy* looks one action ahead at points, issues it leads and happiness;
*normal* is the first thought of the level of that name, which weighs what each action is worth at the end of the
game. None of them bargains well: the numbers show faults of the cards, not how experts fare.

## What was changed

- **Happiness.** The average option cost France 23, the USA 18, the UK 17 and Italy 6 happiness over all
  issues, so that Italy ended far ahead. Reconstructed losses were moved from France to Italy, and later a few
  from the USA to the UK.
- **Flags.** A counter with the own flag is a point, and the UK had twice as many as France and four times as
  many as the USA: between normal bots it won 37% of games with three players and 57% with two. Three British
  squadrons and one British empire became squadrons whose flag is chosen or went; one French and one American
  counter came.
- **Counters.** Self-determination lay on 37 options and made three strategies rich; five went, some to German
  containment, and three reparations counters came.
- **Strategies.** Reconstructed points and conditions were set so that each card brings about as much. In the
  last round Containment of Communism and Revanchism came to pay more, Reparations less.
- **Dominated options.** Four options were worse than a neighbour in every respect; none is now.

## How to read it

A share of wins is uncertain by about nine percentage points either way in 100 games, by four in 500, by three in
1000. That a strategy wins more often than another says little by itself: whoever is behind chooses first, and
players choose what suits them. Isolationism, which stood out in 100 games between greedy bots, wins about its
share between normal ones; its values and those of Global Trade are nearly all probable or better and stay as they
are. The USA do a little better between random bots and a little worse between normal ones with four players, so
nothing more was moved. "Before" is the pack before the last round of tuning; the normal bot itself was still being
improved between the two.

## Checked

`python bench/versailles.py --sound 150` plays 1,950 random games, 150 for each number of players and each length, and
after every one of 1,165,925 actions checks all that must always hold: cubes, units, cards, tracks, leads, bids, and
what can never be undone. Nothing was broken. 1,773 games ended by Rush to the Finish, 173 by an empty deck, 4 because
nobody could or would do anything any more.

## Speed

`python bench/versailles.py`, one core of a busy machine, seconds of that core: 38 whole random games a second with
two, three or four players (500 actions each, 52 microseconds an action), 63 in solitaire. A question with every deal
that could be offered takes 0.6 ms, a view 0.7 ms. No part stands out: a fifth of the time goes into copying states
and telling what happened, a fifth into the flow of pending steps and its checks, the rest is spread over the rules.
"""


def dump(tallies: Tallies) -> str:
    plain = {
        key: {k: dict(v) if isinstance(v, Counter) else v for k, v in vars(tally).items()}
        for key, tally in tallies.items()
    }
    return json.dumps(plain)


def load(path: Path | None) -> Tallies:
    """Tallies kept in a file."""
    if path is None:
        return {}
    stored: dict[str, dict[str, Any]] = json.loads(path.read_text(encoding="utf-8"))
    return {key: Tally(**_counted(tally)) for key, tally in stored.items()}


def _counted(tally: dict[str, Any]) -> dict[str, Any]:
    return {k: Counter(v) if isinstance(v, dict) else v for k, v in tally.items()}


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--random", type=int, default=0, help="games of the random bot")
    parser.add_argument("--greedy", type=int, default=0, help="games of the greedy bot")
    parser.add_argument("--normal", type=int, default=0, help="games of the normal level")
    parser.add_argument("--players", type=int, nargs="+", default=[4, 3])
    parser.add_argument("--pack", default="", help="a pack of one's own")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--keep", type=Path, help="a file to which the counts are added")
    parser.add_argument("--before", type=Path, help="counts of an older pack, to compare with")
    parser.add_argument("--write", type=Path, help="the folder of the docs")
    args = parser.parse_args()
    options = Options(pack=expand_option("versailles", "pack", args.pack))
    now = load(args.keep) if args.keep and args.keep.exists() else {}
    for players in args.players:
        for bot in BOTS:
            if games := getattr(args, bot):
                now[f"{bot}/{players}"] = measure(players, games, options, bot, args.jobs)
                print(summary(f"{bot}/{players}", now[f"{bot}/{players}"]), flush=True)
                if args.keep:
                    args.keep.write_text(dump(now), encoding="utf-8")
    if args.write:
        before = load(args.before)
        target = args.write / "reference" / "versailles-balance.md"
        target.write_text(page(now, before, NOTES), encoding="utf-8")
        for name, svg in plots(now, before).items():
            (args.write / "images" / f"{name}.svg").write_text(svg, encoding="utf-8")


if __name__ == "__main__":
    main()
