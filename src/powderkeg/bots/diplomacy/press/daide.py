"""What powers say to each other, in the press language of DAIDE, levels 10 to 30.

Every form is a value whose `str` is its text in tokens, and `parse` reads it back without loss:

    >>> text = "PRP ( AND ( PCE ( ENG FRA ) ) ( DMZ ( ENG FRA ) ( ECH ) ) )"
    >>> str(parse(text)) == text
    True

Level 10 speaks of peace, alliances, draws and victories; 20 of orders (of movements, retreats and
winter) and demilitarised zones; 30 of several things at once. A reply repeats the message that it
answers.
"""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Final, NamedTuple, TypeAlias

from powderkeg.core.errors import Unreadable
from powderkeg.games.diplomacy.actions import (
    Build,
    Convoy,
    Disband,
    Hold,
    Move,
    Order,
    Retreat,
    Support,
    Waive,
)
from powderkeg.games.diplomacy.board import (
    CODES,
    LOCATIONS,
    POWERS,
    PROVINCES,
    Power,
    Unit,
    can_stand,
)

TOKENS: Final = {power: power[:3] for power in POWERS}
_POWER: Final = {token: power for power, token in TOKENS.items()}
_SPECIAL: Final = {"bot": "GOB", "eng": "ECH", "lyo": "GOL"}  # named otherwise there
PLACE: Final = {code: _SPECIAL.get(code, code.upper()) for code in CODES}
_CODE: Final = {token: code for code, token in PLACE.items()}
_COASTS: Final = {"nc": "NCS", "sc": "SCS", "ec": "ECS"}


def _group(parts: Iterable[object]) -> str:
    return " ".join(["(", *map(str, parts), ")"])


def _powers(powers: Iterable[Power]) -> str:
    return _group(TOKENS[power] for power in powers)


# Level 10


@dataclass(frozen=True, slots=True)
class Peace:
    """None of these attacks another of them."""

    powers: tuple[Power, ...]

    def __str__(self) -> str:
        return f"PCE {_powers(self.powers)}"


@dataclass(frozen=True, slots=True)
class Alliance:
    """These help each other against those."""

    powers: tuple[Power, ...]
    against: tuple[Power, ...]

    def __str__(self) -> str:
        return f"ALY {_powers(self.powers)} VSS {_powers(self.against)}"


@dataclass(frozen=True, slots=True)
class Draw:
    """The game ends with a draw: of all who live, or of these."""

    powers: tuple[Power, ...] = ()

    def __str__(self) -> str:
        return f"DRW {_powers(self.powers)}" if self.powers else "DRW"


@dataclass(frozen=True, slots=True)
class Solo:
    """This power wins."""

    power: Power

    def __str__(self) -> str:
        return f"SLO {_powers([self.power])}"


@dataclass(frozen=True, slots=True)
class Not:
    """The opposite of an offer."""

    offer: "Offer"

    def __str__(self) -> str:
        return f"NOT {_group([self.offer])}"


@dataclass(frozen=True, slots=True)
class Nar:
    """No longer (or not) this offer, without the opposite."""

    offer: "Offer"

    def __str__(self) -> str:
        return f"NAR {_group([self.offer])}"


# Level 20


@dataclass(frozen=True, slots=True)
class Do:
    """This power gives this order, this turn. A move by convoy names its `seas`; `other` owns the
    unit that is supported or carried, if that is not its own; in `winter` a unit is removed, else
    it is disbanded instead of a retreat. A build that is waived names no place."""

    power: Power
    order: Order
    other: Power | None = None
    seas: tuple[str, ...] = ()
    winter: bool = False

    def __str__(self) -> str:
        return f"XDO {_group([_order(self)])}"


@dataclass(frozen=True, slots=True)
class Zone:
    """None of these powers has, or orders, a unit to any of these provinces."""

    powers: tuple[Power, ...]
    provinces: tuple[str, ...]

    def __str__(self) -> str:
        return f"DMZ {_powers(self.powers)} {_group(PLACE[code] for code in self.provinces)}"


# Level 30


@dataclass(frozen=True, slots=True)
class All:
    """All of these together."""

    offers: tuple["Offer", ...]

    def __str__(self) -> str:
        return " ".join(["AND", *(_group([offer]) for offer in self.offers)])


@dataclass(frozen=True, slots=True)
class AnyOf:
    """One of these."""

    offers: tuple["Offer", ...]

    def __str__(self) -> str:
        return " ".join(["ORR", *(_group([offer]) for offer in self.offers)])


Offer: TypeAlias = Peace | Alliance | Draw | Solo | Not | Nar | Do | Zone | All | AnyOf


# Messages


@dataclass(frozen=True, slots=True)
class Proposal:
    offer: Offer

    def __str__(self) -> str:
        return f"PRP {_group([self.offer])}"


@dataclass(frozen=True, slots=True)
class Fact:
    """This is so; nobody need answer."""

    offer: Offer

    def __str__(self) -> str:
        return f"FCT {_group([self.offer])}"


@dataclass(frozen=True, slots=True)
class Yes:
    message: "Message"

    def __str__(self) -> str:
        return f"YES {_group([self.message])}"


@dataclass(frozen=True, slots=True)
class No:
    message: "Message"

    def __str__(self) -> str:
        return f"REJ {_group([self.message])}"


@dataclass(frozen=True, slots=True)
class Evasion:
    """None of your business."""

    message: "Message"

    def __str__(self) -> str:
        return f"BWX {_group([self.message])}"


@dataclass(frozen=True, slots=True)
class Cancel:
    """What I proposed holds no longer."""

    message: "Message"

    def __str__(self) -> str:
        return f"CCL {_group([self.message])}"


@dataclass(frozen=True, slots=True)
class Huh:
    """Not understood; ERR stands before the first token that was not."""

    tokens: tuple[str, ...]

    def __str__(self) -> str:
        return f"HUH {_group(self.tokens)}"


@dataclass(frozen=True, slots=True)
class Try:
    """These are the tokens that I understand."""

    tokens: tuple[str, ...]

    def __str__(self) -> str:
        return f"TRY {_group(self.tokens)}"


Message: TypeAlias = Proposal | Fact | Yes | No | Evasion | Cancel | Huh | Try


class Letter(NamedTuple):
    """A message on its way: ``FRM ( ENG ) ( FRA ) ( PRP ... )``."""

    sender: Power
    to: tuple[Power, ...]
    message: Message

    def __str__(self) -> str:
        return f"FRM {_powers([self.sender])} {_powers(self.to)} {_group([self.message])}"


def level(said: Offer | Message) -> int:
    """The level of press that a message needs."""
    match said:
        case Proposal(inner) | Fact(inner) | Not(inner) | Nar(inner):
            return level(inner)
        case Yes(inner) | No(inner) | Evasion(inner) | Cancel(inner):
            return level(inner)
        case All() | AnyOf():
            return 30
        case Do() | Zone():
            return 20
    return 10


# Orders


def _unit(power: Power, unit: Unit) -> str:
    kind = "AMY" if unit.kind == "A" else "FLT"
    return _group([TOKENS[power], kind, _place(unit.at)])


def _place(at: str) -> str:
    code, _, coast = at.partition("/")
    return _group([PLACE[code], _COASTS[coast]]) if coast else PLACE[code]


def _order(do: Do) -> str:
    if isinstance(do.order, Waive):
        return f"{TOKENS[do.power]} WVE"
    me, other = _unit(do.power, do.order.unit), do.other or do.power
    match do.order:
        case Hold():
            return f"{me} HLD"
        case Move(_, to) if do.seas:
            return f"{me} CTO {_place(to)} VIA {_group(PLACE[sea] for sea in do.seas)}"
        case Move(_, to):
            return f"{me} MTO {_place(to)}"
        case Support(_, unit, None):
            return f"{me} SUP {_unit(other, unit)}"
        case Support(_, unit, to):
            return f"{me} SUP {_unit(other, unit)} MTO {PLACE[str(to)[:3]]}"
        case Convoy(_, army, to):
            return f"{me} CVY {_unit(other, army)} CTO {_place(to)}"
        case Retreat(_, to):
            return f"{me} RTO {_place(to)}"
        case Disband():
            return f"{me} {'REM' if do.winter else 'DSB'}"
        case Build():
            return f"{me} BLD"


# Reading: tokens to nested lists, lists to values

Tree: TypeAlias = "str | list[Tree]"
DEEPEST: Final = 20  # brackets in brackets; the longest that anybody means have half as many


def _tree(text: str) -> list[Tree]:
    stack: list[list[Tree]] = [[]]
    for word in re.findall(r"[()]|[^\s()]+", text):
        if word == "(" and len(stack) <= DEEPEST:
            stack.append([])
        elif word == ")" and len(stack) > 1:
            inner = stack.pop()
            stack[-1].append(inner)
        elif word in ("(", ")"):
            raise _unread(text)
        else:
            stack[-1].append(word.upper())
    if len(stack) != 1:
        raise _unread(text)
    return stack[0]


def _unread(what: object) -> Unreadable:
    return Unreadable("bots.press.unreadable", text=str(what))


def parse(text: str) -> Message:
    """The message in `text`."""
    return _message(_tree(text))


def parse_letter(text: str) -> Letter:
    match _tree(text):
        case ["FRM", list(sender), list(to), list(said)] if len(sender) == 1:
            return Letter(_read_power(sender[0]), _read_powers(to), _message(said))
    raise _unread(text)


def parse_offer(text: str) -> Offer:
    return _offer(_tree(text))


_REPLIES: Final[dict[str, Callable[[Message], Message]]] = {
    "YES": Yes,
    "REJ": No,
    "BWX": Evasion,
    "CCL": Cancel,
}


def _message(tree: list[Tree]) -> Message:
    match tree:
        case ["PRP", list(inner)]:
            return Proposal(_offer(inner))
        case ["FCT", list(inner)]:
            return Fact(_offer(inner))
        case [("YES" | "REJ" | "BWX" | "CCL") as word, list(inner)]:
            return _REPLIES[str(word)](_message(inner))
        case ["HUH", list(inner)]:
            return Huh(tuple(_flat(inner)))
        case ["TRY", list(inner)]:
            return Try(tuple(_flat(inner)))
    raise _unread(tree)


def _flat(tree: list[Tree]) -> Iterable[str]:
    for each in tree:
        if isinstance(each, str):
            yield each
        else:
            yield "("
            yield from _flat(each)
            yield ")"


def _offer(tree: list[Tree]) -> Offer:
    match tree:
        case ["PCE", list(powers)]:
            return Peace(_read_powers(powers))
        case ["ALY", list(powers), "VSS", list(against)]:
            return Alliance(_read_powers(powers), _read_powers(against))
        case ["DRW"]:
            return Draw()
        case ["DRW", list(powers)]:
            return Draw(_read_powers(powers))
        case ["SLO", list(powers)] if len(powers) == 1:
            return Solo(_read_power(powers[0]))
        case ["NOT", list(inner)]:
            return Not(_offer(inner))
        case ["NAR", list(inner)]:
            return Nar(_offer(inner))
        case ["XDO", [list(order)]] | ["XDO", list(order)]:
            return _read_order(order)
        case ["DMZ", list(powers), list(places)] if places:
            return Zone(_read_powers(powers), tuple(_read_province(each) for each in places))
        case [("AND" | "ORR") as word, *offers] if len(offers) > 1:
            found = tuple(_offer(each) for each in offers if isinstance(each, list))
            if len(found) == len(offers):
                return All(found) if word == "AND" else AnyOf(found)
    raise _unread(tree)


def _read_powers(tree: list[Tree]) -> tuple[Power, ...]:
    if not tree:
        raise _unread(tree)
    return tuple(_read_power(each) for each in tree)


def _read_power(token: Tree) -> Power:
    if isinstance(token, str) and token in _POWER:
        return _POWER[token]
    raise _unread(token)


def _read_province(token: Tree) -> str:
    if isinstance(token, str) and token in _CODE:
        return _CODE[token]
    raise _unread(token)


def _read_place(tree: Tree) -> str:
    if isinstance(tree, str):
        return _read_province(tree)
    names = {token: coast for coast, token in _COASTS.items()}
    match tree:
        case [code, str(coast)] if coast in names:
            at = f"{_read_province(code)}/{names[coast]}"
            if at in LOCATIONS:
                return at
    raise _unread(tree)


def _read_unit(tree: Tree) -> tuple[Power, Unit]:
    match tree:
        case [power, ("AMY" | "FLT") as kind, place]:
            unit = Unit("A" if kind == "AMY" else "F", _read_place(place))
            if can_stand(unit):
                return _read_power(power), unit
    raise _unread(tree)


def _read_order(tree: list[Tree]) -> Do:
    if tree[1:] == ["WVE"]:
        return Do(_read_power(tree[0]), Waive())
    power, unit = _read_unit(tree[0]) if tree else _read_unit("")
    match tree[1:]:
        case ["HLD"]:
            return Do(power, Hold(unit))
        case ["MTO", to]:
            return Do(power, Move(unit, _read_place(to)))
        case ["CTO", to, "VIA", list(seas)] if seas:
            route = tuple(_read_province(sea) for sea in seas)
            if all(PROVINCES[sea].kind == "sea" for sea in route):
                return Do(power, Move(unit, _read_place(to), via=True), seas=route)
        case ["SUP", other]:
            owner, friend = _read_unit(other)
            return Do(power, Support(unit, friend), _foreign(owner, power))
        case ["SUP", other, "MTO", to]:
            owner, friend = _read_unit(other)
            support = Support(unit, friend, _read_province(to))
            return Do(power, support, _foreign(owner, power))
        case ["CVY", other, "CTO", to]:
            owner, army = _read_unit(other)
            return Do(power, Convoy(unit, army, _read_place(to)), _foreign(owner, power))
        case ["RTO", to]:
            return Do(power, Retreat(unit, _read_place(to)))
        case ["DSB"]:
            return Do(power, Disband(unit))
        case ["REM"]:
            return Do(power, Disband(unit), winter=True)
        case ["BLD"]:
            return Do(power, Build(unit))
    raise _unread(tree)


def _foreign(owner: Power, power: Power) -> Power | None:
    return None if owner == power else owner
