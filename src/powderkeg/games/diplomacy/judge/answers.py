"""Answers to the letters of a phase: for each player in their language, and one page for all."""

from powderkeg.core.words import Msg, say
from powderkeg.games.diplomacy.board import POWERS, Power
from powderkeg.games.diplomacy.judge.letters import Players
from powderkeg.games.diplomacy.judge.post import PostedPhase, post_notes, power_notes
from powderkeg.games.diplomacy.judge.report import blank_page, phase_results, unread_notes
from powderkeg.games.diplomacy.judge.sheet import Sheet, sheet_phase_name
from powderkeg.games.diplomacy.notation.writing import written_order
from powderkeg.games.diplomacy.words import power_name


def moderator_page(posted: PostedPhase, lang: str) -> str:
    """Results and all notes, then the page of the next phase."""
    notes = [say(note, lang) for note in post_notes(posted)]
    title = [say(Msg("judge.post"), lang), *notes, ""] if notes else []
    return "\n".join(
        [phase_results(posted.turn, lang), *title, blank_page(next_sheet(posted), lang)]
    )


def arrived_page(posted: PostedPhase, lang: str) -> str:
    """What has arrived so far, without any results: orders as read, and all notes."""
    lines = [say(Msg("judge.arrived", phase=sheet_phase_name(posted.turn.sheet.phase)), lang)]
    for power, orders in posted.turn.orders.items():
        listed = ", ".join(say(written_order(order), lang) for order in orders)
        lines.append(f"{say(power_name(power), lang)}: {listed}".rstrip())
    notes = [*unread_notes(posted.turn), *post_notes(posted)]
    return "\n".join([*lines, "", *(say(note, lang) for note in notes)]) + "\n"


def public_page(posted: PostedPhase, lang: str) -> str:
    """Results without anybody's slips, then the page of the next phase."""
    turn = posted.turn._replace(refused=[], corrected=[])
    missing = posted.missing
    late = (
        [say(Msg("judge.missing", powers=list(map(power_name, missing))), lang)] if missing else []
    )
    return "\n".join([phase_results(turn, lang), *late, blank_page(next_sheet(posted), lang)])


def next_sheet(posted: PostedPhase) -> Sheet:
    """The position after the phase."""
    assert posted.turn.judged is not None  # noqa: S101  # letters are always judged
    return posted.turn.judged.sheet


def answer_lang(posted: PostedPhase, power: Power, players: Players, lang: str) -> str:
    """The language chosen for a player, else that of their orders, else `lang`."""
    post = posted.post.get(power)
    return players.lang_of(power) or (post.lang if post else None) or lang


def player_answer(posted: PostedPhase, power: Power, lang: str) -> str:
    """The results for one player, with notes on their own orders."""
    turn = posted.turn
    own = turn._replace(
        refused=[each for each in turn.refused if each.power == power],
        corrected=[each for each in turn.corrected if each.power == power],
    )
    notes = [say(note, lang) for note in power_notes(posted, power)]
    if power in posted.missing:
        notes = [say(Msg("judge.you_missing", power=power_name(power)), lang)]
    page = [*notes, *([""] if notes else []), phase_results(own, lang)]
    return "\n".join([*page, blank_page(next_sheet(posted), lang)])


def answer_subject(posted: PostedPhase, lang: str) -> str:
    """The subject of an answer: what is judged, and what comes next."""
    done = sheet_phase_name(posted.turn.sheet.phase)
    return say(
        Msg("judge.subject", done=done, next=sheet_phase_name(next_sheet(posted).phase)), lang
    )


def answered_powers(posted: PostedPhase, players: Players) -> list[Power]:
    """Powers that get an answer: those with a player, with letters, or with units left."""
    sheet = posted.turn.sheet
    return [
        power
        for power in POWERS
        if power in players.by_power or power in posted.post or sheet.units[power]
    ]
