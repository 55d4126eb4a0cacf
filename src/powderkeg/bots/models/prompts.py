"""What a model reads: rules, goal and map once, then the board, its diary and the question."""

from collections.abc import Iterable, Sequence
from itertools import islice
from typing import Any

from powderkeg.bots.game_bots import GameBriefing, bots_of
from powderkeg.bots.models.outline import list_answers, outline_question
from powderkeg.bots.models.rulebook import rules_page, short_rules
from powderkeg.bots.models.settings import ModelManner
from powderkeg.bots.seats.letters import TableMessage
from powderkeg.core.ask import Question
from powderkeg.core.game import Game, Section, View, game_message, seat_message
from powderkeg.core.words import Msg, say


def section_text(section: Section, lang: str) -> str:
    return "\n".join(
        [f"## {say(section.title, lang)}", *(f"- {say(x, lang)}" for x in section.lines)]
    )


def briefing_text(game: Game, view: View, lang: str) -> str:
    """What wins and the map, in words."""
    return "\n\n".join(section_text(s, lang) for s in _briefing(game, view).sections)


def _briefing(game: Game, view: View) -> GameBriefing:
    return bots_of(game).briefing(view)


class PromptWriter:
    """Writes what a model is asked, in one language."""

    def __init__(self, game: Game, manner: ModelManner) -> None:
        self.game, self.manner = game, manner

    def t(self, code: str, /, **args: Any) -> str:
        return say(Msg(f"bots.llm.{code}", **args), self.manner.lang)

    def introduction(self, view: View, *, talk: bool = False) -> str:
        """The part that stays the same for a whole game, so that endpoints can cache it."""
        game, seat = self.game, view["seat"]
        about = self.t("about", game=game_message(game), seat=seat_message(game, seat), id=seat)
        form = self.t("talk_form") if talk else self.t("turn_form")
        parts = [about, briefing_text(game, view, self.manner.lang), self.rules(view), form]
        return "\n\n".join(part for part in parts if part)

    def rules(self, view: View) -> str:
        game, manner = self.game, self.manner
        if manner.rules == "none":
            return ""
        if manner.rules == "full":
            return rules_page(game.name, manner.lang)
        found = short_rules(game.name, manner.lang, _briefing(game, view).skipped_rules)
        return f"# {self.t('rules')}\n\n{found}" if found else ""

    def board(self, view: View) -> str:
        """The view in words."""
        sections = self.game.describe(view)
        return "\n\n".join(section_text(section, self.manner.lang) for section in sections)

    def memory(
        self, news: Iterable[str], diary: Sequence[str], letters: Sequence[TableMessage]
    ) -> list[str]:
        """What happened, what the model noted, and what was said, as far as there is anything."""
        found = {
            "history": "\n".join(news),
            "diary": "\n".join(diary),
            "heard": "\n".join(map(self._letter_line, letters)),
        }
        return [f"## {self.t(name)}\n{text}" for name, text in found.items() if text]

    def _letter_line(self, letter: TableMessage) -> str:
        number = f"[{letter.number}] " if letter.asks else ""
        return f"{number}{letter.sender} -> {', '.join(letter.to) or '*'}: {letter.text}"

    def question(self, question: Question) -> str:
        """The question and the possible answers with their labels."""
        manner = self.manner
        write = list_answers if manner.legal == "list" else outline_question
        lines = list(islice(write(question.node, manner.lang), manner.most + 1))
        if len(lines) > manner.most:
            lines[manner.most :] = [self.t("cut", n=manner.most)]
        code = "answers" if manner.legal == "list" else "tree"
        prompt = say(question.prompt, manner.lang)
        return f"## {prompt}\n{self.t(code)}\n" + "\n".join(lines)

    def talk_question(self, left: int, others: Sequence[str], promises: Sequence[str]) -> str:
        """Whom the model may write to, and how many messages are left."""
        names = [
            f"{seat} ({say(seat_message(self.game, seat), self.manner.lang)})" for seat in others
        ]
        parts = [self.t("say", n=left, others=", ".join(names))]
        if promises:
            parts.append(self.t("promises", kinds=", ".join(promises)))
        return "\n".join(parts)
