"""Scenes: what happened in one place, step by step, with dice, losses and chances."""

from dataclasses import dataclass

from powderkeg.core.words import Msg

__all__ = ["Beat", "Scene", "Side"]


@dataclass(frozen=True, slots=True)
class Side:
    """One side of a beat: its dice from the highest down, which of them count, and what it lost.

    `who` is the side's id on the board, `chance` its chance to win once the beat is over, and
    `note` a number or two in words, such as a bid.
    """

    who: str
    name: Msg
    dice: tuple[int, ...] = ()
    counts: tuple[bool, ...] = ()
    lost: tuple[Msg, ...] = ()
    chance: float | None = None
    note: Msg | None = None


@dataclass(frozen=True, slots=True)
class Beat:
    """One step of a scene: what happened, by which rule, and what became of each side."""

    text: Msg
    rule: str = ""
    sides: tuple[Side, ...] = ()


@dataclass(frozen=True, slots=True)
class Scene:
    """A battle, an uprising, an auction or a settlement, from its first step to its last.

    `about` is the id of the place or card, and `sides` how everything stood at the beginning.
    """

    kind: str
    about: str
    title: Msg
    beats: tuple[Beat, ...]
    sides: tuple[Side, ...] = ()
    over: bool = False
