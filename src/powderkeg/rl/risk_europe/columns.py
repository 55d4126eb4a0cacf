"""What a seat sees of Risk Europe, as columns between 0 and 1, written by hand.

`encode_view` is the readable version, made from a view and so without secrets; the compiled one in
`rl.risk_europe.kernel` writes the same numbers. Armies are in seat order, mercenaries last.
"""

from collections.abc import Iterable
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from powderkeg.core.game import View
from powderkeg.games.risk_europe.board import COLOURS, FULL_ARMY, TERRITORY_NAMES, UNITS
from powderkeg.games.risk_europe.fast.action_codes import CROWN_NAMES
from powderkeg.games.risk_europe.fast.layout import CARD_KINDS, STEP_NAMES

MOST_COINS, MOST_CROWNS, MOST_ROUNDS = 60, 12, 20  # what counts as 1

PLACE_COLUMNS: Final = (
    *(f"owner {colour}" for colour in COLOURS),
    *(f"units {unit}" for unit in UNITS),
    *(f"attacker {colour}" for colour in COLOURS),
    *(f"attacking {unit}" for unit in UNITS),
    "castle",
    "shield works",
    "move from here",
    "move to here",
    "first group goes here",
    "battle here",
)
ARMY_COLUMNS: Final = (
    "me",
    "coins",
    *(f"reserve {unit}" for unit in UNITS),
    "cards in hand",
    *(f"shown {card}" for card in CARD_KINDS),
    *(f"discarded {card}" for card in CARD_KINDS),
    "placed",
    "has bid",
    "crown cards",
    "crowns",
    *(f"completed {card}" for card in CROWN_NAMES),
    "missions",
    "saved",
    "out",
    "marker",
    "acts",
)
REST_COLUMNS: Final = (
    *(f"my hand {card}" for card in CARD_KINDS),
    *(f"my first card {card}" for card in CARD_KINDS),
    *(f"my second card {card}" for card in CARD_KINDS),
    *(f"my mission {card}" for card in CROWN_NAMES),
    *(f"offered {card}" for card in CROWN_NAMES),
    *(f"step {name}" for name in STEP_NAMES),
    *(f"card {card}" for card in CARD_KINDS),
    "round",
    "second turn",
    "crown cards left",
    *(f"rank {rank}" for rank in range(1, 5)),
    "hits on the attacker",
    "hits on the defender",
)
PLACE_SIZE, ARMY_SIZE, REST_SIZE = map(len, (PLACE_COLUMNS, ARMY_COLUMNS, REST_COLUMNS))
ARMY_START: Final = PLACE_SIZE * len(TERRITORY_NAMES)
REST_START: Final = ARMY_START + ARMY_SIZE * len(COLOURS)
VIEW_SIZE: Final = REST_START + REST_SIZE
COLUMN_NAMES: Final = (
    *(f"{place}: {column}" for place in TERRITORY_NAMES for column in PLACE_COLUMNS),
    *(f"{colour}: {column}" for colour in COLOURS for column in ARMY_COLUMNS),
    *REST_COLUMNS,
)


def encode_view(view: View) -> NDArray[np.float32]:
    """The columns of a view of `games.risk_europe`."""
    row = np.zeros(VIEW_SIZE, np.float32)
    for at, name in enumerate(TERRITORY_NAMES):
        _write_columns(row, at * PLACE_SIZE, PLACE_COLUMNS, _place_columns(view, name))
    for n, colour in enumerate(COLOURS):
        start = ARMY_START + n * ARMY_SIZE
        _write_columns(row, start, ARMY_COLUMNS, _army_columns(view, colour))
    _write_columns(row, REST_START, REST_COLUMNS, _rest_columns(view))
    return np.minimum(row, 1)


def _write_columns(row: Any, start: int, names: tuple[str, ...], found: dict[str, float]) -> None:
    for name, value in found.items():
        row[start + names.index(name)] = value


def _unit_shares(kind: str, units: dict[str, int]) -> dict[str, float]:
    pairs = zip(UNITS, FULL_ARMY, strict=True)
    return {f"{kind} {unit}": units[unit] / most for unit, most in pairs}


def _place_columns(view: View, name: str) -> dict[str, float]:
    here = view["territories"][name]
    found: dict[str, float] = _unit_shares("units", here["units"])
    if here["owner"]:
        found[f"owner {here['owner']}"] = 1
    if here["attacker"]:
        found[f"attacker {here['attacker']['army']}"] = 1
        found |= _unit_shares("attacking", here["attacker"]["units"])
    found["castle"] = here["castle"]
    found["shield works"] = any(s["at"] == name and s["works"] for s in view["shields"].values())
    move = view["own"]["move"] or {"origin": None, "target": None, "groups": ()}
    found["move from here"] = move["origin"] == name
    found["move to here"] = move["target"] == name
    found["first group goes here"] = any(group["to"] == name for group in move["groups"])
    found["battle here"] = bool(view["battle"]) and view["battle"]["at"] == name
    return found


def _card_counts(kind: str, cards: Iterable[str], most: int) -> dict[str, float]:
    listed = list(cards)
    return {f"{kind} {card}": listed.count(card) / most for card in CARD_KINDS}


def _army_columns(view: View, colour: str) -> dict[str, float]:
    army = view["armies"][colour]
    acting = view["card"] and view["card"]["army"] == colour
    return {
        "me": view["seat"] == colour,
        "coins": army["coins"] / MOST_COINS,
        **_unit_shares("reserve", army["reserve"]),
        "cards in hand": army["hand"] / 8,
        **_card_counts("shown", army["shown"], 2),
        **_card_counts("discarded", army["discard"], 2),
        "placed": army["placed"],
        "has bid": army["has_bid"],
        "crown cards": army["crown_cards"] / 8,
        "crowns": army["crowns"] / MOST_CROWNS,
        **{f"completed {done['card']}": 1 for done in army["completed"]},
        "missions": army["missions"] / 8,
        "saved": army["saved"],
        "out": army["out"] > 0,
        "marker": view["marker"] == colour,
        "acts": bool(acting),
    }


def _rest_columns(view: View) -> dict[str, float]:
    own, battle = view["own"], view["battle"]
    agenda = view["state"]["agenda"]
    found: dict[str, float] = _card_counts("my hand", own["hand"], 2)
    for place, card in zip(("first", "second"), own["stack"], strict=False):
        found[f"my {place} card {card}"] = 1
    found |= {f"my mission {held['card']}": 1 for held in own["missions"]}
    found |= {f"offered {held['card']}": 1 for held in own["offer"]}
    if agenda:
        found[f"step {agenda[-1]['is']}"] = 1
    if view["card"]:
        found[f"card {view['card']['card']}"] = 1
    found["round"] = view["round"] / MOST_ROUNDS
    found["second turn"] = view["turn"] == 2
    found["crown cards left"] = view["state"]["crown_cards"] / 8
    if battle:
        found[f"rank {battle['rank']}"] = 1
        found["hits on the attacker"] = battle["defender_hits"] / 12
        found["hits on the defender"] = battle["attacker_hits"] / 12
    return found
