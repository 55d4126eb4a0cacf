"""Fair and repeatable tournaments: the pairings, the seats and the luck of every game.

Every seed is played from every seat, with the same luck, so neither seats nor luck favour a bot. A
game is a pure function of the tournament and its pairing: one core, all cores or a cluster give the
same games, byte for byte, and a run that was killed resumes where it stopped.
"""

import hashlib
import json
import random
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from powderkeg.bots import levels
from powderkeg.bots.arena.model_seats import ModelSeats
from powderkeg.bots.characters import split_name
from powderkeg.bots.engine.budget import Budget
from powderkeg.bots.engine.shares import Shares, square_shares
from powderkeg.bots.engine.thought import Bot, ThinkingBot
from powderkeg.bots.game_bots import bots_of
from powderkeg.bots.levels import names_model
from powderkeg.bots.models.configured import named_player
from powderkeg.bots.models.player import ModelPlayer
from powderkeg.bots.models.usage import ModelUsage
from powderkeg.bots.process import guard
from powderkeg.bots.process.guard import BotDecision, Guard
from powderkeg.bots.process.releases import release_version, split_release
from powderkeg.bots.seats.parley import Parley
from powderkeg.bots.seats.turn_order import TurnOrder
from powderkeg.core import plain, record
from powderkeg.core.chance import Seeded
from powderkeg.core.errors import Unreadable
from powderkeg.core.game import Game, Seat, State, game_reference, import_game
from powderkeg.core.options import load_options
from powderkeg.core.table import Table


@dataclass(frozen=True, slots=True)
class Entrant:
    """A bot in a tournament: a level, ``module:name``, or a level of another release (``LEVEL@PYTHON``,
    see `process.releases`); with weights, one that is being tuned.
    `settings`: whatever else defines the bot, such as the name of a language model."""

    name: str
    bot: str
    weights: dict[str, float] | None = None
    settings: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Duel:
    """One `a` against `b` in all other seats."""

    a: str
    b: str


@dataclass(frozen=True, slots=True)
class Mixed:
    """Tables of all `names`, shuffled for every seed; with more names than seats, some are drawn."""

    names: tuple[str, ...]


Design = Duel | Mixed


@dataclass(frozen=True, slots=True)
class Pairing:
    """One game to be played: its seed and its bots in seat order."""

    seed: int
    lineup: tuple[str, ...]

    @property
    def id(self) -> str:
        digest = hashlib.sha256("|".join(self.lineup).encode()).hexdigest()
        return f"{self.seed:06d}-{digest[:8]}"


@dataclass(frozen=True, slots=True)
class Tournament:
    """Everything that determines the games of a tournament. `game` is an importable module.

    `exact`: only iterations count, not seconds. `guarded`: bots given as ``module:name`` run in a
    process of their own, with `seconds` per decision. `cap`: the most entries of a log; a longer
    game is stopped and scored at that point. `talk`: rounds of negotiation per phase.
    `rules_version` is the game's.
    """

    game: str
    players: int
    entrants: tuple[Entrant, ...]
    designs: tuple[Design, ...]
    first_seed: int = 0
    seeds: int = 10
    options: dict[str, Any] = field(default_factory=dict)
    exact: bool = True
    guarded: bool = True
    seconds: float = 60.0
    cap: int = 20_000
    rules_version: int = 0
    talk: int = 0

    def rules(self) -> Game:
        return import_game(self.game)

    def schedule(self) -> tuple[Pairing, ...]:
        """Every game once, seed by seed."""
        seeds = range(self.first_seed, self.first_seed + self.seeds)
        games = [
            Pairing(seed, lineup)
            for seed in seeds
            for design in self.designs
            for lineup in seat_lineups(design, self.players, seed)
        ]
        return tuple(dict.fromkeys(games))


def seat_lineups(design: Design, players: int, seed: int) -> Iterator[tuple[str, ...]]:
    """The bots in seat order for the games of one seed: a table and all its rotations."""
    match design:
        case Duel(a, b):
            seats = [a] + [b] * (players - 1)
        case Mixed(names):
            rng = random.Random(f"{seed}/table")
            drawn = names if len(names) <= players else rng.sample(names, players)
            seats = [drawn[i % len(drawn)] for i in range(players)]
            rng.shuffle(seats)
    for turn in range(players):
        yield tuple(seats[(i - turn) % players] for i in range(players))


@dataclass(frozen=True, slots=True)
class DecisionTimes:
    """How long decisions took, in seconds."""

    decisions: int = 0
    total: float = 0.0
    longest: float = 0.0

    def with_decision(self, seconds: float) -> "DecisionTimes":
        longest = max(self.longest, seconds)
        return DecisionTimes(self.decisions + 1, self.total + seconds, longest)

    def merged_with(self, other: "DecisionTimes") -> "DecisionTimes":
        return DecisionTimes(
            self.decisions + other.decisions,
            self.total + other.total,
            max(self.longest, other.longest),
        )


@dataclass(frozen=True, slots=True)
class GameOutcome:
    """The outcome of a game.

    Shares, places and scores are in seat order; an empty `why` means stopped.
    """

    id: str
    seed: int
    lineup: tuple[str, ...]
    seats: tuple[str, ...]
    shares: tuple[float, ...]
    wins: tuple[float, ...]
    places: tuple[int, ...]
    scores: tuple[float, ...]
    why: str
    times: dict[str, DecisionTimes]
    faults: dict[str, dict[str, int]]
    digest: str  # of the game file
    usage: dict[str, ModelUsage] = field(default_factory=dict)  # of language models, by seat


@dataclass(frozen=True, slots=True)
class KeptGame:
    """A played game and the text of its file."""

    played: GameOutcome
    text: str


AskBot = Callable[[State, Seat, str], BotDecision]


def play_pairing(tournament: Tournament, pairing: Pairing) -> KeptGame:
    """Play one game. It depends only on the two arguments."""
    game = tournament.rules()
    options: Any = plain.load(game.Options, tournament.options)
    source = Seeded(random.Random(f"{pairing.seed}/chance"))
    table = Table(game, tournament.players, options, source=source)
    who = dict(zip(table.seats, pairing.lineup, strict=True))
    entrants = {e.name: e for e in tournament.entrants if e.name in pairing.lineup}
    players = {n: named_player(game, e.bot) for n, e in entrants.items() if names_model(e.bot)}
    parley = Parley(table, _talking_characters(tournament, entrants, who))
    held = {seat: players[name] for seat, name in who.items() if name in players}
    models = ModelSeats(held, parley, tournament.talk, str(pairing.seed))
    with ExitStack() as guards:  # one process per bot, so that none can interfere with another
        asks = {
            name: _model_asker(game, players[name])
            if name in players
            else _asker(tournament, parley, e, guards.enter_context(_bot_guard(tournament, e)))
            for name, e in entrants.items()
        }
        times, faults = _play_table(table, asks, who, pairing.seed, tournament.cap, models)
    names = {seat: f"bot {name}" for seat, name in who.items()}
    text = record.write_record(record.make_record(table, names, parley.recorded_letters()))
    played = _game_outcome(table, pairing, times, faults, text)
    return KeptGame(replace(played, usage=models.usage()), text)


def _talking_characters(
    tournament: Tournament, entrants: Mapping[str, Entrant], who: dict[Seat, str]
) -> dict[Seat, str]:
    """The characters in the seats of levels that negotiate, if there is talk."""
    envoy = bots_of(tournament.rules()).envoy
    talking = envoy.TALKING_LEVELS if envoy and tournament.talk else ()
    named = {seat: split_name(entrants[name].bot) for seat, name in who.items()}
    return {seat: character for seat, (level, character) in named.items() if level in talking}


def _play_table(
    table: Table,
    asks: dict[str, AskBot],
    who: dict[Seat, str],
    seed: int,
    cap: int,
    models: ModelSeats,
) -> tuple[dict[str, DecisionTimes], dict[str, Counter[str]]]:
    """Ask bots until the game is over. The luck of a decision follows from seed, seat and number,
    so that it depends neither on the player in the seat nor on restarts of a process."""
    number: Counter[Seat] = Counter()
    times: dict[str, DecisionTimes] = dict.fromkeys(sorted(asks), DecisionTimes())
    faults: dict[str, Counter[str]] = {name: Counter() for name in sorted(asks)}
    order = TurnOrder(table.game, table.seats)
    while (asked := order.next_seats(table.state)) and len(table.log) < cap:
        seat = asked[0]
        models.prepare_turns(asked)
        said = asks[who[seat]](table.state, seat, f"{seed}/{seat}/{number[seat]}")
        number[seat] += 1
        times[who[seat]] = times[who[seat]].with_decision(said.seconds)
        if said.fault:
            faults[who[seat]][said.fault] += 1
            if seat not in table.to_act:
                order.skip_offer(table.state)
                continue
        table.act(seat, said.action)
    return times, faults


def _model_asker(game: Game, player: ModelPlayer) -> AskBot:
    """Models run in this process: they keep their own limits, and their seats share a process."""
    bot = player.bot().exact()
    return lambda state, seat, seed: guard.decide_here(game, state, seat, bot, seed)


RELEASE_SECONDS = 600.0  # per decision of another release, which may have to compile first


def _bot_guard(tournament: Tournament, entrant: Entrant) -> Guard:
    released = split_release(entrant.bot)
    if released is None:
        return Guard(tournament.seconds)
    return Guard(max(tournament.seconds, RELEASE_SECONDS), python=released.python)


def _asker(tournament: Tournament, parley: Parley, entrant: Entrant, guarded: Guard) -> AskBot:
    game = parley.table.game
    if (released := split_release(entrant.bot)) is not None:
        return lambda state, seat, seed: guarded.decide(
            game, state, seat, released.level, seed, exact=tournament.exact
        )
    if tournament.guarded and ":" in entrant.bot and entrant.weights is None:
        return lambda state, seat, seed: guarded.decide(game, state, seat, entrant.bot, seed)
    bot = make_bot(game, entrant, exact=tournament.exact)
    return lambda state, seat, seed: guard.decide_here(
        game, state, seat, bot, seed, parley.memories.get(seat)
    )


def make_bot(game: Game, entrant: Entrant, *, exact: bool) -> Bot:
    if entrant.weights is not None:
        bot = levels.find_tunable(game, entrant.bot).make(entrant.weights)
    else:
        bot = levels.load_bot(game, entrant.bot)
    return bot.exact() if exact and isinstance(bot, ThinkingBot) else bot


def _game_outcome(
    table: Table,
    pairing: Pairing,
    times: dict[str, DecisionTimes],
    faults: dict[str, Counter[str]],
    text: str,
) -> GameOutcome:
    result, seats = table.result, table.seats
    shares = final_shares(table.game, table.state, seats)
    places = dict.fromkeys(seats, 1)
    scores, wins = dict(shares), dict.fromkeys(seats, 0.0)
    if result is not None:
        places = {s: 1 + i for i, group in enumerate(result.ranking) for s in group}
        scores = dict(result.scores)
        wins = {s: (s in result.winners) / len(result.winners) for s in seats}
    return GameOutcome(
        pairing.id,
        pairing.seed,
        pairing.lineup,
        seats,
        tuple(round(shares[s], 6) for s in seats),
        tuple(round(wins[s], 6) for s in seats),
        tuple(places[s] for s in seats),
        tuple(float(scores[s]) for s in seats),
        result.why.code if result is not None else "",
        times,
        {name: dict(found) for name, found in faults.items() if found},
        hashlib.sha256(text.encode()).hexdigest(),
    )


def final_shares(game: Game, state: State, seats: tuple[Seat, ...]) -> Shares:
    """Each seat's share of the sum of squares, or what the game's own `share_scoring` says.

    In a game that was stopped, all are equal unless the game's own scoring knows better.
    """
    result = game.result(state)
    scoring = bots_of(game).share_scoring
    if scoring is not None:
        return scoring(result, state)
    return square_shares(result.scores) if result else dict.fromkeys(seats, 1 / len(seats))


# Runs that can be resumed


class TournamentFolder:
    """The folder of a tournament: ``tournament.json``, ``results.jsonl``, ``games/``."""

    def __init__(self, path: Path, tournament: Tournament) -> None:
        self.path, self.tournament = path, tournament
        (path / "games").mkdir(parents=True, exist_ok=True)
        stored = path / "tournament.json"
        before = stored.read_text(encoding="utf-8") if stored.exists() else None
        whole = tournament if before is None else self._extend_stored(before)
        asked = json.dumps(plain.dump(whole), indent=1) + "\n"
        if asked != before:
            write_whole(stored, asked)

    def _extend_stored(self, text: str) -> Tournament:
        """The tournament, if it is the stored one, perhaps with other seeds, designs and entrants;
        with all entrants that ever were in it, so that a name is never another bot."""
        asked = self.tournament
        try:
            old = plain.load(Tournament, json.loads(text))
        except (ValueError, TypeError):
            raise Unreadable("bots.other_tournament", path=str(self.path)) from None
        known = {e.name: e for e in (*old.entrants, *asked.entrants)}
        same = all(known[e.name] == e for e in old.entrants)
        if not same or _fixed_conditions(old) != _fixed_conditions(asked):
            raise Unreadable("bots.other_tournament", path=str(self.path))
        return replace(asked, entrants=tuple(known.values()))

    def finished_games(self) -> dict[str, GameOutcome]:
        """Results so far; a last line cut off by a kill is dropped."""
        results = self.path / "results.jsonl"
        if not results.exists():
            return {}
        found: dict[str, GameOutcome] = {}
        whole = ""
        text = results.read_text(encoding="utf-8")
        for line in text.splitlines():
            try:
                played = plain.load(GameOutcome, json.loads(line))
            except ValueError:
                continue
            found[played.id] = played
            whole += f"{line}\n"
        if whole != text:
            write_whole(results, whole)
        return found

    def keep_game(self, kept: KeptGame) -> None:
        """Write the game first, then the line of results that refers to it."""
        write_whole(self.path / "games" / f"{kept.played.id}.jsonl", kept.text)
        with (self.path / "results.jsonl").open("a", encoding="utf-8") as file:
            file.write(json.dumps(plain.dump(kept.played)) + "\n")


def write_whole(path: Path, text: str) -> None:
    """Replace a file atomically: after a kill it is either the old file or the whole new one."""
    draft = path.with_name(f"{path.name}.part")
    try:
        draft.write_text(text, encoding="utf-8")
        draft.replace(path)
    except OSError as error:
        error.filename = str(path)  # name the file that the user knows, not the draft
        raise


def _fixed_conditions(t: Tournament) -> tuple[Any, ...]:
    """The settings that all games of a folder share."""
    guards = (t.guarded, t.seconds)
    return (t.game, t.rules_version, t.players, t.options, t.exact, guards, t.cap, t.talk)


def plan_tournament(
    game: Game,
    bots: dict[str, str],
    designs: tuple[Design, ...],
    *,
    players: int | None = None,
    options: dict[str, Any] | None = None,
    **more: Any,
) -> Tournament:
    """A tournament with its bots checked before anything is played."""
    settings = {name: _check_bot(game, spec) for name, spec in bots.items()}
    count = players or game.players[-1]
    game.seats(count, load_options(game.Options, options or {}))
    entrants = tuple(Entrant(name, spec, settings=settings[name]) for name, spec in bots.items())
    more |= {"options": options or {}, "rules_version": game.version}
    return Tournament(game_reference(game), count, entrants, designs, **more)


def _check_bot(game: Game, spec: str) -> dict[str, Any]:
    """Whatever defines a bot besides its name; raises if there is no such bot."""
    if (released := split_release(spec)) is not None:
        return {"release": release_version(released.python)}
    return getattr(levels.load_bot(game, spec, Budget(1)), "settings", {})
