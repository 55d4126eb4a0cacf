"""The score pad: what counts, line by line, and what is still open."""

from dataclasses import dataclass, field

from powderkeg.core.words import Msg

__all__ = ["ScoreLine"]


@dataclass(frozen=True, slots=True)
class ScoreLine:
    """One line of the pad: what is counted, and each seat's points with what they are made of.

    A seat without points has nothing to count here yet. `open` lines can still change in a way
    that the board does not show; `total` lines are sums.
    """

    label: Msg
    points: dict[str, float]
    notes: dict[str, Msg] = field(default_factory=dict)
    rule: str = ""
    open: bool = False
    total: bool = False
