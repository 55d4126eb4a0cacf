"""The playbook's two example games, replayed with any pack to see which numbers still come out."""

import json
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from importlib.resources import files
from typing import Any, Final, NamedTuple

from powderkeg.core import chance, plain
from powderkeg.core.chance import CHANCE
from powderkeg.core.errors import RulesError
from powderkeg.core.game import Fact
from powderkeg.core.words import Arg, Msg
from powderkeg.games.versailles import flow, words
from powderkeg.games.versailles.actions import parse
from powderkeg.games.versailles.board import NATIONS, NO_CUBES, REGIONS
from powderkeg.games.versailles.rules.score import score_sheet
from powderkeg.games.versailles.rules.solo import faction_strength, potential_value
from powderkeg.games.versailles.state import Options, State, StateBuilder, is_solo, star_total

EXAMPLES: Final = ("four_players", "solitaire")


class ExampleFault(NamedTuple):
    """A number of an example that differs; `wanted` is empty where an action was refused."""

    example: str
    step: int
    line: str
    what: Msg
    wanted: str = ""
    got: str = ""


class Liberties(NamedTuple):
    """What an example compares, and where it is not replayed as it is printed."""

    numbers: int  # that are compared
    by_hand: int  # steps in which the position was set by hand
    altered: int  # steps with other moves than in print
    cards: tuple[str, ...]  # events that were changed for it
    differing: tuple[tuple[str, Any, Any], ...]  # what, the number expected, the number printed


class Replay:
    """An example as it is played. Lines are ``uk place armenia 2``, ``chance roll 5``."""

    def __init__(self, example: str, changes: Mapping[str, Any]) -> None:
        folder = files("powderkeg.games.versailles") / "data" / "examples"
        data = tomllib.loads((folder / f"{example}.toml").read_text(encoding="utf-8"))
        pack = json.dumps({**changes, **data["amend"]}, sort_keys=True)
        options = plain.load(Options, {**data["options"], "pack": pack})
        self.example, self.steps, self.amended = example, data["step"], tuple(data["amend"])
        self.state: State = flow.start(flow.seats(data["players"], options), options)
        self.facts: list[Fact] = []

    def faults(self) -> Iterator[ExampleFault]:
        """Every number that differs, until an action is refused."""
        for number, step in enumerate(self.steps, start=1):
            before, line = len(self.facts), ""
            self.fix(step.get("before", {}))
            try:
                for line in step["do"]:
                    self.act(line)
            except RulesError as error:
                yield ExampleFault(self.example, number, line, error.msg)
                return
            self.fix(step.get("after", {}))
            for key, wanted in step.get("expect", {}).items():
                got = example_value(self.state, self.facts[before:], key)
                if got != wanted:
                    yield ExampleFault(
                        self.example,
                        number,
                        line,
                        key_text(key),
                        _plain_text(wanted),
                        _plain_text(got),
                    )

    def liberties(self) -> Liberties:
        """What is compared with the playbook, and where its letter is left."""
        differing = [
            (key, step["expect"][key], printed)
            for step in self.steps
            for key, printed in step.get("printed", {}).items()
        ]
        return Liberties(
            sum(len(step.get("expect", {})) for step in self.steps) - len(differing),
            sum("before" in step or "after" in step for step in self.steps),
            sum("altered" in step for step in self.steps),
            tuple(path.split(".")[1] for path in self.amended),
            tuple(differing),
        )

    def act(self, line: str) -> None:
        who, _, text = line.partition(" ")
        seat = self.seat(who)
        if seat == CHANCE:
            action: Any = chance.parse_outcome(text)
        else:
            action = parse(line if is_solo(self.state) else text)
        step = flow.apply(self.state, seat, action)
        self.state = step.state
        self.facts.extend(step.facts)

    def seat(self, who: str) -> str:
        """In solitaire every line that is not chance's is the human's; a nation
        without a player acts through the active player."""
        if who == CHANCE or who in self.state.seats:
            return who
        if is_solo(self.state):
            return self.state.seats[0]
        nation = NATIONS.index(who)
        nation = nation if nation in self.state.order else self.state.active
        return self.state.seats[self.state.order.index(nation)]

    def fix(self, changes: Mapping[str, Any]) -> None:
        """Change the position where the playbook contradicts itself."""
        if not changes:
            return
        b = StateBuilder(self.state)
        for name, value in changes.items():
            if name == "clear":
                b.cubes = {**b.cubes, value: NO_CUBES}
            else:
                kind = type(getattr(b, name))  # a compiled builder checks it
                setattr(b, name, kind(value) if isinstance(value, list) else value)
        self.state = b.freeze()


def _plain_text(value: Any) -> str:
    """A value as a sentence has it."""
    return ", ".join(map(str, value)) if isinstance(value, list | tuple) else str(value)


def example_value(p: State, facts: Sequence[Fact], key: str) -> Any:
    """The value that a key of an example names, read from the position or the latest facts."""
    kind, *args = key.split(".")
    match kind, args:
        case "happiness", [nation]:
            return p.happiness[NATIONS.index(nation)]
        case "unrest", [region]:
            return p.unrest[REGIONS.index(region)]
        case "keg", [region]:
            return p.kegs[REGIONS.index(region)]
        case "available", [nation]:
            return p.available[NATIONS.index(nation)]
        case "cubes", [nation, issue]:
            return p.cubes.get(issue, NO_CUBES)[NATIONS.index(nation)]
        case "cubes", [issue]:
            return sum(p.cubes.get(issue, NO_CUBES))
        case "stars", [nation]:
            return star_total(p, NATIONS.index(nation))
        case "strength", [nation]:
            return faction_strength(p, NATIONS.index(nation))
        case "potential", [nation, issue]:
            return potential_value(p, issue, NATIONS.index(nation))
        case "points", []:
            return p.points
        case "faction", []:
            return NATIONS[p.human]
        case "lost", [nation]:
            return _fact_argument(facts, "released", "nation", nation, "lost")
        case "wanted", [region]:
            return _fact_argument(facts, "rises", "region", region, "wanted")
        case "score", [nation]:
            sheet = score_sheet(p, NATIONS.index(nation))
            return [sheet.issues, sheet.flags, *sheet.conditions, sheet.happiness, sheet.total]
    raise KeyError(key)


def _fact_argument(facts: Sequence[Fact], code: str, noun: str, name: str, wanted: str) -> Any:
    """An argument of the fact about this nation or region."""
    for fact in facts:
        about = fact.msg.args.get(noun)
        same = isinstance(about, Msg) and about.code.endswith(f".{name}")
        if same and fact.msg.code == f"versailles.{code}":
            return fact.msg.args[wanted]
    return None


def key_text(key: str) -> Msg:
    """A key of an example in words."""
    kind, *args = key.split(".")
    nouns: dict[str, Arg] = {}
    for arg in args:
        if arg in NATIONS:
            nouns["nation"] = words.NATION[NATIONS.index(arg)]
        elif arg in REGIONS:
            nouns["region"] = words.REGION[REGIONS.index(arg)]
        else:
            nouns["issue"] = words.issue_name(arg)
    both = "_of" if kind == "cubes" and "nation" in nouns else ""
    return Msg(f"cards.fact.{kind}{both}", **nouns)


def example_faults(changes: Mapping[str, Any]) -> Iterator[ExampleFault]:
    """Every number of the examples that differs when the default pack is changed like this."""
    for example in EXAMPLES:
        yield from Replay(example, changes).faults()
