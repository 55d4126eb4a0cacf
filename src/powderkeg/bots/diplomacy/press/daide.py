"""The press language of DAIDE, levels 10 to 30: what powers say to each other.

Every form is a value whose `str` is its text in tokens; `parse_message` reads it back without loss:

    >>> text = "PRP ( AND ( PCE ( ENG FRA ) ) ( DMZ ( ENG FRA ) ( ECH ) ) )"
    >>> str(parse_message(text)) == text
    True

Level 10 has peace, alliances, draws and victories; 20 orders (of movements, retreats and winter) and
demilitarised zones; 30 several offers at once. A reply repeats the message that it answers.
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

POWER_TOKENS: Final = {power: power[:3] for power in POWERS}
_POWER_OF_TOKEN: Final = {token: power for power, token in POWER_TOKENS.items()}
_SPECIAL: Final = {"bot": "GOB", "eng": "ECH", "lyo": "GOL"}  # named differently in DAIDE
PLACE_TOKENS: Final = {code: _SPECIAL.get(code, code.upper()) for code in CODES}
_CODE_OF_TOKEN: Final = {token: code for code, token in PLACE_TOKENS.items()}
_COASTS: Final = {"nc": "NCS", "sc": "SCS", "ec": "ECS"}


def bracket_text(parts: Iterable[object]) -> str:
    return " ".join(["(", *map(str, parts), ")"])


def _power_list(powers: Iterable[Power]) -> str:
    return bracket_text(POWER_TOKENS[power] for power in powers)


# Level 10


@dataclass(frozen=True, slots=True)
class Peace:
    """None of these powers attacks another of them."""

    powers: tuple[Power, ...]

    def __str__(self) -> str:
        return f"PCE {_power_list(self.powers)}"


@dataclass(frozen=True, slots=True)
class Alliance:
    """These powers help each other against others."""

    powers: tuple[Power, ...]
    against: tuple[Power, ...]

    def __str__(self) -> str:
        return f"ALY {_power_list(self.powers)} VSS {_power_list(self.against)}"


@dataclass(frozen=True, slots=True)
class DrawOffer:
    """The game ends in a draw of all survivors, or of these powers."""

    powers: tuple[Power, ...] = ()

    def __str__(self) -> str:
        return f"DRW {_power_list(self.powers)}" if self.powers else "DRW"


@dataclass(frozen=True, slots=True)
class Solo:
    """This power wins."""

    power: Power

    def __str__(self) -> str:
        return f"SLO {_power_list([self.power])}"


@dataclass(frozen=True, slots=True)
class Not:
    """The opposite of an offer."""

    offer: "Offer"

    def __str__(self) -> str:
        return f"NOT {bracket_text([self.offer])}"


@dataclass(frozen=True, slots=True)
class Nar:
    """This offer does not hold (any more), which does not mean that its opposite does."""

    offer: "Offer"

    def __str__(self) -> str:
        return f"NAR {bracket_text([self.offer])}"


# Level 20


@dataclass(frozen=True, slots=True)
class OrderOffer:
    """This power gives this order this turn. A move by convoy names its `seas`; `other` owns the
    supported or convoyed unit if it is another power; in `winter` a unit is removed, otherwise
    it is disbanded instead of retreating. A waived build names no place."""

    power: Power
    order: Order
    other: Power | None = None
    seas: tuple[str, ...] = ()
    winter: bool = False

    def __str__(self) -> str:
        return f"XDO {bracket_text([order_text(self)])}"


@dataclass(frozen=True, slots=True)
class Zone:
    """None of these powers has a unit in any of these provinces or orders one there."""

    powers: tuple[Power, ...]
    provinces: tuple[str, ...]

    def __str__(self) -> str:
        return f"DMZ {_power_list(self.powers)} {bracket_text(PLACE_TOKENS[code] for code in self.provinces)}"


# Level 30


@dataclass(frozen=True, slots=True)
class All:
    """All of these offers together."""

    offers: tuple["Offer", ...]

    def __str__(self) -> str:
        return " ".join(["AND", *(bracket_text([offer]) for offer in self.offers)])


@dataclass(frozen=True, slots=True)
class AnyOf:
    """One of these offers."""

    offers: tuple["Offer", ...]

    def __str__(self) -> str:
        return " ".join(["ORR", *(bracket_text([offer]) for offer in self.offers)])


Offer: TypeAlias = Peace | Alliance | DrawOffer | Solo | Not | Nar | OrderOffer | Zone | All | AnyOf


# Messages


@dataclass(frozen=True, slots=True)
class PressProposal:
    offer: Offer

    def __str__(self) -> str:
        return f"PRP {bracket_text([self.offer])}"


@dataclass(frozen=True, slots=True)
class PressFact:
    """A statement that needs no answer."""

    offer: Offer

    def __str__(self) -> str:
        return f"FCT {bracket_text([self.offer])}"


@dataclass(frozen=True, slots=True)
class Yes:
    message: "PressMessage"

    def __str__(self) -> str:
        return f"YES {bracket_text([self.message])}"


@dataclass(frozen=True, slots=True)
class No:
    message: "PressMessage"

    def __str__(self) -> str:
        return f"REJ {bracket_text([self.message])}"


@dataclass(frozen=True, slots=True)
class Evasion:
    """A refusal to answer: none of your business."""

    message: "PressMessage"

    def __str__(self) -> str:
        return f"BWX {bracket_text([self.message])}"


@dataclass(frozen=True, slots=True)
class Cancel:
    """My proposal is withdrawn."""

    message: "PressMessage"

    def __str__(self) -> str:
        return f"CCL {bracket_text([self.message])}"


@dataclass(frozen=True, slots=True)
class Huh:
    """A message was not understood; ERR stands before the first unknown token."""

    tokens: tuple[str, ...]

    def __str__(self) -> str:
        return f"HUH {bracket_text(self.tokens)}"


@dataclass(frozen=True, slots=True)
class TryTokens:
    """The tokens that the sender understands."""

    tokens: tuple[str, ...]

    def __str__(self) -> str:
        return f"TRY {bracket_text(self.tokens)}"


PressMessage: TypeAlias = PressProposal | PressFact | Yes | No | Evasion | Cancel | Huh | TryTokens


class Letter(NamedTuple):
    """A message on its way: ``FRM ( ENG ) ( FRA ) ( PRP ... )``."""

    sender: Power
    to: tuple[Power, ...]
    message: PressMessage
    reason: str = ""  # the code of a sentence that says why; no part of the language

    def __str__(self) -> str:
        return f"FRM {_power_list([self.sender])} {_power_list(self.to)} {bracket_text([self.message])}"


def press_level(said: Offer | PressMessage) -> int:
    """The press level that a message needs."""
    match said:
        case PressProposal(inner) | PressFact(inner) | Not(inner) | Nar(inner):
            return press_level(inner)
        case Yes(inner) | No(inner) | Evasion(inner) | Cancel(inner):
            return press_level(inner)
        case All() | AnyOf():
            return 30
        case OrderOffer() | Zone():
            return 20
    return 10


# Orders


def unit_text(power: Power, unit: Unit) -> str:
    kind = "AMY" if unit.kind == "A" else "FLT"
    return bracket_text([POWER_TOKENS[power], kind, place_text(unit.at)])


def place_text(at: str) -> str:
    code, _, coast = at.partition("/")
    return bracket_text([PLACE_TOKENS[code], _COASTS[coast]]) if coast else PLACE_TOKENS[code]


def order_text(do: OrderOffer) -> str:
    if isinstance(do.order, Waive):
        return f"{POWER_TOKENS[do.power]} WVE"
    me, other = unit_text(do.power, do.order.unit), do.other or do.power
    match do.order:
        case Hold():
            return f"{me} HLD"
        case Move(_, to) if do.seas:
            return f"{me} CTO {place_text(to)} VIA {bracket_text(PLACE_TOKENS[sea] for sea in do.seas)}"
        case Move(_, to):
            return f"{me} MTO {place_text(to)}"
        case Support(_, unit, None):
            return f"{me} SUP {unit_text(other, unit)}"
        case Support(_, unit, to):
            return f"{me} SUP {unit_text(other, unit)} MTO {PLACE_TOKENS[str(to)[:3]]}"
        case Convoy(_, army, to):
            return f"{me} CVY {unit_text(other, army)} CTO {place_text(to)}"
        case Retreat(_, to):
            return f"{me} RTO {place_text(to)}"
        case Disband():
            return f"{me} {'REM' if do.winter else 'DSB'}"
        case Build():
            return f"{me} BLD"


# Reading: tokens to nested lists, lists to values

TokenTree: TypeAlias = "str | list[TokenTree]"
DEEPEST_NESTING: Final = 20  # nested brackets; the longest sensible message has half as many


def parse_tree(text: str) -> list[TokenTree]:
    """The tokens of a text, with a list for each pair of brackets."""
    stack: list[list[TokenTree]] = [[]]
    for word in re.findall(r"'[^']*'|[()]|[^\s()']+", text):
        if word == "(" and len(stack) <= DEEPEST_NESTING:
            stack.append([])
        elif word == ")" and len(stack) > 1:
            inner = stack.pop()
            stack[-1].append(inner)
        elif word in ("(", ")"):
            raise _unreadable_text(text)
        else:
            stack[-1].append(word if word[0] == "'" else word.upper())
    if len(stack) != 1:
        raise _unreadable_text(text)
    return stack[0]


def _unreadable_text(what: object) -> Unreadable:
    return Unreadable("bots.press.unreadable", text=str(what))


def parse_message(text: str) -> PressMessage:
    """Parse a message."""
    return _read_message(parse_tree(text))


def parse_letter(text: str) -> Letter:
    match parse_tree(text):
        case ["FRM", list(sender), list(to), list(said)] if len(sender) == 1:
            return Letter(read_power_token(sender[0]), read_power_list(to), _read_message(said))
    raise _unreadable_text(text)


def parse_offer(text: str) -> Offer:
    return _read_offer(parse_tree(text))


_REPLIES: Final[dict[str, Callable[[PressMessage], PressMessage]]] = {
    "YES": Yes,
    "REJ": No,
    "BWX": Evasion,
    "CCL": Cancel,
}


def _read_message(tree: list[TokenTree]) -> PressMessage:
    match tree:
        case ["PRP", list(inner)]:
            return PressProposal(_read_offer(inner))
        case ["FCT", list(inner)]:
            return PressFact(_read_offer(inner))
        case [("YES" | "REJ" | "BWX" | "CCL") as word, list(inner)]:
            return _REPLIES[str(word)](_read_message(inner))
        case ["HUH", list(inner)]:
            return Huh(tuple(flat_tokens(inner)))
        case ["TRY", list(inner)]:
            return TryTokens(tuple(flat_tokens(inner)))
    raise _unreadable_text(tree)


def flat_tokens(tree: list[TokenTree]) -> Iterable[str]:
    for each in tree:
        if isinstance(each, str):
            yield each
        else:
            yield "("
            yield from flat_tokens(each)
            yield ")"


def _read_offer(tree: list[TokenTree]) -> Offer:
    match tree:
        case ["PCE", list(powers)]:
            return Peace(read_power_list(powers))
        case ["ALY", list(powers), "VSS", list(against)]:
            return Alliance(read_power_list(powers), read_power_list(against))
        case ["DRW"]:
            return DrawOffer()
        case ["DRW", list(powers)]:
            return DrawOffer(read_power_list(powers))
        case ["SLO", list(powers)] if len(powers) == 1:
            return Solo(read_power_token(powers[0]))
        case ["NOT", list(inner)]:
            return Not(_read_offer(inner))
        case ["NAR", list(inner)]:
            return Nar(_read_offer(inner))
        case ["XDO", [list(order)]] | ["XDO", list(order)]:
            return read_order_tree(order)
        case ["DMZ", list(powers), list(places)] if places:
            return Zone(read_power_list(powers), tuple(_read_province(each) for each in places))
        case [("AND" | "ORR") as word, *offers] if len(offers) > 1:
            found = tuple(_read_offer(each) for each in offers if isinstance(each, list))
            if len(found) == len(offers):
                return All(found) if word == "AND" else AnyOf(found)
    raise _unreadable_text(tree)


def read_power_list(tree: list[TokenTree]) -> tuple[Power, ...]:
    if not tree:
        raise _unreadable_text(tree)
    return tuple(read_power_token(each) for each in tree)


def read_power_token(token: TokenTree) -> Power:
    if isinstance(token, str) and token in _POWER_OF_TOKEN:
        return _POWER_OF_TOKEN[token]
    raise _unreadable_text(token)


def _read_province(token: TokenTree) -> str:
    if isinstance(token, str) and token in _CODE_OF_TOKEN:
        return _CODE_OF_TOKEN[token]
    raise _unreadable_text(token)


def read_place_tree(tree: TokenTree) -> str:
    if isinstance(tree, str):
        return _read_province(tree)
    names = {token: coast for coast, token in _COASTS.items()}
    match tree:
        case [code, str(coast)] if coast in names:
            at = f"{_read_province(code)}/{names[coast]}"
            if at in LOCATIONS:
                return at
    raise _unreadable_text(tree)


def read_unit_tree(tree: TokenTree) -> tuple[Power, Unit]:
    match tree:
        case [power, ("AMY" | "FLT") as kind, place]:
            unit = Unit("A" if kind == "AMY" else "F", read_place_tree(place))
            if can_stand(unit):
                return read_power_token(power), unit
    raise _unreadable_text(tree)


def read_order_tree(tree: list[TokenTree]) -> OrderOffer:
    if tree[1:] == ["WVE"]:
        return OrderOffer(read_power_token(tree[0]), Waive())
    power, unit = read_unit_tree(tree[0]) if tree else read_unit_tree("")
    match tree[1:]:
        case ["HLD"]:
            return OrderOffer(power, Hold(unit))
        case ["MTO", to]:
            return OrderOffer(power, Move(unit, read_place_tree(to)))
        case ["CTO", to, "VIA", list(seas)] if seas:
            route = tuple(_read_province(sea) for sea in seas)
            if all(PROVINCES[sea].kind == "sea" for sea in route):
                return OrderOffer(power, Move(unit, read_place_tree(to), via=True), seas=route)
        case ["SUP", other]:
            owner, friend = read_unit_tree(other)
            return OrderOffer(power, Support(unit, friend), _other_owner(owner, power))
        case ["SUP", other, "MTO", to]:
            owner, friend = read_unit_tree(other)
            support = Support(unit, friend, _read_province(to))
            return OrderOffer(power, support, _other_owner(owner, power))
        case ["CVY", other, "CTO", to]:
            owner, army = read_unit_tree(other)
            return OrderOffer(
                power, Convoy(unit, army, read_place_tree(to)), _other_owner(owner, power)
            )
        case ["RTO", to]:
            return OrderOffer(power, Retreat(unit, read_place_tree(to)))
        case ["DSB"]:
            return OrderOffer(power, Disband(unit))
        case ["REM"]:
            return OrderOffer(power, Disband(unit), winter=True)
        case ["BLD"]:
            return OrderOffer(power, Build(unit))
    raise _unreadable_text(tree)


def _other_owner(owner: Power, power: Power) -> Power | None:
    return None if owner == power else owner
