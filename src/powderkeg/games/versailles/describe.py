"""A view in words: for the terminal, for readers who cannot see the board, for models."""

from collections.abc import Iterator
from typing import Any

from powderkeg.core import plain
from powderkeg.core.game import Section
from powderkeg.core.words import Arg, Msg
from powderkeg.games.versailles import words
from powderkeg.games.versailles.board import NOBODY
from powderkeg.games.versailles.cards.pack import Condition, IssueOption
from powderkeg.games.versailles.deals.words import term_text
from powderkeg.games.versailles.events.operations import parse_effects as read_effects
from powderkeg.games.versailles.events.words import conference_text, crisis_text, effects_text
from powderkeg.games.versailles.rules.military import best_gain
from powderkeg.games.versailles.rules.score import score_sheet
from powderkeg.games.versailles.rules.settle import deck_size
from powderkeg.games.versailles.rules.solo import faction_strength
from powderkeg.games.versailles.state import State, is_solo, owned_issues, sides_in_play, unit_count
from powderkeg.games.versailles.words import option_text

MARKED_ICONS = ("happiness", "unrest", "counters")


def describe(view: dict[str, Any]) -> tuple[Section, ...]:
    p = plain.load(State, view["state"])
    parts = {
        "turn": _turn_lines(p),
        "table": _issue_lines(p, p.table),
        "waiting": _issue_lines(p, p.waiting),
        "events": _event_lines(p),
        "regions": _region_lines(p),
        "nations": _nation_lines(p),
        "held": _held_lines(p),
        "strategies": _strategy_lines(p),
        "deals": _deal_lines(p),
    }
    found = {name: tuple(lines) for name, lines in parts.items()}
    return tuple(
        Section(Msg(f"versailles.section.{name}"), lines) for name, lines in found.items() if lines
    )


def captions(view: dict[str, Any]) -> dict[str, Msg]:
    """Sentences for the events on show (``balfour.crisis``, ``balfour.conference``) and for each
    term of the deals and promises, by the term as it is written."""
    said = {
        f"{id_}.{half}": effects_text(read_effects(card[half], id_))
        for id_, card in view["cards"].items()
        if card["kind"] == "event"
        for half in ("crisis", "conference")
    }
    terms = [term for deal in view["deals"] for term in deal["terms"]]
    terms += [promise["term"] for promise in view["promises"]]
    return said | {term: term_text(term) for term in terms}


def _view_line(code: str, **args: Arg) -> Msg:
    return Msg(f"versailles.line.{code}", **args)


def _turn_lines(p: State) -> Iterator[Msg]:
    if p.active != NOBODY:
        yield _view_line("turn", turn=p.turn, nation=words.NATION[p.active])
    if p.pile:
        yield _view_line("pile", issues=[words.issue_name(issue) for issue in p.pile[:3]])
    left = words.count_text("issues", deck_size(p)), words.count_text("events", len(p.events))
    yield _view_line("decks", issues=left[0], events=left[1])
    if is_solo(p) and p.human != NOBODY:
        target = p.options.solo_target
        yield _view_line("solo", nation=words.NATION[p.human], points=p.points, target=target)
        for faction in p.order:
            yield _view_line(
                "strength", nation=words.NATION[faction], strength=faction_strength(p, faction)
            )


def _issue_lines(p: State, issues: tuple[str, ...]) -> Iterator[Msg]:
    for issue in issues:
        card = p.pack.issues[issue]
        yield _view_line(
            "issue",
            issue=words.issue_name(issue),
            region=words.REGION[card.region],
            stars=words.count_text("stars", card.stars),
            cubes=_cubes_text(p, issue),
        )
        for option in card.options:
            yield _view_line("option", text=_marked_option(option))


def _marked_option(option: IssueOption) -> Msg:
    """An option's icons, with a small mark where they are reconstructed."""
    text = option_text(option)
    doubtful = "reconstructed" in [option.sure.get(icon) for icon in MARKED_ICONS]
    return Msg("cards.marked", text=text) if doubtful else text


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
        text = conference_text(events[p.event])
        yield _view_line("event_table", event=words.event_name(p.event), text=text)
    if p.event_cube != NOBODY:
        yield _view_line("event_cube", nation=words.NATION[p.event_cube])
    for event in p.lobby:
        text = conference_text(events[event])
        crisis = crisis_text(events[event])
        yield _view_line("event_waiting", event=words.event_name(event), text=text, crisis=crisis)


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
    yield _view_line("demobilise", space=best_gain(p))


def _held_lines(p: State) -> Iterator[Msg]:
    for issue, held in p.held.items():
        if held.option != NOBODY:
            yield _view_line(
                "held",
                nation=words.NATION[held.owner],
                issue=words.issue_name(issue),
                text=option_text(p.pack.issues[issue].options[held.option]),
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
    if not condition.points:
        return text  # double happiness gives no points of its own
    return Msg("versailles.line.condition", text=text, points=condition.points)


def _deal_lines(p: State) -> Iterator[Msg]:
    for deal in p.deals:
        by, others = words.NATION[deal.by], [words.NATION[n] for n in deal.parties if n != deal.by]
        terms = [term_text(text) for text in deal.terms]
        if deal.made:
            yield _view_line("deal_made", deal=deal.number, nations=[by, *others], terms=terms)
        else:
            yield _view_line("deal_offered", deal=deal.number, nation=by, to=others, terms=terms)
    for promise in p.promises:
        yield _view_line("promise", turn=promise.turn, term=term_text(promise.term))
