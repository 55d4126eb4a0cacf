"""Sparks: a tiny game for two that has all that is hard (secret choices, hidden hands, dice, an
interrupt), so that core and its proof kit can be proven before any real game exists.

Each player holds three of nine cards. A round: both secretly choose a card; the higher wins and
rolls a die for points; a six is a spark, and the loser may duck (nothing) or stand (both score).
The loser may then draw a hidden card. After three rounds the higher score wins.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from powderkeg.core import agenda
from powderkeg.core.ask import One, Option, Question
from powderkeg.core.chance import CHANCE, Dice, Drawn, Rng, Roll, shuffle
from powderkeg.core.errors import Illegal, Unreadable
from powderkeg.core.game import (
    Fact,
    Legal,
    Listed,
    Marks,
    Result,
    Seat,
    Section,
    Step,
    View,
    equal_shares,
    no_standing,
    no_upgrade,
    wire_reader,
)
from powderkeg.core.reports.scenes import Scene
from powderkeg.core.reports.score_pad import ScoreLine
from powderkeg.core.words import Msg

name = "sparks"
version = 1
upgrade_options = no_upgrade
players = range(2, 3)
stages: tuple[str, ...] = ()
standing = no_standing
agreed_scores = equal_shares
CARDS = tuple(f"c{n}" for n in range(1, 10))


@dataclass(frozen=True, slots=True)
class Options:
    rounds: Literal[1, 2, 3] = 3
    sparks: bool = True


# What can be pending


@dataclass(frozen=True, slots=True)
class Deal:
    pass


@dataclass(frozen=True, slots=True)
class Choose:
    pass


@dataclass(frozen=True, slots=True)
class RollFor:
    winner: Seat


@dataclass(frozen=True, slots=True)
class Spark:
    loser: Seat


@dataclass(frozen=True, slots=True)
class MayDraw:
    loser: Seat


Pending = Deal | Choose | RollFor | Spark | MayDraw


@dataclass(frozen=True, slots=True)
class State:
    seats: tuple[Seat, ...]
    options: Options
    agenda: tuple[Pending, ...]
    hands: dict[Seat, tuple[str, ...]]
    pile: tuple[str, ...] = ()
    chosen: dict[Seat, str] | None = None
    score: dict[Seat, int] | None = None
    rounds: int = 0
    shown: tuple[str, ...] = ()


# What can be done


@dataclass(frozen=True, slots=True)
class Card:
    card: str

    def __str__(self) -> str:
        return f"card {self.card}"


@dataclass(frozen=True, slots=True)
class Say:
    word: Literal["duck", "stand", "draw", "pass"]

    def __str__(self) -> str:
        return self.word


Action = Card | Say


def parse(text: str) -> Action:
    match text.split():
        case ["card", card] if card in CARDS:
            return Card(card)
        case [("duck" | "stand" | "draw" | "pass") as word]:
            return Say(word)
    raise Unreadable("sparks.unreadable", text=text)


read = wire_reader(parse)


# The contract


def seats(players: int, options: Options) -> tuple[Seat, ...]:
    if players != 2:
        raise Illegal("sparks.two_players", n=players)
    return ("red", "blue")


def start(seats: tuple[Seat, ...], options: Options) -> State:
    zero = dict.fromkeys(seats, 0)
    return State(seats, options, (Deal(),), dict.fromkeys(seats, ()), (), {}, zero)


def to_act(state: State) -> frozenset[Seat]:
    match state.agenda[-1:]:
        case (Deal() | RollFor(),):
            return frozenset({CHANCE})
        case (Choose(),):
            return frozenset(state.seats) - _chosen(state).keys()
        case (Spark(loser) | MayDraw(loser),):
            return frozenset({loser})
    return frozenset()


def legal(state: State, seat: Seat) -> Legal:
    match state.agenda[-1:]:
        case (Deal(),) if seat == CHANCE:
            return shuffle(CARDS)
        case (RollFor(),) if seat == CHANCE:
            return Dice(1)
        case (Choose(),) if seat in state.hands:  # may be changed until both have chosen
            return Listed(map(Card, state.hands[seat]))
        case (Spark(loser),) if seat == loser:
            return Listed((Say("duck"), Say("stand")))
        case (MayDraw(loser),) if seat == loser:
            return Listed((Say("draw"), Say("pass")))
    return Listed()


def ask(state: State, seat: Seat) -> Question | None:
    if seat not in to_act(state):
        return None
    options = tuple(
        Option(str(action), Msg("sparks.card", card=action.card), action.card)
        if isinstance(action, Card)
        else Option(str(action), Msg(f"sparks.{action.word}"))
        for action in legal(state, seat)
    )
    return Question(Msg("sparks.ask"), One(options))


def apply(state: State, seat: Seat, action: Action | Drawn | Roll) -> Step:
    if action not in legal(state, seat):
        raise Illegal("sparks.not_now", rule="S-01", seat=seat, what=str(action))
    match action:
        case Drawn(cards):
            return _deal(state, cards)
        case Roll((die,)):
            return _score(state, die)
        case Card(card):
            return _choose(state, seat, card)
        case Say(word):
            return _answer(state, seat, word)
    raise AssertionError


def view(state: State, seat: Seat | None) -> View:
    return {
        "seat": seat,
        "rounds": state.options.rounds,
        "sparks": state.options.sparks,
        "seats": list(state.seats),
        "agenda": [
            [type(p).__name__, *([p.loser] if isinstance(p, Spark | MayDraw) else [])]
            for p in state.agenda
        ],
        "hand": sorted(state.hands.get(seat, ())) if seat else [],
        "hands": {s: len(h) for s, h in state.hands.items()},
        "chosen": {s: c if s == seat else "?" for s, c in _chosen(state).items()},
        "score": dict(_scores(state)),
        "pile": len(state.pile),
        "round": state.rounds,
        "shown": list(state.shown),
    }


def marks(state: State) -> Marks:
    return Marks()


def phase_name(phase: str) -> Msg:
    return Msg(f"sparks.phase.{phase}")


def captions(view: View) -> dict[str, Msg]:
    return {}


def scenes(view: View, facts: Sequence[Fact]) -> tuple[Scene, ...]:
    return ()


def score(view: View) -> tuple[ScoreLine, ...]:
    return ()


def describe(view: View) -> tuple[Section, ...]:
    scores = tuple(Msg("sparks.score", seat=s, n=n) for s, n in view["score"].items())
    return (
        Section(Msg("sparks.scores"), scores),
        Section(Msg("sparks.hand"), tuple(Msg("sparks.card", card=c) for c in view["hand"])),
    )


def result(state: State) -> Result | None:
    if to_act(state):
        return None
    score = _scores(state)
    levels = sorted(set(score.values()), reverse=True)
    ranking = tuple(tuple(s for s in state.seats if score[s] == level) for level in levels)
    return Result(ranking, {s: float(n) for s, n in score.items()}, Msg("sparks.over"))


def default(state: State, seat: Seat) -> Action:
    match state.agenda[-1]:
        case Spark():
            return Say("duck")
        case MayDraw():
            return Say("pass")
    return Card(min(state.hands[seat]))


def deal(view: View, rng: Rng) -> State:
    seats = tuple(view["seats"])
    known = [*view["hand"], *view["shown"]]
    hidden = list(shuffle(c for c in CARDS if c not in known).sample(rng).items)
    hands = {
        s: tuple(view["hand"]) if s == view["seat"] else tuple(hidden.pop() for _ in range(n))
        for s, n in view["hands"].items()
    }
    kinds = {"Deal": Deal, "Choose": Choose, "Spark": Spark, "MayDraw": MayDraw}
    return State(
        seats,
        Options(view["rounds"], view["sparks"]),
        tuple(kinds[kind](*who) for kind, *who in view["agenda"]),
        hands,
        tuple(hidden),
        {s: c if c != "?" else min(hands[s]) for s, c in view["chosen"].items()},
        dict(view["score"]),
        view["round"],
        tuple(view["shown"]),
    )


def broken(state: State) -> list[str]:
    cards = [*state.pile, *state.shown, *(c for hand in state.hands.values() for c in hand)]
    dealt = state.agenda[-1:] != (Deal(),)
    return [] if sorted(cards) == list(CARDS) or not dealt else ["nine cards"]


# The flow


def _chosen(state: State) -> dict[Seat, str]:
    return state.chosen or {}


def _scores(state: State) -> dict[Seat, int]:
    return state.score or {}


def _done(state: State, *then: Pending) -> tuple[Pending, ...]:
    return agenda.push(state.agenda[:-1], *then)


def _deal(state: State, cards: tuple[str, ...]) -> Step:
    hands = {s: tuple(sorted(cards[i * 3 : i * 3 + 3])) for i, s in enumerate(state.seats)}
    facts = [
        Fact(Msg("sparks.dealt", cards=hand), "S-02", frozenset({s})) for s, hand in hands.items()
    ]
    after = replace(state, hands=hands, pile=cards[6:], agenda=_done(state, Choose()))
    return Step(after, tuple(facts))


def _choose(state: State, seat: Seat, card: str) -> Step:
    chosen = {**_chosen(state), seat: card}
    mine = Fact(Msg("sparks.you_chose", card=card), "S-03", frozenset({seat}))
    public = Fact(Msg("sparks.chose", seat=seat), "S-03", but=frozenset({seat}))
    after = replace(state, chosen=chosen)
    if len(chosen) < 2:
        return Step(after, (mine, public))
    return _reveal(after, (mine, public))


def _reveal(state: State, facts: tuple[Fact, ...]) -> Step:
    chosen = _chosen(state)
    winner = max(state.seats, key=lambda s: int(chosen[s][1:]))
    hands = {s: tuple(c for c in hand if c != chosen[s]) for s, hand in state.hands.items()}
    shown = tuple(sorted((*state.shown, *chosen.values())))
    after = replace(
        state, chosen={}, hands=hands, shown=shown, agenda=_done(state, RollFor(winner))
    )
    cards = [Msg("sparks.shows", seat=s, card=chosen[s]) for s in state.seats]
    return Step(after, (*facts, Fact(Msg("sparks.revealed", shows=cards), "S-04")), barrier=True)


def _score(state: State, die: int) -> Step:
    pending = state.agenda[-1]
    assert isinstance(pending, RollFor)
    winner = pending.winner
    loser = next(s for s in state.seats if s != winner)
    score = {**_scores(state), winner: _scores(state)[winner] + die}
    interrupt = (Spark(loser),) if die == 6 and state.options.sparks else ()
    after = replace(
        state,
        score=score,
        rounds=state.rounds + 1,
        agenda=_done(state, *interrupt, MayDraw(loser)),
    )
    return Step(after, (Fact(Msg("sparks.rolled", seat=winner, n=die), "S-05"),))


def _answer(state: State, seat: Seat, word: str) -> Step:
    public = Fact(Msg(f"sparks.{word}s", seat=seat), "S-06")
    if word in ("duck", "stand"):
        gain = 2 if word == "stand" else 0
        score = {s: n + gain for s, n in _scores(state).items()}
        return Step(replace(state, score=score, agenda=_done(state)), (public,))
    then = () if state.rounds == state.options.rounds else (Choose(),)
    after = replace(state, agenda=_done(state, *then))
    if word == "pass" or not state.pile:
        return Step(after, (public,))
    card, *rest = state.pile
    hands = {**state.hands, seat: tuple(sorted((*state.hands[seat], card)))}
    mine = Fact(Msg("sparks.you_drew", card=card), "S-07", frozenset({seat}))
    return Step(replace(after, hands=hands, pile=tuple(rest)), (public, mine), barrier=True)
