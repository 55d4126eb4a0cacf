"""Information-set Monte Carlo tree search with one tree per seat (MO-ISMCTS).

Every iteration deals a world. Each seat walks its own tree: along its own actions, and along the
facts it is shown about everything else. By the contract seats that are shown the same facts have
the same view, so the facts of a step are exactly what distinguishes two information sets: secret
and simultaneous choices need no special treatment, and no seat's tree can branch on what that seat
cannot know.
"""

import math
import random
from collections.abc import Hashable

from powderkeg.bots.engine.budget import Clock
from powderkeg.bots.engine.knowledge import Knowledge
from powderkeg.bots.engine.tally import Tally, derived_rng, forced_choice, tally_reason
from powderkeg.bots.engine.thought import Think, Thought
from powderkeg.core.ask import Question
from powderkeg.core.chance import CHANCE, Rng
from powderkeg.core.game import Action, Fact, Legal, Seat, State, View
from powderkeg.core.words import Arg, Msg

EXPLORATION = 0.5  # shares lie between 0 and 1
WIDENING = 3.0  # a node visited n times weighs about WIDENING * sqrt(n) actions
MOST_LISTED = 200  # if there are more legal actions, they are sampled instead of listed
TREE_DEPTH = 200  # the most actions of a walk inside the trees
LINE_LENGTH = 6  # the most actions shown of how a line may go on


class _TreeEdge(Tally):
    """An action of the tree's seat; `seen`: how often it was legal."""

    __slots__ = ("seen",)

    def __init__(self, action: Action) -> None:
        super().__init__(action)
        self.seen = 0

    def upper_bound(self) -> float:
        """Upper confidence bound, by how often the action was open and not by visits of the node."""
        return self.total / self.visits + EXPLORATION * math.sqrt(math.log(self.seen) / self.visits)


class _TreeNode:
    """One information set of a seat."""

    __slots__ = ("children", "edges", "visits")

    def __init__(self) -> None:
        self.visits = 0
        self.edges: dict[Action, _TreeEdge] = {}
        self.children: dict[Hashable, _TreeNode] = {}

    def child(self, key: Hashable) -> "_TreeNode":
        found = self.children.get(key)
        if found is None:
            found = self.children[key] = _TreeNode()
        return found


def tree_search(know: Knowledge) -> Think:
    """Think by tree search; an iteration is one dealt world."""

    def think(view: View, question: Question, legal: Legal, rng: Rng, clock: Clock) -> Thought:
        if (only := forced_choice(legal)) is not None:
            return only
        search = _TreeSearch(know, view, derived_rng(rng))
        while clock.tick():
            search.run_iteration()
        return search.best_thought()

    return think


class _TreeSearch:
    def __init__(self, know: Knowledge, view: View, rng: random.Random) -> None:
        self.know, self.game, self.view, self.rng = know, know.game, view, rng
        self.seat: Seat = view["seat"]
        first = know.evaluate_state(self.game.deal(view, rng), rng)
        self.roots = {seat: _TreeNode() for seat in first} | {self.seat: _TreeNode()}

    def run_iteration(self) -> None:
        state = self.game.deal(self.view, self.rng)
        at = dict(self.roots)
        path: list[tuple[Seat, _TreeEdge]] = []
        for _ in range(TREE_DEPTH):
            acting = self.game.to_act(state)
            if not acting:
                break
            seat = self.seat if not path and self.seat in acting else min(acting)
            if seat == CHANCE:
                state = self.apply_step(state, CHANCE, self.sample_chance(state), at)
                continue
            edge = self.select_edge(self.seat_node(at, seat), state, seat)
            path.append((seat, edge))
            state = self.apply_step(state, seat, edge.action, at)
            if not edge.visits:
                break
        shares = self.know.evaluate_state(state, self.rng)
        for seat, edge in path:
            edge.add(shares, self.know.seat_worth(shares, seat))

    def seat_node(self, at: dict[Seat, _TreeNode], seat: Seat) -> _TreeNode:
        """The node of `seat`, created on first use."""
        if seat not in at:
            at[seat] = self.roots.setdefault(seat, _TreeNode())
        return at[seat]

    def sample_chance(self, state: State) -> Action:
        return self.game.legal(state, CHANCE).sample(self.rng)

    def apply_step(
        self, state: State, actor: Seat, action: Action, at: dict[Seat, _TreeNode]
    ) -> State:
        """Apply, and move every seat down its tree by its action or by the facts that it sees."""
        done = self.game.apply(state, actor, action)
        for seat, node in at.items():
            facts = _facts_key(done.facts, seat)
            at[seat] = node.child((action, facts) if seat == actor else facts)
        return done.state

    def select_edge(self, node: _TreeNode, state: State, seat: Seat) -> _TreeEdge:
        """The most promising open action, or a new one while the node may widen."""
        node.visits += 1
        legal = self.game.legal(state, seat)
        edges = node.edges
        room = min(self.know.width, 1 + int(WIDENING * math.sqrt(node.visits)))
        listed = self.know.candidates is not None or legal.count_all() <= MOST_LISTED
        options = self.options(state, seat, legal) if listed else ()
        tried = [edges[a] for a in options if a in edges] if listed else _open_edges(edges, legal)
        for edge in tried:
            edge.seen += 1
        if len(tried) < room and (new := self.untried_action(edges, options, legal)) is not None:
            edge = edges[new] = _TreeEdge(new)
            edge.seen = 1
            return edge
        return max(tried, key=_TreeEdge.upper_bound)

    def options(self, state: State, seat: Seat, legal: Legal) -> tuple[Action, ...]:
        if self.know.candidates is not None:
            return tuple(self.know.options(state, seat, legal, self.rng))
        return tuple(legal)

    def untried_action(
        self, edges: dict[Action, _TreeEdge], options: tuple[Action, ...], legal: Legal
    ) -> Action | None:
        """An action not yet tried: the best of the candidates, else any."""
        if not options:
            new = legal.sample(self.rng)
            return None if new in edges and edges else new
        left = [action for action in options if action not in edges]
        if not left:
            return None
        return left[0 if self.know.candidates else self.rng.randrange(len(left))]

    def best_thought(self) -> Thought:
        ranked = sorted(self.roots[self.seat].edges.values(), key=lambda e: (-e.visits, -e.mean))
        lines = tuple(
            e.line(self.likely_line(e.action) if i < 3 else ()) for i, e in enumerate(ranked)
        )
        return Thought(ranked[0].action, tally_reason(ranked), lines)

    def likely_line(self, action: Action) -> tuple[tuple[Seat, Action], ...]:
        """A likely continuation: in one more world, every seat takes its most visited action."""
        state, at = self.game.deal(self.view, self.rng), dict(self.roots)
        state = self.apply_step(state, self.seat, action, at)
        line: list[tuple[Seat, Action]] = []
        while (acting := self.game.to_act(state)) and len(line) < LINE_LENGTH:
            seat = min(acting)
            if seat == CHANCE:
                state = self.apply_step(state, CHANCE, self.sample_chance(state), at)
                continue
            open_now = _open_edges(self.seat_node(at, seat).edges, self.game.legal(state, seat))
            if not open_now:
                break
            edge = max(open_now, key=lambda e: e.visits)
            line.append((seat, edge.action))
            state = self.apply_step(state, seat, edge.action, at)
        return tuple(line)


def _open_edges(edges: dict[Action, _TreeEdge], legal: Legal) -> list[_TreeEdge]:
    return [edge for action, edge in edges.items() if action in legal]


def _facts_key(facts: tuple[Fact, ...], seat: Seat) -> Hashable:
    return tuple([_message_key(fact.msg) for fact in facts if fact.seen_by(seat)])


def _message_key(arg: Arg) -> Hashable:
    """A message as a hashable key."""
    if isinstance(arg, Msg):
        return (arg.code, *[v if type(v) is str else _message_key(v) for v in arg.args.values()])
    if isinstance(arg, str | int | float):
        return arg
    return tuple([_message_key(item) for item in arg])
