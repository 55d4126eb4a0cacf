"""The view of a seat as JSON. Nothing is hidden but the cards that are still to be drawn."""

from functools import cache, lru_cache
from typing import Any

from powderkeg.core import plain
from powderkeg.core.chance import Rng
from powderkeg.core.game import Marks, Seat, Standing
from powderkeg.core.identity_cache import once_per_state
from powderkeg.core.words import Msg
from powderkeg.games.versailles.actions import Bid
from powderkeg.games.versailles.board import CATEGORIES, NATIONS, NOBODY, REGIONS
from powderkeg.games.versailles.cards.certainty import option_fallback, space_certainties
from powderkeg.games.versailles.cards.pack import CardPack
from powderkeg.games.versailles.events import operations
from powderkeg.games.versailles.flow import to_act
from powderkeg.games.versailles.kinds import deciding_nation
from powderkeg.games.versailles.rules.military import demobilise_values
from powderkeg.games.versailles.rules.score import condition_points, score_sheet
from powderkeg.games.versailles.rules.settle import deck_size
from powderkeg.games.versailles.rules.solo import current_target, faction_strength
from powderkeg.games.versailles.rules.tracks import units_limit, unrest_cap
from powderkeg.games.versailles.state import (
    State,
    deployed_regions,
    is_solo,
    issue_leader,
    nation_of,
    sides_in_play,
    unit_count,
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
    """Everything on the table; `seat` only says whose view it is."""
    nation = _nation_id(nation_of(state, seat)) if seat else None
    return {"seat": seat, "nation": nation, **_open_view(state)}


@once_per_state
def _open_view(p: State) -> dict[str, Any]:
    """What everybody sees."""
    pack = p.pack
    return {
        "players": {s: _nation_id(nation_of(p, s)) for s in p.seats},
        "to_act": sorted(to_act(p)),
        "deciding": _nation_id(deciding_nation(p)),
        "phase": current_phase(p),
        "stage": current_stage(p),
        "turn": p.turn,
        "active": _nation_id(p.active),
        "political_done": p.political,
        "military_done": p.military,
        "nations": {NATIONS[n]: _nation_view(p, n) for n in range(5)},
        "regions": {REGIONS[r]: _region_view(p, r) for r in range(5)},
        "table": [_open_issue(p, issue) for issue in p.table],
        "waiting": [_open_issue(p, issue) for issue in p.waiting],
        "pile": list(p.pile),
        "deck": deck_size(p),
        "game_end_drawn": p.above == NOBODY,
        "event": p.event,
        "event_cube": _nation_id(p.event_cube),
        "lobby": list(p.lobby),
        "past_events": list(p.past),
        "event_deck": len(p.events),
        "unsettled": p.limbo,
        "demobilise": [
            {"space": space, "nation": _nation_id(owner)}
            for space, owner in zip(demobilise_values(p), p.spaces, strict=True)
        ],
        "strategies": {card: _strategy_owner(p, card) for card in p.dealt},
        "deals": [_deal_view(deal) for deal in p.deals],
        "promises": [
            {
                "turn": x.turn,
                "by": _nation_id(x.by),
                "to": [_nation_id(n) for n in x.to],
                "term": x.term,
            }
            for x in p.promises
        ],
        "solo": _solo_view(p) if is_solo(p) else None,
        "alarm": _alarmed_region(p),
        "bidding": _bidding_view(p),
        "drawn": list(drawn_issues(p)),
        "prospects": _strategy_prospects(p),
        "board": _printed_board(pack),
        "certainty": {"board": dict(pack.board_sure), "demobilise": list(space_certainties(p))},
        "strengths": _force_strengths(),
        "over": p.over,
        "cards": card_views(pack, _on_show(p)),
        "state": plain.dump(p, State),
    }


def deal(view: dict[str, Any], rng: Rng) -> State:
    """The state behind a view. Cards are drawn when they are needed, so nothing is guessed."""
    return plain.load(State, view["state"])


def _nation_id(nation: int) -> str | None:
    return None if nation == NOBODY else NATIONS[nation]


def _nation_view(p: State, nation: int) -> dict[str, Any]:
    happiness = p.happiness[nation]
    known: dict[str, Any] = {
        "happiness": None if happiness == NOBODY else happiness,
        "locked": happiness == 0,
        "available": p.available[nation],
        "exhausted": p.exhausted[nation],
        "units_available": p.ready[nation],
        "units_exhausted": p.spent[nation],
        "units_deployed": [REGIONS[region] for region in deployed_regions(p, nation)],
        "units_mutinied": p.retired[nation],
        "units_allowed": None if happiness == NOBODY else units_limit(p, happiness),
        "issues": [_held_issue(p, issue) for issue, held in p.held.items() if held.owner == nation],
        "strategy": p.strategy[nation] or None,
    }
    if nation in p.order and not is_solo(p):
        lines = score_sheet(p, nation)
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


def _region_view(p: State, region: int) -> dict[str, Any]:
    column = p.unrest[region]
    row = p.posts[region * 4 : region * 4 + 4]
    return {
        "unrest": column,
        "keg": p.kegs[region],
        "cap": unrest_cap(p, region),
        "uprising": p.pack.board.uprising[column] or None,
        "units": {str(i + 5): NATIONS[n] for i, n in enumerate(row) if n != NOBODY},
    }


def _open_issue(p: State, issue: str) -> dict[str, Any]:
    nations = sides_in_play(p) if p.active != NOBODY else ()
    return {
        "issue": issue,
        "cubes": {NATIONS[n]: p.cubes[issue][n] for n in sorted(nations)},
        "leader": _nation_id(issue_leader(p, issue)),
    }


def _strategy_owner(p: State, card: str) -> str | None:
    return NATIONS[p.strategy.index(card)] if card in p.strategy else None


def _deal_view(deal: Any) -> dict[str, Any]:
    return {
        "number": deal.number,
        "by": _nation_id(deal.by),
        "parties": [_nation_id(n) for n in deal.parties],
        "terms": list(deal.terms),
        "agreed": [_nation_id(n) for n in deal.agreed],
        "made": deal.made,
    }


def _solo_view(p: State) -> dict[str, Any]:
    return {
        "faction": _nation_id(p.human),
        "order": [_nation_id(n) for n in p.order],
        "points": p.points,
        "target": current_target(p),
        "strength": {NATIONS[n]: faction_strength(p, n) for n in p.order},
        "units": {NATIONS[n]: unit_count(p, n) for n in p.order},
    }


def _alarmed_region(p: State) -> str | None:
    """The region whose die is about to be rolled, or that is in uprising."""
    step = p.agenda[-1] if p.agenda else None
    if isinstance(step, Announce | ChooseAffected | ChooseUnsettled) and step.region != NOBODY:
        return REGIONS[step.region]
    return None


def _bidding_view(p: State) -> dict[str, Any] | None:
    """The auction of an unsettled issue: its best bids, and the nations that may still bid."""
    for step in reversed(p.agenda):
        if isinstance(step, Bidding):
            best = {} if step.leader == NOBODY else {NATIONS[step.leader]: _bid_view(step.best)}
            waiting = [_nation_id(n) for n in step.waiting]
            return {"issue": step.issue, "waiting": waiting, "bids": best}
        if isinstance(step, SoloBid | SoloWinner):
            waiting = [_nation_id(p.human)] if isinstance(step, SoloBid) else []
            bids = {NATIONS[n]: _bid_view(bid) for n, bid in step.bids}
            return {"issue": step.issue, "waiting": waiting, "bids": bids}
    return None


@cache
def _force_strengths() -> dict[str, int]:
    """The strength of every force as a bid writes it: ``2+1``."""
    forces = [Bid(units, local, 0) for units in range(4) for local in (0, 1)]
    return {f"{bid.units}+{bid.local}": bid.strength for bid in forces}


def _bid_view(bid: Bid) -> dict[str, int]:
    return {
        "units": bid.units,
        "local": bid.local,
        "strength": bid.strength,
        "cubes": bid.cubes,
    }


def drawn_issues(p: State) -> tuple[str, ...]:
    """Issues taken from the deck of which one is kept."""
    step = p.agenda[-1] if p.agenda else None
    return step.drawn if isinstance(step, ChooseKept) else ()


def _strategy_prospects(p: State) -> dict[str, dict[str, list[int]]]:
    """The points of each condition of the strategies on offer, for each player, as things stand."""
    if is_solo(p):
        return {}
    conditions = {card: p.pack.strategies[card].conditions for card in p.dealt}
    return {
        card: {
            NATIONS[n]: [condition_points(p, n, condition) for condition in listed] for n in p.order
        }
        for card, listed in conditions.items()
    }


@lru_cache(64)
def _printed_board(pack: CardPack) -> dict[str, Any]:
    """The numbers printed on the board."""
    board = pack.board
    return {
        "uprising": list(board.uprising),
        "posts": {
            str(column): {
                "cubes": board.cubes_back[column],
                "unhappy": board.unhappy[column],
                "modifies": column in board.modifies,
            }
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
        *drawn_issues(p),
        *([p.limbo] if p.limbo else []),
        *events,
        *p.dealt,
    )


def card_views(pack: CardPack, ids: tuple[str, ...]) -> dict[str, Any]:
    return {id_: card_view(pack, id_) for id_ in ids}


@lru_cache(4096)  # packs come and go on a server
def card_view(pack: CardPack, id_: str) -> dict[str, Any]:
    """The values of a card, with how certain each is."""
    if id_ in pack.issues:
        return _issue_card(pack, id_)
    if id_ in pack.events:
        event = pack.events[id_]
        return {
            "kind": "event",
            "name": event.name,
            "number": event.number,
            "title": event.title,
            "cube": event.cube,
            "optional": event.optional,
            "crisis": operations.dump_effects(event.crisis),
            "conference": operations.dump_effects(event.conference),
            "certainty": dict(event.sure),
        }
    strategy = pack.strategies[id_]
    conditions = [
        {"counts": c.counts, "points": c.points, "certainty": dict(c.sure)}
        for c in strategy.conditions
    ]
    return {
        "kind": "strategy",
        "name": strategy.name,
        "number": strategy.number,
        "certainty": dict(strategy.sure),
        "conditions": conditions,
    }


def _issue_card(pack: CardPack, id_: str) -> dict[str, Any]:
    issue = pack.issues[id_]
    return {
        "kind": "issue",
        "name": issue.name,
        "number": issue.number,
        "region": CATEGORIES[issue.region],
        "stars": issue.stars,
        "no_military": issue.no_military,
        "certainty": dict(issue.sure),
        "options": [
            {
                "option": option.id,
                "name": option.name or option_fallback(option.id),
                "unrest": {REGIONS[r]: n for r, n in option.unrest},
                "happiness": {NATIONS[n]: change for n, change in option.happiness},
                "counters": list(option.counters),
                "certainty": dict(option.sure),
            }
            for option in issue.options
        ],
    }


# Where the game is

_STAGE_OF_STEP: dict[type, str] = {
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
    return Marks(current_phase(state), current_stage(state))


def standing(state: State) -> dict[Seat, Standing]:
    """The nation of each seat, and its points if the game ended now."""
    return {seat: _seat_standing(state, nation_of(state, seat)) for seat in state.seats}


def _seat_standing(state: State, nation: int) -> Standing:
    if nation == NOBODY:
        return Standing()
    score = None if is_solo(state) else score_sheet(state, nation).total
    return Standing(score, Msg(f"versailles.nation.{NATIONS[nation]}"))


def current_phase(p: State) -> str:
    if p.over:
        return "over"
    return f"turn.{p.turn}.{NATIONS[p.active]}" if p.turn else "setup"


def current_stage(p: State) -> str:
    """The part of the phase that is going on; steps without an entry belong to settling an issue."""
    if p.over or not p.turn:
        return current_phase(p)
    return _STAGE_OF_STEP.get(type(p.agenda[-1]), "settle")
