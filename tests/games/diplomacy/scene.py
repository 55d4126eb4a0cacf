"""Positions and helpers for tests of the flow."""

from dataclasses import replace
from typing import Any

import pytest

from powderkeg.core.errors import Illegal
from powderkeg.core.game import Fact, Game
from powderkeg.core.words import LANGS, say
from powderkeg.games import diplomacy
from powderkeg.games.diplomacy.actions import Ready, parse, parse_unit
from powderkeg.games.diplomacy.board import CENTRES, POWERS
from powderkeg.games.diplomacy.state import Options, State

game: Game = diplomacy


def begin(players: int = 7, **options: Any) -> State:
    chosen = Options(**options)
    return diplomacy.start(diplomacy.seats(players, chosen), chosen)


def board(
    state: State, units: dict[str, str], centres: dict[str, str] | None = None, **fields
) -> State:
    """A state with other units (``A par F bre``) and centres; powers not named have none."""
    placed = {power: _parse_units(units.get(power, "")) for power in POWERS}
    owners = {c: p for p, codes in (centres or {}).items() for c in codes.split()}
    return replace(state, units=placed, centres=owners if centres else state.centres, **fields)


def _parse_units(text: str):
    words = text.split()
    return tuple(parse_unit(f"{a} {b}") for a, b in zip(words[::2], words[1::2], strict=True))


def play(state: State, **orders: str) -> tuple[State, list[Fact]]:
    """Everybody writes and is ready; orders of a seat are separated by commas."""
    facts: list[Fact] = []
    for seat, texts in orders.items():
        for text in filter(None, map(str.strip, texts.split(","))):
            state, learned, _ = diplomacy.apply(state, seat, parse(text))
            facts += learned
    phase = state.phase
    for seat in sorted(diplomacy.to_act(state)):
        if state.phase == phase and seat in diplomacy.to_act(state):
            state, learned, _ = diplomacy.apply(state, seat, Ready())
            facts += learned
    return state, facts


def codes(facts: list[Fact]) -> list[str]:
    return [fact.msg.code.removeprefix("diplomacy.") for fact in facts]


def refused(state: State, seat: str, text: str) -> str:
    action = parse(text)
    assert action not in diplomacy.legal(state, seat)
    with pytest.raises(Illegal) as error:
        diplomacy.apply(state, seat, action)
    assert all(say(error.value.msg, lang) != error.value.code for lang in LANGS)
    return error.value.code.removeprefix("diplomacy.")


def units(state: State, power: str) -> set[str]:
    return {str(unit) for unit in state.units[power]}


def owning(count: int, power: str = "FRANCE") -> dict[str, str]:
    """A power owns so many centres, Turkey the rest."""
    mine = [*_HOMES_FIRST[power], *(c for c in CENTRES if c not in _HOMES_FIRST[power])]
    return {power: " ".join(mine[:count]), "TURKEY": " ".join(mine[count:])}


FIGHT = {"FRANCE": "A bur A par", "GERMANY": "A mun A ruh"}
OWNED = {"FRANCE": "par mar bre", "GERMANY": "mun ber kie"}
_HOMES_FIRST = {"FRANCE": ["bre", "mar", "par"], "ENGLAND": ["edi", "lon", "lvp"]}
ATTACK = "A mun - bur, A ruh S A mun - bur"
