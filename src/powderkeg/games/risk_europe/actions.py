"""What players do: one frozen class per verb; `str` is the wire text and `parse` its inverse."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, TypeAlias

from powderkeg.core.errors import Unreadable
from powderkeg.games.risk_europe.board import (
    CARDS,
    COLOURS,
    TERRITORY_NAMES,
    TERRITORY_NUMBER,
    UNITS,
    Units,
)

ORDER_NAMES: Final = ("expand", "split", "manoeuvre", "tax", "spend")


@dataclass(frozen=True, slots=True)
class PlaceBid:
    """``bid 3``: for the first place, or for a mercenary army."""

    coins: int

    def __str__(self) -> str:
        return f"bid {self.coins}"


@dataclass(frozen=True, slots=True)
class SettleCity:
    """``settle saxony``: the gold city of the own kingdom."""

    at: int

    def __str__(self) -> str:
        return f"settle {TERRITORY_NAMES[self.at]}"


@dataclass(frozen=True, slots=True)
class SplitGarrison:
    """``garrison bohemia 5``: this many footmen go beside the city, the others stay in it."""

    at: int
    footmen: int

    def __str__(self) -> str:
        return f"garrison {TERRITORY_NAMES[self.at]} {self.footmen}"


@dataclass(frozen=True, slots=True)
class PickCards:
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
class GiveOrder:
    """``order expand``: one of the two orders of the card."""

    name: str

    def __str__(self) -> str:
        return f"order {self.name}"


@dataclass(frozen=True, slots=True)
class Fortify:
    """``fortify saxony``: the bonus action."""

    at: int

    def __str__(self) -> str:
        return f"fortify {TERRITORY_NAMES[self.at]}"


@dataclass(frozen=True, slots=True)
class Besiege:
    """``besiege franconia lorraine``: Siege Assault from one territory on another."""

    origin: int
    target: int

    def __str__(self) -> str:
        return f"besiege {TERRITORY_NAMES[self.origin]} {TERRITORY_NAMES[self.target]}"


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
        return f"from {TERRITORY_NAMES[self.at]}"


@dataclass(frozen=True, slots=True)
class To:
    """``to poland``: where they go."""

    at: int

    def __str__(self) -> str:
        return f"to {TERRITORY_NAMES[self.at]}"


@dataclass(frozen=True, slots=True)
class March:
    """``march footman:3,siege:1``: the units that go."""

    units: Units

    def __str__(self) -> str:
        return f"march {_write_units(self.units)}"


@dataclass(frozen=True, slots=True)
class Storm:
    """``storm 1 footman:3``: units that enter an enemy castle, the siege weapons named first."""

    units: Units

    def __str__(self) -> str:
        f, a, c, siege = self.units
        return f"storm {siege} {_write_units((f, a, c, 0))}"


@dataclass(frozen=True, slots=True)
class TaxCity:
    """``tax saxony``: the city whose supply line pays."""

    at: int

    def __str__(self) -> str:
        return f"tax {TERRITORY_NAMES[self.at]}"


@dataclass(frozen=True, slots=True)
class Buy:
    """``buy archer saxony 2``."""

    unit: int
    at: int
    count: int

    def __str__(self) -> str:
        return f"buy {UNITS[self.unit]} {TERRITORY_NAMES[self.at]} {self.count}"


@dataclass(frozen=True, slots=True)
class BuildCastle:
    """``build bavaria``: a castle."""

    at: int

    def __str__(self) -> str:
        return f"build {TERRITORY_NAMES[self.at]}"


@dataclass(frozen=True, slots=True)
class BuyCrown:
    """``crown``: buy a crown card."""

    def __str__(self) -> str:
        return "crown"


@dataclass(frozen=True, slots=True)
class KeepMission:
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
        return f"fight {TERRITORY_NAMES[self.at]}"


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
        return f"lose {_write_units(self.units)}"


@dataclass(frozen=True, slots=True)
class Finish:
    """``done``: no second target, no more purchases."""

    def __str__(self) -> str:
        return "done"


@dataclass(frozen=True, slots=True)
class PassTurn:
    """``pass``: the turn ends with what was done; or no mission is shown."""

    def __str__(self) -> str:
        return "pass"


Action: TypeAlias = (
    PlaceBid
    | SettleCity
    | SplitGarrison
    | PickCards
    | Auction
    | GiveOrder
    | Fortify
    | Besiege
    | Berlin
    | From
    | To
    | March
    | Storm
    | TaxCity
    | Buy
    | BuildCastle
    | BuyCrown
    | KeepMission
    | Reveal
    | Fight
    | Reroll
    | Stand
    | Lose
    | Finish
    | PassTurn
)


def _write_units(units: Units) -> str:
    return ",".join(f"{name}:{n}" for name, n in zip(UNITS, units, strict=True) if n) or "-"


def _parse_unit_counts(text: str) -> Units:
    counts = dict.fromkeys(UNITS, 0)
    for pair in [] if text == "-" else text.split(","):
        name, _, n = pair.partition(":")
        if counts[name] or not 0 < _parse_count(n) < 100:
            raise KeyError(name)
        counts[name] = _parse_count(n)
    return (counts["footman"], counts["archer"], counts["cavalry"], counts["siege"])


def _parse_count(text: str) -> int:
    if not (text.isascii() and text.isdecimal() and len(text) < 5):
        raise KeyError(text)
    return int(text)


def _parse_storm(siege: str, rest: str) -> Storm:
    f, a, c, more = _parse_unit_counts(rest)
    if more:
        raise KeyError(rest)
    return Storm((f, a, c, _parse_count(siege)))


def _known_name(names: tuple[str, ...] | dict[str, object], name: str) -> str:
    if name not in names:
        raise KeyError(name)
    return name


def _known_card(name: str) -> str:
    return _known_name(tuple(CARDS), name)


_VERBS: Final[dict[str, tuple[int, Callable[..., Action]]]] = {
    "bid": (1, lambda n: PlaceBid(_parse_count(n))),
    "settle": (1, lambda at: SettleCity(TERRITORY_NUMBER[at])),
    "garrison": (2, lambda at, n: SplitGarrison(TERRITORY_NUMBER[at], _parse_count(n))),
    "pick": (2, lambda a, b: PickCards(_known_card(a), _known_card(b))),
    "auction": (1, lambda colour: Auction(_known_name(COLOURS, colour))),
    "order": (1, lambda name: GiveOrder(_known_name(ORDER_NAMES, name))),
    "fortify": (1, lambda at: Fortify(TERRITORY_NUMBER[at])),
    "besiege": (2, lambda a, b: Besiege(TERRITORY_NUMBER[a], TERRITORY_NUMBER[b])),
    "berlin": (0, Berlin),
    "from": (1, lambda at: From(TERRITORY_NUMBER[at])),
    "to": (1, lambda at: To(TERRITORY_NUMBER[at])),
    "march": (1, lambda units: March(_parse_unit_counts(units))),
    "storm": (2, _parse_storm),
    "tax": (1, lambda at: TaxCity(TERRITORY_NUMBER[at])),
    "buy": (
        3,
        lambda unit, at, n: Buy(
            UNITS.index(_known_name(UNITS, unit)), TERRITORY_NUMBER[at], _parse_count(n)
        ),
    ),
    "build": (1, lambda at: BuildCastle(TERRITORY_NUMBER[at])),
    "crown": (0, BuyCrown),
    "keep": (1, KeepMission),
    "reveal": (1, Reveal),
    "fight": (1, lambda at: Fight(TERRITORY_NUMBER[at])),
    "reroll": (0, Reroll),
    "stand": (0, Stand),
    "lose": (1, lambda units: Lose(_parse_unit_counts(units))),
    "done": (0, Finish),
    "pass": (0, PassTurn),
}


def parse(text: str) -> Action:
    """The action written in `text`; only the exact text that `str` writes is accepted."""
    verb, *rest = text.split(" ")
    words, make = _VERBS.get(verb, (-1, PassTurn))
    if len(rest) == words:
        try:
            action = make(*rest)
        except KeyError:
            pass
        else:
            if str(action) == text:
                return action
    raise Unreadable("risk_europe.unreadable", text=text)
