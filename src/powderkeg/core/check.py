"""Checks whether a game keeps the laws of the contract.

    from powderkeg.core.check import check_game
    check_game(my_game, players=4)

Games are played at random and every law is tried on the way; the first violation raises
`Broken`, which names the law and carries the log, so that you can replay to that exact moment.
"""

import json
import random
from collections.abc import Callable, Iterable, Iterator
from copy import copy
from itertools import islice
from typing import Any, NamedTuple

from powderkeg.core import ask as asks
from powderkeg.core import plain
from powderkeg.core.chance import CHANCE, Seeded
from powderkeg.core.errors import Illegal, RulesError
from powderkeg.core.game import Action, Fact, Game, Options, Seat, State, Step
from powderkeg.core.table import Entry, Table
from powderkeg.core.words import LANGS, Arg, Msg, has_words

__all__ = ["Broken", "CheckReport", "check_game", "perft", "write_transcript"]


class Broken(AssertionError):  # says what it is
    """A law of the contract does not hold."""

    def __init__(self, law: str, detail: str, log: Iterable[Entry] = ()) -> None:
        self.law, self.detail, self.log = law, detail, tuple(log)
        tail = "".join(f"\n  {entry.seat}: {entry.do}" for entry in self.log[-8:])
        super().__init__(
            f"{law}: {detail}" + (f"\nafter {len(self.log)} entries:{tail}" if tail else "")
        )


class CheckReport(NamedTuple):
    """How much a check has played."""

    games: int
    decisions: int
    finished: int


MOST_TRIED = 60  # the most legal actions that are tried one by one at a decision


def check_game(
    game: Game,
    players: int,
    options: Options | None = None,
    *,
    games: int = 10,
    seed: int = 0,
    cap: int = 20_000,
    share: float = 0.2,
    endless: bool = False,
    table: type[Table] = Table,
) -> CheckReport:
    """Play `games` random games and check every law; the slow ones at a `share` of decisions.

    `cap` bounds the actions of one game; reaching it breaks a law unless the rules allow
    `endless` play. Pass `table` to check a changed table class.
    """
    decisions = finished = 0
    for number in range(games):
        rng = random.Random(f"{game.name}/{players}/{seed}/{number}")
        at = table(game, players, options, source=Seeded(rng))
        trial = _GameTrial(game, at, rng, share)
        replaced = rng.choice(at.seats) if number % 2 else None
        finished += trial.play_out(cap, replaced, from_decision=rng.randrange(60))
        decisions += trial.decisions
        if at.to_act and not endless:
            raise Broken("a game ends", f"{cap} actions were not enough", at.log)
    return CheckReport(games, decisions, finished)


class _GameTrial:
    """One random game under watch."""

    def __init__(self, game: Game, table: Table, rng: random.Random, share: float) -> None:
        self.game, self.table, self.rng, self.share = game, table, rng, share
        self.decisions = 0
        self.old: list[tuple[Seat, Action]] = []  # legal once; later, some must be refused
        self.said: set[str] = set()

    def play_out(self, cap: int, replaced: Seat | None, from_decision: int) -> bool:
        """Play to the end; from some decision on, the seat `replaced` only plays its default."""
        self.state_laws()
        while (acting := sorted(self.table.to_act)) and len(self.table.log) < cap:
            seat = self.rng.choice(acting)
            if seat == replaced and self.decisions >= from_decision:
                action = self.game.default(self.table.state, seat)
            else:
                seat, action = self.pick_action(seat)
            self.try_decision(seat, action)
        if not self.table.to_act:
            self.end_laws()
        return not self.table.to_act

    def pick_action(self, seat: Seat) -> tuple[Seat, Action]:
        """Usually an answer to the question; now and then an action that another seat may take unasked."""
        if self.rng.random() < 0.05:
            other = self.rng.choice(self.table.seats)
            if self.table.legal(other).count_all():
                seat = other
        legal = self.table.legal(seat)
        self.require_law("every seat that must act has an action", legal.count_all() > 0, seat)
        return seat, legal.sample(self.rng)

    def try_decision(self, seat: Seat, action: Action) -> None:
        costly = self.rng.random() < self.share
        if costly:
            self.decision_laws()
            self.secrecy_laws(seat, action)
        before = self.table.state
        image = self.state_image(before)
        entries = self.table.act(seat, action)
        self.decisions += 1
        self.require_law("apply never changes its input", self.state_image(before) == image, action)
        self.undo_laws(seat, action, before, entries)
        self.state_laws()
        if costly:
            self.old.append((seat, action))

    # Laws of a state

    def state_laws(self) -> None:
        state, game = self.table.state, self.game
        wrong = game.broken(state)
        self.require_law("invariants hold", not wrong, "; ".join(wrong))
        acting = game.to_act(state)
        over = game.result(state) is not None
        self.require_law("a result exactly when nobody is to act", over == (not acting), acting)
        strangers = acting - set(self.table.seats)
        self.require_law("only seats are to act", not strangers, strangers)
        if phase := game.marks(state).phase:
            self.check_words(game.phase_name(phase))
        for facts in self.table.facts[-1:]:
            self.check_words(*(fact.msg for fact in facts))

    def decision_laws(self) -> None:
        state, game = self.table.state, self.game
        self.json_law(game.State, state)
        for seat in sorted(game.to_act(state)):
            legal = game.legal(state, seat)
            question = game.ask(state, seat)
            self.require_law("every seat that must act is asked", question is not None, seat)
            assert question is not None
            self.check_words(question.prompt, *_node_messages(question.node))
            for action in islice(legal, MOST_TRIED):
                self.require_law("what is listed is legal", action in legal, action)
                self.require_law(
                    "parse is the inverse of str", game.parse(str(action)) == action, action
                )
                fits = asks.accepts_answer(question.node, str(action)) or action not in legal
                self.require_law("the question covers what is legal", fits, action)
            self.check_readable(asks.sample_answer(question.node, self.rng))
            if isinstance(question.node, asks.Orders):
                for row in question.node.rows:
                    order = game.parse(asks.sample_answer(row.node, self.rng))
                    self.require_law("orders that are offered are legal", order in legal, order)
            default = game.default(state, seat)
            self.require_law("the default is legal", default in legal, default)
            self.require_law("a sample is legal", legal.sample(self.rng) in legal, seat)
        self.refusal_law()

    def check_readable(self, text: str) -> None:
        """Every text that the question can produce parses as an action, even if it is then refused."""
        try:
            self.game.parse(text)
        except RulesError as error:
            raise self.broken("what the question writes can be read", f"{text}: {error}") from error

    def refusal_law(self) -> None:
        state, game = self.table.state, self.game
        for seat, action in self.old[-20:]:
            if action in game.legal(state, seat):
                continue
            try:
                game.apply(state, seat, action)
            except Illegal as refusal:
                self.check_words(refusal.msg)
            else:
                raise self.broken("what is not legal is refused", f"{seat}: {action}")

    def json_law(self, kind: type, value: Any) -> None:
        stored = json.loads(json.dumps(plain.dump(value, kind)))
        self.require_law("a state survives JSON", plain.load(kind, stored) == value, kind.__name__)

    # Laws of secrets

    def secrecy_laws(self, seat: Seat, action: Action) -> None:
        for viewer in (*self.table.seats, None):
            self.deal_law(viewer, seat, action)
            if viewer != seat:
                self.silence_law(viewer, seat, action)

    def deal_law(self, viewer: Seat | None, seat: Seat, action: Action) -> None:
        """A world dealt from a view looks the same, now and after the viewer's own action."""
        state, game = self.table.state, self.game
        view = game.view(state, viewer)
        self.require_law("a view is JSON", json.loads(json.dumps(view)) == view, viewer)
        self.require_law("a view says whose it is", view.get("seat") == viewer, viewer)
        for section in game.describe(view):
            self.check_words(section.title, *section.lines)
        self.check_words(*game.captions(view).values())
        for line in game.score(view):
            self.check_words(line.label, *line.notes.values())
        world = game.deal(view, self.rng)
        wrong = game.broken(world)
        self.require_law("a dealt world is sound", not wrong, "; ".join(wrong))
        dealt = game.view(world, viewer)
        self.require_law(
            "deal fits the view", dealt == view, f"{viewer}: {_first_difference(view, dealt)}"
        )
        same = game.to_act(world) == game.to_act(state)
        self.require_law("who acts is no secret", same, viewer)
        self.require_law("marks are no secret", game.marks(world) == game.marks(state), viewer)
        if viewer is None or viewer != seat:
            return
        self.require_law(
            "what I may do is no secret to me", action in game.legal(world, seat), action
        )
        here, there = game.apply(state, seat, action), game.apply(world, seat, action)
        if not (here.barrier or there.barrier):
            self.check_alike("a secret comes out only behind a barrier", viewer, here, there)

    def silence_law(self, viewer: Seat | None, seat: Seat, action: Action) -> None:
        """If two actions of another seat produce the same facts for a viewer, their view is the same."""
        state, game = self.table.state, self.game
        other = game.legal(state, seat).sample(self.rng)
        here, there = game.apply(state, seat, action), game.apply(state, seat, other)
        if _facts_seen(here.facts, viewer) == _facts_seen(there.facts, viewer):
            self.check_alike("a view shows only what a fact has said", viewer, here, there)

    def check_alike(self, law: str, viewer: Seat | None, here: Step, there: Step) -> None:
        facts = _facts_seen(here.facts, viewer), _facts_seen(there.facts, viewer)
        self.require_law(law, facts[0] == facts[1], f"{viewer} learns {facts[0]} or {facts[1]}")
        views = self.game.view(here.state, viewer), self.game.view(there.state, viewer)
        self.require_law(law, views[0] == views[1], f"{viewer} sees {_first_difference(*views)}")

    # Laws of a table

    def undo_laws(
        self, seat: Seat, action: Action, before: State, entries: tuple[Entry, ...]
    ) -> None:
        chance = any(entry.seat == CHANCE for entry in entries)
        able = [s for s in self.table.seats if self.table.can_undo(s)]
        self.require_law("undo never crosses chance", not (chance and able), action)
        for other in able:
            if other != seat:
                self.undo_keeps_others(other, seat)
        if not self.table.can_undo(seat):
            return
        if self.rng.random() < self.share:
            after = self.table.state
            self.table.undo(seat)
            self.require_law("undo restores", self.table.state == before, action)
            self.table.act(seat, action)
            self.require_law(
                "the same action does the same again", self.table.state == after, action
            )

    def undo_keeps_others(self, other: Seat, seat: Seat) -> None:
        """Where several choose at once, `other` may undo after `seat` acted, but only its own action."""
        law, before = "nobody undoes what others did", set(self.table.undone)
        branch = copy(self.table)
        branch.log, branch.facts = list(self.table.log), list(self.table.facts)
        branch.undone = set(before)
        try:
            branch.undo(other)
        except Illegal:
            return  # the action of `seat` builds on it
        taken = [branch.log[place].seat for place in branch.undone - before]
        self.require_law(law, taken == [other], taken)
        self.require_law(law, branch.can_undo(seat) == self.table.can_undo(seat), other)

    def end_laws(self) -> None:
        try:
            again = self.table.fork()
        except RulesError as error:
            raise self.broken("what was played can be replayed", str(error)) from error
        self.require_law("replay gives the same state", again.state == self.table.state, "")
        self.require_law("replay tells the same facts", again.facts == self.table.facts, "")
        result = self.table.result
        assert result is not None
        ranked = sorted(seat for group in result.ranking for seat in group)
        self.require_law("everybody is ranked", ranked == sorted(self.table.seats), ranked)
        self.require_law("everybody is scored", set(result.scores) == set(self.table.seats), "")
        self.check_words(result.why)

    # Tools

    def state_image(self, state: State) -> str:
        return json.dumps(plain.dump(state, self.game.State))

    def check_words(self, *messages: Msg) -> None:
        """Every message has words in every language."""
        for code in {code for message in messages for code in _message_codes(message)} - self.said:
            mute = [lang for lang in LANGS if not has_words(code, lang)]
            self.require_law("everything can be said in every language", not mute, f"{code} {mute}")
            self.said.add(code)

    def require_law(self, law: str, holds: bool, detail: object) -> None:  # noqa: FBT001  # reads like assert
        if not holds:
            raise self.broken(law, str(detail))

    def broken(self, law: str, detail: str) -> Broken:
        return Broken(law, detail, self.table.log)


def _facts_seen(facts: tuple[Fact, ...], viewer: Seat | None) -> list[tuple[Msg, str]]:
    return [(fact.msg, fact.rule) for fact in facts if fact.seen_by(viewer)]


def _message_codes(arg: Arg) -> Iterator[str]:
    if isinstance(arg, Msg):
        yield arg.code
        for value in arg.args.values():
            yield from _message_codes(value)
    elif not isinstance(arg, str | int | float):
        for item in arg:
            yield from _message_codes(item)


def _node_messages(node: asks.Node | None) -> Iterator[Msg]:
    """Every prompt and label of a question."""
    if node is None:
        return
    if node.prompt is not None:
        yield node.prompt
    match node:
        case asks.Orders(rows, options):
            for row in rows:
                yield row.label
                yield from _node_messages(row.node)
            yield from _node_messages(asks.One(options))
        case asks.One(options) | asks.Some(options):
            for option in options:
                yield option.label
                yield from _node_messages(option.then)
        case asks.Assign(shares):
            yield from (share.label for share in shares)
    if not isinstance(node, asks.One | asks.Orders):
        yield from _node_messages(node.then)


def _first_difference(one: Any, two: Any, where: str = "") -> str:
    """The first place where two JSON values differ."""
    if isinstance(one, dict) and isinstance(two, dict):
        for key in sorted(one.keys() | two.keys()):
            if one.get(key) != two.get(key):
                return _first_difference(one.get(key), two.get(key), f"{where}/{key}")
    if isinstance(one, list) and isinstance(two, list) and len(one) == len(two):
        for i, (left, right) in enumerate(zip(one, two, strict=True)):
            if left != right:
                return _first_difference(left, right, f"{where}/{i}")
    return f"{where or '/'}: {one!r:.120} or {two!r:.120}"


def perft(game: Game, state: State, depth: int) -> int:
    """The number of lines of play of `depth` actions. Any mistake in legality changes it.

    Chance takes its first outcome and counts no depth; of several seats the first acts first.
    """
    acting = game.to_act(state)
    if CHANCE in acting:
        outcome = next(iter(game.legal(state, CHANCE)))
        return perft(game, game.apply(state, CHANCE, outcome).state, depth)
    if depth == 0 or not acting:
        return 1
    seat = min(acting)
    return sum(
        perft(game, game.apply(state, seat, action).state, depth - 1)
        for action in game.legal(state, seat)
    )


def write_transcript(
    game: Game,
    players: int,
    options: Options | None = None,
    *,
    seed: int = 0,
    cap: int = 20_000,
    choose: Callable[[Table, Seat, random.Random], Action] | None = None,
) -> str:
    """A seeded game as text: legal actions, actions taken, facts, and the result.

    Kept under tests/playthroughs and compared, so that a change of rules shows in review.
    """
    rng = random.Random(seed)
    table = Table(game, players, options, source=Seeded(rng))
    lines = [f"# {game.name} version {game.version}, {players} players, seed {seed}"]
    written = 0

    def write_new_entries() -> int:
        for entry, facts in list(zip(table.log, table.facts, strict=True))[written:]:
            lines.append(f"{entry.seat}: {entry.do}")
            lines.extend(f"    {fact.msg} [{fact.rule}]" for fact in facts)
        return len(table.log)

    while (acting := sorted(table.to_act)) and len(table.log) < cap:
        written = write_new_entries()
        seat = rng.choice(acting)
        count = table.legal(seat).count_all()
        action = choose(table, seat, rng) if choose else table.legal(seat).sample(rng)
        lines.append(f"  {seat} has {count if count < 10**6 else 'over a million'} legal")
        table.act(seat, action)
    write_new_entries()
    if result := table.result:
        lines.append(f"= {result.ranking} {result.why} [{result.rule}]")
    return "\n".join([*lines, ""])
