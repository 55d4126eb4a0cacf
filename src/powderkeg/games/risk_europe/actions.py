"""What players do: one frozen class a verb; `str` is the wire text and `parse` its inverse."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, TypeAlias

from powderkeg.core.errors import Unreadable
from powderkeg.games.risk_europe.board import (
    CARDS,
    COLOURS,
    NAMES,
    NUMBER,
    UNITS,
    Units,
)

ORDERS: Final = ("expand", "split", "manoeuvre", "tax", "spend")


@dataclass(frozen=True, slots=True)
class Bid:
    """``bid 3``: for the first place, or for a mercenary army."""

    coins: int

    def __str__(self) -> str:
        return f"bid {self.coins}"


@dataclass(frozen=True, slots=True)
class Settle:
    """``settle saxony``: the gold city of one's kingdom."""

    at: int

    def __str__(self) -> str:
        return f"settle {NAMES[self.at]}"


@dataclass(frozen=True, slots=True)
class Garrison:
    """``garrison bohemia 5``: so many footmen beside the city, the others in it."""

    at: int
    footmen: int

    def __str__(self) -> str:
        return f"garrison {NAMES[self.at]} {self.footmen}"


@dataclass(frozen=True, slots=True)
class Pick:
    """``pick tax split``: the cards for the first and the second turn."""

    first: str
    second: str

    def __str__(self) -> str:
        return f"pick {self.first} {self.second}"


@dataclass(frozen=True, slots=True)
class Auction:
    """``auction green``: the mercenary army that is bid for first."""

    colour: str

    def __str__(self) -> str:
        return f"auction {self.colour}"


@dataclass(frozen=True, slots=True)
class Order:
    """``order expand``: one of the two orders of the card."""

    name: str

    def __str__(self) -> str:
        return f"order {self.name}"


@dataclass(frozen=True, slots=True)
class Fortify:
    """``fortify saxony``: the bonus action."""

    at: int

    def __str__(self) -> str:
        return f"fortify {NAMES[self.at]}"


@dataclass(frozen=True, slots=True)
class Besiege:
    """``besiege franconia lorraine``: Siege Assault from one territory on another."""

    origin: int
    target: int

    def __str__(self) -> str:
        return f"besiege {NAMES[self.origin]} {NAMES[self.target]}"


@dataclass(frozen=True, slots=True)
class Berlin:
    """``berlin``: the free manoeuvre after an expansion."""

    def __str__(self) -> str:
        return "berlin"


@dataclass(frozen=True, slots=True)
class From:
    """``from bohemia``: where units leave."""

    at: int

    def __str__(self) -> str:
        return f"from {NAMES[self.at]}"


@dataclass(frozen=True, slots=True)
class To:
    """``to poland``: where they go."""

    at: int

    def __str__(self) -> str:
        return f"to {NAMES[self.at]}"


@dataclass(frozen=True, slots=True)
class March:
    """``march footman:3,siege:1``: the units that go."""

    units: Units

    def __str__(self) -> str:
        return f"march {_written(self.units)}"


@dataclass(frozen=True, slots=True)
class Storm:
    """``storm 1 footman:3``: units that enter an enemy castle, the siege weapons named first."""

    units: Units

    def __str__(self) -> str:
        f, a, c, siege = self.units
        return f"storm {siege} {_written((f, a, c, 0))}"


@dataclass(frozen=True, slots=True)
class Tax:
    """``tax saxony``: the city whose supply line pays."""

    at: int

    def __str__(self) -> str:
        return f"tax {NAMES[self.at]}"


@dataclass(frozen=True, slots=True)
class Buy:
    """``buy archer saxony 2``."""

    unit: int
    at: int
    count: int

    def __str__(self) -> str:
        return f"buy {UNITS[self.unit]} {NAMES[self.at]} {self.count}"


@dataclass(frozen=True, slots=True)
class Build:
    """``build bavaria``: a castle."""

    at: int

    def __str__(self) -> str:
        return f"build {NAMES[self.at]}"


@dataclass(frozen=True, slots=True)
class Crown:
    """``crown``: buy a crown card."""

    def __str__(self) -> str:
        return "crown"


@dataclass(frozen=True, slots=True)
class Keep:
    """``keep treasurer``: one of two missions."""

    card: str

    def __str__(self) -> str:
        return f"keep {self.card}"


@dataclass(frozen=True, slots=True)
class Reveal:
    """``reveal treasurer``: a mission that is completed."""

    card: str

    def __str__(self) -> str:
        return f"reveal {self.card}"


@dataclass(frozen=True, slots=True)
class Fight:
    """``fight lorraine``: the next battle."""

    at: int

    def __str__(self) -> str:
        return f"fight {NAMES[self.at]}"


@dataclass(frozen=True, slots=True)
class Reroll:
    """``reroll``: the castle's defence."""

    def __str__(self) -> str:
        return "reroll"


@dataclass(frozen=True, slots=True)
class Stand:
    """``stand``: leave the dice as they fell."""

    def __str__(self) -> str:
        return "stand"


@dataclass(frozen=True, slots=True)
class Lose:
    """``lose footman:2``: the units to remove."""

    units: Units

    def __str__(self) -> str:
        return f"lose {_written(self.units)}"


@dataclass(frozen=True, slots=True)
class Done:
    """``done``: no second target, no more purchases."""

    def __str__(self) -> str:
        return "done"


@dataclass(frozen=True, slots=True)
class Pass:
    """``pass``: the turn ends with what was done; or no mission is shown."""

    def __str__(self) -> str:
        return "pass"


Action: TypeAlias = (
    Bid
    | Settle
    | Garrison
    | Pick
    | Auction
    | Order
    | Fortify
    | Besiege
    | Berlin
    | From
    | To
    | March
    | Storm
    | Tax
    | Buy
    | Build
    | Crown
    | Keep
    | Reveal
    | Fight
    | Reroll
    | Stand
    | Lose
    | Done
    | Pass
)


def _written(units: Units) -> str:
    return ",".join(f"{name}:{n}" for name, n in zip(UNITS, units, strict=True) if n) or "-"


def _units(text: str) -> Units:
    counts = dict.fromkeys(UNITS, 0)
    for pair in [] if text == "-" else text.split(","):
        name, _, n = pair.partition(":")
        if counts[name] or not 0 < _count(n) < 100:
            raise KeyError(name)
        counts[name] = _count(n)
    return (counts["footman"], counts["archer"], counts["cavalry"], counts["siege"])


def _count(text: str) -> int:
    if not (text.isascii() and text.isdecimal() and len(text) < 5):
        raise KeyError(text)
    return int(text)


def _storm(siege: str, rest: str) -> Storm:
    f, a, c, more = _units(rest)
    if more:
        raise KeyError(rest)
    return Storm((f, a, c, _count(siege)))


def _one_of(names: tuple[str, ...] | dict[str, object], name: str) -> str:
    if name not in names:
        raise KeyError(name)
    return name


def _card(name: str) -> str:
    return _one_of(tuple(CARDS), name)


_VERBS: Final[dict[str, tuple[int, Callable[..., Action]]]] = {
    "bid": (1, lambda n: Bid(_count(n))),
    "settle": (1, lambda at: Settle(NUMBER[at])),
    "garrison": (2, lambda at, n: Garrison(NUMBER[at], _count(n))),
    "pick": (2, lambda a, b: Pick(_card(a), _card(b))),
    "auction": (1, lambda colour: Auction(_one_of(COLOURS, colour))),
    "order": (1, lambda name: Order(_one_of(ORDERS, name))),
    "fortify": (1, lambda at: Fortify(NUMBER[at])),
    "besiege": (2, lambda a, b: Besiege(NUMBER[a], NUMBER[b])),
    "berlin": (0, Berlin),
    "from": (1, lambda at: From(NUMBER[at])),
    "to": (1, lambda at: To(NUMBER[at])),
    "march": (1, lambda units: March(_units(units))),
    "storm": (2, _storm),
    "tax": (1, lambda at: Tax(NUMBER[at])),
    "buy": (3, lambda unit, at, n: Buy(UNITS.index(_one_of(UNITS, unit)), NUMBER[at], _count(n))),
    "build": (1, lambda at: Build(NUMBER[at])),
    "crown": (0, Crown),
    "keep": (1, Keep),
    "reveal": (1, Reveal),
    "fight": (1, lambda at: Fight(NUMBER[at])),
    "reroll": (0, Reroll),
    "stand": (0, Stand),
    "lose": (1, lambda units: Lose(_units(units))),
    "done": (0, Done),
    "pass": (0, Pass),
}


def parse(text: str) -> Action:
    """The action written in `text`; only the very text that `str` writes is read."""
    verb, *rest = text.split(" ")
    words, make = _VERBS.get(verb, (-1, Pass))
    if len(rest) == words:
        try:
            action = make(*rest)
        except KeyError:
            pass
        else:
            if str(action) == text:
                return action
    raise Unreadable("risk_europe.unreadable", text=text)
