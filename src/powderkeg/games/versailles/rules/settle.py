"""Settling an issue: the five steps, and the option that is chosen (V-SETTLE, V-OPT, V-DISCARD)."""

from collections.abc import Sequence
from functools import lru_cache

from powderkeg.core import chance
from powderkeg.core.errors import Illegal
from powderkeg.games.versailles import words
from powderkeg.games.versailles.actions import (
    Advance,
    Cube,
    Decline,
    Dive,
    Keep,
    Perform,
)
from powderkeg.games.versailles.actions import DrawCards as DrawAction
from powderkeg.games.versailles.board import GAME_END, NO_CUBES, NOBODY
from powderkeg.games.versailles.cards.pack import EventCard
from powderkeg.games.versailles.deals.exchange import strike_forced
from powderkeg.games.versailles.events.effects import can_perform
from powderkeg.games.versailles.events.operations import has_choice
from powderkeg.games.versailles.rules.solo import bot_waiting_issues
from powderkeg.games.versailles.state import (
    Held,
    Position,
    StateBuilder,
    is_bot,
    is_solo,
    issue_leader,
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

# Listed again and again, made once
_advance, _dive = lru_cache(1024)(Advance), lru_cache(1024)(Dive)

# Step 1: Resolve Issue


def resolve_issue(b: StateBuilder, step: ResolveIssue) -> None:
    issue = step.issue
    winner = issue_leader(b, issue)
    b.controller = winner
    row = b.cubes[issue]
    b.table = tuple(other for other in b.table if other != issue)
    b.held = {**b.held, issue: Held(winner)}
    nation, card = words.NATION[winner], words.issue_name(issue)
    b.say("versailles.controls", "V-SETTLE-03", nation=nation, issue=card)
    if issue == GAME_END:
        end_game(b, "rush", "V-END-03")  # its cubes stay where they are
        return
    b.cubes = {other: cubes for other, cubes in b.cubes.items() if other != issue}
    release_cubes(b, row, winner)
    b.push(ChooseOption(issue, winner))


def release_cubes(b: StateBuilder, row: Sequence[int], winner: int) -> None:
    """The winner's cubes are exhausted, the settler's come back, others lose half (V-SETTLE-04..06)."""
    for nation, n in enumerate(row):
        if not n:
            continue
        lost = n if nation == winner else 0 if nation == b.acting else n // 2
        b.exhausted[nation] += lost
        b.available[nation] += n - lost
        rule = f"V-SETTLE-0{4 if nation == winner else 5 if nation == b.acting else 6}"
        b.say("versailles.released", rule, nation=words.NATION[nation], lost=lost, back=n - lost)


def end_game(b: StateBuilder, why: str, rule: str) -> None:
    b.over = why
    b.agenda = ()
    b.deals = ()
    b.say(f"versailles.over.{why}", rule)


# Step 2: Resolve Conference Event


def resolve_conference(b: StateBuilder, step: ResolveConferenceEvent) -> None:
    """The owner of the cube on the event decides it, else the acting side (V-EVENT-02)."""
    you = b.acting if b.event_cube == NOBODY else b.event_cube
    event = b.pack.events[b.event]
    b.say(
        "versailles.conference",
        "V-EVENT-01",
        event=words.event_name(event.id),
        nation=words.NATION[you],
    )
    b.push(DiscardEvent(event.id))
    if not event.optional and not (is_solo(b) and _may_decline(b, event)):
        b.push(Do(event.conference, you, you, "conference"))
    elif not can_perform(b, event.conference, you):
        b.say("versailles.cannot_perform", "V-EVENT-09", nation=words.NATION[you])
    elif is_solo(b) and not _may_decline(b, event):
        b.push(Do(event.conference, you, you, "conference"))
    else:
        b.push(ChoosePerform(event.id, you))


def _may_decline(p: Position, event: EventCard) -> bool:
    """Solitaire: an event that leaves something to choose may also be left alone (V-SOLO-25)."""
    return p.options.solo_events == "free" and has_choice(event.conference)


def perform_choices(p: Position, step: ChoosePerform) -> list[Perform | Decline]:
    """Cubes may have been given away since the event came up (V-NEG-08)."""
    effects = p.pack.events[step.event].conference
    return [Perform(), Decline()] if can_perform(p, effects, step.you) else [Decline()]


def choose_perform(b: StateBuilder, step: ChoosePerform, action: Perform | Decline) -> None:
    event, nation = words.event_name(step.event), words.NATION[step.you]
    if isinstance(action, Perform):
        b.say("versailles.performs", "V-EVENT-03", nation=nation, event=event)
        effects = b.pack.events[step.event].conference
        b.push(Do(effects, step.you, step.you, "conference"))
    else:
        b.say("versailles.declines", "V-EVENT-03", nation=nation, event=event)


def discard_event(b: StateBuilder, step: DiscardEvent) -> None:
    """The card to the event discards, its cube to exhausted (V-EVENT-04)."""
    b.past = (*b.past, b.event)
    b.event = ""
    if b.event_cube != NOBODY:
        b.exhausted[b.event_cube] += 1
        b.say("versailles.cube_exhausted", "V-EVENT-04", nation=words.NATION[b.event_cube])
        b.event_cube = NOBODY


# Step 3: Advance Issue and Event Cards


def start_advance(b: StateBuilder, step: AdvanceIssueAndEvent) -> None:
    b.push(ChooseToAdvance())


def advance_choices(p: Position, step: ChooseToAdvance) -> list[Advance]:
    """An issue and an event of the waiting room, in either order (V-SETTLE-12); a bot prefers
    an issue that it leads (V-SOLO-27)."""
    issues = p.waiting
    if is_bot(p, p.acting):
        issues = bot_waiting_issues(p, p.acting)
    return [
        *(_advance(issue) for issue in issues if step.issue),
        *(_advance(event) for event in p.lobby if step.event),
    ]


def refuse_advance(p: Position, step: ChooseToAdvance, action: object) -> Illegal:
    if isinstance(action, Advance) and action.card in p.waiting and step.issue:
        return Illegal(
            "versailles.refused.bot_advance", rule="V-SOLO-27", nation=words.NATION[p.acting]
        )
    return Illegal("versailles.refused.not_waiting", rule="V-SETTLE-11")


def choose_to_advance(b: StateBuilder, step: ChooseToAdvance, action: Advance) -> None:
    if action.card in b.waiting:
        if step.event:
            b.push(ChooseToAdvance(issue=False))
        _advance_issue(b, action.card)
    else:
        if step.issue:
            b.push(ChooseToAdvance(event=False))
        _advance_event(b, action.card)


def _advance_issue(b: StateBuilder, card: str) -> None:
    """With all its cubes (V-SETTLE-11)."""
    b.waiting = tuple(issue for issue in b.waiting if issue != card)
    b.table = (*b.table, card)
    b.say("versailles.issue_advances", "V-SETTLE-11", issue=words.issue_name(card))


def _advance_event(b: StateBuilder, card: str) -> None:
    b.lobby = tuple(event for event in b.lobby if event != card)
    b.event = card
    b.say("versailles.event_advances", "V-SETTLE-12", event=words.event_name(card))
    if b.pack.events[card].cube and b.available[b.acting] and not is_solo(b):
        b.push(ChooseCube())  # V-EVENT-06, but never in solitaire (V-SOLO-26)
    else:
        strike_forced(b, b.acting, "cube", "no")


def cube_choices(p: Position, step: ChooseCube) -> list[Cube]:
    none = Cube(put=False)
    return [Cube(put=True), none] if p.available[p.acting] else [none]


def choose_cube(b: StateBuilder, step: ChooseCube, action: Cube) -> None:
    nation, event = words.NATION[b.acting], words.event_name(b.event)
    if action.put:
        b.available[b.acting] -= 1
        b.event_cube = b.acting
        b.say("versailles.cube", "V-EVENT-06", nation=nation, event=event)
    else:
        b.say("versailles.no_cube", "V-EVENT-06", nation=nation, event=event)


# Step 4: Add an Issue to the Waiting Room


def deck_size(p: Position) -> int:
    return len(p.deck) + (p.above != NOBODY)


def add_issue(b: StateBuilder, step: AddIssue) -> None:
    if is_bot(b, b.acting):
        draw_issues(b)  # V-SOLO-29: bots never dive
    elif b.pile:
        b.push(ChooseSource())
    else:
        strike_forced(b, b.acting, "draw")
        draw_issues(b)  # V-DISCARD-07


def draw_issues(b: StateBuilder) -> None:
    if deck_size(b):
        _draw_on(b, ())
    else:
        end_game(b, "deck", "V-END-05")


def _draw_on(b: StateBuilder, cards: tuple[str, ...]) -> None:
    """Two cards, or all that are left (V-SETTLE-15). The game end comes by itself when it is next."""
    while len(cards) < 2 and deck_size(b):
        if b.above or is_mixed(b):
            b.push(DrawIssues(cards))
            return
        b.above = NOBODY
        cards = (*cards, GAME_END)
    _show_drawn(b, cards)


def source_choices(p: Position, step: ChooseSource) -> list[DrawAction | Dive]:
    """The deck, or one of the top cards of the pile that can be paid (V-DISCARD-02)."""
    costs = p.pack.board.dive_costs
    dives = [
        _dive(issue)
        for issue, cost in zip(p.pile, costs, strict=False)
        if cost <= p.available[p.acting]
    ]
    return [DrawAction(), *dives]


def refuse_source(p: Position, step: ChooseSource, action: object) -> Illegal:
    if isinstance(action, Dive):
        top = p.pile[: len(p.pack.board.dive_costs)]
        if action.issue in top:
            cost = p.pack.board.dive_costs[top.index(action.issue)]
            return Illegal("versailles.refused.dive_cost", rule="V-DISCARD-02", n=cost)
        return Illegal(
            "versailles.refused.too_deep", rule="V-DISCARD-02", issue=words.issue_name(action.issue)
        )
    return Illegal("versailles.refused.not_offered", rule="V-SETTLE-13", action=str(action))


def choose_source(b: StateBuilder, step: ChooseSource, action: DrawAction | Dive) -> None:
    if isinstance(action, DrawAction):
        b.say("versailles.draws", "V-SETTLE-13", nation=words.NATION[b.acting])
        draw_issues(b)
        return
    cost = b.pack.board.dive_costs[b.pile.index(action.issue)]
    b.exhaust(b.acting, cost)
    b.pile = tuple(issue for issue in b.pile if issue != action.issue)
    card = words.issue_name(action.issue)
    b.say("versailles.dives", "V-DISCARD-02", nation=words.NATION[b.acting], issue=card, n=cost)
    to_waiting_room(b, action.issue)


def to_waiting_room(b: StateBuilder, issue: str) -> None:
    b.waiting = (*b.waiting, issue)
    b.cubes = {**b.cubes, issue: NO_CUBES}


def is_mixed(p: Position) -> bool:
    """The longest game: the end lies somewhere among the last six cards (V-SET-09)."""
    return p.options.length == 5 and len(p.seats) > 1


def next_issues(p: Position, step: DrawIssues) -> chance.Draw:
    """The draw that is owed: two cards at once while the game end cannot be among them."""
    wanted = min(2 - len(step.drawn), deck_size(p))
    if p.above == NOBODY or p.above >= wanted:
        return chance.Draw(p.deck, wanted)
    if p.above:
        return chance.Draw(p.deck, p.above)
    return chance.Draw((*p.deck, GAME_END), 1)  # somewhere among the last six


def take_drawn(b: StateBuilder, step: DrawIssues, drawn: tuple[str, ...]) -> None:
    b.deck = tuple(issue for issue in b.deck if issue not in drawn)
    if GAME_END in drawn:
        b.above = NOBODY
    elif b.above > 0:
        b.above -= len(drawn)
    _draw_on(b, (*step.drawn, *drawn))


def _show_drawn(b: StateBuilder, cards: tuple[str, ...]) -> None:
    """Both are shown (V-SETTLE-17); one goes to the waiting room, the other on the pile."""
    code = "versailles.drawn_ending" if GAME_END in cards else "versailles.drawn"
    b.say(code, "V-SETTLE-17", issues=[words.issue_name(card) for card in cards])
    if not deck_size(b) and _ends_when_emptied(b):
        _keep_issue(b, cards, GAME_END if GAME_END in cards else cards[0], "V-SETTLE-15")
        end_game(b, "deck", "V-SOLO-43" if is_solo(b) else "V-END-05")
    elif GAME_END in cards:
        _keep_issue(b, cards, GAME_END, "V-SETTLE-14")
    elif len(cards) == 1:
        _keep_issue(b, cards, cards[0], "V-SETTLE-15")
    elif is_bot(b, b.acting):
        _keep_issue(b, cards, cards[0], "V-SOLO-29")
    else:
        b.push(ChooseKept(cards))


def _ends_when_emptied(p: Position) -> bool:
    """Whether the last issue ends the game as soon as it is drawn."""
    return p.options.deck_end == "always" or (p.options.deck_end == "solitaire" and is_solo(p))


def kept_choices(p: Position, step: ChooseKept) -> list[Keep]:
    return [Keep(issue) for issue in step.drawn]


def choose_kept(b: StateBuilder, step: ChooseKept, action: Keep) -> None:
    _keep_issue(b, step.drawn, action.issue, "V-SETTLE-13")


def _keep_issue(b: StateBuilder, cards: tuple[str, ...], kept: str, rule: str) -> None:
    to_waiting_room(b, kept)
    b.pile = (*(card for card in cards if card != kept), *b.pile)
    b.say("versailles.kept", rule, issue=words.issue_name(kept))


# Step 5: Place Event Card into Waiting Room and Perform Crisis Event


def draw_event(b: StateBuilder, step: DrawEvent) -> None:
    """An empty deck is made again from the discards (V-EVENT-20)."""
    if not b.events:
        b.events, b.past = tuple(sorted(b.past)), ()
        b.say("versailles.reshuffled", "V-EVENT-20")
    if b.events:
        b.push(RevealEvent())


def reveal_event(b: StateBuilder, step: RevealEvent, drawn: tuple[str, ...]) -> None:
    """The crisis of the card, at once (V-SETTLE-18). Its conference text waits."""
    event = drawn[0]
    b.events = tuple(other for other in b.events if other != event)
    b.lobby = (*b.lobby, event)
    title = words.crisis_title(b.pack.events[event].title)
    b.say("versailles.crisis", "V-SETTLE-18", event=words.event_name(event), title=title)
    b.push(Do(b.pack.events[event].crisis, b.acting, b.acting, "crisis"))
