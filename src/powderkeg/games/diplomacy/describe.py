"""A view in words, section by section."""

from typing import Any

from powderkeg.core.game import Section, View
from powderkeg.core.words import Msg
from powderkeg.games.diplomacy.actions import parse_order, parse_unit
from powderkeg.games.diplomacy.board import CENTRES, POWERS, Power
from powderkeg.games.diplomacy.view import load_outcome
from powderkeg.games.diplomacy.words import (
    order_name,
    phase_name,
    place_name,
    power_name,
    proposal_name,
    reason_name,
    seat_name,
    unit_name,
)


def describe(view: View) -> tuple[Section, ...]:
    """The board in words: units and centres, the latest outcomes, own drafts, proposals."""
    sections = [_phase_section(view)]
    sections += [_power_section(view, power) for power in POWERS if _power_remains(view, power)]
    if neutral := neutral_centres(view):
        centres = tuple(map(place_name, neutral))
        line = Msg("diplomacy.see.neutral_centres", n=len(centres), centres=centres)
        sections.append(Section(Msg("diplomacy.see.neutral"), (line,)))
    for report in view["reports"]:
        lines = tuple(reason_name(load_outcome(each)) for each in report["outcomes"])
        sections.append(Section(phase_name(report["phase"]), lines))
    if view["dislodged"]:
        lines = tuple(_dislodged_line(each) for each in view["dislodged"])
        sections.append(Section(Msg("diplomacy.see.dislodged"), lines))
    if view["drafts"]:
        lines = tuple(order_name(parse_order(text)) for text in view["drafts"].values())
        sections.append(Section(Msg("diplomacy.see.drafts"), lines))
    if view["proposals"]:
        lines = tuple(
            Msg("diplomacy.proposes", seat=seat_name(each["by"]), what=proposal_name(each["what"]))
            for each in view["proposals"]
        )
        sections.append(Section(Msg("diplomacy.see.proposals"), lines))
    return tuple(sections)


def _phase_section(view: View) -> Section:
    """The phase, which powers the reader plays, and what wins."""
    lines = [phase_name(view["phase"])]
    if own := view["seats"].get(view["seat"]):
        lines.append(Msg("diplomacy.see.you", powers=tuple(map(power_name, own["powers"]))))
    lines.append(Msg("diplomacy.see.target", n=view["target"]))
    return Section(Msg("diplomacy.see.phase"), tuple(lines))


def neutral_centres(view: View) -> list[str]:
    """The supply centres that belong to no power."""
    owned = {code for codes in view["centres"].values() for code in codes}
    return [code for code in CENTRES if code not in owned]


def _power_remains(view: View, power: Power) -> bool:
    return bool(view["units"][power] or view["centres"][power])


def _power_section(view: View, power: Power) -> Section:
    units = tuple(unit_name(parse_unit(text)) for text in view["units"][power])
    centres = tuple(place_name(code) for code in view["centres"][power])
    lines = []
    if units:
        lines.append(Msg("diplomacy.see.units", n=len(units), units=units))
    if centres:
        lines.append(Msg("diplomacy.see.centres", n=len(centres), centres=centres))
    return Section(power_name(power), tuple(lines))


def _dislodged_line(each: dict[str, Any]) -> Msg:
    code = "diplomacy.dislodged" if each["retreats"] else "diplomacy.dislodged_for_good"
    return Msg(
        code,
        power=power_name(each["power"]),
        unit=unit_name(parse_unit(each["unit"])),
        by=order_name(parse_order(each["by"])),
        to=tuple(place_name(to) for to in each["retreats"]),
    )
