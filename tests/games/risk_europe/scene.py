"""Positions written in a few words, and a hand that plays them.

s = Scene({"bohemia": "blue 4f 1s", "poland": "orange 2f"}, castles="poland")
s.turn("blue", "fortify").do("blue", "order expand", "from bohemia")
"""

import re
from typing import Any

import powderkeg.games.risk_europe as game
from powderkeg.core import chance
from powderkeg.core.chance import CHANCE
from powderkeg.core.errors import RulesError
from powderkeg.core.game import Fact
from powderkeg.games.risk_europe.actions import From, To
from powderkeg.games.risk_europe.board import (
    CROWN_CARDS,
    EMPTY,
    GOLD_CITIES,
    NOBODY,
    TERRITORY_NUMBER,
    Units,
    add_units,
    subtract_units,
)
from powderkeg.games.risk_europe.flow import FLOW
from powderkeg.games.risk_europe.state import (
    Attack,
    Options,
    State,
    count_crowns,
    replace_at,
    with_army,
)
from powderkeg.games.risk_europe.steps import (
    Act,
    Battles,
    EndRound,
    Move,
    NewRound,
    Pending,
    Pick,
    Reveals,
)

LETTERS = "facs"


def units(text: str) -> Units:
    """`"4f 1s"` as units."""
    counts = dict.fromkeys(LETTERS, 0)
    for n, letter in re.findall(r"(\d+)([facs])", text):
        counts[letter] += int(n)
    return (counts["f"], counts["a"], counts["c"], counts["s"])


class Scene:
    """A game in the middle, and the facts as it goes on."""

    def __init__(
        self,
        lands: dict[str, str] | None = None,
        *,
        attacks: dict[str, str] | None = None,
        castles: str = "",
        fresh: str = "",
        players: int = 4,
        marker: str = "blue",
        round: int = 1,  # noqa: A002  # the word of the rules
        **options: Any,
    ) -> None:
        """`fresh` names territories of gold cities whose shields do not work yet."""
        state: State = game.start(game.seats(players, Options()), Options(**options))
        ring = (0, 2, 1, 3) if players == 2 else (0, 1, 2, 3)
        self.facts: list[Fact] = []
        self.barrier = False
        self.state = state._replace(
            agenda=(),
            ring=ring,
            order=ring,
            marker=state.colours.index(marker),
            round=round,
            turn=1,
        )
        for name, text in (lands or {}).items():
            self._place(name, text)
        for name, text in (attacks or {}).items():
            army = self.number(text.split()[0])
            attack = Attack(TERRITORY_NUMBER[name], army, units(text))
            self._spent(army, attack.units)
            self.state = self.state._replace(attacks=(*self.state.attacks, attack))
        self.state = self.state._replace(
            castles=tuple(sorted(TERRITORY_NUMBER[name] for name in castles.split())),
            active=tuple(
                NOBODY
                if at in [TERRITORY_NUMBER[n] for n in fresh.split()]
                else self.state.owner[at]
                for at in GOLD_CITIES
            ),
        )

    def _place(self, name: str, text: str) -> None:
        at, army, there = (
            TERRITORY_NUMBER[name],
            self.number(text.split(maxsplit=1)[0]),
            units(text),
        )
        self._spent(army, there)
        self.state = self.state._replace(
            owner=replace_at(self.state.owner, at, army),
            units=replace_at(self.state.units, at, there),
        )

    def _spent(self, army: int, there: Units) -> None:
        reserve = subtract_units(self.state.armies[army].reserve, there)
        self.state = with_army(self.state, army, reserve=reserve)

    # Preparing

    def number(self, colour: str) -> int:
        return self.state.colours.index(colour)

    def has(self, colour: str, **what: Any) -> "Scene":
        """Set coins, crown cards, missions and the like."""
        self.state = with_army(self.state, self.number(colour), **what)
        sold = sum(army.bought for army in self.state.armies)
        self.state = self.state._replace(crown_cards=max(0, CROWN_CARDS - sold))
        return self

    def reserve(self, colour: str, text: str) -> "Scene":
        """The rest of the reserve stands in Morocco, out of the way."""
        army, kept = self.number(colour), units(text)
        sent = subtract_units(self.state.armies[army].reserve, kept)
        at = TERRITORY_NUMBER["morocco"]
        self.state = self.state._replace(
            owner=replace_at(self.state.owner, at, army),
            units=replace_at(self.state.units, at, add_units(self.state.units[at], sent)),
        )
        return self.has(colour, reserve=kept)

    def next(self, *steps: Pending) -> "Scene":
        """What is to come; the first step named comes first."""
        self.state = self.state._replace(agenda=steps[::-1])
        return self._run()

    def turn(self, colour: str, card: str, *after: Pending) -> "Scene":
        """The colour has just revealed `card`; then come battles and the end of the round."""
        army = self.number(colour)
        own = self.state.armies[army]
        hand = list(own.hand)
        hand.remove(card)
        self.has(colour, hand=tuple(hand), shown=(card,))
        reveals = (Reveals(),) if self.state.options.missions else ()
        return self.next(Act(army, card), *(after or (Battles(), *reveals, EndRound())))

    def battles(self) -> "Scene":
        reveals = (Reveals(),) if self.state.options.missions else ()
        return self.next(Battles(), *reveals, EndRound())

    def end(self) -> "Scene":
        return self.next(EndRound())

    def new_round(self) -> "Scene":
        return self.next(NewRound())

    def pick(self) -> "Scene":
        return self.next(Pick())

    def _run(self) -> "Scene":
        step = FLOW.run(self.state)
        return self._take(step)

    # Playing

    def _take(self, step: Any) -> "Scene":
        self.state, self.barrier = step.state, step.barrier
        self.facts.extend(step.facts)
        return self

    def do(self, seat: str, *texts: str) -> "Scene":
        for text in texts:
            action = game.parse(text)
            if self._is_forced(action):
                continue
            assert action in game.legal(self.state, seat), f"{seat} may not {text}"
            self._take(game.apply(self.state, seat, action))
            assert self.broken() == []
        return self

    def broken(self) -> list[str]:
        """What is wrong; hands of a scene need not have the size of its round."""
        return [text for text in game.broken(self.state) if "cards, not" not in text]

    def _is_forced(self, action: object) -> bool:
        """Whether a single choice has been made without asking."""
        step = self.state.agenda[-1] if self.state.agenda else None
        if not isinstance(step, Move):
            return False
        return action in (From(step.origin), To(step.target))

    def roll(self, *dice: int) -> "Scene":
        return self._chance(chance.Roll(dice))

    def draw(self, *items: str) -> "Scene":
        return self._chance(chance.Drawn(items))

    def _chance(self, outcome: chance.Outcome) -> "Scene":
        owed = game.legal(self.state, CHANCE)
        assert outcome in owed, f"{outcome} is not {owed}"
        return self._take(game.apply(self.state, CHANCE, outcome))

    def refuses(self, seat: str, text: str) -> tuple[str, str]:
        """Code and rule of the refusal; the list must agree that it is not legal."""
        action = game.parse(text)
        assert action not in game.legal(self.state, seat), f"{seat} may {text}"
        try:
            game.apply(self.state, seat, action)
        except RulesError as error:
            return error.code.removeprefix("risk_europe."), error.rule
        raise AssertionError(f"{seat}: {text} was not refused")

    # Looking

    def legal(self, seat: str, verb: str = "") -> list[str]:
        """The legal actions that start with `verb`, without it."""
        texts = [str(action) for action in game.legal(self.state, seat)]
        if not verb:
            return texts
        return [text[len(verb) + 1 :] for text in texts if text.split()[0] == verb]

    @property
    def to_act(self) -> set[str]:
        return set(game.to_act(self.state))

    def coins(self, colour: str) -> int:
        return self.state.armies[self.number(colour)].coins

    def crowns(self, colour: str) -> int:
        return count_crowns(self.state, self.number(colour))

    def owner(self, name: str) -> str | None:
        army = self.state.owner[TERRITORY_NUMBER[name]]
        return None if army == NOBODY else self.state.colours[army]

    def units(self, name: str) -> str:
        """The owner's units as `"4f 1s"`."""
        return written(self.state.units[TERRITORY_NUMBER[name]])

    def attackers(self, name: str) -> str:
        return next(
            (written(a.units) for a in self.state.attacks if a.at == TERRITORY_NUMBER[name]),
            written(EMPTY),
        )

    def left(self, colour: str) -> str:
        return written(self.state.armies[self.number(colour)].reserve)

    def fact_codes(self) -> list[str]:
        """The codes of all facts so far."""
        return [fact.msg.code.removeprefix("risk_europe.") for fact in self.facts]

    @property
    def marker(self) -> str:
        return self.state.colours[self.state.marker]


def written(there: Units) -> str:
    return " ".join(f"{n}{letter}" for n, letter in zip(there, LETTERS, strict=True) if n) or "-"


def opening(players: int = 4, **options: Any) -> Scene:
    """A game from its very start."""
    s = Scene(players=players)
    s.facts = []
    s.state = game.start(game.seats(players, Options(**options)), Options(**options))
    return s


def settled(players: int = 4, **options: Any) -> Scene:
    """All kingdoms placed, blue first, cards about to be placed in round 1."""
    s = opening(players, **options)
    if players < 4:
        s.draw("england", "turkey")
    for i, seat in enumerate(game.seats(players, Options())):
        s.do(seat, f"bid {1 if i == 0 else 0}")
    while "settle" in " ".join(s.legal(min(s.to_act))) or s.legal(min(s.to_act), "garrison"):
        seat = min(s.to_act)
        s.do(seat, s.legal(seat)[0])
    return s
