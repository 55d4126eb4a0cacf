"""Risk Europe word by word for many games, compiled: words, masks, columns and steps.

A decision is a list of legal codes. Every word that is written strikes out the codes that are
spelt otherwise, and words without an alternative are written at once, as `rl.spelling` does.
"""

# one branch per verb

from pathlib import Path
from typing import Any, Final

import numpy as np

from powderkeg.games import risk_europe
from powderkeg.games.risk_europe.actions import ORDER_NAMES
from powderkeg.games.risk_europe.board import COLOURS, TERRITORY_NAMES, UNITS
from powderkeg.games.risk_europe.fast.action_codes import CROWN_NAMES
from powderkeg.games.risk_europe.fast.board_queries import Cells
from powderkeg.games.risk_europe.fast.compiling import (
    RULE_SOURCES,
    forget_outdated,
    kernel_entry,
    kernel_part,
)
from powderkeg.games.risk_europe.fast.game_flow import (
    first_player,
    give_answer,
    give_outcome,
    run_on,
    sample_outcome,
)
from powderkeg.games.risk_europe.fast.kernel import list_legal, sample_code
from powderkeg.games.risk_europe.fast.layout import (
    CARD_KINDS,
    DEPTH,
    LIST,
    LISTED,
    MOST_LISTED,
    OVER,
    PAYLOAD,
    PEOPLE,
    RANK,
    V_AUCTION,
    V_BESIEGE,
    V_BID,
    V_BUY,
    V_GARRISON,
    V_KEEP,
    V_LOSE,
    V_MARCH,
    V_ORDER,
    V_PICK,
    V_REVEAL,
    V_STORM,
    VERB_SHIFT,
    VERBS,
)
from powderkeg.games.risk_europe.fast.legal_actions import asked_bits, waits_for_chance
from powderkeg.games.risk_europe.state import Options
from powderkeg.rl.lexicon import game_lexicon
from powderkeg.rl.risk_europe.columns import (
    VIEW_SIZE,
)
from powderkeg.rl.risk_europe.columns_kernel import encode_board
from powderkeg.rl.words_kernel import (
    COUNT,
    DEPTH_WRITTEN,
    END,
    ENDED,
    SEAT,
    WORDS_SO_FAR,
    WORDS_SOURCES,
    encode_words,
    note_word,
)

_HERE: Final = Path(__file__).parent
_NAMES: Final = ("columns", "columns_kernel", "kernel")
forget_outdated(*RULE_SOURCES, *WORDS_SOURCES, *(_HERE / f"{name}.py" for name in _NAMES))

LEXICON: Final = game_lexicon(risk_europe, 4, Options())
WORD_COUNT: Final = len(LEXICON)
ROW_SIZE: Final = VIEW_SIZE + 2 * WORD_COUNT


def _word_numbers(words: Any) -> Any:
    return np.array([LEXICON.numbers[word] for word in words], np.int64)


VERB_WORD: Final = _word_numbers(VERBS)
ORDER_WORD: Final = _word_numbers(ORDER_NAMES)
COLOUR_WORD: Final = _word_numbers(COLOURS)
UNIT_WORD: Final = _word_numbers(UNITS)
CARD_WORD: Final = _word_numbers(CARD_KINDS)
PLACE_WORD: Final = _word_numbers(TERRITORY_NAMES)
CROWN_WORD: Final = _word_numbers(CROWN_NAMES)
NUMBER_WORD: Final = _word_numbers(map(str, range(121)))
HIGHEST: Final = len(NUMBER_WORD) - 1
DASH: Final = LEXICON.numbers["-"]
# Verbs with one territory, or without anything
ONE_PLACE: Final = np.array(
    [verb in ("settle", "fortify", "from", "to", "tax", "build", "fight") for verb in VERBS]
)


# Words


@kernel_part
def unit_word(bits: int, place: int, kinds: int) -> int:
    """A word of the text of units: a kind, its count, the next kind; `END` after the last."""
    seen = 0
    for unit in range(kinds):
        count = bits >> (0 if unit == 3 else 3 if unit == 2 else 7 if unit == 1 else 11)
        count &= 63 if unit == 0 else 7 if unit == 3 else 15
        if count:
            if place == seen:
                return int(UNIT_WORD[unit])
            if place == seen + 1:
                return int(NUMBER_WORD[count])
            seen += 2
    return DASH if seen == 0 and place == 0 else END


@kernel_part
def word_at(code: int, place: int) -> int:
    """A word of an action; `END` after the last one."""
    verb, bits = code >> VERB_SHIFT, code & PAYLOAD
    if place == 0:
        return int(VERB_WORD[verb])
    if verb in (V_MARCH, V_LOSE):
        return unit_word(bits, place - 1, 4)
    if verb == V_STORM:
        return int(NUMBER_WORD[bits & 7]) if place == 1 else unit_word(bits, place - 2, 3)
    if ONE_PLACE[verb]:
        return int(PLACE_WORD[bits]) if place == 1 else END
    return _pair_word(verb, bits, place)


@kernel_part
def _pair_word(verb: int, bits: int, place: int) -> int:
    if place > 2:
        return int(NUMBER_WORD[bits & 255]) if verb == V_BUY and place == 3 else END
    if verb == V_BUY:
        return int(UNIT_WORD[bits >> 14]) if place == 1 else int(PLACE_WORD[bits >> 8 & 63])
    if verb == V_PICK:
        return int(CARD_WORD[bits >> 8 if place == 1 else bits & 255])
    if verb == V_BESIEGE:
        return int(PLACE_WORD[bits >> 8 if place == 1 else bits & 255])
    if verb == V_GARRISON:
        return int(PLACE_WORD[bits >> 8]) if place == 1 else int(NUMBER_WORD[bits & 255])
    if place == 2:
        return END
    if verb == V_BID:
        return int(NUMBER_WORD[bits]) if bits <= HIGHEST else -1
    if verb == V_AUCTION:
        return int(COLOUR_WORD[bits])
    if verb == V_ORDER:
        return int(ORDER_WORD[bits])
    if verb in (V_KEEP, V_REVEAL):
        return int(CROWN_WORD[bits])
    return END


@kernel_part
def common_word(codes: Cells, count: int, place: int) -> int:
    """The next word if all codes have the same, else -1."""
    word = word_at(int(codes[0]), place)
    for n in range(1, count):
        if word_at(int(codes[n]), place) != word:
            return -1
    return word


@kernel_part
def write_forced(note: Cells, codes: Cells) -> bool:
    """Write the words without an alternative; whether the action is complete."""
    while True:
        word = common_word(codes, int(note[COUNT]), int(note[DEPTH_WRITTEN]))
        if word == END:
            return True
        if word < 0:
            return False
        note_word(note, word)


@kernel_part
def write_word(note: Cells, codes: Cells, word: int) -> bool:
    """Write a word; whether the action is complete."""
    place, kept = int(note[DEPTH_WRITTEN]), 0
    for n in range(note[COUNT]):
        if word_at(int(codes[n]), place) == word:
            codes[kept] = codes[n]
            kept += 1
    note[COUNT] = kept
    if word == END:
        return True
    note_word(note, word)
    return write_forced(note, codes)


# Games


@kernel_part
def open_decision(b: Cells, note: Cells, codes: Cells, w: Cells, who: int) -> bool:
    """Put the next decision to a player; whether it has no choice."""
    found = min(MOST_LISTED, list_legal(b, who, w))
    kept = 0
    for n in range(found):
        if word_at(int(w[LIST + n]), 1) >= 0:  # a bid that has a word
            codes[kept] = w[LIST + n]
            kept += 1
    note[SEAT], note[COUNT], note[DEPTH_WRITTEN] = who, kept, 0
    return write_forced(note, codes)


@kernel_part
def next_decision(
    b: Cells, note: Cells, codes: Cells, w: Cells, o: Cells, r: Cells, learner: int
) -> None:
    """Let chance and the other seats act until the learner (-1: any seat) has a choice."""
    while b[DEPTH]:
        if waits_for_chance(b):
            sample_outcome(b, r, o)
            give_outcome(b, o)
        else:
            asked = asked_bits(b)
            if learner < 0 or asked >> learner & 1:
                who = learner if learner >= 0 else first_player(asked)
                if not open_decision(b, note, codes, w, who):
                    return
                give_answer(b, who, int(codes[0]))
            else:
                who = first_player(asked)
                w[LISTED] = -1
                give_answer(b, who, sample_code(b, who, w, r))
        run_on(b, w)
    note[COUNT], note[DEPTH_WRITTEN] = 0, 0
    note[SEAT] = max(0, learner)


@kernel_part
def write_mask(note: Cells, codes: Cells, mask: Cells) -> None:
    """The words that can come next; only `END` after the end of a game."""
    mask[:] = 0
    place = int(note[DEPTH_WRITTEN])
    for n in range(note[COUNT]):
        mask[word_at(int(codes[n]), place)] = 1
    if note[COUNT] == 0:
        mask[END] = 1


@kernel_part
def write_rewards(b: Cells, rewards: Cells) -> None:
    """The share of every seat in the first place."""
    winners = 0
    for who in range(b[PEOPLE]):
        winners += int(b[RANK + who] == 0)
    for who in range(b[PEOPLE]):
        rewards[who] = (1 if b[RANK + who] == 0 else 0) / winners


@kernel_entry
def step_rows(
    boards: Cells,
    start: Cells,
    notes: Cells,
    codes: Cells,
    actions: Cells,
    fresh: bool,  # noqa: FBT001  # compiled functions take arguments by position
    learner: int,
    most_words: int,
    w: Cells,
    o: Cells,
    luck: Cells,
    rows: Cells,
    masks: Cells,
    rewards: Cells,
    over: Cells,
    cut: Cells,
) -> None:
    """Write one word in every game, or begin them all; then what is seen, and how it stands."""
    for n in range(len(boards)):
        b, note = boards[n], notes[n]
        rewards[n] = 0
        moved = True
        if fresh or note[ENDED]:
            b[:] = start
            note[:] = 0
            next_decision(b, note, codes[n], w, o, luck[n], learner)
        else:
            note[WORDS_SO_FAR] += 1
            moved = write_word(note, codes[n], int(actions[n]))
            if moved:
                give_answer(b, int(note[SEAT]), int(codes[n, 0]))
                run_on(b, w)
                next_decision(b, note, codes[n], w, o, luck[n], learner)
        over[n] = b[OVER] != 0
        cut[n] = not over[n] and note[WORDS_SO_FAR] >= most_words
        note[ENDED] = over[n] or cut[n]
        if over[n]:
            write_rewards(b, rewards[n])
        write_mask(note, codes[n], masks[n])
        if moved:
            encode_board(b, int(note[SEAT]), rows[n])
        encode_words(note, rows[n], VIEW_SIZE, WORD_COUNT)
