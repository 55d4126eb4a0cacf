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
        forces=False,  # even nothing to show is a secret
    ),
    EndRound: Kind(act=rounds.end_round),
}


class Moment:
    """A state that waits: what chance owes, or who is asked and what each may answer."""

    __slots__ = ("answers", "asked", "kind", "owed", "state", "step")

    def __init__(self, state: State) -> None:
        self.state, self.step = state, state.agenda[-1]
        self.kind = KINDS[type(self.step)]
        self.owed = self.kind.owed(state, self.step) if self.kind.owed else None
        self.asked = () if self.owed is not None else self.kind.asked(state, self.step)
        self.answers: dict[int, Legal] = {}

    def may_answer(self, who: int) -> bool:
        """Secret choices may be changed by those who have made theirs, until all have."""
        return who in self.asked or isinstance(self.step, Pick | Bid)

    def legal(self, who: int) -> Legal:
        if who not in self.answers:
            self.answers[who] = self.kind.legal(self.state, self.step, who)
        return self.answers[who]


_latest: list[Moment | None] = [None]


def moment(state: State) -> Moment:
    """The last one is kept: the same state is asked about again and again."""
    now = _latest[0]  # once: another thread may put its own there
    if now is None or now.state is not state:
        _latest[0] = now = Moment(state)
    return now


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
    now = moment(state)
    if now.owed is not None:
        return frozenset({CHANCE})
    return frozenset([state.colours[i] for i in now.asked])


def legal(state: State, seat: Seat) -> Legal:
    if not state.agenda:
        return Listed()
    now = moment(state)
    if seat == CHANCE:
        return now.owed if now.owed is not None else Listed()
    who = state.colours.index(seat)
    if now.owed is not None or not _plays(state, who):
        return Listed()
    here = now.legal(who) if now.may_answer(who) else Listed()
    more = tuple(actions.Reveal(card) for card in missions.ready(state, who))
    return Also(here, more) if more else here


def _plays(state: State, who: int) -> bool:
    return 0 <= who < state.people and not state.armies[who].out


def ask(state: State, seat: Seat) -> Question | None:
    """Also for those who may act unasked: change a secret choice, or show a mission."""
    if not state.agenda or seat not in state.colours[: state.people]:
        return None
    now = moment(state)
    who = state.colours.index(seat)
    if now.owed is not None or not _plays(state, who):
        return None
    ready = missions.ready(state, who)
    if now.may_answer(who):
        return questions.with_reveals(now.kind.question(state, now.step, who), ready)
    return questions.only_reveals(ready) if ready else None


def apply(state: State, seat: Seat, action: Any) -> Step:
    if not state.agenda:
        raise illegal("game_over", "R-ROUND-06")
    now = moment(state)
    if seat == CHANCE:
        if now.owed is None or action not in now.owed:
            raise illegal("no_such_outcome", "R-ROUND-01", outcome=str(action))
        return _then(now.kind.outcome(state, now.step, action))
    who = state.colours.index(seat) if seat in state.colours else -1
    if now.owed is not None or not _plays(state, who):
        raise illegal("not_now", "R-ROUND-01")
    if isinstance(action, actions.Reveal):
        return _then(_reveal(state, who, action.card))
    if not now.may_answer(who):
        raise illegal("not_your_turn", "R-ROUND-02")
    return _then(now.kind.answer(state, now.step, who, action))


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
    act = KINDS[type(step)].act
    done = act(state, step) if act else None
    return done if done is not None else _forced(moment(state))


def _forced(now: Moment) -> Step | None:
    """Whoever has a single choice has made it: no click is needed."""
    if now.kind.forces:
        for who in now.asked:
            choices = now.legal(who)
            if choices.is_single() if isinstance(choices, Forces) else choices.count_all() == 1:
                return now.kind.answer(now.state, now.step, who, next(iter(choices)))
    return None


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
