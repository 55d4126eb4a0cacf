"""An action spelt word by word: at every step, the words that can come next.

All legal texts form a tree of words. Where only one word can follow it is written at once, so an
agent is asked only where it has a choice. Pieces that get orders one by one (Diplomacy's units)
are gone through in their listed order, each once; then come the other options.
"""

from collections.abc import Iterable
from typing import Any, TypeAlias

from powderkeg.core import ask
from powderkeg.core.ask import One, Orders
from powderkeg.core.errors import RulesError
from powderkeg.core.game import Action, Game, Seat, State
from powderkeg.rl.lexicon import FULL_STOP, ActionLexicon, words_of

Branch: TypeAlias = dict[str, Any]  # word to branch; END to the text itself


RowTexts: TypeAlias = tuple[tuple[str, ...], frozenset[str]]  # all pieces; those gone through


class Spelling:
    """One decision of a seat being written. `rows`: the pieces gone through once it is made."""

    def __init__(
        self, lexicon: ActionLexicon, texts: Iterable[str], rows: RowTexts | None = None
    ) -> None:
        self.rows = rows
        self.branch: Branch = {}
        self.written: list[str] = []
        unknown = False
        for text in texts:
            words = words_of(text)
            unknown |= not lexicon.can_spell(words)
            _plant_words(self.branch, words, text)
        if unknown:
            _prune_branch(self.branch, lexicon)
        self._write_forced()

    @property
    def words(self) -> list[str]:
        """What can come next; empty when the action is complete."""
        return list(self.branch)

    @property
    def text(self) -> str | None:
        """The whole text once it is complete."""
        return self.branch[FULL_STOP] if list(self.branch) == [FULL_STOP] else None

    def write(self, word: str) -> None:
        if word == FULL_STOP:
            self.branch = {FULL_STOP: self.branch[FULL_STOP]}
            return
        self.branch = self.branch[word]
        self.written.append(word)
        self._write_forced()

    def copy(self) -> "Spelling":
        """The same decision as far as it is written; what can follow is shared."""
        other = object.__new__(Spelling)
        other.rows, other.branch, other.written = self.rows, self.branch, list(self.written)
        return other

    def write_again(self, words: Iterable[str]) -> None:
        """Write `words` as far as they can be written here; a choice that is gone stays open."""
        for place, word in enumerate(words):
            if place < len(self.written):
                if self.written[place] != word:
                    return
            elif word in self.branch:
                self.write(word)
            else:
                return

    def _write_forced(self) -> None:
        while len(self.branch) == 1 and FULL_STOP not in self.branch:
            ((word, self.branch),) = self.branch.items()
            self.written.append(word)


def _plant_words(root: Branch, words: tuple[str, ...], text: str) -> None:
    for word in words:
        root = root.setdefault(word, {})
    root[FULL_STOP] = text


def _prune_branch(branch: Branch, lexicon: ActionLexicon) -> None:
    """Numbers that are not in the lexicon go. Where nothing else would be left the first stays: it
    is written without being chosen (the number of the only deal on offer, say)."""
    kept = [word for word in branch if word in lexicon.numbers] or list(branch)[:1]
    for word in branch.keys() - kept:
        del branch[word]
    for word in kept:
        if word != FULL_STOP:
            _prune_branch(branch[word], lexicon)


class SpellingDesk:
    """Puts questions to seats, and knows which pieces of a seat have been gone through."""

    def __init__(
        self, game: Game, lexicon: ActionLexicon, rows: dict[Seat, RowTexts] | None = None
    ) -> None:
        self.game, self.lexicon = game, lexicon
        self.rows = rows or {}

    def copy(self) -> "SpellingDesk":
        return SpellingDesk(self.game, self.lexicon, dict(self.rows))

    def spelling(self, state: State, seat: Seat) -> Spelling:
        """The next decision of `seat`, which must be asked something."""
        question = self.game.ask(state, seat)
        assert question is not None, "every seat that must act is asked"  # noqa: S101  # the contract
        if isinstance(question.node, Orders):
            return self._order_spelling(state, seat, question.node)
        return Spelling(self.lexicon, map(str, self.game.legal(state, seat)))

    def note_decision(self, seat: Seat, spelling: Spelling) -> None:
        """The decision was made: continue with the next piece, or start again with all of them."""
        if spelling.rows is None:
            self.rows.pop(seat, None)
        else:
            self.rows[seat] = spelling.rows

    def _order_spelling(self, state: State, seat: Seat, orders: Orders) -> Spelling:
        """The order of the next piece; when all were gone through, everything else."""
        targets = tuple(row.target for row in orders.rows)
        before, done = self.rows.get(seat, ((), frozenset()))
        if before != targets:
            done = frozenset()
        for row in orders.rows:
            if row.target not in done:
                done |= {row.target}
                texts = self._legal_texts(state, seat, ask.answer_texts(row.node))
                if len(texts) > 1:  # what a piece must do anyway it does without an order
                    return Spelling(self.lexicon, texts, (targets, done))
        return Spelling(
            self.lexicon, self._legal_texts(state, seat, ask.answer_texts(One(orders.options)))
        )

    def _legal_texts(self, state: State, seat: Seat, texts: Iterable[str]) -> list[str]:
        legal = self.game.legal(state, seat)
        return [text for text in texts if self._parse_text(text) in legal]

    def _parse_text(self, text: str) -> Action | None:
        try:
            return self.game.parse(text)
        except RulesError:
            return None
