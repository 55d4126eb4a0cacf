"""What a program may say to the host of a DAIDE game, and the answers."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from powderkeg.bots.diplomacy.daide.game_host import GameHost
from powderkeg.bots.diplomacy.daide.messages import (
    centres_text,
    dislodged_text,
    map_text,
    position_text,
    read_turn,
)
from powderkeg.bots.diplomacy.daide.seats import (
    Caller,
    DaideSeat,
    drop_order,
    is_complete,
    missing_count,
    missing_units,
    take_order,
)
from powderkeg.bots.diplomacy.press.daide import (
    POWER_TOKENS,
    TokenTree,
    flat_tokens,
    parse_message,
    parse_tree,
    press_level,
    read_order_tree,
    read_power_list,
    read_power_token,
    unit_text,
)
from powderkeg.core.errors import RulesError, Unreadable
from powderkeg.games.diplomacy.actions import Order
from powderkeg.games.diplomacy.board import Power

MAP_NAME: Final = "'standard'"
MOST_NAME: Final = 40  # letters of a program's name
MOST_ORDERS: Final = 60  # in one message; nobody has more units
MOST_WATCHERS: Final = 20
MOST_LETTERS: Final = 200  # that a program may send in one phase


class Rejected(Exception):  # an answer, not an error
    """The request is understood and refused: REJ."""


def tree_text(tree: list[TokenTree]) -> str:
    return " ".join(flat_tokens(tree))


def answer_request(host: GameHost, caller: Caller, text: str) -> None:
    """Answer one message of a program."""
    try:
        tree = parse_tree(text)
    except RulesError:
        caller.send(f"PRN ( {text} )")
        return
    try:
        _Request(host, caller, tree).answer_all()
    except Rejected:
        caller.send(f"REJ ( {tree_text(tree)} )")
    except RulesError:
        caller.send(f"HUH ( ERR {tree_text(tree)} )")


@dataclass
class _Request:
    """One message; methods are named after its first token."""

    host: GameHost
    caller: Caller
    tree: list[TokenTree]

    def answer_all(self) -> None:
        """Find the method for the message; NOT undoes what its inner message did."""
        word, rest = (self.tree[0], self.tree[1:]) if self.tree else ("", [])
        table = _PLAIN
        if word == "NOT" and len(rest) == 1 and isinstance(rest[0], list) and rest[0]:
            word, rest, table = rest[0][0], rest[0][1:], _UNDOING
        method = table.get(word) if isinstance(word, str) else None
        if method is None:
            raise Unreadable("bots.press.unreadable", text=tree_text(self.tree)[:200])
        method(self, rest)

    def say_yes(self) -> None:
        self.caller.send(f"YES ( {tree_text(self.tree)} )")

    @property
    def seat(self) -> DaideSeat:
        """The seat of the program in a game that runs; without one, the request is rejected."""
        seat = self.host.seat_of(self.caller)
        if seat is None or not self.host.started or self.host.is_over:
            raise Rejected
        return seat

    def _need_game(self) -> None:
        if not self.host.started:
            raise Rejected

    # Joining

    def name_program(self, rest: list[TokenTree]) -> None:
        match rest:
            case [[str(name)], [str(version)]]:
                names = [each.strip("'")[:MOST_NAME] or "-" for each in (name, version)]
                if not self.host.join_program(self.caller, *names):
                    raise Rejected
                self.say_yes()
                self.caller.send(f"MAP ( {MAP_NAME} )")
            case _:
                raise Unreadable("bots.press.unreadable", text=tree_text(self.tree)[:200])

    def watch_game(self, rest: list[TokenTree]) -> None:
        full = len(self.host.watchers) >= MOST_WATCHERS
        if rest or full or self.host.is_known(self.caller):
            raise Rejected
        self.say_yes()
        self.host.watchers.append(self.caller)
        self.caller.send(f"MAP ( {MAP_NAME} )")

    def return_to_seat(self, rest: list[TokenTree]) -> None:
        match rest:
            case [[power], [str(code)]] if code.isdecimal():
                known = read_power_token(power)
                if self.host.return_program(self.caller, known, int(code)):
                    self.say_yes()
                    return
        raise Rejected

    def accept_answer(self, rest: list[TokenTree]) -> None:
        """``YES ( MAP ( 'standard' ) )``; other answers of a client need no answer."""
        match rest:
            case [["MAP", [str(name)]]] if name.lower() == MAP_NAME:
                if seat := self.host.seat_of(self.caller):
                    seat.accepted = True
                    self.host.start_if_full()

    def ignore_answer(self, rest: list[TokenTree]) -> None:
        """``REJ ( MAP ... )``: the program waits or leaves; HUH, PRN and TRY need no answer."""

    # Questions

    def send_map(self, rest: list[TokenTree]) -> None:
        self.caller.send(f"MAP ( {MAP_NAME} )")

    def send_map_definition(self, rest: list[TokenTree]) -> None:
        self.caller.send(map_text())

    def send_hello(self, rest: list[TokenTree]) -> None:
        self._need_game()
        self.caller.send(self.host.hello_text(self.caller))

    def send_centres(self, rest: list[TokenTree]) -> None:
        self._need_game()
        self.caller.send(centres_text(self.host.state.centres))

    def send_position(self, rest: list[TokenTree]) -> None:
        self._need_game()
        if self.host.is_over:
            raise Rejected
        state = self.host.state
        self.caller.send(position_text(state.phase, state.units, state.dislodged))

    def send_history(self, rest: list[TokenTree]) -> None:
        turn = self.host.past.get(read_turn(rest[0])) if len(rest) == 1 else None
        if turn is None:
            raise Rejected
        for text in (*turn.results, turn.centres, turn.position):
            self.caller.send(text)

    def send_results(self, rest: list[TokenTree]) -> None:
        """The results since the latest movement."""
        if not self.host.past:
            raise Rejected
        phases = list(self.host.past)
        first = max(i for i, phase in enumerate(phases) if phase[-1] == "M")
        for phase in phases[first:]:
            for text in self.host.past[phase].results:
                self.caller.send(text)

    def send_time(self, rest: list[TokenTree]) -> None:
        """The time left. It is sent at the start of each phase, not at times the program chooses."""
        if self.host.time_left is None or rest:
            raise Rejected
        self.caller.send(f"TME ( {self.host.time_left} )")

    def refuse_always(self, rest: list[TokenTree]) -> None:
        raise Rejected

    # Orders

    def submit_orders(self, rest: list[TokenTree]) -> None:
        """``SUB ( order ) ...``, with or without the turn before the orders."""
        seat, state = self.seat, self.host.state
        listed = _without_turn(rest)
        offers = [read_order_tree(each) for each in listed if isinstance(each, list)]
        if not offers or len(offers) != len(listed) or len(listed) > MOST_ORDERS:
            raise Unreadable("bots.press.unreadable", text=tree_text(self.tree)[:200])
        if len(listed) < len(rest) and read_turn(rest[0]) != state.phase:
            notes = ["NRS"] * len(offers)
        else:
            notes = [take_order(seat, state, offer) for offer in offers]
        for each, note in zip(listed, notes, strict=True):
            self.caller.send(f"THX {tree_text([each])} ( {note} )")
        if not is_complete(seat, state):
            self.send_missing([])

    def take_back_orders(self, rest: list[TokenTree]) -> None:
        seat = self.seat
        if not rest:
            seat.orders = {}
        for each in rest:
            if not isinstance(each, list) or not drop_order(seat, _order_in(each)):
                raise Rejected
        self.say_yes()

    def send_missing(self, rest: list[TokenTree]) -> None:
        seat, state = self.seat, self.host.state
        if state.stage == "adjustment":
            count = missing_count(seat, state)
            self.caller.send(f"MIS ( {count} )" if count else "MIS")
            return
        missing = missing_units(seat, state)
        texts = [unit_text(seat.power, unit) for unit in missing]
        if state.stage == "retreat":
            beaten = [each for each in state.dislodged if each.unit in missing]
            texts = [dislodged_text(each) for each in beaten]
        self.caller.send(" ".join(["MIS", *texts]))

    def go_ahead(self, rest: list[TokenTree]) -> None:
        seat = self.seat
        seat.waits = False
        self.say_yes()
        if seat.power in self.host.table.to_act and not is_complete(seat, self.host.state):
            self.send_missing([])

    def wait_for_deadline(self, rest: list[TokenTree]) -> None:
        self.seat.waits = True
        self.say_yes()

    # Draws and press

    def vote_draw(self, rest: list[TokenTree]) -> None:
        if rest:  # draws of some survivors only
            raise Rejected
        self._cast_ballot("propose draw", "accept draw")

    def oppose_draw(self, rest: list[TokenTree]) -> None:
        self._cast_ballot("withdraw draw", "refuse draw")

    def _cast_ballot(self, *actions: str) -> None:
        """The first of these actions that our rules allow now; YES in any case."""
        power, before = self.seat.power, self.host.state
        self.say_yes()
        for action in actions:
            try:
                self.host.table.act(power, action)
                break
            except RulesError:
                continue
        if self.host.is_over and before.stage != "over":
            self.host.announce_end()

    def send_press(self, rest: list[TokenTree]) -> None:
        """``SND ( powers ) ( press )``, with or without the turn before."""
        seat = self.seat
        match rest[-2:]:
            case [list(to), list(press)] if len(rest) in (2, 3):
                powers = read_power_list(to)
                text = tree_text(press)
            case _:
                raise Unreadable("bots.press.unreadable", text=tree_text(self.tree)[:200])
        if press_level(parse_message(text)) > self.host.settings.level:
            raise Unreadable("bots.press.unreadable", text=text[:200])
        out = not self.host.state.units[seat.power]
        if seat.power in powers or out or seat.letters >= MOST_LETTERS:
            raise Rejected
        if refusal := self._unreachable(powers):
            self.caller.send(refusal)
            return
        self.say_yes()
        seat.letters += 1
        self.host.deliver_press(seat.power, powers, text)

    def _unreachable(self, powers: tuple[Power, ...]) -> str:
        """Why a message cannot be sent: a power is out, or in civil disorder."""
        for power in powers:
            if not self.host.state.units[power] and not self.host.state.centres_of(power):
                return f"OUT ( {POWER_TOKENS[power]} )"
            if self.host.seats[power].disorder:
                return f"CCD ( {POWER_TOKENS[power]} )"
        return ""

    def pass_on(self, rest: list[TokenTree]) -> None:
        """Admin messages go to everybody."""
        self.host.broadcast(tree_text(self.tree))


def _without_turn(rest: list[TokenTree]) -> list[TokenTree]:
    try:
        read_turn(rest[0] if rest else "")
    except Unreadable:
        return rest
    return rest[1:]


def _order_in(tree: list[TokenTree]) -> Order:
    return read_order_tree(tree).order


_Method = Callable[[_Request, list[TokenTree]], None]
_PLAIN: Final[dict[str, _Method]] = {
    "NME": _Request.name_program,
    "OBS": _Request.watch_game,
    "IAM": _Request.return_to_seat,
    "YES": _Request.accept_answer,
    "REJ": _Request.ignore_answer,
    "HUH": _Request.ignore_answer,
    "PRN": _Request.ignore_answer,
    "MAP": _Request.send_map,
    "MDF": _Request.send_map_definition,
    "HLO": _Request.send_hello,
    "SCO": _Request.send_centres,
    "NOW": _Request.send_position,
    "HST": _Request.send_history,
    "ORD": _Request.send_results,
    "TME": _Request.send_time,
    "SUB": _Request.submit_orders,
    "MIS": _Request.send_missing,
    "GOF": _Request.go_ahead,
    "DRW": _Request.vote_draw,
    "SND": _Request.send_press,
    "ADM": _Request.pass_on,
}
_UNDOING: Final[dict[str, _Method]] = {
    "SUB": _Request.take_back_orders,
    "GOF": _Request.wait_for_deadline,
    "DRW": _Request.oppose_draw,
    "TME": _Request.refuse_always,
}
