"""Set-up: seats, nations, tokens and the first cards (V-SET, V-SOLO-01, 02)."""

from powderkeg.core import chance
from powderkeg.core.words import Msg
from powderkeg.games.versailles import words
from powderkeg.games.versailles.actions import (
    Choose,
    Nation,
)
from powderkeg.games.versailles.board import (
    FRANCE,
    GAME_END,
    ITALY,
    JAPAN,
    NATIONS,
    NO_CUBES,
    NOBODY,
    UK,
    USA,
)
from powderkeg.games.versailles.cards.reader import pack_of
from powderkeg.games.versailles.state import (
    Draft,
    Options,
    Position,
    State,
    is_solo,
)
from powderkeg.games.versailles.steps import (
    ChooseNation,
    DealEvents,
    DealIssues,
    DealStrategies,
    FactionOrder,
    FirstPlayer,
    Pending,
    StartTurn,
)

PLAYED = {1: (UK, FRANCE, USA), 2: (UK, FRANCE), 3: (UK, FRANCE, USA), 4: (UK, FRANCE, USA, ITALY)}
WAITING_ISSUES = {1: 2, 2: 3, 3: 3, 4: 3}
TABLE_ISSUES, PILE_ISSUES = 2, 1
TABLE_EVENTS, LOBBY_EVENTS = 1, 2


def first_state(seats: tuple[str, ...], options: Options) -> State:
    """Tokens and markers are out; cards, nations and the first player are still to come."""
    n = len(seats)
    pack = pack_of(options.pack)
    board = pack.board
    issues = tuple(sorted(issue for issue in pack.issues if issue != GAME_END))
    agenda: tuple[Pending, ...] = (
        (DealEvents(), DealIssues(), FactionOrder())
        if n == 1
        else (DealStrategies(), DealEvents(), DealIssues(), FirstPlayer())
    )
    spaces = board.spaces + (board.grey if n == 4 else ())
    return State(
        options=options,
        seats=seats,
        agenda=agenda,
        cubes={},
        held={},
        order=() if n == 1 else (NOBODY,) * n,
        happiness=_markers(n, options),
        available=_tokens(board.cubes, (*PLAYED[n], USA)),
        exhausted=(0,) * 5,
        ready=_tokens(board.units, PLAYED[n]),
        spent=(0,) * 5,
        spaces=(NOBODY,) * len(spaces),
        retired=(0,) * 5,
        deck=issues,
        events=tuple(sorted(pack.events)),
    )


def _tokens(count: int, nations: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(count if nation in nations else 0 for nation in range(5))


def _markers(n: int, options: Options) -> tuple[int, ...]:
    """All five nations; without the USA for two players, without Italy and Japan in solitaire."""
    board = pack_of(options.pack).board
    missing = {1: (ITALY, JAPAN), 2: (USA,)}.get(n, ())
    players = board.happiness_by_length.get(options.length, board.happiness)
    return tuple(
        NOBODY if nation in missing else players if nation in PLAYED[n] else board.happiness
        for nation in range(5)
    )


def first_player(d: Draft, step: FirstPlayer, drawn: tuple[str, ...]) -> None:
    seat = drawn[0]
    d.first = d.seats.index(seat)
    d.say("first_player", "V-SET-02", seat=Msg(f"versailles.seat.{seat}"))
    d.push(ChooseNation(d.first))


def free_nations(p: Position, step: ChooseNation) -> list[Nation]:
    return [Nation(NATIONS[n]) for n in PLAYED[len(p.seats)] if n not in p.order]


def choose_nation(d: Draft, step: ChooseNation, action: Nation) -> None:
    """In seat order from the first player (V-SET-03)."""
    nation = NATIONS.index(action.nation)
    d.order = (*d.order[: step.seat], nation, *d.order[step.seat + 1 :])
    seat = Msg(f"versailles.seat.{d.seats[step.seat]}")
    d.say("plays", "V-SET-03", seat=seat, nation=words.NATION[nation])
    if NOBODY in d.order:
        d.push(ChooseNation((step.seat + 1) % len(d.seats)))


def free_factions(p: Position, step: FactionOrder) -> list[Choose]:
    return [Choose(NATIONS[n]) for n in PLAYED[1] if n not in step.order]


def choose_faction(d: Draft, step: FactionOrder, action: Choose) -> None:
    _faction_order(d, (*step.order, NATIONS.index(action.what)))


def factions_owed(p: Position, step: FactionOrder) -> chance.Draw | None:
    """The order of the factions is drawn, or chosen if the options say so (V-SOLO-02)."""
    drawn = p.options.solo_order == "random"
    return chance.shuffle(NATIONS[n] for n in PLAYED[1]) if drawn else None


def draw_factions(d: Draft, step: FactionOrder, drawn: tuple[str, ...]) -> None:
    _faction_order(d, tuple(NATIONS.index(name) for name in drawn))


def _faction_order(d: Draft, order: tuple[int, ...]) -> None:
    """The human begins with the faction that moves last (V-SOLO-02)."""
    if len(order) < len(PLAYED[1]):
        d.push(FactionOrder(order))
        return
    d.order, d.human = order, order[-1]
    d.say("factions", "V-SOLO-02", order=[words.NATION[n] for n in order])
    d.say("faction", "V-SOLO-02", nation=words.NATION[d.human])


def issues_owed(p: Position, step: DealIssues) -> chance.Draw:
    return chance.Draw(p.deck, TABLE_ISSUES + WAITING_ISSUES[len(p.seats)] + PILE_ISSUES)


def deal_issues(d: Draft, step: DealIssues, drawn: tuple[str, ...]) -> None:
    """Two on the table, three (solitaire: two) waiting, one discarded (V-SET-05)."""
    waiting = TABLE_ISSUES + WAITING_ISSUES[len(d.seats)]
    d.table, d.waiting, d.pile = drawn[:TABLE_ISSUES], drawn[TABLE_ISSUES:waiting], drawn[waiting:]
    d.cubes = dict.fromkeys(d.table + d.waiting, NO_CUBES)
    d.deck = tuple(issue for issue in d.deck if issue not in drawn)
    d.above = len(d.deck) - d.options.length
    d.say("issues_dealt", "V-SET-05", issues=[words.issue(card) for card in drawn])


def events_owed(p: Position, step: DealEvents) -> chance.Draw:
    return chance.Draw(p.events, TABLE_EVENTS + LOBBY_EVENTS)


def deal_events(d: Draft, step: DealEvents, drawn: tuple[str, ...]) -> None:
    """One on the table, two waiting; no crisis is performed (V-SET-11)."""
    d.event, d.lobby = drawn[0], drawn[1:]
    d.events = tuple(event for event in d.events if event not in drawn)
    d.say("events_dealt", "V-SET-11", events=[words.event(card) for card in drawn])
    if is_solo(d):
        d.push(StartTurn(d.order[0]))


def strategies_owed(p: Position, step: DealStrategies) -> chance.Draw:
    return chance.Draw(tuple(sorted(p.pack.strategies)), len(p.seats) + 1)


def deal_strategies(d: Draft, step: DealStrategies, drawn: tuple[str, ...]) -> None:
    """One more than there are players (V-SET-13)."""
    d.dealt = drawn
    cards = [words.strategy(card) for card in drawn]
    d.say("strategies_dealt", "V-SET-13", strategies=cards)
    d.push(StartTurn(d.order[d.first]))
