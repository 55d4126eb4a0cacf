"""Region tracks, happiness, and units on them (V-REG, V-OPT-01..07, V-MIL, V-MUT)."""

from collections.abc import Iterable, Iterator

from powderkeg.games.versailles import names
from powderkeg.games.versailles.actions import Deploy
from powderkeg.games.versailles.board import COLUMNS, LAST_KEG, NOBODY, POSTS, REGIONS
from powderkeg.games.versailles.state import (
    Draft,
    Position,
    deployed,
    post_of,
    refused,
    units,
)
from powderkeg.games.versailles.steps import Mutinies, Pending

AVAILABLE, EXHAUSTED = "available", "exhausted"
REGION_INDEX = {name: i for i, name in enumerate(REGIONS)}

# Unrest and powder kegs


def cap(p: Position, region: int) -> int:
    """The rightmost column that unrest may enter: left of every unit (V-REG-07)."""
    row = p.posts[region * 4 : region * 4 + 4]
    for column, owner in zip(POSTS, row, strict=True):
        if owner != NOBODY:
            return column - 1
    return COLUMNS[-1]


def add_unrest(d: Draft, region: int, n: int, rule: str = "V-OPT-01") -> None:
    """Move unrest right, or left if `n` is negative; what does not fit is lost (V-OPT-03)."""
    old = d.unrest[region]
    new = max(d.kegs[region] + 1, min(old + n, cap(d, region)))
    d.unrest[region] = new
    if new != old:
        d.say("unrest", rule, region=names.REGION[region], change=new - old, column=new)
    elif n:
        d.say("unrest_stays", "V-OPT-03", region=names.REGION[region], column=new)


def add_keg(d: Draft, region: int, n: int, rule: str = "V-REG-03") -> None:
    old = d.kegs[region]
    new = max(0, min(old + n, LAST_KEG))
    d.kegs[region] = new
    if new == old:
        d.say("keg_stays", "V-REG-03" if n > 0 else "V-REG-06", region=names.REGION[region])
        return
    d.say("keg", rule, region=names.REGION[region], column=new)
    if d.unrest[region] <= new:  # V-REG-04: it is pushed, and no unit is near (V-REG-05)
        d.unrest[region] = new + 1
        d.say("unrest_pushed", "V-REG-04", region=names.REGION[region], column=new + 1)


def reset(d: Draft, region: int) -> None:
    """After an uprising: a powder keg, then unrest right beside it (V-UPR-30)."""
    add_keg(d, region, 1, "V-UPR-30")
    if d.unrest[region] != d.kegs[region] + 1:
        d.unrest[region] = d.kegs[region] + 1
        d.say("unrest_reset", "V-UPR-30", region=names.REGION[region], column=d.unrest[region])


# Happiness and mutiny


def limit(p: Position, happiness: int) -> int:
    """How many units a nation so happy may field."""
    return p.pack.board.units_allowed[happiness]


def add_happiness(d: Draft, nation: int, n: int, rule: str = "V-OPT-05") -> None:
    """Move a marker between 0 and 30; at 0 it stays for ever (V-OPT-07). May cause mutiny."""
    old = d.happiness[nation]
    if old == NOBODY or n == 0:
        return  # V-OPT-08: no marker
    if old == 0:
        d.say("happiness_locked", "V-OPT-07", nation=names.NATION[nation])
        return
    new = max(0, min(old + n, d.pack.board.most_happiness))
    d.happiness[nation] = new
    d.say("happiness", rule, nation=names.NATION[nation], change=new - old, happiness=new)
    if new < old and nation in d.order and units(d, nation) > limit(d, new):
        d.push(Mutinies(nation))


def add_moods(d: Draft, changes: Iterable[tuple[int, int]], rule: str = "V-OPT-05") -> None:
    """Change several markers; mutinies follow in the same order (V-TURN-12)."""
    agenda = d.agenda
    mutinies: list[Pending] = []
    for nation, n in changes:
        d.agenda = agenda
        add_happiness(d, nation, n, rule)
        mutinies += d.agenda[len(agenda) :]
    d.agenda = agenda
    d.push(*mutinies)


def unit_places(p: Position, nation: int) -> list[str]:
    """Where `nation` has units that are not demobilised, each place once."""
    return [
        *([AVAILABLE] if p.ready[nation] else []),
        *([EXHAUSTED] if p.spent[nation] else []),
        *(REGIONS[region] for region in deployed(p, nation)),
    ]


def take_unit(d: Draft, nation: int, place: str) -> None:
    """Lift a unit off its place; unrest stays where it is (V-REG-09)."""
    if place == AVAILABLE:
        d.ready[nation] -= 1
    elif place == EXHAUSTED:
        d.spent[nation] -= 1
    else:
        region = REGION_INDEX[place]
        d.posts[region * 4 + post_of(d, nation, region) - POSTS[0]] = NOBODY


def mutiny(d: Draft, nation: int, place: str) -> None:
    """One unit goes to the last demobilise space, whatever else is free (V-MUT-03)."""
    take_unit(d, nation, place)
    d.retired[nation] += 1
    d.say("mutiny", "V-MUT-03", nation=names.NATION[nation], unit=names.unit(place))
    add_happiness(d, nation, d.pack.board.mutiny_gain, "V-MUT-03")


# Deploy and demobilise


def demobilise(d: Draft, nation: int, place: str) -> None:
    """To the best free space; happiness rises by its number (V-MIL-12)."""
    d.acted = True
    take_unit(d, nation, place)
    space = free_space(d)
    gain = demobilise_values(d)[space] if space != NOBODY else d.pack.board.last_space
    if space == NOBODY:
        d.retired[nation] += 1
    else:
        d.spaces[space] = nation
    d.say(
        "demobilised",
        "V-MIL-12",
        nation=names.NATION[nation],
        unit=names.unit(place),
        space=gain,
    )
    add_happiness(d, nation, gain, "V-MIL-12")


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
    """What demobilising a unit would bring."""
    space = free_space(p)
    return demobilise_values(p)[space] if space != NOBODY else p.pack.board.last_space


def deploys(p: Position, nation: int) -> Iterator[Deploy]:
    """Every deployment open to `nation`."""
    sources = [AVAILABLE] if p.ready[nation] else []
    sources += [REGIONS[region] for region in deployed(p, nation)]
    for source in sources:
        for region, name in enumerate(REGIONS):
            if source != name and post_of(p, nation, region):
                continue  # V-MIL-04
            for column in POSTS:
                if p.posts[region * 4 + column - POSTS[0]] == NOBODY:
                    yield Deploy(source, name, column)


def check_deploy(p: Position, nation: int, action: Deploy) -> None:
    """Raise the reason why this deployment is refused."""
    if action.unit == EXHAUSTED:
        raise refused("unit_exhausted", "V-MIL-02")
    has = p.ready[nation] if action.unit == AVAILABLE else action.unit in unit_places(p, nation)
    if not has:
        raise refused("no_such_unit", "V-MIL-02", unit=names.unit(action.unit))
    region = REGION_INDEX.get(action.region)
    if region is None:
        raise refused("no_such_region", "V-MIL-03", region=names.quoted(action.region))
    if action.column not in POSTS:
        raise refused("no_such_post", "V-MIL-03", column=action.column)
    if p.posts[region * 4 + action.column - POSTS[0]] != NOBODY:
        raise refused(
            "post_taken",
            "V-MIL-03",
            region=names.REGION[region],
            column=action.column,
        )
    if action.unit != action.region and post_of(p, nation, region):
        raise refused("one_unit_a_region", "V-MIL-04", region=names.REGION[region])


def deploy(d: Draft, nation: int, action: Deploy) -> None:
    """Place the unit, push unrest back, gain cubes, lose happiness, perhaps mutiny (V-MIL-09)."""
    region, column, board = REGION_INDEX[action.region], action.column, d.pack.board
    d.acted = True
    take_unit(d, nation, action.unit)
    d.posts[region * 4 + column - POSTS[0]] = nation
    d.say(
        "deployed",
        "V-MIL-03",
        nation=names.NATION[nation],
        unit=names.unit(action.unit),
        where=names.IN[region],
        column=column,
    )
    if d.unrest[region] >= column:
        d.unrest[region] = column - 1
        d.say("unrest_held", "V-REG-08", region=names.REGION[region], column=column - 1)
    if back := d.recover(nation, board.cubes_back[column]):
        d.say("recovered", "V-MIL-06", nation=names.NATION[nation], n=back)
    add_happiness(d, nation, -board.unhappy[column], "V-MIL-06")


def exhaust_unit(d: Draft, nation: int, place: str, rule: str) -> None:
    take_unit(d, nation, place)
    d.spent[nation] += 1
    d.say("unit_exhausted", rule, nation=names.NATION[nation], unit=names.unit(place))
