"""A question's tree as text: indented lines, or every answer on a line of its own."""

from collections.abc import Iterator, Sequence

from powderkeg.core.ask import Amount, Assign, Node, One, Option, Orders, Some
from powderkeg.core.words import Msg, say


def outline_question(node: Node | None, lang: str, depth: int = 0) -> Iterator[str]:
    """A question as indented lines: each option's text and label, what follows it below."""
    pad = "  " * depth
    if node is not None and node.prompt is not None:
        yield f"{pad}({say(node.prompt, lang)})"
    match node:
        case One(options):
            yield from _outline_options(options, lang, depth)
        case Orders(rows, options):
            for row in rows:
                yield f"{pad}{say(row.label, lang)}: {row.chosen or '...'}"
                yield from outline_question(row.node, lang, depth + 1)
            yield from _outline_options(options, lang, depth)
        case Some(options, least, most):
            yield f"{pad}{_joined_hint('some', lang, least, most)}"
            yield from _outline_options(options, lang, depth + 1)
        case Amount(least, most):
            yield f"{pad}{least}-{most}"
        case Assign(shares, least, most):
            yield f"{pad}{_joined_hint('assign', lang, least, most)}"
            yield from (f"{pad}  {s.text} (0-{s.most}) {say(s.label, lang)}" for s in shares)
    if isinstance(node, Some | Amount | Assign):
        yield from outline_question(node.then, lang, depth + 1)


def _joined_hint(kind: str, lang: str, least: int, most: int) -> str:
    return say(Msg(f"bots.llm.outline.{kind}", least=least, most=most), lang)


def _outline_options(options: Sequence[Option], lang: str, depth: int) -> Iterator[str]:
    for option in options:
        yield f"{'  ' * depth}{option.text} : {say(option.label, lang)}"
        yield from outline_question(option.then, lang, depth + 1)


def list_answers(node: Node | None, lang: str) -> Iterator[str]:
    """Every answer on a line of its own: its text, and the labels along its path."""
    for text, labels in _labelled_answers(node, lang):
        yield f"{text} : {', '.join(labels)}" if labels else text


def _labelled_answers(node: Node | None, lang: str) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Answers whose parts can be listed; a choice of several or a split is outlined instead."""
    match node:
        case None:
            yield "", ()
        case One(options):
            for option in options:
                head = option.text, (say(option.label, lang),)
                yield from _with_tails(*head, option.then, lang)
        case Orders(rows, options):
            for row in rows:
                yield from _labelled_answers(row.node, lang)
            yield from _labelled_answers(One(options), lang)
        case Amount(least, most, then=then):
            for number in range(least, most + 1):
                yield from _with_tails(str(number), (), then, lang)
        case Some() | Assign():
            yield "...", tuple(line.strip() for line in outline_question(node, lang))


def _with_tails(
    text: str, labels: tuple[str, ...], then: Node | None, lang: str
) -> Iterator[tuple[str, tuple[str, ...]]]:
    for tail, more in _labelled_answers(then, lang):
        yield (f"{text} {tail}" if tail else text), (*labels, *more)
