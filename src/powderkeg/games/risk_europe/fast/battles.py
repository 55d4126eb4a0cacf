"""Battles and Siege Assault, compiled: the counterpart of `rules/battles.py`."""

from powderkeg.games.risk_europe.fast.board_changes import pop_record, push_record, set_owner
from powderkeg.games.risk_europe.fast.board_queries import (
    SIEGES,
    Cells,
    army_at,
    bonus_sum,
    losing_player,
    sum_units,
    units_here,
)
from powderkeg.games.risk_europe.fast.compiling import kernel_part
from powderkeg.games.risk_europe.fast.dice import GENERAL_RANK, dice_of, rank_hits
from powderkeg.games.risk_europe.fast.layout import (
    ACTIVE,
    ATTACKER,
    B_AT,
    B_BATTLE,
    B_MINE,
    B_RANK,
    B_REROLL,
    B_STAGE,
    B_THEIRS,
    CASTLE,
    CASTLE_ASKED,
    COINS,
    FORCE_AT,
    LOSSES,
    MY_DICE,
    MY_LOSSES,
    OWNER,
    REROLL_DUE,
    RESERVE,
    ROLL,
    S_BATTLE,
    S_CASUALTIES,
    THEIR_DICE,
    THEIR_LOSSES,
    UNITS_AT,
    V_REROLL,
    V_STAND,
    VERB_SHIFT,
    WINS,
)
from powderkeg.games.risk_europe.fast.legal_actions import step_value
from powderkeg.games.risk_europe.fast.map_tables import STOCKHOLM

SPOILS = 4  # coins of Stockholm: R-CITY-09


@kernel_part
def begin_battle(b: Cells, at: int) -> None:
    push_record(b, S_BATTLE, 0, 0, 0)
    b[B_AT] = at
    b[B_REROLL] = 1
    set_rank(b, 1)


@kernel_part
def set_rank(b: Cells, rank: int) -> None:
    b[B_RANK], b[B_STAGE], b[B_MINE], b[B_THEIRS] = rank, ROLL, 0, 0
    b[MY_LOSSES] = b[THEIR_LOSSES] = -1


@kernel_part
def next_ranks(b: Cells) -> None:
    """As `_next_rank_step`."""
    rank = int(b[B_RANK]) % GENERAL_RANK + 1
    if rank == 1:
        b[B_REROLL] = 1
    set_rank(b, rank)


@kernel_part
def my_dice(b: Cells) -> int:
    return dice_of(b, int(b[B_RANK]), FORCE_AT + 4 * int(b[B_AT]), 3)


@kernel_part
def their_dice(b: Cells) -> int:
    return dice_of(b, int(b[B_RANK]), UNITS_AT + 4 * int(b[B_AT]), 2)


@kernel_part
def skip_empty_ranks(b: Cells) -> None:
    """As `skip_rank`, as often as needed; the general attack always has dice."""
    while b[B_STAGE] == ROLL and my_dice(b) + their_dice(b) == 0:
        next_ranks(b)


@kernel_part
def roll_battle(b: Cells, o: Cells) -> None:
    """As `battle_rolled`: the dice in `o` fell."""
    if b[B_STAGE] == REROLL_DUE:
        for n in range(b[B_THEIRS]):
            b[THEIR_DICE + n] = o[n]
        b[B_REROLL] = 0
        resolve_dice(b)
        return
    mine, theirs = my_dice(b), their_dice(b)
    b[B_MINE], b[B_THEIRS] = mine, theirs
    for n in range(mine):
        b[MY_DICE + n] = o[n]
    for n in range(theirs):
        b[THEIR_DICE + n] = o[mine + n]
    if _reroll_helps(b):
        b[B_STAGE] = CASTLE_ASKED
    else:
        resolve_dice(b)


@kernel_part
def _reroll_helps(b: Cells) -> bool:
    """As `_may_reroll`."""
    at, mine, theirs = int(b[B_AT]), int(b[B_MINE]), int(b[B_THEIRS])
    if not (b[B_REROLL] and theirs and b[CASTLE + at]):
        return False
    best = min(mine, theirs) if b[B_RANK] == GENERAL_RANK else theirs
    return rank_hits(b) & 255 < min(best, sum_units(b, FORCE_AT + 4 * at))


@kernel_part
def has_loss_choice(b: Cells, start: int, hits: int) -> bool:
    """As `has_choice`."""
    kinds = 0
    for unit in range(4):
        kinds += int(b[start + unit] > 0)
    return 0 < hits < sum_units(b, start) and kinds > 1


@kernel_part
def lose_cheapest(b: Cells, start: int, hits: int, to: int) -> None:
    """Write the cheapest `hits` units from `start` to the four numbers at `to`."""
    for unit in range(4):
        lost = min(int(b[start + unit]), hits)
        b[to + unit] = lost
        hits -= lost


@kernel_part
def resolve_dice(b: Cells) -> None:
    """As `_resolve_hits`."""
    hits, at = rank_hits(b), int(b[B_AT])
    b[B_STAGE] = LOSSES
    if not has_loss_choice(b, FORCE_AT + 4 * at, hits & 255):
        lose_cheapest(b, FORCE_AT + 4 * at, hits & 255, MY_LOSSES)
    if not has_loss_choice(b, UNITS_AT + 4 * at, hits >> 8):
        lose_cheapest(b, UNITS_AT + 4 * at, hits >> 8, THEIR_LOSSES)
    take_losses(b)


@kernel_part
def take_losses(b: Cells) -> None:
    """As `_apply_losses`."""
    if b[MY_LOSSES] < 0 or b[THEIR_LOSSES] < 0:
        return
    at = int(b[B_AT])
    attacker, defender = int(b[ATTACKER + at]), int(b[OWNER + at])
    remove_units(b, attacker, FORCE_AT + 4 * at, MY_LOSSES)
    remove_units(b, defender, UNITS_AT + 4 * at, THEIR_LOSSES)
    if sum_units(b, FORCE_AT + 4 * at) and units_here(b, at):
        next_ranks(b)
    else:
        end_battle(b, at, attacker, defender)


@kernel_part
def remove_units(b: Cells, army: int, start: int, lost: int) -> None:
    """Units return to the reserve of their army (R-BAT-18)."""
    own = army_at(army) + RESERVE
    for unit in range(4):
        b[start + unit] -= b[lost + unit]
        b[own + unit] += b[lost + unit]


@kernel_part
def end_battle(b: Cells, at: int, attacker: int, defender: int) -> None:
    """As `_end_battle`."""
    pop_record(b)
    b[ATTACKER + at] = -1
    if sum_units(b, FORCE_AT + 4 * at):
        for unit in range(4):
            b[UNITS_AT + 4 * at + unit] = b[FORCE_AT + 4 * at + unit]
            b[FORCE_AT + 4 * at + unit] = 0
        set_owner(b, at, attacker)
        own = army_at(attacker)
        b[own + WINS] += 1
        if b[ACTIVE + STOCKHOLM] == attacker:
            b[own + COINS] += SPOILS
        b[own + COINS] += bonus_sum(b, attacker, B_BATTLE, -1)
    elif units_here(b, at):
        b[army_at(defender) + COINS] += bonus_sum(b, defender, B_BATTLE, -1)
    else:
        set_owner(b, at, -1)


@kernel_part
def answer_battle(b: Cells, who: int, code: int) -> None:
    """As `battle_answer`."""
    verb = code >> VERB_SHIFT
    if verb == V_REROLL:
        b[B_STAGE] = REROLL_DUE
    elif verb == V_STAND:
        resolve_dice(b)
    else:
        at = int(b[B_AT])
        mine = b[MY_LOSSES] < 0 and (
            losing_player(b, int(b[ATTACKER + at]), int(b[OWNER + at])) == who
        )
        write_units(b, MY_LOSSES if mine else THEIR_LOSSES, code)
        take_losses(b)


@kernel_part
def write_units(b: Cells, to: int, code: int) -> None:
    """The four counts of a code."""
    b[to], b[to + 1] = code >> 11 & 63, code >> 7 & 15
    b[to + 2], b[to + 3] = code >> 3 & 15, code & 7


# Siege Assault


@kernel_part
def roll_assault(b: Cells, o: Cells) -> None:
    """As `assault_rolled`."""
    army, origin, target = step_value(b, 1), step_value(b, 2), step_value(b, 3)
    hits = 0
    for n in range(2 * int(b[UNITS_AT + 4 * origin + SIEGES])):
        hits += int(o[n] >= 3)
    pop_record(b)
    if hits == 0:
        return
    if has_loss_choice(b, UNITS_AT + 4 * target, hits):
        push_record(b, S_CASUALTIES, target, army, hits)
        return
    lose_cheapest(b, UNITS_AT + 4 * target, hits, MY_LOSSES)
    remove_bombarded(b, target)


@kernel_part
def remove_bombarded(b: Cells, at: int) -> None:
    """As `_remove_bombarded`; the losses lie where those of a battle do."""
    remove_units(b, int(b[OWNER + at]), UNITS_AT + 4 * at, MY_LOSSES)
    if units_here(b, at) == 0:
        set_owner(b, at, -1)


@kernel_part
def answer_casualties(b: Cells, code: int) -> None:
    at = step_value(b, 1)
    pop_record(b)
    write_units(b, MY_LOSSES, code)
    remove_bombarded(b, at)
