"""Information-set Monte Carlo tree search with one tree a seat (MO-ISMCTS).

Every iteration deals a world. Each seat walks its own tree: along its own actions, and along what
it is *told* of everything else. By the contract a seat that is told the same sees the same, so
the facts of a step are exactly what tells two information sets apart: secret and simultaneous
choices need no special treatment, and no seat's tree can branch on what that seat cannot know.
"""

import math
import random
from collections.abc import Hashable

from powderkeg.bots.engine.budget import Clock
from powderkeg.bots.engine.knowledge import Knowledge
from powderkeg.bots.engine.tally import Tally, luck, reason, single
from powderkeg.bots.engine.thought import Think, Thought
from powderkeg.core.ask import Question
from powderkeg.core.chance import CHANCE, Rng
from powderkeg.core.game import Action, Fact, Legal, Seat, State, View
from powderkeg.core.words import Arg, Msg

EXPLORE = 0.5  # shares lie between 0 and 1
WIDEN = 3.0  # a node visited n times weighs about WIDEN * sqrt(n) actions
LISTED = 200  # more legal actions than this are sampled, not listed
DEPTH = 200  # the most actions of a walk inside the trees
AHEAD = 6  # the most actions shown of how a line may go on


class _Edge(Tally):
    """An action of the seat whose tree this is; `seen`: how often it was open to it."""

    __slots__ = ("seen",)

    def __init__(self, action: Action) -> None:
        super().__init__(action)
        self.seen = 0

    def bound(self) -> float:
        """Upper confidence bound, by how often the action was open and not by visits of the node."""
        return self.total / self.visits + EXPLORE * math.sqrt(math.log(self.seen) / self.visits)


class _Node:
    """What one seat knows at one moment."""

    __slots__ = ("children", "edges", "visits")

    def __init__(self) -> None:
        self.visits = 0
        self.edges: dict[Action, _Edge] = {}
        self.children: dict[Hashable, _Node] = {}

    def child(self, key: Hashable) -> "_Node":
        found = self.children.get(key)
        if found is None:
            found = self.children[key] = _Node()
        return found


def ismcts(know: Knowledge) -> Think:
    """Think by searching; an iteration is one dealt world."""

    def think(view: View, question: Question, legal: Legal, rng: Rng, clock: Clock) -> Thought:
        if (only := single(legal)) is not None:
            return only
        search = _Search(know, view, luck(rng))
        while clock.tick():
            search.iterate()
        return search.thought()

    return think


class _Search:
    def __init__(self, know: Knowledge, view: View, rng: random.Random) -> None:
        self.know, self.game, self.view, self.rng = know, know.game, view, rng
        self.seat: Seat = view["seat"]
        first = know.appraise(self.game.deal(view, rng), rng)
        self.roots = {seat: _Node() for seat in first} | {self.seat: _Node()}

    def iterate(self) -> None:
        state = self.game.deal(self.view, self.rng)
        at = dict(self.roots)
        path: list[tuple[Seat, _Edge]] = []
        for _ in range(DEPTH):
            acting = self.game.to_act(state)
            if not acting:
                break
            seat = self.seat if not path and self.seat in acting else min(acting)
            if seat == CHANCE:
                state = self.step(state, CHANCE, self.chance(state), at)
                continue
            edge = self.select(self.node(at, seat), state, seat)
            path.append((seat, edge))
            state = self.step(state, seat, edge.action, at)
            if not edge.visits:
                break
        shares = self.know.appraise(state, self.rng)
        for seat, edge in path:
            edge.add(shares, self.know.worth(shares, seat))

    def node(self, at: dict[Seat, _Node], seat: Seat) -> _Node:
        """Where `seat` stands. The first appraisal need not have named everybody."""
        if seat not in at:
            at[seat] = self.roots.setdefault(seat, _Node())
        return at[seat]

    def chance(self, state: State) -> Action:
        return self.game.legal(state, CHANCE).sample(self.rng)

    def step(self, state: State, actor: Seat, action: Action, at: dict[Seat, _Node]) -> State:
        """Apply, and let every seat walk on along what it did or was told."""
        done = self.game.apply(state, actor, action)
        for seat, node in at.items():
            told = _told(done.facts, seat)
            at[seat] = node.child((action, told) if seat == actor else told)
        return done.state

    def select(self, node: _Node, state: State, seat: Seat) -> _Edge:
        """The most promising open action, or a new one while the node may widen."""
        node.visits += 1
        legal = self.game.legal(state, seat)
        edges = node.edges
        room = min(self.know.width, 1 + int(WIDEN * math.sqrt(node.visits)))
        listed = self.know.candidates is not None or legal.count_all() <= LISTED
        options = self.options(state, seat, legal) if listed else ()
        tried = [edges[a] for a in options if a in edges] if listed else _still(edges, legal)
        for edge in tried:
            edge.seen += 1
        if len(tried) < room and (new := self.fresh(edges, options, legal)) is not None:
            edge = edges[new] = _Edge(new)
            edge.seen = 1
            return edge
        return max(tried, key=_Edge.bound)

    def options(self, state: State, seat: Seat, legal: Legal) -> tuple[Action, ...]:
        if self.know.candidates is not None:
            return tuple(self.know.options(state, seat, legal, self.rng))
        return tuple(legal)

    def fresh(
        self, edges: dict[Action, _Edge], options: tuple[Action, ...], legal: Legal
    ) -> Action | None:
        """An action not yet tried: the best of the candidates, else any."""
        if not options:
            new = legal.sample(self.rng)
            return None if new in edges and edges else new
        left = [action for action in options if action not in edges]
        if not left:
            return None
        return left[0 if self.know.candidates else self.rng.randrange(len(left))]

    def thought(self) -> Thought:
        ranked = sorted(self.roots[self.seat].edges.values(), key=lambda e: (-e.visits, -e.mean))
        lines = tuple(e.line(self.ahead(e.action) if i < 3 else ()) for i, e in enumerate(ranked))
        return Thought(ranked[0].action, reason(ranked), lines)

    def ahead(self, action: Action) -> tuple[tuple[Seat, Action], ...]:
        """How it may go on: in one more world, everybody does what was tried most."""
        state, at = self.game.deal(self.view, self.rng), dict(self.roots)
        state = self.step(state, self.seat, action, at)
        line: list[tuple[Seat, Action]] = []
        while (acting := self.game.to_act(state)) and len(line) < AHEAD:
            seat = min(acting)
            if seat == CHANCE:
                state = self.step(state, CHANCE, self.chance(state), at)
                continue
            open_now = _still(self.node(at, seat).edges, self.game.legal(state, seat))
            if not open_now:
                break
            edge = max(open_now, key=lambda e: e.visits)
            line.append((seat, edge.action))
            state = self.step(state, seat, edge.action, at)
        return tuple(line)


def _still(edges: dict[Action, _Edge], legal: Legal) -> list[_Edge]:
    return [edge for action, edge in edges.items() if action in legal]


def _told(facts: tuple[Fact, ...], seat: Seat) -> Hashable:
    return tuple([_key(fact.msg) for fact in facts if fact.seen_by(seat)])


def _key(arg: Arg) -> Hashable:
    """A message as something that can be looked up."""
    if isinstance(arg, Msg):
        return (arg.code, *[v if type(v) is str else _key(v) for v in arg.args.values()])
    if isinstance(arg, str | int | float):
        return arg
    return tuple([_key(item) for item in arg])
