"""Whole games by bots: for measuring, for checking, for comparing two versions."""

import hashlib
import json
import random
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Annotated, Any, TypeAlias

import typer
from rich.progress import track
from rich.table import Table as Grid

from powderkeg import bots, games
from powderkeg.bots.engine.random_bot import sample_node
from powderkeg.bots.seats.turn_order import TurnOrder, seats_without_offers
from powderkeg.cli.complete import GameName, complete_level
from powderkeg.cli.options import read_options
from powderkeg.cli.say import Lang, console, t, use_language
from powderkeg.core import plain
from powderkeg.core.ask import One, Orders
from powderkeg.core.chance import Seeded
from powderkeg.core.errors import Unreadable
from powderkeg.core.game import Action, Game, Options, Result, Seat
from powderkeg.core.table import Table

__all__ = ["play_games"]


@dataclass
class PlayoutTally:
    """The results of some games."""

    games: int = 0
    decisions: int = 0
    wins: Counter[str] = field(default_factory=Counter)
    scores: Counter[str] = field(default_factory=Counter)
    reasons: Counter[str] = field(default_factory=Counter)
    digest: Any = field(default_factory=hashlib.sha256)

    def add(self, table: Table, decisions: int, result: Result) -> None:
        self.games += 1
        self.decisions += decisions
        self.reasons[result.why.code] += 1
        for seat in table.seats:
            self.wins[seat] += seat in result.winners
            self.scores[seat] += result.scores[seat]  # type: ignore[assignment]  # scores are floats
        state = plain.dump(table.state, table.game.State)
        self.digest.update(json.dumps(state, sort_keys=True).encode())


def play_games(
    game: GameName,
    *,
    players: Annotated[int | None, typer.Option(help="How many seats; default: the most.")] = None,
    number: Annotated[int, typer.Option("--games", min=1, help="How many games.")] = 10,
    seed: Annotated[int, typer.Option(help="Equal seeds give equal games.")] = 0,
    bot: Annotated[
        str,
        typer.Option(help="The bot that plays every seat.", autocompletion=complete_level),
    ] = "random",
    option: Annotated[
        list[str] | None, typer.Option("--option", "-o", help="An option of the game, name=value.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="For programs.")] = False,
    lang: Lang = None,
) -> None:
    """Play whole games between bots and check the game's invariants along the way."""
    use_language(lang)
    rules = games.find_game(game)
    options = read_options(rules, option or [])
    tally = PlayoutTally()
    began = time.perf_counter()
    for i in track(
        range(number), t("cli.playing"), disable=as_json, transient=True, console=console
    ):
        play_one(rules, players, options, make_chooser(rules, bot), f"{seed}/{i}", tally)
    seconds = time.perf_counter() - began
    if as_json:
        print(json.dumps(_playout_json(tally, seconds)))
    else:
        _print_tally(tally, seconds)


Chooser: TypeAlias = Callable[[Table, Seat, random.Random], Action]


def make_chooser(rules: Game, bot: str) -> Chooser:
    """How the seats decide: by chance, or by a bot."""
    if bot == "random":
        return RandomChooser(rules)
    mind = bots.find_bot(rules, bot).exact()

    def choose(table: Table, seat: Seat, luck: random.Random) -> Action:
        question = table.ask(seat)
        assert question is not None, "every seat that must act is asked"  # noqa: S101  # the contract
        return mind(table.view(seat), question, table.legal(seat), luck)

    return choose


class RandomChooser:
    """Chooses at random without a view; where pieces get orders, one each and then *ready*."""

    name = "random"

    def __init__(self, rules: Game) -> None:
        self.rules = rules
        self.plans: dict[Seat, list[Action]] = {}
        self.orders = True  # until the first question shows that this game has no such thing

    def __call__(self, table: Table, seat: Seat, luck: random.Random) -> Action:
        legal = table.legal(seat)
        if plan := self.plans.get(seat):
            action = plan.pop(0)
            if action in legal:
                return action
        question = table.ask(seat) if self.orders else None
        if question is None or not isinstance(question.node, Orders):
            self.orders = False
            return legal.sample(luck)
        rows = [row.node for row in question.node.rows]
        done = One(question.node.options[:1])
        self.plans[seat] = [
            a for n in (*rows, done) if (a := sample_node(self.rules, n, legal, luck))
        ]
        return self.plans[seat].pop(0)


CHECK_EVERY = 10  # invariants are checked at every tenth decision and at the end


def play_one(
    rules: Game,
    players: int | None,
    options: Options,
    choose: Chooser,
    seed: str,
    tally: PlayoutTally,
) -> None:
    """Play one game; every seat has its own random generator."""
    table = Table(rules, players, options, source=Seeded(random.Random(f"{seed}/chance")))
    luck = {seat: random.Random(f"{seed}/{seat}") for seat in table.seats}
    decisions = 0
    order = TurnOrder(rules, table.seats, seats_without_offers(choose, table.seats))
    while asked := order.next_seats(table.state):
        seat = min(asked)
        table.act(seat, choose(table, seat, luck[seat]))
        decisions += 1
        if decisions % CHECK_EVERY == 0 or not table.to_act:
            check_invariants(table, seed)
    assert table.result is not None, "nobody is to act"  # noqa: S101  # the contract
    tally.add(table, decisions, table.result)


def check_invariants(table: Table, seed: str) -> None:
    if wrong := table.game.broken(table.state):
        raise Unreadable("cli.invariant", seed=seed, position=len(table.log), what=wrong)


def _playout_json(tally: PlayoutTally, seconds: float) -> dict[str, Any]:
    return {
        "games": tally.games,
        "games_per_second": round(tally.games / seconds, 3),
        "decisions_per_second": round(tally.decisions / seconds, 1),
        "results": {
            "wins": dict(tally.wins),
            "mean_scores": {s: round(n / tally.games, 3) for s, n in tally.scores.items()},
            "endings": dict(tally.reasons),
            "mean_decisions": round(tally.decisions / tally.games, 1),
        },
        "digest": tally.digest.hexdigest(),
    }


def _print_tally(tally: PlayoutTally, seconds: float) -> None:
    grid = Grid(t("cli.seat"), t("cli.wins"), t("cli.mean_score"))
    for seat, wins in tally.wins.items():
        grid.add_row(seat, str(wins), f"{tally.scores[seat] / tally.games:.2f}")
    console.print(grid)
    rate, pace = tally.games / seconds, tally.decisions / seconds
    console.print(t("cli.rates", games=f"{rate:.1f}", decisions=f"{pace:.0f}"), markup=False)
    console.print(t("cli.digest", digest=tally.digest.hexdigest()), markup=False)
