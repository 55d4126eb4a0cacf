"""What Python calls: the policy's answer, and rollouts of several answers with the same luck."""

from powderkeg.bots.engine.shares import SCORE_PART
from powderkeg.bots.versailles.fast.bargains import NO_DEAL, find_bargain, make_bargain
from powderkeg.bots.versailles.fast.compiling import Cells
from powderkeg.bots.versailles.fast.position_value import (
    X_POINTS,
    estimate_points,
    fill_hopes,
    fill_worths,
    spread_chances,
)
from powderkeg.bots.versailles.fast.quick_policy import copy_board, policy_code
from powderkeg.core.fast.compiling import kernel_entry, kernel_part
from powderkeg.games.versailles.fast.board_queries import nation_score, ranking_number
from powderkeg.games.versailles.fast.game_flow import (
    answer_step,
    meet_outcome,
    run_board,
    sample_fall,
)
from powderkeg.games.versailles.fast.layout import (
    HEIGHT,
    NOT_LISTED,
    PLAYERS,
    ROUND_TURN,
    SEAT_NATION,
    SHEET_COUNT,
    STRATEGY_COUNT,
)
from powderkeg.games.versailles.fast.legal_actions import awaits_chance

LONGEST_ROLLOUT = 2000  # answers and outcomes


@kernel_part
def play_on(
    b: Cells, t: Cells, v: Cells, x: Cells, w: Cells, c: Cells, s: Cells, d: Cells, e: Cells, o: Cells,
    r: Cells, until: int, talks: int,
) -> None:  # fmt: skip
    """As `play_policy`; from turn `talks` on, players also make simple deals."""
    for _ in range(LONGEST_ROLLOUT):
        if b[HEIGHT] == 0 or b[ROUND_TURN] >= until:
            break
        if awaits_chance(b):
            sample_fall(b, r, o)
            meet_outcome(b, t, o)
            run_board(b, t, w)
            continue
        deal = NO_DEAL
        if b[ROUND_TURN] >= talks:
            deal = find_bargain(b, t, v, x, c, s, d, e, r)
        if deal != NO_DEAL:
            make_bargain(b, t, w, deal)
        else:
            answer_step(b, t, policy_code(b, t, v, x, w, c, s, r))
            run_board(b, t, w)


@kernel_part
def write_shares(b: Cells, t: Cells, v: Cells, x: Cells, out: Cells) -> None:
    """The shares of the seats where a rollout stopped; of an end, half by who won and half by how close
    everyone came."""
    players = int(b[PLAYERS])
    if b[HEIGHT]:
        estimate_points(b, t, v, x)
        spread_chances(b, v, x, out)
        return
    best, winners, squares, low = -(1 << 40), 0, 0.0, 0.0
    for seat in range(players):
        nation = int(b[SEAT_NATION + seat])
        x[X_POINTS + nation] = nation_score(b, t, nation)
        low = min(low, float(x[X_POINTS + nation]))
        rank = ranking_number(b, t, nation)
        if rank > best:
            best, winners = rank, 0
        winners += int(rank == best)
    for seat in range(players):
        squares += (x[X_POINTS + b[SEAT_NATION + seat]] - low) ** 2
    spread_chances(b, v, x, out)
    for seat in range(players):
        nation = int(b[SEAT_NATION + seat])
        won = SCORE_PART * ((x[X_POINTS + nation] - low) ** 2 / squares if squares else 1 / players)
        if ranking_number(b, t, nation) == best:
            won += (1 - SCORE_PART) / winners
        out[seat] = (out[seat] + won) / 2


@kernel_entry
def roll_out_codes(
    root: Cells, t: Cells, v: Cells, codes: Cells, seeds: Cells, until: int, talks: int,
    boards: Cells, sheets: Cells, x: Cells, o: Cells, r: Cells, out: Cells,
) -> None:  # fmt: skip
    """Roll out every answer once per seed, or the position as it stands where the answer is -1: `out` gets
    the shares by answer, seed and seat."""
    b, c, w, s = boards[0], boards[1], sheets[0], sheets[1]
    d, e = boards[2], sheets[2]
    for k in range(len(codes)):
        for n in range(len(seeds)):
            r[0] = seeds[n]
            copy_board(root, b)
            w[SHEET_COUNT] = NOT_LISTED
            if codes[k] >= 0:
                answer_step(b, t, int(codes[k]))
                run_board(b, t, w)
            play_on(b, t, v, x, w, c, s, d, e, o, r, until, talks)
            write_shares(b, t, v, x, out[k, n])


@kernel_entry
def prepare_sheet(b: Cells, t: Cells, v: Cells) -> None:
    """Complete a value sheet for the strategies of this game."""
    for row in range(STRATEGY_COUNT):
        fill_worths(t, v, row)
    fill_hopes(b, t, v)


@kernel_entry
def choose_code(
    root: Cells, t: Cells, v: Cells, boards: Cells, sheets: Cells, x: Cells, r: Cells
) -> int:
    """The policy's answer to the pending question."""
    sheets[0][SHEET_COUNT] = NOT_LISTED
    return policy_code(root, t, v, x, sheets[0], boards[1], sheets[1], r)


@kernel_entry
def offer_code(
    root: Cells, t: Cells, v: Cells, boards: Cells, sheets: Cells, x: Cells, r: Cells
) -> int:
    """The deal of the active player in rollouts; see `bargains`."""
    return find_bargain(root, t, v, x, boards[1], sheets[1], boards[2], sheets[2], r)


@kernel_entry
def estimate_board(b: Cells, t: Cells, v: Cells, x: Cells) -> None:
    """The points that each nation may expect, into `x`."""
    estimate_points(b, t, v, x)
