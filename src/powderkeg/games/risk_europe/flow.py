"""The flow: who acts, when, and what comes next. Each step of the agenda is one row of `KINDS`."""

from typing import Any, Final

from powderkeg.core import agenda
from powderkeg.core.agenda import Kind
from powderkeg.core.ask import Question
from powderkeg.core.chance import CHANCE
from powderkeg.core.errors import Illegal
from powderkeg.core.game import Legal, Listed, Result, Seat, Step
from powderkeg.core.words import Msg
from powderkeg.games.risk_europe import actions, words
from powderkeg.games.risk_europe.actions import Action
from powderkeg.games.risk_europe.ask import (
    add_reveals,
    ask_act,
    ask_auction,
    ask_battle,
    ask_battles,
    ask_bid,
    ask_casualties,
    ask_garrison,
    ask_keep,
    ask_move,
    ask_pick,
    ask_reveal,
    ask_reveals,
    ask_settle,
    ask_spend,
    ask_tax,
)
from powderkeg.games.risk_europe.board import COLOURS
from powderkeg.games.risk_europe.cards import pack
from powderkeg.games.risk_europe.rules import battles, bids, missions, rounds, setup, turns
from powderkeg.games.risk_europe.rules.forces import WithReveals, sole_choice
from powderkeg.games.risk_europe.state import Options, State
from powderkeg.games.risk_europe.steps import (
    Act,
    Assault,
    Auctions,
    Battle,
    Battles,
    Bid,
    Casualties,
    EndRound,
    Garrison,
    Keep,
    Missions,
    Move,
    NewRound,
    Pick,
    Reveals,
    Settle,
    Shields,
    Spend,
    Tax,
    Tie,
    Turn,
)

KINDS: Final[dict[type, Kind[State, State]]] = {
    Shields: Kind(owed=setup.shields_owed, outcome=setup.shields_drawn),
    Bid: Kind(
        act=bids.reveal_bids,
        asked=bids.waiting_bidders,
        legal=bids.bid_options,
        answer=bids.place_secret_bid,
        question=ask_bid,
        revisable=True,
    ),
    Tie: Kind(owed=bids.tie_dice, outcome=bids.tie_rolled),
    Settle: Kind(
        asked=setup.settle_asked,
        legal=setup.settle_legal,
        answer=setup.settle_city,
        question=ask_settle,
    ),
    Garrison: Kind(
        asked=setup.garrison_asked,
        legal=setup.garrison_legal,
        answer=setup.split_garrison,
        question=ask_garrison,
        default=setup.fair_split,
    ),
    NewRound: Kind(act=rounds.new_round),
    Pick: Kind(
        act=rounds.close_picks,
        asked=rounds.card_pickers,
        legal=rounds.pick_options,
        answer=rounds.pick_cards,
        question=ask_pick,
        revisable=True,
    ),
    Auctions: Kind(
        asked=rounds.auction_asked,
        legal=rounds.auction_legal,
        answer=rounds.choose_auction,
        question=ask_auction,
    ),
    Turn: Kind(
        act=rounds.turn_card, owed=rounds.mercenary_card_owed, outcome=rounds.mercenary_card_drawn
    ),
    Missions: Kind(
        act=rounds.take_missions, owed=rounds.missions_owed, outcome=rounds.missions_drawn
    ),
    Keep: Kind(
        asked=rounds.keep_asked,
        legal=rounds.keep_legal,
        answer=rounds.keep_mission,
        question=ask_keep,
    ),
    Act: Kind(
        asked=turns.acting_player,
        legal=turns.act_legal,
        answer=turns.play_card,
        question=ask_act,
        default=turns.pass_turn,
    ),
    Move: Kind(
        asked=turns.acting_player,
        legal=turns.move_legal,
        answer=turns.move_units,
        question=ask_move,
        default=turns.careful_move,
        forced=sole_choice,
    ),
    Tax: Kind(
        asked=turns.acting_player, legal=turns.tax_legal, answer=turns.tax_city, question=ask_tax
    ),
    Spend: Kind(
        asked=turns.acting_player,
        legal=turns.spend_legal,
        answer=turns.spend_coins,
        question=ask_spend,
        default=turns.spend_nothing,
    ),
    Assault: Kind(owed=battles.assault_dice_owed, outcome=battles.assault_rolled),
    Casualties: Kind(
        asked=battles.casualties_asked,
        legal=battles.casualties_legal,
        answer=battles.casualties_answer,
        question=ask_casualties,
        default=battles.usual_losses,
        forced=sole_choice,
    ),
    Battles: Kind(
        act=battles.begin_battles,
        asked=lambda state, step: (battles.marker_holder(state),),
        legal=battles.fight_options,
        answer=battles.choose_fight,
        question=ask_battles,
    ),
    Battle: Kind(
        act=battles.skip_rank,
        owed=battles.battle_dice_owed,
        outcome=battles.battle_rolled,
        asked=battles.battle_asked,
        legal=battles.battle_legal,
        answer=battles.battle_answer,
        question=ask_battle,
        default=battles.usual_losses,
        forced=sole_choice,
    ),
    Reveals: Kind(
        act=rounds.close_reveals,
        asked=rounds.mission_holders,
        legal=rounds.reveal_legal,
        answer=rounds.no_reveal,
        question=ask_reveals,
        forced=agenda.never_forced,  # even nothing to show is a secret
    ),
    EndRound: Kind(act=rounds.end_round),
}


FLOW: Final = agenda.Flow(KINDS)


# The contract


def seats(players: int, options: Options) -> tuple[Seat, ...]:
    if players not in (2, 3, 4):
        raise Illegal("risk_europe.players", rule="R-SET-01", n=players)
    pack.crown_pack(options.cards)  # refuses a pack that cannot be read
    return COLOURS[:players]


def start(seats: tuple[Seat, ...], options: Options) -> State:
    state: State = FLOW.run(setup.initial_state(seats, options)).state
    return state


def to_act(state: State) -> frozenset[Seat]:
    if not state.agenda:
        return frozenset()
    now = FLOW.moment(state)
    if now.owed is not None:
        return frozenset({CHANCE})
    return frozenset([state.colours[i] for i in now.asked])


def legal(state: State, seat: Seat) -> Legal:
    if not state.agenda:
        return Listed()
    now = FLOW.moment(state)
    if seat == CHANCE:
        return now.owed if now.owed is not None else Listed()
    who = state.colours.index(seat)
    if now.owed is not None or not _is_playing(state, who):
        return Listed()
    here = now.legal(who) if now.may_answer(who) else Listed()
    more = tuple(actions.Reveal(card) for card in missions.ready_missions(state, who))
    return WithReveals(here, more) if more else here


def _is_playing(state: State, who: int) -> bool:
    return 0 <= who < state.people and not state.armies[who].out


def ask(state: State, seat: Seat) -> Question | None:
    """Also for those who may act unasked: change a secret choice, or show a mission."""
    if not state.agenda or seat not in state.colours[: state.people]:
        return None
    now = FLOW.moment(state)
    who = state.colours.index(seat)
    if now.owed is not None or not _is_playing(state, who):
        return None
    ready = missions.ready_missions(state, who)
    if now.may_answer(who):
        return add_reveals(now.question(who), ready)
    return ask_reveal(ready) if ready else None


def apply(state: State, seat: Seat, action: Any) -> Step:
    if not state.agenda:
        raise Illegal("risk_europe.game_over", rule="R-ROUND-06")
    now = FLOW.moment(state)
    if seat == CHANCE:
        if now.owed is None or action not in now.owed:
            raise Illegal("risk_europe.no_such_outcome", rule="R-ROUND-01", outcome=str(action))
        return FLOW.resume(now.kind.outcome(state, now.step, action))
    who = state.colours.index(seat) if seat in state.colours else -1
    if now.owed is not None or not _is_playing(state, who):
        raise Illegal("risk_europe.not_now", rule="R-ROUND-01")
    if isinstance(action, actions.Reveal):
        return FLOW.resume(_reveal_now(state, who, action.card))
    if not now.may_answer(who):
        raise Illegal("risk_europe.not_your_turn", rule="R-ROUND-02")
    return FLOW.resume(now.kind.answer(state, now.step, who, action))


def _reveal_now(state: State, who: int, card: str) -> Step:
    if card not in state.armies[who].missions:
        raise Illegal("risk_europe.not_your_mission", rule="R-MISSION-04")
    if card not in missions.ready_missions(state, who):
        raise Illegal(
            "risk_europe.mission_not_done",
            rule="R-MISSION-05",
            crown=Msg(f"risk_europe.crown.{card}"),
        )
    return rounds.reveal_mission(state, who, card)


def default(state: State, seat: Seat) -> Action:
    """The harmless choice: pass, bid nothing, keep the dice, lose the cheapest units."""
    action: Action = FLOW.moment(state).default(state.colours.index(seat))
    return action


def result(state: State) -> Result | None:
    if not state.over:
        return None
    ranking = tuple(tuple(state.colours[i] for i in group) for group in state.ranking)
    share = 1 / len(ranking[0])
    scores = {seat: share if seat in ranking[0] else 0.0 for group in ranking for seat in group}
    winners = [Msg(f"risk_europe.seat.{seat}") for seat in ranking[0]]
    counts = [rounds.army_standing(state, i)[0] for i in state.ranking[0]]
    why = Msg(
        f"risk_europe.won.{state.over}", winners=winners, crowns=words.crown_count(max(counts))
    )
    return Result(ranking, scores, why, _WIN_RULES[state.over])


_WIN_RULES: Final = {"crowns": "R-WIN-01", "last": "R-WIN-07", "rounds": "R-WIN-03"}
