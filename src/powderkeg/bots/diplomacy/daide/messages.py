"""The language of a DAIDE game: map, position, orders and results as texts, and back."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Final, NamedTuple

from powderkeg.bots.diplomacy.press.daide import (
    PLACE_TOKENS,
    POWER_TOKENS,
    OrderOffer,
    TokenTree,
    bracket_text,
    order_text,
    place_text,
    read_place_tree,
    read_unit_tree,
    unit_text,
)
from powderkeg.core.errors import Unreadable
from powderkeg.games.diplomacy.actions import Convoy, Disband, Move, Order, Support
from powderkeg.games.diplomacy.board import (
    ARMY_MOVES,
    CENTRES,
    FLEET_MOVES,
    HOMES,
    POWERS,
    PROVINCES,
    Power,
    Unit,
)
from powderkeg.games.diplomacy.rules.outcomes import Dislodged, Outcome, Verdict, Why

_SEASONS: Final = {"SM": "SPR", "SR": "SUM", "FM": "FAL", "FR": "AUT", "WA": "WIN"}
_SEASON_OF_TOKEN: Final = {token: code for code, token in _SEASONS.items()}
_RESULTS: Final = {
    Verdict.OK: "SUC",
    Verdict.BOUNCED: "BNC",
    Verdict.NO_CONVOY: "NSO",
    Verdict.CUT: "CUT",
    Verdict.DISRUPTED: "DSR",
    Verdict.UNMATCHED: "NSO",
    Verdict.VOID: "NSO",
}
_COAST_TOKENS: Final = {"nc": "NCS", "sc": "SCS", "ec": "ECS"}


def turn_text(phase: str) -> str:
    """``S1901M`` as ``SPR 1901``."""
    return f"{_SEASONS[phase[0] + phase[-1]]} {phase[1:-1]}"


def read_turn(tree: TokenTree) -> str:
    """``[SPR, 1901]`` as ``S1901M``."""
    match tree:
        case [str(season), str(year)] if season in _SEASON_OF_TOKEN and year.isdecimal():
            code = _SEASON_OF_TOKEN[season]
            return f"{code[0]}{year}{code[1]}"
    raise unreadable_tree(tree)


def unreadable_tree(tree: TokenTree) -> Unreadable:
    return Unreadable("bots.press.unreadable", text=str(tree)[:200])


# The map


def map_text() -> str:
    """The standard map: powers, centres, other provinces and who can go where."""
    homes = [bracket_text([POWER_TOKENS[p], *_tokens(HOMES[p])]) for p in POWERS]
    owned = {home for power in POWERS for home in HOMES[power]}
    neutral = bracket_text(["UNO", *_tokens(c for c in CENTRES if c not in owned)])
    rest = bracket_text(_tokens(code for code in PROVINCES if code not in CENTRES))
    near = bracket_text(bracket_text([PLACE_TOKENS[c], *_ways_from(c)]) for c in PROVINCES)
    powers = bracket_text(POWER_TOKENS.values())
    return f"MDF {powers} {bracket_text([bracket_text([*homes, neutral]), rest])} {near}"


def _tokens(codes: Iterable[str]) -> Iterator[str]:
    return (PLACE_TOKENS[code] for code in codes)


def _ways_from(code: str) -> Iterator[str]:
    """Where armies and fleets can go from a province; fleets on each of its coasts."""
    if moves := ARMY_MOVES.get(code):
        yield bracket_text(["AMY", *map(place_text, moves)])
    for place in PROVINCES[code].coasts or (code,):
        if moves := FLEET_MOVES.get(place):
            coast = place.partition("/")[2]
            fleet = bracket_text(["FLT", _COAST_TOKENS[coast]]) if coast else "FLT"
            yield bracket_text([fleet, *map(place_text, moves)])


# The position


def centres_text(centres: Mapping[str, Power]) -> str:
    """Who owns which centre: ``SCO ( AUS BUD TRI VIE ) ... ( UNO BEL ... )``."""
    rows = [
        bracket_text([POWER_TOKENS[power], *_tokens(c for c in CENTRES if centres.get(c) == power)])
        for power in POWERS
    ]
    free = bracket_text(["UNO", *_tokens(c for c in CENTRES if c not in centres)])
    return " ".join(["SCO", *rows, free])


def position_text(
    phase: str, units: Mapping[Power, Iterable[Unit]], dislodged: Iterable[Dislodged]
) -> str:
    """All units and the turn: ``NOW ( SPR 1901 ) ( AUS AMY BUD ) ...``."""
    standing = [unit_text(power, unit) for power, listed in units.items() for unit in listed]
    beaten = [dislodged_text(each) for each in dislodged]
    return " ".join(["NOW", bracket_text([turn_text(phase)]), *standing, *beaten])


def dislodged_text(each: Dislodged) -> str:
    """A unit that must retreat: ``( AUS FLT TRI MRT ( ADR ALB ) )``."""
    unit = unit_text(each.power, each.unit).removesuffix(" )")
    return f"{unit} MRT {bracket_text(map(place_text, each.retreats))} )"


class DaidePosition(NamedTuple):
    """What a NOW message says."""

    phase: str
    units: dict[Power, tuple[Unit, ...]]
    dislodged: tuple[Dislodged, ...]


def read_position(tree: list[TokenTree]) -> DaidePosition:
    """The position in a NOW message, without its first token."""
    phase = read_turn(tree[0]) if tree else ""
    units: dict[Power, list[Unit]] = {power: [] for power in POWERS}
    beaten: list[Dislodged] = []
    for each in tree[1:]:
        match each:
            case [power, kind, place, "MRT", list(goals)]:
                owner, unit = read_unit_tree([power, kind, place])
                places = tuple(read_place_tree(goal) for goal in goals)
                beaten.append(Dislodged(owner, unit, Move(unit, unit.at), places))
            case _:
                owner, unit = read_unit_tree(each)
                units[owner].append(unit)
    return DaidePosition(phase, {p: tuple(us) for p, us in units.items()}, tuple(beaten))


def read_centres(tree: list[TokenTree]) -> dict[str, Power]:
    """The owners in an SCO message, without its first token."""
    owner_of = {token: power for power, token in POWER_TOKENS.items()}
    owners: dict[str, Power] = {}
    for row in tree:
        if not isinstance(row, list) or not row or not isinstance(row[0], str):
            raise unreadable_tree(row)
        if row[0] in owner_of:
            owners |= {read_place_tree(each): owner_of[row[0]] for each in row[1:]}
    return owners


# Orders and results


class OrderScene(NamedTuple):
    """What is needed to write orders: who owns the unit in a province, and which seas have fleets."""

    owners: Mapping[str, Power]
    seas: frozenset[str]
    winter: bool = False


def order_scene(
    units: Mapping[Power, Iterable[Unit]],
    *,
    winter: bool = False,
    seas: Iterable[str] | None = None,
) -> OrderScene:
    """The scene of a position; `seas` are those with fleets that carry, else all with fleets."""
    owners = {unit.province: power for power, listed in units.items() for unit in listed}
    fleets = {
        u.at for listed in units.values() for u in listed if PROVINCES[u.province].kind == "sea"
    }
    return OrderScene(owners, frozenset(fleets if seas is None else seas), winter)


def daide_order(power: Power, order: Order, scene: OrderScene) -> str:
    """One of our orders as DAIDE writes it; an army that needs ships goes by convoy."""
    other = None
    if isinstance(order, Support | Convoy):
        target = order.target if isinstance(order, Support) else order.army
        owner = scene.owners.get(target.province, power)
        other = None if owner == power else owner
    seas = sea_route(order, scene.seas) if isinstance(order, Move) else ()
    plain = Move(order.unit, order.to) if isinstance(order, Move) else order
    winter = scene.winter and isinstance(order, Disband)
    return order_text(OrderOffer(power, plain, other, seas, winter))


def sea_route(move: Move, seas: frozenset[str]) -> tuple[str, ...]:
    """The shortest way of an army over `seas`; empty if it walks or there is none."""
    start, goal = move.unit.province, move.to[:3]
    if move.unit.kind == "F" or (goal in ARMY_MOVES.get(start, ()) and not move.via):
        return ()
    paths: list[tuple[str, ...]] = [(sea,) for sea in sorted(seas) if _touches(sea, start)]
    seen = {path[-1] for path in paths}
    for path in paths:  # grows while it is walked: the nearest seas first
        if _touches(path[-1], goal):
            return path
        for sea in sorted(seas - seen):
            if _touches(path[-1], sea):
                seen.add(sea)
                paths.append((*path, sea))
    return ()


def _touches(sea: str, province: str) -> bool:
    return any(place[:3] == province for place in FLEET_MOVES.get(sea, ()))


def result_text(phase: str, outcome: Outcome, scene: OrderScene) -> str:
    """The result of an order: ``ORD ( SPR 1901 ) ( ( ENG FLT LON ) MTO NTH ) ( SUC )``."""
    order = daide_order(outcome.power, outcome.order, scene)
    words = [_result_word(outcome), *(["RET"] if outcome.dislodged_by else [])]
    return f"ORD {bracket_text([turn_text(phase)])} {bracket_text([order])} {bracket_text(words)}"


def _result_word(outcome: Outcome) -> str:
    if outcome.why in (Why.CONVOY_BROKEN, Why.PARADOX):
        return "DSR"
    if outcome.why is Why.RETREATS_CLASH:
        return "BNC"
    return _RESULTS[outcome.verdict]
