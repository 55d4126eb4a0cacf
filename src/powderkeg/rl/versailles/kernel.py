"""Versailles 1919 word by word for many games, compiled: words, masks and steps.

A decision is a list of legal codes. Every word that is written strikes out the codes that are
spelt otherwise, and words without an alternative are written at once, as `rl.spelling` does.
"""

from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final

import numpy as np

from powderkeg.core.fast.compiling import (
    forget_outdated,
    kernel_entry,
    kernel_joint,
    kernel_layer,
    kernel_part,
)
from powderkeg.games import versailles
from powderkeg.games.versailles.board import NATIONS, NAVAL_FLAGS, REGIONS
from powderkeg.games.versailles.cards.reader import default_pack
from powderkeg.games.versailles.fast.board_changes import FIRST_POST
from powderkeg.games.versailles.fast.board_queries import ranking_number
from powderkeg.games.versailles.fast.compiling import TREATY_SOURCES, Cells
from powderkeg.games.versailles.fast.game_flow import (
    answer_step,
    meet_outcome,
    run_board,
    sample_fall,
)
from powderkeg.games.versailles.fast.kernel import sample_answer
from powderkeg.games.versailles.fast.layout import (
    A_BID,
    A_DEPLOY,
    A_OPTION,
    A_PLACE,
    A_RECLAIM,
    ANSWER_BITS,
    ANSWER_SHIFT,
    ANSWER_VERBS,
    CHOICES,
    ENDED_BY,
    EVENT_IDS,
    HEIGHT,
    ISSUE_IDS,
    NOT_LISTED,
    PLAYERS,
    REGION_COUNT,
    SEAT_NATION,
    SHEET_COUNT,
    SHEET_LIST,
    STRATEGY_IDS,
    UNIT_WORDS,
)
from powderkeg.games.versailles.fast.legal_actions import asked_seat, awaits_chance, list_choices
from powderkeg.games.versailles.state import Options
from powderkeg.rl.lexicon import game_lexicon
from powderkeg.rl.versailles.columns import TREATY_VIEW_SIZE
from powderkeg.rl.versailles.columns_kernel import encode_treaty
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
_OWN_FILES: Final = tuple(_HERE / f"{name}.py" for name in ("columns", "columns_kernel", "kernel"))
forget_outdated(*TREATY_SOURCES, *WORDS_SOURCES, *_OWN_FILES)

TREATY_LEXICON: Final = game_lexicon(versailles, 4, Options())
TREATY_WORDS: Final = len(TREATY_LEXICON)


def _lexicon_numbers(words: Iterable[str]) -> Any:
    return np.array([TREATY_LEXICON.numbers[word] for word in words], np.int16)


def _name_table() -> Any:
    """For verbs that are followed by one name: the word of each name."""
    named = {
        "nation": NATIONS,
        "settle": ISSUE_IDS,
        "demobilise": UNIT_WORDS,
        "flag": NAVAL_FLAGS,
        "choose": CHOICES,
        "advance": (*ISSUE_IDS, *EVENT_IDS),
        "cube": ("no", "yes"),
        "dive": ISSUE_IDS,
        "keep": ISSUE_IDS,
        "mutiny": UNIT_WORDS,
        "modify": ("-1", "0", "+1"),
        "strategy": STRATEGY_IDS,
    }
    table = np.full((len(ANSWER_VERBS), len(ISSUE_IDS) + len(EVENT_IDS)), END, np.int16)
    for verb, names in named.items():
        table[ANSWER_VERBS.index(verb), : len(names)] = _lexicon_numbers(names)
    return table


def _option_table() -> Any:
    """The word of each option of each issue."""
    table = np.full(8 * len(ISSUE_IDS), END, np.int16)
    for number, issue in enumerate(ISSUE_IDS):
        options = default_pack().issues[issue].options
        table[8 * number : 8 * number + len(options)] = _lexicon_numbers(o.id for o in options)
    return table


VERB_WORDS: Final = _lexicon_numbers(ANSWER_VERBS)
NAME_WORDS: Final = _name_table()
OPTION_WORDS: Final = _option_table()
ISSUE_WORDS: Final = _lexicon_numbers(ISSUE_IDS)
REGION_WORDS: Final = _lexicon_numbers(REGIONS)
PLACE_OF_UNIT: Final = _lexicon_numbers(UNIT_WORDS)
FIGURES: Final = _lexicon_numbers(map(str, range(61)))
NO_REGION_WORD: Final = TREATY_LEXICON.numbers["-"]


# Words


@kernel_joint
def spelt_word(code: int, place: int) -> int:
    """A word of an answer; `END` after the last one."""
    verb, bits = code >> ANSWER_SHIFT, code & ANSWER_BITS
    if place == 0:
        return int(VERB_WORDS[verb])
    if verb == A_PLACE:
        if place == 1:
            return int(ISSUE_WORDS[bits >> 8])
        return int(FIGURES[bits & 255]) if place == 2 else END
    if verb == A_RECLAIM:
        return int(FIGURES[bits >> 5]) if place == 1 else _region_word(bits & 31, place - 2)
    if verb == A_DEPLOY:
        return _deploy_word(bits, place)
    if verb == A_BID:
        return _bid_word(bits, place)
    if place > 1:
        return END
    return int(OPTION_WORDS[bits]) if verb == A_OPTION else int(NAME_WORDS[verb, bits])


@kernel_layer
def _region_word(regions: int, place: int) -> int:
    if regions == 0 and place == 0:
        return NO_REGION_WORD
    for region in range(REGION_COUNT):
        if regions >> region & 1:
            if place == 0:
                return int(REGION_WORDS[region])
            place -= 1
    return END


@kernel_layer
def _deploy_word(bits: int, place: int) -> int:
    if place == 1:
        return int(PLACE_OF_UNIT[bits >> 5])
    if place == 2:
        return int(REGION_WORDS[bits >> 2 & 7])
    return int(FIGURES[FIRST_POST + (bits & 3)]) if place == 3 else END


@kernel_layer
def _bid_word(bits: int, place: int) -> int:
    if place == 1:
        return int(FIGURES[bits >> 8])
    if place == 2:
        return int(FIGURES[bits >> 7 & 1])
    return int(FIGURES[bits & 127]) if place == 3 else END


@kernel_part
def shared_word(codes: Cells, count: int, place: int) -> int:
    """The next word if all codes have the same, else -1."""
    word = spelt_word(int(codes[0]), place)
    for n in range(1, count):
        if spelt_word(int(codes[n]), place) != word:
            return -1
    return word


@kernel_part
def write_shared(note: Cells, codes: Cells) -> bool:
    """Write the words without an alternative; whether the answer is complete."""
    while True:
        word = shared_word(codes, int(note[COUNT]), int(note[DEPTH_WRITTEN]))
        if word == END:
            return True
        if word < 0:
            return False
        note_word(note, word)


@kernel_part
def write_next(note: Cells, codes: Cells, word: int) -> bool:
    """Write a word; whether the answer is complete."""
    place, kept = int(note[DEPTH_WRITTEN]), 0
    for n in range(note[COUNT]):
        if spelt_word(int(codes[n]), place) == word:
            codes[kept] = codes[n]
            kept += 1
    note[COUNT] = kept
    if word == END:
        return True
    note_word(note, word)
    return write_shared(note, codes)


# Games


@kernel_part
def put_decision(b: Cells, t: Cells, note: Cells, codes: Cells, w: Cells) -> bool:
    """Put the next decision to the seat that is asked; whether it has no choice."""
    count = int(w[SHEET_COUNT])
    if count == NOT_LISTED:
        count = list_choices(b, t, w)
    for n in range(count):
        codes[n] = w[SHEET_LIST + n]
    note[SEAT], note[COUNT], note[DEPTH_WRITTEN] = asked_seat(b), count, 0
    return write_shared(note, codes)


@kernel_joint
def seek_decision(
    b: Cells, t: Cells, note: Cells, codes: Cells, w: Cells, o: Cells, r: Cells, learner: int
) -> None:
    """Let chance and the other seats act until the learner (-1: any seat) has a choice; the sheet
    belongs to this board."""
    while b[HEIGHT]:
        if awaits_chance(b):
            sample_fall(b, r, o)
            meet_outcome(b, t, o)
        elif learner < 0 or asked_seat(b) == learner:
            if not put_decision(b, t, note, codes, w):
                return
            answer_step(b, t, int(codes[0]))
        else:
            answer_step(b, t, sample_answer(b, t, w, r))
        run_board(b, t, w)
    note[COUNT], note[DEPTH_WRITTEN] = 0, 0
    note[SEAT] = max(0, learner)


@kernel_part
def mask_words(note: Cells, codes: Cells, mask: Cells) -> None:
    """The words that can come next; only `END` after the end of a game."""
    for word in range(TREATY_WORDS):
        mask[word] = 0
    place = int(note[DEPTH_WRITTEN])
    for n in range(note[COUNT]):
        mask[spelt_word(int(codes[n]), place)] = 1
    if note[COUNT] == 0:
        mask[END] = 1


@kernel_part
def reward_seats(b: Cells, t: Cells, rewards: Cells) -> None:
    """The share of every seat in the first place."""
    best, winners = -(1 << 60), 0
    for seat in range(b[PLAYERS]):
        rank = ranking_number(b, t, int(b[SEAT_NATION + seat]))
        if rank > best:
            best, winners = rank, 0
        winners += int(rank == best)
    for seat in range(b[PLAYERS]):
        won = ranking_number(b, t, int(b[SEAT_NATION + seat])) == best
        rewards[seat] = (1 if won else 0) / winners


@kernel_entry
def step_treaties(
    boards: Cells,
    start: Cells,
    t: Cells,
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
        w[SHEET_COUNT] = NOT_LISTED
        if fresh or note[ENDED]:
            b[:] = start
            note[:] = 0
        else:
            note[WORDS_SO_FAR] += 1
            moved = write_next(note, codes[n], int(actions[n]))
            if moved:
                answer_step(b, t, int(codes[n, 0]))
                run_board(b, t, w)
        if moved:
            seek_decision(b, t, note, codes[n], w, o, luck[n], learner)
        over[n] = b[ENDED_BY] != 0
        cut[n] = not over[n] and note[WORDS_SO_FAR] >= most_words
        note[ENDED] = over[n] or cut[n]
        if over[n]:
            reward_seats(b, t, rewards[n])
        mask_words(note, codes[n], masks[n])
        if moved:
            encode_treaty(b, t, int(note[SEAT]), rows[n])
        encode_words(note, rows[n], TREATY_VIEW_SIZE, TREATY_WORDS)
