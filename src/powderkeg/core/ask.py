"""Questions: a prompt and a typed tree of inputs, from which every interface is made.

The tree is a grammar of the wire notation. To answer, walk it from the root and write one
piece of text per node, joined by spaces; the result is an action that the game can `parse`.
Browser, terminal, action mask and language model all walk the same tree.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import TypeAlias, assert_never

from powderkeg.core.chance import Rng
from powderkeg.core.words import Msg

__all__ = [
    "Amount",
    "Assign",
    "Node",
    "One",
    "Option",
    "Orders",
    "Question",
    "Row",
    "Share",
    "Some",
    "accepts_answer",
    "answer_texts",
    "sample_answer",
]


@dataclass(frozen=True, slots=True)
class Option:
    """One thing to choose: the text it writes, its label, and where it stands on the board.

    `aside`: an answer for which a table has a better way, such as its own ballot for a draw. The
    server leaves it out of the questions it shows to people. `confirm`: an answer that ends
    something, so that people must confirm it; `notes` say what they would want to know then.
    """

    text: str
    label: Msg
    target: str = ""  # id of a board element: what lights up and can be clicked
    then: "Node | None" = None
    aside: bool = False
    confirm: bool = False
    notes: tuple[Msg, ...] = ()


@dataclass(frozen=True, slots=True)
class One:
    """Choose one option."""

    options: tuple[Option, ...]
    prompt: Msg | None = None


@dataclass(frozen=True, slots=True)
class Some:
    """Choose `least` to `most` different options, written in listed order, joined by commas;
    none is written ``-``. Of each group of texts in `exclusive` at most one may be chosen."""

    options: tuple[Option, ...]
    least: int
    most: int
    prompt: Msg | None = None
    then: "Node | None" = None
    exclusive: tuple[tuple[str, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class Amount:
    """Choose a whole number. `chosen` is the answer given so far, where it may still be changed."""

    least: int
    most: int
    prompt: Msg | None = None
    then: "Node | None" = None
    chosen: int | None = None


@dataclass(frozen=True, slots=True)
class Share:
    """One row of `Assign`: at most `most` may go to it."""

    text: str
    label: Msg
    most: int
    target: str = ""


@dataclass(frozen=True, slots=True)
class Assign:
    """Split `least` to `most` among shares, written ``paris:2,lyon:1`` in listed order;
    nothing at all is written ``-``."""

    shares: tuple[Share, ...]
    least: int
    most: int
    prompt: Msg | None = None
    then: "Node | None" = None


@dataclass(frozen=True, slots=True)
class Row:
    """One row of `Orders`: a piece and its own question. `chosen` is the answer given so far.

    A row without options is there to be read."""

    target: str
    label: Msg
    node: "Node"
    chosen: str = ""


@dataclass(frozen=True, slots=True)
class Orders:
    """Many pieces, each with a question of its own; every answer is one legal action, and may be
    changed until one of `options` (such as *ready*) is chosen.

    `due` is how many rows are to be answered; None: all of them."""

    rows: tuple[Row, ...]
    options: tuple[Option, ...]
    prompt: Msg | None = None
    due: int | None = None


Node: TypeAlias = One | Some | Amount | Assign | Orders


@dataclass(frozen=True, slots=True)
class Question:
    """What a seat is asked now."""

    prompt: Msg
    node: Node


NONE_CHOSEN = "-"


def answer_texts(node: Node | None) -> Iterator[str]:
    """Every text that answers `node` (may be many; see `accepts_answer` and `sample_answer`)."""
    match node:
        case None:
            yield ""
        case One(options):
            for option in options:
                yield from _join_answers([option.text], option.then)
        case Orders(rows, options):
            for row in rows:
                yield from answer_texts(row.node)
            yield from answer_texts(One(options))
        case Some(options, least, most, then=then):
            for count in range(least, min(most, len(options)) + 1):
                for picked in combinations([o.text for o in options], count):
                    if not _has_rivals(node, picked):
                        yield from _join_answers([",".join(picked) or NONE_CHOSEN], then)
        case Amount(least, most, then=then):
            yield from _join_answers(map(str, range(least, most + 1)), then)
        case Assign(shares, least, most, then=then):
            for total in range(least, most + 1):
                yield from _join_answers(_split_texts(shares, total), then)
        case _:
            assert_never(node)


def _join_answers(heads: Iterable[str], then: "Node | None") -> Iterator[str]:
    for head in heads:
        for tail in answer_texts(then):
            yield f"{head} {tail}" if tail else head


def _split_texts(shares: tuple[Share, ...], total: int) -> Iterator[str]:
    for amounts in _split_amounts(shares, total):
        yield (
            ",".join(f"{s.text}:{n}" for s, n in zip(shares, amounts, strict=True) if n)
            or NONE_CHOSEN
        )


def _split_amounts(shares: tuple[Share, ...], total: int) -> Iterator[tuple[int, ...]]:
    if not shares:
        if total == 0:
            yield ()
        return
    for n in range(min(shares[0].most, total) + 1):
        for rest in _split_amounts(shares[1:], total - n):
            yield (n, *rest)


def accepts_answer(node: Node | None, text: str) -> bool:
    """Whether `text` is an answer to `node`, without listing all answers."""
    match node:
        case None:
            return text == ""
        case One(options):
            return any(_starts_with(text, option.text, option.then) for option in options)
        case Orders(rows, options):
            return any(accepts_answer(row.node, text) for row in rows) or accepts_answer(
                One(options), text
            )
        case Some(options, least, most, then=then):
            head, _, tail = text.partition(" ")
            names = [] if head == NONE_CHOSEN else head.split(",")
            listed = [o.text for o in options if o.text in names]
            if names != listed or _has_rivals(node, names):
                return False
            return least <= len(names) <= most and accepts_answer(then, tail)
        case Amount(least, most, then=then):
            head, _, tail = text.partition(" ")
            return head.isdecimal() and least <= int(head) <= most and accepts_answer(then, tail)
        case Assign(shares, least, most, then=then):
            head, _, tail = text.partition(" ")
            total = _assigned_total(shares, head)
            return total is not None and least <= total <= most and accepts_answer(then, tail)
        case _:
            assert_never(node)


def _starts_with(text: str, head: str, then: "Node | None") -> bool:
    if text == head:
        return accepts_answer(then, "")
    return text.startswith(head + " ") and accepts_answer(then, text[len(head) + 1 :])


def _has_rivals(node: Some, names: Iterable[str]) -> bool:
    """Whether two of `names` exclude each other."""
    chosen = set(names)
    return any(len(chosen.intersection(group)) > 1 for group in node.exclusive)


def _without_rivals(node: Some, names: list[str]) -> list[str]:
    """`names` without conflicts: of those that exclude each other only the first, and all the others."""
    kept: list[str] = []
    for name in names:
        if not _has_rivals(node, [*kept, name]):
            kept.append(name)
    return kept


def _assigned_total(shares: tuple[Share, ...], head: str) -> int | None:
    """The total written in `head`, or None when it does not fit the shares."""
    pairs = [] if head == NONE_CHOSEN else [pair.rpartition(":")[::2] for pair in head.split(",")]
    most = {share.text: share.most for share in shares}
    names = [name for name, _ in pairs]
    if names != [share.text for share in shares if share.text in names]:
        return None
    if not all(n.isdecimal() and 1 <= int(n) <= most[name] for name, n in pairs):
        return None
    return sum(int(n) for _, n in pairs)


def sample_answer(node: Node | None, rng: Rng) -> str:
    """A random answer to `node`; at each node every choice is equally likely."""
    match node:
        case None:
            return ""
        case One(options):
            option = options[rng.randrange(len(options))]
            return _join_text(option.text, sample_answer(option.then, rng))
        case Orders(rows, options):
            nodes: list[Node] = [row.node for row in rows] + ([One(options)] if options else [])
            return sample_answer(nodes[rng.randrange(len(nodes))], rng)
        case Some(options, least, most, then=then):
            top = min(most, len(options))
            count = least + rng.randrange(top - least + 1)
            picked = set(_distinct_indices(len(options), count, rng))
            names = _without_rivals(node, [o.text for i, o in enumerate(options) if i in picked])
            return _join_text(",".join(names) or NONE_CHOSEN, sample_answer(then, rng))
        case Amount(least, most, then=then):
            return _join_text(
                str(least + rng.randrange(most - least + 1)), sample_answer(then, rng)
            )
        case Assign(shares, least, most, then=then):
            room = min(most, sum(share.most for share in shares))
            total = least + rng.randrange(room - least + 1)
            return _join_text(_random_split(shares, total, rng), sample_answer(then, rng))
        case _:
            assert_never(node)


def _join_text(head: str, tail: str) -> str:
    return f"{head} {tail}" if tail else head


def _distinct_indices(size: int, count: int, rng: Rng) -> list[int]:
    left = list(range(size))
    return [left.pop(rng.randrange(len(left))) for _ in range(count)]


def _random_split(shares: tuple[Share, ...], total: int, rng: Rng) -> str:
    pool = [i for i, share in enumerate(shares) for _ in range(share.most)]
    taken = [pool.pop(rng.randrange(len(pool))) for _ in range(total)]
    pairs = [f"{s.text}:{taken.count(i)}" for i, s in enumerate(shares) if i in taken]
    return ",".join(pairs) or NONE_CHOSEN
