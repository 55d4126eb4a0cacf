"""What can be agreed for a turn: terms, whether they can be kept now, and which contradict each other.

A term says what one party does, in wire notation: ``usa.settle.armenia``, ``uk.give.usa.3``. A term
marked *later* (``uk.later.shun.mesopotamia``) is a promise.
"""

from collections.abc import Callable, Iterable, Iterator
from functools import cache
from typing import Any, NamedTuple

from powderkeg.core.errors import Unreadable
from powderkeg.games.versailles.actions import (
    parse,
)
from powderkeg.games.versailles.board import GAME_END, NATIONS, NAVAL, NAVAL_FLAGS, NOBODY, REGIONS
from powderkeg.games.versailles.cards.reader import default_pack
from powderkeg.games.versailles.deals.words import SIGNS
from powderkeg.games.versailles.events import operations
from powderkeg.games.versailles.events.effects import performable
from powderkeg.games.versailles.kinds import accepts, decider
from powderkeg.games.versailles.rules.auction import can_bid
from powderkeg.games.versailles.rules.military import deploys
from powderkeg.games.versailles.rules.political import least, settleable
from powderkeg.games.versailles.rules.tracks import REGION_INDEX
from powderkeg.games.versailles.state import (
    Position,
    deployed,
    leader,
    post_of,
)
from powderkeg.games.versailles.steps import (
    AddIssue,
    AdvanceIssueAndEvent,
    Bidding,
    ChooseBranch,
    ChooseFlag,
    ChooseOption,
    ChoosePerform,
    ChoosePlayer,
    ChooseSource,
    ChooseToAdvance,
    PlaceSecond,
    ResolveConferenceEvent,
    Turn,
)

LATER = ("settle", "place", "shun", "deploy", "keepout", "option", "advance", "pass")


class Term(NamedTuple):
    """What one party undertakes."""

    nation: int
    kind: str
    args: tuple[str, ...] = ()
    later: bool = False

    def __str__(self) -> str:
        later = ("later",) if self.later else ()
        return ".".join((NATIONS[self.nation], *later, self.kind, *self.args))


ARGUMENTS: dict[str, tuple[str, ...]] = {  # what a term of each kind names
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
    "modify": ("region", "sign"),
    "pass": ("issue",),
    "bid": ("issue",),
    "give": ("nation", "number"),
    "answer": ("action",),
}


def read_term(text: str) -> Term:
    """The term written in `text`; nothing else can be agreed on (V-NEG-05)."""
    nation, _, rest = text.partition(".")
    later = rest.startswith("later.")
    kind, *args = rest.removeprefix("later.").split(".")
    named = ARGUMENTS.get(kind)
    if nation not in NATIONS or named is None or len(named) != len(args):
        raise Unreadable("versailles.not_a_term", text=text)
    if not all(_is(what, word) for what, word in zip(named, args, strict=True)):
        raise Unreadable("versailles.not_a_term", text=text)
    return Term(NATIONS.index(nation), kind, tuple(args), later)


def _is(what: str, word: str) -> bool:
    if what == "number":
        return word.isdecimal() and len(word) < 3
    return bool(word) if what == "action" else word in _vocabulary()[what]


@cache
def _vocabulary() -> dict[str, frozenset[str]]:
    """The ids that terms may name; packs change values, not which cards there are."""
    pack = default_pack()
    options = (option.id for issue in pack.issues.values() for option in issue.options)
    return {
        "issue": frozenset(pack.issues),
        "card": frozenset({**pack.issues, **pack.events}),
        "option": frozenset(options),
        "region": frozenset(REGIONS),
        "nation": frozenset(NATIONS),
        "sign": frozenset(SIGNS),
    }


def written(action: object) -> str:
    """An action as the argument of an `answer` term."""
    return str(action).replace(" ", "~").replace(",", ";")


def answered(term: Term) -> str:
    return term.args[0].replace("~", " ").replace(";", ",")


# Whether a term can be kept, at this moment


def pending(p: Position, *kinds: type) -> Any:
    """The topmost pending step of these kinds."""
    return next((step for step in reversed(p.agenda) if isinstance(step, kinds)), None)


def _yet_to_act(p: Position, nation: int) -> bool:
    return nation == p.active and not p.political and pending(p, Turn) is not None


def _settling(p: Position, nation: int, *kinds: type) -> bool:
    """Whether `nation` may still come to these steps of settling this turn."""
    return _yet_to_act(p, nation) or (p.acting == nation and pending(p, *kinds) is not None)


def _can_settle(p: Position, term: Term) -> bool:
    return _yet_to_act(p, term.nation) and term.args[0] in settleable(p, term.nation)


def _can_place(p: Position, term: Term) -> bool:
    issue = term.args[0]
    if issue not in p.cubes:
        return False
    second = pending(p, PlaceSecond)
    if second and second.nation == term.nation:
        return second.first != issue and least(p, term.nation, issue) <= p.available[term.nation]
    others = [least(p, term.nation, other) for other in p.cubes if other != issue]
    cost = least(p, term.nation, issue) + min(others)
    return _yet_to_act(p, term.nation) and cost <= p.available[term.nation]


def _can_shun(p: Position, term: Term) -> bool:
    return term.nation == p.active and term.args[0] in p.cubes


def _can_deploy(p: Position, term: Term) -> bool:
    if term.nation != p.active or p.military or pending(p, Turn) is None:
        return False
    return any(action.region == term.args[0] for action in deploys(p, term.nation))


def _can_keep_out(p: Position, term: Term) -> bool:
    return True


def _can_win(p: Position, nation: int, issue: str) -> bool:
    """Whether `nation` may come to choose an option of `issue` this turn."""
    if issue in p.table:
        return issue != GAME_END and leader(p, issue) == nation and _yet_to_act(p, p.active)
    if issue == p.settled and p.controller == NOBODY:
        return leader(p, issue) == nation
    choosing = pending(p, ChooseOption, ChooseFlag)
    if choosing and choosing.issue == issue:
        return bool(choosing.nation == nation)
    bidding = pending(p, Bidding)
    return bool(bidding and bidding.issue == issue and nation in bidding.waiting)


def _can_option(p: Position, term: Term) -> bool:
    issue, option = term.args
    if all(o.id != option for o in p.pack.issues[issue].options):
        return False
    choosing = pending(p, ChooseFlag)
    return _can_win(p, term.nation, issue) and not (choosing and choosing.issue == issue)


def _can_flag(p: Position, term: Term) -> bool:
    issue, flag = term.args
    naval = any(NAVAL in option.counters for option in p.pack.issues[issue].options)
    return naval and flag in NAVAL_FLAGS and _can_win(p, term.nation, issue)


def _event_decider(p: Position) -> int:
    """Who will decide the conference event if it is still to come this turn."""
    if not p.event or not (_yet_to_act(p, p.active) or pending(p, *_CONFERENCE)):
        return NOBODY
    return p.event_cube if p.event_cube != NOBODY else p.acting


_CONFERENCE = (ResolveConferenceEvent, ChoosePerform, ChoosePlayer, ChooseBranch)


def _can_perform(p: Position, term: Term) -> bool:
    if not p.event or _event_decider(p) != term.nation or not p.pack.events[p.event].optional:
        return False
    if not (_yet_to_act(p, p.active) or pending(p, ResolveConferenceEvent, ChoosePerform)):
        return False
    if term.kind == "decline":
        return True
    return performable(p, p.pack.events[p.event].conference, term.nation)


def _within(effects: Iterable[operations.Effect]) -> Iterator[operations.Effect]:
    for effect in effects:
        yield effect
        if isinstance(effect, operations.ChoosePlayer | operations.Each):
            yield from _within(effect.then)


def _can_choose(p: Position, term: Term) -> bool:
    if _event_decider(p) != term.nation:
        return False
    asks = any(isinstance(e, operations.ChoosePlayer) for e in p.pack.events[p.event].conference)
    open_ = _yet_to_act(p, p.active) or pending(p, ResolveConferenceEvent, ChoosePlayer)
    return bool(asks and open_ and NATIONS.index(term.args[0]) in p.order)


def _can_branch(p: Position, term: Term) -> bool:
    if _event_decider(p) == NOBODY:
        return False
    for effect in _within(p.pack.events[p.event].conference):
        if isinstance(effect, operations.Either):
            return 1 <= int(term.args[0]) <= len(effect.branches)
    return False


def _can_advance(p: Position, term: Term) -> bool:
    there = term.args[0] in p.waiting or term.args[0] in p.lobby
    return there and _settling(p, term.nation, AdvanceIssueAndEvent, ChooseToAdvance)


def _can_draw(p: Position, term: Term) -> bool:
    return _settling(p, term.nation, AddIssue, ChooseSource)


def _can_dive(p: Position, term: Term) -> bool:
    costs = p.pack.board.dive_costs
    prices = dict(zip(p.pile, costs, strict=False))
    price = prices.get(term.args[0])
    return price is not None and price <= p.available[term.nation] and _can_draw(p, term)


def _can_modify(p: Position, term: Term) -> bool:
    region = REGION_INDEX[term.args[0]]
    return post_of(p, term.nation, region) in p.pack.board.modifies


def _can_pass(p: Position, term: Term) -> bool:
    issue = term.args[0]
    bidding = pending(p, Bidding)
    if bidding and bidding.issue == issue:
        return term.nation in bidding.waiting and term.nation != bidding.leader
    return issue in p.held and issue != GAME_END


def _can_raise(p: Position, term: Term) -> bool:
    bidding = pending(p, Bidding)
    if not bidding or bidding.issue != term.args[0] or term.nation not in bidding.waiting:
        return False
    leads = term.nation == bidding.leader
    return not leads and can_bid(p, term.nation, bidding.issue, bidding.best)


def spare(p: Position, nation: int) -> int:
    """Cubes that may be given: not those of the best standing bid (V-NEG-08), nor those that the
    second issue of a placement needs (V-PLACE-01)."""
    step = pending(p, Bidding, PlaceSecond)
    owed = 0
    if isinstance(step, Bidding) and step.leader == nation:
        owed = step.best.cubes
    elif isinstance(step, PlaceSecond) and step.nation == nation:
        owed = min(least(p, nation, issue) for issue in p.cubes if issue != step.first)
    return p.available[nation] - owed


def most_given(p: Position, giver: int, receiver: int) -> int:
    """How many cubes may be exchanged between two players (V-NEG-06, 07)."""
    if receiver == giver or receiver not in p.order:
        return 0
    if p.options.exchange_once and (giver, receiver) in p.exchanged:
        return 0
    return min(p.pack.board.most_exchanged, spare(p, giver), p.exhausted[receiver])


def _can_give(p: Position, term: Term) -> bool:
    receiver, n = NATIONS.index(term.args[0]), int(term.args[1])
    return 1 <= n <= most_given(p, term.nation, receiver)


def _can_answer(p: Position, term: Term) -> bool:
    """The question that is put now; any of its answers may be agreed on."""
    try:
        return decider(p) == term.nation and accepts(p, parse(answered(term)))
    except Unreadable:
        return False


CAN: dict[str, Callable[[Position, Term], bool]] = {
    "settle": _can_settle,
    "place": _can_place,
    "shun": _can_shun,
    "deploy": _can_deploy,
    "keepout": _can_keep_out,
    "option": _can_option,
    "flag": _can_flag,
    "perform": _can_perform,
    "decline": _can_perform,
    "choose": _can_choose,
    "branch": _can_branch,
    "advance": _can_advance,
    "draw": _can_draw,
    "dive": _can_dive,
    "modify": _can_modify,
    "pass": _can_pass,
    "bid": _can_raise,
    "give": _can_give,
    "answer": _can_answer,
}


def can_keep(p: Position, term: Term) -> bool:
    """Whether `term` can be kept now; a promise only has to make sense."""
    if term.nation not in p.order:
        return False
    if not term.later:
        return CAN[term.kind](p, term)
    if term.kind == "option":
        return any(option.id == term.args[1] for option in p.pack.issues[term.args[0]].options)
    return term.kind in LATER


# Contradictions


def clash(p: Position, one: Term, two: Term) -> bool:
    """Whether two terms of one party cannot both be kept: they claim the same thing."""
    if one.nation != two.nation or one.later or two.later or one == two:
        return False
    return not set(_claims(p, one)).isdisjoint(_claims(p, two))


def _claims(p: Position, term: Term) -> tuple[tuple[str, ...], ...]:
    """What a term takes up, and a party can give only once this turn."""
    match term.kind, term.args[:1]:
        case "settle", _:
            return (("settle",), *(("action", issue) for issue in p.cubes))
        case "place", (issue,):
            return (("action", issue), ("influence", issue))
        case "shun", (issue,):
            return (("influence", issue),)
        case "deploy", (region,):
            return (("deploy",), ("post", region))
        case "keepout", (region,):
            return (("post", region),)
        case "advance", (card,):
            return (("advance", "issue" if card in p.waiting else "event"),)
        case ("choose" | "branch" | "answer") as kind, _:
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


def exclusive_groups(p: Position, terms: Iterable[Term]) -> tuple[tuple[str, ...], ...]:
    """Groups of terms of which a deal can hold one: they clash, or repeat an exchange that is
    allowed once a turn (V-NEG-07)."""
    groups: dict[tuple[int, tuple[str, ...]], list[str]] = {}
    for term in terms:
        again = term.kind == "give" and p.options.exchange_once
        for claim in (("give", term.args[0]),) if again else _claims(p, term):
            groups.setdefault((term.nation, claim), []).append(str(term))
    return tuple(tuple(group) for group in groups.values() if len(group) > 1)


# What can be offered


def offerable(p: Position, parties: tuple[int, ...]) -> list[Term]:
    """Every term that the parties could undertake now, for bots and tests."""
    return [
        term
        for nation in parties
        for term in (*undertakings(p, nation), *exchanges(p, nation, parties))
    ]


def undertakings(p: Position, nation: int) -> list[Term]:
    """What `nation` could undertake now, whoever the others are."""
    found = [*_terms_of_turn(p, nation)] if nation == p.active else []
    found += [
        *(Term(nation, "keepout", (r,)) for r in REGIONS),
        *_option_terms(p, nation),
        *(Term(nation, kind) for kind in ("perform", "decline")),
        *(Term(nation, "choose", (NATIONS[other],)) for other in p.order),
        *(Term(nation, "branch", (str(k),)) for k in (1, 2)),
        *(Term(nation, "modify", (REGIONS[r], s)) for r in deployed(p, nation) for s in SIGNS),
        *(Term(nation, kind, (p.limbo,)) for kind in ("pass", "bid") if p.limbo),
    ]
    return [term for term in found if can_keep(p, term)]


def _terms_of_turn(p: Position, nation: int) -> Iterator[Term]:
    """What only the active player does."""
    for issue in p.table:
        yield Term(nation, "settle", (issue,))
    for issue in p.cubes:
        yield Term(nation, "place", (issue,))
        yield Term(nation, "shun", (issue,))
    for region in REGIONS:
        yield Term(nation, "deploy", (region,))
    for card in (*p.waiting, *p.lobby):
        yield Term(nation, "advance", (card,))
    yield Term(nation, "draw")
    for issue in p.pile[:3]:
        yield Term(nation, "dive", (issue,))


def exchanges(p: Position, nation: int, parties: tuple[int, ...]) -> list[Term]:
    """How much influence `nation` could give to the other parties (V-NEG-06)."""
    return [
        Term(nation, "give", (NATIONS[other], str(n)))
        for other in parties
        for n in range(1, most_given(p, nation, other) + 1)
    ]


def _option_terms(p: Position, nation: int) -> Iterator[Term]:
    choosing = pending(p, ChooseOption, ChooseFlag)
    issues = (*p.table, *([choosing.issue] if choosing else []), *([p.limbo] if p.limbo else []))
    for issue in dict.fromkeys(issues):
        for option in p.pack.issues[issue].options:
            yield Term(nation, "option", (issue, option.id))
        for flag in NAVAL_FLAGS:
            yield Term(nation, "flag", (issue, flag))


def promises(p: Position, nation: int) -> list[Term]:
    """What `nation` could promise about the issues on the table and in the waiting room."""
    return [
        Term(nation, kind, (issue,), later=True) for issue in p.cubes for kind in ("settle", "shun")
    ]
