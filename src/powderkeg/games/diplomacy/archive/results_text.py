"""Games as text: the results that nJudge and DPjudge mail, and pages copied from Backstabbr.

    Movement results for Spring of 1901.  (evening.001)
    Austria: Army Vienna -> Galicia. (*bounce*)

The judges print every result, so that results are compared where there are no positions. A page of
orders has a heading per phase (*Spring 1901*), one per power, and a line per order.
"""

import re
from collections.abc import Callable, Iterator
from functools import partial
from typing import Final, NamedTuple

from powderkeg.core.errors import RulesError, Unreadable
from powderkeg.core.table import Table
from powderkeg.core.words import say
from powderkeg.games.diplomacy.actions import (
    Build,
    Convoy,
    Disband,
    Move,
    Order,
    Retreat,
    Support,
    Waive,
)
from powderkeg.games.diplomacy.archive.model import (
    Archive,
    ArchivePhase,
    load_phases,
    merge_doubles,
)
from powderkeg.games.diplomacy.archive.saved_game import NOT_WRITTEN, phase_history
from powderkeg.games.diplomacy.board import PROVINCES, Power, Unit
from powderkeg.games.diplomacy.judge.sheet import OVER, check_phase
from powderkeg.games.diplomacy.notation.lexicon import find_power
from powderkeg.games.diplomacy.notation.reading import read_place
from powderkeg.games.diplomacy.rules.outcomes import Outcome, Verdict, Why
from powderkeg.games.diplomacy.words import power_name

_SEASONS: Final = {"spring": "S", "summer": "S", "fall": "F", "autumn": "F", "winter": "W"}
_JUDGE_HEADING: Final = re.compile(
    r"\s*(?P<kind>movement|retreat|adjustment|build)s? (?:results|orders) for "
    r"(?P<season>\w+)(?: of)? (?P<year>\d{4})\.?\s*(?:\((?P<game>[^)]*?)(?:\.\d+)?\))?",
    re.IGNORECASE,
)
_PAGE_HEADING: Final = re.compile(
    r"\W*(?P<season>spring|summer|fall|autumn|winter),? (?P<year>\d{4})"
    r"(?:\W+(?P<kind>movement|moves|orders|retreats?|adjustments?|builds?))?\W*",
    re.IGNORECASE,
)
_QUOTED: Final = re.compile(r"^(?:> ?)+")
_YEAR_FIRST: Final = re.compile(
    r"^\W*(\d{4}),? (spring|summer|fall|autumn|winter)\b", re.IGNORECASE
)
_JUDGE_LINE: Final = re.compile(r"\s*(?P<power>[A-Z][\w-]+):\s+(?P<text>\S.*)")
_RESULT: Final = re.compile(r"\(\*(?P<what>[^*]*)\*\)")
_PAGE_RESULT: Final = re.compile(
    r"[\s,;:(\[*-]*\b(?P<what>succeeds|fails|bounced?|cut|dislodged|void|failed|success|ordered to)"
    r"\b.*$",
    re.IGNORECASE,
)
_ADJUSTMENT: Final = re.compile(
    r"(?P<verb>build|remov|disband)\w* (?:an?|the) (?P<unit>army|fleet) in (?:the )?(?P<place>.+)",
    re.IGNORECASE,
)
_ADJUSTED: Final = re.compile(r"[AF] \S+ [BD]")  # as `_plain_order` writes it
_UNIT_START: Final = re.compile(
    r"(?:(?:army|fleet|[AF])\s+)?(?P<place>.+?)\s*"
    r"(?:->|→|,|\bsupport|\bconvoy|\bhold|\s[SCH]\b|\s-|$)",
    re.IGNORECASE,
)
_UNIT_ORDERED: Final = re.compile(
    r"(?:army|fleet) \w.*(?:->|→| - |\b(?:support|convoy|hold))", re.IGNORECASE
)
_MAIL_FIELD: Final = re.compile(
    r"subject|from|to|b?cc|date|sender|reply-to|re|fwd?|x-.*|asunto|oggetto", re.IGNORECASE
)
_DRAW: Final = re.compile(  # the judge's sentence only: players write about draws too
    r"\s*(?:(?:the|this)\s+)?game(?:\s+['\"\u2018\u201c](?P<name>[^'\"\u2019\u201d]*)['\"\u2019\u201d])?"
    r"(?:\s+(?:is|was|has|been))*\s+(?:declared|ended|ends)\s+(?:as\s+|in\s+)?a\s+draw\b",
    re.IGNORECASE,
)
_FAILED: Final = ("bounce", "no convoy", "fail")
_LOST: Final = ("dislodged", "disloged", "destroyed")
_VOID: Final = ("void", "ordered to")
_ORDER_SIGNS: Final = re.compile(r" - |\b(?:support|convoy)", re.IGNORECASE)


_Lines = Iterator[tuple[Power, str, str]]  # power, order, result
_Matcher = Callable[[str], re.Match[str] | None]


class _Section(NamedTuple):
    """A phase of a text: its heading and the lines below it."""

    phase: str
    game: str
    lines: list[str]


def is_judge_text(text: str) -> bool:
    return any(map(_JUDGE_HEADING.match, _plain_lines(text)))


def is_orders_page(text: str) -> bool:
    return any(map(_PAGE_HEADING.fullmatch, _plain_lines(text)))


def _plain_lines(text: str) -> list[str]:
    """The lines of a text; ``1901 Spring`` becomes ``Spring 1901``. In a mail that is quoted as a whole
    they lose its signs; elsewhere quoted lines are a part of somebody's letter."""
    lines = text.splitlines()
    own = [_season_first(line) for line in lines if not _QUOTED.match(line)]
    if any(_JUDGE_HEADING.match(line) or _PAGE_HEADING.fullmatch(line) for line in own):
        return own
    return [_season_first(_QUOTED.sub("", line)) for line in lines]


def _season_first(line: str) -> str:
    return _YEAR_FIRST.sub(r"\2 \1", line)


# Reading


def find_judge_games(text: str) -> dict[str, Callable[[], Archive]]:
    """The games in a mailbox of results by their names, each with how to read it."""
    sections = list(_split_sections(text, _JUDGE_HEADING.match))
    names = dict.fromkeys(section.game for section in sections)
    return {name: partial(_join_sections, name, sections, _result_orders) for name in names}


def load_orders_page(text: str) -> Archive:
    """The game on a page of orders; a heading without orders is a phase that is still open."""
    sections = list(_split_sections(text, _PAGE_HEADING.fullmatch))
    archive = _join_sections("", sections, _page_orders)
    phases = tuple(each._replace(played=bool(each.orders)) for each in archive.phases)
    return archive._replace(phases=phases)


def _split_sections(text: str, match_heading: _Matcher) -> Iterator[_Section]:
    found: _Section | None = None
    for line in _plain_lines(text):
        if match := match_heading(line):
            if found:
                yield found
            parts = match.groupdict()
            found = _Section(_phase_code(parts), _game_name(parts), [])
        elif found:
            found.lines.append(line)
    if found:
        yield found


def _game_name(parts: dict[str, str | None]) -> str:
    """The name of the game behind a heading; some programs repeat the phase there."""
    name, year = parts.get("game") or "", parts["year"] or ""
    return "" if year in name else name


def _phase_code(parts: dict[str, str | None]) -> str:
    season = _SEASONS.get((parts["season"] or "").lower(), "S")
    kind = (parts["kind"] or ("a" if season == "W" else "m")).lower()
    stage = "R" if kind.startswith("r") else "A" if kind[0] in "ab" else "M"
    season = "W" if stage == "A" else season
    return f"{season}{parts['year']}{stage}"


def _is_drawn(name: str, sections: list[_Section]) -> bool:
    """Whether the judge declares this game a draw: by its name, or below one of its phases."""
    return any(
        ((name and found["name"]) or each.game) == name
        for each in sections
        for found in filter(None, map(_DRAW.match, each.lines))
    )


def _join_sections(
    name: str, sections: list[_Section], reader: Callable[[_Section], _Lines]
) -> Archive:
    mine = [(each.phase, each) for each in sections if each.game == name]
    phases = list(load_phases(lambda each: _load_section(each, reader(each)), mine))
    if not any(phase.orders for phase in phases):
        raise Unreadable("archive.no_orders")
    phases = merge_doubles(phases)
    if _is_drawn(name, sections):
        phases.append(ArchivePhase(OVER, {}))
    return Archive(name, tuple(phases))


def _load_section(section: _Section, lines: _Lines) -> ArchivePhase:
    orders: dict[Power, list[str]] = {}
    failed: set[str] = set()
    lost: set[str] = set()
    certain: set[str] = set()
    has_results, is_movement = False, section.phase[-1] == "M"
    for power, text, result in lines:
        orders.setdefault(power, []).append(text)
        place = _unit_place(text)
        has_results = has_results or bool(result)
        if _is_move(text) and any(word in result for word in _FAILED):
            failed.add(place)
        if any(word in result for word in _LOST):
            lost.add(place)
        if _must_read(text, result) if is_movement else _is_adjustment(text):
            certain.add(text)
    compare = has_results and is_movement
    return ArchivePhase(
        check_phase(section.phase),
        orders,
        failed=frozenset(failed) if compare else None,
        dislodged=frozenset(lost) if compare and lost else None,
        certain=frozenset(certain),
    )


def _must_read(text: str, result: str) -> bool:
    """Whether a line is an order and not a remark, and was not void there."""
    return bool(_ORDER_SIGNS.search(text)) and not any(word in result for word in _VOID)


def _is_adjustment(text: str) -> bool:
    return bool(_ADJUSTED.fullmatch(text) or _ADJUSTMENT.search(text))


def _is_move(text: str) -> bool:
    help_words = r"\bsupport|(?<!via )\bconvoy|\s[SC]\s"
    return " - " in text and not re.search(help_words, text, re.IGNORECASE)


def _unit_place(text: str) -> str:
    found = _UNIT_START.match(text)
    return _read_place(found["place"])[:3] if found else ""


def _read_place(text: str) -> str:
    try:
        return read_place(text.strip())
    except RulesError:
        return ""


def _result_orders(section: _Section) -> _Lines:
    """Orders with the name of the power on each line, or below it."""
    return iter(list(_judge_orders(section)) or list(_page_orders(section)))


def _judge_orders(section: _Section) -> _Lines:
    for line in _long_lines(section.lines):
        found = _JUDGE_LINE.match(line)
        if not found or _MAIL_FIELD.fullmatch(found["power"]):
            continue
        power = find_power(found["power"])
        if not power and _UNIT_ORDERED.match(found["text"]):
            raise Unreadable("judge.no_such_power", text=found["power"])
        if not power:
            continue
        result = _RESULT.search(found["text"])
        text = _RESULT.sub("", found["text"]).strip().rstrip(".").strip()
        if "no order" not in text.lower():
            yield power, _plain_order(text), result["what"].lower() if result else ""


def _long_lines(lines: list[str]) -> Iterator[str]:
    """Lines with their continuations: a judge breaks long ones."""
    whole = ""
    for line in lines:
        if _JUDGE_LINE.match(line) or not line.strip():
            if whole:
                yield whole
            whole = line.strip()
        elif whole and not whole.endswith((".", ")")):
            whole = f"{whole} {line.strip()}"
    if whole:
        yield whole


def _plain_order(text: str) -> str:
    """An order of a judge as our reader knows it."""
    found = _ADJUSTMENT.search(text)
    if found and (place := _read_place(found["place"])):
        return f"{found['unit'][0].upper()} {place} {'B' if found['verb'][0] in 'bB' else 'D'}"
    parts = re.split(r"\s*(?:->|→)\s*", " ".join(text.split()))
    if len(parts) > 2:  # the seas of a convoy are named on the way
        return f"{parts[0]} - {parts[-1]} via convoy"
    return " - ".join(parts)


def _page_orders(section: _Section) -> _Lines:
    """Orders below the name of their power, or behind it on the same line."""
    power: Power | None = None
    for line in filter(None, map(str.strip, section.lines)):
        head, _, rest = line.partition(":")
        named = find_power(head.strip(" *_#"))
        power = named or power
        text = rest.strip() if named else line
        if power and text and (named is None or rest.strip()):
            for order in filter(None, map(str.strip, text.split(";"))):
                result = _PAGE_RESULT.search(order)
                bare = _PAGE_RESULT.sub("", order).strip(" -*•.")
                yield power, _plain_order(bare), result["what"].lower() if result else ""


# Writing, as nJudge does


def export_judge_text(table: Table, name: str) -> str:
    """A game of ours as the results that a judge would have mailed."""
    parts = []
    for number, played in enumerate(phase_history(table), start=1):
        if played.outcomes is not None and played.sheet.phase != OVER:
            parts.append(_phase_text(played.sheet.phase, played.outcomes, f"{name}.{number:03d}"))
    if table.state.ending and table.state.ending.how == "draw":
        parts.append(f"Game '{name}' declared a draw.\n")
    return "\n".join(parts)


def _phase_text(phase: str, outcomes: tuple[Outcome, ...], name: str) -> str:
    kind = {"M": "Movement", "R": "Retreat", "A": "Adjustment"}[phase[-1]]
    season = {"S": "Spring", "F": "Fall", "W": "Winter"}[phase[0]]
    lines = [_outcome_line(each, phase[-1]) for each in outcomes if _is_printed(each)]
    return "\n".join([f"{kind} results for {season} of {phase[1:-1]}.  ({name})", "", *lines, ""])


def _is_printed(outcome: Outcome) -> bool:
    return outcome.why not in NOT_WRITTEN or outcome.why is Why.REMOVED_BY_RULE


def _outcome_line(outcome: Outcome, stage: str) -> str:
    words = {Verdict.BOUNCED: "bounce", Verdict.NO_CONVOY: "no convoy", Verdict.CUT: "cut"}
    found = [words.get(outcome.verdict, "void")] if outcome.verdict is not Verdict.OK else []
    found += ["dislodged"] if outcome.dislodged_by else []
    result = f" (*{', '.join(found)}*)" if found else ""
    order = _judge_order(outcome.order)
    if stage == "R" and isinstance(outcome.order, Disband):
        order = f"{_judge_unit(outcome.order.unit)} DISBAND"
    return f"{say(power_name(outcome.power))}: {order}.{result}"


def _judge_order(order: Order) -> str:
    match order:
        case Move(unit, to) | Retreat(unit, to):
            via = " via convoy" if isinstance(order, Move) and order.via else ""
            return f"{_judge_unit(unit)} -> {_judge_place(to)}{via}"
        case Support(unit, target, to):
            return f"{_judge_unit(unit)} SUPPORT {_judge_unit(target)}" + (
                f" -> {_judge_place(to)}" if to else ""
            )
        case Convoy(unit, army, to):
            return f"{_judge_unit(unit)} CONVOY {_judge_unit(army)} -> {_judge_place(to)}"
        case Build(unit):
            article = "an army" if unit.kind == "A" else "a fleet"
            return f"Builds {article} in {_judge_place(unit.at)}"
        case Disband(unit):
            return (
                f"Removes the {'army' if unit.kind == 'A' else 'fleet'} in {_judge_place(unit.at)}"
            )
        case Waive():
            return "Build waived"
    return f"{_judge_unit(order.unit)} HOLD"


def _judge_unit(unit: Unit) -> str:
    return f"{'Army' if unit.kind == 'A' else 'Fleet'} {_judge_place(unit.at)}"


def _judge_place(location: str) -> str:
    coasts = {"nc": "north", "sc": "south", "ec": "east"}
    name = PROVINCES[location[:3]].name
    return f"{name} ({coasts[location[4:]]} coast)" if "/" in location else name
