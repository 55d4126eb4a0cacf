"""What Python calls: single steps for one board, and whole random games for many."""

from powderkeg.core.fast.compiling import kernel_entry, kernel_layer, kernel_part
from powderkeg.core.fast.luck import random_below
from powderkeg.games.versailles.board import NOBODY, USA
from powderkeg.games.versailles.fast.board_queries import (
    cheapest_other,
    issue_slot,
    lead_cost,
    may_place,
    nation_score,
    ranking_number,
    top_kind,
    top_value,
)
from powderkeg.games.versailles.fast.compiling import Cells
from powderkeg.games.versailles.fast.game_flow import (
    answer_step,
    meet_outcome,
    run_board,
    sample_fall,
)
from powderkeg.games.versailles.fast.layout import (
    A_BID,
    A_END,
    A_PASS,
    A_PLACE,
    ACTIVE_NATION,
    ANSWER_BITS,
    ANSWER_SHIFT,
    FREE,
    HEIGHT,
    MILITARY,
    NOT_LISTED,
    OPEN,
    OPEN_SLOTS,
    P_BIDDING,
    P_PLACE_SECOND,
    P_TURN,
    PLAYERS,
    POLITICAL,
    SHEET_COUNT,
    SHEET_LIST,
    SLOT_SIZE,
)
from powderkeg.games.versailles.fast.layout import A_DEMOBILISE as A_HOME
from powderkeg.games.versailles.fast.legal_actions import (
    asked_seat,
    awaits_chance,
    legal_count,
    list_bids,
    list_choices,
    list_deployments,
    list_reclaims,
    list_settles,
    may_act,
    may_deploy,
    may_reclaim,
    note_set,
    settle_count,
    unit_set,
)

ASKS_CHANCE, ASKS_NOBODY = -1, -2
ASK_BOARD, LIST_LEGAL, GIVE_ANSWER, GIVE_OUTCOME, ADD_SCORE, RANK_NATION = range(6)


@kernel_part
def asked_now_at(b: Cells) -> int:
    """The seat that is asked; `ASKS_CHANCE`; `ASKS_NOBODY` when the game is over."""
    if b[HEIGHT] == 0:
        return ASKS_NOBODY
    return ASKS_CHANCE if awaits_chance(b) else asked_seat(b)


@kernel_entry
def command_treaty(what: int, b: Cells, t: Cells, number: int, w: Cells, o: Cells) -> int:
    """The one door for a single board, so that it is compiled once; `number` is a code or a nation."""
    if what == ASK_BOARD:
        return asked_now_at(b)
    if what == LIST_LEGAL:
        return legal_count(b, t, w)
    if what == ADD_SCORE:
        return nation_score(b, t, number)
    if what == RANK_NATION:
        return ranking_number(b, t, number)
    if what == GIVE_ANSWER:
        answer_step(b, t, number)
    else:
        meet_outcome(b, t, o)
    run_board(b, t, w)
    return asked_now_at(b)


# Random play: every choice as likely as `Legal.sample` makes it, offers of deals aside


@kernel_part
def sample_listed(w: Cells, r: Cells, count: int) -> int:
    return int(w[SHEET_LIST + random_below(r, count)])


@kernel_part
def sample_placing(b: Cells, w: Cells, r: Cells, nation: int, first: int) -> int:
    """As `sample_place`: an issue first, then how many cubes; `first` is the first slot or -1."""
    purse, count = int(b[FREE + nation]), 0
    for place in range(OPEN_SLOTS):
        slot = OPEN + SLOT_SIZE * place
        if b[slot] >= 0 and slot != first:
            top = purse if first >= 0 else purse - cheapest_other(b, nation, slot)
            if lead_cost(b, nation, slot) <= top:
                w[SHEET_LIST + 2 * count], w[SHEET_LIST + 2 * count + 1] = slot, top
                count += 1
    choice = random_below(r, count)
    slot, top = int(w[SHEET_LIST + 2 * choice]), int(w[SHEET_LIST + 2 * choice + 1])
    low = lead_cost(b, nation, slot)
    return A_PLACE << ANSWER_SHIFT | int(b[slot]) << 8 | low + random_below(r, top - low + 1)


@kernel_layer
def sample_turn(b: Cells, t: Cells, w: Cells, r: Cells) -> int:
    """As `turn_answers` draws it: a verb that is open, then the rest."""
    nation = int(b[ACTIVE_NATION])
    owed, idle = not b[POLITICAL], bool(b[MILITARY])
    settles = settle_count(b, nation) if owed else 0
    reclaims, places = owed and may_reclaim(b, nation), owed and may_place(b, nation)
    units = 0 if idle else unit_set(b, nation)
    deploys = units > 0 and may_deploy(b, nation)
    ends = not owed or not may_act(b, nation)
    verbs = int(settles > 0) + int(reclaims) + int(places) + int(units > 0) + int(deploys)
    choice = random_below(r, verbs + int(ends))
    choice -= int(settles > 0)
    if choice < 0:
        return sample_listed(w, r, list_settles(b, w, 0, nation))
    choice -= int(reclaims)
    if choice < 0:
        return sample_listed(w, r, list_reclaims(b, t, w, 0, nation))
    choice -= int(places)
    if choice < 0:
        return sample_placing(b, w, r, nation, NOBODY)
    choice -= int(units > 0)
    if choice < 0:
        return sample_listed(w, r, note_set(w, 0, A_HOME, units, 0))
    choice -= int(deploys)
    if choice < 0:
        return sample_listed(w, r, list_deployments(b, w, 0, nation))
    return A_END << ANSWER_SHIFT


@kernel_layer
def sample_raise(b: Cells, t: Cells, w: Cells, r: Cells) -> int:
    """As `sample_bid`: pass half of the time, else units first, then how many cubes."""
    nation = (top_value(b, 3) & 7) - 1
    purse = int(b[FREE + nation])
    count = list_bids(b, t, w, nation, purse, 1)
    if count == 0 or random_below(r, 2):
        return A_PASS << ANSWER_SHIFT
    bits = sample_listed(w, r, count) & ANSWER_BITS
    few = bits & 127
    return A_BID << ANSWER_SHIFT | bits + random_below(r, purse - few + 1)


@kernel_layer
def sample_answer(b: Cells, t: Cells, w: Cells, r: Cells) -> int:
    """A random legal answer; `run_board` has just looked at this board."""
    kind = top_kind(b)
    if kind == P_TURN:
        return sample_turn(b, t, w, r)
    if kind == P_PLACE_SECOND and not (b[PLAYERS] == 2 and top_value(b, 1) == USA):
        first = issue_slot(b, top_value(b, 2))
        return sample_placing(b, w, r, top_value(b, 1), first)
    if kind == P_BIDDING:
        return sample_raise(b, t, w, r)
    count = int(w[SHEET_COUNT])
    if count == NOT_LISTED:
        count = list_choices(b, t, w)
    return sample_listed(w, r, count)


@kernel_layer
def play_random_step(b: Cells, t: Cells, w: Cells, o: Cells, r: Cells) -> None:
    """One random answer or outcome."""
    if awaits_chance(b):
        sample_fall(b, r, o)
        meet_outcome(b, t, o)
    else:
        answer_step(b, t, sample_answer(b, t, w, r))
    run_board(b, t, w)


@kernel_entry
def play_treaties(boards: Cells, t: Cells, w: Cells, o: Cells, r: Cells, most: int) -> int:
    """Play every board on with random answers, each for at most `most` of them; how many in all."""
    steps = 0
    for n in range(len(boards)):
        b = boards[n]
        w[SHEET_COUNT] = NOT_LISTED  # the sheet belongs to another board
        for _ in range(most):
            if b[HEIGHT] == 0:
                break
            play_random_step(b, t, w, o, r)
            steps += 1
    return steps
