"""All that a seat may know, as JSON: everything, for nothing is hidden but what was not drawn yet."""

from functools import cache
from typing import Any

from powderkeg.core import plain
from powderkeg.core.chance import Rng
from powderkeg.core.game import Marks
from powderkeg.games.versailles.actions import Bid
from powderkeg.games.versailles.board import CATEGORIES, NATIONS, NOBODY, REGIONS
from powderkeg.games.versailles.cards.pack import Pack
from powderkeg.games.versailles.events import operations
from powderkeg.games.versailles.flow import to_act
from powderkeg.games.versailles.kinds import decider
from powderkeg.games.versailles.rules.military import demobilise_values
from powderkeg.games.versailles.rules.score import score, worth
from powderkeg.games.versailles.rules.settle import deck_size
from powderkeg.games.versailles.rules.solo import strength
from powderkeg.games.versailles.rules.tracks import cap, limit
from powderkeg.games.versailles.state import (
    State,
    deployed,
    is_solo,
    leader,
    nation_of,
    sides,
    units,
)
from powderkeg.games.versailles.steps import (
    Announce,
    Bidding,
    BotPlaces,
    BotReclaims,
    BotSettles,
    ChooseAffected,
    ChooseKept,
    ChooseMutineer,
    ChooseStrategy,
    ChooseUnsettled,
    PlaceSecond,
    RollOff,
    SoloBid,
    SoloWinner,
    Turn,
    UsaTurn,
)


def view(state: State, seat: str | None) -> dict[str, Any]:
    """What everybody at the table sees; `seat` only says whose view it is."""
    p = state
    pack = p.pack
    return {
        "seat": seat,
        "nation": _name(nation_of(p, seat)) if seat else None,
        "players": {s: _name(nation_of(p, s)) for s in p.seats},
        "to_act": sorted(to_act(p)),
        "deciding": _name(decider(p)),
        "phase": phase(p),
        "stage": stage(p),
        "turn": p.turn,
        "active": _name(p.active),
        "political_done": p.political,
        "military_done": p.military,
        "nations": {NATIONS[n]: _nation(p, n) for n in range(5)},
        "regions": {REGIONS[r]: _region(p, r) for r in range(5)},
        "table": [_open_issue(p, issue) for issue in p.table],
        "waiting": [_open_issue(p, issue) for issue in p.waiting],
        "pile": list(p.pile),
        "deck": deck_size(p),
        "game_end_drawn": p.above == NOBODY,
        "event": p.event,
        "event_cube": _name(p.event_cube),
        "lobby": list(p.lobby),
        "past_events": list(p.past),
        "event_deck": len(p.events),
        "unsettled": p.limbo,
        "demobilise": [
            {"space": space, "nation": _name(owner)}
            for space, owner in zip(demobilise_values(p), p.spaces, strict=True)
        ],
        "strategies": {card: _owner(p, card) for card in p.dealt},
        "deals": [_deal(deal) for deal in p.deals],
        "promises": [
            {"turn": x.turn, "by": _name(x.by), "to": [_name(n) for n in x.to], "term": x.term}
            for x in p.promises
        ],
        "solo": _solo(p) if is_solo(p) else None,
        "alarm": _alarm(p),
        "bidding": _bidding(p),
        "drawn": list(_drawn(p)),
        "prospects": _prospects(p),
        "board": _board(pack),
        "over": p.over,
        "cards": cards(pack, _on_show(p)),
        "state": plain.dump(p, State),
    }


def deal(view: dict[str, Any], rng: Rng) -> State:
    """The state behind a view. Cards are drawn when they are needed, so nothing is guessed."""
    return plain.load(State, view["state"])


def _name(nation: int) -> str | None:
    return None if nation == NOBODY else NATIONS[nation]


def _nation(p: State, nation: int) -> dict[str, Any]:
    happiness = p.happiness[nation]
    known: dict[str, Any] = {
        "happiness": None if happiness == NOBODY else happiness,
        "locked": happiness == 0,
        "available": p.available[nation],
        "exhausted": p.exhausted[nation],
        "units_available": p.ready[nation],
        "units_exhausted": p.spent[nation],
        "units_deployed": [REGIONS[region] for region in deployed(p, nation)],
        "units_mutinied": p.retired[nation],
        "units_allowed": None if happiness == NOBODY else limit(p, happiness),
        "issues": [_held_issue(p, issue) for issue, held in p.held.items() if held.owner == nation],
        "strategy": p.strategy[nation] or None,
    }
    if nation in p.order and not is_solo(p):
        lines = score(p, nation)
        known["score"] = {
            **lines._asdict(),
            "conditions": list(lines.conditions),
            "total": lines.total,
        }
    return known


def _held_issue(p: State, issue: str) -> dict[str, Any]:
    held = p.held[issue]
    options = p.pack.issues[issue].options
    option = None if held.option == NOBODY else options[held.option].id
    return {"issue": issue, "option": option, "counters": list(held.counters)}


def _region(p: State, region: int) -> dict[str, Any]:
    column = p.unrest[region]
    row = p.posts[region * 4 : region * 4 + 4]
    return {
        "unrest": column,
        "keg": p.kegs[region],
        "cap": cap(p, region),
        "uprising": p.pack.board.uprising[column] or None,
        "units": {str(i + 5): NATIONS[n] for i, n in enumerate(row) if n != NOBODY},
    }


def _open_issue(p: State, issue: str) -> dict[str, Any]:
    nations = sides(p) if p.active != NOBODY else ()
    return {
        "issue": issue,
        "cubes": {NATIONS[n]: p.cubes[issue][n] for n in sorted(nations)},
        "leader": _name(leader(p, issue)),
    }


def _owner(p: State, card: str) -> str | None:
    return NATIONS[p.strategy.index(card)] if card in p.strategy else None


def _deal(deal: Any) -> dict[str, Any]:
    return {
        "number": deal.number,
        "by": _name(deal.by),
        "parties": [_name(n) for n in deal.parties],
        "terms": list(deal.terms),
        "agreed": [_name(n) for n in deal.agreed],
        "made": deal.made,
    }


def _solo(p: State) -> dict[str, Any]:
    return {
        "faction": _name(p.human),
        "order": [_name(n) for n in p.order],
        "points": p.points,
        "target": p.options.solo_target,
        "strength": {NATIONS[n]: strength(p, n) for n in p.order},
        "units": {NATIONS[n]: units(p, n) for n in p.order},
    }


def _alarm(p: State) -> str | None:
    """The region for which the die is going to be rolled, or that has risen."""
    step = p.agenda[-1] if p.agenda else None
    if isinstance(step, Announce | ChooseAffected | ChooseUnsettled) and step.region != NOBODY:
        return REGIONS[step.region]
    return None


def _bidding(p: State) -> dict[str, Any] | None:
    """The auction of an unsettled issue: who leads with what, and who may still bid."""
    for step in reversed(p.agenda):
        if isinstance(step, Bidding):
            best = {} if step.leader == NOBODY else {NATIONS[step.leader]: _bid(step.best)}
            waiting = [_name(n) for n in step.waiting]
            return {"issue": step.issue, "waiting": waiting, "bids": best}
        if isinstance(step, SoloBid | SoloWinner):
            waiting = [_name(p.human)] if isinstance(step, SoloBid) else []
            bids = {NATIONS[n]: _bid(bid) for n, bid in step.bids}
            return {"issue": step.issue, "waiting": waiting, "bids": bids}
    return None


def _bid(bid: Bid) -> dict[str, int]:
    return {
        "units": bid.units,
        "local": bid.local,
        "strength": bid.strength,
        "cubes": bid.cubes,
    }


def _drawn(p: State) -> tuple[str, ...]:
    """Issues taken from the deck of which one is kept."""
    step = p.agenda[-1] if p.agenda else None
    return step.drawn if isinstance(step, ChooseKept) else ()


def _prospects(p: State) -> dict[str, dict[str, list[int]]]:
    """What the conditions of each strategy on offer are worth to each player now."""
    if is_solo(p):
        return {}
    conditions = {card: p.pack.strategies[card].conditions for card in p.dealt}
    return {
        card: {NATIONS[n]: [worth(p, n, condition) for condition in listed] for n in p.order}
        for card, listed in conditions.items()
    }


@cache
def _board(pack: Pack) -> dict[str, Any]:
    """What is printed on the board."""
    board = pack.board
    return {
        "uprising": list(board.uprising),
        "posts": {
            str(column): {"cubes": board.cubes_back[column], "unhappy": board.unhappy[column]}
            for column in board.cubes_back
        },
        "units_allowed": list(board.units_allowed),
        "signs_at": board.signs_at,
        "dive_costs": list(board.dive_costs),
        "last_space": board.last_space,
    }


# Cards


def _on_show(p: State) -> tuple[str, ...]:
    """Every card that lies face up."""
    events = (*([p.event] if p.event else []), *p.lobby)
    return (
        *p.table,
        *p.waiting,
        *p.pile,
        *p.held,
        *_drawn(p),
        *([p.limbo] if p.limbo else []),
        *events,
        *p.dealt,
    )


def cards(pack: Pack, ids: tuple[str, ...]) -> dict[str, Any]:
    return {id_: card(pack, id_) for id_ in ids}


@cache
def card(pack: Pack, id_: str) -> dict[str, Any]:
    """What a card says, with how sure each value is."""
    if id_ in pack.issues:
        return _issue_card(pack, id_)
    if id_ in pack.events:
        event = pack.events[id_]
        return {
            "kind": "event",
            "number": event.number,
            "title": event.title,
            "cube": event.cube,
            "optional": event.optional,
            "crisis": operations.write(event.crisis),
            "conference": operations.write(event.conference),
            "certainty": dict(event.sure),
        }
    strategy = pack.strategies[id_]
    conditions = [
        {"counts": c.counts, "points": c.points, "certainty": dict(c.sure)}
        for c in strategy.conditions
    ]
    return {"kind": "strategy", "number": strategy.number, "conditions": conditions}


def _issue_card(pack: Pack, id_: str) -> dict[str, Any]:
    issue = pack.issues[id_]
    return {
        "kind": "issue",
        "number": issue.number,
        "region": CATEGORIES[issue.region],
        "stars": issue.stars,
        "no_military": issue.no_military,
        "certainty": dict(issue.sure),
        "options": [
            {
                "option": option.id,
                "unrest": {REGIONS[r]: n for r, n in option.unrest},
                "happiness": {NATIONS[n]: change for n, change in option.happiness},
                "counters": list(option.counters),
                "certainty": dict(option.sure),
            }
            for option in issue.options
        ],
    }


# Where the game is

_STAGES: dict[type, str] = {
    Turn: "turn",
    UsaTurn: "turn",
    PlaceSecond: "turn",
    BotSettles: "turn",
    BotPlaces: "turn",
    BotReclaims: "turn",
    Announce: "uprising",
    ChooseAffected: "uprising",
    RollOff: "uprising",
    ChooseUnsettled: "uprising",
    Bidding: "bid",
    SoloBid: "bid",
    SoloWinner: "bid",
    ChooseStrategy: "strategies",
    ChooseMutineer: "mutiny",
}


def marks(state: State) -> Marks:
    """Phase and stage; at this table people may always talk."""
    return Marks(phase(state), stage(state))


def phase(p: State) -> str:
    if p.over:
        return "over"
    return f"turn.{p.turn}.{NATIONS[p.active]}" if p.turn else "setup"


def stage(p: State) -> str:
    """What is going on within the phase; whatever is not named belongs to settling an issue."""
    if p.over or not p.turn:
        return phase(p)
    return _STAGES.get(type(p.agenda[-1]), "settle")
