"""Binding deals (V-NEG): which answers keep the deals of this turn, and when a deal is over.

A deal has parties and terms (see `terms`); how it is made is in `offers`. Once all parties agreed,
`legal` offers only what keeps it.
"""

from collections.abc import Iterable
from typing import Any

from powderkeg.games.versailles.actions import (
    Advance,
    Bid,
    Choose,
    Decline,
    DemobiliseUnit,
    DeployUnit,
    Dive,
    DrawCards,
    End,
    Flag,
    Modify,
    Pass,
    Perform,
    Place,
    Reclaim,
    Settle,
    TakeOption,
)
from powderkeg.games.versailles.board import NAVAL, REGIONS
from powderkeg.games.versailles.deals.terms import Term, agreed_answer, parse_term
from powderkeg.games.versailles.deals.words import SIGNS
from powderkeg.games.versailles.rules.political import least_to_lead
from powderkeg.games.versailles.state import Position, StateBuilder
from powderkeg.games.versailles.steps import (
    Announce,
    Bidding,
    ChooseBranch,
    ChooseDeploy,
    ChooseFlag,
    ChooseOption,
    ChoosePerform,
    ChoosePlayer,
    ChooseSource,
    ChooseToAdvance,
    PlaceSecond,
    Turn,
)


def binding_terms(p: Position, nation: int) -> list[tuple[int, Term]]:
    """The terms that bind `nation` now, with the number of their deal."""
    return [
        (deal.number, term)
        for deal in p.deals
        if deal.made
        for term in map(parse_term, deal.terms)
        if term.nation == nation
    ]


# Keeping a deal


def broken_deal(p: Position, step: Any, nation: int, action: Any) -> int:
    """The number of a deal that `action` would break; 0 if it keeps them all."""
    if not p.deals:
        return 0
    found = binding_terms(p, nation)
    terms = [term for _, term in found]
    return next((n for n, term in found if not keeps_term(p, step, term, action, terms)), 0)


def filter_answers(p: Position, step: Any, nation: int, answers: Iterable[Any]) -> list[Any]:
    """Those of `answers` with which `nation` keeps every deal."""
    if not p.deals:
        return list(answers)
    return [action for action in answers if not broken_deal(p, step, nation, action)]


def keeps_term(p: Position, step: Any, term: Term, action: Any, terms: list[Term]) -> bool:
    """Whether `action` keeps `term`, one of the `terms` that bind the acting nation."""
    kind, args = term.kind, term.args
    match step, action:
        case _ if kind == "answer":
            return str(action) == agreed_answer(term)
        case (Turn() | PlaceSecond(), Place()):
            return kind not in ("settle", "place", "shun") or _keeps_placing_terms(
                p, step, action, terms
            )
        case Turn(), Settle(issue):
            return kind != "place" and (kind != "settle" or issue == args[0])
        case Turn(), Reclaim():
            return kind not in ("settle", "place")
        case (Turn() | ChooseDeploy(), DeployUnit(_, region, _)):
            if kind == "deploy":
                return isinstance(step, ChooseDeploy) or region == args[0]
            return kind != "keepout" or region != args[0]
        case Turn(), DemobiliseUnit():
            return kind != "deploy"
        case Turn(), End():
            return kind not in ("settle", "place", "deploy")
        case ChooseOption(issue), TakeOption(option):
            return kind != "option" or issue != args[0] or option == args[1]
        case ChooseFlag(issue), Flag(flag):
            return kind != "flag" or issue != args[0] or flag == args[1]
        case ChoosePerform(), Perform():
            return kind != "decline"
        case ChoosePerform(), Decline():
            return kind != "perform"
        case ChoosePlayer(), Choose(what):
            return kind != "choose" or what == args[0]
        case ChooseBranch(), Choose(what):
            return kind != "branch" or what == args[0]
        case ChooseToAdvance(), Advance(card):
            return kind != "advance" or card == args[0] or not _is_same_kind(p, card, args[0])
        case ChooseSource(), DrawCards():
            return kind != "dive"
        case ChooseSource(), Dive(issue):
            return kind != "draw" and (kind != "dive" or issue == args[0])
        case Announce(region), Modify(n):
            return kind != "modify" or REGIONS[region] != args[0] or n == SIGNS[args[1]]
        case Bidding(issue), Pass():
            return kind != "bid" or issue != args[0]
        case Bidding(issue), Bid():
            return kind != "pass" or issue != args[0]
    return True


def _is_same_kind(p: Position, one: str, two: str) -> bool:
    return (one in p.waiting) == (two in p.waiting)


def _keeps_placing_terms(
    p: Position, step: Turn | PlaceSecond, action: Place, terms: list[Term]
) -> bool:
    """Whether this placement keeps every term about placing."""
    if any(term.kind == "settle" for term in terms):
        return False
    shunned = {term.args[0] for term in terms if term.kind == "shun"}
    owed = {term.args[0] for term in terms if term.kind == "place"} - {action.issue}
    if action.issue in shunned:
        return False
    if isinstance(step, PlaceSecond):
        return not owed
    nation = p.active
    left = p.available[nation] - action.n
    others = owed or {issue for issue in p.cubes if issue not in shunned} - {action.issue}
    return len(owed) < 2 and any(least_to_lead(p, nation, issue) <= left for issue in others)


def fulfils_term(p: Position, step: Any, term: Term, action: Any) -> bool:
    """Whether `action` uses the term up (V-NEG-04: once)."""
    kind, args = term.kind, term.args
    match step, action:
        case _ if kind == "answer":
            return True
        case (Turn() | PlaceSecond(), Place(issue)):
            return kind == "place" and issue == args[0]
        case Turn(), Settle():
            return kind == "settle"
        case Turn(), DeployUnit():
            return kind == "deploy"
        case ChooseOption(issue), TakeOption():
            return kind == "option" and issue == args[0]
        case ChooseFlag(issue, _, option, flags), Flag():
            icons = p.pack.issues[issue].options[option].counters.count(NAVAL)
            return kind == "flag" and issue == args[0] and len(flags) + 1 == icons
        case ChoosePerform(), _:
            return kind in ("perform", "decline")
        case ChoosePlayer(), Choose():
            return kind == "choose"
        case ChooseBranch(), Choose():
            return kind == "branch"
        case ChooseToAdvance(), Advance(card):
            return kind == "advance" and card == args[0]
        case ChooseSource(), _:
            return kind in ("draw", "dive")
        case Announce(region), Modify():
            return kind == "modify" and REGIONS[region] == args[0]
        case Bidding(issue), (Pass() | Bid()):
            return kind in ("pass", "bid") and issue == args[0]
    return False


def strike_terms(b: StateBuilder, step: Any, nation: int, action: Any) -> None:
    """Cross out the terms that `action` carried out; a deal without terms is done."""
    deals = []
    for deal in b.deals:
        if deal.made:
            rest = tuple(
                text
                for text in deal.terms
                if (term := parse_term(text)).nation != nation
                or not fulfils_term(b, step, term, action)
            )
            if not rest:
                b.say("versailles.deal_kept", "V-NEG-02", deal=deal.number)
                continue
            deal = deal._replace(terms=rest)  # noqa: PLW2901  # the same deal, further on
        deals.append(deal)
    b.deals = tuple(deals)


def release_nation(b: StateBuilder, nation: int) -> None:
    """Release `nation` from its deals: no legal answer keeps all of them."""
    numbers = {number for number, _ in binding_terms(b, nation)}
    for number in sorted(numbers):
        b.say("versailles.deal_over", "V-NEG-09", deal=number)
    b.deals = tuple(deal for deal in b.deals if deal.number not in numbers)
