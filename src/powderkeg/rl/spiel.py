"""OpenSpiel games over the contract: ``pyspiel.load_game("powderkeg_risk_europe(players=3)")``.

    import powderkeg.rl.spiel            # registers the three games
    game = pyspiel.load_game("powderkeg_diplomacy")

Seats act in turn, word by word; seats that choose at the same time do not see each other's
words. Chance is explicit: dice and draws come one die and one thing at a time, so that no node has
more outcomes than a die has sides or a pile has things. Utilities are shares of one game.
Games and states can be pickled and serialised; `resample_from_infostate` deals a world that fits
what a seat knows.
"""

import json
from collections.abc import Callable
from typing import Any

import numpy as np
import pyspiel  # type: ignore[import-not-found]  # compiled, without stubs

from powderkeg import games
from powderkeg.bots.seats.turn_order import TurnOrder
from powderkeg.core.chance import CHANCE, Dice, Draw, Drawn, Outcome, Rng, Roll
from powderkeg.core.game import Game, HoldsGame, Seat
from powderkeg.core.words import say
from powderkeg.rl.play import PlaySetting, encode_written, make_setting
from powderkeg.rl.spelling import Spelling, SpellingDesk

__all__ = [
    "SpielGame",
    "SpielObserver",
    "SpielPosition",
    "SpielState",
    "load_game",
    "register_game",
]

MOST_OUTCOMES = 64  # sides of a die, or different things left in a pile
LONGEST_GAME = 100_000


def register_game(name: str, rules: Game | None = None) -> str:
    """Make a game known to OpenSpiel; returns the name it has there."""
    found = rules or games.find_game(name)
    kind = pyspiel.GameType(
        short_name=f"powderkeg_{name}",
        long_name=f"Powderkeg: {name}",
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.CONSTANT_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=found.players[-1],
        min_num_players=found.players[0],
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        provides_factored_observation_string=False,
        parameter_specification={"players": found.players[-1], "options": ""},
    )

    class Registered(SpielGame):
        def __init__(self, params: dict[str, Any] | None = None) -> None:
            super().__init__(kind, found, params or {})

    pyspiel.register_game(kind, Registered)
    return str(kind.short_name)


def load_game(text: str) -> Any:
    """A registered game by its name with parameters."""
    return pyspiel.load_game(text)


def _parse_options(text: str) -> dict[str, Any]:
    """Options of the game written ``last_year:1905;talk_always:true``."""
    pairs = [pair.partition(":")[::2] for pair in text.split(";") if pair]
    words = {"true": True, "false": False}
    return {k: words.get(v, int(v) if v.lstrip("-").isdecimal() else v) for k, v in pairs}


class SpielGame(pyspiel.Game):  # type: ignore[misc]  # compiled, without stubs
    """A game of ours as OpenSpiel sees it."""

    def __init__(self, kind: Any, rules: Game, params: dict[str, Any]) -> None:
        players = int(params.get("players", rules.players[-1]))
        self.setting: PlaySetting = make_setting(
            rules, players, reward="wins", **_parse_options(str(params.get("options", "")))
        )
        info = pyspiel.GameInfo(
            num_distinct_actions=len(self.setting.lexicon),
            max_chance_outcomes=MOST_OUTCOMES,
            num_players=players,
            min_utility=0.0,
            max_utility=1.0,
            utility_sum=1.0,
            max_game_length=LONGEST_GAME,
        )
        super().__init__(kind, info, params)

    def __reduce__(self) -> tuple[Any, ...]:
        """A pickled game is its name with its parameters."""
        return load_game, (str(self),)

    def new_initial_state(self) -> "SpielState":
        return SpielState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> "SpielObserver":
        return SpielObserver(self.setting)


class SpielPosition(HoldsGame):
    """What a state holds. States are values, so a copy shares all but what is being written.

    `seen` has every line that a seat could see: its own actions and the facts that it may know.
    """

    def __init__(self, setting: PlaySetting) -> None:
        self.setting, self.game = setting, setting.game
        self.state = self.game.start(setting.seats, setting.options)
        self.turn_order = TurnOrder(self.game, setting.seats)
        self.desk = SpellingDesk(self.game, setting.lexicon)
        self.spelling: Spelling | None = None
        self.seat: Seat | None = None
        self.drawn_so_far: tuple[Any, ...] = ()  # dice or things
        self.seen: dict[Seat | None, tuple[str, ...]] = dict.fromkeys((*setting.seats, None), ())
        self.run_forced()

    def __deepcopy__(self, memo: Any) -> "SpielPosition":
        other = object.__new__(SpielPosition)
        other.__dict__.update(self.__dict__)
        other.turn_order, other.desk = self.turn_order.copy(), self.desk.copy()
        other.seen = dict(self.seen)
        other.spelling = None if self.spelling is None else self.spelling.copy()
        return other

    def __getstate__(self) -> dict[str, Any]:
        """Without what can be worked out again: the tree of words, and states that are past."""
        written = None if self.spelling is None else self.spelling.written
        order = self.turn_order.copy()
        order.forget_states(self.state)
        return {**super().__getstate__(), "spelling": written, "turn_order": order}

    def __setstate__(self, kept: dict[str, Any]) -> None:
        super().__setstate__(kept)
        if kept["spelling"] is not None and self.seat is not None:
            self.spelling = self.desk.spelling(self.state, self.seat)
            self.spelling.write_again(kept["spelling"])

    def run_forced(self) -> None:
        """Go on to where somebody has a choice: a seat, chance, or the end."""
        while acting := self.game.to_act(self.state):
            if CHANCE in acting:
                self.seat = CHANCE
                if len(self.chance_parts()) > 1:
                    return
                self.choose_outcome(0)
                continue
            self.seat = self.turn_order.next_seats(self.state)[0]
            self.spelling = self.spelling or self.desk.spelling(self.state, self.seat)
            if self.spelling.text is None:
                return
            text, spelling = self.spelling.text, self.spelling
            self.desk.note_decision(self.seat, spelling)
            self.spelling = None
            self.apply(self.seat, self.game.parse(text))
        self.seat = None

    def apply(self, seat: Seat, action: Any) -> None:
        step = self.game.apply(self.state, seat, action)
        self.state = step.state
        for reader in self.seen:
            lines = tuple(say(f.msg) for f in step.facts if f.seen_by(reader))
            mine = (f"{seat}: {action}",) if reader == seat else ()
            self.seen[reader] += mine + lines

    def resample_world(self, seat: Seat, rng: Rng) -> None:
        """Replace everything that `seat` does not know by something else that fits what it knows.

        The other seats now know what everybody knows, and what they see in the new world.
        """
        before, self.state = self.state, self.game.deal(self.game.view(self.state, seat), rng)
        self.turn_order.replace_state(before, self.state)
        for other in self.setting.seats:
            if other != seat:
                known = json.dumps(self.game.view(self.state, other), sort_keys=True)
                self.seen[other] = (*self.seen[None], known)
        if self.seat not in (seat, CHANCE, None):
            self.spelling = None
            self.run_forced()

    # Chance, piece by piece

    @property
    def owed_chance(self) -> Dice | Draw:
        return self.game.legal(self.state, CHANCE)  # type: ignore[return-value]  # the contract

    def chance_parts(self) -> list[tuple[str, float]]:
        """What the next die or thing may be, with its probability."""
        owed = self.owed_chance
        if isinstance(owed, Dice):
            return [(str(n + 1), 1 / owed.sides) for n in range(owed.sides)]
        left = list(owed.items)
        for thing in self.drawn_so_far:
            left.remove(thing)
        kinds = dict.fromkeys(left)
        return [(thing, left.count(thing) / len(left)) for thing in kinds]

    def choose_outcome(self, number: int) -> None:
        """The next die or thing; the whole outcome once it is complete."""
        owed, parts = self.owed_chance, self.chance_parts()
        if parts and len(self.drawn_so_far) < owed.count:
            thing = parts[number][0]
            self.drawn_so_far += (int(thing) if isinstance(owed, Dice) else thing,)
        if len(self.drawn_so_far) == owed.count:
            kind = Roll if isinstance(owed, Dice) else Drawn
            outcome: Outcome = kind(self.drawn_so_far)
            self.drawn_so_far = ()
            self.apply(CHANCE, outcome)


class SpielState(pyspiel.State):  # type: ignore[misc]  # compiled, without stubs
    """One moment of a game as OpenSpiel sees it."""

    def __init__(self, game: SpielGame) -> None:
        super().__init__(game)
        self.position = SpielPosition(game.setting)

    def current_player(self) -> int:
        seat = self.position.seat
        if seat is None:
            return int(pyspiel.PlayerId.TERMINAL)
        if seat == CHANCE:
            return int(pyspiel.PlayerId.CHANCE)
        return self.position.setting.seats.index(seat)

    def _legal_actions(self, player: int) -> list[int]:
        numbers = self.position.setting.lexicon.numbers
        spelling = self.position.spelling
        if spelling is None or player != self.current_player():
            return []
        return sorted(numbers[word] for word in spelling.words)

    def chance_outcomes(self) -> list[tuple[int, float]]:
        return [(i, p) for i, (_, p) in enumerate(self.position.chance_parts())]

    def _apply_action(self, action: int) -> None:
        position = self.position
        if position.seat == CHANCE:
            position.choose_outcome(action)
        else:
            assert position.spelling is not None  # noqa: S101  # a seat is writing
            position.spelling.write(position.setting.lexicon.words[action])
        position.run_forced()

    def _action_to_string(self, player: int, action: int) -> str:
        if player == pyspiel.PlayerId.CHANCE:
            outcomes = self.position.chance_parts() if self.position.seat == CHANCE else []
            return outcomes[action][0] if action < len(outcomes) else str(action)
        return self.position.setting.lexicon.words[action]

    def is_terminal(self) -> bool:
        return self.position.seat is None

    def returns(self) -> list[float]:
        result = self.position.game.result(self.position.state)
        seats = self.position.setting.seats
        if result is None:
            return [0.0] * len(seats)
        rewards = self.position.setting.rewards(result)
        return [rewards[seat] for seat in seats]

    def information_state_string(self, player: int | None = None) -> str:
        """All facts and actions of the seat since the first entry, and what it is writing."""
        number = self.current_player() if player is None else player
        seat = self.position.setting.seats[number]
        writing = self.position.spelling.written if self.position.seat == seat else []  # type: ignore[union-attr]  # it is writing
        return "\n".join([seat, *self.position.seen[seat], " ".join(writing)])

    def resample_from_infostate(
        self, player_id: int, probability_sampler: Callable[[], float]
    ) -> "SpielState":
        """Another state that looks the same to a player."""
        other = self.clone()
        seat = other.position.setting.seats[player_id]
        other.position.resample_world(seat, UniformRng(probability_sampler))
        return other  # type: ignore[no-any-return]  # a clone is of our class

    def __str__(self) -> str:
        sections = self.position.game.describe(self.position.game.view(self.position.state, None))
        return "\n".join(say(line) for section in sections for line in section.lines)


class UniformRng:
    """Whole numbers from a function that draws between 0 and 1."""

    def __init__(self, draw: Callable[[], float]) -> None:
        self.draw = draw

    def randrange(self, n: int, /) -> int:
        return min(n - 1, int(self.draw() * n))


class SpielObserver:
    """The numpy observation of a seat: its view, and what it has written of its decision."""

    def __init__(self, setting: PlaySetting) -> None:
        self.setting = setting
        self.tensor = np.zeros(setting.width, np.float32)
        self.dict = {"observation": self.tensor}

    def set_from(self, state: SpielState, player: int) -> None:
        position, seat = state.position, self.setting.seats[player]
        view = self.setting.encoder.encode(position.game.view(position.state, seat))
        self.tensor.fill(0)
        self.tensor[: len(view)] = view
        if position.seat == seat and position.spelling is not None:
            self.tensor[len(view) :] = encode_written(self.setting, position.spelling.written)

    def string_from(self, state: SpielState, player: int) -> str:
        position, seat = state.position, self.setting.seats[player]
        sections = position.game.describe(position.game.view(position.state, seat))
        return "\n".join(say(line) for section in sections for line in section.lines)


for _name in games.GAME_NAMES:
    register_game(_name)
