"""The table of all kinds of step: `KINDS` has one row per step, with everything it can do.

The rules stand in `rules` and `events`; a row only says which of their functions belong to a step.
`flow` runs the table.
"""

from collections.abc import Callable, Sequence
from typing import Any, Final, TypeAlias, cast

from powderkeg.core import chance
from powderkeg.core.agenda import CHANGED, Kind, Moment, in_place, never_forced, sole_answer
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
    regions_prompt,
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
from powderkeg.games.versailles.rules.absence import answer_harm
from powderkeg.games.versailles.rules.answers import LegalAnswers, ListedAnswers
from powderkeg.games.versailles.state import Position, StateBuilder, nation_seat

GameKind: TypeAlias = Kind[Position, StateBuilder]
Decider: TypeAlias = Callable[[Position, Any], int]
ReasonGiver: TypeAlias = Callable[[Position, Any, Any], Illegal]


# Making rows


def act_kind(act: Callable[[StateBuilder, Any], None]) -> GameKind:
    """A step that acts by itself."""
    return Kind(act=in_place(act))


def roll_kind(
    owed: Callable[[Position, Any], chance.Owed | None],
    outcome: Callable[[StateBuilder, Any, chance.Roll], None],
) -> GameKind:
    """A step that waits for dice."""

    def change(b: StateBuilder, step: Any, rolled: chance.Roll) -> Step:
        b.pop()
        outcome(b, step, rolled)
        return CHANGED

    return Kind(owed=owed, outcome=change)


def draw_kind(
    owed: Callable[[Position, Any], chance.Owed | None],
    outcome: Callable[[StateBuilder, Any, tuple[str, ...]], None],
) -> GameKind:
    """A step that waits for cards."""

    def change(b: StateBuilder, step: Any, drawn: chance.Drawn) -> Step:
        b.pop()
        outcome(b, step, drawn.items)
        return CHANGED

    return Kind(owed=owed, outcome=change)


def listed_decision(
    decider: Decider,
    choices: Callable[[Position, Any], Sequence[Any]],
    answer: Callable[[StateBuilder, Any, Any], None],
    prompt: Prompt,
    refusal: ReasonGiver | None = None,
) -> GameKind:
    """A step that asks a nation to choose from a list."""
    refuse = refusal or _not_offered

    def answers(p: Position, step: Any) -> LegalAnswers:
        return ListedAnswers(choices(p, step), lambda action: refuse(p, step, action))

    return open_decision(decider, answers, answer, prompt)


def open_decision(
    decider: Decider,
    answers: Callable[[Position, Any], LegalAnswers],
    answer: Callable[[StateBuilder, Any, Any], None],
    prompt: Prompt,
    forced: Callable[[Moment[Any, Any], int], Any] = sole_answer,
) -> GameKind:
    """A step that asks a nation, whose answers may be too many to list."""

    def kept_answers(p: Position, step: Any, nation: int) -> list[Any]:
        return binding.filter_answers(p, step, nation, answers(p, step))

    return Kind(
        asked=lambda p, step: (decider(p, step),),
        legal=lambda p, step, nation: answers(p, step),
        answer=_keeping_deals(answer),
        question=lambda p, step, nation: put_question(
            p, prompt(p, step), kept_answers(p, step, nation)
        ),
        default=lambda p, step, nation: min(
            kept_answers(p, step, nation), key=lambda action: answer_harm(p, action)
        ),
        forced=forced,
    )


def _keeping_deals(answer: Callable[[StateBuilder, Any, Any], None]) -> Callable[..., Step]:
    """Carry out an answer and strike the terms that it fulfils."""

    def change(b: StateBuilder, step: Any, nation: int, action: Any) -> Step:
        kept = not binding.broken_deal(
            b, step, nation, action
        )  # only a forced answer may break one
        b.pop()
        answer(b, step, action)
        if b.deals and kept:
            binding.strike_answered(b, step, nation, action)
        return CHANGED

    return change


def skippable_decision(kind: GameKind, skip: Callable[[StateBuilder, Any], bool]) -> GameKind:
    """A decision that `skip` passes over where nothing is left to decide."""
    return kind._replace(act=lambda b, step: CHANGED if skip(b, step) else None)


def ask_or_chance(asking: GameKind, chancing: GameKind) -> GameKind:
    """A step that waits for chance while dice or cards are owed, and otherwise asks."""
    return asking._replace(owed=chancing.owed, outcome=chancing.outcome)


def _not_offered(p: Position, step: Any, action: Any) -> Illegal:
    return Illegal("versailles.refused.not_offered", rule="V-TURN-11", action=str(action))


def fixed_refusal(code: str, rule: str) -> ReasonGiver:
    """The same reason for every answer that is not legal."""
    return lambda p, step, action: Illegal(code, rule=rule)


# The nation that a step asks


def _nobody_yet(p: Position, step: object) -> int:
    return NOBODY  # before nations are chosen a seat is asked: see `deciding_seat`


def _active_nation(p: Position, step: object) -> int:
    return p.active


def _acting_nation(p: Position, step: object) -> int:
    """Steps 3 to 5 of settling are the acting side's (V-SETTLE-02)."""
    return p.acting


def _human_nation(p: Position, step: object) -> int:
    return p.human


def _usa_nation(p: Position, step: object) -> int:
    return USA


def _step_nation(p: Position, step: Any) -> int:
    return cast(int, step.nation)


def _step_you(p: Position, step: Any) -> int:
    return cast(int, step.you)


def _step_subject(p: Position, step: steps.ChooseBranch) -> int:
    return step.subject


def _next_waiting(p: Position, step: Any) -> int:
    return cast(int, step.waiting[0])


# The table

KINDS: Final[dict[type, GameKind]] = {
    # Set-up
    steps.FirstPlayer: draw_kind(lambda p, step: chance.Draw(p.seats, 1), setup.first_player),
    steps.ChooseNation: listed_decision(
        _nobody_yet,
        setup.free_nations,
        setup.choose_nation,
        plain_prompt("nation"),
        fixed_refusal("versailles.refused.nation_taken", "V-SET-03"),
    ),
    steps.FactionOrder: ask_or_chance(
        listed_decision(
            _nobody_yet,
            setup.free_factions,
            setup.choose_faction,
            faction_prompt,
            fixed_refusal("versailles.refused.nation_taken", "V-SOLO-02"),
        ),
        draw_kind(setup.factions_owed, setup.draw_factions),
    ),
    steps.DealIssues: draw_kind(setup.issues_owed, setup.deal_issues),
    steps.DealEvents: draw_kind(setup.events_owed, setup.deal_events),
    steps.DealStrategies: draw_kind(setup.strategies_owed, setup.deal_strategies),
    # Turns
    steps.StartTurn: act_kind(turn.start_turn),
    steps.Turn: skippable_decision(
        open_decision(_active_nation, turn.turn_answers, turn.take_turn, turn_prompt, never_forced),
        turn.skip_turn,
    ),
    steps.UsaTurn: skippable_decision(
        open_decision(
            _usa_nation, turn.usa_answers, turn.take_usa_turn, plain_prompt("usa"), never_forced
        ),
        turn.skip_usa_turn,
    ),
    steps.EndTurn: act_kind(turn.end_turn),
    steps.PlaceSecond: open_decision(
        _step_nation,
        turn.second_answers,
        turn.place_second,
        nation_prompt("place_second"),
        never_forced,
    ),
    steps.Mutinies: act_kind(turn.check_mutinies),
    steps.ChooseMutineer: listed_decision(
        _step_nation,
        turn.mutineer_choices,
        turn.choose_mutineer,
        nation_prompt("mutiny"),
        fixed_refusal("versailles.refused.mutiny_owed", "V-MUT-03"),
    ),
    # Settle an Issue
    steps.ResolveIssue: act_kind(settle.resolve_issue),
    steps.ChooseOption: listed_decision(
        _step_nation,
        issue_options.open_options,
        issue_options.choose_option,
        issue_prompt("option"),
        issue_options.refuse_option,
    ),
    steps.ChooseFlag: listed_decision(
        _step_nation, issue_options.open_flags, issue_options.choose_flag, issue_prompt("flag")
    ),
    steps.ResolveConferenceEvent: act_kind(settle.resolve_conference),
    steps.ChoosePerform: listed_decision(
        _step_you, settle.perform_choices, settle.choose_perform, perform_prompt
    ),
    steps.DiscardEvent: act_kind(settle.discard_event),
    steps.AdvanceIssueAndEvent: act_kind(settle.start_advance),
    steps.ChooseToAdvance: listed_decision(
        _acting_nation,
        settle.advance_choices,
        settle.choose_to_advance,
        advance_prompt,
        settle.refuse_advance,
    ),
    steps.ChooseCube: listed_decision(
        _acting_nation, settle.cube_choices, settle.choose_cube, cube_prompt
    ),
    steps.AddIssue: act_kind(settle.add_issue),
    steps.ChooseSource: listed_decision(
        _acting_nation,
        settle.source_choices,
        settle.choose_source,
        plain_prompt("source"),
        settle.refuse_source,
    ),
    steps.DrawIssues: draw_kind(settle.next_issues, settle.take_drawn),
    steps.ChooseKept: listed_decision(
        _acting_nation,
        settle.kept_choices,
        settle.choose_kept,
        plain_prompt("keep"),
        fixed_refusal("versailles.refused.already_drawn", "V-SETTLE-13"),
    ),
    steps.DrawEvent: act_kind(settle.draw_event),
    steps.RevealEvent: draw_kind(lambda p, step: chance.Draw(p.events, 1), settle.reveal_event),
    # Events
    steps.Do: act_kind(effects.perform_effect),
    steps.ChoosePlayer: listed_decision(
        _step_you, effects.player_choices, effects.choose_player, plain_prompt("player")
    ),
    steps.ChooseRegions: listed_decision(
        _step_you, effects.region_choices, effects.choose_regions, regions_prompt
    ),
    steps.ChooseKegRegion: listed_decision(
        _step_you, effects.keg_choices, effects.choose_keg_region, plain_prompt("keg_region")
    ),
    steps.ChooseBranch: listed_decision(
        _step_subject,
        effects.branch_choices,
        effects.choose_branch,
        branch_prompt,
        fixed_refusal("versailles.refused.cannot_pay", "V-EVENT-11"),
    ),
    steps.ChooseSign: listed_decision(
        _step_you, effects.sign_choices, effects.choose_sign, sign_prompt
    ),
    steps.ChooseUnit: listed_decision(
        _step_nation, effects.unit_choices, effects.choose_unit, unit_prompt
    ),
    steps.ChooseDeploy: listed_decision(
        _step_nation, effects.deploy_choices, effects.choose_deploy, plain_prompt("deploy")
    ),
    steps.ChooseCleared: listed_decision(
        _step_you, effects.cleared_choices, effects.choose_cleared, plain_prompt("clear")
    ),
    steps.RollRegion: roll_kind(lambda p, step: chance.Dice(1), effects.roll_region),
    # Uprisings
    steps.Checking: act_kind(uprising.check_regions),
    steps.Announce: ask_or_chance(
        listed_decision(
            _next_waiting,
            uprising.modifier_choices,
            uprising.announce_modifier,
            region_prompt("modify"),
            fixed_refusal("versailles.refused.bot_modifier", "V-SOLO-31"),
        ),
        roll_kind(uprising.uprising_die, uprising.roll_uprising),
    ),
    steps.Uprising: act_kind(uprising.start_uprising),
    steps.ChooseAffected: listed_decision(
        lambda p, step: step.by,
        uprising.affected_choices,
        uprising.choose_affected,
        region_prompt("affected"),
        fixed_refusal("versailles.refused.not_tied", "V-UPR-11"),
    ),
    steps.RollOff: roll_kind(lambda p, step: chance.Dice(len(step.tied)), uprising.roll_off),
    steps.Affected: act_kind(uprising.hit_nation),
    steps.Unsettle: act_kind(auction.unsettle_issue),
    steps.ChooseUnsettled: listed_decision(
        _step_nation,
        uprising.unsettled_choices,
        uprising.choose_unsettled,
        plain_prompt("unsettled"),
        uprising.refuse_unsettled,
    ),
    steps.StartBid: act_kind(auction.start_bid),
    steps.Bidding: open_decision(
        _next_waiting,
        auction.bid_answers,
        auction.place_bid,
        bid_prompt,
        lambda now, nation: auction.forced_pass(now.state, now.step),
    ),
    steps.Reset: act_kind(uprising.reset_region),
    steps.AfterCheck: act_kind(uprising.after_check),
    steps.SelectStrategies: act_kind(uprising.select_strategies),
    steps.ChooseStrategy: listed_decision(
        _next_waiting,
        uprising.free_strategies,
        uprising.choose_strategy,
        plain_prompt("strategy"),
        fixed_refusal("versailles.refused.strategy_taken", "V-STRAT-04"),
    ),
    # Solitaire
    steps.BotMilitary: act_kind(solo.bot_military),
    steps.BotRegion: roll_kind(
        lambda p, step: chance.Dice(len(step.regions)), solo.roll_bot_region
    ),
    steps.BotPolitical: act_kind(solo.bot_political),
    steps.BotSettles: listed_decision(
        _active_nation,
        solo.bot_settle_choices,
        solo.bot_settles,
        bot_settles_prompt,
        fixed_refusal("versailles.refused.bot_settle", "V-SOLO-19"),
    ),
    steps.BotPlaces: listed_decision(
        _step_nation,
        solo.bot_places,
        solo.place_for_bot,
        nation_prompt("bot_places"),
        fixed_refusal("versailles.refused.bot_place", "V-SOLO-20"),
    ),
    steps.BotReclaims: listed_decision(
        _step_nation,
        solo.bot_reclaims,
        solo.reclaim_for_bot,
        nation_prompt("bot_reclaims"),
        fixed_refusal("versailles.refused.bot_reclaim", "V-SOLO-21"),
    ),
    steps.ChangeFaction: listed_decision(
        _human_nation,
        solo.weakest_factions,
        solo.change_faction,
        plain_prompt("faction"),
        fixed_refusal("versailles.refused.not_weakest", "V-SOLO-33"),
    ),
    steps.SoloBid: open_decision(
        _human_nation,
        auction.solo_bid_answers,
        auction.solo_bid,
        solo_bid_prompt,
        lambda now, nation: auction.forced_solo_pass(now.state, now.step),
    ),
    steps.SoloWinner: listed_decision(
        _human_nation, auction.winner_choices, auction.solo_winner, issue_prompt("winner")
    ),
}


# Reading a position by the table


def waits_for_chance(p: Position, step: Any) -> bool:
    owed = KINDS[type(step)].owed
    return owed is not None and owed(p, step) is not None


def deciding_nation(p: Position) -> int:
    """The nation whose decision is pending, or NOBODY."""
    if not p.agenda or waits_for_chance(p, p.agenda[-1]):
        return NOBODY
    step = p.agenda[-1]
    return KINDS[type(step)].asked(p, step)[0]


def deciding_seat(p: Position) -> str:
    """The seat that answers the pending step."""
    step = p.agenda[-1]
    return asked_seat(p, step, KINDS[type(step)].asked(p, step))


def asked_seat(p: Position, step: Any, asked: tuple[int, ...]) -> str:
    """The seat that decides for the nation that `step` asks; before nations are chosen, its own."""
    if not p.turn and type(step) is steps.ChooseNation:
        return p.seats[step.seat]
    return nation_seat(p, asked[0])


def legal_answers(p: Position) -> LegalAnswers:
    """The answers to the pending step, deals aside."""
    step = p.agenda[-1]
    kind = KINDS[type(step)]
    return cast(LegalAnswers, kind.legal(p, step, NOBODY))  # every row's answers give reasons


def kept_answers(p: Position) -> list[Any]:
    """The answers to the pending step that keep every deal."""
    return binding.filter_answers(p, p.agenda[-1], deciding_nation(p), legal_answers(p))
