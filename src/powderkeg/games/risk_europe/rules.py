"""The flow: who acts, when, and what comes next. Each step of the agenda is one row of `KINDS`."""

from typing import Any, Final

from powderkeg.core import agenda
from powderkeg.core.ask import Question
from powderkeg.core.chance import CHANCE
from powderkeg.core.game import Legal, Listed, Result, Seat, Step
from powderkeg.core.words import Msg
from powderkeg.games.risk_europe import (
    actions,
    battles,
    missions,
    packs,
    questions,
    rounds,
    setup,
    turns,
    words,
)
from powderkeg.games.risk_europe.actions import Action
from powderkeg.games.risk_europe.board import COLOURS
from powderkeg.games.risk_europe.choices import Also, Forces
from powderkeg.games.risk_europe.state import (
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
    Options,
    Pick,
    Reveals,
    Settle,
    Shields,
    Spend,
    State,
    Tax,
    Tie,
    Turn,
)
from powderkeg.games.risk_europe.steps import Kind, illegal

KINDS: Final[dict[type, Kind]] = {
    Shields: Kind(owed=setup.shields_owed, outcome=setup.shields_drawn),
    Bid: Kind(
        act=setup.open_bids,
        asked=setup.bidders,
        legal=setup.bids,
        answer=setup.bid,
        question=questions.bid,
    ),
    Tie: Kind(owed=setup.tie_dice, outcome=setup.tie_rolled),
    Settle: Kind(
        asked=setup.settle_asked,
        legal=setup.settle_legal,
        answer=setup.settle,
        question=questions.settle,
    ),
    Garrison: Kind(
        asked=setup.garrison_asked,
        legal=setup.garrison_legal,
        answer=setup.garrison,
        question=questions.garrison,
        default=setup.fair_split,
    ),
    NewRound: Kind(act=rounds.new_round),
    Pick: Kind(
        act=rounds.close_picks,
        asked=rounds.pickers,
        legal=rounds.picks,
        answer=rounds.pick,
        question=questions.pick,
    ),
    Auctions: Kind(
        asked=rounds.auction_asked,
        legal=rounds.auction_legal,
        answer=rounds.auction,
        question=questions.auction,
    ),
    Turn: Kind(act=rounds.turn_card, owed=rounds.mercenary_card, outcome=rounds.mercenary_turns),
    Missions: Kind(
        act=rounds.take_missions, owed=rounds.missions_owed, outcome=rounds.missions_drawn
    ),
    Keep: Kind(
        asked=rounds.keep_asked,
        legal=rounds.keep_legal,
        answer=rounds.keep,
        question=questions.keep,
    ),
    Act: Kind(
        asked=turns.actor,
        legal=turns.act_legal,
        answer=turns.act,
        question=questions.act,
        default=turns.pass_turn,
        single=turns.is_spent,
    ),
    Move: Kind(
        asked=turns.actor,
        legal=turns.move_legal,
        answer=turns.move,
        question=questions.move,
        default=turns.careful_move,
    ),
    Tax: Kind(asked=turns.actor, legal=turns.tax_legal, answer=turns.tax, question=questions.tax),
    Spend: Kind(
        asked=turns.actor,
        legal=turns.spend_legal,
        answer=turns.spend,
        question=questions.spend,
        default=turns.spend_nothing,
    ),
    Assault: Kind(owed=battles.assault_dice, outcome=battles.assault_rolled),
    Casualties: Kind(
        asked=battles.casualties_asked,
        legal=battles.casualties_legal,
        answer=battles.casualties_answer,
        question=questions.casualties,
        default=battles.usual_losses,
    ),
    Battles: Kind(
        act=battles.begin_battles,
        asked=lambda state, step: (battles.speaker(state),),
        legal=battles.fights,
        answer=battles.fight,
        question=questions.battles,
    ),
    Battle: Kind(
        act=battles.skip_rank,
        owed=battles.battle_dice,
        outcome=battles.battle_rolled,
        asked=battles.battle_asked,
        legal=battles.battle_legal,
        answer=battles.battle_answer,
        question=questions.battle,
        default=battles.usual_losses,
    ),
    Reveals: Kind(
        act=rounds.close_reveals,
        asked=rounds.revealers,
        legal=rounds.reveal_legal,
        answer=rounds.no_reveal,
        question=questions.reveals,
        single=lambda state, step, who: False,  # even nothing to show is a secret
    ),
    EndRound: Kind(act=rounds.end_round),
}


# The contract

name: Final = "risk_europe"
version: Final = 1
players: Final = range(2, 5)


def seats(players: int, options: Options) -> tuple[Seat, ...]:
    if players not in (2, 3, 4):
        raise illegal("players", "R-SET-01", n=players)
    packs.given(options.cards)  # refuses a pack that cannot be read
    return COLOURS[:players]


def start(seats: tuple[Seat, ...], options: Options) -> State:
    state: State = _run(setup.start(seats, options)).state
    return state


def to_act(state: State) -> frozenset[Seat]:
    if not state.agenda:
        return frozenset()
    step = state.agenda[-1]
    kind = KINDS[type(step)]
    if kind.owed(state, step) is not None:
        return frozenset({CHANCE})
    return frozenset(state.colours[i] for i in kind.asked(state, step))


def legal(state: State, seat: Seat) -> Legal:
    if not state.agenda:
        return Listed()
    step = state.agenda[-1]
    kind = KINDS[type(step)]
    owed = kind.owed(state, step)
    if seat == CHANCE:
        return owed if owed is not None else Listed()
    who = state.colours.index(seat)
    if owed is not None or not _plays(state, who):
        return Listed()
    here = kind.legal(state, step, who) if _may_answer(state, step, who) else Listed()
    more = tuple(actions.Reveal(card) for card in missions.ready(state, who))
    return Also(here, more) if more else here


def _plays(state: State, who: int) -> bool:
    return 0 <= who < state.people and not state.armies[who].out


def _may_answer(state: State, step: Any, who: int) -> bool:
    """Secret choices may be changed by those who have made theirs, until all have."""
    return isinstance(step, Pick | Bid) or who in KINDS[type(step)].asked(state, step)


def ask(state: State, seat: Seat) -> Question | None:
    """Also for those who may act unasked: change a secret choice, or show a mission."""
    if not state.agenda or seat not in state.colours[: state.people]:
        return None
    step = state.agenda[-1]
    kind = KINDS[type(step)]
    who = state.colours.index(seat)
    if kind.owed(state, step) is not None or not _plays(state, who):
        return None
    ready = missions.ready(state, who)
    if _may_answer(state, step, who):
        return questions.with_reveals(kind.question(state, step, who), ready)
    return questions.only_reveals(ready) if ready else None


def apply(state: State, seat: Seat, action: Any) -> Step:
    if not state.agenda:
        raise illegal("game_over", "R-ROUND-06")
    step = state.agenda[-1]
    kind = KINDS[type(step)]
    owed = kind.owed(state, step)
    if seat == CHANCE:
        if owed is None or action not in owed:
            raise illegal("no_such_outcome", "R-ROUND-01", outcome=str(action))
        return _then(kind.outcome(state, step, action))
    who = state.colours.index(seat) if seat in state.colours else -1
    if owed is not None or not _plays(state, who):
        raise illegal("not_now", "R-ROUND-01")
    if isinstance(action, actions.Reveal):
        return _then(_reveal(state, who, action.card))
    if not _may_answer(state, step, who):
        raise illegal("not_your_turn", "R-ROUND-02")
    return _then(kind.answer(state, step, who, action))


def _reveal(state: State, who: int, card: str) -> Step:
    if card not in state.armies[who].missions:
        raise illegal("not_your_mission", "R-MISSION-04")
    if card not in missions.ready(state, who):
        raise illegal("mission_not_done", "R-MISSION-05", crown=Msg(f"risk_europe.crown.{card}"))
    return rounds.reveal(state, who, card)


def _then(first: Step) -> Step:
    """What an answer brings about, and all that follows by itself."""
    more = _run(first.state)
    return Step(more.state, first.facts + more.facts, first.barrier or more.barrier)


def _run(state: State) -> Step:
    return agenda.run(state, _act)


def _act(state: State, step: Any) -> Step | None:
    kind = KINDS[type(step)]
    done = kind.act(state, step)
    return done if done is not None else _forced(state, step, kind)


def _forced(state: State, step: Any, kind: Kind) -> Step | None:
    """Whoever has a single choice has made it: no click is needed."""
    if kind.owed(state, step) is not None:
        return None
    for who in kind.asked(state, step):
        if (kind.single or _is_single)(state, step, who):
            return kind.answer(state, step, who, next(iter(kind.legal(state, step, who))))
    return None


def _is_single(state: State, step: Any, who: int) -> bool:
    choices = KINDS[type(step)].legal(state, step, who)
    return choices.is_single() if isinstance(choices, Forces) else choices.count_all() == 1


def default(state: State, seat: Seat) -> Action:
    """The harmless choice: pass, bid nothing, keep the dice, lose the cheapest units."""
    step = state.agenda[-1]
    kind = KINDS[type(step)]
    who = state.colours.index(seat)
    if kind.default is not None:
        action: Action = kind.default(state, step, who)
        return action
    first: Action = next(iter(kind.legal(state, step, who)))
    return first


def result(state: State) -> Result | None:
    if not state.over:
        return None
    ranking = tuple(tuple(state.colours[i] for i in group) for group in state.ranking)
    share = 1 / len(ranking[0])
    scores = {seat: share if seat in ranking[0] else 0.0 for group in ranking for seat in group}
    winners = [Msg(f"risk_europe.seat.{seat}") for seat in ranking[0]]
    counts = [rounds.standing(state, i)[0] for i in state.ranking[0]]
    why = Msg(f"risk_europe.won.{state.over}", winners=winners, crowns=words.crowns(max(counts)))
    return Result(ranking, scores, why, _WIN_RULES[state.over])


_WIN_RULES: Final = {"crowns": "R-WIN-01", "last": "R-WIN-07", "rounds": "R-WIN-03"}
