"""Region tracks and happiness (V-REG, V-OPT-01..07, V-UPR-30)."""

from collections.abc import Iterable

from powderkeg.games.versailles import words
from powderkeg.games.versailles.board import COLUMNS, LAST_KEG, NOBODY, POSTS, REGIONS
from powderkeg.games.versailles.state import Draft, Position, units
from powderkeg.games.versailles.steps import Mutinies, Pending

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
        d.say("unrest", rule, region=words.REGION[region], change=new - old, column=new)
    elif n:
        d.say("unrest_stays", "V-OPT-03", region=words.REGION[region], column=new)


def add_keg(d: Draft, region: int, n: int, rule: str = "V-REG-03") -> None:
    old = d.kegs[region]
    new = max(0, min(old + n, LAST_KEG))
    d.kegs[region] = new
    if new == old:
        d.say("keg_stays", "V-REG-03" if n > 0 else "V-REG-06", region=words.REGION[region])
        return
    d.say("keg", rule, region=words.REGION[region], column=new)
    if d.unrest[region] <= new:  # V-REG-04: it is pushed, and no unit is near (V-REG-05)
        d.unrest[region] = new + 1
        d.say("unrest_pushed", "V-REG-04", region=words.REGION[region], column=new + 1)


def reset(d: Draft, region: int) -> None:
    """After an uprising: a powder keg, then unrest right beside it (V-UPR-30)."""
    add_keg(d, region, 1, "V-UPR-30")
    if d.unrest[region] != d.kegs[region] + 1:
        d.unrest[region] = d.kegs[region] + 1
        d.say("unrest_reset", "V-UPR-30", region=words.REGION[region], column=d.unrest[region])


# Happiness


def limit(p: Position, happiness: int) -> int:
    """How many units a nation so happy may field."""
    return p.pack.board.units_allowed[happiness]


def add_happiness(d: Draft, nation: int, n: int, rule: str = "V-OPT-05") -> None:
    """Move a marker between 0 and 30; at 0 it stays for ever (V-OPT-07). May cause mutiny."""
    old = d.happiness[nation]
    if old == NOBODY or n == 0:
        return  # V-OPT-08: no marker
    if old == 0:
        d.say("happiness_locked", "V-OPT-07", nation=words.NATION[nation])
        return
    new = max(0, min(old + n, d.pack.board.most_happiness))
    d.happiness[nation] = new
    d.say("happiness", rule, nation=words.NATION[nation], change=new - old, happiness=new)
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
