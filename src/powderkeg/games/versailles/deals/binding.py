"""Binding deals (V-NEG): which answers keep the deals of this turn, and when a deal is over.

A deal has parties and terms (see `terms`); how it is made is in `offers`. Once all parties agreed,
`legal` offers only what keeps it.
"""

from collections.abc import Iterable
from typing import Any

from powderkeg.games.versailles import words
from powderkeg.games.versailles.actions import (
    Advance,
    Bid,
    Choose,
    Cube,
    Decline,
    DemobiliseUnit,
    DeployUnit,
    Dive,
    DrawCards,
    End,
    Flag,
    Keep,
    Modify,
    Pass,
    Perform,
    Place,
    Reclaim,
    Settle,
    TakeOption,
    TakeStrategy,
)
from powderkeg.games.versailles.board import CATEGORIES, NAVAL, NOBODY, REGIONS, USA
from powderkeg.games.versailles.deals.exchange import spends_owed_cubes, strike_terms
from powderkeg.games.versailles.deals.terms import Term, agreed_answer, parse_term
from powderkeg.games.versailles.deals.words import SIGNS, WHETHER
from powderkeg.games.versailles.events.effects import total_cost
from powderkeg.games.versailles.rules.political import least_to_lead
from powderkeg.games.versailles.state import Position, StateBuilder
from powderkeg.games.versailles.steps import (
    Announce,
    Bidding,
    ChooseBranch,
    ChooseCleared,
    ChooseCube,
    ChooseDeploy,
    ChooseFlag,
    ChooseKegRegion,
    ChooseKept,
    ChooseOption,
    ChoosePerform,
    ChoosePlayer,
    ChooseRegions,
    ChooseSign,
    ChooseSource,
    ChooseStrategy,
    ChooseToAdvance,
    ChooseUnsettled,
    PlaceSecond,
    Turn,
    UsaTurn,
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
        case _ if kind == "give":
            spent = spent_cubes(p, step, term.nation, action)
            return not spends_owed_cubes(p, term.nation, spent, terms)
        case (Turn() | UsaTurn() | PlaceSecond(), Place()):
            return kind not in ("settle", "place", "shun") or _keeps_placing_terms(
                p, step, action, terms
            )
        case (Turn() | UsaTurn(), Settle(issue)):
            return kind != "place" and (kind != "settle" or issue == args[0])
        case (Turn() | UsaTurn(), Reclaim()):
            return kind not in ("settle", "place")
        case (Turn() | ChooseDeploy(), DeployUnit(_, region, _)):
            if kind == "deploy":
                return isinstance(step, ChooseDeploy) or region == args[0]
            if kind == "demobilise":
                return isinstance(step, ChooseDeploy)
            return kind != "keepout" or region != args[0]
        case Turn(), DemobiliseUnit():
            return kind != "deploy"
        case Turn(), End():
            return kind not in ("settle", "place", "deploy", "demobilise")
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
        case _, Choose(what) if is_pick(step):
            return kind != "pick" or what == args[0]
        case ChooseBranch(), Choose(what):
            return kind != "branch" or what == args[0]
        case ChooseToAdvance(), Advance(card):
            return kind != "advance" or card == args[0] or not _is_same_kind(p, card, args[0])
        case ChooseSource(), DrawCards():
            return kind != "dive"
        case ChooseSource(), Dive(issue):
            return kind != "draw" and (kind != "dive" or issue == args[0])
        case ChooseCube(), Cube(put):
            return kind != "cube" or put == WHETHER[args[0]]
        case ChooseKept(drawn), Keep(issue):
            return kind != "keep" or issue in (wanted_cards(p, drawn, args[0]) or drawn)
        case ChooseStrategy(), TakeStrategy(strategy):
            return kind != "strategy" or strategy == args[0]
        case Announce(region), Modify(n):
            return kind != "modify" or REGIONS[region] != args[0] or n == SIGNS[args[1]]
        case Bidding(issue), Pass():
            return kind != "bid" or issue != args[0]
        case Bidding(issue), Bid():
            return kind != "pass" or issue != args[0]
    return True


PICK_STEPS = (ChooseRegions, ChooseKegRegion, ChooseSign, ChooseCleared)


def is_pick(step: Any) -> bool:
    """Whether an event asks for a region, an issue or a sign; not an uprising (V-UPR-14)."""
    by_event = isinstance(step, ChooseUnsettled) and step.region == NOBODY
    return by_event or isinstance(step, PICK_STEPS)


def wanted_cards(p: Position, drawn: tuple[str, ...], wanted: str) -> list[str]:
    """Those of the drawn issues that a term wants: by name, or by region."""
    issues = p.pack.issues
    return [i for i in drawn if wanted in (i, CATEGORIES[issues[i].region])]


def spent_cubes(p: Position, step: Any, nation: int, action: Any) -> int:
    """Available cubes that `nation` spends by this answer, if it may as well not."""
    match step, action:
        case (Turn() | UsaTurn(), Place(issue, n)):
            return n + min(least_to_lead(p, nation, other) for other in p.cubes if other != issue)
        case PlaceSecond(), Place(_, n):
            return n
        case Bidding(), Bid(_, _, cubes):
            return cubes
        case ChooseCube(), Cube(put):
            return 1 if put else 0
        case ChooseSource(), Dive(issue):
            return p.pack.board.dive_costs[p.pile.index(issue)]
        case ChoosePerform(event), Perform():
            return total_cost(p.pack.events[event].conference)
    return 0


def _is_same_kind(p: Position, one: str, two: str) -> bool:
    return (one in p.waiting) == (two in p.waiting)


def _keeps_placing_terms(
    p: Position, step: Turn | UsaTurn | PlaceSecond, action: Place, terms: list[Term]
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
    nation = USA if isinstance(step, UsaTurn) else p.active
    left = p.available[nation] - action.n
    others = owed or {issue for issue in p.cubes if issue not in shunned} - {action.issue}
    return len(owed) < 2 and any(least_to_lead(p, nation, issue) <= left for issue in others)


def fulfils_term(p: Position, step: Any, term: Term, action: Any) -> bool:
    """Whether `action` uses the term up (V-NEG-04: once)."""
    kind, args = term.kind, term.args
    match step, action:
        case _ if kind == "answer":
            return True
        case (Turn() | UsaTurn() | PlaceSecond(), Place(issue)):
            return kind == "place" and issue == args[0]
        case (Turn() | UsaTurn(), Settle()):
            return kind == "settle"
        case Turn(), DeployUnit():
            return kind == "deploy"
        case Turn(), DemobiliseUnit():
            return kind == "demobilise"
        case ChooseOption(issue), TakeOption():
            return kind == "option" and issue == args[0]
        case ChooseFlag(issue, _, option, flags), Flag():
            icons = p.pack.issues[issue].options[option].counters.count(NAVAL)
            return kind == "flag" and issue == args[0] and len(flags) + 1 == icons
        case ChoosePerform(), _:
            return kind in ("perform", "decline")
        case ChoosePlayer(), Choose():
            return kind == "choose"
        case _, Choose() if is_pick(step):
            return kind == "pick"
        case ChooseCube(), Cube():
            return kind == "cube"
        case ChooseKept(drawn), Keep(issue):
            return kind == "keep" and issue in wanted_cards(p, drawn, args[0])
        case ChooseStrategy(), TakeStrategy():
            return kind == "strategy"
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


def strike_answered(b: StateBuilder, step: Any, nation: int, action: Any) -> None:
    """Cross out the terms that `action` carried out."""
    strike_terms(
        b,
        lambda deal, term: term.nation == nation and fulfils_term(b, step, term, action),
    )


def release_nation(b: StateBuilder, nation: int) -> None:
    """Release `nation` from its deals: no legal answer keeps all of them."""
    numbers = {number for number, _ in binding_terms(b, nation)}
    for number in sorted(numbers):
        b.say("versailles.deal_released", "V-NEG-09", deal=number, nation=words.NATION[nation])
    b.deals = tuple(deal for deal in b.deals if deal.number not in numbers)
