"""The greedy policy, compiled: the next action of a player who is asked, always a legal one.

It carries out cards as `policy.py` does, and places those that gain more more often. Mercenaries go to a
random player, and the losses in battles are the cheapest units.
"""

import math

from powderkeg.bots.risk_europe.fast.board_value import look_as
from powderkeg.bots.risk_europe.fast.coin_plans import best_coins, best_fortress, best_siege
from powderkeg.bots.risk_europe.fast.compiling import Cells
from powderkeg.bots.risk_europe.fast.move_plans import best_expansion, best_manoeuvre
from powderkeg.bots.risk_europe.fast.odds_table import HIT_SHARE, cheapest_key, unit_key
from powderkeg.bots.risk_europe.fast.value_layout import (
    CARD_GAINS,
    FOUND,
    P_ARMY,
    P_BOUGHT,
    P_CITY,
    P_DONE,
    P_LIST,
    P_LOAD,
    P_ORDER,
    P_ORIGIN,
    P_SECOND,
    P_SECOND_LOAD,
    P_TO,
    SINGLE,
    TEMPER_AT,
    W_KEEP_TAX,
    W_MARKER,
)
from powderkeg.bots.risk_europe.policy import ENOUGH_GAIN, REPEAT_PENALTY
from powderkeg.core.fast.compiling import kernel_joint, kernel_part
from powderkeg.core.fast.luck import random_below
from powderkeg.games.risk_europe.fast.board_queries import (
    army_at,
    bit_place,
    castle_bars,
    may_order,
    ready_cards,
)
from powderkeg.games.risk_europe.fast.dice import GENERAL_RANK, rank_hits
from powderkeg.games.risk_europe.fast.kernel import sample_code
from powderkeg.games.risk_europe.fast.layout import (
    B_MINE,
    B_RANK,
    B_STAGE,
    B_THEIRS,
    BERLIN_LEFT,
    BONUS_LEFT,
    CASTLE_ASKED,
    FORTIFY_CARD,
    GROUP_TO,
    HAND,
    KIND_COUNT,
    KING_CARD,
    LIMITS,
    MANOEUVRE,
    MARKER,
    MOVE_ORIGIN,
    MOVE_TARGET,
    ORDER_LEFT,
    S_ACT,
    S_BATTLE,
    S_BID,
    S_CASUALTIES,
    S_MOVE,
    S_PICK,
    S_SPEND,
    S_TAX,
    SIEGE_CARD,
    SPLIT,
    SPLIT_CARD,
    TAX_CARD,
    V_BERLIN,
    V_BID,
    V_DONE,
    V_FROM,
    V_LOSE,
    V_MARCH,
    V_ORDER,
    V_PASS,
    V_PICK,
    V_REROLL,
    V_REVEAL,
    V_STAND,
    V_STORM,
    V_TAX,
    V_TO,
    VERB_SHIFT,
)
from powderkeg.games.risk_europe.fast.legal_actions import list_answers, step_kind, step_value
from powderkeg.games.risk_europe.fast.map_tables import CARD_ORDERS

FRACTIONS = 1 << 20


@kernel_part
def fill_card_gains(b: Cells, e: Cells, h: Cells, q: Cells, p: Cells, c: Cells, who: int) -> None:
    """What each kind of card gains now, less what it is worth to keep it."""
    look_as(b, e, who)
    coins = best_coins(b, e, h, q, p, c, who)
    split = best_expansion(b, e, h, q, p, who, SPLIT, 0.0)
    single = float(e[SINGLE])
    best_fortress(b, e, h, q, who)
    e[CARD_GAINS + FORTIFY_CARD] = single + e[FOUND]
    best_siege(b, e, h, q, who)
    e[CARD_GAINS + SIEGE_CARD] = single + e[FOUND]
    e[CARD_GAINS + TAX_CARD], e[CARD_GAINS + SPLIT_CARD] = coins, split
    e[CARD_GAINS + KING_CARD] = coins + (0.0 if b[MARKER] == who else e[W_MARKER])
    for kind in range(KIND_COUNT):
        e[CARD_GAINS + kind] -= e[W_KEEP_TAX + kind]


@kernel_part
def draw_card(b: Cells, e: Cells, r: Cells, own: int, but: int) -> int:
    """A card of a hand without one of kind `but`: e times as likely for a gain of the temper."""
    top, whole = -1e9, 0.0
    for kind in range(KIND_COUNT):
        if b[own + HAND + kind] > int(kind == but):
            top = max(top, float(e[CARD_GAINS + kind]))
    for kind in range(KIND_COUNT):
        if b[own + HAND + kind] > int(kind == but):
            whole += math.exp((e[CARD_GAINS + kind] - top) / e[TEMPER_AT])
    left, found = whole * random_below(r, FRACTIONS) / FRACTIONS, -1
    for kind in range(KIND_COUNT):
        if b[own + HAND + kind] > int(kind == but) and (left >= 0 or found < 0):
            found = kind
            left -= math.exp((e[CARD_GAINS + kind] - top) / e[TEMPER_AT])
    return found


@kernel_joint
def likely_pair(
    b: Cells, e: Cells, h: Cells, q: Cells, p: Cells, c: Cells, r: Cells, who: int
) -> int:
    """Two cards, drawn by what they gain."""
    own = army_at(who)
    fill_card_gains(b, e, h, q, p, c, who)
    first = draw_card(b, e, r, own, -1)
    e[CARD_GAINS + first] -= REPEAT_PENALTY
    return V_PICK << VERB_SHIFT | first << 8 | draw_card(b, e, r, own, first)


@kernel_part
def losses_code(w: Cells) -> int:
    """The cheapest units that the limits on the sheet allow."""
    there = unit_key(int(w[LIMITS + 1]), int(w[LIMITS + 2]), int(w[LIMITS + 3]), int(w[LIMITS + 4]))
    return V_LOSE << VERB_SHIFT | cheapest_key(there, int(w[LIMITS + 5]))


@kernel_part
def defence_code(b: Cells) -> int:
    """Roll again below the average, as the odds expect."""
    hits, rank = rank_hits(b) & 255, int(b[B_RANK])
    if rank == GENERAL_RANK:
        usual = min(int(b[B_MINE]), int(b[B_THEIRS])) / 2
    else:
        usual = b[B_THEIRS] * HIT_SHARE[rank]
    return (V_REROLL if hits < usual else V_STAND) << VERB_SHIFT


@kernel_joint
def card_code(b: Cells, e: Cells, h: Cells, q: Cells, p: Cells, c: Cells, who: int) -> int:
    """As `best_turn`: the bonus first, then the order, then Berlin's manoeuvre."""
    army, card, left = step_value(b, 1), step_value(b, 2), step_value(b, 3)
    look_as(b, e, who)
    p[P_ARMY] = -1
    if left & BONUS_LEFT:
        code = -1
        if card == FORTIFY_CARD:
            code = best_fortress(b, e, h, q, army)
        elif card == SIEGE_CARD:
            code = best_siege(b, e, h, q, army)
        if code >= 0:
            return code
    if left & ORDER_LEFT:
        order = int(CARD_ORDERS[card, 0])
        if order <= MANOEUVRE:
            gain = best_expansion(b, e, h, q, p, army, order, 0.0)
            if gain <= ENOUGH_GAIN:
                gain = best_manoeuvre(b, e, h, q, p, army, gain)
        else:
            gain = best_coins(b, e, h, q, p, c, army)
        if gain > 0 and may_order(b, army, int(p[P_ORDER])):
            p[P_ARMY] = army
            return V_ORDER << VERB_SHIFT | int(p[P_ORDER])
    if left & BERLIN_LEFT and best_manoeuvre(b, e, h, q, p, army, 0.0) > 0:
        p[P_ARMY] = army
        return V_BERLIN << VERB_SHIFT
    return V_PASS << VERB_SHIFT


@kernel_part
def march_code(b: Cells, p: Cells, army: int) -> int:
    """The next action of the planned move."""
    if b[MOVE_ORIGIN] < 0:
        return V_FROM << VERB_SHIFT | int(p[P_ORIGIN])
    target = int(b[MOVE_TARGET])
    if target >= 0:
        verb = V_STORM if castle_bars(b, army, target) and b[MOVE_ORIGIN] >= 0 else V_MARCH
        load = p[P_LOAD] if target == p[P_TO] else p[P_SECOND_LOAD]
        return (V_MARCH if p[P_ORDER] == MANOEUVRE else verb) << VERB_SHIFT | int(load)
    if b[GROUP_TO] < 0:
        return V_TO << VERB_SHIFT | int(p[P_TO])
    if p[P_SECOND] >= 0 and b[GROUP_TO] == p[P_TO]:
        return V_TO << VERB_SHIFT | int(p[P_SECOND])
    return V_DONE << VERB_SHIFT


@kernel_part
def purchase_code(p: Cells) -> int:
    """The next purchase on the list."""
    n = int(p[P_DONE])
    if n >= p[P_BOUGHT]:
        return V_DONE << VERB_SHIFT
    p[P_DONE] = n + 1
    return int(p[P_LIST + n])


@kernel_joint
def policy_answer(
    b: Cells, e: Cells, h: Cells, q: Cells, p: Cells, c: Cells, w: Cells, r: Cells,
    who: int,
) -> int:  # fmt: skip
    """The next action of a player who is asked; `run_on` has just looked at this board."""
    ready = ready_cards(b, who)
    if ready:
        return V_REVEAL << VERB_SHIFT | bit_place(ready)
    kind = step_kind(b)
    if kind == S_ACT:
        return card_code(b, e, h, q, p, c, who)
    if kind in (S_MOVE, S_TAX, S_SPEND) and p[P_ARMY] == step_value(b, 1):
        if kind == S_MOVE:
            return march_code(b, p, step_value(b, 1))
        return V_TAX << VERB_SHIFT | int(p[P_CITY]) if kind == S_TAX else purchase_code(p)
    if kind == S_PICK:
        return likely_pair(b, e, h, q, p, c, r, who)
    if kind == S_BID:
        return V_BID << VERB_SHIFT
    if kind == S_BATTLE and b[B_STAGE] == CASTLE_ASKED:
        return defence_code(b)
    if kind in (S_BATTLE, S_CASUALTIES):
        list_answers(b, who, w)
        return losses_code(w)
    return sample_code(b, who, w, r)
