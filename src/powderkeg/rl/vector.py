"""Many games at once, stepped together.

    games = VectorGames("risk_europe", 32, players=3)
    seen = games.reset(seed=1)          # observation[32, columns], action_mask[32, words], seat[32]
    seen, rewards, terminated, truncated = games.step(actions)   # actions[32], rewards[32, seats]

In every game the seat that is asked first acts. A game that ended starts again at the next step
(Gymnasium's next-step mode): its action is ignored then. A word that a mask forbids is refused
before any game is stepped. With `workers` the games are divided among that many processes.
"""

import multiprocessing
import traceback
from multiprocessing.connection import Connection
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from powderkeg.core.game import Game, game_reference, import_game
from powderkeg.rl.play import WordPlay, make_setting


class GamesSeen(NamedTuple):
    """What the acting seats see, one row per game; `seat` is the place of the seat in seat order."""

    observation: NDArray[np.float32]
    action_mask: NDArray[np.int8]
    seat: NDArray[np.int64]


class GamesStepped(NamedTuple):
    """What a step gives: observations, rewards by seat, and which games ended or were cut off."""

    seen: GamesSeen
    rewards: NDArray[np.float64]
    terminated: NDArray[np.bool_]
    truncated: NDArray[np.bool_]


class GameBatch:
    """The games that one process holds."""

    def __init__(self, game: str | Game, count: int, **more: Any) -> None:
        self.setting = make_setting(game, **more)
        self.count = count
        self.plays: list[WordPlay] = []

    def reset(self, seeds: list[int]) -> GamesSeen:
        """Begin all games. Game `i` gets seed `seeds[i]`; the games after it follow from that seed."""
        self.luck = [np.random.default_rng(seed) for seed in seeds]
        self.plays = [self._new_play(i) for i in range(self.count)]
        self.ended = [False] * self.count
        return self._observe_all()

    def _new_play(self, i: int) -> WordPlay:
        return WordPlay(self.setting, int(self.luck[i].integers(1 << 62)))

    def step(self, actions: NDArray[np.int64]) -> GamesStepped:
        rewards = np.zeros((self.count, len(self.setting.seats)))
        for i, play in enumerate(self.plays):
            if self.ended[i]:
                self.plays[i] = self._new_play(i)
                continue
            seat = play.first_seat()
            assert seat is not None, "ended games start again"  # noqa: S101  # see above
            play.write(seat, int(actions[i]))
            if play.first_seat() is None:
                paid = play.rewards()
                rewards[i] = [paid[seat] for seat in self.setting.seats]
        terminated = np.array([play.over for play in self.plays])
        truncated = np.array([play.cut_off for play in self.plays])
        self.ended = list(terminated | truncated)
        return GamesStepped(self._observe_all(), rewards, terminated, truncated)

    def _observe_all(self) -> GamesSeen:
        seats = self.setting.seats
        acting = [play.first_seat() or seats[0] for play in self.plays]
        pairs = list(zip(self.plays, acting, strict=True))
        return GamesSeen(
            np.stack([play.observe(seat) for play, seat in pairs]),
            np.stack([play.mask(seat) for play, seat in pairs]),
            np.array([seats.index(seat) for seat in acting]),
        )


class VectorGames:
    """`count` games, in this process or divided among `workers` processes."""

    def __init__(self, game: str | Game, count: int, *, workers: int = 0, **more: Any) -> None:
        self.here = GameBatch(game, count, **more)
        self.setting, self.count = self.here.setting, count
        self.parts = np.array_split(np.arange(count), min(workers, count)) if workers else []
        self._luck = np.random.default_rng()
        self._mask: NDArray[np.int8] | None = (
            None  # what may be written now; nothing before `reset`
        )
        spawn = multiprocessing.get_context("spawn")
        self.pipes: list[Connection] = []
        self.processes = []
        for part in self.parts:
            ours, theirs = spawn.Pipe()
            name = game_reference(self.setting.game)
            process = spawn.Process(
                target=_serve_games, args=(theirs, name, len(part), more), daemon=True
            )
            process.start()
            theirs.close()
            self.pipes.append(ours)
            self.processes.append(process)

    def reset(self, seed: int | None = None) -> GamesSeen:
        """Begin all games. Without a seed they follow from the last seed given."""
        if seed is not None:
            self._luck = np.random.default_rng(seed)
        seeds = [int(s) for s in self._luck.integers(1 << 62, size=self.count)]
        if self.pipes:
            found = self._ask_workers("reset", [[seeds[i] for i in part] for part in self.parts])
            seen = GamesSeen(*map(np.concatenate, zip(*found, strict=True)))
        else:
            seen = self.here.reset(seeds)
        self._mask = seen.action_mask
        return seen

    def step(self, actions: NDArray[np.int64]) -> GamesStepped:
        """Write one word in every game."""
        self._check_actions(actions)
        stepped = self._step_all(actions)
        self._mask = np.where(
            (stepped.terminated | stepped.truncated)[:, None], np.int8(1), stepped.seen.action_mask
        )
        return stepped

    def _check_actions(self, actions: NDArray[np.int64]) -> None:
        if self._mask is None:
            raise ValueError("reset() comes before step()")
        words = self.setting.lexicon.words
        for game in np.flatnonzero((actions < 0) | (actions >= len(words))):
            raise ValueError(f"game {game}: there is no word {actions[game]}")
        for game in np.flatnonzero(self._mask[np.arange(self.count), actions] == 0):
            word = words[actions[game]]
            raise ValueError(f"game {game} cannot write {word!r} now")

    def _step_all(self, actions: NDArray[np.int64]) -> GamesStepped:
        if not self.pipes:
            return self.here.step(actions)
        found = self._ask_workers("step", [actions[part] for part in self.parts])
        seen = GamesSeen(*map(np.concatenate, zip(*(s.seen for s in found), strict=True)))
        rest = [np.concatenate(parts) for parts in zip(*(s[1:] for s in found), strict=True)]
        return GamesStepped(seen, *rest)

    def _ask_workers(self, what: str, parts: list[Any]) -> list[Any]:
        """Ask all processes and wait for all answers; then raise the first error, if there is one."""
        try:
            for pipe, part in zip(self.pipes, parts, strict=True):
                pipe.send((what, part))
            said = [pipe.recv() for pipe in self.pipes]
        except (EOFError, OSError):
            raise RuntimeError("a process that holds some of the games has died") from None
        for each in said:
            if isinstance(each, Exception):
                raise each
        return said

    def close(self) -> None:
        """End the worker processes."""
        for pipe in self.pipes:
            pipe.close()
        for process in self.processes:
            process.join()
        self.pipes, self.processes = [], []


def _serve_games(pipe: Connection, game: str, count: int, more: dict[str, Any]) -> None:
    """A process that holds some of the games, until the pipe is closed."""
    games: GameBatch | None = None
    try:
        while True:
            what, part = pipe.recv()
            try:
                games = games or GameBatch(import_game(game), count, **more)
                said = getattr(games, what)(part)
            except Exception as error:  # noqa: BLE001  # whatever it is, it is raised over there
                error.add_note(traceback.format_exc())
                said = error
            pipe.send(said)
    except (EOFError, OSError):
        return
