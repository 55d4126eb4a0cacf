"""The political actions: placing, reclaiming and settling."""

from collections.abc import Iterator
from functools import lru_cache
from itertools import combinations

from powderkeg.core.chance import Rng
from powderkeg.core.errors import Illegal
from powderkeg.games.versailles import words
from powderkeg.games.versailles.actions import Place, Reclaim, Settle
from powderkeg.games.versailles.board import NOBODY, REGIONS, USA
from powderkeg.games.versailles.rules.answers import pick_one
from powderkeg.games.versailles.rules.military import take_unit
from powderkeg.games.versailles.rules.tracks import REGION_INDEX
from powderkeg.games.versailles.state import (
    Position,
    StateBuilder,
    deployed_regions,
    is_solo,
    is_two,
    issue_leader,
    most_cubes,
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


def least_to_lead(p: Position, nation: int, issue: str) -> int:
    """The fewest cubes that give `nation` a strict lead on `issue` (V-PLACE-03)."""
    row = p.cubes[issue]
    return most_cubes(row) - row[nation] + 1  # one, if it has most already


def places_minimum(p: Position, nation: int) -> bool:
    """Bots and the USA of two players never place more (V-2P-05, V-SOLO-20)."""
    return (nation == USA and is_two(p)) or (is_solo(p) and nation != p.human)


def placing_range(p: Position, nation: int, issue: str, first: str) -> tuple[int, int]:
    """Least and most that may go on `issue` now; the first of two leaves enough for another."""
    low = least_to_lead(p, nation, issue)
    top = p.available[nation]
    if not first:
        top -= min(least_to_lead(p, nation, other) for other in p.cubes if other != issue)
    return low, min(low, top) if places_minimum(p, nation) else top


def possible_places(p: Position, nation: int, first: str = "") -> Iterator[Place]:
    for issue in p.cubes:
        if issue != first:
            low, top = placing_range(p, nation, issue, first)
            for n in range(low, top + 1):
                yield Place(issue, n)


def can_place(p: Position, nation: int) -> bool:
    """Whether the two cheapest issues can be paid (V-PLACE-07)."""
    costs = sorted([least_to_lead(p, nation, issue) for issue in p.cubes])
    return costs[0] + costs[1] <= p.available[nation]


def check_place(p: Position, nation: int, action: Place, first: str = "") -> None:
    """Raise the reason why these cubes may not go there."""
    if action.issue not in p.cubes:
        raise Illegal(
            "versailles.refused.not_open", rule="V-PLACE-08", issue=words.issue_name(action.issue)
        )
    if action.issue == first:
        raise Illegal(
            "versailles.refused.same_issue", rule="V-PLACE-01", issue=words.issue_name(action.issue)
        )
    if action.n < 1:
        raise Illegal("versailles.refused.no_cubes", rule="V-PLACE-02")
    low, top = placing_range(p, nation, action.issue, first)
    if action.n > p.available[nation]:
        raise Illegal("versailles.refused.cubes_short", rule="V-PLACE-05", n=p.available[nation])
    if action.n < low:
        raise Illegal(
            "versailles.refused.no_lead",
            rule="V-PLACE-03",
            issue=words.issue_name(action.issue),
            n=low,
        )
    if places_minimum(p, nation) and action.n > low:
        raise Illegal(
            "versailles.refused.minimum_only", rule="V-2P-05" if is_two(p) else "V-SOLO-20", n=low
        )
    if action.n > top:
        raise Illegal("versailles.refused.second_issue", rule="V-PLACE-01", n=max(top, 0))


def sample_place(p: Position, nation: int, first: str, rng: Rng) -> Place:
    """A legal placement at random: an issue first, then how many cubes."""
    if places_minimum(p, nation):
        return pick_one(list(possible_places(p, nation, first)), rng)
    low = {issue: least_to_lead(p, nation, issue) for issue in p.cubes if issue != first}
    one, two = (0, 0) if first else sorted(low.values())[:2]  # the least cost of the other issue
    purse = p.available[nation]
    rooms = [(i, n, purse - (two if n == one else one)) for i, n in low.items()]
    issue, n, top = pick_one([entry for entry in rooms if entry[1] <= entry[2]], rng)
    return Place(issue, n + rng.randrange(top - n + 1))


def place_influence(b: StateBuilder, nation: int, action: Place, first: str = "") -> None:
    b.acted = True
    b.available[nation] -= action.n
    b.set_cubes(action.issue, nation, b.cubes[action.issue][nation] + action.n)
    b.say(
        "versailles.placed",
        "V-PLACE-01",
        nation=words.NATION[nation],
        n=action.n,
        issue=words.issue_name(action.issue),
    )
    if not first:
        b.push(PlaceSecond(nation, action.issue))


# Reclaim


def can_reclaim(p: Position, nation: int) -> bool:
    return bool(p.exhausted[nation] or p.spent[nation] or nation in p.posts)


def possible_reclaims(p: Position, nation: int) -> tuple[Reclaim, ...]:
    top = min(p.pack.board.reclaim, p.exhausted[nation])
    return _list_reclaims(top, p.spent[nation] > 0, tuple(deployed_regions(p, nation)))


@lru_cache(maxsize=1024)  # listed again and again, made once
def _list_reclaims(top: int, spent: bool, regions: tuple[int, ...]) -> tuple[Reclaim, ...]:  # noqa: FBT001  # a key of the cache
    """Up to `top` cubes, with any units of these regions; nothing at all only if units come back."""
    there = [REGIONS[region] for region in regions]
    return tuple(
        Reclaim(n, picked)
        for n in range(top + 1)
        for count in range(len(there) + 1)
        if n or count or spent
        for picked in combinations(there, count)
    )


def check_reclaim(p: Position, nation: int, action: Reclaim) -> None:
    top = min(p.pack.board.reclaim, p.exhausted[nation])
    if action.n > top:
        raise Illegal("versailles.refused.reclaim_most", rule="V-RECLAIM-01", n=top)
    there = [REGIONS[region] for region in deployed_regions(p, nation)]
    if list(action.regions) != [name for name in there if name in action.regions]:
        raise Illegal(
            "versailles.refused.no_such_unit",
            rule="V-RECLAIM-03",
            unit=[words.unit_name(r) for r in action.regions],
        )
    if not (action.n or action.regions or p.spent[nation]):
        raise Illegal("versailles.refused.reclaim_nothing", rule="V-RECLAIM-04")


def reclaim_tokens(b: StateBuilder, nation: int, action: Reclaim) -> None:
    b.acted = True
    b.recover(nation, action.n)
    back, b.spent[nation] = b.spent[nation], 0  # V-RECLAIM-02: all of them
    for name in action.regions:
        take_unit(b, nation, name)
    b.ready[nation] += back + len(action.regions)
    said = words.NATION[nation]
    if action.n:
        b.say("versailles.reclaimed", "V-RECLAIM-01", nation=said, n=action.n)
    if back:
        b.say("versailles.units_back", "V-RECLAIM-02", nation=said, n=back)
    for name in action.regions:
        b.say(
            "versailles.unit_home", "V-RECLAIM-03", nation=said, where=words.IN[REGION_INDEX[name]]
        )


# Settle


def settleable_issues(p: Position, nation: int) -> list[str]:
    """Issues that `nation` may settle. The USA of two players never settles for the owner of
    the turn (V-2P-06)."""
    open_ = [issue for issue in p.table if any(p.cubes[issue])]
    if is_two(p) and nation == USA:
        return [issue for issue in open_ if issue_leader(p, issue) != p.active]
    return open_


def must_settle(p: Position, nation: int) -> bool:
    """Solitaire: a nation that leads both table issues must settle one (V-SOLO-10)."""
    return is_solo(p) and all(issue_leader(p, issue) == nation for issue in p.table)


def check_settle(p: Position, nation: int, action: Settle) -> None:
    issue = words.issue_name(action.issue)
    if action.issue not in p.table:
        raise Illegal("versailles.refused.not_on_table", rule="V-SETTLE-01", issue=issue)
    if not any(p.cubes[action.issue]):
        raise Illegal("versailles.refused.no_cubes_there", rule="V-SETTLE-01", issue=issue)
    if action.issue not in settleable_issues(p, nation):
        raise Illegal("versailles.refused.not_for_owner", rule="V-2P-06", issue=issue)


def settle_issue(b: StateBuilder, nation: int, issue: str) -> None:
    """Five steps in the rulebook's order (V-SETTLE-02)."""
    b.acted = True
    b.acting = nation
    b.settled, b.controller, b.gained = issue, NOBODY, ()
    b.say(
        "versailles.settles",
        "V-SETTLE-01",
        nation=words.NATION[nation],
        issue=words.issue_name(issue),
    )
    b.push(
        ResolveIssue(issue),
        ResolveConferenceEvent(),
        AdvanceIssueAndEvent(),
        AddIssue(),
        DrawEvent(),
    )


def can_act(p: Position, nation: int) -> bool:
    """Whether any political action is legal (V-TURN-05, 06)."""
    return bool(settleable_issues(p, nation)) or can_reclaim(p, nation) or can_place(p, nation)
