"""What a seat sees, compiled: the same numbers as `columns.py`."""

from typing import Final

from powderkeg.games.risk_europe.fast.action_codes import CROWN_NAMES
from powderkeg.games.risk_europe.fast.board_queries import Cells, army_at, count_bits, crowns_of
from powderkeg.games.risk_europe.fast.compiling import kernel_part
from powderkeg.games.risk_europe.fast.dice import rank_hits
from powderkeg.games.risk_europe.fast.game_flow import count_hand
from powderkeg.games.risk_europe.fast.layout import (
    ACTIVE,
    ARMY_COUNT,
    ATTACKER,
    B_AT,
    B_RANK,
    BID,
    BOUGHT,
    CASTLE,
    COINS,
    COMPLETED,
    CROWN_COUNT,
    CROWNS_LEFT,
    DEPTH,
    DISCARD,
    FORCE_AT,
    GRACE,
    GROUP_TO,
    HAND,
    KEEP_CARDS,
    KIND_COUNT,
    MARKER,
    MISSIONS,
    MOVE_ORIGIN,
    MOVE_TARGET,
    OUT,
    OWNER,
    PLACES,
    RESERVE,
    ROUND,
    S_ACT,
    S_BATTLE,
    S_KEEP,
    S_MOVE,
    SHOWN,
    STACK,
    STEP_SIZE,
    STEPS,
    TURN,
    UNITS_AT,
)
from powderkeg.games.risk_europe.fast.legal_actions import step_kind
from powderkeg.games.risk_europe.fast.map_tables import ALL_UNITS, GOLD_INDEX
from powderkeg.rl.risk_europe.columns import (
    ARMY_COLUMNS,
    ARMY_SIZE,
    ARMY_START,
    MOST_COINS,
    MOST_CROWNS,
    MOST_ROUNDS,
    PLACE_COLUMNS,
    PLACE_SIZE,
    REST_COLUMNS,
    REST_START,
    VIEW_SIZE,
)


def _place_column(name: str) -> int:
    return PLACE_COLUMNS.index(name)


def _army_column(name: str) -> int:
    return ARMY_START + ARMY_COLUMNS.index(name)


def _rest_column(name: str) -> int:
    return REST_START + REST_COLUMNS.index(name)


P_CASTLE, P_SHIELD = map(_place_column, ("castle", "shield works"))
P_FROM, P_TO = map(_place_column, ("move from here", "move to here"))
P_GROUP, P_BATTLE = map(_place_column, ("first group goes here", "battle here"))
A_COINS, A_RESERVE = map(_army_column, ("coins", "reserve footman"))
A_HAND, A_SHOWN = map(_army_column, ("cards in hand", "shown tax"))
A_DISCARD, A_PLACED = map(_army_column, ("discarded tax", "placed"))
A_BID, A_BOUGHT, A_CROWNS = map(_army_column, ("has bid", "crown cards", "crowns"))
A_COMPLETED: Final = _army_column(f"completed {CROWN_NAMES[0]}")
A_MISSIONS, A_SAVED, A_OUT = map(_army_column, ("missions", "saved", "out"))
A_MARKER, A_ACTS, A_ME = map(_army_column, ("marker", "acts", "me"))
R_HAND, R_FIRST = map(_rest_column, ("my hand tax", "my first card tax"))
R_SECOND: Final = _rest_column("my second card tax")
R_MISSION: Final = _rest_column(f"my mission {CROWN_NAMES[0]}")
R_OFFERED: Final = _rest_column(f"offered {CROWN_NAMES[0]}")
R_STEP, R_CARD = map(_rest_column, ("step Shields", "card tax"))
R_ROUND, R_SECOND_TURN = map(_rest_column, ("round", "second turn"))
R_CROWNS, R_RANK = map(_rest_column, ("crown cards left", "rank 1"))
R_MY_HITS, R_THEIR_HITS = map(_rest_column, ("hits on the attacker", "hits on the defender"))


@kernel_part
def encode_board(b: Cells, who: int, row: Cells) -> None:
    """Write what a player sees."""
    row[:VIEW_SIZE] = 0
    for at in range(PLACES):
        _encode_place(b, at, row)
    for army in range(ARMY_COUNT):
        _encode_army(b, army, who, row, army * ARMY_SIZE)
    _encode_own(b, who, row)
    if b[DEPTH]:
        _encode_step(b, who, row)
    row[R_ROUND] = min(1.0, b[ROUND] / MOST_ROUNDS)
    row[R_SECOND_TURN] = b[TURN] == 2
    row[R_CROWNS] = b[CROWNS_LEFT] / 8


@kernel_part
def _encode_place(b: Cells, at: int, row: Cells) -> None:
    start, owner = at * PLACE_SIZE, int(b[OWNER + at])
    if owner >= 0:
        row[start + owner] = 1
        for unit in range(4):
            row[start + 4 + unit] = b[UNITS_AT + 4 * at + unit] / ALL_UNITS[unit]
        gold = int(GOLD_INDEX[at])
        if gold >= 0 and b[ACTIVE + gold] == owner:
            row[start + P_SHIELD] = 1
    if b[ATTACKER + at] >= 0:
        row[start + 8 + b[ATTACKER + at]] = 1
        for unit in range(4):
            row[start + 12 + unit] = b[FORCE_AT + 4 * at + unit] / ALL_UNITS[unit]
    row[start + P_CASTLE] = b[CASTLE + at]


@kernel_part
def _encode_army(b: Cells, army: int, who: int, row: Cells, start: int) -> None:
    own = army_at(army)
    row[start + A_ME] = army == who
    row[start + A_COINS] = min(1.0, b[own + COINS] / MOST_COINS)
    for unit in range(4):
        row[start + A_RESERVE + unit] = b[own + RESERVE + unit] / ALL_UNITS[unit]
    row[start + A_HAND] = count_hand(b, own) / 8
    for place in range(2):
        if b[own + SHOWN + place] >= 0:
            row[start + A_SHOWN + b[own + SHOWN + place]] += 0.5
    for kind in range(KIND_COUNT):
        row[start + A_DISCARD + kind] = b[own + DISCARD + kind] / 2
    row[start + A_PLACED] = b[own + STACK] >= 0
    row[start + A_BID] = b[own + BID] >= 0
    row[start + A_BOUGHT] = b[own + BOUGHT] / 8
    row[start + A_CROWNS] = min(1.0, crowns_of(b, army) / MOST_CROWNS)
    for card in range(CROWN_COUNT):
        row[start + A_COMPLETED + card] = b[own + COMPLETED] >> card & 1
    row[start + A_MISSIONS] = count_bits(int(b[own + MISSIONS])) / 8
    row[start + A_SAVED] = b[own + GRACE]
    row[start + A_OUT] = b[own + OUT] > 0
    row[start + A_MARKER] = b[MARKER] == army


@kernel_part
def _encode_own(b: Cells, who: int, row: Cells) -> None:
    own = army_at(who)
    for kind in range(KIND_COUNT):
        row[R_HAND + kind] = b[own + HAND + kind] / 2
    if b[own + STACK] >= 0:
        row[R_FIRST + b[own + STACK]] = 1
    if b[own + STACK + 1] >= 0:
        row[R_SECOND + b[own + STACK + 1]] = 1
    for card in range(CROWN_COUNT):
        row[R_MISSION + card] = b[own + MISSIONS] >> card & 1


@kernel_part
def _encode_step(b: Cells, who: int, row: Cells) -> None:
    kind = step_kind(b)
    row[R_STEP + kind] = 1
    for n in range(b[DEPTH]):
        start = STEPS + STEP_SIZE * n
        if b[start] == S_ACT:
            row[R_CARD + b[start + 2]] = 1
            row[b[start + 1] * ARMY_SIZE + A_ACTS] = 1
        elif b[start] == S_KEEP and b[start + 1] == who:
            for place in range(2):
                if b[KEEP_CARDS + place] >= 0:
                    row[R_OFFERED + b[KEEP_CARDS + place]] = 1
    if kind == S_MOVE:
        if b[MOVE_ORIGIN] >= 0:
            row[b[MOVE_ORIGIN] * PLACE_SIZE + P_FROM] = 1
        if b[MOVE_TARGET] >= 0:
            row[b[MOVE_TARGET] * PLACE_SIZE + P_TO] = 1
        if b[GROUP_TO] >= 0:
            row[b[GROUP_TO] * PLACE_SIZE + P_GROUP] = 1
    elif kind == S_BATTLE:
        hits = rank_hits(b)
        row[b[B_AT] * PLACE_SIZE + P_BATTLE] = 1
        row[R_RANK + b[B_RANK] - 1] = 1
        row[R_MY_HITS] = (hits & 255) / 12
        row[R_THEIR_HITS] = (hits >> 8) / 12
