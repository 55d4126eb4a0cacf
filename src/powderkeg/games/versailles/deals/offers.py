"""Negotiation (V-NEG): offers of deals, and the answers to them.

A deal can be offered only if every term can be kept now and none contradicts another. Promises
are recorded and shown, no more. Pieces never change hands; the exchange of influence moves each
party's own cubes (see `exchange`).
"""

from collections.abc import Iterator
from typing import Any

from powderkeg.core.chance import Rng
from powderkeg.core.errors import Illegal, Unreadable
from powderkeg.games.versailles import actions, words
from powderkeg.games.versailles.actions import (
    AcceptDeal,
    CounterDeal,
    ProposeDeal,
    RefuseDeal,
    WithdrawDeal,
)
from powderkeg.games.versailles.board import NATIONS, NOBODY
from powderkeg.games.versailles.deals.binding import binding_terms, keeps_term
from powderkeg.games.versailles.deals.exchange import (
    cubes_of,
    exchange_influence,
    expected_cubes,
    is_party,
    most_recovered,
    most_spent,
    owed_cubes,
    receiver_of,
    spare_cubes,
)
from powderkeg.games.versailles.deals.feasibility import can_keep, term_words
from powderkeg.games.versailles.deals.terms import EXCHANGES, Term, parse_term, terms_clash
from powderkeg.games.versailles.kinds import deciding_nation, legal_answers
from powderkeg.games.versailles.rules.political import least_to_lead
from powderkeg.games.versailles.state import (
    Deal,
    Position,
    Promise,
    StateBuilder,
    clockwise_from,
    is_solo,
    is_two,
    issue_leader,
    nation_of,
    pending_step,
    sides_in_play,
    with_item,
)
from powderkeg.games.versailles.steps import PlaceSecond

MOST_TERMS = 6
OFFERS_PER_TURN = 8  # enough to bargain, few enough that nobody holds up a game

# Checking offers and answers


def check_talk(p: Position, seat: str, action: Any) -> None:
    """Raise the reason why this offer or answer is refused."""
    if is_solo(p):
        raise Illegal("versailles.refused.no_deals", rule="V-SOLO-46")
    nation = nation_of(p, seat)
    if p.turn == 0 or nation == NOBODY or p.over:
        raise Illegal("versailles.refused.no_deals_yet", rule="V-NEG-08")
    match action:
        case ProposeDeal(to, terms):
            _check_offer(p, nation, _deal_parties(p, nation, to), terms)
        case CounterDeal(number, terms):
            deal = _answerable_deal(p, nation, number)
            _check_offer(p, nation, deal.parties, terms)
        case AcceptDeal(number):
            deal = _answerable_deal(p, nation, number)
            _check_terms(p, deal.parties, tuple(map(parse_term, deal.terms)))
        case RefuseDeal(number):
            _answerable_deal(p, nation, number)
        case WithdrawDeal(number):
            if _open_deal(p, number).by != nation:
                raise Illegal("versailles.refused.not_your_offer", rule="V-NEG-09", deal=number)


def _open_deal(p: Position, number: int) -> Deal:
    for deal in p.deals:
        if deal.number == number and not deal.made:
            return deal
    raise Illegal("versailles.refused.no_such_deal", rule="V-NEG-09", deal=number)


def _answerable_deal(p: Position, nation: int, number: int) -> Deal:
    deal = _open_deal(p, number)
    if nation not in deal.parties or nation in deal.agreed:
        raise Illegal("versailles.refused.not_your_deal", rule="V-NEG-09", deal=number)
    return deal


def _deal_parties(p: Position, nation: int, to: tuple[str, ...]) -> tuple[int, ...]:
    """Players only: no bots, not the USA of two players (V-NEG-10)."""
    if any(name not in NATIONS for name in to):
        raise Illegal("versailles.refused.not_a_player", rule="V-NEG-10", nation="+".join(to))
    indexes = [NATIONS.index(name) for name in to]
    if nation in indexes or any(i not in p.order for i in indexes) or len(set(to)) != len(to):
        raise Illegal("versailles.refused.not_a_player", rule="V-NEG-10", nation="+".join(to))
    circle = clockwise_from(p.order, nation)
    if indexes != [other for other in circle if other in indexes]:
        raise Illegal("versailles.refused.parties_order", rule="V-NEG-09")
    return (nation, *indexes)


def _check_offer(
    p: Position, nation: int, parties: tuple[int, ...], terms: tuple[str, ...]
) -> None:
    if p.offers[nation] >= OFFERS_PER_TURN:
        raise Illegal("versailles.refused.offers_used", rule="V-NEG-09", n=OFFERS_PER_TURN)
    if not 1 <= len(terms) <= MOST_TERMS or len(set(terms)) != len(terms):
        raise Illegal("versailles.refused.terms_count", rule="V-NEG-09", n=MOST_TERMS)
    try:
        read = tuple(map(parse_term, terms))
    except Unreadable as error:
        raise Illegal(
            "versailles.refused.not_a_term", rule="V-NEG-05", text=str(error.msg.args["text"])
        ) from None
    _check_terms(p, parties, read)


def _check_terms(p: Position, parties: tuple[int, ...], terms: tuple[Term, ...]) -> None:
    """Every term is a party's, can be kept, and contradicts neither another nor a made deal."""
    for term in terms:
        both = (term.nation, receiver_of(term)) if term.kind in EXCHANGES else ()
        if not is_party(p, parties, term.nation) or not set(both) <= set(parties):
            raise Illegal(
                "versailles.refused.not_a_party", rule="V-NEG-10", term=term_words(p, str(term))
            )
        if not can_keep(p, term):
            raise Illegal(
                "versailles.refused.cannot_keep", rule="V-NEG-09", term=term_words(p, str(term))
            )
    if not p.options.exchange_at_once:
        _check_directions(terms)
    deciders = sides_in_play(p) if is_two(p) else parties
    binding = [term for nation in deciders for _, term in binding_terms(p, nation)]
    for i, term in enumerate(terms):
        for other in (*binding, *terms[:i]):
            if terms_clash(p, term, other):
                raise Illegal(
                    "versailles.refused.contradiction",
                    rule="V-NEG-09",
                    term=term_words(p, str(term)),
                )
    _check_together(p, (*binding, *terms))


def _check_directions(terms: tuple[Term, ...]) -> None:
    """One exchange in each direction: a player gives another six cubes at most (V-NEG-07)."""
    ways = [(term.nation, term.args[0]) for term in terms if term.kind in EXCHANGES]
    for i, way in enumerate(ways):
        if way in ways[:i]:
            raise Illegal("versailles.refused.one_exchange", rule="V-NEG-07")


def _check_together(p: Position, terms: tuple[Term, ...]) -> None:
    """Terms that can be kept one by one must also be kept together, once the exchanges are done."""
    now = [term for term in terms if not term.later]
    at_once = EXCHANGES if p.options.exchange_at_once else ("prepay",)
    for nation in p.order:
        _check_prepaid(p, nation, [term for term in now if term.kind in at_once])
    after = StateBuilder(p)
    for term in now:
        if term.kind in at_once:
            exchange_influence(after, term)
    due = [term for term in now if term.kind == "give" and term.kind not in at_once]
    for nation in p.order if due else ():
        _check_due(after, nation, due, now)
    for term in due:  # what is owed is kept back, and what will come cannot be spent yet
        after.exhaust(term.nation, cubes_of(term))
    for nation in sides_in_play(p):
        mine = [term for term in now if term.nation == nation and term.kind not in EXCHANGES]
        _check_own_terms(after, nation, mine)


def _check_own_terms(p: Position, nation: int, mine: list[Term]) -> None:
    affordable = all(can_keep(p, term) for term in mine)
    if not affordable or not _can_place_all(p, nation, mine):
        raise _too_much(nation)
    if len(mine) > 1 and deciding_nation(p) == nation and not _has_keeping_answer(p, mine):
        raise Illegal(
            "versailles.refused.contradiction", rule="V-NEG-09", term=term_words(p, str(mine[-1]))
        )


def _check_prepaid(p: Position, nation: int, gives: list[Term]) -> None:
    """Cubes are given and taken once (V-NEG-06); the option allows one exchange each way."""
    mine = [term for term in gives if term.nation == nation]
    twice = p.options.exchange_once and len({t.args[0] for t in mine}) < len(mine)
    short = owed_cubes(mine, nation) > spare_cubes(p, nation)
    if short or expected_cubes(gives, nation) > p.exhausted[nation] or twice:
        raise _too_much(nation)


def _check_due(p: Position, nation: int, due: list[Term], terms: list[Term]) -> None:
    """Both parties may come to have the cubes before the turn ends."""
    owed, expected = owed_cubes(due, nation), expected_cubes(due, nation)
    short = owed > most_spent(p, nation, terms) + expected
    if short or expected > most_recovered(p, nation, terms) + owed:
        raise _too_much(nation)


def _too_much(nation: int) -> Illegal:
    return Illegal("versailles.refused.too_much", rule="V-NEG-06", nation=words.NATION[nation])


def _can_place_all(p: Position, nation: int, terms: list[Term]) -> bool:
    """Whether the cubes suffice for all issues on which `nation` is to place."""
    owed = {term.args[0] for term in terms if term.kind == "place"}
    second = pending_step(p, PlaceSecond)
    if not owed or (second and second.nation == nation):
        return len(owed) < 2
    shunned = {term.args[0] for term in terms if term.kind == "shun"}
    others = [least_to_lead(p, nation, i) for i in p.cubes if i not in owed and i not in shunned]
    price = sum(least_to_lead(p, nation, issue) for issue in owed)
    if len(owed) == 1:
        price += min(others, default=p.available[nation])
    return len(owed) <= 2 and price <= p.available[nation]


def _has_keeping_answer(p: Position, terms: list[Term]) -> bool:
    """Whether the pending question leaves an answer that keeps all these terms."""
    step = p.agenda[-1]
    return any(all(keeps_term(p, step, term, a, terms) for term in terms) for a in legal_answers(p))


# Carrying them out


def apply_talk(b: StateBuilder, seat: str, action: Any) -> None:
    """Carry out an offer or an answer that `check_talk` has allowed."""
    nation = nation_of(b, seat)
    match action:
        case ProposeDeal(to, terms):
            _make_offer(b, nation, (nation, *(NATIONS.index(name) for name in to)), terms)
        case CounterDeal(number, terms):
            deal = _open_deal(b, number)
            _close_deal(b, number)
            b.say("versailles.countered", "V-NEG-09", nation=words.NATION[nation], deal=number)
            circle = [n for n in clockwise_from(b.order, nation) if n in deal.parties]
            _make_offer(b, nation, tuple(circle), terms)
        case AcceptDeal(number):
            _accept_deal(b, nation, _open_deal(b, number))
        case RefuseDeal(number):
            _close_deal(b, number)
            b.say("versailles.refused_deal", "V-NEG-09", nation=words.NATION[nation], deal=number)
        case WithdrawDeal(number):
            _close_deal(b, number)
            b.say("versailles.withdrawn", "V-NEG-09", nation=words.NATION[nation], deal=number)


def _close_deal(b: StateBuilder, number: int) -> None:
    b.deals = tuple(deal for deal in b.deals if deal.number != number)


def _make_offer(
    b: StateBuilder, nation: int, parties: tuple[int, ...], terms: tuple[str, ...]
) -> None:
    deal = Deal(b.next_deal, nation, parties, terms, (nation,))
    b.next_deal += 1
    b.offers = with_item(b.offers, nation, b.offers[nation] + 1)
    b.deals = (*b.deals, deal)
    b.say(
        "versailles.offered",
        "V-NEG-01",
        deal=deal.number,
        nation=words.NATION[nation],
        to=[words.NATION[other] for other in parties[1:]],
        terms=[term_words(b, text) for text in terms],
    )


def _accept_deal(b: StateBuilder, nation: int, deal: Deal) -> None:
    b.say("versailles.accepted", "V-NEG-09", nation=words.NATION[nation], deal=deal.number)
    agreed = (*deal.agreed, nation)
    made = all(party in agreed for party in deal.parties)
    deal = deal._replace(agreed=agreed, made=made)
    if made:
        b.say("versailles.deal_made", "V-NEG-02", deal=deal.number)
        deal = deal._replace(terms=tuple(t for t in deal.terms if not _at_once(b, deal, t)))
    b.deals = tuple(deal if other.number == deal.number else other for other in b.deals)
    if made and not deal.terms:
        _close_deal(b, deal.number)


def _at_once(b: StateBuilder, deal: Deal, text: str) -> bool:
    """What happens when a deal is made: prepaid exchanges; promises are written down."""
    term = parse_term(text)
    prepaid = term.kind == "prepay" or (term.kind == "give" and b.options.exchange_at_once)
    if term.later:
        others = tuple(party for party in deal.parties if party != term.nation)
        b.promises = (*b.promises, Promise(b.turn, term.nation, others, text))
        b.say("versailles.promise", "V-NEG-03", term=term_words(b, text))
    elif prepaid:
        exchange_influence(b, term)
    return term.later or prepaid


# Listing and sampling them


def list_talk(p: Position, seat: str) -> Iterator[Any]:
    """Answers to the open offers, and a few offers out of the many that are legal: the
    rulebook's own examples, settling for an option and an exchange of influence."""
    if is_solo(p) or p.turn == 0 or p.over:
        return
    nation = nation_of(p, seat)
    yield from open_replies(p, seat, nation)
    if p.offers[nation] < OFFERS_PER_TURN:
        for other in clockwise_from(p.order, nation)[1:]:
            for terms in _example_terms(p, nation, other):
                if is_talk_allowed(p, seat, offer := _offer_terms(nation, other, terms)):
                    yield offer


def sample_talk(p: Position, seat: str, rng: Rng) -> Any:
    """A random answer or offer; None if no legal one is found."""
    if is_solo(p) or p.turn == 0 or p.over:
        return None
    nation = nation_of(p, seat)
    found: list[Any] = list(open_replies(p, seat, nation))
    if not found and p.offers[nation] < OFFERS_PER_TURN:
        others = clockwise_from(p.order, nation)[1:]
        other = others[rng.randrange(len(others))]
        examples = _example_terms(p, nation, other)
        drawn = _offer_terms(nation, other, examples[rng.randrange(len(examples))])
        found = [drawn] if is_talk_allowed(p, seat, drawn) else []
    return found[rng.randrange(len(found))] if found else None


def open_replies(p: Position, seat: str, nation: int) -> Iterator[Any]:
    for deal in p.deals:
        if not deal.made and nation in deal.parties and nation not in deal.agreed:
            yield RefuseDeal(deal.number)
            if is_talk_allowed(p, seat, AcceptDeal(deal.number)):
                yield AcceptDeal(deal.number)
        elif not deal.made and deal.by == nation:
            yield WithdrawDeal(deal.number)


def _example_terms(p: Position, nation: int, other: int) -> list[tuple[str, ...]]:
    active = NATIONS[p.active]
    pairs: list[tuple[str, ...]] = [
        (f"{active}.settle.{issue}", f"{NATIONS[lead]}.option.{issue}.{option.id}")
        for issue in p.table
        if (lead := issue_leader(p, issue)) in (nation, other) and p.active in (nation, other)
        for option in p.pack.issues[issue].options
    ]
    gives: list[tuple[str, ...]] = [
        (f"{NATIONS[a]}.give.{NATIONS[b]}.{n}",)
        for a, b in ((nation, other), (other, nation))
        for n in (1, 3)
    ]
    return pairs + gives


def _offer_terms(nation: int, other: int, terms: tuple[str, ...]) -> ProposeDeal:
    """An offer with the proposer's own terms first, as forms list them."""
    mine = NATIONS[nation] + "."
    own_first = sorted(terms, key=lambda term: not term.startswith(mine))
    return ProposeDeal((NATIONS[other],), tuple(own_first))


def is_talk_allowed(p: Position, seat: str, action: actions.Talk) -> bool:
    try:
        check_talk(p, seat, action)
    except Illegal:
        return False
    return True
