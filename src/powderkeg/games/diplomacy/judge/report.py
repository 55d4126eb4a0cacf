"""What the judge writes: the results of a phase in words, and the next page to fill in."""

from collections.abc import Iterator

from powderkeg.core.words import Msg, say
from powderkeg.games.diplomacy.board import POWERS, Power, Unit
from powderkeg.games.diplomacy.draw import board_map
from powderkeg.games.diplomacy.judge.judge import Judged, due, winner
from powderkeg.games.diplomacy.judge.page import Refused, Turn
from powderkeg.games.diplomacy.judge.sheet import OVER, Refuges, Sheet, phase_msg
from powderkeg.games.diplomacy.notation.writing import order_msg, reason_msg, unit_msg
from powderkeg.games.diplomacy.rules.outcomes import Outcome, Why
from powderkeg.games.diplomacy.words import place_name, power_name


def report(turns: list[Turn], lang: str) -> str:
    """The results of every phase, then the page for the next."""
    parts = [results(turn, lang) for turn in turns if turn.judged]
    last = turns[-1].judged.sheet if turns[-1].judged else turns[-1].sheet
    return "\n".join([*parts, page(last, lang)])


def results(turn: Turn, lang: str) -> str:
    """What became of every order, and why."""
    assert turn.judged is not None  # noqa: S101  # asked only of what was judged
    lines = [say(Msg("judge.results", phase=phase_msg(turn.sheet.phase)), lang), ""]
    for power in POWERS:
        every = [line for o in turn.judged.outcomes if o.power == power for line in _told(o)]
        # A unit with two orders is dislodged once: said after the last of them.
        told = [line for i, line in enumerate(every) if line not in every[i + 1 :]]
        lines += [*(say(line, lang) for line in told), ""] if told else []
    if turn.refused:
        lines += [say(Msg("judge.not_read"), lang)]
        lines += [*(say(_refusal(each), lang) for each in turn.refused), ""]
    lines += [say(line, lang) for line in _outlook(turn.judged)]
    return "\n".join(lines) + "\n"


def _told(outcome: Outcome) -> Iterator[Msg]:
    yield reason_msg(outcome)
    if outcome.dislodged_by:
        unit: Unit = outcome.order.unit  # type: ignore[union-attr]  # only units are dislodged
        yield Msg("judge.dislodged_by", unit=unit_msg(unit), by=order_msg(outcome.dislodged_by))


def _refusal(refused: Refused) -> Msg:
    why = refused.error.msg
    return Msg("judge.refused", line=refused.line, power=power_name(refused.power), why=why)


def _outlook(judged: Judged) -> Iterator[Msg]:
    """Centres, builds and removals, the winner, the next phase."""
    sheet = judged.sheet
    if judged.counted:
        counts = [
            Msg("judge.centre_count", power=power_name(power), count=len(sheet.owned(power)))
            for power in POWERS
        ]
        yield Msg("judge.counted", counts=counts)
    if sheet.kind == "A":
        yield Msg("judge.due", what=[_owed(p, due(sheet, p)) for p in POWERS if due(sheet, p)])
    if power := winner(sheet):
        yield Msg("judge.won", power=power_name(power), count=len(sheet.owned(power)))
    if sheet.phase != OVER:
        yield Msg("judge.next", phase=phase_msg(sheet.phase))


def _owed(power: Power, owed: int) -> Msg:
    code = "judge.due_build" if owed > 0 else "judge.due_remove"
    return Msg(code, power=power_name(power), count=abs(owed))


def drawing(turn: Turn, lang: str) -> str:
    """The map of a phase as SVG, with its orders and what became of them."""
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
    return board_map.svg(position, orders, lang=lang, title=say(phase_msg(sheet.phase), lang))


# The next page


def page(sheet: Sheet, lang: str) -> str:
    """`sheet` in the form in which pages are read, with room for orders."""
    lines = [say(phase_msg(sheet.phase), lang), "", say(Msg("judge.units"), lang)]
    lines += [_row(power, map(unit_msg, units), lang) for power, units in sheet.units.items()]
    lines += ["", say(Msg("judge.centres"), lang)]
    for power in POWERS:
        owned = (place_name(centre, short=True) for centre in sheet.owned(power))
        lines.append(_row(power, owned, lang))
    if sheet.dislodged:
        lines += ["", say(Msg("judge.dislodged"), lang)]
        lines += [_beaten(power, found, lang) for power, found in sheet.dislodged.items()]
    if sheet.phase != OVER:
        lines += ["", say(Msg("judge.orders"), lang), *_asked(sheet, lang)]
    return "\n".join(lines) + "\n"


def _row(power: Power, listed: Iterator[Msg], lang: str) -> str:
    return (
        f"{say(power_name(power), lang)}: {', '.join(say(each, lang) for each in listed)}".rstrip()
    )


def _beaten(power: Power, refuges: Refuges, lang: str) -> str:
    units = []
    for unit, places in refuges.items():
        goals = ", ".join(say(place_name(to, short=True), lang) for to in places)
        units.append(f"{say(unit_msg(unit), lang)} [{goals}]")
    return f"{say(power_name(power), lang)}: {', '.join(units)}"


def _asked(sheet: Sheet, lang: str) -> Iterator[str]:
    """A line for each power that has anything to decide."""
    for power in POWERS:
        name = say(power_name(power), lang)
        if sheet.kind == "A" and (owed := due(sheet, power)):
            yield f"{name}:  # {say(_owed(power, owed), lang)}"
        elif (sheet.kind == "M" and sheet.units[power]) or power in sheet.dislodged:
            yield f"{name}:"
