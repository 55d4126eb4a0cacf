"""An action spelt word by word: at every step, the words that can come next.

All legal texts form a tree of words. Where only one word can follow it is written at once, so an
agent is asked only where it has a choice. Pieces that get orders one by one (Diplomacy's units)
are gone through in their listed order, each once; then come the other options.
"""

from collections.abc import Iterable
from functools import lru_cache
from typing import Any, NamedTuple, TypeAlias

from powderkeg.core import ask
from powderkeg.core.ask import Node, One, Orders
from powderkeg.core.game import Game, HoldsGame, Seat, State
from powderkeg.rl.lexicon import FULL_STOP, ActionLexicon, words_of

Branch: TypeAlias = dict[str, Any]  # word to branch; END to the text itself


RowTexts: TypeAlias = tuple[tuple[str, ...], frozenset[str]]  # all pieces; those gone through


class WordTree(NamedTuple):
    """Some texts as a tree of words: the words that come first without a choice, then the rest.

    Trees are shared by all decisions with the same texts, and never change.
    """

    first: tuple[str, ...]
    branch: Branch


def plant_tree(lexicon: ActionLexicon, texts: Iterable[str]) -> WordTree:
    """The tree of some texts, without numbers that the lexicon does not have."""
    root: Branch = {}
    unknown = False
    for text in texts:
        words = words_of(text)
        unknown |= not lexicon.can_spell(words)
        _plant_words(root, words, text)
    if unknown:
        _prune_branch(root, lexicon)
    first: list[str] = []
    rest = _write_forced(root, first)
    return WordTree(tuple(first), rest)


def _write_forced(branch: Branch, written: list[str]) -> Branch:
    """Write the words that have no alternative; return what can follow them."""
    while len(branch) == 1 and FULL_STOP not in branch:
        ((word, branch),) = branch.items()
        written.append(word)
    return branch


class Spelling:
    """One decision of a seat being written. `rows`: the pieces with orders once it is made."""

    __slots__ = ("branch", "rows", "written")

    def __init__(self, tree: WordTree, rows: RowTexts | None = None) -> None:
        self.rows = rows
        self.branch: Branch = tree.branch
        self.written: list[str] = list(tree.first)

    @property
    def words(self) -> list[str]:
        """What can come next; empty when the action is complete."""
        return list(self.branch)

    @property
    def text(self) -> str | None:
        """The whole text once it is complete."""
        only = len(self.branch) == 1 and FULL_STOP in self.branch
        return self.branch[FULL_STOP] if only else None

    def write(self, word: str) -> None:
        if word == FULL_STOP:
            self.branch = {FULL_STOP: self.branch[FULL_STOP]}
            return
        self.written.append(word)
        self.branch = _write_forced(self.branch[word], self.written)

    def copy(self) -> "Spelling":
        """The same decision as far as it is written; what can follow is shared."""
        return Spelling(WordTree(tuple(self.written), self.branch), self.rows)

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


def _plant_words(root: Branch, words: tuple[str, ...], text: str) -> None:
    for word in words:
        root = root.setdefault(word, {})
    root[FULL_STOP] = text


def _prune_branch(branch: Branch, lexicon: ActionLexicon) -> None:
    """Remove numbers that are not in the lexicon. Where nothing else would be left the first one stays:
    it is written without being chosen (the number of the only deal on offer, say)."""
    kept = [word for word in branch if word in lexicon.numbers] or list(branch)[:1]
    for word in branch.keys() - kept:
        del branch[word]
    for word in kept:
        if word != FULL_STOP:
            _prune_branch(branch[word], lexicon)


class _NodeKey:
    """Finds the tree of a question's node. Games that build a node once per position share it, so it
    is compared by identity."""

    __slots__ = ("lexicon", "node")

    def __init__(self, lexicon: ActionLexicon, node: Node) -> None:
        self.lexicon, self.node = lexicon, node

    def __hash__(self) -> int:
        return id(self.node)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, _NodeKey):
            return NotImplemented
        return self.node is other.node and self.lexicon is other.lexicon


@lru_cache(maxsize=4096)
def _node_tree(key: _NodeKey) -> WordTree:
    return plant_tree(key.lexicon, ask.answer_texts(key.node))


class SpellingDesk(HoldsGame):
    """Puts questions to seats, and knows which pieces of a seat have had their turn."""

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
            return self._order_spelling(seat, question.node)
        return Spelling(plant_tree(self.lexicon, map(str, self.game.legal(state, seat))))

    def note_decision(self, seat: Seat, spelling: Spelling) -> None:
        """The decision was made: continue with the next piece, or start again with all of them."""
        if spelling.rows is None:
            self.rows.pop(seat, None)
        else:
            self.rows[seat] = spelling.rows

    def _order_spelling(self, seat: Seat, orders: Orders) -> Spelling:
        """The order of the next piece; after the last piece, everything else.

        What `Orders` offers is legal, by the contract.
        """
        targets = tuple(row.target for row in orders.rows)
        before, done = self.rows.get(seat, ((), frozenset()))
        if before != targets:
            done = frozenset()
        for row in orders.rows:
            if row.target not in done:
                done |= {row.target}
                tree = _node_tree(_NodeKey(self.lexicon, row.node))
                if FULL_STOP not in tree.branch or len(tree.branch) > 1:
                    return Spelling(tree, (targets, done))  # a piece with one order needs none
        return Spelling(plant_tree(self.lexicon, ask.answer_texts(One(orders.options))))
