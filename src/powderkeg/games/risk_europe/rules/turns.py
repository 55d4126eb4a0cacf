"""A turned card: its order in small steps, its bonus action, and Berlin's manoeuvre."""

from functools import cache

from powderkeg.core.agenda import plain_fact, replace_fields
from powderkeg.core.errors import Illegal
from powderkeg.core.game import Fact, Legal, Listed, Step
from powderkeg.core.words import Arg
from powderkeg.games.risk_europe import actions, words
from powderkeg.games.risk_europe.actions import Action
from powderkeg.games.risk_europe.board import CARDS, CITY_AT, NOBODY, Units
from powderkeg.games.risk_europe.rules import economy, moves
from powderkeg.games.risk_europe.rules.realm import enter_territory, leave_territory
from powderkeg.games.risk_europe.rules.refusals import refuse_at, refuse_if, unexpected_action
from powderkeg.games.risk_europe.state import (
    State,
    deciding_player,
    has_shield,
    pop_step,
    replace_step,
)
from powderkeg.games.risk_europe.steps import Act, Assault, Move, Pending, Spend, Tax

# Listed again and again, made once.
_give, _leave, _head_for = cache(actions.GiveOrder), cache(actions.From), cache(actions.To)


def acting_player(state: State, step: Act | Move | Tax | Spend) -> tuple[int, ...]:
    return (deciding_player(state, step.army),)


# The card


def can_order(state: State, army: int, name: str) -> bool:
    match name:
        case "tax":
            return bool(economy.taxable_cities(state, army))
        case "spend":
            return economy.can_spend(state, army)
        case _:
            return moves.can_move(state, army, name)


def order_options(state: State, step: Act) -> list[str]:
    if not step.order:
        return []
    return [name for name in CARDS[step.card].orders if can_order(state, step.army, name)]


def berlin_open(state: State, step: Act) -> bool:
    return step.berlin and moves.can_move(state, step.army, "manoeuvre")


def bonus_actions(state: State, step: Act) -> list[Action]:
    bonus = CARDS[step.card].bonus if step.bonus else ""
    if bonus == "fortify":
        return [actions.Fortify(at) for at in economy.fortify_options(state, step.army)]
    if bonus == "siege":
        return [actions.Besiege(a, b) for a, b in moves.siege_assaults(state, step.army)]
    return []


def act_legal(state: State, step: Act, who: int) -> Legal:
    """Order and bonus in any order (R-CARD-07), Berlin's manoeuvre last; or pass."""
    listed: list[Action] = [_give(name) for name in order_options(state, step)]
    listed += bonus_actions(state, step)
    if berlin_open(state, step):
        listed.append(actions.Berlin())
    return Listed((*listed, actions.PassTurn()))


def play_card(state: State, step: Act, who: int, action: Action) -> Step:
    match action:
        case actions.GiveOrder(name):
            return _give_order(state, step, name)
        case actions.Fortify(at):
            _need_bonus(step, "fortify")
            refuse_at(economy.why_not_fortify(state, step.army, at), at)
            tell: list[Fact] = []
            state = economy.fortify_territory(
                replace_step(state, _without_bonus(step)), step.army, at, tell
            )
            return Step(state, tuple(tell))
        case actions.Besiege(origin, target):
            _need_bonus(step, "siege")
            refuse_at(moves.why_not_besiege(state, step.army, origin, target), target)
            return _start_assault(state, step, origin, target)
        case actions.Berlin():
            return _use_berlin(state, step)
        case actions.PassTurn():
            return _end_turn(state, step)
        case _:
            raise unexpected_action(action)


def _without_bonus(step: Act) -> Act:
    return replace_fields(step, bonus=False)


def _need_bonus(step: Act, bonus: str) -> None:
    if CARDS[step.card].bonus != bonus:
        raise Illegal(
            "risk_europe.not_on_card", rule="R-CARD-01", card=words.king_card_name(step.card)
        )
    if not step.bonus:
        raise Illegal("risk_europe.bonus_used", rule="R-CARD-07")


def _give_order(state: State, step: Act, name: str) -> Step:
    if name not in CARDS[step.card].orders:
        raise Illegal(
            "risk_europe.not_on_card", rule="R-CARD-01", card=words.king_card_name(step.card)
        )
    if not step.order:
        raise Illegal("risk_europe.one_order", rule="R-CARD-04")
    if not can_order(state, step.army, name):
        raise Illegal(
            "risk_europe.order_impossible", rule="R-ROUND-08", order=words.king_order_name(name)
        )
    after = replace_fields(step, order=False)
    todo: Pending = Move(step.army, name)
    if name in ("tax", "spend"):
        todo = Tax(step.army) if name == "tax" else Spend(step.army)
    names = {"army": words.army_name(state, step.army), "order": words.king_order_name(name)}
    return Step(
        replace_step(state, todo, after), (plain_fact("risk_europe.ordered", "R-CARD-04", **names),)
    )


def _start_assault(state: State, step: Act, origin: int, target: int) -> Step:
    places = {"origin": words.TERRITORY_NAME[origin], "at": words.TERRITORY_NAME[target]}
    victim = words.army_name(state, state.owner[target])
    names = {"army": words.army_name(state, step.army), "owner": victim}
    tell = [plain_fact("risk_europe.besieges", "R-SIEGE-01", **names, **places)]
    return Step(
        replace_step(state, Assault(step.army, origin, target), _without_bonus(step)), tuple(tell)
    )


def _use_berlin(state: State, step: Act) -> Step:
    """A free manoeuvre after everything else on the card (R-CITY-10): nothing may follow it."""
    if not step.berlin:
        raise Illegal("risk_europe.no_berlin", rule="R-CITY-10")
    if not berlin_open(state, step):
        raise Illegal(
            "risk_europe.order_impossible",
            rule="R-CITY-10",
            order=words.king_order_name("manoeuvre"),
        )
    after = Act(step.army, step.card, order=False, bonus=False)
    tell = [plain_fact("risk_europe.berlin", "R-CITY-10", army=words.army_name(state, step.army))]
    return Step(replace_step(state, Move(step.army, "manoeuvre"), after), tuple(tell))


def _end_turn(state: State, step: Act) -> Step:
    tell = []
    if step.order:
        tell.append(
            plain_fact("risk_europe.passed", "R-ROUND-08", army=words.army_name(state, step.army))
        )
    return Step(pop_step(state), tuple(tell))


# Movement in small steps: from, to, units


def move_legal(state: State, step: Move, who: int) -> Legal:
    if step.origin == NOBODY:
        return Listed(_leave(at) for at in moves.move_origins(state, step))
    if step.target != NOBODY:
        return moves.move_forces(state, step)
    if not step.groups:
        return Listed(_head_for(at) for at in moves.move_targets(state, step))
    more = [_head_for(at) for at in moves.second_targets(state, step)]
    return Listed((*more, actions.Finish()))


def move_units(state: State, step: Move, who: int, action: Action) -> Step:
    match action:
        case actions.From(at) if step.origin == NOBODY:
            refuse_at(moves.why_not_from(state, step.army, step.order, at), at)
            return Step(replace_step(state, replace_fields(step, origin=at)))
        case actions.To(at) if step.origin != NOBODY and step.target == NOBODY:
            return Step(replace_step(state, _aim_move(state, step, at)))
        case actions.March(units) | actions.Storm(units) if step.target != NOBODY:
            return _with_units(state, step, action, units)
        case actions.Finish() if step.groups and step.target == NOBODY:
            return _carry_out_move(state, step)
        case _:
            raise unexpected_action(action)


def _aim_move(state: State, step: Move, at: int) -> Move:
    refuse_at(moves.why_not_to(state, step, at), at)
    if step.groups and at not in moves.second_targets(state, step):
        refuse_at(("risk_europe.one_must_stay", "R-SPLIT-03"), at)
    return replace_fields(step, target=at)


def _with_units(state: State, step: Move, action: Action, units: Units) -> Step:
    force = moves.move_forces(state, step)
    if action not in force:
        refuse_if(_why_not_units(force.siege, units), most=force.most)
    step = moves.add_group(step, units)
    if moves.second_targets(state, step):
        return Step(replace_step(state, step))
    return _carry_out_move(state, step)


def _why_not_units(siege: int, units: Units) -> tuple[str, str]:
    if siege and not units[3]:
        return "risk_europe.siege_must_go", "R-EXP-07"
    return "risk_europe.wrong_units", "R-EXP-02"


def _carry_out_move(state: State, step: Move) -> Step:
    """All groups leave, then all arrive: a split is one move (R-SPLIT-07)."""
    tell: list[Fact] = []
    state = pop_step(state)
    for group in step.groups:
        places = {"origin": words.TERRITORY_NAME[step.origin], "at": words.TERRITORY_NAME[group.to]}
        names: dict[str, Arg] = {"army": words.army_name(state, step.army)}
        names["units"] = words.unit_list(group.units)
        tell.append(plain_fact("risk_europe.moved", _MOVE_RULES[step.order], **names, **places))
        state = leave_territory(state, step.origin, group.units, tell)
    for group in step.groups:
        state = enter_territory(state, step.army, group.to, group.units, tell)
    if step.order != "manoeuvre" and has_shield(state, step.army, CITY_AT["berlin"]):
        state = _with_berlin(state)
    return Step(state, tuple(tell))


_MOVE_RULES = {"expand": "R-EXP-01", "split": "R-SPLIT-01", "manoeuvre": "R-MAN-01"}


def _with_berlin(state: State) -> State:
    card = state.agenda[-1]
    return (
        replace_step(state, replace_fields(card, berlin=True)) if isinstance(card, Act) else state
    )


def careful_move(state: State, step: Move, who: int) -> Action:
    """The default move of a player who is late: few units, and no attack if it can be avoided."""
    legal = move_legal(state, step, who)
    listed = [next(iter(legal))] if step.target != NOBODY else list(legal)
    peaceful = (
        action
        for action in listed
        if isinstance(action, actions.Finish)
        or (isinstance(action, actions.To) and state.owner[action.at] in (NOBODY, step.army))
    )
    return next(peaceful, listed[0])


# Tax and Spend


def tax_legal(state: State, step: Tax, who: int) -> Legal:
    return Listed(actions.TaxCity(at) for at in economy.taxable_cities(state, step.army))


def tax_city(state: State, step: Tax, who: int, action: Action) -> Step:
    if not isinstance(action, actions.TaxCity):
        raise unexpected_action(action)
    refuse_at(economy.why_not_tax(state, step.army, action.at), action.at)
    tell: list[Fact] = []
    return Step(economy.collect_tax(pop_step(state), step.army, action.at, tell), tuple(tell))


def spend_legal(state: State, step: Spend, who: int) -> Legal:
    return economy.Purchases(state, step.army)


def spend_coins(state: State, step: Spend, who: int, action: Action) -> Step:
    army = step.army
    tell: list[Fact] = []
    match action:
        case actions.Buy(unit, at, count):
            refuse_at(economy.why_not_buy(state, army, unit, at, count), at)
            return Step(economy.buy_units(state, army, unit, at, count, tell), tuple(tell))
        case actions.BuildCastle(at):
            refuse_at(economy.why_not_build(state, army, at), at)
            return Step(economy.build_castle(state, army, at, tell), tuple(tell))
        case actions.BuyCrown():
            refuse_if(economy.why_not_crown(state, army))
            return Step(economy.buy_crown(state, army, tell), tuple(tell))
        case actions.Finish():
            return Step(pop_step(state), tuple(tell))
        case _:
            raise unexpected_action(action)


def spend_nothing(state: State, step: Spend, who: int) -> Action:
    return actions.Finish()


def pass_turn(state: State, step: Act, who: int) -> Action:
    return actions.PassTurn()
