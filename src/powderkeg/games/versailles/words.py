"""Nouns and phases as messages, made once. Mistyped words are quoted."""

from functools import cache

from powderkeg.core.words import Arg, Msg
from powderkeg.games.versailles.board import CATEGORIES, NATIONS, REGIONS
from powderkeg.games.versailles.cards.pack import IssueOption
from powderkeg.games.versailles.cards.reader import default_pack

NATION = tuple(Msg(f"versailles.nation.{name}") for name in NATIONS)
REGION = tuple(Msg(f"versailles.region.{name}") for name in CATEGORIES)
IN = tuple(Msg(f"versailles.in.{name}") for name in REGIONS)  # "in the Balkans"


@cache
def issue_name(id_: str) -> Msg:
    return _name_or_quote("issue", id_, known=id_ in default_pack().issues)


@cache
def event_name(id_: str) -> Msg:
    return _name_or_quote("event", id_, known=id_ in default_pack().events)


def card_name(id_: str) -> Msg:
    """An issue or an event; packs change values, never which cards there are."""
    return event_name(id_) if id_ in default_pack().events else issue_name(id_)


def _name_or_quote(kind: str, id_: str, *, known: bool) -> Msg:
    return Msg(f"versailles.{kind}.{id_}") if known else quoted_text(id_)


def quoted_text(text: str) -> Msg:
    return Msg("versailles.quoted", text=text)


@cache
def option_name(id_: str) -> Msg:
    """An option of an issue."""
    return Msg(f"versailles.choice.{id_}")


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


def option_text(option: IssueOption) -> Msg:
    """The icons of an option, in words."""
    icons: list[Arg] = [
        *(
            Msg("versailles.icon.unrest", region=REGION[where], change=n)
            for where, n in option.unrest
        ),
        *(
            Msg("versailles.icon.happiness", nation=NATION[who], change=n)
            for who, n in option.happiness
        ),
        *map(counter_name, option.counters),
    ]
    if not icons:
        return Msg("versailles.icon.none", option=option_name(option.id))
    return Msg("versailles.icon.option", option=option_name(option.id), icons=icons)


def phase_name(phase: str) -> Msg:
    """A phase in words: ``turn.12.uk`` is *Turn 12, UK*."""
    kind, *rest = phase.split(".")
    if not rest:
        return Msg(f"versailles.phase.{kind}")
    turn, nation = rest
    return Msg("versailles.phase.turn", turn=int(turn), nation=NATION[NATIONS.index(nation)])
