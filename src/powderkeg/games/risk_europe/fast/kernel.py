"""What Python calls: single steps for one board, and whole random games for many."""

from powderkeg.core.fast.luck import random_below
from powderkeg.games.risk_europe.fast.board_queries import (
    Cells,
    bit_place,
    count_bits,
    is_alive,
    most_units,
    ready_cards,
    recruiting_bits,
)
from powderkeg.games.risk_europe.fast.compiling import kernel_entry, kernel_part
from powderkeg.games.risk_europe.fast.game_flow import (
    give_answer,
    give_outcome,
    run_on,
    sample_outcome,
)
from powderkeg.games.risk_europe.fast.layout import (
    ARMY_COUNT,
    DEPTH,
    LIMITS,
    LIST,
    LISTED,
    MOST_LISTED,
    S_SPEND,
    V_BUY,
    VERB_SHIFT,
)
from powderkeg.games.risk_europe.fast.legal_actions import (
    add_reveals,
    asked_bits,
    force_count,
    list_answers,
    list_forces,
    list_other_buys,
    may_answer_now,
    step_kind,
    step_value,
    waits_for_chance,
)

CHANCE_ASKED = 1 << ARMY_COUNT
ASK, LEGAL, ACT, OUTCOME = range(4)  # what `command_board` can do


@kernel_part
def asked_now(b: Cells) -> int:
    """Who is asked, as bits of players; `CHANCE_ASKED` for chance; 0 when the game is over."""
    if b[DEPTH] == 0:
        return 0
    return CHANCE_ASKED if waits_for_chance(b) else asked_bits(b)


@kernel_part
def list_legal(b: Cells, who: int, w: Cells) -> int:
    """Write the legal codes of a player to the sheet; how many there are, listed or not."""
    if b[DEPTH] == 0 or waits_for_chance(b) or not is_alive(b, who):
        return 0
    n = 0
    if may_answer_now(b, who):
        n = list_answers(b, who, w)
        if w[LIMITS]:
            list_forces(w, MOST_LISTED)
            n = force_count(w)
    return add_reveals(b, who, w, n)


@kernel_entry
def command_board(what: int, b: Cells, who: int, code: int, w: Cells, o: Cells) -> int:
    """The one door for a single board, so that it is compiled once: ask who acts, list the legal
    codes of a player, carry out a legal code, or an outcome of chance."""
    if what == ASK:
        return asked_now(b)
    if what == LEGAL:
        return list_legal(b, who, w)
    if what == ACT:
        give_answer(b, who, code)
    else:
        give_outcome(b, o)
    run_on(b, w)
    return asked_now(b)


@kernel_part
def last_asked(asked: int) -> int:
    """The last of the players asked: the one whose answers `run_on` left on the sheet."""
    who = ARMY_COUNT - 1
    while not asked >> who & 1:
        who -= 1
    return who


@kernel_part
def sample_force(w: Cells, r: Cells) -> int:
    """As `Forces.sample`."""
    least, most = int(w[LIMITS + 5]), int(w[LIMITS + 6])
    count = least + random_below(r, most - least + 1)
    room = int(w[LIMITS + 1]) + int(w[LIMITS + 2]) + int(w[LIMITS + 3]) + int(w[LIMITS + 4])
    code = int(w[LIMITS]) << VERB_SHIFT
    for step in range(4):
        unit = 3 - step
        there = int(w[LIMITS + 1 + unit])
        room -= there
        low = max(int(w[LIMITS + 7]) if unit == 3 else 0, count - room)
        taken = low + random_below(r, min(there, count) - low + 1)
        count -= taken
        code |= taken << (0 if unit == 3 else 3 if unit == 2 else 7 if unit == 1 else 11)
    return code


@kernel_part
def sample_purchase(b: Cells, w: Cells, r: Cells) -> int:
    """As `Purchases.sample`: a unit is as likely as a castle site, whatever its places and counts."""
    army = step_value(b, 1)
    places, kinds = recruiting_bits(b, army), 0
    if places:
        for unit in range(4):
            kinds |= int(most_units(b, army, unit) > 0) << unit
    others = list_other_buys(b, w, 0, army)
    choice = random_below(r, count_bits(kinds) + others)
    if choice >= count_bits(kinds):
        return int(w[LIST + choice - count_bits(kinds)])
    for _ in range(choice):
        kinds &= kinds - 1
    for _ in range(random_below(r, count_bits(places))):
        places &= places - 1
    unit = bit_place(kinds)
    count = 1 + random_below(r, most_units(b, army, unit))
    return V_BUY << VERB_SHIFT | unit << 14 | bit_place(places) << 8 | count


@kernel_part
def sample_code(b: Cells, who: int, w: Cells, r: Cells) -> int:
    """A random legal action, as `Legal.sample` draws it; `run_on` has just looked at this player."""
    ready = ready_cards(b, who)
    if ready:
        choice = random_below(r, count_bits(ready) + 1)
        if choice < count_bits(ready):
            add_reveals(b, who, w, 0)
            return int(w[LIST + choice])
    if step_kind(b) == S_SPEND:
        return sample_purchase(b, w, r)
    n = int(w[LISTED])
    if n < 0 or ready:
        n = list_answers(b, who, w)
    return sample_force(w, r) if w[LIMITS] else int(w[LIST + random_below(r, n)])


@kernel_part
def random_step(b: Cells, w: Cells, o: Cells, r: Cells) -> None:
    """One random action or outcome."""
    if waits_for_chance(b):
        sample_outcome(b, r, o)
        give_outcome(b, o)
    else:
        who = last_asked(asked_bits(b))
        give_answer(b, who, sample_code(b, who, w, r))
    run_on(b, w)


@kernel_entry
def play_random(boards: Cells, w: Cells, o: Cells, r: Cells, most: int) -> int:
    """Play every board on with random actions, each for at most `most` of them; how many in all."""
    steps = 0
    for n in range(len(boards)):
        b = boards[n]
        w[LISTED] = -1  # the sheet belongs to another board
        for _ in range(most):
            if b[DEPTH] == 0:
                break
            random_step(b, w, o, r)
            steps += 1
    return steps
