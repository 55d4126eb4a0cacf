"""One seat as a Gymnasium environment; bots have the others.

The actions that can be taken are in ``info["action_mask"]`` and in the observation.
"""

from typing import Any

import gymnasium
import numpy as np

from powderkeg.bots import levels
from powderkeg.bots.process import guard
from powderkeg.bots.seats.turn_order import seats_without_offers
from powderkeg.core.errors import Unreadable
from powderkeg.core.game import Game
from powderkeg.rl.play import WordPlay, make_setting
from powderkeg.rl.zoo import Observation, _env_spaces


class SeatEnv(gymnasium.Env[Observation, np.int64]):
    """Play `seat` against bots of `level`."""

    metadata = {"render_modes": ["ansi"]}  # noqa: RUF012  # Gymnasium's way

    def __init__(
        self,
        game: str | Game,
        players: int | None = None,
        *,
        seat: str | None = None,
        level: str = "random",
        render_mode: str | None = None,
        **more: Any,
    ) -> None:
        self.setting = make_setting(game, players, **more)
        self.seat = seat or self.setting.seats[0]
        if self.seat not in self.setting.seats:
            raise Unreadable("core.no_such_seat", seat=self.seat)
        self.bot = levels.find_bot(self.setting.game, level).exact()
        self.deaf = seats_without_offers(self.bot, self.setting.seats) - {self.seat}
        self.render_mode = render_mode
        self.observation_space, self.action_space = _env_spaces(self.setting)
        self.play = WordPlay(self.setting, 0)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        super().reset(seed=seed)
        self.seed = int(self.np_random.integers(1 << 62))
        self.play = WordPlay(self.setting, self.seed, self.deaf)
        self._others_play()
        return self._seen()

    def step(self, action: np.int64) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """An action that the mask forbids ends the game with -1."""
        if not self.play.mask(self.seat)[action]:
            return (*self._seen()[:1], -1.0, True, False, {"illegal": True})
        if not self.play.over:
            self.play.write(self.seat, int(action))
        self._others_play()
        observation, info = self._seen()
        reward = self.play.rewards()[self.seat]
        return observation, reward, self.play.over, self.play.cut_off, info

    def render(self) -> str:
        return self.play.render()

    def _seen(self) -> tuple[Observation, dict[str, Any]]:
        mask = self.play.mask(self.seat)
        return {"observation": self.play.observe(self.seat), "action_mask": mask}, {
            "action_mask": mask
        }

    def _others_play(self) -> None:
        """Bots decide until this seat has a choice."""
        table = self.play.table
        while not self.play.cut_off and (seat := self.play.first_seat()) not in (None, self.seat):
            if self.seat in self.play.asked_seats() and self.seat in self.play.writing_seats():
                return
            assert seat is not None  # noqa: S101  # it was looked at above
            luck = f"{self.seed}/{seat}/{len(table.log)}"
            self.play.open.pop(seat, None)
            self.play.steps += 1
            table.act(seat, guard.decide_here(table.game, table.state, seat, self.bot, luck).action)
