"""Which terms can be kept now, and therefore offered."""

from collections.abc import Callable, Iterable, Iterator

from powderkeg.core.errors import Unreadable
from powderkeg.games.versailles.actions import (
    parse,
)
from powderkeg.games.versailles.board import GAME_END, NATIONS, NAVAL, NAVAL_FLAGS, NOBODY, REGIONS
from powderkeg.games.versailles.deals.terms import Term, agreed_answer, parse_term
from powderkeg.games.versailles.deals.words import SIGNS, term_text
from powderkeg.games.versailles.events import operations
from powderkeg.games.versailles.events.effects import can_perform
from powderkeg.games.versailles.kinds import deciding_nation, legal_answers
from powderkeg.games.versailles.rules.auction import can_bid
from powderkeg.games.versailles.rules.military import possible_deployments
from powderkeg.games.versailles.rules.political import least_to_lead, settleable_issues
from powderkeg.games.versailles.rules.tracks import REGION_INDEX
from powderkeg.games.versailles.state import (
    Position,
    StateBuilder,
    deployed_regions,
    issue_leader,
    pending_step,
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


def _yet_to_act(p: Position, nation: int) -> bool:
    return nation == p.active and not p.political and pending_step(p, Turn) is not None


def _reaches_settling(p: Position, nation: int, *kinds: type) -> bool:
    """Whether `nation` may still come to these steps of settling this turn."""
    return _yet_to_act(p, nation) or (p.acting == nation and pending_step(p, *kinds) is not None)


def _can_settle(p: Position, term: Term) -> bool:
    return _yet_to_act(p, term.nation) and term.args[0] in settleable_issues(p, term.nation)


def _can_place(p: Position, term: Term) -> bool:
    issue = term.args[0]
    if issue not in p.cubes:
        return False
    second = pending_step(p, PlaceSecond)
    if second and second.nation == term.nation:
        return (
            second.first != issue
            and least_to_lead(p, term.nation, issue) <= p.available[term.nation]
        )
    others = [least_to_lead(p, term.nation, other) for other in p.cubes if other != issue]
    cost = least_to_lead(p, term.nation, issue) + min(others)
    return _yet_to_act(p, term.nation) and cost <= p.available[term.nation]


def _can_shun(p: Position, term: Term) -> bool:
    return term.nation == p.active and term.args[0] in p.cubes


def _can_deploy(p: Position, term: Term) -> bool:
    if term.nation != p.active or p.military or pending_step(p, Turn) is None:
        return False
    return any(action.region == term.args[0] for action in possible_deployments(p, term.nation))


def _can_keep_out(p: Position, term: Term) -> bool:
    return True


def _can_win(p: Position, nation: int, issue: str) -> bool:
    """Whether `nation` may come to choose an option of `issue` this turn."""
    if issue in p.table:
        return issue != GAME_END and issue_leader(p, issue) == nation and _yet_to_act(p, p.active)
    if issue == p.settled and p.controller == NOBODY:
        return issue_leader(p, issue) == nation
    choosing = pending_step(p, ChooseOption, ChooseFlag)
    if choosing and choosing.issue == issue:
        return bool(choosing.nation == nation)
    bidding = pending_step(p, Bidding)
    return bool(bidding and bidding.issue == issue and nation in bidding.waiting)


def _can_option(p: Position, term: Term) -> bool:
    issue, option = term.args
    if all(o.id != option for o in p.pack.issues[issue].options):
        return False
    choosing = pending_step(p, ChooseFlag)
    return _can_win(p, term.nation, issue) and not (choosing and choosing.issue == issue)


def _can_flag(p: Position, term: Term) -> bool:
    issue, flag = term.args
    naval = any(NAVAL in option.counters for option in p.pack.issues[issue].options)
    return naval and flag in NAVAL_FLAGS and _can_win(p, term.nation, issue)


def _event_decider(p: Position) -> int:
    """The nation that will decide the conference event, if it is still to come this turn."""
    if not p.event or not (_yet_to_act(p, p.active) or pending_step(p, *_CONFERENCE)):
        return NOBODY
    return p.event_cube if p.event_cube != NOBODY else p.acting


_CONFERENCE = (ResolveConferenceEvent, ChoosePerform, ChoosePlayer, ChooseBranch)


def _can_perform(p: Position, term: Term) -> bool:
    if not p.event or _event_decider(p) != term.nation or not p.pack.events[p.event].optional:
        return False
    if not (_yet_to_act(p, p.active) or pending_step(p, ResolveConferenceEvent, ChoosePerform)):
        return False
    if term.kind == "decline":
        return True
    return can_perform(p, p.pack.events[p.event].conference, term.nation)


def _nested_effects(effects: Iterable[operations.Effect]) -> Iterator[operations.Effect]:
    for effect in effects:
        yield effect
        if isinstance(effect, operations.ChoosePlayer | operations.Each):
            yield from _nested_effects(effect.then)


def _can_choose(p: Position, term: Term) -> bool:
    if _event_decider(p) != term.nation:
        return False
    asks = any(isinstance(e, operations.ChoosePlayer) for e in p.pack.events[p.event].conference)
    open_ = _yet_to_act(p, p.active) or pending_step(p, ResolveConferenceEvent, ChoosePlayer)
    return bool(asks and open_ and NATIONS.index(term.args[0]) in p.order)


def _can_branch(p: Position, term: Term) -> bool:
    if _event_decider(p) == NOBODY:
        return False
    for effect in _nested_effects(p.pack.events[p.event].conference):
        if isinstance(effect, operations.Either):
            return 1 <= int(term.args[0]) <= len(effect.branches)
    return False


def _can_advance(p: Position, term: Term) -> bool:
    there = term.args[0] in p.waiting or term.args[0] in p.lobby
    return there and _reaches_settling(p, term.nation, AdvanceIssueAndEvent, ChooseToAdvance)


def _can_draw(p: Position, term: Term) -> bool:
    return _reaches_settling(p, term.nation, AddIssue, ChooseSource)


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
    bidding = pending_step(p, Bidding)
    if bidding and bidding.issue == issue:
        return term.nation in bidding.waiting and term.nation != bidding.leader
    return issue in p.held and issue != GAME_END


def _can_raise(p: Position, term: Term) -> bool:
    bidding = pending_step(p, Bidding)
    if not bidding or bidding.issue != term.args[0] or term.nation not in bidding.waiting:
        return False
    leads = term.nation == bidding.leader
    return not leads and can_bid(p, term.nation, bidding.issue, bidding.best)


def spare_cubes(p: Position, nation: int) -> int:
    """Cubes that may be given: not those of the best standing bid (V-NEG-08), nor those that the
    second issue of a placement needs (V-PLACE-01)."""
    step = pending_step(p, Bidding, PlaceSecond)
    owed = 0
    if isinstance(step, Bidding) and step.leader == nation:
        owed = step.best.cubes
    elif isinstance(step, PlaceSecond) and step.nation == nation:
        owed = min(least_to_lead(p, nation, issue) for issue in p.cubes if issue != step.first)
    return p.available[nation] - owed


def most_given(p: Position, giver: int, receiver: int) -> int:
    """How many cubes may be exchanged between two players (V-NEG-06, 07)."""
    if receiver == giver or receiver not in p.order:
        return 0
    if p.options.exchange_once and (giver, receiver) in p.exchanged:
        return 0
    return min(p.pack.board.most_exchanged, spare_cubes(p, giver), p.exhausted[receiver])


def _can_give(p: Position, term: Term) -> bool:
    receiver, n = NATIONS.index(term.args[0]), int(term.args[1])
    return 1 <= n <= most_given(p, term.nation, receiver)


def _can_give_answer(p: Position, term: Term) -> bool:
    """The question that is put now; any of its answers may be agreed on."""
    try:
        return deciding_nation(p) == term.nation and parse(agreed_answer(term)) in legal_answers(p)
    except Unreadable:
        return False


CAN_KEEP: dict[str, Callable[[Position, Term], bool]] = {
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
    "answer": _can_give_answer,
}


def can_keep(p: Position, term: Term) -> bool:
    """Whether `term` can be kept now; a promise only has to make sense."""
    if term.nation not in p.order:
        return False
    if not term.later:
        return CAN_KEEP[term.kind](p, term)
    if term.kind == "option":
        return any(option.id == term.args[1] for option in p.pack.issues[term.args[0]].options)
    return term.kind in LATER


# The terms that can be offered


def offerable_terms(p: Position, parties: tuple[int, ...]) -> list[Term]:
    """Every term that the parties could agree to now, for bots and tests."""
    return [
        term
        for nation in parties
        for term in (*possible_terms(p, nation), *possible_exchanges(p, nation, parties))
    ]


def possible_terms(p: Position, nation: int) -> list[Term]:
    """The terms that `nation` could agree to now, with any partner."""
    found = [*_terms_of_turn(p, nation)] if nation == p.active else []
    found += [
        *(Term(nation, "keepout", (r,)) for r in REGIONS),
        *_option_terms(p, nation),
        *(Term(nation, kind) for kind in ("perform", "decline")),
        *(Term(nation, "choose", (NATIONS[other],)) for other in p.order),
        *(Term(nation, "branch", (str(k),)) for k in (1, 2)),
        *(
            Term(nation, "modify", (REGIONS[r], s))
            for r in deployed_regions(p, nation)
            for s in SIGNS
        ),
        *(Term(nation, kind, (p.limbo,)) for kind in ("pass", "bid") if p.limbo),
    ]
    return [term for term in found if can_keep(p, term)]


def _terms_of_turn(p: Position, nation: int) -> Iterator[Term]:
    """Terms about actions that only the active player takes."""
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


def possible_exchanges(p: Position, nation: int, parties: tuple[int, ...]) -> list[Term]:
    """Every amount of influence that `nation` could give to the other parties (V-NEG-06)."""
    return [
        Term(nation, "give", (NATIONS[other], str(n)))
        for other in parties
        for n in range(1, most_given(p, nation, other) + 1)
    ]


def _option_terms(p: Position, nation: int) -> Iterator[Term]:
    choosing = pending_step(p, ChooseOption, ChooseFlag)
    issues = (*p.table, *([choosing.issue] if choosing else []), *([p.limbo] if p.limbo else []))
    for issue in dict.fromkeys(issues):
        for option in p.pack.issues[issue].options:
            yield Term(nation, "option", (issue, option.id))
        for flag in NAVAL_FLAGS:
            yield Term(nation, "flag", (issue, flag))


def possible_promises(p: Position, nation: int) -> list[Term]:
    """Promises that `nation` could make about the issues on the table and in the waiting room."""
    return [
        Term(nation, kind, (issue,), later=True) for issue in p.cubes for kind in ("settle", "shun")
    ]


def expire_deals(b: StateBuilder) -> None:
    """End deals and offers with a term that has become impossible (V-NEG-09)."""
    left = []
    for deal in b.deals:
        lost = [term for term in map(parse_term, deal.terms) if not can_keep(b, term)]
        if lost:
            b.say(
                "versailles.deal_expired",
                "V-NEG-09",
                deal=deal.number,
                term=term_text(str(lost[0])),
            )
        else:
            left.append(deal)
    b.deals = tuple(left)
