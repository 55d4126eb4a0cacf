"""Hides the secrets of the game: `mask` blanks everything that a viewer may not know.

A view is made from a masked state only; facts have their own readers.
"""

from powderkeg.core.game import Seat
from powderkeg.games.risk_europe.board import NOBODY
from powderkeg.games.risk_europe.cards import pack
from powderkeg.games.risk_europe.rules import battle_dice
from powderkeg.games.risk_europe.rules.battles import loss_chooser
from powderkeg.games.risk_europe.rules.forces import has_choice
from powderkeg.games.risk_europe.rules.rounds import in_deck_order
from powderkeg.games.risk_europe.state import (
    NO_BID_YET,
    SECRET_NUMBER,
    UNKNOWN_CARD,
    Army,
    Returned,
    State,
    attack_at,
    deciding_player,
)
from powderkeg.games.risk_europe.steps import Battle, Keep, Losses, Move, Pending

HIDDEN_LOSSES: Losses = (SECRET_NUMBER,) * 4


def mask_state(state: State, seat: Seat | None) -> State:
    """`state` without what `seat` (None: a spectator) may not know."""
    who = NOBODY if seat is None else state.colours.index(seat)
    shown = state._replace(
        armies=tuple(
            army if i == who or i >= state.people else _face_down(army)
            for i, army in enumerate(state.armies)
        ),
        bottom=tuple(
            card if card.by == who else Returned(UNKNOWN_CARD, card.by) for card in state.bottom
        ),
        agenda=tuple(_mask_step(state, step, who) for step in state.agenda),
    )
    return shown._replace(unseen=_unknown_cards(shown)) if state.options.missions else shown


def _face_down(army: Army) -> Army:
    """Which cards are left is known from the discards; which of them were placed is not."""
    return army._replace(
        hand=in_deck_order(army.hand + army.stack),
        stack=(UNKNOWN_CARD,) * len(army.stack),
        bid=army.bid if army.bid == NO_BID_YET else SECRET_NUMBER,
        missions=(UNKNOWN_CARD,) * len(army.missions),
    )


def _mask_step(state: State, step: Pending, who: int) -> Pending:
    if isinstance(step, Keep) and step.army != who:
        return step._replace(cards=(UNKNOWN_CARD,) * len(step.cards))
    if isinstance(step, Move) and deciding_player(state, step.army) != who:
        return Move(step.army, step.order)  # a move is announced when it is carried out
    if isinstance(step, Battle) and step.stage == "losses":
        return _secret_losses(state, step, who)
    return step


def _secret_losses(state: State, step: Battle, who: int) -> Battle:
    """A choice of losses is secret until both sides have chosen (R-BAT-20)."""
    attack = attack_at(state, step.at)
    if attack is None:
        return step
    owner = state.owner[step.at]
    on_defender, on_attacker = battle_dice.count_hits(step.rank, step.attacker, step.defender)
    attacker_loses, defender_loses = step.attacker_loses, step.defender_loses
    if loss_chooser(state, attack.army, owner) != who and has_choice(attack.units, on_attacker):
        attacker_loses = attacker_loses and HIDDEN_LOSSES
    if loss_chooser(state, owner, attack.army) != who and has_choice(
        state.units[step.at], on_defender
    ):
        defender_loses = defender_loses and HIDDEN_LOSSES
    return step._replace(attacker_loses=attacker_loses, defender_loses=defender_loses)


def _unknown_cards(shown: State) -> tuple[str, ...]:
    """The missions that this viewer has not seen, wherever they lie."""
    seen = {card for army in shown.armies for card in army.missions + army.completed}
    seen |= {card.card for card in shown.bottom}
    seen |= {card for step in shown.agenda if isinstance(step, Keep) for card in step.cards}
    return tuple(card for card in pack.crown_pack(shown.options.cards) if card not in seen)
