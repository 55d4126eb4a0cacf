"""Settling an issue: the five steps, and the option that is chosen (V-SETTLE, V-OPT, V-DISCARD)."""

from collections.abc import Sequence

from powderkeg.core import chance
from powderkeg.core.errors import Illegal
from powderkeg.core.words import Msg
from powderkeg.games.versailles import words
from powderkeg.games.versailles.actions import (
    Advance,
    Cube,
    Decline,
    Dive,
    Keep,
    Perform,
)
from powderkeg.games.versailles.actions import Draw as DrawAction
from powderkeg.games.versailles.board import GAME_END, NO_CUBES, NOBODY
from powderkeg.games.versailles.events.effects import performable
from powderkeg.games.versailles.rules.solo import bot_waiting_issues
from powderkeg.games.versailles.state import (
    Draft,
    Held,
    Position,
    is_bot,
    is_solo,
    leader,
    refused,
)
from powderkeg.games.versailles.steps import (
    AddIssue,
    AdvanceIssueAndEvent,
    ChooseCube,
    ChooseKept,
    ChooseOption,
    ChoosePerform,
    ChooseSource,
    ChooseToAdvance,
    DiscardEvent,
    Do,
    DrawEvent,
    DrawIssues,
    ResolveConferenceEvent,
    ResolveIssue,
    RevealEvent,
)

# Step 1: Resolve Issue


def resolve_issue(d: Draft, step: ResolveIssue) -> None:
    issue = step.issue
    winner = leader(d, issue)
    d.controller = winner
    row = d.cubes[issue]
    d.table = tuple(other for other in d.table if other != issue)
    d.held = {**d.held, issue: Held(winner)}
    nation, card = words.NATION[winner], words.issue(issue)
    d.say("controls", "V-SETTLE-03", nation=nation, issue=card)
    if issue == GAME_END:
        end_game(d, "rush", "V-END-03")  # its cubes stay where they are
        return
    d.cubes = {other: cubes for other, cubes in d.cubes.items() if other != issue}
    release(d, row, winner)
    d.push(ChooseOption(issue, winner))


def release(d: Draft, row: Sequence[int], winner: int) -> None:
    """The winner's cubes are exhausted, the settler's come back, others lose half (V-SETTLE-04..06)."""
    for nation, n in enumerate(row):
        if not n:
            continue
        lost = n if nation == winner else 0 if nation == d.acting else n // 2
        d.exhausted[nation] += lost
        d.available[nation] += n - lost
        rule = f"V-SETTLE-0{4 if nation == winner else 5 if nation == d.acting else 6}"
        d.say("released", rule, nation=words.NATION[nation], lost=lost, back=n - lost)


def end_game(d: Draft, why: str, rule: str) -> None:
    d.over = why
    d.agenda = ()
    d.deals = ()
    d.say(f"over.{why}", rule)


# Step 2: Resolve Conference Event


def resolve_conference(d: Draft, step: ResolveConferenceEvent) -> None:
    """Whoever has the cube on the event decides it, else the acting side (V-EVENT-02)."""
    you = d.acting if d.event_cube == NOBODY else d.event_cube
    event = d.pack.events[d.event]
    d.say("conference", "V-EVENT-01", event=words.event(event.id), nation=words.NATION[you])
    d.push(DiscardEvent(event.id))
    if not event.optional:
        d.push(Do(event.conference, you, you, "conference"))
    elif not performable(d, event.conference, you):
        d.say("cannot_perform", "V-EVENT-09", nation=words.NATION[you])
    elif is_solo(d):
        d.push(Do(event.conference, you, you, "conference"))  # V-SOLO-25: no choice
    else:
        d.push(ChoosePerform(event.id, you))


def performances(p: Position, step: ChoosePerform) -> list[Perform | Decline]:
    """Cubes may have been given away since the event came up (V-NEG-08)."""
    effects = p.pack.events[step.event].conference
    return [Perform(), Decline()] if performable(p, effects, step.you) else [Decline()]


def choose_perform(d: Draft, step: ChoosePerform, action: Perform | Decline) -> None:
    event, nation = words.event(step.event), words.NATION[step.you]
    if isinstance(action, Perform):
        d.say("performs", "V-EVENT-03", nation=nation, event=event)
        effects = d.pack.events[step.event].conference
        d.push(Do(effects, step.you, step.you, "conference"))
    else:
        d.say("declines", "V-EVENT-03", nation=nation, event=event)


def discard_event(d: Draft, step: DiscardEvent) -> None:
    """The card to the event discards, its cube to exhausted (V-EVENT-04)."""
    d.past = (*d.past, d.event)
    d.event = ""
    if d.event_cube != NOBODY:
        d.exhausted[d.event_cube] += 1
        d.say("cube_exhausted", "V-EVENT-04", nation=words.NATION[d.event_cube])
        d.event_cube = NOBODY


# Step 3: Advance Issue and Event Cards


def advance(d: Draft, step: AdvanceIssueAndEvent) -> None:
    d.push(ChooseToAdvance())


def to_advance(p: Position, step: ChooseToAdvance) -> list[Advance]:
    """An issue and an event of the waiting room, in either order (V-SETTLE-12); a bot prefers
    an issue that it leads (V-SOLO-27)."""
    issues = p.waiting
    if is_bot(p, p.acting):
        issues = bot_waiting_issues(p, p.acting)
    return [
        *(Advance(issue) for issue in issues if step.issue),
        *(Advance(event) for event in p.lobby if step.event),
    ]


def refuse_advance(p: Position, step: ChooseToAdvance, action: object) -> Illegal:
    if isinstance(action, Advance) and action.card in p.waiting and step.issue:
        return refused("bot_advance", "V-SOLO-27", nation=words.NATION[p.acting])
    return refused("not_waiting", "V-SETTLE-11")


def choose_to_advance(d: Draft, step: ChooseToAdvance, action: Advance) -> None:
    if action.card in d.waiting:
        if step.event:
            d.push(ChooseToAdvance(issue=False))
        _advance_issue(d, action.card)
    else:
        if step.issue:
            d.push(ChooseToAdvance(event=False))
        _advance_event(d, action.card)


def _advance_issue(d: Draft, card: str) -> None:
    """With all its cubes (V-SETTLE-11)."""
    d.waiting = tuple(issue for issue in d.waiting if issue != card)
    d.table = (*d.table, card)
    d.say("issue_advances", "V-SETTLE-11", issue=words.issue(card))


def _advance_event(d: Draft, card: str) -> None:
    d.lobby = tuple(event for event in d.lobby if event != card)
    d.event = card
    d.say("event_advances", "V-SETTLE-12", event=words.event(card))
    if d.pack.events[card].cube and d.available[d.acting] and not is_solo(d):
        d.push(ChooseCube())  # V-EVENT-06; nobody does in solitaire (V-SOLO-26)


def cube_choices(p: Position, step: ChooseCube) -> list[Cube]:
    none = Cube(put=False)
    return [Cube(put=True), none] if p.available[p.acting] else [none]


def choose_cube(d: Draft, step: ChooseCube, action: Cube) -> None:
    nation, event = words.NATION[d.acting], words.event(d.event)
    if action.put:
        d.available[d.acting] -= 1
        d.event_cube = d.acting
        d.say("cube", "V-EVENT-06", nation=nation, event=event)
    else:
        d.say("no_cube", "V-EVENT-06", nation=nation, event=event)


# Step 4: Add an Issue to the Waiting Room


def deck_size(p: Position) -> int:
    return len(p.deck) + (p.above != NOBODY)


def add_issue(d: Draft, step: AddIssue) -> None:
    if is_bot(d, d.acting):
        draw(d)  # V-SOLO-29: bots never dive
    elif d.pile:
        d.push(ChooseSource())
    else:
        draw(d)  # V-DISCARD-07


def draw(d: Draft) -> None:
    if deck_size(d):
        _draw_on(d, ())
    else:
        end_game(d, "deck", "V-END-05")


def _draw_on(d: Draft, cards: tuple[str, ...]) -> None:
    """Two cards, or what is left (V-SETTLE-15). The game end comes by itself when it is next."""
    while len(cards) < 2 and deck_size(d):
        if d.above or is_mixed(d):
            d.push(DrawIssues(cards))
            return
        d.above = NOBODY
        cards = (*cards, GAME_END)
    _drawn(d, cards)


def sources(p: Position, step: ChooseSource) -> list[DrawAction | Dive]:
    """The deck, or one of the top cards of the pile that can be paid (V-DISCARD-02)."""
    costs = p.pack.board.dive_costs
    dives = [
        Dive(issue)
        for issue, cost in zip(p.pile, costs, strict=False)
        if cost <= p.available[p.acting]
    ]
    return [DrawAction(), *dives]


def refuse_source(p: Position, step: ChooseSource, action: object) -> Illegal:
    if isinstance(action, Dive):
        top = p.pile[: len(p.pack.board.dive_costs)]
        if action.issue in top:
            cost = p.pack.board.dive_costs[top.index(action.issue)]
            return refused("dive_cost", "V-DISCARD-02", n=cost)
        return refused("too_deep", "V-DISCARD-02", issue=words.issue(action.issue))
    return refused("not_offered", "V-SETTLE-13", action=str(action))


def choose_source(d: Draft, step: ChooseSource, action: DrawAction | Dive) -> None:
    if isinstance(action, DrawAction):
        d.say("draws", "V-SETTLE-13", nation=words.NATION[d.acting])
        draw(d)
        return
    cost = d.pack.board.dive_costs[d.pile.index(action.issue)]
    d.exhaust(d.acting, cost)
    d.pile = tuple(issue for issue in d.pile if issue != action.issue)
    card = words.issue(action.issue)
    d.say("dives", "V-DISCARD-02", nation=words.NATION[d.acting], issue=card, n=cost)
    to_waiting_room(d, action.issue)


def to_waiting_room(d: Draft, issue: str) -> None:
    d.waiting = (*d.waiting, issue)
    d.cubes = {**d.cubes, issue: NO_CUBES}


def is_mixed(p: Position) -> bool:
    """The longest game: the end lies somewhere among the last six cards (V-SET-09)."""
    return p.options.length == 5 and len(p.seats) > 1


def next_issues(p: Position, step: DrawIssues) -> chance.Draw:
    """What chance draws from: two at once while the game end cannot be among them."""
    wanted = min(2 - len(step.drawn), deck_size(p))
    if p.above == NOBODY or p.above >= wanted:
        return chance.Draw(p.deck, wanted)
    if p.above:
        return chance.Draw(p.deck, p.above)
    return chance.Draw((*p.deck, GAME_END), 1)  # somewhere among the last six


def take_drawn(d: Draft, step: DrawIssues, drawn: tuple[str, ...]) -> None:
    d.deck = tuple(issue for issue in d.deck if issue not in drawn)
    if GAME_END in drawn:
        d.above = NOBODY
    elif d.above > 0:
        d.above -= len(drawn)
    _draw_on(d, (*step.drawn, *drawn))


def _drawn(d: Draft, cards: tuple[str, ...]) -> None:
    """Both are shown (V-SETTLE-17); one goes to the waiting room, the other on the pile."""
    d.say("drawn", "V-SETTLE-17", issues=[words.issue(card) for card in cards])
    if GAME_END in cards:
        _keep(d, cards, GAME_END, "V-SETTLE-14")
    elif len(cards) == 1:
        _keep(d, cards, cards[0], "V-SETTLE-15")
    elif is_bot(d, d.acting):
        _keep(d, cards, cards[0], "V-SOLO-29")
    else:
        d.push(ChooseKept(cards))


def kept_choices(p: Position, step: ChooseKept) -> list[Keep]:
    return [Keep(issue) for issue in step.drawn]


def choose_kept(d: Draft, step: ChooseKept, action: Keep) -> None:
    _keep(d, step.drawn, action.issue, "V-SETTLE-13")


def _keep(d: Draft, cards: tuple[str, ...], kept: str, rule: str) -> None:
    to_waiting_room(d, kept)
    d.pile = (*(card for card in cards if card != kept), *d.pile)
    d.say("kept", rule, issue=words.issue(kept))


# Step 5: Place Event Card into Waiting Room and Perform Crisis Event


def draw_event(d: Draft, step: DrawEvent) -> None:
    """An empty deck is made anew from the discards (V-EVENT-20)."""
    if not d.events:
        d.events, d.past = tuple(sorted(d.past)), ()
        d.say("reshuffled", "V-EVENT-20")
    if d.events:
        d.push(RevealEvent())


def reveal_event(d: Draft, step: RevealEvent, drawn: tuple[str, ...]) -> None:
    """The crisis of the card, at once (V-SETTLE-18). Its conference text waits."""
    event = drawn[0]
    d.events = tuple(other for other in d.events if other != event)
    d.lobby = (*d.lobby, event)
    title = Msg(f"versailles.crisis.{d.pack.events[event].title}")
    d.say("crisis", "V-SETTLE-18", event=words.event(event), title=title)
    d.push(Do(d.pack.events[event].crisis, d.acting, d.acting, "crisis"))
