"""Messages, facts, results and questions as JSON: stored by code, shown in the reader's language."""

from collections.abc import Callable
from functools import lru_cache, partial
from typing import Any, TypeVar, assert_never

from powderkeg.core.ask import (
    Amount,
    Assign,
    Node,
    One,
    Option,
    Orders,
    Question,
    Row,
    Share,
    Some,
)
from powderkeg.core.game import Fact, Result, Section, Standing
from powderkeg.core.words import Arg, Msg, say
from powderkeg.server.db.rows import StoredResult, StoredStanding

T = TypeVar("T")
MOST_NAMES = 10_000


def dump_message(what: Arg) -> Any:
    """A message as stored: an object with a code, texts and numbers as they are."""
    if isinstance(what, Msg):
        if not what.args:
            return _dump_name(what.code)
        args = {k: v if type(v) is str else dump_message(v) for k, v in what.args.items()}
        return {"code": what.code, "args": args}
    if isinstance(what, str | int | float):
        return what
    return [dump_message(item) for item in what]


@lru_cache(maxsize=MOST_NAMES)
def _dump_name(code: str) -> dict[str, Any]:
    """A message without arguments: places, seats and verbs, stored over and over. Nobody changes it."""
    return {"code": code, "args": {}}


def load_message(data: Any) -> Any:
    """The inverse of `dump_message`."""
    if isinstance(data, dict):
        return Msg(data["code"], **{k: load_message(v) for k, v in data["args"].items()})
    if isinstance(data, list):
        return [load_message(item) for item in data]
    return data


def dump_standing(standing: dict[str, Standing]) -> dict[str, StoredStanding]:
    """How the seats stand, as stored in the row of the table."""
    return {
        seat: {"score": each.score, "name": dump_message(each.name) if each.name else None}
        for seat, each in standing.items()
    }


def dump_fact(fact: Fact) -> dict[str, Any]:
    stored: dict[str, Any] = {"msg": dump_message(fact.msg)}
    if fact.rule:
        stored["rule"] = fact.rule
    if fact.to is not None:
        stored["to"] = sorted(fact.to)
    if fact.but:
        stored["but"] = sorted(fact.but)
    if fact.quiet:
        stored["quiet"] = True
    if fact.opens:
        stored["opens"] = fact.opens
    return stored


def load_fact(data: dict[str, Any]) -> Fact:
    to = frozenset(data["to"]) if "to" in data else None
    but = frozenset(data.get("but", ()))
    quiet, opens = data.get("quiet", False), data.get("opens", "")
    return Fact(load_message(data["msg"]), data.get("rule", ""), to, but, quiet, opens)


def named_codes(what: Arg) -> list[str]:
    """The codes of everything that a message names, each once: places, units, seats."""
    found: dict[str, None] = {}
    _collect_codes(what, found)
    return list(found)


def _collect_codes(what: Arg, found: dict[str, None]) -> None:
    """Add the codes inside a message, in the order in which it names them."""
    for part in what.args.values() if isinstance(what, Msg) else what:  # type: ignore[union-attr]  # never a number
        if isinstance(part, Msg):
            found[part.code] = None
            if part.args:
                _collect_codes(part, found)
        elif isinstance(part, tuple):
            _collect_codes(part, found)


def question_in_words(
    asked: Question, lang: str, word_row: Callable[[Row], dict[str, Any]] | None = None
) -> dict[str, Any]:
    """A question with every prompt and label in words. `word_row` may remember the words of rows."""
    return {"prompt": say(asked.prompt, lang), "node": node_in_words(asked.node, lang, word_row)}


def node_in_words(
    node: Node | None, lang: str, word_row: Callable[[Row], dict[str, Any]] | None = None
) -> dict[str, Any] | None:
    if node is None:
        return None
    if isinstance(node, Some) and node.then is None:
        return _kept_words(node, lang, _new_node)
    return _new_node(node, lang, word_row)


def _new_node(
    node: Node, lang: str, word_row: Callable[[Row], dict[str, Any]] | None = None
) -> dict[str, Any]:
    shown: dict[str, Any] = {"kind": type(node).__name__.lower()}
    if node.prompt is not None:
        shown["prompt"] = say(node.prompt, lang)
    match node:
        case One(options):
            shown["options"] = _options_in_words(options, lang)
        case Some(options, least, most):
            shown |= {
                "options": [_option_in_words(o, lang) for o in options],
                "least": least,
                "most": most,
            }
            if node.exclusive:
                shown["exclusive"] = [list(group) for group in node.exclusive]
        case Amount(least, most):
            shown |= {"least": least, "most": most}
            if node.chosen is not None:
                shown["chosen"] = node.chosen
        case Assign(shares, least, most):
            shown |= {
                "shares": [_share_in_words(s, lang) for s in shares],
                "least": least,
                "most": most,
            }
        case Orders(rows, options):
            plainly = partial(_plain_row, lang=lang)
            shown["rows"] = [(word_row or plainly)(row) for row in rows]
            shown["options"] = _options_in_words(options, lang)
            if node.due is not None:
                shown["due"] = node.due
        case _:
            assert_never(node)
    if not isinstance(node, One | Orders) and node.then is not None:
        shown["then"] = node_in_words(node.then, lang)
    return shown


def row_in_words(row: Row, node: dict[str, Any] | None, lang: str) -> dict[str, Any]:
    """A row of a sheet of orders, with the words of its choices."""
    label = say(row.label, lang)
    return {"target": row.target, "label": label, "chosen": row.chosen, "node": node}


def _plain_row(row: Row, lang: str) -> dict[str, Any]:
    return row_in_words(row, node_in_words(row.node, lang), lang)


def _options_in_words(options: tuple[Option, ...], lang: str) -> list[dict[str, Any]]:
    """The options shown to people; `aside` ones are offered elsewhere in the browser."""
    known = _KEPT_WORDS.setdefault(lang, {})
    return [
        found[1] if (found := known.get(id(option))) else _option_in_words(option, lang)
        for option in options
        if not option.aside
    ]


def _option_in_words(option: Option, lang: str) -> dict[str, Any]:
    if _leads_far(option.then):
        return _new_option(option, lang)
    return _kept_words(option, lang, _new_option)


def _leads_far(node: Node | None) -> bool:
    """Whether more than one choice follows: such trees differ from question to question."""
    if node is None:
        return False
    return not isinstance(node, One) or any(option.then is not None for option in node.options)


# Choices that lead to one more at most in words, by language and identity: forms offer the same hundreds of
# lines again and again, to everybody. Nobody changes these words.
_KEPT_WORDS: dict[str, dict[int, tuple[Any, dict[str, Any]]]] = {}
MOST_KEPT_WORDS = 20_000


def _kept_words(
    choice: T, lang: str, put_in_words: Callable[[T, str], dict[str, Any]]
) -> dict[str, Any]:
    known = _KEPT_WORDS.setdefault(lang, {})
    if (found := known.get(id(choice))) is None:  # what is kept keeps its id
        if len(known) >= MOST_KEPT_WORDS:
            known.clear()
        found = known[id(choice)] = choice, put_in_words(choice, lang)
    return found[1]


def _new_option(option: Option, lang: str) -> dict[str, Any]:
    shown: dict[str, Any] = {"text": option.text, "label": say(option.label, lang)}
    if option.target:
        shown["target"] = option.target
    if option.confirm:
        shown |= {"confirm": True, "notes": [say(note, lang) for note in option.notes]}
    if option.then is not None:
        shown["then"] = node_in_words(option.then, lang)
    return shown


def _share_in_words(share: Share, lang: str) -> dict[str, Any]:
    shown = {"text": share.text, "label": say(share.label, lang), "most": share.most}
    return {**shown, "target": share.target} if share.target else shown


def raw_question(asked: Question) -> dict[str, Any]:
    """A question with codes instead of words, for programs that use the contract."""
    return {"prompt": dump_message(asked.prompt), "node": _raw_value(asked.node)}


def _raw_value(value: Any) -> Any:
    if isinstance(value, Msg):
        return dump_message(value)
    if isinstance(value, tuple):
        return [_raw_value(item) for item in value]
    if isinstance(value, One | Some | Amount | Assign | Orders):
        kind = {"kind": type(value).__name__.lower()}
        return kind | {
            name: _raw_value(getattr(value, name)) for name in value.__dataclass_fields__
        }
    if hasattr(value, "__dataclass_fields__"):
        return {name: _raw_value(getattr(value, name)) for name in value.__dataclass_fields__}
    return value


def sections_in_words(described: tuple[Section, ...], lang: str) -> list[dict[str, Any]]:
    return [
        {"title": say(part.title, lang), "lines": [say(line, lang) for line in part.lines]}
        for part in described
    ]


def is_same_question(before: Question | None, now: Question | None) -> bool:
    """Whether an answer to `before` still answers `now`. Orders that were given meanwhile do not
    matter: each row is a question of its own, and may be answered again."""
    if before == now:
        return True
    if before is None or now is None or not is_revisable(before) or not is_revisable(now):
        return False
    return bool(_revisable_rows(before.node) == _revisable_rows(now.node))


def is_revisable(asked: Question | None) -> bool:
    return asked is not None and isinstance(asked.node, Orders)


def _revisable_rows(node: Node) -> Any:
    assert isinstance(node, Orders)  # noqa: S101  # the caller asked `is_revisable`
    return [(row.target, row.label, row.node) for row in node.rows]


def dump_result(result: Result) -> StoredResult:
    return {
        "ranking": [list(group) for group in result.ranking],
        "scores": result.scores,
        "why": dump_message(result.why),
        "rule": result.rule,
    }


def agreed_result(first: list[str], scores: dict[str, float], why: Msg) -> StoredResult:
    """A result on which the players agreed: `first` win or share it, whatever their scores are."""
    rest = [seat for seat in scores if seat not in first]
    ranking = [first, rest] if rest else [first]
    return {"ranking": ranking, "scores": scores, "why": dump_message(why), "rule": ""}
