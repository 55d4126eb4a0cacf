"""Tools for the tests of Versailles: positions made to measure, and moves written as text."""

from collections.abc import Callable, Iterable
from typing import Any

import pytest

import powderkeg.games.versailles as game
from powderkeg.core import chance
from powderkeg.core.chance import CHANCE
from powderkeg.core.errors import Illegal
from powderkeg.core.game import Fact
from powderkeg.games.versailles import actions, flow, steps
from powderkeg.games.versailles.board import NATIONS, NOBODY, REGIONS
from powderkeg.games.versailles.state import Held, Options, State, StateBuilder, with_item

ISSUES = ("armenia", "rheinland", "ethiopia", "womens_suffrage", "constantinople", "cilicia")
EVENTS = ("churchill", "hoover", "murdoch")
STRATEGIES = ("fourteen_points", "global_trade", "outlaw_war", "isolationism", "mobilization")
ORDER = {
    1: ("uk", "france", "usa"),
    2: ("uk", "france"),
    3: ("uk", "france", "usa"),
    4: ("uk", "france", "usa", "italy"),
}


class Play:
    """A game in progress. Lines are ``uk place armenia 2``, ``chance roll 5``, ``P1 nation uk``."""

    def __init__(self, state: State) -> None:
        self.state = state
        self.facts: list[Fact] = []

    def __call__(self, *lines: str) -> "Play":
        for line in lines:
            who, _, text = line.partition(" ")
            self.act(who, text)
        return self

    def act(self, who: str, text: str) -> None:
        seat = self.seat(who)
        action = chance.parse_outcome(text) if seat == CHANCE else game.parse(text)
        if not isinstance(action, TALK):
            acting = game.to_act(self.state)
            assert seat in acting, f"{who} {text}: {acting} must act: {self.state.agenda[-1:]}"
        step = game.apply(self.state, seat, action)
        assert game.broken(step.state) == []
        self.state = step.state
        self.facts.extend(step.facts)

    def seat(self, who: str) -> str:
        if who == CHANCE or who in self.state.seats:
            return who
        if len(self.state.seats) == 1:
            return self.state.seats[0]
        nation = NATIONS.index(who)
        if nation not in self.state.order:
            nation = self.state.active
        return self.state.seats[self.state.order.index(nation)]

    def refuses(self, line: str, code: str, rule: str) -> None:
        """Assert that the line is refused for this reason."""
        who, _, text = line.partition(" ")
        action = game.parse(text)
        seat = self.seat(who)
        assert action not in game.legal(self.state, seat), f"{line} is legal"
        with pytest.raises(Illegal) as error:
            game.apply(self.state, seat, action)
        reason = error.value.code.removeprefix("versailles.refused."), error.value.rule
        assert reason == (code, rule), str(error.value)

    def legal(self, who: str) -> list[str]:
        """What may be answered, deals aside."""
        return [str(a) for a in game.legal(self.state, self.seat(who)) if not isinstance(a, TALK)]

    def verbs(self, who: str) -> set[str]:
        return {text.split(" ")[0] for text in self.legal(who)}

    @property
    def pending(self) -> Any:
        return self.state.agenda[-1] if self.state.agenda else None

    @property
    def decider(self) -> str:
        """The nation (or seat, or chance) that is to act."""
        (seat,) = game.to_act(self.state)
        if seat == CHANCE or len(self.state.seats) == 1:
            return seat
        nation = self.state.order[self.state.seats.index(seat)]
        return NATIONS[nation] if nation != NOBODY else seat

    def facts_of(self, code: str) -> list[dict[str, Any]]:
        """The arguments of every fact so far with this code."""
        return [dict(f.msg.args) for f in self.facts if f.msg.code == f"versailles.{code}"]

    def __getattr__(self, name: str) -> Any:
        return getattr(self.state, name)

    def happy(self, nation: str) -> int:
        return int(self.state.happiness[NATIONS.index(nation)])

    def free(self, nation: str) -> int:
        return int(self.state.available[NATIONS.index(nation)])

    def used(self, nation: str) -> int:
        return int(self.state.exhausted[NATIONS.index(nation)])

    def column(self, region: str) -> int:
        return int(self.state.unrest[REGIONS.index(region)])

    def keg(self, region: str) -> int:
        return int(self.state.kegs[REGIONS.index(region)])

    def on(self, issue: str) -> dict[str, int]:
        row = self.state.cubes[issue]
        return {NATIONS[n]: row[n] for n in range(4) if row[n]}

    def owner(self, issue: str) -> str | None:
        held = self.state.held.get(issue)
        return NATIONS[held.owner] if held else None


TALK = actions.Talk


def opening(players: int, *, options: Options | None = None, first: int = 1) -> Play:
    """The first turn of a game with fixed cards; nations by seat: UK, France, USA, Italy."""
    options = options or Options()
    play = Play(game.start(game.seats(players, options), options))
    if players == 1:
        if options.solo_order == "chosen":
            play("P1 choose uk", "P1 choose france")
        else:
            play("chance draw uk france usa")
        return play(f"chance draw {' '.join(ISSUES[:5])}", f"chance draw {' '.join(EVENTS)}")
    play(f"chance draw P{first}")
    names = ORDER[players]
    for i in range(players - 1):
        seat = (first - 1 + i) % players
        play(f"P{seat + 1} nation {names[seat]}")
    return play(
        f"chance draw {' '.join(ISSUES)}",
        f"chance draw {' '.join(EVENTS)}",
        f"chance draw {' '.join(STRATEGIES[: players + 1])}",
    )


def lay(play: Play, **changes: Any) -> Play:
    """Change a position by hand. Counts are given by name: ``happiness={"uk": 11}``.

    Cubes on issues, units and cards that are moved are taken from where they were, so that the
    position stays sound.
    """
    b = StateBuilder(play.state)
    for name, value in changes.items():
        _CHANGES.get(name, _plain)(b, name, value)
    play.state = b.freeze()
    assert sound(play.state)
    return play


def sound(state: State) -> bool:
    """Whether nothing is wrong but that a card is missing which a pending step will lay."""
    return all(wrong.startswith("table, waiting room") for wrong in game.broken(state))


def _plain(b: StateBuilder, name: str, value: Any) -> None:
    setattr(b, name, value)


def _by_nation(b: StateBuilder, name: str, value: dict[str, int]) -> None:
    for nation, n in value.items():
        getattr(b, name)[NATIONS.index(nation)] = n


def _by_region(b: StateBuilder, name: str, value: dict[str, int]) -> None:
    for region, n in value.items():
        getattr(b, name)[REGIONS.index(region)] = n


def _used(b: StateBuilder, name: str, value: dict[str, int]) -> None:
    """Exhausted cubes, out of available ones."""
    for nation, n in value.items():
        i = NATIONS.index(nation)
        b.available[i] += b.exhausted[i] - n
        b.exhausted[i] = n


def _cubes(b: StateBuilder, name: str, value: dict[str, dict[str, int]]) -> None:
    """Cubes on issues, out of available ones."""
    for issue, row in value.items():
        for nation, n in row.items():
            i = NATIONS.index(nation)
            b.available[i] += b.cubes[issue][i] - n
            b.set_cubes(issue, i, n)


def _units(b: StateBuilder, name: str, value: dict[str, Iterable[str]]) -> None:
    """Where a nation's units are: ``("available", "exhausted", "europe 7", "mutinied", "space 0")``."""
    for nation, places in value.items():
        i = NATIONS.index(nation)
        b.ready[i] = b.spent[i] = 0
        b.retired = with_item(b.retired, i, 0)
        b.posts = [NOBODY if owner == i else owner for owner in b.posts]
        b.spaces = tuple(NOBODY if owner == i else owner for owner in b.spaces)
        for place in places:
            match place.split():
                case ["available"]:
                    b.ready[i] += 1
                case ["exhausted"]:
                    b.spent[i] += 1
                case ["mutinied"]:
                    b.retired = with_item(b.retired, i, b.retired[i] + 1)
                case ["space", number]:
                    b.spaces = with_item(b.spaces, int(number), i)
                case [region, column]:
                    b.posts[REGIONS.index(region) * 4 + int(column) - 5] = i


def _held(b: StateBuilder, name: str, value: dict[str, Any]) -> None:
    """Settled issues: ``{"syria": "uk"}`` or ``{"syria": ("uk", "french_mandate")}``; a third
    entry gives the flags of naval counters."""
    for issue, entry in value.items():
        nation, option, flags = (*([entry] if isinstance(entry, str) else entry), None, None)[:3]
        card = b.pack.issues[issue]
        number = card.option(option) if option else _bare_option(b, issue)
        rest = iter(flags or ("uk", "uk"))
        counters = tuple(
            f"naval.{next(rest)}" if c == "naval" else c for c in card.options[number].counters
        )
        _remove_issue(b, issue)
        b.held = {**b.held, issue: Held(NATIONS.index(nation), number, counters)}


def _bare_option(b: StateBuilder, issue: str) -> int:
    options = b.pack.issues[issue].options
    return min(range(len(options)), key=lambda i: len(options[i].counters))


def _remove_issue(b: StateBuilder, issue: str) -> None:
    b.deck = tuple(i for i in b.deck if i != issue)
    b.pile = tuple(i for i in b.pile if i != issue)
    if issue in b.table or issue in b.waiting:
        spare = b.deck[0]
        b.table = tuple(spare if i == issue else i for i in b.table)
        b.waiting = tuple(spare if i == issue else i for i in b.waiting)
        b.cubes = {(spare if i == issue else i): row for i, row in b.cubes.items()}
        b.deck = b.deck[1:]


def _issues(b: StateBuilder, name: str, value: tuple[str, ...]) -> None:
    """These issues on the table (or waiting), without cubes; those that were there go below."""
    old = getattr(b, name)
    for issue in old:
        if issue not in value:
            if issue == "rush_to_the_finish":
                b.above = 0
            else:
                b.deck = tuple(sorted((*b.deck, issue)))
            b.cubes = {i: row for i, row in b.cubes.items() if i != issue}
    for issue in value:
        if issue == "rush_to_the_finish":
            b.above = NOBODY
        b.deck = tuple(i for i in b.deck if i != issue)
        b.pile = tuple(i for i in b.pile if i != issue)
        b.cubes = {**b.cubes, issue: b.cubes.get(issue, (0, 0, 0, 0))}
    setattr(b, name, value)


def _pile(b: StateBuilder, name: str, value: tuple[str, ...]) -> None:
    b.deck = tuple(sorted({*b.deck, *b.pile} - set(value)))
    b.pile = value


def _event(b: StateBuilder, name: str, value: str) -> None:
    """This event on the table."""
    b.events = tuple(sorted(({*b.events, b.event}) - {value}))
    b.past = tuple(event for event in b.past if event != value)
    if value in b.lobby:
        spare = next(event for event in b.events if event != b.event)
        b.lobby = tuple(spare if event == value else event for event in b.lobby)
        b.events = tuple(event for event in b.events if event != spare)
    b.event = value


def _lobby(b: StateBuilder, name: str, value: tuple[str, ...]) -> None:
    """These events in the lobby."""
    b.events = tuple(sorted({*b.events, *b.lobby} - set(value)))
    b.lobby = value


_CHANGES: dict[str, Callable[[StateBuilder, str, Any], None]] = {
    "happiness": _by_nation,
    "used": _used,
    "cubes": _cubes,
    "units": _units,
    "held": _held,
    "unrest": _by_region,
    "kegs": _by_region,
    "table": _issues,
    "waiting": _issues,
    "pile": _pile,
    "event": _event,
    "lobby": _lobby,
}


def midway(play: Play, *pending: steps.Pending) -> Play:
    """Put steps on top of the agenda and let the game go on from there."""
    b = StateBuilder(play.state)
    b.push(*pending)
    flow.run_steps(b)
    play.facts.extend(b.facts)
    play.state = b.freeze()
    assert sound(play.state)
    return play


def unsettled(issue: str, region: int) -> steps.Unsettle:
    """The step that puts this issue up for bid."""
    return steps.Unsettle((issue,), 0, region)


def crisis(play: Play, event: str) -> Play:
    """Draw this event in step 5 of a settlement, so that its crisis is performed."""
    b = StateBuilder(play.state)
    others = [card for card in sorted(b.pack.events) if card != event]
    b.event, b.lobby = others[0], (others[1],)
    b.events, b.past = (*others[2:], event), ()
    play.state = b.freeze()
    return midway(play, steps.DrawEvent())(f"chance draw {event}")


def conference(play: Play, event: str, you: str = "", cube: str = "") -> Play:
    """Put this event on the table and resolve it as step 2 of a settlement; step 3 follows."""
    lay(play, event=event)
    b = StateBuilder(play.state)
    if you:
        b.acting = NATIONS.index(you)
    if cube:
        b.event_cube = NATIONS.index(cube)
        b.available[b.event_cube] -= 1
    play.state = b.freeze()
    return midway(play, steps.ResolveConferenceEvent(), steps.AdvanceIssueAndEvent())


def drawing(play: Play) -> Play:
    """At the question where the new issue comes from."""
    return midway(lay(play, waiting=play.state.waiting[:2]), steps.AddIssue())
