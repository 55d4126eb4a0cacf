"""The judge's answer: the results of a phase in words, and the next page to fill in."""

from collections.abc import Iterator

from powderkeg.core.words import Msg, say
from powderkeg.games.diplomacy.board import POWERS, Power, Unit
from powderkeg.games.diplomacy.draw import board_map
from powderkeg.games.diplomacy.judge.judge import Judged, sheet_due, sheet_winner
from powderkeg.games.diplomacy.judge.page import CorrectedText, JudgedPhase, UnreadOrder
from powderkeg.games.diplomacy.judge.sheet import OVER, Refuges, Sheet, sheet_phase_name
from powderkeg.games.diplomacy.notation.writing import written_order, written_reason, written_unit
from powderkeg.games.diplomacy.rules.outcomes import Outcome, Why
from powderkeg.games.diplomacy.words import place_name, power_name


def judge_report(turns: list[JudgedPhase], lang: str) -> str:
    """The results of every phase, then the page for the next."""
    parts = [phase_results(turn, lang) for turn in turns if turn.judged or turn.refused]
    last = turns[-1].judged.sheet if turns[-1].judged else turns[-1].sheet
    return "\n".join([*parts, blank_page(last, lang)])


def phase_results(turn: JudgedPhase, lang: str) -> str:
    """The result of every order, and its reason; what was not read, and what was corrected."""
    lines = [say(Msg("judge.results", phase=sheet_phase_name(turn.sheet.phase)), lang), ""]
    lines += _order_lines(turn.judged, lang) if turn.judged else []
    notes = (
        ("judge.not_read", map(_unread_line, turn.refused)),
        ("judge.put_right", map(_corrected_line, turn.corrected)),
    )
    for title, listed in notes:
        if said := [say(line, lang) for line in listed]:
            lines += [say(Msg(title), lang), *said, ""]
    lines += [say(line, lang) for line in _outlook_lines(turn.judged)] if turn.judged else []
    return "\n".join(lines) + "\n"


def _order_lines(judged: Judged, lang: str) -> Iterator[str]:
    for power in POWERS:
        every = [line for o in judged.outcomes if o.power == power for line in _outcome_lines(o)]
        # A unit with two orders is dislodged once: said after the last of them.
        lines = [line for i, line in enumerate(every) if line not in every[i + 1 :]]
        yield from [*(say(line, lang) for line in lines), ""] if lines else []


def _outcome_lines(outcome: Outcome) -> Iterator[Msg]:
    yield written_reason(outcome)
    if outcome.dislodged_by:
        unit: Unit = outcome.order.unit  # type: ignore[union-attr]  # only units are dislodged
        yield Msg(
            "judge.dislodged_by", unit=written_unit(unit), by=written_order(outcome.dislodged_by)
        )


def unread_notes(turn: JudgedPhase) -> Iterator[Msg]:
    """What was not read, and what was corrected."""
    yield from map(_unread_line, turn.refused)
    yield from map(_corrected_line, turn.corrected)


def _unread_line(refused: UnreadOrder) -> Msg:
    line, why = refused.line, refused.error.msg
    if not refused.power:
        return Msg("judge.at_line", line=line, why=why)
    power = power_name(refused.power)
    if not line:  # in a letter
        return Msg("judge.refused_letter", power=power, text=refused.text, why=why)
    return Msg("judge.refused", line=line, power=power, why=why)


def _corrected_line(each: CorrectedText) -> Msg:
    power = power_name(each.power)
    if not each.line:  # in a letter
        return Msg("judge.read_as_letter", power=power, text=each.text, meaning=each.meaning)
    return Msg("judge.read_as", line=each.line, power=power, text=each.text, meaning=each.meaning)


def _outlook_lines(judged: Judged) -> Iterator[Msg]:
    """Centres, builds and removals, the winner, the next phase."""
    sheet = judged.sheet
    if judged.counted:
        counts = [
            Msg("judge.centre_count", power=power_name(power), count=len(sheet.owned(power)))
            for power in POWERS
        ]
        yield Msg("judge.counted", counts=counts)
    if sheet.kind == "A":
        yield Msg(
            "judge.due",
            what=[_due_text(p, sheet_due(sheet, p)) for p in POWERS if sheet_due(sheet, p)],
        )
    if power := sheet_winner(sheet):
        yield Msg("judge.won", power=power_name(power), count=len(sheet.owned(power)))
    if sheet.phase != OVER:
        yield Msg("judge.next", phase=sheet_phase_name(sheet.phase))


def _due_text(power: Power, owed: int) -> Msg:
    code = "judge.due_build" if owed > 0 else "judge.due_remove"
    return Msg(code, power=power_name(power), count=abs(owed))


def phase_drawing(turn: JudgedPhase, lang: str) -> str:
    """The map of a phase as SVG, with its orders and their results."""
    sheet = turn.sheet
    position = {
        "units": {power: list(map(str, units)) for power, units in sheet.units.items()},
        "centers": {power: list(sheet.owned(power)) for power in POWERS},
        "dislodged": {power: list(map(str, units)) for power, units in sheet.dislodged.items()},
    }
    outcomes = turn.judged.outcomes if turn.judged else ()
    orders = [
        (str(each.order), each.verdict.value)
        for each in outcomes
        if each.why not in (Why.NO_UNIT, Why.FOREIGN_UNIT, Why.UNORDERED)
    ]
    return board_map.draw_map(
        position, orders, lang=lang, title=say(sheet_phase_name(sheet.phase), lang)
    )


# The next page


def blank_page(sheet: Sheet, lang: str) -> str:
    """`sheet` in the form in which pages are read, with room for orders."""
    lines = [say(sheet_phase_name(sheet.phase), lang), "", say(Msg("judge.units"), lang)]
    lines += [
        _power_row(power, map(written_unit, units), lang) for power, units in sheet.units.items()
    ]
    lines += ["", say(Msg("judge.centres"), lang)]
    for power in POWERS:
        owned = (place_name(centre, short=True) for centre in sheet.owned(power))
        lines.append(_power_row(power, owned, lang))
    if sheet.dislodged:
        lines += ["", say(Msg("judge.dislodged"), lang)]
        lines += [_dislodged_row(power, found, lang) for power, found in sheet.dislodged.items()]
    if sheet.phase != OVER:
        lines += ["", say(Msg("judge.orders"), lang), *_order_rows(sheet, lang)]
    return "\n".join(lines) + "\n"


def _power_row(power: Power, listed: Iterator[Msg], lang: str) -> str:
    return (
        f"{say(power_name(power), lang)}: {', '.join(say(each, lang) for each in listed)}".rstrip()
    )


def _dislodged_row(power: Power, refuges: Refuges, lang: str) -> str:
    units = []
    for unit, places in refuges.items():
        goals = ", ".join(say(place_name(to, short=True), lang) for to in places)
        units.append(f"{say(written_unit(unit), lang)} [{goals}]")
    return f"{say(power_name(power), lang)}: {', '.join(units)}"


def _order_rows(sheet: Sheet, lang: str) -> Iterator[str]:
    """A line for each power that has anything to decide."""
    for power in POWERS:
        name = say(power_name(power), lang)
        if sheet.kind == "A" and (owed := sheet_due(sheet, power)):
            yield f"{name}:  # {say(_due_text(power, owed), lang)}"
        elif (sheet.kind == "M" and sheet.units[power]) or power in sheet.dislodged:
            yield f"{name}:"
