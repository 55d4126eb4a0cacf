"""Which terms can be kept now, and therefore offered."""

from collections.abc import Callable, Iterator

from powderkeg.core.errors import Unreadable
from powderkeg.core.words import Msg
from powderkeg.games.versailles.actions import TakeOption, parse
from powderkeg.games.versailles.board import (
    CATEGORIES,
    GAME_END,
    NATIONS,
    NAVAL,
    NAVAL_FLAGS,
    NOBODY,
    REGIONS,
    USA,
)
from powderkeg.games.versailles.deals.binding import PICK_STEPS, is_pick, wanted_cards
from powderkeg.games.versailles.deals.exchange import (
    ABSTAINING,
    ExchangeLimits,
    cubes_of,
    is_party,
    most_given,
    most_spent,
    plays_usa,
    receiver_of,
    sides_to_act,
    yet_to_act,
)
from powderkeg.games.versailles.deals.terms import EXCHANGES, Term, agreed_answer, parse_term
from powderkeg.games.versailles.deals.words import SIGNS, WHETHER, term_label
from powderkeg.games.versailles.events import operations
from powderkeg.games.versailles.events.effects import (
    can_perform,
    count_counters,
    eligible_issues,
    keg_regions,
)
from powderkeg.games.versailles.kinds import deciding_nation, legal_answers
from powderkeg.games.versailles.rules.auction import can_bid
from powderkeg.games.versailles.rules.issue_options import open_options
from powderkeg.games.versailles.rules.military import possible_deployments
from powderkeg.games.versailles.rules.political import least_to_lead, settleable_issues
from powderkeg.games.versailles.rules.tracks import REGION_INDEX
from powderkeg.games.versailles.state import (
    Deal,
    Position,
    StateBuilder,
    deployed_regions,
    issue_leader,
    pending_step,
    post_of,
    sides_in_play,
    unit_count,
)
from powderkeg.games.versailles.steps import (
    AddIssue,
    AdvanceIssueAndEvent,
    Bidding,
    Checking,
    ChooseBranch,
    ChooseCube,
    ChooseFlag,
    ChooseKept,
    ChooseOption,
    ChoosePerform,
    ChoosePlayer,
    ChooseSource,
    ChooseStrategy,
    ChooseToAdvance,
    DiscardEvent,
    DrawIssues,
    PlaceSecond,
    ResolveConferenceEvent,
    SelectStrategies,
    Turn,
)

LATER = ("settle", "place", "shun", "deploy", "keepout", "option", "advance", "pass")


def _may_still_settle(p: Position) -> bool:
    return bool(sides_to_act(p))


def _reaches_settling(p: Position, nation: int, *kinds: type) -> bool:
    """Whether `nation` may still come to these steps of settling this turn."""
    return yet_to_act(p, nation) or (p.acting == nation and pending_step(p, *kinds) is not None)


def _can_settle(p: Position, term: Term) -> bool:
    return yet_to_act(p, term.nation) and term.args[0] in settleable_issues(p, term.nation)


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
    return yet_to_act(p, term.nation) and cost <= p.available[term.nation]


def _can_shun(p: Position, term: Term) -> bool:
    own_turn = term.nation == p.active or yet_to_act(p, term.nation)
    return own_turn and term.args[0] in p.cubes


def _can_deploy(p: Position, term: Term) -> bool:
    if term.nation != p.active or p.military or pending_step(p, Turn) is None:
        return False
    return any(action.region == term.args[0] for action in possible_deployments(p, term.nation))


def _can_demobilise(p: Position, term: Term) -> bool:
    idle = term.nation == p.active and not p.military and pending_step(p, Turn) is not None
    return idle and unit_count(p, term.nation) > 0


def _can_keep_out(p: Position, term: Term) -> bool:
    return True


def _can_win(p: Position, nation: int, issue: str) -> bool:
    """Whether `nation` may come to choose an option of `issue` this turn."""
    if issue in p.table:
        return issue != GAME_END and issue_leader(p, issue) == nation and _may_still_settle(p)
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
    if choosing and choosing.issue == issue:
        return False
    return _can_win(p, term.nation, issue) and _is_open_option(p, term.nation, issue, option)


def _is_open_option(p: Position, nation: int, issue: str, option: str) -> bool:
    """The USA of two players takes what hurts it least (V-2P-08)."""
    return TakeOption(option) in open_options(p, ChooseOption(issue, nation))


def _can_flag(p: Position, term: Term) -> bool:
    issue, flag = term.args
    naval = any(NAVAL in option.counters for option in p.pack.issues[issue].options)
    return naval and flag in NAVAL_FLAGS and _can_win(p, term.nation, issue)


def _event_deciders(p: Position) -> tuple[int, ...]:
    """The nations that may decide the conference event, if it is still to come this turn."""
    pending = _is_in_event(p)
    if not p.event or not (pending or _may_still_settle(p)):
        return ()
    if p.event_cube != NOBODY:
        return (p.event_cube,)
    return (p.acting,) if pending else tuple(sides_to_act(p))


def term_words(p: Position, text: str) -> Msg:
    """A term in words. The event on the table is named in it only until this turn has resolved it:
    what comes after it is for later turns, and no deal lasts so long."""
    to_come = _may_still_settle(p) or pending_step(p, ResolveConferenceEvent, DiscardEvent)
    return term_label(text, p.pack.events.get(p.event) if to_come else None)


_CONFERENCE = (ResolveConferenceEvent, ChoosePerform, ChoosePlayer, ChooseBranch)


def _is_in_event(p: Position) -> bool:
    """Whether the conference event asks for something, or will ask."""
    if pending_step(p, *_CONFERENCE):
        return True
    if p.options.picks_bind == "all":
        return is_pick(p.agenda[-1])
    return p.options.picks_bind == "regions" and pending_step(p, *PICK_STEPS) is not None


def _can_perform(p: Position, term: Term) -> bool:
    if term.nation not in _event_deciders(p) or not p.pack.events[p.event].optional:
        return False
    if not (_may_still_settle(p) or pending_step(p, ResolveConferenceEvent, ChoosePerform)):
        return False
    if term.kind == "decline":
        return True
    return can_perform(p, p.pack.events[p.event].conference, term.nation)


def _can_choose(p: Position, term: Term) -> bool:
    if term.nation not in _event_deciders(p):
        return False
    asks = any(isinstance(e, operations.ChoosePlayer) for e in p.pack.events[p.event].conference)
    open_ = _may_still_settle(p) or pending_step(p, ResolveConferenceEvent, ChoosePlayer)
    return bool(asks and open_ and NATIONS.index(term.args[0]) in sides_in_play(p))


def _can_branch(p: Position, term: Term) -> bool:
    if not _event_deciders(p):
        return False
    either = next(operations.either_of(p.pack.events[p.event].conference), None)
    return either is not None and 1 <= int(term.args[0]) <= len(either.branches)


def _can_pick(p: Position, term: Term) -> bool:
    return term.nation in _event_deciders(p) and term.args[0] in _event_picks(p)


def _event_picks(p: Position) -> list[str]:
    """The regions, issues and signs that the conference event may ask for."""
    found: list[str] = []
    for effect in operations.nested_effects(p.pack.events[p.event].conference) if p.event else ():
        match effect:
            case operations.ChoosePlayer(regions=regions) if regions:
                found += REGIONS
            case operations.Keg(region="any", n=n):
                found += [REGIONS[region] for region in keg_regions(p, n)]
            case operations.Check(per=per) if per and count_counters(p, per):
                found += ["plus", "minus"]
            case operations.Unsettle():
                found += eligible_issues(p, effect)
            case operations.Clear():
                found += [issue for issue in p.waiting if any(p.cubes[issue])]
    return found


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


def _can_put_cube(p: Position, term: Term) -> bool:
    """An event with the icon may come to the table, and there is a cube for it (V-EVENT-06)."""
    if pending_step(p, ChooseCube):
        return p.acting == term.nation and (term.args[0] == "no" or p.available[term.nation] > 0)
    icon = any(p.pack.events[event].cube for event in p.lobby)
    reaches = _reaches_settling(p, term.nation, AdvanceIssueAndEvent, ChooseToAdvance)
    return icon and reaches and (term.args[0] == "no" or most_spent(p, term.nation) > 0)


def _can_keep_card(p: Position, term: Term) -> bool:
    """The card, or one of the region, may be drawn (V-SETTLE-13)."""
    drawing = pending_step(p, ChooseKept, DrawIssues)
    if isinstance(drawing, ChooseKept):
        return p.acting == term.nation and bool(wanted_cards(p, drawing.drawn, term.args[0]))
    reaches = _reaches_settling(p, term.nation, AddIssue, ChooseSource, DrawIssues)
    drawn = drawing.drawn if drawing else ()
    return reaches and bool(wanted_cards(p, (*p.deck, *drawn), term.args[0]))


def _can_take_strategy(p: Position, term: Term) -> bool:
    """Strategies are chosen after the first uprising, once (V-STRAT-01)."""
    open_ = not p.risen or pending_step(p, SelectStrategies, ChooseStrategy, Checking) is not None
    mine, free = p.strategy[term.nation], term.args[0] not in p.strategy
    return term.nation in p.order and open_ and not mine and free and term.args[0] in p.dealt


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


def _can_exchange(p: Position, term: Term) -> bool:
    if term.kind == "prepay" and p.options.exchange_at_once:
        return False  # there every exchange is one
    return 1 <= cubes_of(term) <= most_given(p, term.nation, receiver_of(term), term.kind)


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
    "cube": _can_put_cube,
    "keep": _can_keep_card,
    "pick": _can_pick,
    "demobilise": _can_demobilise,
    "strategy": _can_take_strategy,
    "modify": _can_modify,
    "pass": _can_pass,
    "bid": _can_raise,
    "give": _can_exchange,
    "prepay": _can_exchange,
    "answer": _can_give_answer,
}


def can_keep(p: Position, term: Term) -> bool:
    """Whether `term` can be kept now; a promise only has to make sense."""
    if not is_party(p, p.order, term.nation):
        return False
    if not term.later:
        return CAN_KEEP[term.kind](p, term)
    if term.nation not in p.order:
        return False  # nobody can promise how the USA of two players will act
    if term.kind == "option":
        return any(option.id == term.args[1] for option in p.pack.issues[term.args[0]].options)
    return term.kind in LATER


# The terms that can be offered


def offerable_terms(p: Position, parties: tuple[int, ...]) -> list[Term]:
    """Every term that the parties could agree to now, for bots and tests."""
    deciders = (*parties, USA) if plays_usa(p) else parties
    return [
        term
        for nation in deciders
        for term in (*possible_terms(p, nation), *possible_exchanges(p, nation, parties))
    ]


def possible_terms(p: Position, nation: int) -> list[Term]:
    """The terms that `nation` could agree to now, with any partner."""
    found = [*_terms_of_turn(p, nation)] if nation == p.active or nation in sides_to_act(p) else []
    found += [
        *(Term(nation, "keepout", (r,)) for r in REGIONS),
        *_option_terms(p, nation),
        *(Term(nation, kind) for kind in ("perform", "decline")),
        *(Term(nation, "choose", (NATIONS[other],)) for other in p.order),
        *(Term(nation, "branch", (str(k),)) for k in (1, 2)),
        *(Term(nation, "pick", (word,)) for word in dict.fromkeys(_event_picks(p))),
        *(Term(nation, "strategy", (strategy,)) for strategy in p.dealt),
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
    yield Term(nation, "demobilise")
    for whether in WHETHER:
        yield Term(nation, "cube", (whether,))
    drawing = pending_step(p, ChooseKept)
    for wanted in drawing.drawn if drawing else CATEGORIES:
        yield Term(nation, "keep", (wanted,))


def possible_exchanges(
    p: Position, nation: int, parties: tuple[int, ...], limits: ExchangeLimits | None = None
) -> list[Term]:
    """Every amount of influence that `nation` could give to the other parties (V-NEG-06)."""
    limits = limits or ExchangeLimits(p)
    kinds = ("give",) if p.options.exchange_at_once else EXCHANGES
    return [
        Term(nation, kind, (NATIONS[other], str(n)))
        for other in parties
        for kind in kinds
        for n in range(1, limits.most_given(nation, other, kind) + 1)
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
        lost = [term for term in map(parse_term, deal.terms) if not _is_open(b, deal, term)]
        if lost:
            b.say(
                "versailles.deal_expired",
                "V-NEG-09",
                deal=deal.number,
                term=term_words(b, str(lost[0])),
            )
        else:
            left.append(deal)
    b.deals = tuple(left)


def _is_open(p: Position, deal: Deal, term: Term) -> bool:
    """Whether a term of a deal can still be kept. An exchange that was agreed waits until it is due;
    not to do something is kept when the turn ends, also if it can no longer be done (V-NEG-06)."""
    waits = ("give",) if p.options.exchange_at_once else ("give", *ABSTAINING)
    return (deal.made and not term.later and term.kind in waits) or can_keep(p, term)
