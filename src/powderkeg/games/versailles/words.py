"""Nouns and phases as messages, made once. Mistyped words are quoted."""

from collections.abc import Collection
from functools import cache, lru_cache
from typing import Final

from powderkeg.core.cards import mark_value
from powderkeg.core.words import Arg, Msg
from powderkeg.games.versailles.board import CATEGORIES, NATIONS, REGIONS
from powderkeg.games.versailles.cards.pack import IssueOption
from powderkeg.games.versailles.cards.reader import default_pack

NATION: Final = tuple(Msg(f"versailles.nation.{name}") for name in NATIONS)
REGION: Final = tuple(Msg(f"versailles.region.{name}") for name in CATEGORIES)
OPTION_ICONS: Final = ("unrest", "happiness", "counters")
IN: Final = tuple(Msg(f"versailles.in.{name}") for name in REGIONS)  # "in the Balkans"


@cache
def issue_name(id_: str) -> Msg:
    return _name_or_quote("issue", id_, known=id_ in default_pack().issues)


@cache
def event_name(id_: str) -> Msg:
    return _name_or_quote("event", id_, known=id_ in default_pack().events)


def card_name(id_: str) -> Msg:
    """An issue or an event; packs rename cards, but never change which ids there are."""
    return event_name(id_) if id_ in default_pack().events else issue_name(id_)


def _name_or_quote(kind: str, id_: str, *, known: bool) -> Msg:
    return Msg(f"versailles.{kind}.{id_}") if known else _other_name(id_)


def _other_name(id_: str) -> Msg:
    """The name of something of another kind that was pointed at; what is nothing is quoted."""
    pack = default_pack()
    kinds: dict[str, Collection[str]] = {
        "issue": pack.issues,
        "event": pack.events,
        "strategy": pack.strategies,
        "nation": NATIONS,
        "region": REGIONS,
    }
    kind = next((kind for kind, ids in kinds.items() if id_ in ids), None)
    return quoted_text(id_) if kind is None else Msg(f"versailles.{kind}.{id_}")


def quoted_text(text: str) -> Msg:
    return Msg("versailles.quoted", text=text)


@lru_cache(1024)  # packs come and go on a server
def crisis_title(title: str) -> Msg:
    return Msg(f"versailles.crisis.{title}")


@cache
def option_name(issue: str, id_: str) -> Msg:
    """An option of an issue. Issues share ids such as ``independent``, so `of` says whose it is."""
    if id_ not in known_options():
        return Msg("versailles.quoted", text=id_, of=issue)
    return Msg(f"versailles.choice.{id_}", of=issue)


@cache
def known_options() -> frozenset[str]:
    """The ids of options that the catalogue has a name for."""
    issues = default_pack().issues.values()
    return frozenset(option.id for issue in issues for option in issue.options)


@cache
def strategy_name(id_: str) -> Msg:
    return Msg(f"versailles.strategy.{id_}")


@cache
def counter_name(id_: str) -> Msg:
    return Msg(f"versailles.counter.{id_}")


@cache
def unit_name(place: str) -> Msg:
    """A unit, by where it is."""
    if place in REGIONS:
        return Msg("versailles.unit.deployed", where=IN[REGIONS.index(place)])
    return _name_or_quote("unit", place, known=place in ("available", "exhausted"))


@cache
def count_text(what: str, n: int) -> Msg:
    """A number of cubes, units, issues, events, stars or points."""
    return Msg(f"versailles.count.{what}", n=n)


@cache
def force_text(units: int, local: int) -> Msg:
    """Available units and the one in the region, as they are bid."""
    if not local:
        return Msg("versailles.force.units", n=units) if units else Msg("versailles.force.none")
    return Msg("versailles.force.both", n=units) if units else Msg("versailles.force.local")


@cache
def condition_text(counts: str) -> Msg:
    return Msg(f"versailles.condition.{counts}")


def region_name(name: str) -> Msg:
    """A region, or a word that stands for one: ``random``, ``settled``, ``highest``..."""
    return Msg(f"versailles.region.{name}")


def option_text(issue: str, option: IssueOption) -> Msg:
    """The icons of an option in words, each with its mark; a mark at the end stands for the kinds
    of icons that it seems not to have."""
    icons = {kind: _icon_texts(option, kind) for kind in OPTION_ICONS}
    shown: list[Arg] = [
        mark_value(text, option.sure.get(kind, "")) for kind in icons for text in icons[kind]
    ]
    name = option_name(issue, option.id)
    text = (
        Msg("versailles.icon.option", option=name, icons=shown)
        if shown
        else Msg("versailles.icon.none", option=name)
    )
    return mark_value(text, *(option.sure.get(kind, "") for kind in icons if not icons[kind]))


def _icon_texts(option: IssueOption, kind: str) -> list[Msg]:
    match kind:
        case "unrest":
            return [
                Msg("versailles.icon.unrest", region=REGION[where], change=n)
                for where, n in option.unrest
            ]
        case "happiness":
            return [
                Msg("versailles.icon.happiness", nation=NATION[who], change=n)
                for who, n in option.happiness
            ]
    return [counter_name(counter) for counter in option.counters]


def phase_name(phase: str) -> Msg:
    """A phase in words: ``turn.12.uk`` is *Turn 12, UK*."""
    kind, *rest = phase.split(".")
    if not rest:
        return Msg(f"versailles.phase.{kind}")
    turn, nation = rest
    return Msg("versailles.phase.turn", turn=int(turn), nation=NATION[NATIONS.index(nation)])
