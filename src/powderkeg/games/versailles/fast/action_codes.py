"""Answers as one number each: a verb and 16 bits. Offers of deals have none."""

from collections.abc import Callable
from typing import Any, Final

from powderkeg.games.versailles import actions
from powderkeg.games.versailles.actions import Action
from powderkeg.games.versailles.board import NATIONS, NAVAL_FLAGS, POSTS, REGIONS
from powderkeg.games.versailles.cards.pack import CardPack
from powderkeg.games.versailles.fast.layout import (
    A_ADVANCE,
    A_BID,
    A_CHOOSE,
    A_CUBE,
    A_DECLINE,
    A_DEMOBILISE,
    A_DEPLOY,
    A_DIVE,
    A_DRAW,
    A_END,
    A_FLAG,
    A_KEEP,
    A_MODIFY,
    A_MUTINY,
    A_NATION,
    A_OPTION,
    A_PASS,
    A_PERFORM,
    A_PLACE,
    A_RECLAIM,
    A_SETTLE,
    A_STRATEGY,
    ANSWER_BITS,
    ANSWER_SHIFT,
    CHOICES,
    EVENT_IDS,
    ISSUE_IDS,
    STRATEGY_IDS,
    UNIT_WORDS,
)

__all__ = ["answer_action", "answer_code"]


def answer_code(action: Action, pack: CardPack, issue: str = "") -> int:
    """The code of an answer; the option of an issue needs the issue."""
    verb, bits = _verb_bits(action, pack, issue)
    return verb << ANSWER_SHIFT | bits


def _verb_bits(action: Action, pack: CardPack, issue: str) -> tuple[int, int]:  # one per verb
    match action:
        case actions.Place(on, n):
            return A_PLACE, ISSUE_IDS.index(on) << 8 | n
        case actions.Reclaim(n, regions):
            return A_RECLAIM, n << 5 | sum(1 << REGIONS.index(name) for name in regions)
        case actions.DeployUnit(unit, region, column):
            place = REGIONS.index(region) << 2 | POSTS.index(column)
            return A_DEPLOY, UNIT_WORDS.index(unit) << 5 | place
        case actions.TakeOption(option):
            return A_OPTION, ISSUE_IDS.index(issue) << 3 | pack.issues[issue].option(option)
        case actions.Advance(card):
            return A_ADVANCE, _ADVANCED.index(card)
        case actions.Cube(put):
            return A_CUBE, int(put)
        case actions.Modify(n):
            return A_MODIFY, n + 1
        case actions.Bid(units, local, cubes):
            return A_BID, units << 8 | local << 7 | cubes
    verb, names = _BY_NAME[type(action)]
    return verb, names.index(str(action).split()[1]) if names else 0


_ADVANCED: Final = (*ISSUE_IDS, *EVENT_IDS)
_BY_NAME: Final[dict[type, tuple[int, tuple[str, ...]]]] = {  # verb, and what its number means
    actions.Nation: (A_NATION, NATIONS),
    actions.Settle: (A_SETTLE, ISSUE_IDS),
    actions.DemobiliseUnit: (A_DEMOBILISE, UNIT_WORDS),
    actions.End: (A_END, ()),
    actions.Flag: (A_FLAG, NAVAL_FLAGS),
    actions.Perform: (A_PERFORM, ()),
    actions.Decline: (A_DECLINE, ()),
    actions.Choose: (A_CHOOSE, CHOICES),
    actions.DrawCards: (A_DRAW, ()),
    actions.Dive: (A_DIVE, ISSUE_IDS),
    actions.Keep: (A_KEEP, ISSUE_IDS),
    actions.Mutiny: (A_MUTINY, UNIT_WORDS),
    actions.Pass: (A_PASS, ()),
    actions.TakeStrategy: (A_STRATEGY, STRATEGY_IDS),
}
_NAMED_VERBS: Final = {verb: (made, names) for made, (verb, names) in _BY_NAME.items()}


def answer_action(code: int, pack: CardPack) -> Action:
    """The answer that a code means.

    >>> from powderkeg.games.versailles.actions import parse
    >>> from powderkeg.games.versailles.cards.reader import default_pack
    >>> from powderkeg.games.versailles.fast.action_codes import answer_action, answer_code
    >>> str(answer_action(answer_code(parse("bid 2+1 4"), default_pack()), default_pack()))
    'bid 2+1 4'
    """
    verb, bits = code >> ANSWER_SHIFT, code & ANSWER_BITS
    if verb == A_OPTION:
        return actions.TakeOption(pack.issues[ISSUE_IDS[bits >> 3]].options[bits & 7].id)
    if verb in _MADE:
        made: Action = _MADE[verb](bits)
        return made
    kind, names = _NAMED_VERBS[verb]
    named: Action = kind(names[bits]) if names else kind()
    return named


def _region_names(bits: int) -> tuple[str, ...]:
    return tuple(name for n, name in enumerate(REGIONS) if bits >> n & 1)


_MADE: Final[dict[int, Callable[[int], Any]]] = {
    A_PLACE: lambda bits: actions.Place(ISSUE_IDS[bits >> 8], bits & 255),
    A_RECLAIM: lambda bits: actions.Reclaim(bits >> 5, _region_names(bits)),
    A_DEPLOY: lambda bits: actions.DeployUnit(
        UNIT_WORDS[bits >> 5], REGIONS[bits >> 2 & 7], POSTS[bits & 3]
    ),
    A_ADVANCE: lambda bits: actions.Advance(_ADVANCED[bits]),
    A_CUBE: lambda bits: actions.Cube(put=bool(bits)),
    A_MODIFY: lambda bits: actions.Modify(bits - 1),
    A_BID: lambda bits: actions.Bid(bits >> 8, bits >> 7 & 1, bits & 127),
}
