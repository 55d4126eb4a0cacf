"""Saves of jDip: its whole world as Java objects, with a position and the orders of every phase."""

from collections.abc import Iterator
from typing import Final
from xml.etree.ElementTree import Element

from powderkeg.core.errors import Unreadable
from powderkeg.games.diplomacy.archive.java_objects import JavaObjects, parse_objects
from powderkeg.games.diplomacy.archive.model import (
    Archive,
    ArchivePhase,
    clean_text,
    load_phases,
    merge_doubles,
)
from powderkeg.games.diplomacy.board import CENTRES, Power
from powderkeg.games.diplomacy.judge.jsonl import load_sheet
from powderkeg.games.diplomacy.judge.sheet import OVER, Sheet, check_phase
from powderkeg.games.diplomacy.notation.lexicon import find_power, name_words, order_lexicon

_COASTS: Final = {
    "North Coast": "/nc",
    "South Coast": "/sc",
    "West Coast": "/wc",
    "East Coast": "/ec",
}
_SPRING: Final = "1000"
_STAGES: Final = {"movement": "M", "retreat": "R", "adjustment": "A"}
_KINDS: Final = {"army": "A", "fleet": "F"}
_HOME_BUILDS: Final = ("", "OptionValue.home-only")


def load_jdip_game(text: str) -> Archive:
    """The game of a save."""
    save = _Save(parse_objects(text))
    phases = merge_doubles(save.list_phases())
    if phases and save.is_over():
        phases.append(ArchivePhase(OVER, {}))
    rules = ("BUILD_ANY",) if save.has_option("Option.builds", _HOME_BUILDS) else ()
    return Archive(save.game_name(), tuple(phases), rules, save.player_names())


class _Save:
    """The world of a save, in our words."""

    def __init__(self, objects: JavaObjects) -> None:
        self.objects = objects
        self.world = objects.find_object("dip.world.World")
        self.extras = {
            self._key_name(key): value
            for key, value in objects.map_items(objects.field(self.world, "nonTurnData"))
        }
        self.variant = objects.field_text(self.extras.get("_variant_info_"), "variantName")
        provinces = objects.list_items(objects.field(self.world, "map", "provinces"))
        self.places = {each: self._find_place(each) for each in provinces if each is not None}
        self.by_index = [
            self.places.get(each, "") if each is not None else "" for each in provinces
        ]

    def game_name(self) -> str:
        return clean_text(
            self.objects.field_text(self.extras.get("_world_metadata_"), "gameName")
        ).strip()

    def player_names(self) -> dict[Power, str]:
        """The players who have a name."""
        named = {
            key: clean_text(self.objects.field_text(value, "name")).strip()
            for key, value in self.extras.items()
        }
        return {power: name for key, name in named.items() if name and (power := find_power(key))}

    def has_option(self, name: str, usual: tuple[str, ...]) -> bool:
        """Whether a rule was changed from its usual values."""
        listed = self.objects.field(self.extras.get("_variant_info_"), "ruleOptions", "optionMap")
        return any(
            self.objects.field_text(option, "name") == name
            and self.objects.field_text(value, "name") not in usual
            for option, value in self.objects.map_items(listed)
        )

    def is_over(self) -> bool:
        return any(self.objects.field_text(turn, "isEnded") == "true" for turn in self._turns())

    def list_phases(self) -> Iterator[ArchivePhase]:
        return load_phases(
            self._load_turn, ((self._turn_name(turn), turn) for turn in self._turns())
        )

    def _turn_name(self, turn: Element) -> str:
        phase = self.objects.field(turn, "phase")
        parts = (("yearType", "year"), ("phaseType", "constName"))
        return " ".join(self.objects.field_text(phase, *part) for part in parts)

    def _load_turn(self, turn: Element) -> ArchivePhase:
        phase = self._phase_code(turn)
        return ArchivePhase(
            phase,
            self._turn_orders(turn),
            self._turn_sheet(turn, phase),
            played=self.objects.field_text(turn, "isResolved") == "true",
        )

    def _turns(self) -> list[Element]:
        """Every phase; the map of them may stand inside a map for several threads."""
        listed = self.objects.field(self.world, "turnStates")
        inner = self.objects.field(listed, "m")
        return [turn for _, turn in self.objects.map_items(listed if inner is None else inner)]

    def _phase_code(self, turn: Element) -> str:
        phase = self.objects.field(turn, "phase")
        kind = self.objects.field_text(phase, "phaseType", "constName").lower()
        spring = self.objects.field_text(phase, "seasonType", "position") == _SPRING
        stage = _STAGES.get(kind, "")
        season = "W" if stage == "A" else "S" if spring else "F"
        return check_phase(f"{season}{self.objects.field_text(phase, 'yearType', 'year')}{stage}")

    # Positions

    def _turn_sheet(self, turn: Element, phase: str) -> Sheet | None:
        """The position before a phase; None where the list of provinces is not complete."""
        listed = self.objects.list_items(self.objects.field(turn, "position", "provArray"))
        if not listed or len(listed) != len(self.by_index):
            return None
        units: dict[str, list[str]] = {}
        centres: dict[str, list[str]] = {}
        for place, data in zip(self.by_index, listed, strict=True):
            for field, star in (("unit", ""), ("dislodgedUnit", "*")):
                if (unit := self.objects.field(data, field)) is not None:
                    owner = self._power_of(self.objects.field(unit, "owner"))
                    units.setdefault(owner, []).append(f"{star}{self._unit_text(unit, place)}")
            owned = self.objects.field(data, "SCOwner")
            if owned is not None and place in CENTRES:
                centres.setdefault(self._power_of(owned), []).append(place)
        return load_sheet({"phase": phase, "units": units, "centers": centres})

    def _unit_text(self, unit: Element, place: str) -> str:
        kind = self._unit_kind(self.objects.field(unit, "type"))
        coast = self._coast_of(self.objects.field(unit, "coast")) if kind == "F" else ""
        return f"{kind} {self._known_place(place)}{coast}".upper()

    # Orders

    def _turn_orders(self, turn: Element) -> dict[Power, list[str]]:
        """The orders as they counted: jDip replaces those that it refuses, and adds missing ones."""
        replaced, added = self._substitutions(turn)
        orders: dict[Power, list[str]] = {}
        for _, listed in self.objects.map_items(self.objects.field(turn, "orderMap")):
            given = [each for each in self.objects.list_items(listed) if each is not None]
            for order in (each for each in given if each not in replaced):
                self._keep_order(orders, order)
        for order in added:
            self._keep_order(orders, order)
        return orders

    def _substitutions(self, turn: Element) -> tuple[list[Element], list[Element]]:
        results = self.objects.list_items(self.objects.field(turn, "resultList"))
        found = [
            each for each in results if each is not None and _class_of(each) == "SubstitutedResult"
        ]
        old = [self.objects.field(each, "order") for each in found]
        new = [self.objects.field(each, "newOrder") for each in found]
        return [o for o in old if o is not None], [n for n in new if n is not None]

    def _keep_order(self, orders: dict[Power, list[str]], order: Element) -> None:
        power = self._power_of(self.objects.field(order, "power"))
        if text := self._order_text(order):
            orders.setdefault(power, []).append(text.upper())

    def _order_text(self, order: Element) -> str:
        """An order in wire notation; empty for what is none."""
        kind = _class_of(order).removeprefix("GUI")
        if kind == "Waive":
            return "WAIVE"
        unit = self._ordered_unit(order, "srcUnitType", "src")
        match kind:
            case "Hold":
                return f"{unit} H"
            case "Move" | "MoveExplicit":
                return f"{unit} - {self._goal(order, 'dest')}{self._via_text(order)}"
            case "Support":
                helped = self._ordered_unit(order, "supUnitType", "supSrc")
                to = self._goal(order, "supDest")
                return f"{unit} S {helped} - {to}" if to else f"{unit} S {helped}"
            case "Convoy":
                army = self._ordered_unit(order, "convoyUnitType", "convoySrc")
                return f"{unit} C {army} - {self._goal(order, 'convoyDest')}"
            case "Retreat":
                return f"{unit} R {self._goal(order, 'dest')}"
            case "Build":
                return f"{unit} B"
            case "Disband" | "Remove":
                return f"{unit} D"
        return ""

    def _ordered_unit(self, order: Element, kind: str, place: str) -> str:
        letter = self._unit_kind(self.objects.field(order, kind))
        at = self._goal(order, place)
        return f"{letter} {at if letter == 'F' else at[:3]}"

    def _goal(self, order: Element, field: str) -> str:
        """A place with its coast; empty if the order has none."""
        location = self.objects.field(order, field)
        province = self.objects.field(location, "province")
        if province is None:
            return ""
        coast = self._coast_of(self.objects.field(location, "coast"))
        return self._known_place(self.places.get(province, "")) + coast

    def _via_text(self, order: Element) -> str:
        routed = self.objects.field(order, "convoyRoutes") is not None
        return " VIA" if routed or self.objects.field_text(order, "_isViaConvoy") == "true" else ""

    # Nouns

    def _key_name(self, key: Element) -> str:
        """The name of what is kept beside the turns: a text, or the power whose player it is."""
        return key.get("value") or self._power_text(key)

    def _power_text(self, power: Element | None) -> str:
        names = self.objects.list_items(self.objects.field(power, "names"))
        return names[0].get("value", "") if names and names[0] is not None else ""

    def _power_of(self, power: Element | None) -> Power:
        name = self._power_text(power)
        if found := find_power(name):
            return found
        raise self._other_map(name)

    def _unit_kind(self, kind: Element | None) -> str:
        name = self.objects.field_text(kind, "internalName")
        if name in ("", "undefined"):
            return "A"  # where a type is not given, jDip takes an army
        if name not in _KINDS:
            raise Unreadable("archive.other_rules", name=name)
        return _KINDS[name]

    def _coast_of(self, coast: Element | None) -> str:
        return _COASTS.get(self.objects.field_text(coast, "name"), "")

    def _find_place(self, province: Element) -> str:
        """Our name of a province; empty for one that we do not have, such as Switzerland."""
        shorts = self.objects.list_items(self.objects.field(province, "shortNames"))
        names = [self.objects.field_text(province, "fullName")]
        names += [each.get("value", "") for each in shorts if each is not None]
        for name in names:
            found = order_lexicon("en").find_places(name_words(name))
            if len(found) == 1:
                return next(iter(found))
        return ""

    def _known_place(self, place: str) -> str:
        if not place:
            raise self._other_map("")
        return place

    def _other_map(self, name: str) -> Unreadable:
        return Unreadable("judge.other_map", map=self.variant or name or "jDip")


def _class_of(element: Element) -> str:
    return element.get("class", "").rpartition(".")[2]
