"""Outcomes of orders: verdicts, reasons, causes and the rules behind them. No sentences.

An `Outcome` has the verdict on one order (`Verdict`), the reason (`Why`), the other orders that
caused it (`by`), and which of the 22 rules in the rulebook's summary decided (`number`; 0 where
none of them does). `CAUSES` gives the number and the rule's id for each reason.
"""

from enum import StrEnum
from typing import Final, NamedTuple

from powderkeg.games.diplomacy.actions import Move, Order
from powderkeg.games.diplomacy.board import Power, Unit


class Verdict(StrEnum):
    """The result of an order (D-ORD-17)."""

    OK = "ok"
    BOUNCED = "bounced"  # a move that was stopped
    NO_CONVOY = "no_convoy"  # a move by sea that nobody carried
    CUT = "cut"  # a support
    DISRUPTED = "disrupted"  # a convoy
    UNMATCHED = "unmatched"  # support or convoy of something that was not ordered
    VOID = "void"  # illegal: the unit holds


class Why(StrEnum):
    """The reason behind a verdict."""

    # Moves that succeed
    MOVED = "moved"
    OVERPOWERED = "overpowered"
    WON = "won"
    FOLLOWED = "followed"
    ROTATED = "rotated"
    SWAPPED = "swapped"
    CARRIED = "carried"
    ROUTE_LEFT = "route_left"
    LOSER_POWERLESS = "loser_powerless"
    # Moves that fail
    STANDOFF = "standoff"
    CONVOYED_STANDOFF = "convoyed_standoff"
    OUTNUMBERED = "outnumbered"
    HELD_OFF = "held_off"
    NOT_VACATED = "not_vacated"
    NO_SWAP = "no_swap"
    BEATEN_BACK = "beaten_back"
    OWN_UNIT = "own_unit"
    OWN_SUPPORT = "own_support"
    CONVOY_MISSING = "convoy_missing"
    CONVOY_BROKEN = "convoy_broken"
    PARADOX = "paradox"
    # Units that stay
    HELD = "held"
    UNORDERED = "unordered"
    BESIEGED = "besieged"
    # Support
    HELPED_MOVE = "helped_move"
    HELPED_HOLD = "helped_hold"
    TARGET_CANNOT_CUT = "target_cannot_cut"
    OWN_CANNOT_CUT = "own_cannot_cut"
    CONVOY_CANNOT_CUT = "convoy_cannot_cut"
    ATTACKED = "attacked"
    ATTACKED_BY_DISLODGED = "attacked_by_dislodged"
    ATTACKED_BY_CONVOY = "attacked_by_convoy"
    SUPPORTER_DISLODGED = "supporter_dislodged"
    MOVE_DIFFERS = "move_differs"
    NOT_HOLDING = "not_holding"
    # Convoy
    CARRIES = "carries"
    FLEET_DISLODGED = "fleet_dislodged"
    ARMY_DIFFERS = "army_differs"
    # Orders that cannot be given
    NO_UNIT = "no_unit"
    FOREIGN_UNIT = "foreign_unit"
    CONFLICT = "conflict"
    NOT_NOW = "not_now"
    OWN_REGION = "own_region"
    NOT_ADJACENT = "not_adjacent"
    FLEET_INLAND = "fleet_inland"
    ARMY_AT_SEA = "army_at_sea"
    COAST_NEEDED = "coast_needed"
    COAST_UNREACHABLE = "coast_unreachable"
    NO_ROUTE = "no_route"
    FLEET_BY_CONVOY = "fleet_by_convoy"
    NEUTRAL = "neutral"
    SUPPORTS_NOBODY = "supports_nobody"
    SUPPORTS_ITSELF = "supports_itself"
    SUPPORT_TOO_FAR = "support_too_far"
    SUPPORTED_CANNOT_GO = "supported_cannot_go"
    CONVOY_BY_ARMY = "convoy_by_army"
    CONVOY_FROM_COAST = "convoy_from_coast"
    CONVOYS_NO_ARMY = "convoys_no_army"
    CONVOY_TO_INLAND = "convoy_to_inland"
    CONVOY_OFF_ROUTE = "convoy_off_route"
    # Retreats
    RETREATED = "retreated"
    RETREATS_CLASH = "retreats_clash"
    DISBANDED = "disbanded"
    NO_RETREAT_ORDER = "no_retreat_order"
    NO_RETREAT = "no_retreat"
    IN_DISORDER = "in_disorder"
    NOT_DISLODGED = "not_dislodged"
    RETREAT_BARRED = "retreat_barred"
    # Adjustments
    BUILT = "built"
    WAIVED = "waived"
    REMOVED = "removed"
    REMOVED_BY_RULE = "removed_by_rule"
    NO_BUILD_DUE = "no_build_due"
    NO_REMOVAL_DUE = "no_removal_due"
    NOT_A_HOME = "not_a_home"
    HOME_LOST = "home_lost"
    HOME_OCCUPIED = "home_occupied"
    FLEET_BUILT_INLAND = "fleet_built_inland"
    BUILD_COAST_NEEDED = "build_coast_needed"
    BUILD_TWICE = "build_twice"
    STATIC = "static"


class Cause(NamedTuple):
    """The rule behind a reason: its number in the rulebook's summary (0: none) and its id."""

    number: int
    rule: str


CAUSES: Final[dict[Why, Cause]] = {
    Why.MOVED: Cause(0, "D-MOVE-03"),
    Why.OVERPOWERED: Cause(1, "D-STAND-04"),
    Why.WON: Cause(1, "D-DISL-01"),
    Why.FOLLOWED: Cause(0, "D-MOVE-04"),
    Why.ROTATED: Cause(7, "D-MOVE-07"),
    Why.SWAPPED: Cause(19, "D-CONV-13"),
    Why.CARRIED: Cause(0, "D-CONV-01"),
    Why.ROUTE_LEFT: Cause(20, "D-CONV-15"),
    Why.LOSER_POWERLESS: Cause(11, "D-STAND-06"),
    Why.STANDOFF: Cause(3, "D-STAND-01"),
    Why.CONVOYED_STANDOFF: Cause(18, "D-CONV-10"),
    Why.OUTNUMBERED: Cause(1, "D-STAND-04"),
    Why.HELD_OFF: Cause(5, "D-STAND-03"),
    Why.NOT_VACATED: Cause(5, "D-MOVE-04"),
    Why.NO_SWAP: Cause(6, "D-MOVE-05"),
    Why.BEATEN_BACK: Cause(11, "D-MOVE-06"),
    Why.OWN_UNIT: Cause(12, "D-SELF-01"),
    Why.OWN_SUPPORT: Cause(12, "D-SELF-03"),
    Why.CONVOY_MISSING: Cause(0, "D-CONV-04"),
    Why.CONVOY_BROKEN: Cause(17, "D-CONV-09"),
    Why.PARADOX: Cause(0, "D-CONV-19"),
    Why.HELD: Cause(0, "D-ORD-01"),
    Why.UNORDERED: Cause(0, "D-ORD-08"),
    Why.BESIEGED: Cause(4, "D-STAND-02"),
    Why.HELPED_MOVE: Cause(9, "D-SUP-07"),
    Why.HELPED_HOLD: Cause(8, "D-SUP-06"),
    Why.TARGET_CANNOT_CUT: Cause(13, "D-CUT-02"),
    Why.OWN_CANNOT_CUT: Cause(16, "D-CUT-05"),
    Why.CONVOY_CANNOT_CUT: Cause(21, "D-CONV-16"),
    Why.ATTACKED: Cause(13, "D-CUT-01"),
    Why.ATTACKED_BY_DISLODGED: Cause(15, "D-CUT-04"),
    Why.ATTACKED_BY_CONVOY: Cause(22, "D-CONV-17"),
    Why.SUPPORTER_DISLODGED: Cause(14, "D-CUT-03"),
    Why.MOVE_DIFFERS: Cause(9, "D-SUP-07"),
    Why.NOT_HOLDING: Cause(8, "D-SUP-06"),
    Why.CARRIES: Cause(0, "D-CONV-01"),
    Why.FLEET_DISLODGED: Cause(17, "D-CONV-09"),
    Why.ARMY_DIFFERS: Cause(0, "D-CONV-04"),
    Why.NO_UNIT: Cause(0, "D-ORD-07"),
    Why.FOREIGN_UNIT: Cause(0, "D-ORD-07"),
    Why.CONFLICT: Cause(0, "D-ORD-15"),
    Why.NOT_NOW: Cause(0, "D-ORD-07"),
    Why.OWN_REGION: Cause(0, "D-MOVE-08"),
    Why.NOT_ADJACENT: Cause(0, "D-MOVE-01"),
    Why.FLEET_INLAND: Cause(0, "D-MAP-01"),
    Why.ARMY_AT_SEA: Cause(0, "D-MAP-01"),
    Why.COAST_NEEDED: Cause(0, "D-ORD-11"),
    Why.COAST_UNREACHABLE: Cause(0, "D-ORD-13"),
    Why.NO_ROUTE: Cause(0, "D-SUP-09"),
    Why.FLEET_BY_CONVOY: Cause(0, "D-CONV-02"),
    Why.NEUTRAL: Cause(0, "D-ALT-07"),
    Why.SUPPORTS_NOBODY: Cause(0, "D-ORD-07"),
    Why.SUPPORTS_ITSELF: Cause(0, "D-SUP-10"),
    Why.SUPPORT_TOO_FAR: Cause(0, "D-SUP-03"),
    Why.SUPPORTED_CANNOT_GO: Cause(0, "D-SUP-11"),
    Why.CONVOY_BY_ARMY: Cause(0, "D-ORD-01"),
    Why.CONVOY_FROM_COAST: Cause(0, "D-CONV-05"),
    Why.CONVOYS_NO_ARMY: Cause(0, "D-CONV-02"),
    Why.CONVOY_TO_INLAND: Cause(0, "D-CONV-01"),
    Why.CONVOY_OFF_ROUTE: Cause(0, "D-CONV-07"),
    Why.RETREATED: Cause(0, "D-RET-02"),
    Why.RETREATS_CLASH: Cause(0, "D-RET-07"),
    Why.DISBANDED: Cause(0, "D-RET-10"),
    Why.NO_RETREAT_ORDER: Cause(0, "D-RET-09"),
    Why.NO_RETREAT: Cause(0, "D-RET-06"),
    Why.IN_DISORDER: Cause(0, "D-CD-04"),
    Why.NOT_DISLODGED: Cause(0, "D-RET-01"),
    Why.RETREAT_BARRED: Cause(0, "D-RET-11"),
    Why.BUILT: Cause(0, "D-ADJ-04"),
    Why.WAIVED: Cause(0, "D-ADJ-10"),
    Why.REMOVED: Cause(0, "D-ADJ-03"),
    Why.REMOVED_BY_RULE: Cause(0, "D-CD-05"),
    Why.NO_BUILD_DUE: Cause(0, "D-ADJ-12"),
    Why.NO_REMOVAL_DUE: Cause(0, "D-ADJ-13"),
    Why.NOT_A_HOME: Cause(0, "D-ADJ-04"),
    Why.HOME_LOST: Cause(0, "D-ADJ-04"),
    Why.HOME_OCCUPIED: Cause(0, "D-ADJ-04"),
    Why.FLEET_BUILT_INLAND: Cause(0, "D-ADJ-05"),
    Why.BUILD_COAST_NEEDED: Cause(0, "D-ADJ-07"),
    Why.BUILD_TWICE: Cause(0, "D-ADJ-12"),
    Why.STATIC: Cause(0, "D-ALT-02"),
}


class Outcome(NamedTuple):
    """The verdict on one order, and the reason."""

    power: Power
    order: Order
    verdict: Verdict
    why: Why
    by: tuple[Order, ...] = ()  # the orders that caused it
    dislodged_by: Move | None = None
    strengths: tuple[int, int] | None = None  # of a move that beat others, and of the strongest

    @property
    def number(self) -> int:
        """The rule in the rulebook's summary (1 to 22) that decided; 0 where none did."""
        return CAUSES[self.why].number

    @property
    def rule(self) -> str:
        return CAUSES[self.why].rule


class Dislodged(NamedTuple):
    """A dislodged unit: the move that dislodged it, and where it may retreat."""

    power: Power
    unit: Unit
    by: Move
    retreats: tuple[str, ...]
