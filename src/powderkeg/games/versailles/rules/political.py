"""The political actions: what may be placed, reclaimed and settled, and doing it."""

from collections.abc import Iterator
from itertools import combinations

from powderkeg.core.chance import Rng
from powderkeg.games.versailles import words
from powderkeg.games.versailles.actions import Place, Reclaim, Settle
from powderkeg.games.versailles.board import NOBODY, REGIONS, USA
from powderkeg.games.versailles.rules.answers import pick_one
from powderkeg.games.versailles.rules.military import take_unit
from powderkeg.games.versailles.rules.tracks import REGION_INDEX
from powderkeg.games.versailles.state import (
    Draft,
    Position,
    deployed,
    is_solo,
    is_two,
    leader,
    refused,
)
from powderkeg.games.versailles.steps import (
    AddIssue,
    AdvanceIssueAndEvent,
    DrawEvent,
    PlaceSecond,
    ResolveConferenceEvent,
    ResolveIssue,
)

# Place influence


def least(p: Position, nation: int, issue: str) -> int:
    """The fewest cubes that give `nation` a strict lead on `issue` (V-PLACE-03)."""
    row = p.cubes[issue]
    rival = max(row[:nation] + row[nation + 1 :])
    return max(1, rival - row[nation] + 1)


def places_minimum(p: Position, nation: int) -> bool:
    """Bots and the USA of two players never place more (V-2P-05, V-SOLO-20)."""
    return (nation == USA and is_two(p)) or (is_solo(p) and nation != p.human)


def room(p: Position, nation: int, issue: str, first: str) -> tuple[int, int]:
    """Least and most that may go on `issue` now; the first of two leaves enough for another."""
    low = least(p, nation, issue)
    top = p.available[nation]
    if not first:
        top -= min(least(p, nation, other) for other in p.cubes if other != issue)
    return low, min(low, top) if places_minimum(p, nation) else top


def places(p: Position, nation: int, first: str = "") -> Iterator[Place]:
    for issue in p.cubes:
        if issue != first:
            low, top = room(p, nation, issue, first)
            for n in range(low, top + 1):
                yield Place(issue, n)


def can_place(p: Position, nation: int) -> bool:
    """Whether the two cheapest issues can be paid (V-PLACE-07)."""
    costs = sorted([least(p, nation, issue) for issue in p.cubes])
    return costs[0] + costs[1] <= p.available[nation]


def check_place(p: Position, nation: int, action: Place, first: str = "") -> None:
    """Raise the reason why these cubes may not go there."""
    if action.issue not in p.cubes:
        raise refused("not_open", "V-PLACE-08", issue=words.issue(action.issue))
    if action.issue == first:
        raise refused("same_issue", "V-PLACE-01", issue=words.issue(action.issue))
    if action.n < 1:
        raise refused("no_cubes", "V-PLACE-02")
    low, top = room(p, nation, action.issue, first)
    if action.n > p.available[nation]:
        raise refused("cubes_short", "V-PLACE-05", n=p.available[nation])
    if action.n < low:
        raise refused("no_lead", "V-PLACE-03", issue=words.issue(action.issue), n=low)
    if places_minimum(p, nation) and action.n > low:
        raise refused("minimum_only", "V-2P-05" if is_two(p) else "V-SOLO-20", n=low)
    if action.n > top:
        raise refused("second_issue", "V-PLACE-01", n=max(top, 0))


def sample_place(p: Position, nation: int, first: str, rng: Rng) -> Place:
    """A legal placement at random: an issue first, then how many cubes."""
    if places_minimum(p, nation):
        return pick_one(list(places(p, nation, first)), rng)
    low = {issue: least(p, nation, issue) for issue in p.cubes if issue != first}
    one, two = (0, 0) if first else sorted(low.values())[:2]  # what the other issue may cost
    purse = p.available[nation]
    rooms = [(i, n, purse - (two if n == one else one)) for i, n in low.items()]
    issue, n, top = pick_one([entry for entry in rooms if entry[1] <= entry[2]], rng)
    return Place(issue, n + rng.randrange(top - n + 1))


def place(d: Draft, nation: int, action: Place, first: str = "") -> None:
    d.acted = True
    d.available[nation] -= action.n
    d.set_cubes(action.issue, nation, d.cubes[action.issue][nation] + action.n)
    d.say(
        "placed",
        "V-PLACE-01",
        nation=words.NATION[nation],
        n=action.n,
        issue=words.issue(action.issue),
    )
    if not first:
        d.push(PlaceSecond(nation, action.issue))


# Reclaim


def can_reclaim(p: Position, nation: int) -> bool:
    return bool(p.exhausted[nation] or p.spent[nation] or nation in p.posts)


def reclaims(p: Position, nation: int) -> Iterator[Reclaim]:
    there = [REGIONS[region] for region in deployed(p, nation)]
    for n in range(min(p.pack.board.reclaim, p.exhausted[nation]) + 1):
        for count in range(len(there) + 1):
            if n or count or p.spent[nation]:
                for picked in combinations(there, count):
                    yield Reclaim(n, picked)


def check_reclaim(p: Position, nation: int, action: Reclaim) -> None:
    top = min(p.pack.board.reclaim, p.exhausted[nation])
    if action.n > top:
        raise refused("reclaim_most", "V-RECLAIM-01", n=top)
    there = [REGIONS[region] for region in deployed(p, nation)]
    if list(action.regions) != [name for name in there if name in action.regions]:
        raise refused("no_such_unit", "V-RECLAIM-03", unit=[words.unit(r) for r in action.regions])
    if not (action.n or action.regions or p.spent[nation]):
        raise refused("reclaim_nothing", "V-RECLAIM-04")


def reclaim(d: Draft, nation: int, action: Reclaim) -> None:
    d.acted = True
    d.recover(nation, action.n)
    back, d.spent[nation] = d.spent[nation], 0  # V-RECLAIM-02: all of them
    for name in action.regions:
        take_unit(d, nation, name)
    d.ready[nation] += back + len(action.regions)
    said = words.NATION[nation]
    if action.n:
        d.say("reclaimed", "V-RECLAIM-01", nation=said, n=action.n)
    if back:
        d.say("units_back", "V-RECLAIM-02", nation=said, n=back)
    for name in action.regions:
        d.say("unit_home", "V-RECLAIM-03", nation=said, where=words.IN[REGION_INDEX[name]])


# Settle


def settleable(p: Position, nation: int) -> list[str]:
    """Issues that `nation` may settle. The USA of two players never settles for the owner of
    the turn (V-2P-06)."""
    open_ = [issue for issue in p.table if any(p.cubes[issue])]
    if is_two(p) and nation == USA:
        return [issue for issue in open_ if leader(p, issue) != p.active]
    return open_


def must_settle(p: Position, nation: int) -> bool:
    """Solitaire: whoever leads both table issues must settle one (V-SOLO-10)."""
    return is_solo(p) and all(leader(p, issue) == nation for issue in p.table)


def check_settle(p: Position, nation: int, action: Settle) -> None:
    issue = words.issue(action.issue)
    if action.issue not in p.table:
        raise refused("not_on_table", "V-SETTLE-01", issue=issue)
    if not any(p.cubes[action.issue]):
        raise refused("no_cubes_there", "V-SETTLE-01", issue=issue)
    if action.issue not in settleable(p, nation):
        raise refused("not_for_owner", "V-2P-06", issue=issue)


def settle(d: Draft, nation: int, issue: str) -> None:
    """Five steps in the rulebook's order (V-SETTLE-02)."""
    d.acted = True
    d.acting = nation
    d.settled, d.controller, d.gained = issue, NOBODY, ()
    d.say("settles", "V-SETTLE-01", nation=words.NATION[nation], issue=words.issue(issue))
    d.push(
        ResolveIssue(issue),
        ResolveConferenceEvent(),
        AdvanceIssueAndEvent(),
        AddIssue(),
        DrawEvent(),
    )


def can_act(p: Position, nation: int) -> bool:
    """Whether any political action is legal (V-TURN-05, 06)."""
    return bool(settleable(p, nation)) or can_reclaim(p, nation) or can_place(p, nation)
