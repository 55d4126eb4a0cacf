"""Region tracks and happiness (V-REG, V-OPT-01..07, V-UPR-30)."""

from collections.abc import Iterable

from powderkeg.games.versailles import words
from powderkeg.games.versailles.board import COLUMNS, LAST_KEG, NOBODY, POSTS, REGIONS
from powderkeg.games.versailles.state import Position, StateBuilder, unit_count
from powderkeg.games.versailles.steps import Mutinies, Pending

REGION_INDEX = {name: i for i, name in enumerate(REGIONS)}
EUROPE = REGION_INDEX["europe"]

# Unrest and powder kegs


def unrest_cap(p: Position, region: int) -> int:
    """The rightmost column that unrest may enter: left of every unit (V-REG-07)."""
    for i in range(4):
        if p.posts[region * 4 + i] != NOBODY:
            return POSTS[i] - 1
    return COLUMNS[-1]


def add_unrest(b: StateBuilder, region: int, n: int, rule: str = "V-OPT-01") -> None:
    """Move unrest right, or left if `n` is negative; steps that do not fit are lost (V-OPT-03)."""
    old = b.unrest[region]
    new = max(b.kegs[region] + 1, min(old + n, unrest_cap(b, region)))
    b.unrest[region] = new
    if new != old:
        b.say("versailles.unrest", rule, region=words.REGION[region], change=new - old, column=new)
    elif n:
        b.say("versailles.unrest_stays", "V-OPT-03", region=words.REGION[region], column=new)


def add_keg(b: StateBuilder, region: int, n: int, rule: str = "V-REG-03") -> None:
    """Move the powder keg; an event that would take it out of column 1 does not (V-REG-06)."""
    old = b.kegs[region]
    least = min(old, 1) if b.options.keg_stays else 0
    new = max(least, min(old + n, LAST_KEG))
    b.kegs[region] = new
    if new == old:
        b.say(
            "versailles.keg_stays", "V-REG-03" if n > 0 else "V-REG-06", region=words.REGION[region]
        )
        return
    b.say("versailles.keg", rule, region=words.REGION[region], column=new)
    if b.unrest[region] <= new:  # V-REG-04: it is pushed, and no unit is near (V-REG-05)
        b.unrest[region] = new + 1
        b.say("versailles.unrest_pushed", "V-REG-04", region=words.REGION[region], column=new + 1)


def reset_track(b: StateBuilder, region: int) -> None:
    """After an uprising: a powder keg, then unrest right beside it (V-UPR-30)."""
    add_keg(b, region, 1, "V-UPR-30")
    if b.unrest[region] != b.kegs[region] + 1:
        b.unrest[region] = b.kegs[region] + 1
        b.say(
            "versailles.unrest_reset",
            "V-UPR-30",
            region=words.REGION[region],
            column=b.unrest[region],
        )


# Happiness


def units_limit(p: Position, happiness: int) -> int:
    """The number of units that a nation with this happiness may field."""
    return p.pack.board.units_allowed[happiness]


def add_happiness(b: StateBuilder, nation: int, n: int, rule: str = "V-OPT-05") -> None:
    """Move a marker between 0 and 30; at 0 it stays forever (V-OPT-07). May cause mutiny."""
    old = b.happiness[nation]
    if old == NOBODY or n == 0:
        return  # V-OPT-08: no marker
    if old == 0:
        b.say("versailles.happiness_locked", "V-OPT-07", nation=words.NATION[nation])
        return
    new = max(0, min(old + n, b.pack.board.most_happiness))
    b.happiness[nation] = new
    b.say(
        "versailles.happiness", rule, nation=words.NATION[nation], change=new - old, happiness=new
    )
    if new < old and nation in b.order and unit_count(b, nation) > units_limit(b, new):
        b.push(Mutinies(nation))


def add_moods(b: StateBuilder, changes: Iterable[tuple[int, int]], rule: str = "V-OPT-05") -> None:
    """Change several markers; mutinies follow in the same order (V-TURN-12)."""
    agenda = b.agenda
    mutinies: list[Pending] = []
    for nation, n in changes:
        b.agenda = agenda
        add_happiness(b, nation, n, rule)
        mutinies += b.agenda[len(agenda) :]
    b.agenda = agenda
    b.push(*mutinies)
