"""An evening at one screen: people and bots at a table, guided by the game's questions."""

import random
from collections.abc import Callable

from rich.panel import Panel
from rich.prompt import Prompt
from rich.text import Text

from powderkeg import bots
from powderkeg.bots.process import guard
from powderkeg.bots.seats.turn_order import TurnOrder, seats_without_offers
from powderkeg.cli.files import print_entry
from powderkeg.cli.say import chosen_language, console, speak_text, t
from powderkeg.core.ask import (
    NONE_CHOSEN,
    Amount,
    Assign,
    Node,
    One,
    Option,
    Orders,
    Question,
    Share,
    Some,
)
from powderkeg.core.errors import RulesError
from powderkeg.core.game import Seat, seat_message
from powderkeg.core.table import Table
from powderkeg.core.words import Msg

LEAVE_KEY, UNDO_KEY, BOARD_KEY = "q", "u", "b"


class Leave(Exception):  # not an error: enough for tonight
    """The player wants to leave the table."""


class TakeBack(Exception):  # not an error
    """The player wants to undo their last action."""


class TypedText(Exception):  # not an error
    """The player typed something instead of choosing a number."""


def ignore_change() -> None:
    """What an evening without a file does after a change."""


class Evening:
    """A table, its people and its bots.

    Equal `luck` gives equal decisions of the bots; `on_change` is called before a person is asked.
    """

    def __init__(
        self,
        table: Table,
        people: tuple[Seat, ...],
        bot: bots.Bot,
        luck: str,
        on_change: Callable[[], None] = ignore_change,
    ) -> None:
        self.table, self.people, self.bot, self.luck = table, people, bot, luck
        self.on_change = on_change
        self.last_person: Seat | None = people[0] if people and not table.log else None
        self.printed = dict.fromkeys(people, 0)  # entries of the log that a person has read
        others = (seat for seat in table.seats if seat not in people)
        self.turn_order = TurnOrder(table.game, table.seats, seats_without_offers(bot, others))

    def play(self) -> None:
        while asked := sorted(self.turn_order.next_seats(self.table.state)):
            waiting = [seat for seat in asked if seat not in self.people]
            if waiting:
                self.bot_acts(waiting[0])
            else:
                self.on_change()
                self.person_acts(asked[0])
        self.print_result()

    def skip_story(self) -> None:
        """Do not tell what was played on earlier evenings."""
        self.printed = dict.fromkeys(self.people, len(self.table.log))

    def bot_acts(self, seat: Seat) -> None:
        question = self.table.ask(seat)
        assert question is not None, "every seat that must act is asked"  # noqa: S101  # the contract
        luck = random.Random(f"{self.luck}/{len(self.table.log)}/{seat}")
        said = guard.ask_bot(
            self.bot, self.table.view(seat), question, self.table.legal(seat), luck
        )
        self.table.act(seat, said.text)
        if said.spoken:
            name = seat_message(self.table.game, seat)
            console.print(f"{speak_text(name)}: {t(said.spoken)}", markup=False)

    def person_acts(self, seat: Seat) -> None:
        question = self.table.ask(seat)
        assert question is not None, "every seat that must act is asked"  # noqa: S101  # the contract
        self.hand_over(seat)
        self.print_news(seat)
        try:
            self.table.act(seat, self.ask_question(seat, question))
        except TypedText as typed:
            self.act_on_text(seat, str(typed))
        except TakeBack:
            self.take_back(seat)
        except RulesError as error:
            print_refusal(error)

    def act_on_text(self, seat: Seat, text: str) -> None:
        """Do what the player typed, as far as the game can read it."""
        for piece, meaning in self.table.game.read(self.table.view(seat), text, chosen_language()):
            try:
                if isinstance(meaning, RulesError):
                    raise meaning
                self.table.act(seat, meaning)
            except RulesError as error:
                print_refusal(error, piece)

    def hand_over(self, seat: Seat) -> None:
        """Clear the screen and wait for the next person, so that nobody sees another's hand."""
        if len(self.people) > 1 and self.last_person != seat:
            console.clear()
            self.read_line(t("cli.hand_over", seat=seat_message(self.table.game, seat)))
        self.last_person = seat

    def print_news(self, seat: Seat) -> None:
        for position in range(self.printed[seat], len(self.table.log)):
            print_entry(self.table, position, seat)
        self.printed[seat] = len(self.table.log)

    def print_board(self, seat: Seat) -> None:
        for section in self.table.game.describe(self.table.view(seat)):
            lines = "\n".join(speak_text(line) for line in section.lines)
            console.print(
                Panel(lines, title=speak_text(section.title), title_align="left"), markup=False
            )

    def ask_question(self, seat: Seat, question: Question) -> str:
        console.print()
        name = seat_message(self.table.game, seat)
        console.print(
            f"{speak_text(name)}: {speak_text(question.prompt)}", style="bold", markup=False
        )
        return self.ask_node(seat, question.node)

    def ask_node(self, seat: Seat, node: Node | None) -> str:
        """Ask a question node by node; returns the answer in the game's notation."""
        if node is None:
            return ""
        if node.prompt is not None:
            console.print(speak_text(node.prompt), markup=False)
        match node:
            case One(options):
                return self.ask_one(seat, options)
            case Orders(rows, options):
                given = tuple(
                    Option(
                        "", Msg("cli.row", label=row.label, chosen=row.chosen or "…"), then=row.node
                    )
                    for row in rows
                )
                return self.ask_one(seat, (*given, *options))
            case Amount(least, most) if least == most:  # nothing to choose here
                console.print(f"  {least}", markup=False)
                answer = str(least)
            case Amount(least, most):
                answer = self.read(seat, t("cli.amount", least=least, most=most))
            case Some(options, least, most):
                answer = self.ask_some(seat, options, least, most)
            case Assign(shares, least, most):
                answer = self.ask_shares(seat, shares, least, most)
        return f"{answer} {self.ask_node(seat, node.then)}".strip()

    def ask_shares(self, seat: Seat, shares: tuple[Share, ...], least: int, most: int) -> str:
        """Ask for one share after the other while there is something left to distribute."""
        console.print(t("cli.assign", least=least, most=most), markup=False)
        given: list[str] = []
        for share in shares:
            room = min(share.most, most - sum(int(pair.rpartition(":")[2]) for pair in given))
            if room > 0:
                answer = self.read(seat, f"  {speak_text(share.label)} (0-{room})")
                if answer.isdecimal() and int(answer):
                    given.append(f"{share.text}:{int(answer)}")
        return ",".join(given) or NONE_CHOSEN

    def ask_one(self, seat: Seat, options: tuple[Option, ...]) -> str:
        if len(options) == 1 and options[0].then is not None:  # nothing to choose here
            console.print(speak_text(options[0].label), markup=False)
            return f"{options[0].text} {self.ask_node(seat, options[0].then)}".strip()
        print_options(options)
        while True:
            answer = self.read(seat, t("cli.number"))
            if answer.isdecimal() and 1 <= int(answer) <= len(options):
                option = options[int(answer) - 1]
                return f"{option.text} {self.ask_node(seat, option.then)}".strip()
            if not answer.isdecimal() and answer:
                raise TypedText(answer)
            console.print(t("cli.not_a_number", most=len(options)), style="red", markup=False)

    def ask_some(self, seat: Seat, options: tuple[Option, ...], least: int, most: int) -> str:
        print_options(options)
        answer = self.read(seat, t("cli.some", least=least, most=most))
        numbers = {int(part) for part in answer.replace(",", " ").split() if part.isdecimal()}
        return (
            ",".join(o.text for i, o in enumerate(options, start=1) if i in numbers) or NONE_CHOSEN
        )

    def read(self, seat: Seat, prompt: str) -> str:
        """A line from the player; `b`, `u` and `q` work everywhere."""
        while True:
            answer = self.read_line(prompt)
            if answer == LEAVE_KEY:
                raise Leave
            if answer == UNDO_KEY:
                raise TakeBack
            if answer != BOARD_KEY:
                return answer
            self.print_board(seat)

    def read_line(self, prompt: str) -> str:
        """What the player types; the end of the input means leaving."""
        try:
            return Prompt.ask(Text(prompt), console=console).strip()
        except EOFError:
            raise Leave from None

    def take_back(self, seat: Seat) -> None:
        try:
            self.table.undo(seat)
        except RulesError as error:
            print_refusal(error)

    def print_result(self) -> None:
        for seat in self.people[:1]:
            self.print_news(seat)
        result = self.table.result
        assert result is not None, "nobody is to act"  # noqa: S101  # the contract
        console.print(speak_text(result.why), style="bold", markup=False)
        for place, group in enumerate(result.ranking, start=1):
            names = [seat_message(self.table.game, seat) for seat in group]
            console.print(f"  {place}. {speak_text(names)}", markup=False)
        for line in result.sheet:
            console.print(f"  {speak_text(line)}", markup=False)


def print_refusal(error: RulesError, what: str = "") -> None:
    rule = f" ({error.rule})" if error.rule else ""
    prefix = f"{what}: " if what else ""
    console.print(f"{prefix}{speak_text(error.msg)}{rule}", style="red", markup=False)


def print_options(options: tuple[Option, ...]) -> None:
    width = len(str(len(options)))
    for number, option in enumerate(options, start=1):
        label = speak_text(option.label)
        console.print(f"  {number:>{width}}  {label[:1].upper()}{label[1:]}", markup=False)
