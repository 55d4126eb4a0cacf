"""What Python calls: the policy's answer, a position's chances, and many lines from several boards."""

from powderkeg.bots.risk_europe.fast.board_value import fill_chances, fill_stakes
from powderkeg.bots.risk_europe.fast.compiling import Cells
from powderkeg.bots.risk_europe.fast.greedy_policy import policy_answer
from powderkeg.bots.risk_europe.fast.value_layout import CHANCES, P_ARMY
from powderkeg.core.fast.compiling import kernel_entry, kernel_part
from powderkeg.core.fast.luck import random_below
from powderkeg.games.risk_europe.fast.board_queries import army_at, is_alive
from powderkeg.games.risk_europe.fast.game_flow import (
    give_answer,
    give_outcome,
    run_on,
    sample_outcome,
)
from powderkeg.games.risk_europe.fast.kernel import last_asked
from powderkeg.games.risk_europe.fast.layout import (
    ARMY_COUNT,
    DEPTH,
    HAND,
    KIND_COUNT,
    LISTED,
    PEOPLE,
    ROUND,
    S_PICK,
    STACK,
)
from powderkeg.games.risk_europe.fast.legal_actions import asked_bits, step_kind, waits_for_chance

LONGEST_LINE = 20000  # answers and outcomes
STOP, ANSWER = 0, 1
FINE = 1 << 20  # a chance of 1 in the numbers of `deals`


@kernel_part
def copy_cells(source: Cells, to: Cells) -> None:
    for n in range(len(source)):
        to[n] = source[n]


@kernel_part
def deal_cards(b: Cells, deals: Cells, r: Cells) -> None:
    """Guess the placed cards of those whose row of `deals` has chances: of pairs, first card first."""
    picking = step_kind(b) == S_PICK
    for who in range(b[PEOPLE]):
        own = army_at(who)
        if deals[who, 0] < 0 or not is_alive(b, who):
            continue
        count = 2 if picking else int(b[own + STACK] >= 0) + int(b[own + STACK + 1] >= 0)
        for place in range(2):
            if b[own + STACK + place] >= 0:
                b[own + HAND + b[own + STACK + place]] += 1
            b[own + STACK + place] = -1
        at, pair = random_below(r, FINE), 0
        while pair < KIND_COUNT * KIND_COUNT - 1 and at >= deals[who, pair]:
            at -= int(deals[who, pair])
            pair += 1
        for place in range(count):
            kind = pair // KIND_COUNT if place == 0 else pair % KIND_COUNT
            b[own + STACK + place] = kind
            b[own + HAND + kind] -= 1


@kernel_part
def play_line(
    b: Cells, e: Cells, h: Cells, q: Cells, p: Cells, c: Cells, w: Cells, o: Cells,
    r: Cells, until: int,
) -> None:  # fmt: skip
    """Play on to the cards of round `until`, or to the end."""
    seen = -1
    for _ in range(LONGEST_LINE):
        if b[DEPTH] == 0:
            return
        if waits_for_chance(b):
            sample_outcome(b, r, o)
            give_outcome(b, o)
        else:
            if b[ROUND] != seen:
                if b[ROUND] >= until and step_kind(b) == S_PICK:
                    return
                seen = int(b[ROUND])
                fill_stakes(b, e, h, q)  # hinder the present leader
            who = last_asked(asked_bits(b))
            give_answer(b, who, policy_answer(b, e, h, q, p, c, w, r, who))
        run_on(b, w)


@kernel_entry
def play_lines(
    starts: Cells, deals: Cells, seeds: Cells, until: int, boards: Cells, e: Cells, h: Cells,
    q: Cells, p: Cells, w: Cells, o: Cells, r: Cells, out: Cells,
) -> None:  # fmt: skip
    """A line from every board for every seed; `out` gets the chances by board, seed and player, and then
    the pairs of cards that they placed."""
    b, c = boards[0], boards[1]
    for k in range(len(starts)):
        for n in range(len(seeds)):
            r[0] = seeds[n]
            copy_cells(starts[k], b)
            p[P_ARMY] = -1
            w[LISTED] = -1
            if b[DEPTH]:
                deal_cards(b, deals, r)
                for who in range(ARMY_COUNT):
                    own = army_at(who)
                    out[k, n, ARMY_COUNT + who] = b[own + STACK] * KIND_COUNT + b[own + STACK + 1]
                run_on(b, w)
            play_line(b, e, h, q, p, c, w, o, r, until)
            fill_chances(b, e, h, q)
            for who in range(ARMY_COUNT):
                out[k, n, who] = e[CHANCES + who]


@kernel_entry
def command_policy(
    what: int, b: Cells, who: int, e: Cells, h: Cells, q: Cells, p: Cells, c: Cells, w: Cells,
    r: Cells,
) -> int:  # fmt: skip
    """For one board: the policy's answer, or the chances of the position, into the sheet."""
    if what == STOP:
        fill_chances(b, e, h, q)
        return 0
    if p[P_ARMY] < 0:
        fill_stakes(b, e, h, q)
    w[LISTED] = -1
    return policy_answer(b, e, h, q, p, c, w, r, who)
