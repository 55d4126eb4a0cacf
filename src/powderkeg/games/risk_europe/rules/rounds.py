"""The round: cards, turns, and what happens at its end."""

from functools import lru_cache

from powderkeg.core.agenda import opening_fact, plain_fact, replace_fields
from powderkeg.core.chance import Draw, Drawn, Owed
from powderkeg.core.errors import Illegal
from powderkeg.core.game import Fact, Legal, Listed, Step, private_fact
from powderkeg.games.risk_europe import actions, words
from powderkeg.games.risk_europe.actions import Action
from powderkeg.games.risk_europe.board import (
    DECK,
    EMPTY,
    GOLD_CITIES,
    MARKER_COINS,
    NOBODY,
    TARGETS,
    Units,
)
from powderkeg.games.risk_europe.rules.battles import marker_holder
from powderkeg.games.risk_europe.rules.missions import crown_card
from powderkeg.games.risk_europe.rules.realm import return_to_reserve
from powderkeg.games.risk_europe.rules.refusals import unexpected_action
from powderkeg.games.risk_europe.state import (
    NO_BID_YET,
    Returned,
    State,
    armies_left,
    cities_of,
    count_crowns,
    deciding_player,
    players_left,
    pop_step,
    push_steps,
    replace_at,
    replace_step,
    territories_of,
    with_army,
)
from powderkeg.games.risk_europe.steps import (
    Act,
    Auctions,
    Battles,
    Bid,
    EndRound,
    Keep,
    Missions,
    NewRound,
    Pending,
    Pick,
    Reveals,
    Turn,
)

# The start of a round


def new_round(state: State, step: NewRound) -> Step:
    """Shields gained last round begin to work, empty hands are refilled (R-ROUND-09)."""
    number = state.round + 1
    state = replace_fields(
        pop_step(state),
        round=number,
        turn=0,
        active=tuple(state.owner[city] for city in GOLD_CITIES),
        order=turn_order(state),
        armies=tuple(
            replace_fields(
                army,
                hand=army.hand or (() if army.out else DECK),
                discard=army.discard if army.hand else (),
                bid=NO_BID_YET,
                buys=True,
                wins=0,
            )
            for army in state.armies
        ),
    )
    first = words.army_name(state, state.order[0])
    return Step(
        push_steps(state, *_round_steps(state)),
        (opening_fact(f"{number}-cards", "risk_europe.round", "R-ROUND-01", n=number, army=first),),
    )


def _round_steps(state: State) -> list[Pending]:
    mercenaries = [i for i in armies_left(state) if i >= state.people]
    auction: list[Pending] = [Auctions()] if len(mercenaries) > 1 else [Bid(i) for i in mercenaries]
    turns = [Turn(i, number) for number in (1, 2) for i in state.order]
    reveals: list[Pending] = [Reveals()] if state.options.missions else []
    return [Pick(), *auction, *turns, Battles(), *reveals, EndRound()]


def turn_order(state: State) -> tuple[int, ...]:
    """From the marker to the left (R-SET-07); a single mercenary army comes last (R-3P-10)."""
    start = state.ring.index(state.marker)
    order = [i for i in state.ring[start:] + state.ring[:start] if not state.armies[i].out]
    if state.people == 3 and state.options.mercenary_seat == "last":
        order.sort(key=lambda i: i >= state.people)
    return tuple(order)


# Choosing cards


def card_pickers(state: State, step: Pick) -> tuple[int, ...]:
    return tuple(i for i in players_left(state) if not state.armies[i].stack)


def pick_options(state: State, step: Pick, who: int) -> Legal:
    """Two cards in order; they may be changed until all have placed theirs."""
    return _card_pairs(_whole_hand(state, who))


@lru_cache(maxsize=256)
def _card_pairs(hand: tuple[str, ...]) -> Listed:
    kinds = sorted(set(hand), key=DECK.index)
    return Listed(
        actions.PickCards(a, b) for a in kinds for b in kinds if a != b or hand.count(a) > 1
    )


def _whole_hand(state: State, who: int) -> tuple[str, ...]:
    own = state.armies[who]
    return in_deck_order(own.hand + own.stack) if own.stack else own.hand


def in_deck_order(cards: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(sorted(cards, key=DECK.index))


def pick_cards(state: State, step: Pick, who: int, action: Action) -> Step:
    if not isinstance(action, actions.PickCards):
        raise unexpected_action(action)
    hand = list(_whole_hand(state, who))
    for card in (action.first, action.second):
        if card not in hand:
            raise Illegal(
                "risk_europe.card_not_in_hand", rule="R-CARD-05", card=words.king_card_name(card)
            )
        hand.remove(card)
    state = with_army(state, who, hand=tuple(hand), stack=(action.first, action.second))
    return Step(
        state,
        (plain_fact("risk_europe.placed_cards", "R-CARD-02", army=words.army_name(state, who)),),
    )


def close_picks(state: State, step: Pick) -> Step | None:
    """Once all cards are placed they can no longer be changed (R-CARD-03)."""
    if card_pickers(state, step):
        return None
    return Step(pop_step(state), (), barrier=True)


# Two players: which mercenary army is bid for first


def auction_asked(state: State, step: Auctions) -> tuple[int, ...]:
    return (marker_holder(state),)


def auction_legal(state: State, step: Auctions, who: int) -> Legal:
    return Listed(actions.Auction(state.colours[i]) for i in (2, 3))


def choose_auction(state: State, step: Auctions, who: int, action: Action) -> Step:
    if not isinstance(action, actions.Auction):
        raise unexpected_action(action)
    if action.colour not in state.colours[2:]:
        raise Illegal("risk_europe.not_mercenary", rule="R-2P-07")
    first = state.colours.index(action.colour)
    tell = [plain_fact("risk_europe.auction", "R-2P-07", army=words.army_name(state, first))]
    return Step(replace_step(state, Bid(first), Bid(5 - first)), tuple(tell))


# Turning a card over


def turn_card(state: State, step: Turn) -> Step | None:
    """A player's next card lies ready; a mercenary's is drawn by chance."""
    if step.army >= state.people:
        return None
    own = state.armies[step.army]
    state = with_army(state, step.army, stack=own.stack[1:], shown=(*own.shown, own.stack[0]))
    return _reveal_card(state, step, own.stack[0])


def mercenary_card_owed(state: State, step: Turn) -> Owed | None:
    """Its pile was shuffled: any card left may be on top (R-3P-12)."""
    return Draw(state.armies[step.army].hand, 1) if step.army >= state.people else None


def mercenary_card_drawn(state: State, step: Turn, drawn: Drawn) -> Step:
    own = state.armies[step.army]
    at = own.hand.index(drawn.items[0])
    hand = own.hand[:at] + own.hand[at + 1 :]
    state = with_army(state, step.army, hand=hand, shown=(*own.shown, drawn.items[0]))
    return _reveal_card(state, step, drawn.items[0])


def _reveal_card(state: State, step: Turn, card: str) -> Step:
    names = {"army": words.army_name(state, step.army), "card": words.king_card_name(card)}
    rule = "R-ROUND-02" if step.number == 1 else "R-ROUND-03"
    phase = f"{state.round}-turn{step.number}"
    tell = [opening_fact(phase, "risk_europe.revealed", rule, **names)]
    state = replace_step(replace_fields(state, turn=step.number), Act(step.army, card))
    if card == "king":
        state = _king_me(state, step.army, tell)
    return Step(state, tuple(tell), barrier=True)


def _king_me(state: State, army: int, tell: list[Fact]) -> State:
    """The marker at once (R-KING-01), and with Kingdom Missions a look at two missions."""
    king = army
    if army >= state.people:
        ruling = state.options.mercenary_king
        king = {"controller": deciding_player(state, army), "army": army, "nobody": state.marker}[
            ruling
        ]
    if king != state.marker:
        rule = "R-KING-01" if army < state.people else "R-3P-18"
        tell.append(plain_fact("risk_europe.king_me", rule, army=words.army_name(state, king)))
    state = replace_fields(state, marker=king)
    if state.options.missions and army < state.people and (state.unseen or state.bottom):
        return push_steps(state, Missions(army))
    return state


# Missions


def take_missions(state: State, step: Missions) -> Step | None:
    """Cards put back lie in a known order below those that nobody has seen (R-MISSION-03)."""
    if state.unseen:
        return None
    return _look_at_missions(state, step.army, state.bottom[:2])


def missions_owed(state: State, step: Missions) -> Owed | None:
    return Draw(state.unseen, min(2, len(state.unseen))) if state.unseen else None


def missions_drawn(state: State, step: Missions, drawn: Drawn) -> Step:
    seen = tuple(card for card in state.unseen if card not in drawn.items)
    top = [Returned(card, NOBODY) for card in drawn.items]
    state = replace_fields(state, unseen=seen)
    return _look_at_missions(state, step.army, (*top, *state.bottom[: 2 - len(top)]))


def _look_at_missions(state: State, army: int, cards: tuple[Returned, ...]) -> Step:
    below = tuple(card for card in state.bottom if card not in cards)
    names = tuple(card.card for card in cards)
    state = replace_step(replace_fields(state, bottom=below), Keep(army, names))
    look = plain_fact(
        "risk_europe.looks_at_missions",
        "R-MISSION-03",
        army=words.army_name(state, army),
        n=len(names),
    )
    return Step(state, (look,), barrier=True)


def keep_asked(state: State, step: Keep) -> tuple[int, ...]:
    return (step.army,)


def keep_legal(state: State, step: Keep, who: int) -> Legal:
    return Listed(actions.KeepMission(card) for card in step.cards)


def keep_mission(state: State, step: Keep, who: int, action: Action) -> Step:
    if not isinstance(action, actions.KeepMission):
        raise unexpected_action(action)
    if action.card not in step.cards:
        raise Illegal("risk_europe.not_offered", rule="R-MISSION-03")
    own = state.armies[who]
    back = tuple(Returned(card, who) for card in step.cards if card != action.card)
    state = with_army(state, who, missions=(*own.missions, action.card))
    state = replace_fields(pop_step(state), bottom=(*state.bottom, *back))
    kept = plain_fact("risk_europe.kept_mission", "R-MISSION-04", army=words.army_name(state, who))
    mine = frozenset({state.colours[who]})
    name = private_fact(
        mine, "risk_europe.kept_this", "R-MISSION-04", crown=words.crown_name(action.card)
    )
    return Step(state, (kept, name))


def reveal_mission(state: State, who: int, card: str) -> Step:
    """A completed mission is shown: a crown and a bonus for good (R-MISSION-06)."""
    own = state.armies[who]
    missions = tuple(other for other in own.missions if other != card)
    state = with_army(state, who, missions=missions, completed=(*own.completed, card))
    shown = crown_card(state, card)
    texts = {"mission": words.mission_text(shown.mission), "bonus": words.bonus_text(shown.bonus)}
    names = {"army": words.army_name(state, who), "crown": words.crown_name(card)}
    done = plain_fact(
        "risk_europe.mission_done",
        "R-MISSION-06",
        crowns=words.crown_count(count_crowns(state, who)),
        **names,
        **texts,
    )
    return Step(state, (done,), barrier=True)


def mission_holders(state: State, step: Reveals) -> tuple[int, ...]:
    """All who hold missions are asked, so that nobody learns who has completed one."""
    return tuple(
        i for i in players_left(state) if state.armies[i].missions and i not in step.passed
    )


def reveal_legal(state: State, step: Reveals, who: int) -> Legal:
    return Listed((actions.PassTurn(),) if who in mission_holders(state, step) else ())


def no_reveal(state: State, step: Reveals, who: int, action: Action) -> Step:
    if not isinstance(action, actions.PassTurn) or who not in mission_holders(state, step):
        raise unexpected_action(action)
    state = replace_step(state, Reveals((*step.passed, who)))
    return Step(
        state,
        (plain_fact("risk_europe.no_mission", "R-MISSION-05", army=words.army_name(state, who)),),
    )


def close_reveals(state: State, step: Reveals) -> Step | None:
    return None if mission_holders(state, step) else Step(pop_step(state))


# The end of a round


def end_round(state: State, step: EndRound) -> Step:
    """Discard, victory, elimination, next round (R-ROUND-09)."""
    tell: list[Fact] = []
    state = _discard_shown(pop_step(state))
    if winners := _crown_winners(state):
        return Step(_rank_and_end(state, "crowns", winners), tuple(tell))
    fallen = [i for i in armies_left(state) if not cities_of(state, i) and not _is_saved(state, i)]
    state = _give_grace(state, fallen, tell)
    for army in fallen:
        state = _eliminate_army(state, army, tell)
    left = players_left(state)
    if len(left) < 2:
        last = left or [i for i in fallen if i < state.people]
        return Step(_rank_and_end(state, "last", last), tuple(tell))
    if 0 < state.options.rounds <= state.round:
        return Step(
            _rank_and_end(state, "rounds", _best_standing(state, left, crowns_count=True)),
            tuple(tell),
        )
    return Step(push_steps(_pass_marker(state, tell), NewRound()), tuple(tell))


def _discard_shown(state: State) -> State:
    armies = tuple(
        replace_fields(army, shown=(), discard=in_deck_order(army.discard + army.shown))
        for army in state.armies
    )
    return replace_fields(state, armies=armies)


def _crown_winners(state: State) -> list[int]:
    target = TARGETS[state.people]
    reached = [i for i in players_left(state) if count_crowns(state, i) >= target]
    return _best_standing(state, reached, crowns_count=state.options.tie == "crowns")


def _best_standing(state: State, among: list[int], *, crowns_count: bool) -> list[int]:
    """Most crowns, then territories, then coins (R-WIN-03); players still tied share the place."""
    keys = {i: army_standing(state, i)[0 if crowns_count else 1 :] for i in among}
    best = max(keys.values(), default=None)
    return [i for i in among if keys[i] == best]


def army_standing(state: State, army: int) -> tuple[int, int, int]:
    """Crowns, territories, coins; the marker counts as ten coins (R-WIN-04)."""
    marker = MARKER_COINS if state.marker == army else 0
    coins = state.armies[army].coins + marker
    return count_crowns(state, army), len(territories_of(state, army)), coins


def _rank_and_end(state: State, why: str, winners: list[int]) -> State:
    others = [i for i in range(state.people) if i not in winners]
    keys = {i: (state.armies[i].out or state.round + 1, *army_standing(state, i)) for i in others}
    groups = [
        tuple(i for i in others if keys[i] == key) for key in sorted(set(keys.values()))[::-1]
    ]
    return replace_fields(state, agenda=(), over=why, ranking=(tuple(winners), *groups))


def _is_saved(state: State, army: int) -> bool:
    """Crown cards give one round to find a city, no matter how many (R-SAVED-05)."""
    own = state.armies[army]
    return bool(own.bought or own.completed) and not own.grace


def _give_grace(state: State, fallen: list[int], tell: list[Fact]) -> State:
    for army in armies_left(state):
        saved = not cities_of(state, army) and army not in fallen
        if saved:
            tell.append(
                plain_fact("risk_europe.saved", "R-SAVED-01", army=words.army_name(state, army))
            )
        if saved != state.armies[army].grace:
            state = with_army(state, army, grace=saved)
    return state


def _eliminate_army(state: State, army: int, tell: list[Fact]) -> State:
    """Units leave the board, coins go back, crown cards leave the game (R-ELIM-02, R-ELIM-03)."""
    for at in territories_of(state, army):
        state = return_to_reserve(state, army, state.units[at])
        gone: Units = EMPTY
        state = replace_fields(
            state,
            owner=replace_at(state.owner, at, NOBODY),
            units=replace_at(state.units, at, gone),
        )
    tell.append(
        plain_fact("risk_europe.eliminated", "R-ELIM-01", army=words.army_name(state, army))
    )
    cards = {"hand": (), "stack": (), "discard": ()}
    return with_army(state, army, coins=0, bought=0, grace=False, out=state.round, **cards)


def _pass_marker(state: State, tell: list[Fact]) -> State:
    """The marker of an eliminated army goes to the next player on the left (R-ELIM-06)."""
    if not state.armies[state.marker].out:
        return state
    start = state.ring.index(state.marker)
    heir = next(i for i in state.ring[start:] + state.ring[:start] if i in players_left(state))
    tell.append(plain_fact("risk_europe.king_me", "R-ELIM-06", army=words.army_name(state, heir)))
    return replace_fields(state, marker=heir)
