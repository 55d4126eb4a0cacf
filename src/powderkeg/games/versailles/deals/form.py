"""The form of deals: the part of every question that offers and answers them."""

from collections.abc import Iterable
from functools import lru_cache

from powderkeg.core.ask import One, Option, Some
from powderkeg.core.words import Msg
from powderkeg.games.versailles import words
from powderkeg.games.versailles.board import NATIONS, USA
from powderkeg.games.versailles.cards.certainty import marked_names, name_cards
from powderkeg.games.versailles.cards.pack import CardPack
from powderkeg.games.versailles.deals import feasibility, offers, terms
from powderkeg.games.versailles.deals.words import term_text
from powderkeg.games.versailles.state import State, clockwise_from, is_solo, is_two, nation_of


def offer_options(p: State, seat: str) -> list[Option]:
    if is_solo(p) or p.turn == 0 or p.over:
        return []
    nation = nation_of(p, seat)
    options = []
    for action in offers.open_replies(p, seat, nation):
        verb = str(action).partition(" ")[0]
        label = Msg(f"versailles.do.{verb}_deal", deal=action.deal)
        options.append(Option(str(action), label, f"deal.{action.deal}"))
    if p.offers[nation] >= offers.OFFERS_PER_TURN:
        return options
    form = DealForm(p)
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
    """The terms that can be offered now. The terms of one nation are the same in every deal, so
    they are worked out once for all of them."""

    def __init__(self, p: State) -> None:
        self.p = p
        self.others = (USA,) if is_two(p) else ()  # the USA of two players (V-NEG-11)
        now = {n: feasibility.possible_terms(p, n) for n in (*p.order, *self.others)}
        self.now = {n: _term_options(p.pack, found) for n, found in now.items()}
        self.exclusive = {n: terms.exclusive_groups(p, found) for n, found in now.items()}
        later = {n: feasibility.possible_promises(p, n) for n in p.order}
        self.later = {n: _term_options(p.pack, found) for n, found in later.items()}

    def terms(self, parties: tuple[int, ...]) -> Some:
        lines: list[Option] = []
        exclusive: list[tuple[str, ...]] = []
        for nation in (*parties, *self.others):
            exchanges = feasibility.possible_exchanges(self.p, nation, parties)
            lines += [*self.now[nation], *_term_options(self.p.pack, exchanges)]
            exclusive += self.exclusive[nation]
            exclusive += terms.exclusive_groups(self.p, exchanges)
        for nation in parties:
            lines += self.later[nation]
        prompt = Msg("versailles.ask.terms")
        return Some(tuple(lines), 1, offers.MOST_TERMS, prompt, exclusive=tuple(exclusive))


def _term_options(pack: CardPack, found: Iterable[terms.Term]) -> list[Option]:
    return [_form_line(pack, term) for term in found]


@lru_cache(20_000)
def _form_line(pack: CardPack, term: terms.Term) -> Option:
    text = str(term)
    return Option(text, name_cards(marked_names(pack), term_text(text)))
