"""Saves of jDip written for these tests: a world of Java objects, and XML as JSX writes it.

An object stands where it is met first, however deep, and is referred to by its id after that. The
classes and fields are those of jDip's public source.
"""

import gzip
from itertools import count
from typing import Any
from xml.sax.saxutils import quoteattr

from powderkeg.core.words import say
from powderkeg.games.diplomacy.actions import (
    Build,
    Convoy,
    Disband,
    Hold,
    Move,
    Retreat,
    Support,
    Waive,
)
from powderkeg.games.diplomacy.archive.saved_game import NOT_WRITTEN, phase_history
from powderkeg.games.diplomacy.board import POWERS, PROVINCES, unit_moves
from powderkeg.games.diplomacy.words import place_name

COAST_NAMES = {
    "nc": "North Coast",
    "sc": "South Coast",
    "ec": "East Coast",
    "army": "None",
    "fleet": "Single",
}


class Obj:
    """A Java object: its class and its fields."""

    def __init__(self, kind, **fields):
        self.kind, self.fields = kind, fields


class JavaMap(dict[Any, Any]):
    """A map by the identity of its keys, with the numbers that stand before its entries."""

    kind, numbers = "java.util.HashMap", 2


class Tree(JavaMap):
    kind, numbers = "java.util.TreeMap", 1


class Array(list[Any]):
    base = "java.lang.Object"


class World:
    """Everything that a save refers to again and again."""

    def __init__(self, extra_province="Switzerland"):
        self.powers = {
            p: Obj("dip.world.Power", names=Array([p.title()]), adjective=p.title(), isActive=True)
            for p in POWERS
        }
        self.kinds = {
            kind: Obj("dip.world.Unit$Type", internalName=name)
            for kind, name in {"A": "army", "F": "fleet", "W": "wing"}.items()
        }
        self.coasts = {key: Obj("dip.world.Coast", name=n) for key, n in COAST_NAMES.items()}
        self.places = {code: self._province(code, i) for i, code in enumerate(PROVINCES)}
        self.provinces = Array(self.places.values())
        if extra_province:
            self.provinces.insert(10, self._province("swi", 10, extra_province))
        for one, other in zip(self.provinces, self.provinces[1:], strict=False):
            loc = Obj("dip.world.Location", province=other, coast=self.coasts["army"])
            one.fields["adjacency"] = Obj(
                "dip.world.Province$Adjacency",
                adjLoc=JavaMap({self.coasts["army"]: Array([loc])}),
            )

    @staticmethod
    def _province(code, index, name=""):
        full = name or say(place_name(code), "en")
        return Obj(
            "dip.world.Province",
            fullName=full,
            shortNames=Array([code]),
            index=index,
            supplyCenter=True,
            adjacency=None,
        )

    def coast(self, unit, at):
        return self.coasts[at[4:] or ("army" if unit.kind == "A" else "fleet")]

    def location(self, unit, at):
        province = self.places[at[:3]]
        return Obj("dip.world.Location", province=province, coast=self.coast(unit, at))

    def unit(self, power, unit):
        return Obj(
            "dip.world.Unit",
            type=self.kinds[unit.kind],
            owner=self.powers[power],
            coast=self.coast(unit, unit.at),
        )

    def order(self, power, order, package="dip.gui.order.GUI"):
        owner = self.powers[power]
        if isinstance(order, Waive):
            return Obj(f"{package}Waive", power=owner, src=None, srcUnitType=None)
        unit = order.unit
        fields = {
            "power": owner,
            "src": self.location(unit, unit.at),
            "srcUnitType": self.kinds[unit.kind],
        }
        match order:
            case Move(_, to):
                fields |= {
                    "dest": self.location(unit, to),
                    "convoyRoutes": None,
                    "_isViaConvoy": order.via or (unit.kind == "A" and to not in unit_moves(unit)),
                }
            case Retreat(_, to):
                fields["dest"] = self.location(unit, to)
            case Support(_, target, to):
                fields |= {
                    "supSrc": self.location(target, target.at),
                    "supUnitType": self.kinds[target.kind],
                    "supDest": self.location(target, to) if to else None,
                }
            case Convoy(_, army, to):
                fields |= {
                    "convoySrc": self.location(army, army.at),
                    "convoyUnitType": self.kinds["A"],
                    "convoyDest": self.location(army, to),
                }
            case Disband() | Build() | Hold():
                pass
        return Obj(package + type(order).__name__, **fields)

    def phase(self, code):
        season = {"S": 1000}.get(code[0], 2000)
        kind = {"M": "movement", "R": "retreat", "A": "adjustment"}[code[-1]]
        return Obj(
            "dip.world.Phase",
            seasonType=Obj("dip.world.Phase$SeasonType", position=season),
            yearType=Obj("dip.world.Phase$YearType", year=int(code[1:-1])),
            phaseType=Obj("dip.world.Phase$PhaseType", constName=kind, position=100),
        )

    def position(self, sheet):
        data = {
            id(each): {"unit": None, "dislodgedUnit": None, "SCOwner": None, "lastOccupier": None}
            for each in self.provinces
        }
        for field, listed in (("unit", sheet.units), ("dislodgedUnit", sheet.dislodged)):
            for power, units in listed.items():
                for unit in units:
                    data[id(self.places[unit.province])][field] = self.unit(power, unit)
        for centre, owner in sheet.centres.items():
            data[id(self.places[centre])]["SCOwner"] = self.powers[owner]
        listed = [
            Obj("dip.world.Position$ProvinceData", **fields) if any(fields.values()) else None
            for fields in data.values()
        ]
        return Obj("dip.world.Position", powerMap=JavaMap(), provArray=Array(listed))

    def turn(self, played, *, ended):
        sheet = played.sheet
        orders = JavaMap({owner: [] for owner in self.powers.values()})
        for each in played.outcomes or ():
            if each.why not in NOT_WRITTEN:
                orders[self.powers[each.power]].append(self.order(each.power, each.order))
        phase = self.phase(sheet.phase)
        return phase, Obj(
            "dip.world.TurnState",
            phase=phase,
            resultList=[],
            orderMap=orders,
            isSCOwnerChanged=False,
            position=self.position(sheet),
            isEnded=ended,
            isResolved=played.outcomes is not None,
        )


def jdip_world(table, world=None, *, builds="OptionValue.home-only", over=False):
    """The world of a game of ours, as jDip keeps it."""
    world = world or World()
    history = [each for each in phase_history(table) if each.sheet.phase != "COMPLETED"]
    turns = dict(world.turn(each, ended=over and each is history[-1]) for each in history)
    option = Obj("dip.world.RuleOptions$Option", name="Option.builds")
    chosen = Obj("dip.world.RuleOptions$OptionValue", name=builds)
    rules = Obj("dip.world.RuleOptions", optionMap=JavaMap({option: chosen}))
    variant = Obj("dip.world.World$VariantInfo", variantName="Standard", ruleOptions=rules)
    extras = {
        "_variant_info_": variant,
        "_world_metadata_": Obj("dip.world.metadata.GameMetadata", gameName="Café & friends"),
        world.powers["FRANCE"]: Obj("dip.world.metadata.PlayerMetadata", name="Zoë"),
        world.powers["ITALY"]: Obj("dip.world.metadata.PlayerMetadata", name=""),
    }
    shared = Obj("java.util.Collections$SynchronizedSortedMap", m=Tree(turns))
    board = Obj("dip.world.Map", powers=Array(world.powers.values()), provinces=world.provinces)
    return Obj("dip.world.World", turnStates=shared, nonTurnData=JavaMap(extras), map=board)


def jdip_text(world):
    """A world as XML."""
    head = '<?xml version="1.0" encoding="UTF-8"?>\n<jsx major="2" format="JSX.DataReader">'
    return f"{head}{''.join(_Writer().write(world, ''))}</jsx>"


def jdip_bytes(table, **more):
    """A save as jDip writes it to disk."""
    return gzip.compress(jdip_text(jdip_world(table, **more)).encode())


class _Writer:
    def __init__(self):
        self.ids, self.kept, self.next = {}, [], count(1)

    def write(self, value, field):
        named = f" field={quoteattr(field)}" if field else ""
        if value is None:
            yield f"<null{named}/>"
        elif isinstance(value, bool):
            yield f'<primitive{named} type="boolean" value="{str(value).lower()}"/>'
        elif isinstance(value, int):
            yield f'<primitive{named} type="int" value="{value}"/>'
        elif isinstance(value, str):
            yield f"<string{named} value={quoteattr(value)}/>"
        elif id(value) in self.ids:
            yield f'<reference{named} idref="{self.ids[id(value)]}"/>'
        else:
            yield from self._write_new(value, named)

    def _write_new(self, value, named):
        self.ids[id(value)] = name = f"i{next(self.next)}"
        self.kept.append(value)
        if isinstance(value, Obj):
            yield f'<object{named} class="{value.kind}" id="{name}"><declaredClass class="x"><default>'
            for field, held in value.fields.items():
                yield from self.write(held, field)
            yield "</default></declaredClass></object>"
        elif isinstance(value, JavaMap):
            yield f'<object{named} class="{value.kind}" id="{name}">'
            yield '<default><primitive field="threshold" type="int" value="12"/></default>'
            for number in range(value.numbers):
                yield from self.write(number, "")
            for key, held in value.items():
                yield from self.write(key, "")
                yield from self.write(held, "")
            yield "</object>"
        else:
            tag = "array" if isinstance(value, Array) else "collection"
            about = f'base="{value.base}"' if tag == "array" else 'class="java.util.ArrayList"'
            yield f'<{tag}{named} {about} id="{name}">'
            for held in value:
                yield from self.write(held, "")
            yield f"</{tag}>"
