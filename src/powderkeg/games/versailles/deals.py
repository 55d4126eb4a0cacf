"""Negotiation with teeth (V-NEG): what is agreed for this turn binds, and the engine sees to it.

A deal has parties and terms (see `terms`). It can be offered only if every term can be kept now and
none contradicts another; once all parties agreed, `legal` offers only what keeps it. Promises are
recorded and shown, no more. Pieces never change hands; the exchange of influence (`give`) moves
each party's own cubes.
"""

from collections.abc import Iterator
from typing import Any

from powderkeg.core.chance import Rng
from powderkeg.core.errors import Illegal, Unreadable
from powderkeg.games.versailles import actions, names
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
)
from powderkeg.games.versailles.board import (
    NATIONS,
    NAVAL,
    NOBODY,
    REGIONS,
)
from powderkeg.games.versailles.politics import least
from powderkeg.games.versailles.state import (
    Deal,
    Draft,
    Position,
    Promise,
    clockwise,
    is_solo,
    leader,
    nation_of,
    refused,
)
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
from powderkeg.games.versailles.terms import (
    Term,
    answered,
    can_keep,
    clash,
    pending,
    read_term,
    spare,
)
from powderkeg.games.versailles.texts import SIGNS, term_text

MOST_TERMS = 6
OFFERS_A_TURN = 8  # enough to bargain, few enough that nobody holds up a game


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
    second = pending(p, PlaceSecond)
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


# What a seat may say


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
