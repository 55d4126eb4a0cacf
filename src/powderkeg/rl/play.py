"""One game played word by word: what all environments share."""

import random
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from powderkeg import games
from powderkeg.bots.engine.shares import square_shares
from powderkeg.bots.process.reference import game_reference
from powderkeg.bots.seats.turn_order import TurnOrder
from powderkeg.core import plain
from powderkeg.core.chance import Seeded
from powderkeg.core.game import Game, Options, Result, Seat
from powderkeg.core.table import Table
from powderkeg.core.words import say
from powderkeg.rl.encode import Encoder, FloatVector
from powderkeg.rl.encoders import find_encoder
from powderkeg.rl.lexicon import FULL_STOP, ActionLexicon, game_lexicon
from powderkeg.rl.spelling import Spelling, SpellingDesk

Mask = NDArray[np.int8]
Reward = Literal["wins", "shares", "scores"]


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
        """In seat order, whatever order the game lists its scores in."""
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
    chosen: Options = plain.load(rules.Options, options)
    words, columns = words_and_columns(rules, count, chosen)
    return PlaySetting(rules, count, chosen, words, columns, reward, most_steps)


_prepared: dict[tuple[str, int, str], tuple[ActionLexicon, Encoder]] = {}


def words_and_columns(game: Game, players: int, options: Options) -> tuple[ActionLexicon, Encoder]:
    """Words and columns, which may take a while to gather: once per process."""
    key = (game_reference(game), players, repr(options))
    if key not in _prepared:
        _prepared[key] = game_lexicon(game, players, options), find_encoder(game, players, options)
    return _prepared[key]


@dataclass
class _HalfWritten:
    """A decision half written, and how long the log was when it was last looked at."""

    spelling: Spelling
    since: int


class WordPlay:
    """A game in progress. Every seat that is asked has a decision half written."""

    def __init__(
        self, setting: PlaySetting, seed: int | str, deaf: frozenset[Seat] = frozenset()
    ) -> None:
        """To `deaf` seats no offer is put (see `bots.seats.turn_order`)."""
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
        """Whose decision is wanted: an answer to an offer, else of all who must act."""
        return self.turn_order.next_seats(self.table.state)

    def first_seat(self) -> Seat | None:
        """The first seat that has a word to write; what leaves no choice is done on the way."""
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
        """The seat's decision as far as it is written. If the seat was told something since, the
        words are written again as far as they still can be."""
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
        written = np.zeros((2, len(self.setting.lexicon)), np.float32)
        if seat in self.asked_seats():
            words = self.setting.lexicon.known_numbers(self._spelling(seat).written)
            written[0, words] = 1
            written[1, words[-1:]] = 1
        return np.concatenate([self._encoded_view(seat), written.ravel()])

    def _encoded_view(self, seat: Seat) -> FloatVector:
        """A view is encoded once, however often wrappers ask for it and words are written."""
        now = len(self.table.log)
        if self._views.get(seat, (-1,))[0] != now:
            self._views[seat] = now, self.setting.encoder.encode(self.table.view(seat))
        return self._views[seat][1]

    def rewards(self) -> dict[Seat, float]:
        """What the game was worth to each seat; nothing while it lasts."""
        result = self.table.result
        return self.setting.rewards(result) if result else dict.fromkeys(self.table.seats, 0.0)

    def render(self) -> str:
        sections = self.game.describe(self.table.view(None))
        return "\n".join(
            line for s in sections for line in (say(s.title), *(f"  {say(m)}" for m in s.lines))
        )
