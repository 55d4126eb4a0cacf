"""DAIDE over TCP, client side: one of our bots plays at another program's server."""

import asyncio
import random
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Final

from powderkeg import games
from powderkeg.bots.characters import split_name
from powderkeg.bots.diplomacy.daide.framing import (
    FINAL_FRAME,
    INITIAL_FRAME,
    Fault,
    Frame,
    Kind,
    ProtocolFault,
    read_frame,
    variant_names,
)
from powderkeg.bots.diplomacy.daide.messages import (
    daide_order,
    order_scene,
    read_centres,
    read_position,
    turn_text,
)
from powderkeg.bots.diplomacy.daide.tokens import decode_tokens, encode_tokens
from powderkeg.bots.diplomacy.press.daide import (
    POWER_TOKENS,
    TokenTree,
    bracket_text,
    flat_tokens,
    parse_message,
    parse_tree,
    press_level,
    read_power_list,
    read_power_token,
)
from powderkeg.bots.engine.budget import Budget
from powderkeg.bots.engine.thought import ThinkingBot
from powderkeg.bots.envoy import EnvoyReply, FormalNote
from powderkeg.bots.game_bots import bots_of
from powderkeg.core.errors import RulesError, Unreadable
from powderkeg.games.diplomacy.actions import Disband, Hold, Order, Ready, Waive
from powderkeg.games.diplomacy.board import POWERS, START, Power
from powderkeg.games.diplomacy.flow import apply
from powderkeg.games.diplomacy.rules.adjustments import adjustment_balance
from powderkeg.games.diplomacy.rules.turn import HOME_CENTRES, Season, Stage
from powderkeg.games.diplomacy.state import Options, State

_STAGES: Final[dict[str, Stage]] = {"M": "movement", "R": "retreat", "A": "adjustment"}
TALK_SECONDS: Final = 2.0  # for one letter or for the proposals of a phase
MOST_ANSWERS: Final = 60  # actions of a bot in one phase; more is a bot that does not end


@dataclass
class DaidePlayer:
    """A bot at a DAIDE server: messages in, messages out. It knows nothing of sockets."""

    bot: ThinkingBot
    version: str = "1.0"
    seed: int = 0
    power: Power | None = None
    passcode: int = 0
    level: int = 0
    centres: dict[str, Power] = field(default_factory=lambda: dict(HOME_CENTRES))
    state: State | None = None
    memory: Any = None
    ending: str = ""  # SLO or DRW, as the server said
    closed: bool = False

    def __post_init__(self) -> None:
        self.rng = random.Random(self.seed)
        self.game = games.find_game("diplomacy")
        own = bots_of(self.game).envoy
        skill, self.character = split_name(self.bot.name)
        self.envoy = own if own and skill in own.TALKING_LEVELS else None

    def greet_server(self) -> str:
        return f"NME ( 'Powderkeg {self.bot.name}' ) ( '{self.version}' )"

    def answer_message(self, text: str) -> list[str]:
        """What to say to a message of the server."""
        tree = parse_tree(text)
        match tree:
            case ["MAP", [str(name)]]:
                answer = "YES" if name.lower() == "'standard'" else "REJ"
                return [f"{answer} ( MAP ( {name} ) )"]
            case ["HLO", [power], [str(code)], list(options)]:
                self._take_seat(power, code, options)
            case ["SCO", *rows]:
                self.centres = read_centres(rows)
            case ["NOW", *rows]:
                return self._play_phase(rows)
            case ["FRM", list(sender), list(to), list(press), *_]:
                return self._hear_press(sender, to, press)
            case [("SLO" | "DRW"), *_]:
                self.ending = text
            case ["OFF"]:
                self.closed = True
            case ["REJ", ["NME", *_]]:
                raise Unreadable("daide.no_seat")
        return []

    def _take_seat(self, power: TokenTree, code: str, options: list[TokenTree]) -> None:
        self.power = read_power_token(power)
        self.passcode = int(code)
        for option in options:
            match option:
                case ["LVL", str(level)]:
                    self.level = int(level)

    # Orders

    def _play_phase(self, rows: list[TokenTree]) -> list[str]:
        self.state = self.state_at(rows)
        said = self._exchange_letters([]) if self.state.stage == "movement" else []
        return [*said, *self._submit_orders()]

    def state_at(self, rows: list[TokenTree]) -> State:
        """The position in a NOW message as a state of ours."""
        phase, units, dislodged = read_position(rows)
        season: Season = "spring" if phase[0] == "S" else "fall"
        everybody: dict[str, tuple[Power, ...]] = {power: (power,) for power in POWERS}
        placed = {power: units.get(power, ()) for power in START}
        year, stage = int(phase[1:-1]), _STAGES[phase[-1]]
        return State(Options(), everybody, year, season, stage, placed, self.centres, dislodged)

    def _submit_orders(self) -> list[str]:
        """The bot's orders as one SUB, then GOF; nothing if nothing is due."""
        if (
            self.state is None
            or self.power is None
            or self.power not in self.game.to_act(self.state)
        ):
            return []
        orders = self.decide_orders(self.state, self.power)
        scene = order_scene(self.state.units, winter=self.state.stage == "adjustment")
        texts = [bracket_text([daide_order(self.power, order, scene)]) for order in orders]
        return [*([" ".join(["SUB", *texts])] if texts else []), "GOF"]

    def decide_orders(self, state: State, power: Power) -> list[Order]:
        """What the bot orders, with waived builds said in so many words."""
        now = state
        for _ in range(MOST_ANSWERS):
            view = self.game.view(now, power)
            if self.envoy and self.level:
                view = dict(self.envoy.bind_view(view, self.memory))
            question = self.game.ask(now, power)
            assert question is not None  # noqa: S101  # the power has something to decide
            action = self.bot(view, question, self.game.legal(now, power), self.rng)
            if isinstance(action, Ready):
                break
            now = apply(now, power, action).state
        return [*now.drafts.values(), *_silent_orders(now, power)]

    # Press

    def _hear_press(
        self, sender: list[TokenTree], to: list[TokenTree], press: list[TokenTree]
    ) -> list[str]:
        text = " ".join(flat_tokens(press))
        try:
            powers = read_power_list(to)
            note = FormalNote(read_power_token(sender[0] if sender else ""), powers, text)
            parse_message(text)
        except RulesError:
            return self._huh(sender, press)
        return self._exchange_letters([note])

    def _huh(self, sender: list[TokenTree], press: list[TokenTree]) -> list[str]:
        """A message above our level is answered as the language wants it."""
        if press[:1] in (["HUH"], ["TRY"]):
            return []
        who, what = " ".join(flat_tokens(sender)), " ".join(flat_tokens(press))
        tokens = "PRP PCE ALY VSS DRW SLO NOT NAR YES REJ BWX FCT XDO DMZ AND ORR"
        return [f"SND ( {who} ) ( HUH ( ERR {what} ) )", f"SND ( {who} ) ( TRY ( {tokens} ) )"]

    def _exchange_letters(self, heard: list[FormalNote]) -> list[str]:
        if not self.envoy or not self.level or self.state is None or self.power is None:
            return []
        view = {**self.game.view(self.state, self.power), "character": self.character}
        reply: EnvoyReply = self.envoy.exchange_letters(
            view, self.memory, heard, self.rng, Budget(1, TALK_SECONDS).start(), public=False
        )
        self.memory = reply.memory
        said = [self._send_text(note) for note in reply.notes if self._within_level(note)]
        return [*said, *(self._submit_again(self.state) if reply.rebound and heard else [])]

    def _submit_again(self, state: State) -> list[str]:
        """Other orders after a promise, for this turn only: the server may be further on already."""
        turn = bracket_text([turn_text(state.phase)])
        return [text.replace("SUB", f"SUB {turn}", 1) for text in self._submit_orders()]

    def _within_level(self, note: FormalNote) -> bool:
        return press_level(parse_message(note.text)) <= self.level

    def _send_text(self, note: FormalNote) -> str:
        powers = bracket_text(POWER_TOKENS[power] for power in note.to)
        return f"SND {powers} {bracket_text([note.text])}"


def _silent_orders(state: State, power: Power) -> list[Order]:
    """DAIDE wants an order for everything: holds, disbandments and waived builds too."""
    if state.stage == "adjustment":
        due = adjustment_balance(state.position, state.centres, power)
        return [Waive()] * max(0, due - len(state.drafts))
    if state.stage == "movement":
        return [Hold(unit) for unit in state.units[power] if unit.province not in state.drafts]
    beaten = [each.unit for each in state.dislodged if each.power == power]
    return [Disband(unit) for unit in beaten if unit.province not in state.drafts]


async def join_game(
    player: DaidePlayer,
    address: str,
    port: int,
    on_text: Callable[[str, str], None] | None = None,
) -> None:
    """Connect, play until the server says goodbye, and close."""
    reader, writer = await asyncio.open_connection(address, port)
    try:
        await _play_connection(player, reader, writer, on_text or (lambda _way, _text: None))
    finally:
        writer.close()
        with suppress(ConnectionError):
            await writer.wait_closed()


async def _play_connection(
    player: DaidePlayer,
    reader: asyncio.StreamReader,
    writer: asyncio.StreamWriter,
    on_text: Callable[[str, str], None],
) -> None:
    writer.write(bytes(INITIAL_FRAME))
    first = await read_frame(reader)
    if first.kind is not Kind.REPRESENTATION:
        raise ProtocolFault(Fault.NO_REPRESENTATION)
    names = variant_names(first.data)
    frames: asyncio.Queue[Frame | ProtocolFault | OSError] = asyncio.Queue()
    reading = asyncio.create_task(_queue_frames(reader, frames))
    say = [player.greet_server()]
    try:
        while not player.closed:
            for text in say:
                on_text(">", text)
                writer.write(bytes(Frame(Kind.DIPLOMACY, encode_tokens(text))))
            with suppress(ConnectionError):  # a server that has gone may have said more before
                await writer.drain()
            frame = await frames.get()
            if isinstance(frame, ProtocolFault | OSError):
                raise frame
            if frame.kind is not Kind.DIPLOMACY:
                return
            heard = decode_tokens(frame.data, names)
            on_text("<", heard)
            say = await asyncio.to_thread(player.answer_message, heard)
        writer.write(bytes(FINAL_FRAME))
    finally:
        reading.cancel()


async def _queue_frames(
    reader: asyncio.StreamReader, frames: asyncio.Queue[Frame | ProtocolFault | OSError]
) -> None:
    """Read messages as they come: a broken connection would lose those that were not read."""
    try:
        while True:
            frames.put_nowait(await read_frame(reader))
    except (asyncio.IncompleteReadError, ConnectionError):
        frames.put_nowait(FINAL_FRAME)
    except (ProtocolFault, OSError) as fault:  # such as a connection that timed out
        frames.put_nowait(fault)
