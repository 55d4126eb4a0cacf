"""Negotiation with teeth (V-NEG): what is agreed for this turn binds, and the engine sees to it.

A deal has parties and terms. A term says what one party does, in wire notation: ``usa.settle.armenia``
``uk.option.armenia.independent`` ``uk.give.usa.3``. A deal can be offered only if every term can be
kept now and none contradicts another; once all parties agreed, `legal` offers only what keeps it.
A term marked *later* (``uk.later.shun.mesopotamia``) is a promise: recorded and shown, no more.
Pieces never change hands; the exchange of influence (`give`) moves each party's own cubes.
"""

from collections.abc import Callable, Iterable, Iterator
from functools import cache
from typing import Any, NamedTuple

from powderkeg.core.chance import Rng
from powderkeg.core.errors import Illegal, Unreadable
from powderkeg.games.versailles import actions, names, ops
from powderkeg.games.versailles.actions import (
    Accept,
    Advance,
    Bid,
    Choose,
    Counter,
    Decline,
    Demobilise,
    Deploy,
    Dive,
    Draw,
    End,
    Flag,
    Modify,
    Option,
    Pass,
    Perform,
    Place,
    Propose,
    Reclaim,
    Refuse,
    Settle,
    Withdraw,
    parse,
)
from powderkeg.games.versailles.bids import can_bid
from powderkeg.games.versailles.board import (
    GAME_END,
    NATIONS,
    NAVAL,
    NAVAL_FLAGS,
    NOBODY,
    REGIONS,
)
from powderkeg.games.versailles.decisions import accepts, decider
from powderkeg.games.versailles.effects import performable
from powderkeg.games.versailles.pack import default_pack
from powderkeg.games.versailles.politics import least, settleable
from powderkeg.games.versailles.state import (
    Deal,
    Draft,
    Position,
    Promise,
    clockwise,
    is_solo,
    leader,
    nation_of,
    post_of,
    refused,
)
from powderkeg.games.versailles.steps import (
    AddIssue,
    AdvanceIssueAndEvent,
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
    ResolveConferenceEvent,
    Turn,
)
from powderkeg.games.versailles.texts import SIGNS, term_text
from powderkeg.games.versailles.tracks import REGION_INDEX, deploys

MOST_TERMS = 6
OFFERS_A_TURN = 8  # enough to bargain, few enough that nobody holds up a game
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


def _pending(p: Position, *kinds: type) -> Any:
    """The topmost pending step of these kinds."""
    return next((step for step in reversed(p.agenda) if isinstance(step, kinds)), None)


def _yet_to_act(p: Position, nation: int) -> bool:
    return nation == p.active and not p.political and _pending(p, Turn) is not None


def _settling(p: Position, nation: int, *kinds: type) -> bool:
    """Whether `nation` may still come to these steps of settling this turn."""
    return _yet_to_act(p, nation) or (p.acting == nation and _pending(p, *kinds) is not None)


def _can_settle(p: Position, term: Term) -> bool:
    return _yet_to_act(p, term.nation) and term.args[0] in settleable(p, term.nation)


def _can_place(p: Position, term: Term) -> bool:
    issue = term.args[0]
    if issue not in p.cubes:
        return False
    second = _pending(p, PlaceSecond)
    if second and second.nation == term.nation:
        return second.first != issue and least(p, term.nation, issue) <= p.available[term.nation]
    others = [least(p, term.nation, other) for other in p.cubes if other != issue]
    cost = least(p, term.nation, issue) + min(others)
    return _yet_to_act(p, term.nation) and cost <= p.available[term.nation]


def _can_shun(p: Position, term: Term) -> bool:
    return term.nation == p.active and term.args[0] in p.cubes


def _can_deploy(p: Position, term: Term) -> bool:
    if term.nation != p.active or p.military or _pending(p, Turn) is None:
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
    choosing = _pending(p, ChooseOption, ChooseFlag)
    if choosing and choosing.issue == issue:
        return bool(choosing.nation == nation)
    bidding = _pending(p, Bidding)
    return bool(bidding and bidding.issue == issue and nation in bidding.waiting)


def _can_option(p: Position, term: Term) -> bool:
    issue, option = term.args
    if all(o.id != option for o in p.pack.issues[issue].options):
        return False
    choosing = _pending(p, ChooseFlag)
    return _can_win(p, term.nation, issue) and not (choosing and choosing.issue == issue)


def _can_flag(p: Position, term: Term) -> bool:
    issue, flag = term.args
    naval = any(NAVAL in option.counters for option in p.pack.issues[issue].options)
    return naval and flag in NAVAL_FLAGS and _can_win(p, term.nation, issue)


def _event_decider(p: Position) -> int:
    """Who will decide the conference event if it is still to come this turn."""
    if not p.event or not (_yet_to_act(p, p.active) or _pending(p, *_CONFERENCE)):
        return NOBODY
    return p.event_cube if p.event_cube != NOBODY else p.acting


_CONFERENCE = (ResolveConferenceEvent, ChoosePerform, ChoosePlayer, ChooseBranch)


def _can_perform(p: Position, term: Term) -> bool:
    if not p.event or _event_decider(p) != term.nation or not p.pack.events[p.event].optional:
        return False
    if not (_yet_to_act(p, p.active) or _pending(p, ResolveConferenceEvent, ChoosePerform)):
        return False
    if term.kind == "decline":
        return True
    return performable(p, p.pack.events[p.event].conference, term.nation)


def _within(effects: Iterable[ops.Effect]) -> Iterator[ops.Effect]:
    for effect in effects:
        yield effect
        if isinstance(effect, ops.ChoosePlayer | ops.Each):
            yield from _within(effect.then)


def _can_choose(p: Position, term: Term) -> bool:
    if _event_decider(p) != term.nation:
        return False
    asks = any(isinstance(e, ops.ChoosePlayer) for e in p.pack.events[p.event].conference)
    open_ = _yet_to_act(p, p.active) or _pending(p, ResolveConferenceEvent, ChoosePlayer)
    return bool(asks and open_ and NATIONS.index(term.args[0]) in p.order)


def _can_branch(p: Position, term: Term) -> bool:
    if _event_decider(p) == NOBODY:
        return False
    for effect in _within(p.pack.events[p.event].conference):
        if isinstance(effect, ops.Either):
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
    bidding = _pending(p, Bidding)
    if bidding and bidding.issue == issue:
        return term.nation in bidding.waiting and term.nation != bidding.leader
    return issue in p.held and issue != GAME_END


def _can_raise(p: Position, term: Term) -> bool:
    bidding = _pending(p, Bidding)
    if not bidding or bidding.issue != term.args[0] or term.nation not in bidding.waiting:
        return False
    leads = term.nation == bidding.leader
    return not leads and can_bid(p, term.nation, bidding.issue, bidding.best)


def spare(p: Position, nation: int) -> int:
    """Cubes that may be given: not those of the best standing bid (V-NEG-08)."""
    bidding = _pending(p, Bidding)
    bound = bidding.best.cubes if bidding and bidding.leader == nation else 0
    return p.available[nation] - int(bound)


def _can_give(p: Position, term: Term) -> bool:
    receiver, n = NATIONS.index(term.args[0]), int(term.args[1])
    if receiver == term.nation or receiver not in p.order:
        return False
    if p.options.exchange_once and (term.nation, receiver) in p.exchanged:
        return False
    most = min(p.pack.board.most_exchanged, spare(p, term.nation), p.exhausted[receiver])
    return 1 <= n <= most


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
    """Whether two terms of one party cannot both be kept."""
    if one.nation != two.nation or one.later or two.later or one == two:
        return False
    kinds = {one.kind, two.kind}
    same = one.args[:1] == two.args[:1]
    if one.kind == two.kind:
        match one.kind:
            case "settle" | "deploy" | "choose" | "branch" | "dive" | "answer":
                return True
            case "option" | "flag" | "modify":
                return same
            case "advance":
                return (one.args[0] in p.waiting) == (two.args[0] in p.waiting)
        return False
    exclusive = ({"settle", "place"}, {"perform", "decline"}, {"draw", "dive"})
    if kinds in exclusive:
        return True
    return same and kinds in ({"place", "shun"}, {"deploy", "keepout"}, {"pass", "bid"})


def bound(p: Position, nation: int) -> list[tuple[int, Term]]:
    """The terms that bind `nation` now, with the number of their deal."""
    return [
        (deal.number, term)
        for deal in p.deals
        if deal.made
        for term in map(read_term, deal.terms)
        if term.nation == nation
    ]


# What keeps a deal


def broken_by(p: Position, step: Any, nation: int, action: Any) -> int:
    """The number of a deal that `action` would break; 0 if it keeps them all."""
    if not p.deals:
        return 0
    terms = bound(p, nation)
    for number, term in terms:
        if not _keeps(p, step, term, action, [t for _, t in terms]):
            return number
    return 0


def _keeps(p: Position, step: Any, term: Term, action: Any, terms: list[Term]) -> bool:
    kind, args = term.kind, term.args
    match step, action:
        case _ if kind == "answer":
            return str(action) == answered(term)
        case (Turn() | PlaceSecond(), Place()):
            return kind not in ("settle", "place", "shun") or _places(p, step, action, terms)
        case Turn(), Settle(issue):
            return kind != "place" and (kind != "settle" or issue == args[0])
        case Turn(), Reclaim():
            return kind not in ("settle", "place")
        case (Turn() | ChooseDeploy(), Deploy(_, region, _)):
            if kind == "deploy":
                return isinstance(step, ChooseDeploy) or region == args[0]
            return kind != "keepout" or region != args[0]
        case Turn(), Demobilise():
            return kind != "deploy"
        case Turn(), End():
            return kind not in ("settle", "place", "deploy")
        case ChooseOption(issue), Option(option):
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
            return kind != "advance" or card == args[0] or not _alike(p, card, args[0])
        case ChooseSource(), Draw():
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


def _alike(p: Position, one: str, two: str) -> bool:
    return (one in p.waiting) == (two in p.waiting)


def _places(p: Position, step: Turn | PlaceSecond, action: Place, terms: list[Term]) -> bool:
    """Whether placing so keeps every term about placing."""
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
    return len(owed) < 2 and any(least(p, nation, issue) <= left for issue in others)


def carried_out(p: Position, step: Any, term: Term, action: Any) -> bool:
    """Whether `action` uses the term up (V-NEG-04: once)."""
    kind, args = term.kind, term.args
    match step, action:
        case _ if kind == "answer":
            return True
        case (Turn() | PlaceSecond(), Place(issue)):
            return kind == "place" and issue == args[0]
        case Turn(), Settle():
            return kind == "settle"
        case Turn(), Deploy():
            return kind == "deploy"
        case ChooseOption(issue), Option():
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


def strike(d: Draft, step: Any, nation: int, action: Any) -> None:
    """Cross out the terms that `action` carried out; a deal without terms is done."""
    deals = []
    for deal in d.deals:
        if deal.made:
            rest = tuple(
                text
                for text in deal.terms
                if (term := read_term(text)).nation != nation
                or not carried_out(d, step, term, action)
            )
            if not rest:
                d.say("deal_kept", "V-NEG-02", deal=deal.number)
                continue
            deal = deal._replace(terms=rest)  # noqa: PLW2901  # the same deal, further on
        deals.append(deal)
    d.deals = tuple(deals)


def expire(d: Draft) -> None:
    """Deals and offers of which a term has become impossible are over (V-NEG-09)."""
    left = []
    for deal in d.deals:
        lost = [term for term in map(read_term, deal.terms) if not can_keep(d, term)]
        if lost:
            d.say("deal_expired", "V-NEG-09", deal=deal.number, term=term_text(str(lost[0])))
        else:
            left.append(deal)
    d.deals = tuple(left)


def end_turn(d: Draft) -> None:
    for deal in d.deals:
        d.say("deal_over", "V-NEG-09", deal=deal.number)
    d.deals = ()


# Talking


def check_talk(p: Position, seat: str, action: Any) -> None:
    """Raise the reason why this offer or answer is refused."""
    if is_solo(p):
        raise refused("no_deals", "V-SOLO-46")
    nation = nation_of(p, seat)
    if p.turn == 0 or nation == NOBODY or p.over:
        raise refused("no_deals_yet", "V-NEG-08")
    match action:
        case Propose(to, terms):
            _check_offer(p, nation, _parties(p, nation, to), terms)
        case Counter(number, terms):
            deal = _answerable(p, nation, number)
            _check_offer(p, nation, deal.parties, terms)
        case Accept(number):
            deal = _answerable(p, nation, number)
            _check_terms(p, deal.parties, tuple(map(read_term, deal.terms)))
        case Refuse(number):
            _answerable(p, nation, number)
        case Withdraw(number):
            if _deal(p, number).by != nation:
                raise refused("not_your_offer", "V-NEG-09", deal=number)


def _deal(p: Position, number: int) -> Deal:
    for deal in p.deals:
        if deal.number == number and not deal.made:
            return deal
    raise refused("no_such_deal", "V-NEG-09", deal=number)


def _answerable(p: Position, nation: int, number: int) -> Deal:
    deal = _deal(p, number)
    if nation not in deal.parties or nation in deal.agreed:
        raise refused("not_your_deal", "V-NEG-09", deal=number)
    return deal


def _parties(p: Position, nation: int, to: tuple[str, ...]) -> tuple[int, ...]:
    """Players only: no bots, not the USA of two players (V-NEG-10)."""
    if any(name not in NATIONS for name in to):
        raise refused("not_a_player", "V-NEG-10", nation="+".join(to))
    indexes = [NATIONS.index(name) for name in to]
    if nation in indexes or any(i not in p.order for i in indexes) or len(set(to)) != len(to):
        raise refused("not_a_player", "V-NEG-10", nation="+".join(to))
    circle = clockwise(p.order, nation)
    if indexes != [other for other in circle if other in indexes]:
        raise refused("parties_order", "V-NEG-09")
    return (nation, *indexes)


def _check_offer(
    p: Position, nation: int, parties: tuple[int, ...], terms: tuple[str, ...]
) -> None:
    if p.offers[nation] >= OFFERS_A_TURN:
        raise refused("offers_used", "V-NEG-09", n=OFFERS_A_TURN)
    if not 1 <= len(terms) <= MOST_TERMS or len(set(terms)) != len(terms):
        raise refused("terms_count", "V-NEG-09", n=MOST_TERMS)
    try:
        read = tuple(map(read_term, terms))
    except Unreadable as error:
        raise refused("not_a_term", "V-NEG-05", text=str(error.msg.args["text"])) from None
    _check_terms(p, parties, read)


def _check_terms(p: Position, parties: tuple[int, ...], terms: tuple[Term, ...]) -> None:
    """Every term is a party's, can be kept, and contradicts neither another nor a made deal."""
    for term in terms:
        text = term_text(str(term))
        gives_out = term.kind == "give" and NATIONS.index(term.args[0]) not in parties
        if term.nation not in parties or gives_out:
            raise refused("not_a_party", "V-NEG-10", term=text)
        if not can_keep(p, term):
            raise refused("cannot_keep", "V-NEG-09", term=text)
    binding = [term for nation in parties for _, term in bound(p, nation)]
    for i, term in enumerate(terms):
        for other in (*binding, *terms[:i]):
            if clash(p, term, other):
                raise refused("contradiction", "V-NEG-09", term=term_text(str(term)))
    _check_together(p, (*binding, *terms))


def _check_together(p: Position, terms: tuple[Term, ...]) -> None:
    """What each could keep alone must also be kept together: cubes given are not placed."""
    for nation in p.order:
        mine = [term for term in terms if term.nation == nation and not term.later]
        gives = [term for term in mine if term.kind == "give"]
        given = sum(int(term.args[1]) for term in gives)
        taken = sum(
            int(term.args[1])
            for term in terms
            if term.kind == "give" and term.args[0] == NATIONS[nation] and not term.later
        )
        twice = p.options.exchange_once and len({t.args[0] for t in gives}) < len(gives)
        if given > spare(p, nation) or taken > p.exhausted[nation] or twice:
            raise refused("too_much", "V-NEG-06", nation=names.NATION[nation])
        purse = p.available[nation] - given
        _check_placing(p, nation, mine, purse)
        if any(t.kind == "dive" and dict(_prices(p))[t.args[0]] > purse for t in mine):
            raise refused("too_much", "V-NEG-06", nation=names.NATION[nation])


def _prices(p: Position) -> Iterator[tuple[str, int]]:
    return zip(p.pile, p.pack.board.dive_costs, strict=False)


def _check_placing(p: Position, nation: int, terms: list[Term], purse: int) -> None:
    owed = {term.args[0] for term in terms if term.kind == "place"}
    if not owed:
        return
    shunned = {term.args[0] for term in terms if term.kind == "shun"}
    costs = sorted(least(p, nation, i) for i in p.cubes if i not in owed and i not in shunned)
    price = sum(least(p, nation, issue) for issue in owed)
    if len(owed) == 1:
        price += costs[0] if costs else purse + 1
    second = _pending(p, PlaceSecond)
    if second and second.nation == nation:
        price = min(least(p, nation, issue) for issue in owed)
    if len(owed) > 2 or price > purse:
        raise refused("too_much", "V-NEG-06", nation=names.NATION[nation])


def talk(d: Draft, seat: str, action: Any) -> None:
    """Carry out an offer or an answer that `check_talk` has allowed."""
    nation = nation_of(d, seat)
    match action:
        case Propose(to, terms):
            _offer(d, nation, (nation, *(NATIONS.index(name) for name in to)), terms)
        case Counter(number, terms):
            deal = _deal(d, number)
            _close(d, number)
            d.say("countered", "V-NEG-09", nation=names.NATION[nation], deal=number)
            circle = [n for n in clockwise(d.order, nation) if n in deal.parties]
            _offer(d, nation, tuple(circle), terms)
        case Accept(number):
            _accept(d, nation, _deal(d, number))
        case Refuse(number):
            _close(d, number)
            d.say("refused_deal", "V-NEG-09", nation=names.NATION[nation], deal=number)
        case Withdraw(number):
            _close(d, number)
            d.say("withdrawn", "V-NEG-09", nation=names.NATION[nation], deal=number)


def _close(d: Draft, number: int) -> None:
    d.deals = tuple(deal for deal in d.deals if deal.number != number)


def _offer(d: Draft, nation: int, parties: tuple[int, ...], terms: tuple[str, ...]) -> None:
    deal = Deal(d.next_deal, nation, parties, terms, (nation,))
    d.next_deal += 1
    d.offers[nation] += 1
    d.deals = (*d.deals, deal)
    d.say(
        "offered",
        "V-NEG-01",
        deal=deal.number,
        nation=names.NATION[nation],
        to=[names.NATION[other] for other in parties[1:]],
        terms=[term_text(text) for text in terms],
    )


def _accept(d: Draft, nation: int, deal: Deal) -> None:
    d.say("accepted", "V-NEG-09", nation=names.NATION[nation], deal=deal.number)
    agreed = (*deal.agreed, nation)
    made = all(party in agreed for party in deal.parties)
    deal = deal._replace(agreed=agreed, made=made)
    if made:
        d.say("deal_made", "V-NEG-02", deal=deal.number)
        deal = deal._replace(terms=tuple(t for t in deal.terms if not _at_once(d, deal, t)))
    d.deals = tuple(deal if other.number == deal.number else other for other in d.deals)
    if made and not deal.terms:
        _close(d, deal.number)


def _at_once(d: Draft, deal: Deal, text: str) -> bool:
    """Exchanges happen when a deal is made; promises are written down."""
    term = read_term(text)
    if term.later:
        others = tuple(party for party in deal.parties if party != term.nation)
        d.promises = (*d.promises, Promise(d.turn, term.nation, others, text))
        d.say("promise", "V-NEG-03", term=term_text(text))
    elif term.kind == "give":
        receiver, n = NATIONS.index(term.args[0]), int(term.args[1])
        d.exhaust(term.nation, n)
        d.recover(receiver, n)
        d.exchanged = (*d.exchanged, (term.nation, receiver))
        giver, taker = names.NATION[term.nation], names.NATION[receiver]
        d.say("exchange", "V-NEG-06", nation=giver, other=taker, n=n)
    return term.later or term.kind == "give"


# What can be offered


def offerable(p: Position, parties: tuple[int, ...]) -> list[Term]:
    """Every term that the parties could undertake now, for forms and bots."""
    found: list[Term] = []
    for nation in parties:
        found += [
            *(Term(nation, kind, (issue,)) for issue in p.table for kind in ("settle",)),
            *(Term(nation, kind, (issue,)) for issue in p.cubes for kind in ("place", "shun")),
            *(Term(nation, kind, (r,)) for r in REGIONS for kind in ("deploy", "keepout")),
            *_option_terms(p, nation),
            *(Term(nation, kind) for kind in ("perform", "decline")),
            *(Term(nation, "choose", (NATIONS[other],)) for other in p.order),
            *(Term(nation, "branch", (str(k),)) for k in (1, 2)),
            *(Term(nation, "advance", (card,)) for card in (*p.waiting, *p.lobby)),
            Term(nation, "draw"),
            *(Term(nation, "dive", (issue,)) for issue in p.pile[:3]),
            *(Term(nation, "modify", (r, sign)) for r in REGIONS for sign in SIGNS),
            *(Term(nation, kind, (p.limbo,)) for kind in ("pass", "bid") if p.limbo),
            *_give_terms(nation, parties),
        ]
    return [term for term in found if can_keep(p, term)]


def _option_terms(p: Position, nation: int) -> Iterator[Term]:
    choosing = _pending(p, ChooseOption, ChooseFlag)
    issues = (*p.table, *([choosing.issue] if choosing else []), *([p.limbo] if p.limbo else []))
    for issue in dict.fromkeys(issues):
        for option in p.pack.issues[issue].options:
            yield Term(nation, "option", (issue, option.id))
        for flag in NAVAL_FLAGS:
            yield Term(nation, "flag", (issue, flag))


def _give_terms(nation: int, parties: tuple[int, ...]) -> Iterator[Term]:
    for other in parties:
        for n in range(1, 7):
            yield Term(nation, "give", (NATIONS[other], str(n)))


def later_terms(p: Position, parties: tuple[int, ...]) -> list[Term]:
    """Promises about what lies on the table and in the waiting room."""
    return [
        Term(nation, kind, (issue,), later=True)
        for nation in parties
        for issue in p.cubes
        for kind in ("settle", "shun")
    ]


def listed(p: Position, seat: str) -> Iterator[Any]:
    """Answers to what is on offer, and a few offers out of the many that are legal: the
    rulebook's own examples, settling for an option and an exchange of influence."""
    if is_solo(p) or p.turn == 0 or p.over:
        return
    nation = nation_of(p, seat)
    yield from _replies(p, seat, nation)
    if p.offers[nation] < OFFERS_A_TURN:
        for other in clockwise(p.order, nation)[1:]:
            yield from (o for o in _examples(p, nation, other) if is_allowed(p, seat, o))


def sample(p: Position, seat: str, rng: Rng) -> Any:
    """An answer or an offer at random; None if luck finds none that is legal."""
    if is_solo(p) or p.turn == 0 or p.over:
        return None
    nation = nation_of(p, seat)
    found: list[Any] = list(_replies(p, seat, nation))
    if not found and p.offers[nation] < OFFERS_A_TURN:
        others = clockwise(p.order, nation)[1:]
        offers = list(_examples(p, nation, others[rng.randrange(len(others))]))
        drawn = offers[rng.randrange(len(offers))]
        found = [drawn] if is_allowed(p, seat, drawn) else []
    return found[rng.randrange(len(found))] if found else None


def _replies(p: Position, seat: str, nation: int) -> Iterator[Any]:
    for deal in p.deals:
        if not deal.made and nation in deal.parties and nation not in deal.agreed:
            yield Refuse(deal.number)
            if is_allowed(p, seat, Accept(deal.number)):
                yield Accept(deal.number)
        elif not deal.made and deal.by == nation:
            yield Withdraw(deal.number)


def _examples(p: Position, nation: int, other: int) -> Iterator[Propose]:
    active = NATIONS[p.active]
    pairs = [
        (f"{active}.settle.{issue}", f"{NATIONS[lead]}.option.{issue}.{option.id}")
        for issue in p.table
        if (lead := leader(p, issue)) in (nation, other) and p.active in (nation, other)
        for option in p.pack.issues[issue].options
    ]
    gives = [
        (f"{NATIONS[a]}.give.{NATIONS[b]}.{n}",)
        for a, b in ((nation, other), (other, nation))
        for n in (1, 3)
    ]
    mine = NATIONS[nation] + "."
    for terms in (*pairs, *gives):  # the proposer's own terms first, as forms list them
        own_first = sorted(terms, key=lambda term: not term.startswith(mine))
        yield Propose((NATIONS[other],), tuple(own_first))


def is_allowed(p: Position, seat: str, action: actions.Talk) -> bool:
    try:
        check_talk(p, seat, action)
    except Illegal:
        return False
    return True
