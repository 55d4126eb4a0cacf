"""Exchanges of influence (V-NEG-06..08): how many cubes, and when they are due.

`prepay` happens when the deal is made. `give` is due once every other term of its deal has been kept,
and waits until both parties have the cubes: those that the turn itself exhausts count. What is still
due when the turn ends is exchanged as far as it can be.
"""

from collections.abc import Callable, Iterable, Iterator

from powderkeg.games.versailles import words
from powderkeg.games.versailles.board import GAME_END, NATIONS, USA
from powderkeg.games.versailles.deals.terms import Term, parse_term
from powderkeg.games.versailles.rules.political import least_to_lead, settleable_issues
from powderkeg.games.versailles.state import (
    Deal,
    Position,
    StateBuilder,
    is_two,
    issue_leader,
    pending_step,
)
from powderkeg.games.versailles.steps import Bidding, DiscardEvent, PlaceSecond, Turn, UsaTurn

ABSTAINING = ("shun", "keepout", "pass")  # kept if the turn ends without the contrary


def receiver_of(term: Term) -> int:
    return NATIONS.index(term.args[0])


def cubes_of(term: Term) -> int:
    return int(term.args[1])


# What is owed


def promised_gives(p: Position) -> list[Term]:
    """The exchanges of deals made this turn that have not happened yet."""
    return [t for deal in p.deals if deal.made for t in _gives_of(deal)]


def _gives_of(deal: Deal) -> list[Term]:
    return [term for term in map(parse_term, deal.terms) if term.kind == "give"]


def owed_cubes(gives: Iterable[Term], nation: int) -> int:
    return sum(cubes_of(term) for term in gives if term.nation == nation)


def expected_cubes(gives: Iterable[Term], nation: int) -> int:
    return sum(cubes_of(term) for term in gives if receiver_of(term) == nation)


def spare_cubes(p: Position, nation: int) -> int:
    """Cubes that may be given: not those of the best standing bid (V-NEG-08), nor those that the
    second issue of a placement needs (V-PLACE-01)."""
    step = pending_step(p, Bidding, PlaceSecond)
    bound = 0
    if isinstance(step, Bidding) and step.leader == nation:
        bound = step.best.cubes
    elif isinstance(step, PlaceSecond) and step.nation == nation:
        bound = min(least_to_lead(p, nation, issue) for issue in p.cubes if issue != step.first)
    return p.available[nation] - bound


# What the turn may still free


def plays_usa(p: Position) -> bool:
    """Whether two players play the USA, and deals know what the USA does (V-NEG-11)."""
    return is_two(p) and p.options.usa_in_deals


def yet_to_act(p: Position, nation: int) -> bool:
    """Whether the political action of `nation` is still to come this turn, as far as deals know."""
    if nation == USA and plays_usa(p):
        return pending_step(p, UsaTurn) is not None
    return nation == p.active and not p.political and pending_step(p, Turn) is not None


def sides_to_act(p: Position) -> list[int]:
    """The sides whose political action is still to come: the active player, the USA of two."""
    sides = dict.fromkeys((p.active, USA) if plays_usa(p) else (p.active,))
    return [side for side in sides if yet_to_act(p, side)]


def _settlements(p: Position, terms: Iterable[Term]) -> Iterator[list[tuple[int, str]]]:
    """For each side that may still settle, the issues that the terms leave open to it."""
    terms = list(terms)
    for side in sides_to_act(p):
        agreed = {t.args[0] for t in terms if t.nation == side and t.kind == "settle"}
        places = any(t.nation == side and t.kind == "place" for t in terms)
        open_ = [i for i in settleable_issues(p, side) if i != GAME_END and not places]
        yield [(side, issue) for issue in open_ if not agreed or issue in agreed]


def _lost_cubes(p: Position, nation: int, side: int, issue: str) -> int:
    """Cubes of `nation` that `side` exhausts by settling `issue` (V-SETTLE-04..06)."""
    n = p.cubes[issue][nation]
    return n if issue_leader(p, issue) == nation else 0 if nation == side else n // 2


def most_recovered(p: Position, nation: int, terms: Iterable[Term] = ()) -> int:
    """Cubes that `nation` has exhausted, or may have before the turn ends."""
    lost = sum(
        max((_lost_cubes(p, nation, side, issue) for side, issue in ways), default=0)
        for ways in _settlements(p, terms)
    )
    event = p.event_cube == nation and (sides_to_act(p) or pending_step(p, DiscardEvent))
    bidding = pending_step(p, Bidding)
    bid = p.available[nation] if bidding and nation in bidding.waiting else 0
    return p.exhausted[nation] + lost + (1 if event else 0) + bid


def most_spent(p: Position, nation: int, terms: Iterable[Term] = ()) -> int:
    """Cubes that `nation` can spare, or may have before the turn ends."""
    back = [
        p.cubes[issue][nation] - _lost_cubes(p, nation, side, issue)
        for ways in _settlements(p, terms)
        for side, issue in ways
    ]
    if yet_to_act(p, nation):
        back.append(min(p.pack.board.reclaim, p.exhausted[nation]))
    return spare_cubes(p, nation) + max(back, default=0)


def most_given(p: Position, giver: int, receiver: int, kind: str = "give") -> int:
    """How many cubes may be exchanged between two players (V-NEG-06, 07)."""
    if not _are_two_players(p, giver, receiver):
        return 0
    return ExchangeLimits(p).most_given(giver, receiver, kind)


def _are_two_players(p: Position, giver: int, receiver: int) -> bool:
    return receiver != giver and receiver in p.order and giver in p.order


class ExchangeLimits:
    """How many cubes any two players may exchange. What one can spare or recover is the same with every
    partner, so it is worked out once."""

    def __init__(self, p: Position) -> None:
        self.p = p
        self.promised = promised_gives(p)
        self.ways = {*p.exchanged, *((term.nation, receiver_of(term)) for term in self.promised)}
        self.spends: dict[tuple[int, bool], int] = {}
        self.recovers: dict[int, int] = {}

    def most_given(self, giver: int, receiver: int, kind: str) -> int:
        p = self.p
        if not _are_two_players(p, giver, receiver):
            return 0
        if p.options.exchange_once and (giver, receiver) in self.ways:
            return 0
        now = kind == "prepay" or p.options.exchange_at_once
        spend, recover = self._spend(giver, now=now), self._recover(receiver, now=now)
        return min(p.pack.board.most_exchanged, spend, recover)

    def _spend(self, nation: int, *, now: bool) -> int:
        if (found := self.spends.get((nation, now))) is None:
            most = spare_cubes(self.p, nation) if now else most_spent(self.p, nation)
            found = self.spends[nation, now] = most - owed_cubes(self.promised, nation)
        return found

    def _recover(self, nation: int, *, now: bool) -> int:
        if now:
            return self.p.exhausted[nation]
        if (found := self.recovers.get(nation)) is None:
            most = most_recovered(self.p, nation)
            found = self.recovers[nation] = most - expected_cubes(self.promised, nation)
        return found


# Carrying them out


def exchange_influence(b: StateBuilder, term: Term, n: int | None = None) -> None:
    """Each moves own cubes: the giver to exhausted, the receiver as many back (V-NEG-06)."""
    receiver, n = receiver_of(term), cubes_of(term) if n is None else n
    b.exhaust(term.nation, n)
    b.recover(receiver, n)
    b.exchanged = (*b.exchanged, (term.nation, receiver))
    giver, taker = words.NATION[term.nation], words.NATION[receiver]
    b.say("versailles.exchange", "V-NEG-06", nation=giver, other=taker, n=n)


def possible_now(p: Position, term: Term) -> int:
    """How many of its cubes an exchange can move now."""
    return min(cubes_of(term), spare_cubes(p, term.nation), p.exhausted[receiver_of(term)])


def carry_out_due(b: StateBuilder) -> bool:
    """Carry out the exchanges that are due and that both parties have the cubes for."""
    moved = False
    for deal in b.deals:
        if not deal.made or any(parse_term(text).kind != "give" for text in deal.terms):
            continue
        for term in _gives_of(deal):
            if possible_now(b, term) == cubes_of(term):
                exchange_influence(b, term)
                strike_exchange(b, deal.number, term)
                moved = True
    return moved


def strike_exchange(b: StateBuilder, number: int, done: Term) -> None:
    """Cross out an exchange that happened."""
    strike_terms(b, lambda deal, term: deal.number == number and term == done)


def strike_terms(b: StateBuilder, is_done: Callable[[Deal, Term], bool]) -> None:
    """Cross out the terms that are done in deals that were made; a deal without terms is kept."""
    deals = []
    for deal in b.deals:
        if deal.made:
            rest = tuple(text for text in deal.terms if not is_done(deal, parse_term(text)))
            if not rest:
                b.say("versailles.deal_kept", "V-NEG-02", deal=deal.number)
                continue
            deal = deal._replace(terms=rest)  # noqa: PLW2901  # the same deal, further on
        deals.append(deal)
    b.deals = tuple(deals)


def strike_forced(b: StateBuilder, nation: int, kind: str, *args: str) -> None:
    """Cross out what `nation` agreed to and the rules did without asking (V-NEG-06)."""
    if b.deals and b.options.forced_terms:
        done = Term(nation, kind, args)
        strike_terms(b, lambda deal, term: term == done)


def finish_exchanges(b: StateBuilder) -> None:
    """At the end of the turn: what is due is exchanged as far as the cubes go (V-NEG-06)."""
    for deal in b.deals:
        kinds = {parse_term(text).kind for text in deal.terms}
        if deal.made and "give" in kinds and not kinds - {"give", *ABSTAINING}:
            _finish_deal(b, deal)


def _finish_deal(b: StateBuilder, deal: Deal) -> None:
    """Exchange what can be exchanged; a deal is kept only if that is all that was promised."""
    moved = 0
    gives = _gives_of(deal)
    for term in gives:
        if n := possible_now(b, term):
            exchange_influence(b, term, n)
            moved += n
    promised = sum(map(cubes_of, gives))
    if moved == promised:
        b.say("versailles.deal_kept", "V-NEG-02", deal=deal.number)
    else:
        b.say("versailles.deal_short", "V-NEG-06", deal=deal.number, n=moved, promised=promised)
    b.deals = tuple(other for other in b.deals if other.number != deal.number)


def spends_owed_cubes(p: Position, nation: int, spent: int, terms: Iterable[Term]) -> bool:
    """Whether spending so many cubes leaves fewer than `nation` has agreed to give."""
    gives = [term for term in terms if term.kind == "give"]
    return bool(spent and gives) and p.available[nation] - spent < owed_cubes(gives, nation)


def is_party(p: Position, parties: tuple[int, ...], nation: int) -> bool:
    """Whether the parties decide for `nation`: their own, or the USA of two players (V-NEG-11)."""
    return nation in parties or (plays_usa(p) and nation == USA)
