"""Every kind of step in one table: what it does, what chance owes it, whom it asks, what follows.

The rules stand in `rules` and `events`; a row only says which of their functions belong to a step.
`flow` runs the table.
"""

from collections.abc import Callable, Sequence
from typing import Any, Final, TypeAlias, cast

from powderkeg.core import chance
from powderkeg.core.agenda import Kind, Moment, in_place, never_forced, sole_answer
from powderkeg.core.errors import Illegal
from powderkeg.core.game import Step
from powderkeg.games.versailles import steps
from powderkeg.games.versailles.ask import (
    Prompt,
    advance_prompt,
    bid_prompt,
    bot_settles_prompt,
    branch_prompt,
    cube_prompt,
    faction_prompt,
    issue_prompt,
    nation_prompt,
    perform_prompt,
    plain_prompt,
    put_question,
    region_prompt,
    sign_prompt,
    solo_bid_prompt,
    turn_prompt,
    unit_prompt,
)
from powderkeg.games.versailles.board import NOBODY, USA
from powderkeg.games.versailles.deals import binding
from powderkeg.games.versailles.events import effects
from powderkeg.games.versailles.rules import (
    auction,
    issue_options,
    settle,
    setup,
    solo,
    turn,
    uprising,
)
from powderkeg.games.versailles.rules.absence import harm
from powderkeg.games.versailles.rules.answers import Answers, ListedAnswers
from powderkeg.games.versailles.state import Position, StateBuilder, seat_of

GameKind: TypeAlias = Kind[Position, StateBuilder]
Decider: TypeAlias = Callable[[Position, Any], int]
Refusal: TypeAlias = Callable[[Position, Any, Any], Illegal]


# How rows are made


def action(act: Callable[[StateBuilder, Any], None]) -> GameKind:
    """A step that acts by itself."""
    return Kind(act=in_place(act))


def roll(
    owed: Callable[[Position, Any], chance.Owed | None],
    outcome: Callable[[StateBuilder, Any, chance.Roll], None],
) -> GameKind:
    """A step that waits for dice."""
    return Kind(owed=owed, outcome=in_place(outcome))


def draw(
    owed: Callable[[Position, Any], chance.Owed | None],
    outcome: Callable[[StateBuilder, Any, tuple[str, ...]], None],
) -> GameKind:
    """A step that waits for cards."""
    return Kind(owed=owed, outcome=in_place(lambda b, step, drawn: outcome(b, step, drawn.items)))


def decision(
    decider: Decider,
    choices: Callable[[Position, Any], Sequence[Any]],
    answer: Callable[[StateBuilder, Any, Any], None],
    prompt: Prompt,
    refusal: Refusal | None = None,
) -> GameKind:
    """A step that asks a nation to choose from a list."""
    refuse = refusal or _not_offered

    def answers(p: Position, step: Any) -> Answers:
        return ListedAnswers(choices(p, step), lambda action: refuse(p, step, action))

    return open_decision(decider, answers, answer, prompt)


def open_decision(
    decider: Decider,
    answers: Callable[[Position, Any], Answers],
    answer: Callable[[StateBuilder, Any, Any], None],
    prompt: Prompt,
    forced: Callable[[Moment[Any, Any], int], Any] = sole_answer,
) -> GameKind:
    """A step that asks a nation, whose answers may be too many to list."""

    def kept_answers(p: Position, step: Any, nation: int) -> list[Any]:
        return binding.kept_answers(p, step, nation, answers(p, step))

    return Kind(
        asked=lambda p, step: (decider(p, step),),
        legal=lambda p, step, nation: answers(p, step),
        answer=_keeping_deals(answer),
        question=lambda p, step, nation: put_question(
            p, prompt(p, step), kept_answers(p, step, nation)
        ),
        default=lambda p, step, nation: min(
            kept_answers(p, step, nation), key=lambda action: harm(p, action)
        ),
        forced=forced,
    )


def _keeping_deals(answer: Callable[[StateBuilder, Any, Any], None]) -> Callable[..., Step]:
    """Carry out an answer and strike the terms that it fulfils."""

    def change(b: StateBuilder, step: Any, nation: int, action: Any) -> Step:
        kept = not binding.broken_by(b, step, nation, action)  # only a forced answer may break one
        b.pop()
        answer(b, step, action)
        if b.deals and kept:
            binding.strike(b, step, nation, action)
        return Step(b)

    return change


def skippable(kind: GameKind, skip: Callable[[StateBuilder, Any], bool]) -> GameKind:
    """A decision that `skip` passes over where nothing is left to decide."""
    return kind._replace(act=lambda b, step: Step(b) if skip(b, step) else None)


def either(asking: GameKind, chancing: GameKind) -> GameKind:
    """A step that waits for chance while something is owed, and else asks."""
    return asking._replace(owed=chancing.owed, outcome=chancing.outcome)


def _not_offered(p: Position, step: Any, action: Any) -> Illegal:
    return Illegal("versailles.refused.not_offered", rule="V-TURN-11", action=str(action))


def refusal(code: str, rule: str) -> Refusal:
    """The same reason for every answer that is not legal."""
    return lambda p, step, action: Illegal(code, rule=rule)


# Whom a step asks


def _nobody_yet(p: Position, step: object) -> int:
    return NOBODY  # before nations are chosen a seat is asked: see `deciding_seat`


def _active(p: Position, step: object) -> int:
    return p.active


def _acting(p: Position, step: object) -> int:
    """Steps 3 to 5 of settling are the acting side's (V-SETTLE-02)."""
    return p.acting


def _human(p: Position, step: object) -> int:
    return p.human


def _usa(p: Position, step: object) -> int:
    return USA


def _its_nation(p: Position, step: Any) -> int:
    return cast(int, step.nation)


def _you(p: Position, step: Any) -> int:
    return cast(int, step.you)


def _subject(p: Position, step: steps.ChooseBranch) -> int:
    return step.subject


def _next_waiting(p: Position, step: Any) -> int:
    return cast(int, step.waiting[0])


# The table

KINDS: Final[dict[type, GameKind]] = {
    # Set-up
    steps.FirstPlayer: draw(lambda p, step: chance.Draw(p.seats, 1), setup.first_player),
    steps.ChooseNation: decision(
        _nobody_yet,
        setup.free_nations,
        setup.choose_nation,
        plain_prompt("nation"),
        refusal("versailles.refused.nation_taken", "V-SET-03"),
    ),
    steps.FactionOrder: either(
        decision(
            _nobody_yet,
            setup.free_factions,
            setup.choose_faction,
            faction_prompt,
            refusal("versailles.refused.nation_taken", "V-SOLO-02"),
        ),
        draw(setup.factions_owed, setup.draw_factions),
    ),
    steps.DealIssues: draw(setup.issues_owed, setup.deal_issues),
    steps.DealEvents: draw(setup.events_owed, setup.deal_events),
    steps.DealStrategies: draw(setup.strategies_owed, setup.deal_strategies),
    # Turns
    steps.StartTurn: action(turn.start_turn),
    steps.Turn: skippable(
        open_decision(_active, turn.turn_answers, turn.take_turn, turn_prompt, never_forced),
        turn.skip_turn,
    ),
    steps.UsaTurn: skippable(
        open_decision(
            _usa, turn.usa_answers, turn.take_usa_turn, plain_prompt("usa"), never_forced
        ),
        turn.skip_usa_turn,
    ),
    steps.EndTurn: action(turn.end_turn),
    steps.PlaceSecond: open_decision(
        _its_nation,
        turn.second_answers,
        turn.place_second,
        nation_prompt("place_second"),
        never_forced,
    ),
    steps.Mutinies: action(turn.mutinies),
    steps.ChooseMutineer: decision(
        _its_nation,
        turn.mutineer_choices,
        turn.choose_mutineer,
        nation_prompt("mutiny"),
        refusal("versailles.refused.mutiny_owed", "V-MUT-03"),
    ),
    # Settle an Issue
    steps.ResolveIssue: action(settle.resolve_issue),
    steps.ChooseOption: decision(
        _its_nation,
        issue_options.options_of,
        issue_options.choose_option,
        issue_prompt("option"),
        issue_options.refuse_option,
    ),
    steps.ChooseFlag: decision(
        _its_nation, issue_options.flags_of, issue_options.choose_flag, issue_prompt("flag")
    ),
    steps.ResolveConferenceEvent: action(settle.resolve_conference),
    steps.ChoosePerform: decision(_you, settle.performances, settle.choose_perform, perform_prompt),
    steps.DiscardEvent: action(settle.discard_event),
    steps.AdvanceIssueAndEvent: action(settle.advance),
    steps.ChooseToAdvance: decision(
        _acting,
        settle.to_advance,
        settle.choose_to_advance,
        advance_prompt,
        settle.refuse_advance,
    ),
    steps.ChooseCube: decision(_acting, settle.cube_choices, settle.choose_cube, cube_prompt),
    steps.AddIssue: action(settle.add_issue),
    steps.ChooseSource: decision(
        _acting,
        settle.sources,
        settle.choose_source,
        plain_prompt("source"),
        settle.refuse_source,
    ),
    steps.DrawIssues: draw(settle.next_issues, settle.take_drawn),
    steps.ChooseKept: decision(
        _acting,
        settle.kept_choices,
        settle.choose_kept,
        plain_prompt("keep"),
        refusal("versailles.refused.already_drawn", "V-SETTLE-13"),
    ),
    steps.DrawEvent: action(settle.draw_event),
    steps.RevealEvent: draw(lambda p, step: chance.Draw(p.events, 1), settle.reveal_event),
    # Events
    steps.Do: action(effects.do),
    steps.ChoosePlayer: decision(
        _you, effects.player_choices, effects.choose_player, plain_prompt("player")
    ),
    steps.ChooseRegions: decision(
        _you, effects.region_choices, effects.choose_regions, plain_prompt("region")
    ),
    steps.ChooseKegRegion: decision(
        _you, effects.keg_choices, effects.choose_keg_region, plain_prompt("keg_region")
    ),
    steps.ChooseBranch: decision(
        _subject,
        effects.branch_choices,
        effects.choose_branch,
        branch_prompt,
        refusal("versailles.refused.cannot_pay", "V-EVENT-11"),
    ),
    steps.ChooseSign: decision(_you, effects.sign_choices, effects.choose_sign, sign_prompt),
    steps.ChooseUnit: decision(_its_nation, effects.unit_choices, effects.choose_unit, unit_prompt),
    steps.ChooseDeploy: decision(
        _its_nation, effects.deploy_choices, effects.choose_deploy, plain_prompt("deploy")
    ),
    steps.ChooseCleared: decision(
        _you, effects.cleared_choices, effects.choose_cleared, plain_prompt("clear")
    ),
    steps.RollRegion: roll(lambda p, step: chance.Dice(1), effects.roll_region),
    # Uprisings
    steps.Checking: action(uprising.checking),
    steps.Announce: either(
        decision(
            _next_waiting,
            uprising.modifiers,
            uprising.announce,
            region_prompt("modify"),
            refusal("versailles.refused.bot_modifier", "V-SOLO-31"),
        ),
        roll(uprising.uprising_die, uprising.roll_uprising),
    ),
    steps.Uprising: action(uprising.uprising),
    steps.ChooseAffected: decision(
        lambda p, step: step.by,
        uprising.affected_choices,
        uprising.choose_affected,
        region_prompt("affected"),
        refusal("versailles.refused.not_tied", "V-UPR-11"),
    ),
    steps.RollOff: roll(lambda p, step: chance.Dice(len(step.tied)), uprising.roll_off),
    steps.Affected: action(uprising.affected),
    steps.Unsettle: action(auction.unsettle),
    steps.ChooseUnsettled: decision(
        _its_nation,
        uprising.unsettled_choices,
        uprising.choose_unsettled,
        plain_prompt("unsettled"),
        uprising.refuse_unsettled,
    ),
    steps.StartBid: action(auction.start_bid),
    steps.Bidding: open_decision(
        _next_waiting,
        auction.bid_answers,
        auction.bid,
        bid_prompt,
        lambda now, nation: auction.forced_pass(now.state, now.step),
    ),
    steps.Reset: action(uprising.reset_region),
    steps.AfterCheck: action(uprising.after_check),
    steps.SelectStrategies: action(uprising.select_strategies),
    steps.ChooseStrategy: decision(
        _next_waiting,
        uprising.free_strategies,
        uprising.choose_strategy,
        plain_prompt("strategy"),
        refusal("versailles.refused.strategy_taken", "V-STRAT-04"),
    ),
    # Solitaire
    steps.BotMilitary: action(solo.bot_military),
    steps.BotRegion: roll(lambda p, step: chance.Dice(len(step.regions)), solo.roll_bot_region),
    steps.BotPolitical: action(solo.bot_political),
    steps.BotSettles: decision(
        _active,
        solo.bot_settle_choices,
        solo.bot_settles,
        bot_settles_prompt,
        refusal("versailles.refused.bot_settle", "V-SOLO-19"),
    ),
    steps.BotPlaces: decision(
        _its_nation,
        solo.bot_places,
        solo.place_for_bot,
        nation_prompt("bot_places"),
        refusal("versailles.refused.bot_place", "V-SOLO-20"),
    ),
    steps.BotReclaims: decision(
        _its_nation,
        solo.bot_reclaims,
        solo.reclaim_for_bot,
        nation_prompt("bot_reclaims"),
        refusal("versailles.refused.bot_reclaim", "V-SOLO-21"),
    ),
    steps.ChangeFaction: decision(
        _human,
        solo.weakest,
        solo.change_faction,
        plain_prompt("faction"),
        refusal("versailles.refused.not_weakest", "V-SOLO-33"),
    ),
    steps.SoloBid: open_decision(
        _human,
        auction.solo_bid_answers,
        auction.solo_bid,
        solo_bid_prompt,
        lambda now, nation: auction.forced_solo_pass(now.state, now.step),
    ),
    steps.SoloWinner: decision(
        _human, auction.winner_choices, auction.solo_winner, issue_prompt("winner")
    ),
}


# Reading a position by the table


def waits_for_chance(p: Position, step: Any) -> bool:
    owed = KINDS[type(step)].owed
    return owed is not None and owed(p, step) is not None


def decider(p: Position) -> int:
    """The nation whose decision is pending, or NOBODY."""
    if not p.agenda or waits_for_chance(p, p.agenda[-1]):
        return NOBODY
    step = p.agenda[-1]
    return KINDS[type(step)].asked(p, step)[0]


def deciding_seat(p: Position) -> str:
    """The seat that answers the pending step."""
    step = p.agenda[-1]
    if isinstance(step, steps.ChooseNation):
        return p.seats[step.seat]
    return seat_of(p, KINDS[type(step)].asked(p, step)[0])


def legal_answers(p: Position) -> Answers:
    """The answers to the pending step, deals aside."""
    step = p.agenda[-1]
    kind = KINDS[type(step)]
    return cast(Answers, kind.legal(p, step, NOBODY))  # every row's answers give reasons


def kept_answers(p: Position) -> list[Any]:
    """The answers to the pending step that keep every deal."""
    return binding.kept_answers(p, p.agenda[-1], decider(p), legal_answers(p))
