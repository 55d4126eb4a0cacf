"""The terminal game: hot seat or against bots, guided by the same questions as everywhere."""

import random
import secrets
from pathlib import Path
from typing import Annotated

import typer
from rich.panel import Panel
from rich.prompt import Prompt
from rich.text import Text

from powderkeg import bots, games
from powderkeg.bots.seats.turn_order import TurnOrder, seats_without_offers
from powderkeg.cli.files import print_entry
from powderkeg.cli.playout import read_options
from powderkeg.cli.say import Lang, chosen_language, console, speak_text, t, use_language
from powderkeg.core import record
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
from powderkeg.core.chance import Audited, Seeded, Source
from powderkeg.core.errors import RulesError, Unreadable
from powderkeg.core.game import Seat, seat_message
from powderkeg.core.table import Table
from powderkeg.core.words import Msg

LEAVE_KEY, UNDO_KEY, BOARD_KEY = "q", "u", "b"


class Leave(Exception):  # not an error: somebody has had enough for tonight
    """The person wants to leave the table."""


class TakeBack(Exception):  # not an error
    """The person wants to take back their last action."""


class TypedText(Exception):  # not an error
    """The person wrote something instead of choosing a number."""


def play_here(
    game: Annotated[
        str | None, typer.Argument(help="diplomacy, versailles or risk_europe; default: asks.")
    ] = None,
    *,
    players: Annotated[
        int | None, typer.Option(min=1, help="How many seats; default: the most.")
    ] = None,
    people: Annotated[int, typer.Option(min=0, help="How many seats are for people.")] = 1,
    bot: Annotated[str, typer.Option("--bots", help="Who plays the other seats.")] = "random",
    option: Annotated[
        list[str] | None, typer.Option("--option", "-o", help="An option of the game, name=value.")
    ] = None,
    seed: Annotated[
        int | None,
        typer.Option(help="Seed for repeatable luck; default: dice that can be verified."),
    ] = None,
    save: Annotated[Path | None, typer.Option(help="Save the game in this file.")] = None,
    lang: Lang = None,
) -> None:
    """Play a game here, alone against bots or passing the keyboard around."""
    use_language(lang)
    rules = games.find_game(game or ask_game())
    source: Source = (
        Seeded(random.Random(seed)) if seed is not None else Audited(secrets.token_bytes(32))
    )
    table = Table(rules, players, read_options(rules, option or []), source=source)
    if people > len(table.seats):
        raise Unreadable("cli.too_many_people", n=people, seats=len(table.seats))
    evening = Evening(table, table.seats[:people], bots.find_bot(rules, bot), seed)
    save_game(table, save)  # whether it can be written is found out before the evening
    try:
        evening.play()
    except Leave:
        console.print(t("cli.bye"), markup=False)
    finally:
        save_game(table, save)
        if save is not None:
            console.print(t("cli.saved", path=str(save)), markup=False)


def save_game(table: Table, save: Path | None) -> None:
    """Write the game as it stands to `save`, if anywhere."""
    if save is not None:
        save.write_text(record.write_record(record.make_record(table)), encoding="utf-8")


def ask_game() -> str:
    """Which game shall it be?"""
    for number, name in enumerate(games.GAME_NAMES, start=1):
        console.print(f"  {number}  {t(f'{name}.name')}", markup=False)
    answer = Prompt.ask(t("cli.which_game"), console=console).strip()
    return games.GAME_NAMES[int(answer) - 1] if answer in {"1", "2", "3"} else answer


class Evening:
    """A table, its people and its bots."""

    def __init__(
        self, table: Table, people: tuple[Seat, ...], bot: bots.Bot, seed: int | None
    ) -> None:
        self.table, self.people, self.bot = table, people, bot
        self.luck = random.Random(seed)
        self.told = dict.fromkeys(people, 0)
        others = (seat for seat in table.seats if seat not in people)
        self.turn_order = TurnOrder(table.game, table.seats, seats_without_offers(bot, others))

    def play(self) -> None:
        while asked := sorted(self.turn_order.next_seats(self.table.state)):
            waiting = [seat for seat in asked if seat not in self.people]
            if waiting:
                self.bot_acts(waiting[0])
            else:
                self.person_acts(asked[0])
        self.print_result()

    def bot_acts(self, seat: Seat) -> None:
        question = self.table.ask(seat)
        assert question is not None, "every seat that must act is asked"  # noqa: S101  # the contract
        legal = self.table.legal(seat)
        self.table.act(seat, self.bot(self.table.view(seat), question, legal, self.luck))

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
        """Do what was typed, as far as the game can read it."""
        for piece, meaning in self.table.game.read(self.table.view(seat), text, chosen_language()):
            try:
                if isinstance(meaning, RulesError):
                    raise meaning
                self.table.act(seat, meaning)
            except RulesError as error:
                print_refusal(error, piece)

    def hand_over(self, seat: Seat) -> None:
        """Nobody sees another's hand: the screen is cleared and waits for the next person."""
        if len(self.people) > 1 and getattr(self, "last", seat) != seat:
            console.clear()
            self.read_line(t("cli.hand_over", seat=seat_message(self.table.game, seat)))
        self.last = seat

    def print_news(self, seat: Seat) -> None:
        for position in range(self.told[seat], len(self.table.log)):
            print_entry(self.table, position, seat)
        self.told[seat] = len(self.table.log)

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
        """Put a question node by node and write the answer."""
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
            case Amount(least, most):
                answer = self.read(seat, t("cli.amount", least=least, most=most))
            case Some(options, least, most):
                answer = self.ask_some(seat, options, least, most)
            case Assign(shares, least, most):
                answer = self.ask_shares(seat, shares, least, most)
        return f"{answer} {self.ask_node(seat, node.then)}".strip()

    def ask_shares(self, seat: Seat, shares: tuple[Share, ...], least: int, most: int) -> str:
        """Ask for one share after the other, as far as there is something left to give."""
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
        """A line from the person; some letters serve the whole evening."""
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
        """What is typed; the end of the input is a way to leave, too."""
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


def print_refusal(error: RulesError, what: str = "") -> None:
    rule = f" ({error.rule})" if error.rule else ""
    said = f"{what}: " if what else ""
    console.print(f"{said}{speak_text(error.msg)}{rule}", style="red", markup=False)


def print_options(options: tuple[Option, ...]) -> None:
    width = len(str(len(options)))
    for number, option in enumerate(options, start=1):
        console.print(f"  {number:>{width}}  {speak_text(option.label)}", markup=False)
