"""What a model's seat keeps between two requests: plan, diary, news, letters, and its purse."""

from collections import deque
from collections.abc import Sequence
from typing import NamedTuple

from powderkeg.bots.engine.thought import Thought
from powderkeg.bots.models.settings import ModelManner
from powderkeg.bots.models.usage import Purse
from powderkeg.bots.seats.letters import TableMessage
from powderkeg.core.ask import Question
from powderkeg.core.game import Action, Legal


class PlannedThought(NamedTuple):
    """A thought, and the code of the question that it answers."""

    asked: str
    thought: Thought


class SeatMind:
    """The memory of one seat in one game."""

    def __init__(self, manner: ModelManner) -> None:
        self.manner, self.purse = manner, Purse(manner)
        self.plan: deque[PlannedThought] = deque()
        self.news: deque[str] = deque(maxlen=manner.history)
        self.diary: list[str] = []
        self.letters: tuple[TableMessage, ...] = ()
        self.written = 0  # messages in this phase

    def enter_phase(self, phase: str) -> None:
        """Start counting again in a new phase; what was planned before it no longer counts."""
        if phase != self.purse.phase:
            self.plan.clear()
            self.written = 0
        self.purse.enter_phase(phase)

    def has_plan(self, question: Question, legal: Legal) -> bool:
        """Whether the plan goes on with an answer to this question; if not, it is given up."""
        if self.plan:
            asked, thought = self.plan[0]
            if asked == question.prompt.code and thought.action in legal:
                return True
        self.plan.clear()
        return False

    def drop_step(self, action: Action) -> None:
        """The next step was the only choice, and is done without asking."""
        if self.plan and self.plan[0].thought.action == action:
            self.plan.popleft()

    def write_diary(self, text: str) -> None:
        """Add an entry; the oldest ones go when the diary is full."""
        if not text or not self.manner.diary:
            return
        self.diary.append(f"{self.purse.phase}: {' '.join(text.split())}"[: self.manner.diary])
        while sum(map(len, self.diary)) > self.manner.diary:
            self.diary.pop(0)

    def hear_news(self, lines: Sequence[str]) -> None:
        self.news.extend(lines)
