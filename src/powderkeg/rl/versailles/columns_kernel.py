"""What a seat sees, compiled: the same numbers as `columns.py`."""

from typing import Final

from powderkeg.core.fast.compiling import kernel_joint, kernel_part
from powderkeg.games.versailles.fast.board_queries import top_kind, top_value
from powderkeg.games.versailles.fast.compiling import Cells
from powderkeg.games.versailles.fast.layout import (
    ABOVE,
    ACTIVE_NATION,
    AGENDA_AT,
    DEALT,
    EVENT,
    EVENT_AT,
    EVENT_COUNT,
    EVENT_CUBE,
    EVENT_PAST,
    FREE,
    HAPPY,
    HEIGHT,
    IN_DECK,
    ISSUE_AT,
    ISSUE_COUNT,
    KEG_AT,
    LIMBO,
    LOBBY,
    MILITARY,
    MOST_LOBBY,
    NATION_COUNT,
    OPEN,
    OPEN_SLOTS,
    OPTION_SHIFT,
    P_BIDDING,
    P_CHOOSE_KEPT,
    P_CHOOSE_NATION,
    PILE,
    PILE_COUNT,
    PLAYERS,
    POLITICAL,
    POST_AT,
    POST_COUNT,
    READY,
    RECORD,
    REGION_COUNT,
    RETIRED,
    ROUND_TURN,
    SEAT_NATION,
    SLOT_SIZE,
    SPACE_AT,
    SPENT,
    STRATEGY,
    STRATEGY_IDS,
    T_SPACES,
    TABLE_SLOTS,
    TIRED,
    UNREST_AT,
)
from powderkeg.games.versailles.fast.legal_actions import asked_nation, awaits_chance
from powderkeg.rl.versailles.columns import (
    EVENT_START,
    EVENT_WIDTH,
    ISSUE_COLUMNS,
    ISSUE_START,
    ISSUE_WIDTH,
    MOST_CUBES,
    MOST_FIELDED,
    MOST_HAPPY,
    MOST_TURNS,
    NATION_COLUMNS,
    NATION_WIDTH,
    OTHER_COLUMNS,
    OTHER_START,
    REGION_START,
    REGION_WIDTH,
    TREATY_VIEW_SIZE,
)


def _issue_column(name: str) -> int:
    return ISSUE_START + ISSUE_COLUMNS.index(name)


def _other_column(name: str) -> int:
    return OTHER_START + OTHER_COLUMNS.index(name)


N_ME, N_ACTIVE, N_DECIDING, N_HAPPY, N_FREE, N_TIRED, N_READY, N_SPENT, N_RETIRED = range(9)
N_STRATEGY: Final = NATION_COLUMNS.index(f"strategy {STRATEGY_IDS[0]}")
I_TABLE, I_WAITING, I_PILE = map(_issue_column, ("table", "waiting", "pile"))
I_DRAWN, I_UNSETTLED = map(_issue_column, ("drawn", "unsettled"))
I_CUBES, I_OWNER = map(_issue_column, ("cubes uk", "owner uk"))
I_CHOSEN: Final = _issue_column("first option")
X_DEALT: Final = _other_column(f"dealt {STRATEGY_IDS[0]}")
X_STEP, X_CUBE = map(_other_column, ("step FirstPlayer", "cube of uk"))
X_BID, X_STRENGTH = map(_other_column, ("best bid of uk", "best bid strength"))
X_BID_CUBES, X_POLITICAL = map(_other_column, ("best bid cubes", "political done"))
X_MILITARY, X_TURN, X_DECK = map(_other_column, ("military done", "turn", "deck"))
X_END, X_SPACES = map(_other_column, ("game end drawn", "spaces taken"))


@kernel_joint
def encode_treaty(b: Cells, t: Cells, seat: int, row: Cells) -> None:
    """Write what a seat sees."""
    for column in range(TREATY_VIEW_SIZE):
        row[column] = 0
    for nation in range(NATION_COUNT):
        _encode_nation(b, nation, row, nation * NATION_WIDTH)
    if b[SEAT_NATION + seat] >= 0:
        row[b[SEAT_NATION + seat] * NATION_WIDTH + N_ME] = 1
    for region in range(REGION_COUNT):
        _encode_region(b, region, row, REGION_START + region * REGION_WIDTH)
    _encode_open(b, row)
    _encode_held(b, row)
    _encode_events(b, row)
    if b[HEIGHT]:
        _encode_pending(b, row)
    _encode_rest(b, t, row)


@kernel_part
def _encode_nation(b: Cells, nation: int, row: Cells, start: int) -> None:
    row[start + N_HAPPY] = max(0, int(b[HAPPY + nation])) / MOST_HAPPY
    row[start + N_FREE] = b[FREE + nation] / MOST_CUBES
    row[start + N_TIRED] = b[TIRED + nation] / MOST_CUBES
    row[start + N_READY] = b[READY + nation] / MOST_FIELDED
    row[start + N_SPENT] = b[SPENT + nation] / MOST_FIELDED
    row[start + N_RETIRED] = b[RETIRED + nation] / MOST_FIELDED
    if b[ACTIVE_NATION] == nation:
        row[start + N_ACTIVE] = 1
    if b[STRATEGY + nation] >= 0:
        row[start + N_STRATEGY + b[STRATEGY + nation]] = 1


@kernel_part
def _encode_region(b: Cells, region: int, row: Cells, start: int) -> None:
    row[start] = b[UNREST_AT + region] / 8
    row[start + 1] = b[KEG_AT + region] / 3
    for post in range(POST_COUNT):
        owner = int(b[POST_AT + POST_COUNT * region + post])
        if owner >= 0:
            row[start + 2 + 4 * post + owner] = 1


@kernel_part
def _encode_open(b: Cells, row: Cells) -> None:
    """Issues on the table, in the waiting room, on the pile and in limbo."""
    for place in range(OPEN_SLOTS):
        slot = OPEN + SLOT_SIZE * place
        if b[slot] >= 0:
            start = int(b[slot]) * ISSUE_WIDTH
            row[start + (I_TABLE if place < TABLE_SLOTS else I_WAITING)] = 1
            for nation in range(4):
                row[start + I_CUBES + nation] = b[slot + 1 + nation] / MOST_CUBES
    for place in range(b[PILE_COUNT]):
        row[b[PILE + place] * ISSUE_WIDTH + I_PILE] = 1
    if b[LIMBO] >= 0:
        row[b[LIMBO] * ISSUE_WIDTH + I_UNSETTLED] = 1


@kernel_part
def _encode_held(b: Cells, row: Cells) -> None:
    """Settled issues, and the size of the deck."""
    deck = int(b[ABOVE] != -1)
    for issue in range(ISSUE_COUNT):
        held = int(b[ISSUE_AT + issue])
        if held >= 0:
            start, option = issue * ISSUE_WIDTH, (held >> OPTION_SHIFT & 15) - 1
            row[start + I_OWNER + (held & 7)] = 1
            if option >= 0:
                row[start + I_CHOSEN + min(option, 2)] = 1
        elif held == IN_DECK:
            deck += 1
    row[X_DECK] = deck / ISSUE_COUNT


@kernel_part
def _encode_events(b: Cells, row: Cells) -> None:
    for event in range(EVENT_COUNT):
        if b[EVENT_AT + event] == EVENT_PAST:
            row[EVENT_START + event * EVENT_WIDTH + 2] = 1
    if b[EVENT] >= 0:
        row[EVENT_START + b[EVENT] * EVENT_WIDTH] = 1
    for place in range(MOST_LOBBY):
        if b[LOBBY + place] >= 0:
            row[EVENT_START + b[LOBBY + place] * EVENT_WIDTH + 1] = 1


@kernel_part
def _encode_pending(b: Cells, row: Cells) -> None:
    kind = top_kind(b)
    row[X_STEP + kind] = 1
    if kind == P_CHOOSE_KEPT:
        row[top_value(b, 1) * ISSUE_WIDTH + I_DRAWN] = 1
        row[top_value(b, 2) * ISSUE_WIDTH + I_DRAWN] = 1
    if kind != P_CHOOSE_NATION and not awaits_chance(b):
        row[asked_nation(b) * NATION_WIDTH + N_DECIDING] = 1
    for place in range(b[HEIGHT]):
        start = AGENDA_AT + RECORD * place
        if b[start] == P_BIDDING and b[start + 4] >= 0:
            force = int(b[start + 5])
            row[X_BID + b[start + 4]] = 1
            row[X_STRENGTH] = min(1.0, ((force >> 1) + 2 * (force & 1)) / (MOST_FIELDED + 2))
            row[X_BID_CUBES] = b[start + 6] / MOST_CUBES


@kernel_part
def _encode_rest(b: Cells, t: Cells, row: Cells) -> None:
    for place in range(int(b[PLAYERS]) + 1):
        if b[DEALT + place] >= 0:
            row[X_DEALT + b[DEALT + place]] = 1
    if b[EVENT_CUBE] >= 0:
        row[X_CUBE + b[EVENT_CUBE]] = 1
    row[X_POLITICAL], row[X_MILITARY] = b[POLITICAL], b[MILITARY]
    row[X_TURN] = min(1.0, b[ROUND_TURN] / MOST_TURNS)
    row[X_END] = b[ABOVE] == -1
    taken = 0
    for space in range(t[T_SPACES]):
        taken += int(b[SPACE_AT + space] >= 0)
    row[X_SPACES] = taken / t[T_SPACES]
