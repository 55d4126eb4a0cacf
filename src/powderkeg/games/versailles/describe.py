"""A view in words: for the terminal, for readers who cannot see the board, for models."""

from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Any

from powderkeg.core import plain
from powderkeg.core.cards import mark_value
from powderkeg.core.game import Section
from powderkeg.core.words import Arg, Msg
from powderkeg.games.versailles import words
from powderkeg.games.versailles.board import GAME_END, NATIONS, NOBODY
from powderkeg.games.versailles.cards.certainty import (
    mark_card,
    marked_names,
    name_cards,
    next_space,
)
from powderkeg.games.versailles.cards.pack import CardPack, Condition, EventCard, IssueCard
from powderkeg.games.versailles.deals.feasibility import term_words
from powderkeg.games.versailles.events.operations import parse_effects as read_effects
from powderkeg.games.versailles.events.words import conference_text, crisis_text, effects_text
from powderkeg.games.versailles.rules.score import score_sheet
from powderkeg.games.versailles.rules.settle import deck_size
from powderkeg.games.versailles.rules.solo import current_target, faction_strength
from powderkeg.games.versailles.state import State, is_solo, owned_issues, sides_in_play, unit_count
from powderkeg.games.versailles.view import card_view, drawn_issues
from powderkeg.games.versailles.words import option_text


def describe(view: dict[str, Any]) -> tuple[Section, ...]:
    p = plain.load(State, view["state"])
    parts: dict[str, Iterable[Msg]] = {
        "turn": (*_reader_lines(view), *_turn_lines(p)),
        "table": _issue_lines(p, p.table),
        "waiting": _issue_lines(p, p.waiting),
        "drawn": issue_card_lines(p, drawn_issues(p)),
        "unsettled": issue_card_lines(p, (p.limbo,) if p.limbo else ()),
        "discards": _discard_lines(p),
        "events": _event_lines(p),
        "regions": _region_lines(p),
        "nations": _nation_lines(p),
        "held": _held_lines(p),
        "strategies": _strategy_lines(p),
        "deals": _deal_lines(p),
        "marks": _legend_lines(),
    }
    names = marked_names(p.pack)
    found = {
        name: tuple(name_cards(names, line) for line in lines) for name, lines in parts.items()
    }
    return tuple(
        Section(Msg(f"versailles.section.{name}"), lines) for name, lines in found.items() if lines
    )


def captions(view: dict[str, Any]) -> dict[str, Msg]:
    """Sentences for the events on show (``balfour.crisis``, ``balfour.conference``), for the card
    that ends the game, for the columns of the regions (``column.7``), and for each term of the
    deals and promises, by the term as it is written; all with their marks."""
    p = plain.load(State, view["state"])
    pack = p.pack
    said = _ending_caption(view["cards"])
    for id_, card in view["cards"].items():
        if card["kind"] == "event":
            said |= _event_caption(pack, id_)
    terms = [term for deal in view["deals"] for term in deal["terms"]]
    terms += [promise["term"] for promise in view["promises"]]
    names = marked_names(pack)
    said |= {term: name_cards(names, term_words(p, term)) for term in terms}
    return said | _column_texts(pack)


@lru_cache(4096)  # packs come and go on a server
def _event_caption(pack: CardPack, id_: str) -> dict[str, Msg]:
    return event_captions({id_: card_view(pack, id_)})


@lru_cache(64)
def _column_texts(pack: CardPack) -> dict[str, Msg]:
    return {f"column.{column}": _column_text(pack, column) for column in pack.board.cubes_back}


def _column_text(pack: CardPack, column: int) -> Msg:
    """What a unit in this column costs, brings and is worth for good (V-MIL-08, V-UPR-05, 18)."""
    board = pack.board
    parts = [Msg("versailles.column.free")]
    if board.cubes_back[column] or board.unhappy[column]:
        back = words.count_text("cubes", board.cubes_back[column])
        parts = [Msg("versailles.column.price", cubes=back, unhappy=board.unhappy[column])]
    if column in board.modifies:
        parts.append(Msg("versailles.column.modifies"))
    return Msg(
        "versailles.column.all", column=column, parts=[*parts, Msg("versailles.column.bids")]
    )


def _ending_caption(cards: dict[str, Any]) -> dict[str, Msg]:
    """What the card does that ends the game: it has no options of its own."""
    if GAME_END not in cards:
        return {}
    stars = words.count_text("points", cards[GAME_END]["stars"])
    return {GAME_END: Msg("versailles.ending_card", points=stars)}


def event_captions(cards: dict[str, Any]) -> dict[str, Msg]:
    """What both halves of each event among `cards` do."""
    return {
        f"{id_}.{half}": mark_value(
            effects_text(read_effects(card[half], id_)), card["certainty"].get(half, "")
        )
        for id_, card in cards.items()
        if card["kind"] == "event"
        for half in ("crisis", "conference")
    }


def _view_line(code: str, **args: Arg) -> Msg:
    return Msg(f"versailles.line.{code}", **args)


def _reader_lines(view: dict[str, Any]) -> Iterator[Msg]:
    """Which nation the reader plays, or the seat while nations are being chosen."""
    if view["nation"]:
        yield _view_line("you", nation=words.NATION[NATIONS.index(view["nation"])])
    elif view["seat"]:
        yield _view_line("you_seat", seat=Msg(f"versailles.seat.{view['seat']}"))


def _turn_lines(p: State) -> Iterator[Msg]:
    if p.active != NOBODY:
        yield _view_line("turn", turn=p.turn, nation=words.NATION[p.active])
    left = words.count_text("issues", deck_size(p)), words.count_text("events", len(p.events))
    yield _view_line("decks", issues=left[0], events=left[1])
    if is_solo(p) and p.human != NOBODY:
        target = current_target(p)
        yield _view_line("solo", nation=words.NATION[p.human], points=p.points, target=target)
        for faction in p.order:
            yield _view_line(
                "strength", nation=words.NATION[faction], strength=faction_strength(p, faction)
            )


def _issue_lines(p: State, issues: tuple[str, ...]) -> Iterator[Msg]:
    for issue in issues:
        card = p.pack.issues[issue]
        yield _view_line("issue", **_issue_values(card), cubes=_cubes_text(p, issue))
        yield from _option_lines(card)


def issue_card_lines(p: State, issues: tuple[str, ...]) -> Iterator[Msg]:
    """Issues without cubes: drawn, unsettled or discarded."""
    for issue in issues:
        card = p.pack.issues[issue]
        yield _view_line("card", **_issue_values(card))
        yield from _option_lines(card)


def _issue_values(card: IssueCard) -> dict[str, Arg]:
    """What is printed on an issue besides its options, with marks."""
    military = Msg(f"versailles.line.{'no_military' if card.no_military else 'military'}")
    return {
        "issue": words.issue_name(card.id),
        "region": mark_card(words.REGION[card.region], card, "region"),
        "stars": mark_card(words.count_text("stars", card.stars), card, "stars"),
        "military": mark_card(military, card, "no_military"),
    }


def _option_lines(card: IssueCard) -> Iterator[Msg]:
    for option in card.options:
        yield _view_line("option", text=option_text(card.id, option))


def _discard_lines(p: State) -> Iterator[Msg]:
    """The discards that can be taken with everything on them, then the names of the others."""
    within_reach = len(p.pack.board.dive_costs)
    yield from issue_card_lines(p, p.pile[:within_reach])
    if below := p.pile[within_reach:]:
        yield _view_line("below", issues=[words.issue_name(issue) for issue in below])


def _cubes_text(p: State, issue: str) -> Arg:
    row = p.cubes[issue]
    if not any(row):
        return Msg("versailles.line.no_cubes")
    return [
        Msg("versailles.line.cubes", nation=words.NATION[n], n=row[n]) for n in range(4) if row[n]
    ]


def _event_lines(p: State) -> Iterator[Msg]:
    events = p.pack.events
    if p.event:
        yield _view_line("event_table", **_event_values(events[p.event]))
    if p.event_cube != NOBODY:
        yield _view_line("event_cube", nation=words.NATION[p.event_cube])
    for event in p.lobby:
        crisis = mark_card(crisis_text(events[event]), events[event], "crisis")
        yield _view_line("event_waiting", **_event_values(events[event]), crisis=crisis)


def _event_values(card: EventCard) -> dict[str, Arg]:
    icon = Msg(f"versailles.line.{'cube_icon' if card.cube else 'no_cube_icon'}")
    return {
        "event": words.event_name(card.id),
        "icon": mark_card(icon, card, "cube"),
        "text": mark_card(conference_text(card), card, "conference"),
    }


def _region_lines(p: State) -> Iterator[Msg]:
    for region in range(5):
        there = [
            Msg("versailles.line.unit", nation=words.NATION[n], column=column)
            for column, n in enumerate(p.posts[region * 4 : region * 4 + 4], start=5)
            if n != NOBODY
        ]
        yield _view_line(
            "region",
            region=words.REGION[region],
            unrest=p.unrest[region],
            keg=p.kegs[region],
            units=there or Msg("versailles.line.no_units"),
        )


def _nation_lines(p: State) -> Iterator[Msg]:
    nations = sides_in_play(p) if p.active != NOBODY else ()
    for n in range(5):
        if n in nations:
            yield _view_line(
                "nation",
                nation=words.NATION[n],
                available=p.available[n],
                exhausted=p.exhausted[n],
                units=unit_count(p, n),
                ready=p.ready[n],
                issues=len(owned_issues(p, n)),
            )
        if p.happiness[n] != NOBODY:
            yield _view_line("happiness", nation=words.NATION[n], happiness=p.happiness[n])
        if n in p.order and not is_solo(p):
            points = words.count_text("points", score_sheet(p, n).total)
            yield _view_line("score", nation=words.NATION[n], points=points)
    yield _view_line("demobilise", space=next_space(p))


def _held_lines(p: State) -> Iterator[Msg]:
    """Settled issues with what counts at the end: stars, region, and counters with their flags."""
    for issue, held in p.held.items():
        if held.option == NOBODY:
            continue
        card = p.pack.issues[issue]
        option = card.options[held.option]
        values = _issue_values(card)
        del values["military"]
        sure = option.sure.get("counters", "")
        found = [mark_value(words.counter_name(counter), sure) for counter in held.counters]
        none = mark_value(Msg("versailles.line.none"), sure)
        yield _view_line(
            "held",
            nation=words.NATION[held.owner],
            **values,
            option=words.option_name(issue, option.id),
            counters=Msg("versailles.line.counters", counters=found or none),
        )


def _strategy_lines(p: State) -> Iterator[Msg]:
    for card in p.dealt:
        text = [_condition_line(condition) for condition in p.pack.strategies[card].conditions]
        yield _view_line("strategy", strategy=words.strategy_name(card), conditions=text)
        if card in p.strategy:
            owner = words.NATION[p.strategy.index(card)]
            yield _view_line("strategy_of", nation=owner, strategy=words.strategy_name(card))


def _condition_line(condition: Condition) -> Msg:
    text = words.condition_text(condition.counts)
    if condition.points:  # double happiness gives no points of its own
        text = Msg("versailles.line.condition", text=text, points=condition.points)
    return mark_value(text, *condition.sure.values())


def _legend_lines() -> Iterator[Msg]:
    yield Msg("cards.legend.reconstructed")
    yield Msg("cards.legend.probable")


def _deal_lines(p: State) -> Iterator[Msg]:
    for deal in p.deals:
        by, others = words.NATION[deal.by], [words.NATION[n] for n in deal.parties if n != deal.by]
        terms = [term_words(p, text) for text in deal.terms]
        if deal.made:
            yield _view_line("deal_made", deal=deal.number, nations=[by, *others], terms=terms)
        else:
            yield _view_line("deal_offered", deal=deal.number, nation=by, to=others, terms=terms)
    for promise in p.promises:
        yield _view_line("promise", turn=promise.turn, term=term_words(p, promise.term))
