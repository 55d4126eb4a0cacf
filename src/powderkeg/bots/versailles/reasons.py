"""Why a bot does what it does, in words: what the action is for, and what it promises."""

from collections.abc import Sequence
from typing import Any

from powderkeg.bots.engine.tally import Tally
from powderkeg.core.words import Msg
from powderkeg.games.versailles import words
from powderkeg.games.versailles.actions import (
    Advance,
    Bid,
    Choose,
    Cube,
    Decline,
    DemobiliseUnit,
    DeployUnit,
    Dive,
    DrawCards,
    End,
    Flag,
    Keep,
    Modify,
    Mutiny,
    Nation,
    Pass,
    Perform,
    Place,
    Reclaim,
    Settle,
    TakeOption,
    TakeStrategy,
)
from powderkeg.games.versailles.board import GAME_END, NATIONS, REGIONS
from powderkeg.games.versailles.kinds import deciding_nation
from powderkeg.games.versailles.state import State, issue_leader


def purpose(p: State, action: Any) -> Msg:
    """What an action is for."""
    match action:
        case Place(issue, n):
            return _why("place", issue=words.issue_name(issue), n=n)
        case Settle(issue):
            return _settle(p, issue)
        case Reclaim(n):
            return _why("reclaim", n=n)
        case DeployUnit(_, where, column):
            return _why("deploy", region=words.REGION[REGIONS.index(where)], column=column)
        case TakeOption(option):
            return _why("option", option=words.option_name(option))
        case Flag(nation):
            return _why("flag", nation=_nation(nation))
        case Advance(what):
            return _why(
                "advance",
                card=words.event_name(what) if what in p.lobby else words.issue_name(what),
            )
        case Dive(issue) | Keep(issue):
            return _why("fetch", issue=words.issue_name(issue))
        case Modify(n):
            return _why("calm" if n < 0 else "fan" if n else "leave")
        case Bid(units, local, cubes):
            return _why("bid", units=units + local, cubes=cubes)
        case TakeStrategy(strategy):
            return _why("strategy", strategy=words.strategy_name(strategy))
        case Nation(nation):
            return _why("nation", nation=_nation(nation))
        case Cube(put):
            return _why("cube" if put else "no_cube")
    return _why(_PLAIN.get(type(action), "other"))


_PLAIN: dict[type, str] = {
    DemobiliseUnit: "demobilise",
    Mutiny: "mutiny",
    End: "end",
    Pass: "pass",
    Perform: "perform",
    Decline: "decline",
    DrawCards: "draw",
    Choose: "choose",
}


def _why(code: str, **args: Any) -> Msg:
    return Msg(f"bots_versailles.why.{code}", **args)


def _settle(p: State, issue: str) -> Msg:
    if issue == GAME_END:
        return _why("finish")
    first = issue_leader(p, issue)
    if first == deciding_nation(p):
        return _why("win", issue=words.issue_name(issue), n=p.pack.issues[issue].stars)
    return _why("grant", issue=words.issue_name(issue), nation=words.NATION[first])


def _nation(name: str) -> Msg:
    return words.NATION[NATIONS.index(name)]


def glance_reason(p: State, action: Any) -> Msg:
    """The reason of one who did not look further."""
    return Msg("bots_versailles.glance", why=purpose(p, action))


def reason(p: State, ranked: Sequence[Tally], seat: str) -> Msg:
    """The reason of one who compared: what the first promises, and the next best."""
    best = ranked[0]
    visits = max(1, best.visits)
    percent = round(100 * best.shares.get(seat, 0.0) / visits)
    rest = [t for t in ranked[1:] if t.visits]
    why = purpose(p, best.action)
    if not rest:
        return Msg("bots_versailles.alone", why=why, percent=percent)
    other = purpose(p, rest[0].action)
    close = best.mean - rest[0].mean < 0.01
    code = "bots_versailles.close" if close else "bots_versailles.better"
    return Msg(code, why=why, percent=percent, other=other)
