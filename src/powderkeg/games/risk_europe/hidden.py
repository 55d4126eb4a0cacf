"""The one place where secrets are cut, and where they are drawn anew.

`mask` blanks all that a viewer may not know; a view is made from a masked state only. `deal`
fills the blanks again with what could lie there.
"""

from powderkeg.core import plain
from powderkeg.core.chance import Rng
from powderkeg.core.game import Seat, View
from powderkeg.games.risk_europe import battle, packs
from powderkeg.games.risk_europe.actions import Lose
from powderkeg.games.risk_europe.battles import chooser
from powderkeg.games.risk_europe.choices import Forces, has_choice
from powderkeg.games.risk_europe.rounds import in_deck_order
from powderkeg.games.risk_europe.state import (
    NO_BID,
    NOBODY,
    SECRET,
    UNKNOWN,
    Army,
    Battle,
    Keep,
    Losses,
    Move,
    Returned,
    State,
    Todo,
    attack_at,
    instead,
    player,
)

HIDDEN: Losses = (SECRET,) * 4


def mask(state: State, seat: Seat | None) -> State:
    """`state` without what `seat` (None: a spectator) may not know."""
    who = NOBODY if seat is None else state.colours.index(seat)
    shown = state._replace(
        armies=tuple(
            army if i == who or i >= state.people else _face_down(army)
            for i, army in enumerate(state.armies)
        ),
        bottom=tuple(
            card if card.by == who else Returned(UNKNOWN, card.by) for card in state.bottom
        ),
        agenda=tuple(_masked(state, step, who) for step in state.agenda),
    )
    return shown._replace(unseen=_unknown_cards(shown)) if state.options.missions else shown


def _face_down(army: Army) -> Army:
    """Which cards are left is known from the discards; which of them were placed is not."""
    return army._replace(
        hand=in_deck_order(army.hand + army.stack),
        stack=(UNKNOWN,) * len(army.stack),
        bid=army.bid if army.bid == NO_BID else SECRET,
        missions=(UNKNOWN,) * len(army.missions),
    )


def _masked(state: State, step: Todo, who: int) -> Todo:
    if isinstance(step, Keep) and step.army != who:
        return step._replace(cards=(UNKNOWN,) * len(step.cards))
    if isinstance(step, Move) and player(state, step.army) != who:
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
    on_defender, on_attacker = battle.hits(step.rank, step.attacker, step.defender)
    attacker_loses, defender_loses = step.attacker_loses, step.defender_loses
    if chooser(state, attack.army, owner) != who and has_choice(attack.units, on_attacker):
        attacker_loses = attacker_loses and HIDDEN
    if chooser(state, owner, attack.army) != who and has_choice(state.units[step.at], on_defender):
        defender_loses = defender_loses and HIDDEN
    return step._replace(attacker_loses=attacker_loses, defender_loses=defender_loses)


def _unknown_cards(shown: State) -> tuple[str, ...]:
    """The missions that this viewer has not seen, wherever they lie."""
    seen = {card for army in shown.armies for card in army.missions + army.completed}
    seen |= {card.card for card in shown.bottom}
    seen |= {card for step in shown.agenda if isinstance(step, Keep) for card in step.cards}
    return tuple(card for card in packs.given(shown.options.cards) if card not in seen)


def deal(view: View, rng: Rng) -> State:
    """A full state that fits `view`, its secrets drawn at random."""
    state = plain.load(State, view["state"])
    pool = list(state.unseen)

    def fill(cards: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(_taken(pool, rng) if card == UNKNOWN else card for card in cards)

    state = state._replace(
        armies=tuple(
            _dealt(army._replace(missions=fill(army.missions)), rng) for army in state.armies
        ),
        bottom=tuple(Returned(fill((card.card,))[0], card.by) for card in state.bottom),
    )
    top = state.agenda[-1] if state.agenda else None
    if isinstance(top, Keep):
        state = instead(state, top._replace(cards=fill(top.cards)))
    if isinstance(top, Battle):
        state = instead(state, _with_losses(state, top, rng))
    return state._replace(unseen=tuple(card for card in state.unseen if card in pool))


def _taken(pool: list[str], rng: Rng) -> str:
    return pool.pop(rng.randrange(len(pool)))


def _dealt(army: Army, rng: Rng) -> Army:
    hand = list(army.hand)
    stack = tuple(_taken(hand, rng) if card == UNKNOWN else card for card in army.stack)
    bid = rng.randrange(army.coins + 1) if army.bid == SECRET else army.bid
    return army._replace(hand=tuple(hand), stack=stack, bid=bid)


def _with_losses(state: State, step: Battle, rng: Rng) -> Battle:
    attack = attack_at(state, step.at)
    on_defender, on_attacker = battle.hits(step.rank, step.attacker, step.defender)
    if step.attacker_loses == HIDDEN and attack:
        force = Forces(Lose, attack.units, on_attacker, on_attacker)
        step = step._replace(attacker_loses=force.sample(rng).units)
    if step.defender_loses == HIDDEN:
        force = Forces(Lose, state.units[step.at], on_defender, on_defender)
        step = step._replace(defender_loses=force.sample(rng).units)
    return step
