"""How things are called: messages for nouns, made once."""

from functools import cache

from powderkeg.core.words import Msg
from powderkeg.games.versailles.board import CATEGORIES, NATIONS

NATION = tuple(Msg(f"versailles.nation.{name}") for name in NATIONS)
REGION = tuple(Msg(f"versailles.region.{name}") for name in CATEGORIES)


@cache
def issue(id_: str) -> Msg:
    return Msg(f"versailles.issue.{id_}")


@cache
def event(id_: str) -> Msg:
    return Msg(f"versailles.event.{id_}")


@cache
def choice(id_: str) -> Msg:
    """An option of an issue."""
    return Msg(f"versailles.choice.{id_}")


@cache
def strategy(id_: str) -> Msg:
    return Msg(f"versailles.strategy.{id_}")


@cache
def counter(id_: str) -> Msg:
    return Msg(f"versailles.counter.{id_}")


@cache
def unit(place: str) -> Msg:
    """A unit, by where it is."""
    if place in CATEGORIES:
        return Msg("versailles.unit.deployed", region=REGION[CATEGORIES.index(place)])
    return Msg(f"versailles.unit.{place}")


@cache
def condition(counts: str) -> Msg:
    return Msg(f"versailles.condition.{counts}")
