"""Terms of deals: what players can agree on for a turn, as text, and which terms clash.

A term says what one party does, in wire notation: ``usa.settle.armenia``, ``uk.give.usa.3``. A term
marked *later* (``uk.later.shun.mesopotamia``) is a promise.
"""

from collections.abc import Iterable
from functools import cache, lru_cache
from typing import NamedTuple

from powderkeg.core.errors import Unreadable
from powderkeg.games.versailles.board import CATEGORIES, NATIONS, REGIONS
from powderkeg.games.versailles.cards.reader import default_pack
from powderkeg.games.versailles.deals.words import SIGNS, WHETHER
from powderkeg.games.versailles.state import Position


class Term(NamedTuple):
    """One thing that one party agrees to do."""

    nation: int
    kind: str
    args: tuple[str, ...] = ()
    later: bool = False

    def __str__(self) -> str:
        later = ("later",) if self.later else ()
        return ".".join((NATIONS[self.nation], *later, self.kind, *self.args))


ARGUMENTS: dict[str, tuple[str, ...]] = {  # the arguments of each kind of term
    "settle": ("issue",),
    "place": ("issue",),
    "shun": ("issue",),
    "deploy": ("region",),
    "keepout": ("region",),
    "option": ("issue", "option"),
    "flag": ("issue", "nation"),
    "perform": (),
    "decline": (),
    "choose": ("nation",),
    "branch": ("number",),
    "advance": ("card",),
    "draw": (),
    "dive": ("issue",),
    "cube": ("whether",),
    "keep": ("drawn",),
    "pick": ("picked",),
    "demobilise": (),
    "strategy": ("strategy",),
    "modify": ("region", "sign"),
    "pass": ("issue",),
    "bid": ("issue",),
    "give": ("nation", "number"),
    "prepay": ("nation", "number"),
    "answer": ("action",),
}


EXCHANGES = ("give", "prepay")  # of influence; a deal has at most one in each direction


@lru_cache(maxsize=1024)  # deals keep their terms as texts, and are read at every decision
def parse_term(text: str) -> Term:
    """The term written in `text`; nothing else can be agreed on (V-NEG-05)."""
    nation, _, rest = text.partition(".")
    later = rest.startswith("later.")
    kind, *args = rest.removeprefix("later.").split(".")
    named = ARGUMENTS.get(kind)
    if nation not in NATIONS or named is None or len(named) != len(args):
        raise Unreadable("versailles.not_a_term", text=text)
    if not all(_is_known_word(what, word) for what, word in zip(named, args, strict=True)):
        raise Unreadable("versailles.not_a_term", text=text)
    return Term(NATIONS.index(nation), kind, tuple(args), later)


def _is_known_word(what: str, word: str) -> bool:
    if what == "number":
        return word.isdecimal() and len(word) < 3
    if what == "option":
        return word.isidentifier()  # packs may add options; whether the issue has it comes later
    return bool(word) if what == "action" else word in _term_vocabulary()[what]


@cache
def _term_vocabulary() -> dict[str, frozenset[str]]:
    """The ids that terms may name; packs change cards, not which ones there are."""
    pack = default_pack()
    return {
        "issue": frozenset(pack.issues),
        "card": frozenset({**pack.issues, **pack.events}),
        "region": frozenset(REGIONS),
        "nation": frozenset(NATIONS),
        "sign": frozenset(SIGNS),
        "whether": frozenset(WHETHER),
        "drawn": frozenset((*pack.issues, *CATEGORIES)),
        "picked": frozenset((*pack.issues, *REGIONS, "plus", "minus")),
        "strategy": frozenset(pack.strategies),
    }


def action_argument(action: object) -> str:
    """An action as the argument of an `answer` term."""
    return str(action).replace(" ", "~").replace(",", ";")


def agreed_answer(term: Term) -> str:
    return term.args[0].replace("~", " ").replace(";", ",")


# Contradictions


def terms_clash(p: Position, one: Term, two: Term) -> bool:
    """Whether two terms of one party cannot both be kept: they claim the same thing."""
    if one.nation != two.nation or one.later or two.later or one == two:
        return False
    claims = [set(_term_claims(tuple(p.cubes), p.waiting, term)) for term in (one, two)]
    return not claims[0].isdisjoint(claims[1])


def _term_claims(
    issues: tuple[str, ...], waiting: tuple[str, ...], term: Term
) -> tuple[tuple[str, ...], ...]:
    """The things that a term uses up and that a party has only once per turn."""
    match term.kind, term.args[:1]:
        case "settle", _:
            return (("settle",), *(("action", issue) for issue in issues))
        case "place", (issue,):
            return (("action", issue), ("influence", issue))
        case "shun", (issue,):
            return (("influence", issue),)
        case "deploy", (region,):
            return (("military",), ("post", region))
        case "demobilise", _:
            return (("military",),)
        case "keepout", (region,):
            return (("post", region),)
        case "advance", (card,):
            return (("advance", "issue" if card in waiting else "event"),)
        case ("choose" | "branch" | "answer" | "cube" | "keep" | "pick" | "strategy") as kind, _:
            return ((kind,),)
        case ("option" | "flag" | "modify") as kind, (about,):
            return ((kind, about),)
        case (("perform" | "decline"), _):
            return (("event",),)
        case (("draw" | "dive"), _):
            return (("source",),)
        case (("pass" | "bid"), (issue,)):
            return (("auction", issue),)
    return ()


def exclusive_groups(
    issues: tuple[str, ...], waiting: tuple[str, ...], terms: Iterable[Term]
) -> tuple[tuple[str, ...], ...]:
    """Groups of terms of which a deal can hold one: they clash, or are exchanges in the same
    direction (V-NEG-07). `issues`: all that may be settled, `waiting`: those in the waiting room."""
    groups: dict[tuple[int, tuple[str, ...]], list[str]] = {}
    for term in terms:
        exchange = term.kind in EXCHANGES
        for claim in (("give", term.args[0]),) if exchange else _term_claims(issues, waiting, term):
            groups.setdefault((term.nation, claim), []).append(str(term))
    return tuple(tuple(group) for group in groups.values() if len(group) > 1)
