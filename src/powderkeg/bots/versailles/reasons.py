"""A bot's reasons in words: the purpose of an action, and the expected result."""

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
from powderkeg.games.versailles.cards.certainty import name_cards, own_names
from powderkeg.games.versailles.kinds import deciding_nation
from powderkeg.games.versailles.state import State, issue_leader
from powderkeg.games.versailles.steps import ChooseOption


def action_purpose(p: State, action: Any) -> Msg:
    """The purpose of an action, with the names of the card pack in play."""
    return name_cards(own_names(p.pack), _plain_purpose(p, action))


def _plain_purpose(p: State, action: Any) -> Msg:
    match action:
        case Place(issue, n):
            return _purpose_msg("place", issue=words.issue_name(issue), n=n)
        case Settle(issue):
            return _settle_purpose(p, issue)
        case Reclaim(n):
            return _purpose_msg("reclaim", n=n)
        case DeployUnit(_, where, column):
            return _purpose_msg("deploy", region=words.REGION[REGIONS.index(where)], column=column)
        case TakeOption(option):
            step = p.agenda[-1]
            assert isinstance(step, ChooseOption)  # noqa: S101  # only it is answered so
            return _purpose_msg("option", option=words.option_name(step.issue, option))
        case Flag(nation):
            return _purpose_msg("flag", nation=_nation_name(nation))
        case Advance(what):
            return _purpose_msg(
                "advance",
                card=words.event_name(what) if what in p.lobby else words.issue_name(what),
            )
        case Dive(issue) | Keep(issue):
            return _purpose_msg("fetch", issue=words.issue_name(issue))
        case Modify(n):
            return _purpose_msg("calm" if n < 0 else "fan" if n else "leave")
        case Bid(units, local, cubes):
            return _purpose_msg("bid", units=units + local, cubes=cubes)
        case TakeStrategy(strategy):
            return _purpose_msg("strategy", strategy=words.strategy_name(strategy))
        case Nation(nation):
            return _purpose_msg("nation", nation=_nation_name(nation))
        case Cube(put):
            return _purpose_msg("cube" if put else "no_cube")
    return _purpose_msg(_PLAIN_CODES.get(type(action), "other"))


_PLAIN_CODES: dict[type, str] = {
    DemobiliseUnit: "demobilise",
    Mutiny: "mutiny",
    End: "end",
    Pass: "pass",
    Perform: "perform",
    Decline: "decline",
    DrawCards: "draw",
    Choose: "choose",
}


def _purpose_msg(code: str, **args: Any) -> Msg:
    return Msg(f"versailles_bots.why.{code}", **args)


def _settle_purpose(p: State, issue: str) -> Msg:
    if issue == GAME_END:
        return _purpose_msg("finish")
    first = issue_leader(p, issue)
    if first == deciding_nation(p):
        return _purpose_msg("win", issue=words.issue_name(issue), n=p.pack.issues[issue].stars)
    return _purpose_msg("grant", issue=words.issue_name(issue), nation=words.NATION[first])


def _nation_name(name: str) -> Msg:
    return words.NATION[NATIONS.index(name)]


def glance_reason(p: State, action: Any) -> Msg:
    """The reason of a bot that compared nothing."""
    return Msg("versailles_bots.glance", why=action_purpose(p, action))


def comparison_reason(p: State, ranked: Sequence[Tally], seat: str) -> Msg:
    """The reason of a bot that compared actions: the value of the best and of the next."""
    best = ranked[0]
    visits = max(1, best.visits)
    percent = round(100 * best.shares.get(seat, 0.0) / visits)
    rest = [t for t in ranked[1:] if t.visits]
    why = action_purpose(p, best.action)
    if not rest:
        return Msg("versailles_bots.alone", why=why, percent=percent)
    other = action_purpose(p, rest[0].action)
    close = best.mean - rest[0].mean < 0.01
    code = "versailles_bots.close" if close else "versailles_bots.better"
    return Msg(code, why=why, percent=percent, other=other)
