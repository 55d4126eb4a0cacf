"""One game played word by word: what all environments share."""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from powderkeg import games
from powderkeg.bots.engine.shares import square_shares
from powderkeg.bots.seats.turn_order import TurnOrder
from powderkeg.core import plain
from powderkeg.core.chance import Seeded
from powderkeg.core.errors import Unreadable
from powderkeg.core.game import (
    Game,
    HoldsGame,
    Options,
    Result,
    Seat,
    game_reference,
    pack_game,
    unpack_game,
)
from powderkeg.core.options import load_options
from powderkeg.core.table import Table
from powderkeg.core.words import say
from powderkeg.rl.encoders import find_encoder
from powderkeg.rl.lexicon import FULL_STOP, ActionLexicon, game_lexicon
from powderkeg.rl.spelling import Spelling, SpellingDesk
from powderkeg.rl.view_columns import Encoder, FloatVector

Mask = NDArray[np.int8]
Reward = Literal["wins", "shares", "scores"]
ENV_VERSION = 1  # raised when words, columns or rewards of an environment change their meaning
RENDER_MODES = ("ansi",)
MOST_WORDS = 16  # words of a decision whose order an observation tells apart


@dataclass(frozen=True)
class PlaySetting:
    """What is fixed for all games of an environment: rules, words, columns, reward.

    `reward`, given at the end: ``wins`` (first place, shared by ties), ``shares`` (of the sum of
    squared scores), ``scores`` (as the game counts them). A game of more than `most_steps` words
    is cut off.
    """

    game: Game
    players: int
    options: Options
    lexicon: ActionLexicon
    encoder: Encoder
    reward: Reward = "wins"
    most_steps: int = 20_000

    def __reduce__(self) -> tuple[Any, ...]:
        """Words and columns are not pickled: the other process has its own."""
        game = pack_game(self.game)
        return _restore_setting, (game, self.players, self.options, self.reward, self.most_steps)

    @property
    def seats(self) -> tuple[Seat, ...]:
        return self.game.seats(self.players, self.options)

    @property
    def width(self) -> int:
        """Columns of an observation: the view, what was written so far, the last word."""
        return len(self.encoder.names) + 2 * len(self.lexicon)

    def spec(self) -> dict[str, Any]:
        """The meaning of every column and of every action, by number."""
        words = self.lexicon.words
        written = [f"written: {word}" for word in words]
        last = [f"last word: {word}" for word in words]
        return {
            "game": self.game.name,
            "version": self.game.version,
            "seats": list(self.seats),
            "observation": [*self.encoder.names, *written, *last],
            "actions": list(words),
            "reward": self.reward,
            "most_steps": self.most_steps,
        }

    def rewards(self, result: Result) -> dict[Seat, float]:
        """The reward of every seat, in seat order."""
        first = result.winners
        if self.reward == "wins":
            return {seat: (seat in first) / len(first) for seat in self.seats}
        paid = square_shares(result.scores) if self.reward == "shares" else result.scores
        return {seat: paid[seat] for seat in self.seats}


def make_setting(
    game: str | Game,
    players: int | None = None,
    *,
    reward: Reward = "wins",
    most_steps: int = 20_000,
    **options: Any,
) -> PlaySetting:
    """The setting of a game by name; options are the game's own."""
    plain.load(Reward, reward)  # type: ignore[arg-type]  # a Literal is no class, and can be loaded
    rules = games.find_game(game) if isinstance(game, str) else game
    count = players or rules.players[-1]
    chosen: Options = load_options(rules.Options, options)
    return PlaySetting(
        rules, count, chosen, *words_and_columns(rules, count, chosen), reward, most_steps
    )


def _restore_setting(
    game: Game | str, players: int, options: Options, reward: Reward, most_steps: int
) -> PlaySetting:
    """A setting that was pickled."""
    rules = unpack_game(game)
    found = words_and_columns(rules, players, options)
    return PlaySetting(rules, players, options, *found, reward, most_steps)


def check_render_mode(mode: str | None) -> str | None:
    """A render mode that we have; any other is refused."""
    if mode is not None and mode not in RENDER_MODES:
        raise Unreadable("bots.rl.render_mode", mode=mode, modes=RENDER_MODES)
    return mode


_prepared: dict[tuple[str, int, str], tuple[ActionLexicon, Encoder]] = {}


def words_and_columns(game: Game, players: int, options: Options) -> tuple[ActionLexicon, Encoder]:
    """Words and columns, gathered once per process because that may take a while."""
    key = (game_reference(game), players, repr(options))
    if key not in _prepared:
        _prepared[key] = game_lexicon(game, players, options), find_encoder(game, players, options)
    return _prepared[key]


def encode_written(setting: PlaySetting, written: Sequence[str]) -> FloatVector:
    """The words written so far, each with its place among them (of `MOST_WORDS`), and the last."""
    columns = np.zeros((2, len(setting.lexicon)), np.float32)
    if written:
        places = np.arange(1, len(written) + 1, dtype=np.float32) / MOST_WORDS
        known = [word in setting.lexicon.numbers for word in written]
        words = setting.lexicon.known_numbers(written)
        columns[0, words] = np.minimum(places[known], 1)
        columns[1, words[-1:]] = 1
    return columns.ravel()


@dataclass
class _HalfWritten:
    """A decision half written, and how long the log was when it was last looked at."""

    spelling: Spelling
    since: int


class WordPlay(HoldsGame):
    """A game in progress. Every seat that is asked has a decision half written."""

    def __init__(
        self, setting: PlaySetting, seed: int | str, deaf: frozenset[Seat] = frozenset()
    ) -> None:
        """The seats of `deaf` are shown no offers (see `bots.seats.turn_order`)."""
        self.setting, self.game = setting, setting.game
        source = Seeded(random.Random(f"{seed}/chance"))
        self.table = Table(self.game, setting.players, setting.options, source=source)
        self.turn_order = TurnOrder(self.game, self.table.seats, deaf)
        self.desk = SpellingDesk(self.game, setting.lexicon)
        self.open: dict[Seat, _HalfWritten] = {}
        self.steps = 0
        self._views: dict[Seat, tuple[int, FloatVector]] = {}  # encoded when the log was so long

    @property
    def over(self) -> bool:
        return not self.table.to_act

    @property
    def cut_off(self) -> bool:
        return not self.over and self.steps >= self.setting.most_steps

    def asked_seats(self) -> tuple[Seat, ...]:
        """The seats that are asked: the one that has an offer to answer, else all that must act."""
        return self.turn_order.next_seats(self.table.state)

    def first_seat(self) -> Seat | None:
        """The first seat that has a word to write; decisions without a choice are carried out on the way."""
        while asked := self.asked_seats():
            if not self._act_if_complete(asked[0]):
                return asked[0]
        return None

    def writing_seats(self) -> tuple[Seat, ...]:
        """All seats that have a word to write, in seat order."""
        while asked := self.asked_seats():
            if not any(self._act_if_complete(seat) for seat in asked):
                return asked
        return ()

    def write(self, seat: Seat, number: int) -> None:
        """Write a word for `seat`; a decision that is complete is carried out."""
        word = self.setting.lexicon.words[number]
        spelling = self._spelling(seat)
        if word not in spelling.branch:
            raise ValueError(f"{seat} cannot write {word!r} now")
        self.steps += 1
        spelling.write(word)
        self._act_if_complete(seat)

    def _act_if_complete(self, seat: Seat) -> bool:
        spelling = self._spelling(seat)
        if spelling.text is None:
            return False
        del self.open[seat]
        self.desk.note_decision(seat, spelling)
        self.table.act(seat, spelling.text)
        return True

    def _spelling(self, seat: Seat) -> Spelling:
        """The seat's decision as far as it is written. If something happened since that the seat
        can see, the words are written again as far as they still can be."""
        held, now = self.open.get(seat), len(self.table.log)
        if held is not None and not self._has_news(seat, held.since):
            held.since = now
            return held.spelling
        fresh = self.desk.spelling(self.table.state, seat)
        if held is not None:
            fresh.write_again(held.spelling.written)
        self.open[seat] = _HalfWritten(fresh, now)
        return fresh

    def _has_news(self, seat: Seat, since: int) -> bool:
        return any(f.seen_by(seat) for facts in self.table.facts[since:] for f in facts)

    def mask(self, seat: Seat) -> Mask:
        """Which words `seat` may write; a seat that is not asked may only write `END`."""
        mask = np.zeros(len(self.setting.lexicon), np.int8)
        numbers = self.setting.lexicon.numbers
        words = self._spelling(seat).words if seat in self.asked_seats() else [FULL_STOP]
        mask[[numbers[word] for word in words]] = 1
        return mask

    def observe(self, seat: Seat) -> FloatVector:
        """The seat's view, what it has written of its decision, and its last word."""
        written = self._spelling(seat).written if seat in self.asked_seats() else ()
        return np.concatenate([self._encoded_view(seat), encode_written(self.setting, written)])

    def _encoded_view(self, seat: Seat) -> FloatVector:
        """A view is encoded once, however often wrappers ask for it and words are written."""
        now = len(self.table.log)
        if self._views.get(seat, (-1,))[0] != now:
            self._views[seat] = now, self.setting.encoder.encode(self.table.view(seat))
        return self._views[seat][1]

    def rewards(self) -> dict[Seat, float]:
        """The reward of every seat; 0 until the game is over."""
        result = self.table.result
        return self.setting.rewards(result) if result else dict.fromkeys(self.table.seats, 0.0)

    def render(self) -> str:
        """The board in words."""
        sections = self.game.describe(self.table.view(None))
        return "\n".join(
            line for s in sections for line in (say(s.title), *(f"  {say(m)}" for m in s.lines))
        )
