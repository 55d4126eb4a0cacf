"""Decisions in the making, compiled: what the vector environments of the games have in common."""

from pathlib import Path
from typing import Any, Final

from powderkeg.core.fast.compiling import kernel_entry, kernel_part
from powderkeg.rl.play import MOST_WORDS

# Compiled functions hold numbers of words, which the lexicon gives.
WORDS_SOURCES: Final = (Path(__file__).with_name("lexicon.py"), Path(__file__))
END: Final = 0  # the number of the full stop

# What is known of a game beside its board, in one row of numbers per game
SEAT, COUNT, DEPTH_WRITTEN, ENDED, WORDS_SO_FAR, WRITTEN = range(6)
NOTE_SIZE: Final = WRITTEN + MOST_WORDS


@kernel_part
def note_word(note: Any, word: int) -> None:
    if note[DEPTH_WRITTEN] < MOST_WORDS:
        note[WRITTEN + note[DEPTH_WRITTEN]] = word
    note[DEPTH_WRITTEN] += 1


@kernel_part
def encode_words(note: Any, row: Any, start: int, words: int) -> None:
    """As `encode_written`: each word with its place, and the last one."""
    row[start:] = 0
    written = min(MOST_WORDS, int(note[DEPTH_WRITTEN]))
    for place in range(written):
        row[start + note[WRITTEN + place]] = (place + 1) / MOST_WORDS
    if written:
        row[start + words + note[WRITTEN + written - 1]] = 1


@kernel_entry
def sample_words(masks: Any, draws: Any, out: Any) -> None:
    """A random word of every mask; the draws are between 0 and 1."""
    for n in range(len(masks)):
        allowed = 0
        for word in range(masks.shape[1]):
            allowed += masks[n, word]
        left = int(draws[n] * allowed)
        word = 0
        while masks[n, word] == 0 or left > 0:
            left -= int(masks[n, word])
            word += 1
        out[n] = word
