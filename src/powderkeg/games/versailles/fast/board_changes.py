"""Changing the board, compiled: the counterparts of `rules/tracks.py` and `rules/military.py`."""

from powderkeg.core.fast.compiling import kernel_part
from powderkeg.games.versailles.board import LAST_KEG, NOBODY, POSTS
from powderkeg.games.versailles.fast.board_queries import (
    fielded_units,
    is_played,
    leftmost_unit,
    own_post,
    push_step,
)
from powderkeg.games.versailles.fast.compiling import Cells
from powderkeg.games.versailles.fast.layout import (
    ACTED,
    AT_HOME,
    FIRST_REGION,
    FREE,
    HAPPY,
    KEG_AT,
    P_MUTINIES,
    POST_AT,
    POST_COUNT,
    READY,
    RETIRED,
    SPACE_AT,
    SPENT,
    T_ALLOWED,
    T_BACK,
    T_KEG_STAYS,
    T_LAST_SPACE,
    T_MOST_HAPPY,
    T_MUTINY_GAIN,
    T_SPACE,
    T_SPACES,
    T_UNHAPPY,
    TIRED,
    UNREST_AT,
    WORN_OUT,
)

FIRST_POST = POSTS[0]

# Regions


@kernel_part
def shift_unrest(b: Cells, region: int, n: int) -> None:
    """As `add_unrest`."""
    cap = FIRST_POST + leftmost_unit(b, region) - 1
    new = min(int(b[UNREST_AT + region]) + n, cap)
    b[UNREST_AT + region] = max(int(b[KEG_AT + region]) + 1, new)


@kernel_part
def shift_keg(b: Cells, t: Cells, region: int, n: int) -> None:
    """As `add_keg`."""
    old = int(b[KEG_AT + region])
    least = min(old, 1) if t[T_KEG_STAYS] else 0
    new = max(least, min(old + n, LAST_KEG))
    b[KEG_AT + region] = new
    if new != old and b[UNREST_AT + region] <= new:
        b[UNREST_AT + region] = new + 1


@kernel_part
def calm_region(b: Cells, t: Cells, region: int) -> None:
    """As `reset_track`."""
    shift_keg(b, t, region, 1)
    b[UNREST_AT + region] = int(b[KEG_AT + region]) + 1


# Happiness


@kernel_part
def shift_mood(b: Cells, t: Cells, nation: int, n: int) -> bool:
    """Move a marker; whether units are going to mutiny."""
    old = int(b[HAPPY + nation])
    if old <= 0 or n == 0:
        return False
    new = max(0, min(old + n, int(t[T_MOST_HAPPY])))
    b[HAPPY + nation] = new
    if new >= old or not is_played(b, nation):
        return False
    return fielded_units(b, nation) > int(t[T_ALLOWED + new])


@kernel_part
def change_mood(b: Cells, t: Cells, nation: int, n: int) -> None:
    """As `add_happiness`."""
    if shift_mood(b, t, nation, n):
        push_step(b, P_MUTINIES, nation, 0, 0)


@kernel_part
def push_mutinies(b: Cells, listed: int) -> None:
    """The mutinies of a list of nations; the first one happens first."""
    shift = 12
    while shift >= 0:
        if listed >> shift & 7:
            push_step(b, P_MUTINIES, (listed >> shift & 7) - 1, 0, 0)
        shift -= 3


# Cubes


@kernel_part
def exhaust_cubes(b: Cells, nation: int, n: int) -> None:
    n = min(n, int(b[FREE + nation]))
    b[FREE + nation] -= n
    b[TIRED + nation] += n


@kernel_part
def recover_cubes(b: Cells, nation: int, n: int) -> None:
    n = min(n, int(b[TIRED + nation]))
    b[TIRED + nation] -= n
    b[FREE + nation] += n


# Units; a unit is named by where it is


@kernel_part
def lift_unit(b: Cells, nation: int, unit: int) -> None:
    """As `take_unit`."""
    if unit == AT_HOME:
        b[READY + nation] -= 1
    elif unit == WORN_OUT:
        b[SPENT + nation] -= 1
    else:
        region = unit - FIRST_REGION
        b[POST_AT + POST_COUNT * region + own_post(b, nation, region)] = NOBODY


@kernel_part
def wear_out(b: Cells, nation: int, unit: int) -> None:
    """As `exhaust_unit`."""
    lift_unit(b, nation, unit)
    b[SPENT + nation] += 1


@kernel_part
def retire_mutineer(b: Cells, t: Cells, nation: int, unit: int) -> None:
    """As `mutiny_unit`."""
    lift_unit(b, nation, unit)
    b[RETIRED + nation] += 1
    change_mood(b, t, nation, int(t[T_MUTINY_GAIN]))


@kernel_part
def send_home(b: Cells, t: Cells, nation: int, unit: int) -> None:
    """As `demobilise_unit`."""
    b[ACTED] = 1
    lift_unit(b, nation, unit)
    for space in range(t[T_SPACES]):
        if b[SPACE_AT + space] < 0:
            b[SPACE_AT + space] = nation
            change_mood(b, t, nation, int(t[T_SPACE + space]))
            return
    b[RETIRED + nation] += 1
    change_mood(b, t, nation, int(t[T_LAST_SPACE]))


@kernel_part
def send_unit(b: Cells, t: Cells, nation: int, bits: int) -> None:
    """As `deploy_unit`; `bits` are those of the answer."""
    unit, region, post = bits >> 5, bits >> 2 & 7, bits & 3
    b[ACTED] = 1
    lift_unit(b, nation, unit)
    b[POST_AT + POST_COUNT * region + post] = nation
    b[UNREST_AT + region] = min(int(b[UNREST_AT + region]), FIRST_POST + post - 1)
    recover_cubes(b, nation, int(t[T_BACK + post]))
    change_mood(b, t, nation, -int(t[T_UNHAPPY + post]))
