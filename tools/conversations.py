"""Writes ten conversations with Diplomacy's bots into a page of their own.

    python -m tools.conversations

Each is a real game at a fixed seed: six bots of level `normal` play, one of them talks, and France writes
what the script says. Nobody invents the answers: the same seed gives the same page, and a test compares the two.
"""

import random
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple, TypeAlias

from powderkeg import bots
from powderkeg.bots.diplomacy.numbers.engine import find_engine
from powderkeg.bots.diplomacy.press import envoy
from powderkeg.bots.envoy import PromisePart
from powderkeg.bots.seats.letters import TableMessage
from powderkeg.bots.seats.parley import LETTER_ROUNDS, Parley, PostedLetter
from powderkeg.core.chance import Seeded
from powderkeg.core.table import Table
from powderkeg.core.words import say
from powderkeg.games import diplomacy
from powderkeg.games.diplomacy.words import phase_name, power_name

PAGE = Path(__file__).parent.parent / "docs" / "reference" / "conversations.md"
ME = "FRANCE"
HEAD = """# Ten conversations with bots

In each of these games France is a person and the other six are bots of level `normal`, of which one talks.
What France writes is a script; everything else is what the bot said (`python -m tools.conversations`
writes this page from games at fixed seeds, and a test compares it). *Offer* and *answer* are made with the buttons: only
they count as promises. How bots talk is described in [Diplomacy's bots](../guides/diplomacy-bots.md#talk).
"""


class Words(NamedTuple):
    """A letter in plain words."""

    text: str


class Offer(NamedTuple):
    """A formal offer."""

    parts: tuple[PromisePart, ...]


class Answer(NamedTuple):
    """A yes or no to the latest offer of the bot."""

    agree: bool


class Play(NamedTuple):
    """Play on to the next movement; France orders these, and what a bot would for its other units."""

    orders: tuple[str, ...] = ()


Step: TypeAlias = Words | Offer | Answer | Play


class Script(NamedTuple):
    """A conversation of France with one bot."""

    title: str
    to: str
    character: str
    lang: str
    seed: int
    steps: Sequence[Step]


def order(text: str) -> PromisePart:
    return PromisePart("order", action=text)


PEACE, DRAW = PromisePart("peace"), PromisePart("draw")
BURGUNDY, CHANNEL = (PromisePart("zone", places=(place,)) for place in ("bur", "eng"))
PIEDMONT = PromisePart("zone", places=("pie",))

SCRIPTS = (
    Script(
        "Peace, step by step",
        "GERMANY",
        "",
        "en",
        11,
        [
            Words("Good morning, Kaiser!"),
            Words("Shall we have peace this year?"),
            Offer((PEACE,)),
            Words("Thank you. What are you going to do in the east?"),
            Play(),
            Words("Are we still at peace?"),
            Words("I won't attack you, and I'll stay out of Burgundy."),
            Offer((BURGUNDY,)),
            Words("ok thx, bye"),
        ],
    ),
    Script(
        "A zone in the Channel",
        "ENGLAND",
        "loyal",
        "en",
        2,
        [
            Words("Let's both keep out of the Channel, and have peace. What did Germany tell you?"),
            Offer((PEACE, CHANNEL)),
            Answer(agree=True),
            Play(),
            Words("You can have Norway, I get Belgium."),
        ],
    ),
    Script(
        "A support that is not for sale",
        "GERMANY",
        "cautious",
        "en",
        3,
        [
            Words("Support me into Burgundy."),
            Offer((order("A mun S A par - bur"),)),
            Words("Forget it, then. I'll crush you!"),
        ],
    ),
    Script(
        "A broken promise",
        "GERMANY",
        "",
        "en",
        4,
        [
            Offer((BURGUNDY,)),
            Play(("A par - bur",)),
            Words("Sorry about Burgundy. Peace?"),
            Offer((PEACE,)),
        ],
    ),
    Script(
        "An early draw",
        "RUSSIA",
        "",
        "en",
        5,
        [
            Words("Let's call it a draw."),
            Offer((DRAW,)),
            Words("lol, are you a bot?"),
            Words("The weather in Paris is lovely today."),
        ],
    ),
    Script(
        "Una alianza",
        "ENGLAND",
        "opportunist",
        "es",
        6,
        [
            Words("¡Hola! ¿Nos aliamos?"),
            Words("Aliémonos contra Alemania."),
            Offer((PromisePart("alliance", against=("GERMANY",)),)),
            Play(),
            Words("¿Qué te ha dicho Alemania?"),
        ],
    ),
    Script(
        "Piamonte",
        "ITALY",
        "loyal",
        "es",
        7,
        [
            Words("No entres en Piamonte y no te atacaré."),
            Offer((PEACE, PIEDMONT)),
            Play(),
            Words("¿Seguimos en paz?"),
            Words("¿Me apoyas?"),
        ],
    ),
    Script(
        "Alemania y Borgoña",
        "GERMANY",
        "opportunist",
        "es",
        8,
        [
            Words("¿Apoyas mi ejército de París a Borgoña desde Múnich?"),
            Offer((order("A mun S A par - bur"),)),
            Words("¿Y qué piensas hacer?"),
            Play(),
            Words("¡Traidor! ¿Por qué has movido a Borgoña?"),
            Words("Hoy hace buen tiempo en París."),
        ],
    ),
    Script(
        "Una tregua",
        "ITALY",
        "cautious",
        "it",
        9,
        [
            Words("Buongiorno! Propongo una tregua tra noi."),
            Offer((PEACE,)),
            Words("Perché no? Cosa vuoi?"),
            Play(),
            Words("Stai fuori dal Piemonte, per favore."),
            Offer((PIEDMONT,)),
        ],
    ),
    Script(
        "Contro la Germania",
        "ENGLAND",
        "",
        "it",
        13,
        [
            Words("Alleiamoci contro la Germania, e DMZ nella Manica."),
            Offer((PromisePart("alliance", against=("GERMANY",)), CHANNEL)),
            Play(),
            Words("Il prossimo turno ti appoggio in Belgio."),
            Words("Facciamo la pace con la Russia."),
        ],
    ),
)


class Conversation:
    """One game, told from the letters between France and one bot."""

    def __init__(self, script: Script) -> None:
        self.script = script
        options = diplomacy.Options(last_year=1903)
        self.table = Table(diplomacy, 7, options, source=Seeded(random.Random(script.seed)))
        self.parley = Parley(self.table, {script.to: script.character})
        self.bot = bots.find_bot(diplomacy, "normal").exact()
        self.told = self.turn = 0
        self.earlier = ""

    def lines(self) -> Iterator[str]:
        """What both sides say and agree to, phase by phase."""
        yield self._heading()
        yield from self._letters()
        for step in self.script.steps:
            if isinstance(step, Play):
                self._play_on(step.orders)
                yield self._heading()
            elif isinstance(step, Words):
                yield from self._plain_words(step.text)
            else:
                self._send(step)
            yield from self._letters()

    def _heading(self) -> str:
        view = self.table.view(None)
        return f"*{say(phase_name(view['phase']), self.script.lang)}*"

    def _plain_words(self, text: str) -> Iterator[str]:
        memory = self.parley.memories.get(self.script.to)
        view = self.table.view(ME)
        answer = envoy.answer_prose(view, self.script.to, text, memory, self.earlier)
        self.earlier = text
        yield f"- **{self._name(ME)}**: {text}"
        yield f"- **{self._name(self.script.to)}**: {say(answer, self.script.lang)}"

    def _send(self, step: Offer | Answer) -> None:
        self.earlier = ""
        if isinstance(step, Offer):
            self.parley.post_message(TableMessage(ME, (self.script.to,), "", step.parts))
            return
        asked = [x for x in self.parley.letters if self.parley.awaits_answer(x, ME)]
        number = next(x.number for x in reversed(asked) if x.seat == self.script.to)
        self.parley.post_message(TableMessage(ME, (), "", answers=number, agree=step.agree))

    def _letters(self) -> Iterator[str]:
        """Let the envoys talk; tell what passes between France and the bot."""
        for _ in range(LETTER_ROUNDS):
            if not self.parley.exchange_letters(f"{self.script.seed}/{self.turn}"):
                break
        ours = {ME, self.script.to}
        for letter in self.parley.letters[self.told :]:
            if {letter.seat, *letter.to} == ours:
                yield f"- **{self._name(letter.seat)}** {self._kind(letter)} {self._words(letter)}"
        self.told = len(self.parley.letters)

    def _kind(self, letter: PostedLetter) -> str:
        offers = envoy.expects_answer(letter.form)
        names = {"en": "offer answer", "es": "oferta respuesta", "it": "offerta risposta"}
        return f"({names[self.script.lang].split()[0 if offers else 1]}):"

    def _words(self, letter: PostedLetter) -> str:
        return self.parley.letter_in_words(letter, self.script.lang)

    def _name(self, power: str) -> str:
        return say(power_name(power), self.script.lang)

    def _play_on(self, orders: Sequence[str]) -> None:
        """Play to the next movement."""
        self.earlier = ""
        began = self.table.view(None)["phase"]
        for text in orders:
            self.table.act(ME, text)
        while self.table.to_act and not self._is_next_movement(began):
            seat = min(self.table.to_act, key=self.table.seats.index)
            rng = random.Random(f"{self.script.seed}/{self.turn}")
            self.turn += 1
            view = envoy.bind_view(self.table.view(seat), self.parley.memories.get(seat))
            question, legal = self.table.ask(seat), self.table.legal(seat)
            assert question is not None  # noqa: S101  # who must act is asked
            self.table.act(seat, self.bot(dict(view), question, legal, rng))

    def _is_next_movement(self, began: str) -> bool:
        view = self.table.view(None)
        return view["phase"] != began and view["stage"] in envoy.TALKING_STAGES


def write_page() -> str:
    """The page with all conversations."""
    parts = [HEAD]
    for number, script in enumerate(SCRIPTS, 1):
        bot = f"{say(power_name(script.to))}, {script.character or 'even-handed'}"
        parts.append(f"## {number}. {script.title}\n\n{bot}; seed {script.seed}.\n")
        told = Conversation(script).lines()
        parts += [line if line.startswith("-") else f"\n{line}\n" for line in told]
        parts.append("")
    text = "\n".join(parts)
    while "\n\n\n" in text:
        text = text.replace("\n\n\n", "\n\n")
    return text.rstrip() + "\n"


if __name__ == "__main__":
    find_engine(wait=True)  # a thread that still compiles would not survive the end of the program
    PAGE.write_text(write_page(), encoding="utf-8")
