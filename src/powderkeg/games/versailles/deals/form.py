"""The form of deals: the part of every question that offers and answers them."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from powderkeg.core.ask import One, Option, Some
from powderkeg.core.identity_cache import once_per_state
from powderkeg.core.words import Msg
from powderkeg.games.versailles import words
from powderkeg.games.versailles.board import NATIONS, USA
from powderkeg.games.versailles.cards.certainty import marked_names, name_cards
from powderkeg.games.versailles.cards.pack import CardPack
from powderkeg.games.versailles.deals import feasibility, offers, terms
from powderkeg.games.versailles.deals.exchange import ExchangeLimits
from powderkeg.games.versailles.deals.words import term_label
from powderkeg.games.versailles.state import State, clockwise_from, is_solo, is_two, nation_of

NAMES_EVENT = ("branch",)  # terms whose words depend on the event


def offer_options(p: State, seat: str) -> list[Option]:
    if is_solo(p) or p.turn == 0 or p.over:
        return []
    nation = nation_of(p, seat)
    options = []
    replies = offers.open_replies(p, seat, nation)
    # To accept comes first.
    for action in sorted(replies, key=lambda reply: (reply.deal, str(reply))):
        verb = str(action).partition(" ")[0]
        label = Msg(f"versailles.do.{verb}_deal", deal=action.deal)
        options.append(Option(str(action), label, f"deal.{action.deal}"))
    if p.offers[nation] >= offers.OFFERS_PER_TURN:
        return options
    form = deal_form(p)
    for deal in p.deals:
        if not deal.made and nation in deal.parties and nation not in deal.agreed:
            parties = tuple(n for n in clockwise_from(p.order, nation) if n in deal.parties)
            label = Msg("versailles.do.counter_deal", deal=deal.number)
            options.append(Option(f"counter {deal.number}", label, then=form.terms(parties)))
    then = _partner_choices(p, nation, form)
    options.append(Option("propose", Msg("versailles.do.propose"), then=then))
    return options


def _partner_choices(p: State, nation: int, form: "DealForm") -> One:
    others = clockwise_from(p.order, nation)[1:]
    groups: list[tuple[int, ...]] = [(other,) for other in others]
    if len(others) > 1:
        groups.append(others)
    return One(
        tuple(
            Option(
                "+".join(NATIONS[n] for n in group),
                Msg("versailles.label.partners", nations=[words.NATION[n] for n in group]),
                then=form.terms((nation, *group)),
            )
            for group in groups
        ),
        Msg("versailles.ask.partner"),
    )


class DealForm:
    """The terms that can be offered now. The terms of one nation, and the exchanges of two, are the same
    in every deal, so they are worked out once for all of them."""

    def __init__(self, p: State) -> None:
        self.p = p
        self.others = (USA,) if is_two(p) else ()  # the USA of two players (V-NEG-11)
        self.now = {
            n: self._lines(feasibility.possible_terms(p, n)) for n in (*p.order, *self.others)
        }
        limits = ExchangeLimits(p)
        self.exchanges = {
            (giver, taker): self._lines(feasibility.possible_exchanges(p, giver, (taker,), limits))
            for giver in p.order
            for taker in p.order
            if giver != taker
        }
        self.later = {
            n: _promise_lines(p.pack, tuple(feasibility.possible_promises(p, n))) for n in p.order
        }
        self.known: dict[tuple[int, ...], Some] = {}

    def _lines(self, found: list[terms.Term]) -> "FormLines":
        p = self.p
        event = p.event if any(term.kind in NAMES_EVENT for term in found) else ""
        return _form_lines(p.pack, tuple(found), tuple(p.cubes), p.waiting, event)

    def terms(self, parties: tuple[int, ...]) -> Some:
        if (known := self.known.get(parties)) is None:
            known = self.known[parties] = self._list_terms(parties)
        return known

    def _list_terms(self, parties: tuple[int, ...]) -> Some:
        later = (self.later[nation] for nation in parties)
        return _term_choices((*self._parts(parties), *later))

    def _parts(self, parties: tuple[int, ...]) -> Iterator["FormLines"]:
        for nation in (*parties, *self.others):
            yield self.now[nation]
            for other in parties:
                if (nation, other) in self.exchanges:
                    yield self.exchanges[nation, other]


@dataclass(frozen=True, eq=False, slots=True)  # the same only if it is the same object
class FormLines:
    """Lines of the form, and the groups of texts of which a deal can hold one."""

    lines: list[Option]
    exclusive: tuple[tuple[str, ...], ...]


deal_form = once_per_state(DealForm)


@lru_cache(4096)  # most of a form stays as it was while others act
def _form_lines(
    pack: CardPack,
    found: tuple[terms.Term, ...],
    issues: tuple[str, ...],
    waiting: tuple[str, ...],
    event: str,
) -> FormLines:
    lines = [_form_line(pack, term, event if term.kind in NAMES_EVENT else "") for term in found]
    return FormLines(lines, terms.exclusive_groups(issues, waiting, found))


@lru_cache(1024)
def _promise_lines(pack: CardPack, found: tuple[terms.Term, ...]) -> FormLines:
    """Promises bind nobody, so they cannot clash."""
    return FormLines([_form_line(pack, term, "") for term in found], ())


@lru_cache(1024)
def _term_choices(parts: tuple[FormLines, ...]) -> Some:
    lines = [line for part in parts for line in part.lines]
    exclusive = tuple(group for part in parts for group in part.exclusive)
    prompt = Msg("versailles.ask.terms")
    return Some(tuple(lines), 1, offers.MOST_TERMS, prompt, exclusive=exclusive)


@lru_cache(20_000)
def _form_line(pack: CardPack, term: terms.Term, event: str) -> Option:
    text = str(term)
    label = term_label(text, pack.events.get(event))
    return Option(text, name_cards(marked_names(pack), label))
