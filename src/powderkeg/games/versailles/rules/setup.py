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
    Options,
    Position,
    State,
    StateBuilder,
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
        happiness=_happiness_markers(n, options),
        available=_token_counts(board.cubes, (*PLAYED[n], USA)),
        exhausted=(0,) * 5,
        ready=_token_counts(board.units, PLAYED[n]),
        spent=(0,) * 5,
        spaces=(NOBODY,) * len(spaces),
        retired=(0,) * 5,
        deck=issues,
        events=tuple(sorted(pack.events)),
    )


def _token_counts(count: int, nations: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(count if nation in nations else 0 for nation in range(5))


def _happiness_markers(n: int, options: Options) -> tuple[int, ...]:
    """All five nations; without the USA for two players, without Italy and Japan in solitaire."""
    board = pack_of(options.pack).board
    missing = {1: (ITALY, JAPAN), 2: (USA,)}.get(n, ())
    players = board.happiness_by_length.get(options.length, board.happiness)
    return tuple(
        NOBODY if nation in missing else players if nation in PLAYED[n] else board.happiness
        for nation in range(5)
    )


def first_player(b: StateBuilder, step: FirstPlayer, drawn: tuple[str, ...]) -> None:
    seat = drawn[0]
    b.first = b.seats.index(seat)
    b.say("versailles.first_player", "V-SET-02", seat=Msg(f"versailles.seat.{seat}"))
    b.push(ChooseNation(b.first))


def free_nations(p: Position, step: ChooseNation) -> list[Nation]:
    return [Nation(NATIONS[n]) for n in PLAYED[len(p.seats)] if n not in p.order]


def choose_nation(b: StateBuilder, step: ChooseNation, action: Nation) -> None:
    """In seat order from the first player (V-SET-03)."""
    nation = NATIONS.index(action.nation)
    b.order = (*b.order[: step.seat], nation, *b.order[step.seat + 1 :])
    seat = Msg(f"versailles.seat.{b.seats[step.seat]}")
    b.say("versailles.plays", "V-SET-03", seat=seat, nation=words.NATION[nation])
    if NOBODY in b.order:
        b.push(ChooseNation((step.seat + 1) % len(b.seats)))


def free_factions(p: Position, step: FactionOrder) -> list[Choose]:
    return [Choose(NATIONS[n]) for n in PLAYED[1] if n not in step.order]


def choose_faction(b: StateBuilder, step: FactionOrder, action: Choose) -> None:
    _faction_order(b, (*step.order, NATIONS.index(action.what)))


def factions_owed(p: Position, step: FactionOrder) -> chance.Draw | None:
    """The order of the factions is drawn, or chosen if the options say so (V-SOLO-02)."""
    drawn = p.options.solo_order == "random"
    return chance.shuffle(NATIONS[n] for n in PLAYED[1]) if drawn else None


def draw_factions(b: StateBuilder, step: FactionOrder, drawn: tuple[str, ...]) -> None:
    _faction_order(b, tuple(NATIONS.index(name) for name in drawn))


def _faction_order(b: StateBuilder, order: tuple[int, ...]) -> None:
    """The human begins with the faction that moves last (V-SOLO-02)."""
    if len(order) < len(PLAYED[1]):
        b.push(FactionOrder(order))
        return
    b.order, b.human = order, order[-1]
    b.say("versailles.factions", "V-SOLO-02", order=[words.NATION[n] for n in order])
    b.say("versailles.faction", "V-SOLO-02", nation=words.NATION[b.human])


def issues_owed(p: Position, step: DealIssues) -> chance.Draw:
    return chance.Draw(p.deck, TABLE_ISSUES + WAITING_ISSUES[len(p.seats)] + PILE_ISSUES)


def deal_issues(b: StateBuilder, step: DealIssues, drawn: tuple[str, ...]) -> None:
    """Two on the table, three (solitaire: two) waiting, one discarded (V-SET-05)."""
    waiting = TABLE_ISSUES + WAITING_ISSUES[len(b.seats)]
    b.table, b.waiting, b.pile = drawn[:TABLE_ISSUES], drawn[TABLE_ISSUES:waiting], drawn[waiting:]
    b.cubes = dict.fromkeys(b.table + b.waiting, NO_CUBES)
    b.deck = tuple(issue for issue in b.deck if issue not in drawn)
    b.above = len(b.deck) - b.options.length
    b.say("versailles.issues_dealt", "V-SET-05", issues=[words.issue_name(card) for card in drawn])


def events_owed(p: Position, step: DealEvents) -> chance.Draw:
    return chance.Draw(p.events, TABLE_EVENTS + LOBBY_EVENTS)


def deal_events(b: StateBuilder, step: DealEvents, drawn: tuple[str, ...]) -> None:
    """One on the table, two waiting; no crisis is performed (V-SET-11)."""
    b.event, b.lobby = drawn[0], drawn[1:]
    b.events = tuple(event for event in b.events if event not in drawn)
    b.say("versailles.events_dealt", "V-SET-11", events=[words.event_name(card) for card in drawn])
    if is_solo(b):
        b.push(StartTurn(b.order[0]))


def strategies_owed(p: Position, step: DealStrategies) -> chance.Draw:
    return chance.Draw(tuple(sorted(p.pack.strategies)), len(p.seats) + 1)


def deal_strategies(b: StateBuilder, step: DealStrategies, drawn: tuple[str, ...]) -> None:
    """One more than there are players (V-SET-13)."""
    b.dealt = drawn
    cards = [words.strategy_name(card) for card in drawn]
    b.say("versailles.strategies_dealt", "V-SET-13", strategies=cards)
    b.push(StartTurn(b.order[b.first]))
