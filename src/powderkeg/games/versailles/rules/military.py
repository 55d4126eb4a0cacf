"""Units: deploying, demobilising, mutiny (V-MIL, V-MUT)."""

from collections.abc import Iterator
from functools import cache

from powderkeg.core.errors import Illegal
from powderkeg.games.versailles import words
from powderkeg.games.versailles.actions import DeployUnit
from powderkeg.games.versailles.board import NOBODY, POSTS, REGIONS
from powderkeg.games.versailles.rules.tracks import REGION_INDEX, add_happiness
from powderkeg.games.versailles.state import (
    Position,
    StateBuilder,
    deployed_regions,
    post_of,
    with_item,
)

AVAILABLE, EXHAUSTED = "available", "exhausted"
_deploy = cache(DeployUnit)  # listed again and again, made once

# Where units are


def unit_places(p: Position, nation: int) -> list[str]:
    """Where `nation` has units that are not demobilised, each place once."""
    return [
        *([AVAILABLE] if p.ready[nation] else []),
        *([EXHAUSTED] if p.spent[nation] else []),
        *(REGIONS[region] for region in deployed_regions(p, nation)),
    ]


def take_unit(b: StateBuilder, nation: int, place: str) -> None:
    """Lift a unit off its place; unrest stays where it is (V-REG-09)."""
    if place == AVAILABLE:
        b.ready[nation] -= 1
    elif place == EXHAUSTED:
        b.spent[nation] -= 1
    else:
        region = REGION_INDEX[place]
        b.posts[region * 4 + post_of(b, nation, region) - POSTS[0]] = NOBODY


def _retire_unit(b: StateBuilder, nation: int) -> None:
    """Put a unit on the last demobilise space."""
    b.retired = with_item(b.retired, nation, b.retired[nation] + 1)


def mutiny_unit(b: StateBuilder, nation: int, place: str) -> None:
    """One unit goes to the last demobilise space, whatever else is free (V-MUT-03)."""
    take_unit(b, nation, place)
    _retire_unit(b, nation)
    b.say("versailles.mutiny", "V-MUT-03", nation=words.NATION[nation], unit=words.unit_name(place))
    add_happiness(b, nation, b.pack.board.mutiny_gain, "V-MUT-03")


# Deploy and demobilise


def demobilise_unit(b: StateBuilder, nation: int, place: str) -> None:
    """To the best free space; happiness rises by its number (V-MIL-12)."""
    b.acted = True
    take_unit(b, nation, place)
    space = free_space(b)
    gain = demobilise_values(b)[space] if space != NOBODY else b.pack.board.last_space
    if space == NOBODY:
        _retire_unit(b, nation)
    else:
        b.spaces = with_item(b.spaces, space, nation)
    b.say(
        "versailles.demobilised",
        "V-MIL-12",
        nation=words.NATION[nation],
        unit=words.unit_name(place),
        space=gain,
    )
    add_happiness(b, nation, gain, "V-MIL-12")


def demobilise_values(p: Position) -> tuple[int, ...]:
    """The numbered spaces from high to low; grey ones only with four players (V-SET-15)."""
    board = p.pack.board
    if len(p.seats) < 4:
        return board.spaces
    return tuple(sorted(board.spaces + board.grey, reverse=True))


def free_space(p: Position) -> int:
    """The best free numbered space; NOBODY when only the last one is left."""
    for i, owner in enumerate(p.spaces):
        if owner == NOBODY:
            return i
    return NOBODY


def best_gain(p: Position) -> int:
    """The happiness that demobilising a unit would bring."""
    space = free_space(p)
    return demobilise_values(p)[space] if space != NOBODY else p.pack.board.last_space


def possible_deployments(p: Position, nation: int) -> Iterator[DeployUnit]:
    """Every deployment open to `nation`."""
    sources = [AVAILABLE] if p.ready[nation] else []
    sources += [REGIONS[region] for region in deployed_regions(p, nation)]
    for source in sources:
        for region, name in enumerate(REGIONS):
            if source != name and post_of(p, nation, region):
                continue  # V-MIL-04
            for column in POSTS:
                if p.posts[region * 4 + column - POSTS[0]] == NOBODY:
                    yield _deploy(source, name, column)


def check_deploy(p: Position, nation: int, action: DeployUnit) -> None:
    """Raise the reason why this deployment is refused."""
    if action.unit == EXHAUSTED:
        raise Illegal("versailles.refused.unit_exhausted", rule="V-MIL-02")
    has = p.ready[nation] if action.unit == AVAILABLE else action.unit in unit_places(p, nation)
    if not has:
        raise Illegal(
            "versailles.refused.no_such_unit", rule="V-MIL-02", unit=words.unit_name(action.unit)
        )
    region = REGION_INDEX.get(action.region)
    if region is None:
        raise Illegal(
            "versailles.refused.no_such_region",
            rule="V-MIL-03",
            region=words.quoted_text(action.region),
        )
    if action.column not in POSTS:
        raise Illegal("versailles.refused.no_such_post", rule="V-MIL-03", column=action.column)
    if p.posts[region * 4 + action.column - POSTS[0]] != NOBODY:
        raise Illegal(
            "versailles.refused.post_taken",
            rule="V-MIL-03",
            region=words.REGION[region],
            column=action.column,
        )
    if action.unit != action.region and post_of(p, nation, region):
        raise Illegal(
            "versailles.refused.one_unit_a_region", rule="V-MIL-04", region=words.REGION[region]
        )


def deploy_unit(b: StateBuilder, nation: int, action: DeployUnit) -> None:
    """Place the unit, push unrest back, gain cubes, lose happiness, perhaps mutiny (V-MIL-09)."""
    region, column, board = REGION_INDEX[action.region], action.column, b.pack.board
    b.acted = True
    take_unit(b, nation, action.unit)
    b.posts[region * 4 + column - POSTS[0]] = nation
    b.say(
        "versailles.deployed",
        "V-MIL-03",
        nation=words.NATION[nation],
        unit=words.unit_name(action.unit),
        where=words.IN[region],
        column=column,
    )
    if b.unrest[region] >= column:
        b.unrest[region] = column - 1
        b.say("versailles.unrest_held", "V-REG-08", region=words.REGION[region], column=column - 1)
    if back := b.recover(nation, board.cubes_back[column]):
        b.say("versailles.recovered", "V-MIL-06", nation=words.NATION[nation], n=back)
    add_happiness(b, nation, -board.unhappy[column], "V-MIL-06")


def exhaust_unit(b: StateBuilder, nation: int, place: str, rule: str) -> None:
    take_unit(b, nation, place)
    b.spent[nation] += 1
    b.say(
        "versailles.unit_exhausted", rule, nation=words.NATION[nation], unit=words.unit_name(place)
    )
