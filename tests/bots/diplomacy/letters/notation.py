"""The letters in the files beside this one, and the notation of what may be read in them."""

from pathlib import Path

LETTERS = Path(__file__).parent


def listed_letters(lang):
    """The addressee, what may be read, and the text of every letter in a language."""
    to = ""
    for line in (LETTERS / f"{lang}.txt").read_text("utf-8").splitlines():
        if line.startswith("== "):
            to = line[3:]
        elif "::" in line:
            meaning, _, text = line.partition("::")
            yield to, meaning.strip(), text.strip()


def table_letters(lang):
    """Writer, reader, what may be read, and the text of every letter from tables."""
    for line in (LETTERS / f"table_{lang}.txt").read_text("utf-8").splitlines():
        if "::" in line:
            who, meaning, text = (each.strip() for each in line.split("::", 2))
            yield *who.upper().split(">"), meaning, text


def meaning_of(reading):
    """A reading in the notation of the files: ``?`` before what is only guessed."""
    if reading.parts:
        guess = set() if reading.sure else {"?"}
        return {part_notation(part) for part in reading.parts} | guess
    return {"which"} if reading.choices else {f"~{reading.remark}"}


def part_notation(part):
    about = ",".join(part.places or part.against) or part.action
    return about if part.kind == "order" else f"{part.kind} {about}".strip()


def noted(meaning):
    """What a line of the files says may be read."""
    guess = {"?"} if meaning.startswith("?") else set()
    return {*meaning.removeprefix("?").split("+")} | guess
