"""Which moves succeed and which bounce: one movement phase resolved at once, exactly.

A `MovementBattle` holds the legal orders of a phase as small numbers, one slot per province. The
rules are equations between the fates of moves (Appendix 4 of the specification): strength of
attack, of defence, of prevention, cut support, open convoy. They are solved in two steps.

1. While moves are undecided, every strength is a pair of bounds. A move succeeds if its lower bound
   beats every upper bound that opposes it; it bounces if even its upper bound does not beat one of
   their lower bounds. Repeat until nothing changes. Every decision made here holds in every
   consistent outcome, so neither guesses nor the order in which orders are listed matter.
2. The moves that remain depend on each other in circles. Take a circle that depends on no other
   undecided move and find all its consistent outcomes. If there is exactly one, it applies. A
   rotation of moves has two, and all of its units move (rule 7, D-MOVE-07). A circle that runs
   through a convoy and has none, or several, is a paradox that rules 21 and 22 do not cover: its
   convoys fail (D-CONV-19). Then go back to step 1.
"""

from collections.abc import Iterator
from typing import Final

from powderkeg.games.diplomacy.board import (
    PROVINCE_COUNT,
    PROVINCE_OF,
    has_route,
    set_members,
    useful_seas,
)
from powderkeg.games.diplomacy.rules.legality import (
    HOLD,
    MOVE,
    NO_ONE,
    NumberedOrder,
    NumberedPosition,
)
from powderkeg.games.diplomacy.rules.position import Rulebook

UNDECIDED: Final = -1
NO: Final = 0
YES: Final = 1


class MovementBattle:
    """The orders of a phase, and which moves are known to succeed or to bounce.

    All lists have one entry per province. `kind` is the order of the unit there; `aim` the province
    that it moves to, supports into, or convoys to; `land` the exact location a move leads to;
    `who` the province of the unit that it supports or convoys.
    """

    def __init__(self, field: NumberedPosition, rulebook: Rulebook) -> None:
        self.owner = field.owner
        self.rule_21 = rulebook.paradox == "rules_21_22"
        self.silence = rulebook.silences_convoyed
        self.kind = [HOLD] * PROVINCE_COUNT
        self.aim = [NO_ONE] * PROVINCE_COUNT
        self.who = [NO_ONE] * PROVINCE_COUNT
        self.land = [NO_ONE] * PROVINCE_COUNT
        self.movers: list[int] = []
        self.by_sea = 0  # moves that go by convoy
        self.into: dict[int, list[int]] = {}  # moves into a province
        self.helpers: dict[int, list[int]] = {}  # supports that match the order of a province
        self.route: dict[int, int] = {}  # of a convoyed move: the seas that it may cross
        self.opponent: dict[int, int] = {}  # head-to-head: the move that comes the other way
        self.fate = [UNDECIDED] * PROVINCE_COUNT  # of moves
        self.cuts = [UNDECIDED] * PROVINCE_COUNT  # of supports
        self.winner: dict[int, int] = {}  # of a dislodged unit: the province of its dislodger
        self.paradox = 0  # convoyed moves that fail because of a paradox

    # Setting up

    def enter_order(self, reading: NumberedOrder) -> None:
        """Record a legal order."""
        kind, at, who, to, _ = reading
        self.kind[at], self.who[at], self.aim[at] = kind, who, PROVINCE_OF[to]
        if kind == MOVE:
            self.land[at] = to
            self.movers.append(at)
            self.into.setdefault(PROVINCE_OF[to], []).append(at)

    def add_support(self, at: int) -> None:
        """Enter the support at `at`, which matches the order of its unit."""
        self.helpers.setdefault(self.who[at], []).append(at)

    def embark_army(self, at: int, seas: int) -> None:
        """The move at `at` goes by convoy; fleets in `seas` have orders to carry it."""
        self.by_sea |= 1 << at
        self.route[at] = useful_seas(seas, at, self.aim[at])

    def pair_opponents(self) -> None:
        """Find the pairs that move against each other over land (rule 6)."""
        for at in self.movers:
            to = self.aim[at]
            over_land = not (self.by_sea >> at | self.by_sea >> to) & 1
            if over_land and self.kind[to] == MOVE and self.aim[to] == at:
                self.opponent[at] = to

    # The equations. Each returns YES, NO or UNDECIDED, or a lower and an upper bound.

    def path_state(self, at: int, without: int = 0) -> int:
        """Whether the move at `at` can reach its target without the seas in `without` (rule 20)."""
        if not self.by_sea >> at & 1:
            return YES
        if self.paradox >> at & 1:
            return NO
        safe = doubtful = 0
        for sea in set_members(self.route[at] & ~without):
            lost = self.dislodged_state(sea)
            if lost == NO:
                safe |= 1 << sea
            elif lost == UNDECIDED:
                doubtful |= 1 << sea
        to = self.aim[at]
        if has_route(safe, at, to):
            return YES
        return UNDECIDED if has_route(safe | doubtful, at, to) else NO

    def dislodged_state(self, at: int) -> int:
        """Whether the unit at `at`, which does not move, is dislodged."""
        answer = NO
        for attacker in self.into.get(at, ()):
            fate = self.fate[attacker]
            if fate == YES:
                return YES
            if fate == UNDECIDED:
                answer = UNDECIDED
        return answer

    def cut_state(self, at: int) -> int:
        """Whether the support given at `at` is cut."""
        if self.cuts[at] == UNDECIDED:
            self.cuts[at] = self._find_cut(at)
        return self.cuts[at]

    def _find_cut(self, at: int) -> int:
        answer = NO
        for attacker in self.into.get(at, ()):
            fate = self.fate[attacker]
            if fate == YES:
                return YES  # rule 14
            if self.owner[attacker] == self.owner[at]:
                continue  # rule 16
            if fate == UNDECIDED:
                answer = UNDECIDED
            if attacker == self.aim[at]:
                continue  # rule 13
            arrives = self.path_state(attacker, self.spared_seas(at, attacker))
            if arrives == YES:
                return YES
            if arrives == UNDECIDED:
                answer = UNDECIDED
        return answer

    def spared_seas(self, at: int, attacker: int) -> int:
        """The seas without which an attacker must arrive to cut the support at `at`.

        Rules 21 and 22 in one (D-CONV-18): if this support is for an attack on a convoying fleet,
        the army convoyed by that fleet cannot cut it, unless it has another route.
        """
        if self.rule_21 and self.aim[at] != self.who[at]:
            return self.route.get(attacker, 0) & 1 << self.aim[at]
        return 0

    def count_supports(self, at: int, without: int = NO_ONE) -> tuple[int, int]:
        """Bounds of 1 plus the supports for the unit at `at`; those of the power `without` do not count."""
        helpers = self.helpers.get(at)
        if helpers is None:
            return 1, 1
        least = most = 1
        for helper in helpers:
            if self.owner[helper] != without:
                cut = self.cut_state(helper)
                if cut == NO:
                    least += 1
                    most += 1
                elif cut == UNDECIDED:
                    most += 1
        return least, most

    def contest_strengths(self, at: int) -> tuple[tuple[int, int], tuple[int, int]]:
        """The strength of the attack at `at`, and of the defence of its target."""
        to = self.aim[at]
        if self.owner[to] == NO_ONE:
            return self.count_supports(at), (0, 0)
        own = self.owner[to] == self.owner[at]
        if at in self.opponent:
            return (0, 0) if own else self.count_supports(at, self.owner[to]), self.count_supports(
                to
            )
        if self.kind[to] != MOVE:
            return (0, 0) if own else self.count_supports(at, self.owner[to]), self.count_supports(
                to
            )
        leaves = self.fate[to]
        if leaves == YES:
            return self.count_supports(at), (0, 0)
        stays = (0, 0) if own else self.count_supports(at, self.owner[to])  # rule 12
        if leaves == NO:
            return stays, (1, 1)
        return (stays[0], self.count_supports(at)[1]), (0, 1)

    def prevent_strengths(self, at: int) -> tuple[int, int]:
        """The strength with which the move at `at` keeps other moves out of its target."""
        path = self.path_state(at)
        if path == NO:
            return 0, 0
        least, most = self.count_supports(at)
        beaten = self.silenced_state(at)
        if beaten == YES:
            return 0, 0
        return (least if path == YES and beaten == NO else 0), most

    def silenced_state(self, at: int) -> int:
        """Whether the move at `at` has no effect because its own target dislodged it (rule 11)."""
        other = self.opponent.get(at)
        if other is not None:
            return self.fate[other]
        to = self.aim[at]
        if self.silence and self.kind[to] == MOVE and self.aim[to] == at:
            fates = self.fate[to], self.fate[at]
            if fates == (YES, NO):
                return YES
            return NO if fates[0] == NO or fates[1] == YES else UNDECIDED
        return NO

    def decide_move(self, at: int) -> int:
        """Whether the move at `at` succeeds, bounces (NO), or is not decided yet.

        It bounces if its attack is not stronger than the defence of the province, or than another
        move into it (a standoff).
        """
        path = self.path_state(at)
        if path == NO:
            return NO
        (least, most), (hold_least, hold_most) = self.contest_strengths(at)
        if path == UNDECIDED:
            least = 0
        if most <= hold_least:
            return NO
        answer = YES if least > hold_most else UNDECIDED
        for rival in self.into[self.aim[at]]:
            if rival != at:
                rival_least, rival_most = self.prevent_strengths(rival)
                if most <= rival_least:
                    return NO
                if least <= rival_most:
                    answer = UNDECIDED
        return answer

    # Solving

    def resolve_moves(self) -> None:
        """Decide the fate of every move."""
        undecided = self._decide_by_bounds(self.movers)
        while undecided:
            self._break_circle(undecided)
            undecided = self._decide_by_bounds(undecided)
        for at in self.movers:
            to = self.aim[at]
            if self.fate[at] == YES and self.owner[to] != NO_ONE and self.fate[to] != YES:
                self.winner[to] = at

    def _decide_by_bounds(self, undecided: list[int]) -> list[int]:
        """Decide every move that bounds can decide; return the others."""
        while True:
            rest = []
            for at in undecided:
                if self.fate[at] == UNDECIDED and (fate := self.decide_move(at)) != UNDECIDED:
                    self.fate[at] = fate
                elif self.fate[at] == UNDECIDED:
                    rest.append(at)
            if len(rest) == len(undecided):
                return rest
            undecided = rest

    def _break_circle(self, undecided: list[int]) -> None:
        circle = self._find_circle(undecided)
        moves = sorted(node[0] for node in circle if node[1] == _FATE)
        convoys = sorted({node[0] for node in circle if node[1] != _FATE})
        outcomes = self._consistent_outcomes(moves, 2)
        if len(outcomes) == 1 or not convoys:
            for at, fate in zip(moves, outcomes[0], strict=True):
                self.fate[at] = fate
        else:
            for at in convoys:
                self.paradox |= 1 << at

    def _find_circle(self, undecided: list[int]) -> set["_CircleNode"]:
        """A set of nodes that depend on each other and on nothing else that is undecided."""
        needs = self._dependency_graph(undecided)
        reach = {node: set(after) for node, after in needs.items()}
        for middle in needs:
            for node in needs:
                if middle in reach[node]:
                    reach[node] |= reach[middle]
        # The smallest set of needs is closed: each of its nodes needs all the others. It is a circle.
        return min((reach[node] for node in sorted(needs)), key=len)

    def _dependency_graph(self, undecided: list[int]) -> dict["_CircleNode", list["_CircleNode"]]:
        needs: dict[_CircleNode, list[_CircleNode]] = {}
        todo: list[_CircleNode] = [(at, _FATE) for at in undecided]
        while todo:
            node = todo.pop()
            if node not in needs:
                needs[node] = list(self._node_needs(node))
                todo += needs[node]
        return needs

    def _node_needs(self, node: "_CircleNode") -> Iterator["_CircleNode"]:
        """The undecided nodes on which the fate of a move, or the state of its path, depends.

        Whether a rival is silenced (rule 11) depends on the move in the opposite direction, out of the
        province that both want. That move is among the needs below, and depends on the rival.
        """
        at, seas = node
        if seas != _FATE:
            for sea in set_members(self.route[at] & ~seas):
                yield from self._fate_nodes(self.into.get(sea, ()))
            return
        to = self.aim[at]
        yield from self._path_nodes(at)
        yield from self._cut_nodes(at)
        if self.owner[to] != NO_ONE:
            if self.kind[to] == MOVE:
                yield from self._fate_nodes([to])
            if self.kind[to] != MOVE or at in self.opponent:
                yield from self._cut_nodes(to)
        for rival in self.into[to]:
            if rival != at:
                yield from self._path_nodes(rival)
                yield from self._cut_nodes(rival)

    def _fate_nodes(self, moves: "list[int] | tuple[()]") -> Iterator["_CircleNode"]:
        return ((at, _FATE) for at in moves if self.fate[at] == UNDECIDED)

    def _path_nodes(self, at: int, without: int = 0) -> Iterator["_CircleNode"]:
        if self.path_state(at, without) == UNDECIDED:
            yield at, without

    def _cut_nodes(self, at: int) -> Iterator["_CircleNode"]:
        for helper in self.helpers.get(at, ()):
            if self.cut_state(helper) == UNDECIDED:
                for attacker in self.into[helper]:
                    if self.owner[attacker] != self.owner[helper]:
                        yield from self._fate_nodes([attacker])
                        if attacker != self.aim[helper]:
                            yield from self._path_nodes(
                                attacker, self.spared_seas(helper, attacker)
                            )

    def _consistent_outcomes(self, moves: list[int], most: int) -> list[list[int]]:
        """Up to `most` consistent outcomes of `moves`, success tried first."""
        known, self.cuts = self.cuts, self.cuts.copy()
        absurd = any(
            self.decide_move(at) == 1 - self.fate[at] for at in moves if self.fate[at] != UNDECIDED
        )
        self.cuts = known
        if absurd:
            return []
        open_ = [at for at in moves if self.fate[at] == UNDECIDED]
        if not open_:
            return [[self.fate[at] for at in moves]]
        found: list[list[int]] = []
        for fate in (YES, NO):
            self.fate[open_[0]] = fate
            found += self._consistent_outcomes(moves, most - len(found))
            if len(found) == most:
                break
        self.fate[open_[0]] = UNDECIDED
        return found


_CircleNode = tuple[
    int, int
]  # a move and _FATE, or a convoyed move and the seas that it must spare
_FATE: Final = -1
