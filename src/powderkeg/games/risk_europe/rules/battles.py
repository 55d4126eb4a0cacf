"""Battles at the end of the round, step by step, and Siege Assault."""

from typing import Final

from powderkeg.core.agenda import opening_fact, plain_fact, replace_fields
from powderkeg.core.chance import Dice, Owed, Roll
from powderkeg.core.errors import Illegal
from powderkeg.core.game import Fact, Legal, Listed, Step
from powderkeg.games.risk_europe import words
from powderkeg.games.risk_europe.actions import Action, Fight, Lose, Reroll, Stand
from powderkeg.games.risk_europe.board import CITY_AT, SIEGE, Units, subtract_units, total_units
from powderkeg.games.risk_europe.rules import battle_dice as battle
from powderkeg.games.risk_europe.rules.forces import Forces, cheapest_units, has_choice
from powderkeg.games.risk_europe.rules.missions import bonus_amount
from powderkeg.games.risk_europe.rules.realm import (
    conquer_territory,
    return_to_reserve,
    vacate_territory,
)
from powderkeg.games.risk_europe.rules.refusals import refuse_at, unexpected_action
from powderkeg.games.risk_europe.state import (
    Attack,
    State,
    deciding_player,
    has_shield,
    pay_coins,
    players_left,
    pop_step,
    push_steps,
    replace_at,
    replace_step,
    with_army,
    with_units,
)
from powderkeg.games.risk_europe.steps import Assault, Battle, Battles, Casualties, Losses

STOCKHOLM_COINS: Final = 4  # R-CITY-09


def marker_holder(state: State) -> int:
    """The player who decides as holder of the marker; for a mercenary army, its controller."""
    who = deciding_player(state, state.marker)
    alive = players_left(state)
    if who in alive:
        return who
    start = state.ring.index(state.marker)
    return next(i for i in state.ring[start:] + state.ring[:start] if i in alive)


def loss_chooser(state: State, army: int, foe: int) -> int:
    """The player who chooses losses and rerolls for `army`, never its enemy (R-3P-19)."""
    who = deciding_player(state, army)
    if army < state.people or who != foe or state.options.mercenary_losses == "controller":
        return who
    start = state.ring.index(who)
    others = [i for i in state.ring[start:] + state.ring[:start] if i in players_left(state)]
    return others[1]


def _attack_on(state: State, at: int) -> Attack:
    return next(attack for attack in state.attacks if attack.at == at)


# The order of battles


def begin_battles(state: State, step: Battles) -> Step | None:
    return None if state.attacks else Step(pop_step(state))


def fight_options(state: State, step: Battles, who: int) -> Legal:
    return Listed(Fight(attack.at) for attack in sorted(state.attacks))


def choose_fight(state: State, step: Battles, who: int, action: Action) -> Step:
    if not isinstance(action, Fight):
        raise unexpected_action(action)
    refuse_at(None if any(a.at == action.at for a in state.attacks) else _NO_BATTLE, action.at)
    attack = _attack_on(state, action.at)
    names = {
        "at": words.TERRITORY_NAME[action.at],
        "attacker": words.army_name(state, attack.army),
        "defender": words.army_name(state, state.owner[action.at]),
    }
    begun = opening_fact(
        f"{state.round}-battles",
        "risk_europe.battle_begins",
        "R-BAT-01",
        attackers=words.unit_list(attack.units),
        defenders=words.unit_list(state.units[action.at]),
        **names,
    )
    return Step(push_steps(state, Battle(action.at)), (begun,))


_NO_BATTLE: Final = ("risk_europe.no_battle", "R-BAT-01")


# One battle


def _dice_counts(state: State, step: Battle) -> tuple[int, int]:
    attacker = battle.count_dice(step.rank, _attack_on(state, step.at).units, attacking=True)
    return attacker, battle.count_dice(step.rank, state.units[step.at], attacking=False)


def skip_rank(state: State, step: Battle) -> Step | None:
    """Skip a rank in which nobody rolls (R-BAT-06, R-BAT-12)."""
    if step.stage == "roll" and _dice_counts(state, step) == (0, 0):
        return Step(replace_step(state, _next_rank_step(step)))
    return None


def _next_rank_step(step: Battle) -> Battle:
    """The next rank; the castle's defence is new in every pass (R-BAT-13)."""
    rank = battle.next_rank(step.rank)
    return Battle(step.at, rank, reroll=step.reroll or rank == 1)


def battle_dice_owed(state: State, step: Battle) -> Owed | None:
    if step.stage == "roll":
        return Dice(sum(_dice_counts(state, step)))
    return Dice(len(step.defender)) if step.stage == "reroll" else None


def battle_rolled(state: State, step: Battle, roll: Roll) -> Step:
    if step.stage == "reroll":
        step = replace_fields(step, defender=roll.dice, reroll=False)
        dice = words.dice_text(roll.dice)
        tell = [
            plain_fact(
                "risk_europe.rerolled", "R-BAT-13", at=words.TERRITORY_NAME[step.at], dice=dice
            )
        ]
        return _resolve_hits(state, step, tell)
    mine, _ = _dice_counts(state, step)  # attacker's dice come first
    step = replace_fields(step, attacker=roll.dice[:mine], defender=roll.dice[mine:])
    tell = [_roll_fact(state, step)]
    if _may_reroll(state, step):
        return Step(replace_step(state, replace_fields(step, stage="castle")), tuple(tell))
    return _resolve_hits(state, step, tell)


def _roll_fact(state: State, step: Battle) -> Fact:
    won, lost = battle.count_hits(step.rank, step.attacker, step.defender)
    return plain_fact(
        f"risk_europe.rank{step.rank}",
        _RANK_RULES[step.rank],
        at=words.TERRITORY_NAME[step.at],
        attacker=words.army_name(state, _attack_on(state, step.at).army),
        defender=words.army_name(state, state.owner[step.at]),
        attacker_dice=words.dice_text(step.attacker),
        defender_dice=words.dice_text(step.defender),
        attacker_hits=words.hit_count(won),
        defender_hits=words.hit_count(lost),
    )


_RANK_RULES: Final = {1: "R-BAT-04", 2: "R-BAT-05", 3: "R-BAT-06", 4: "R-BAT-10"}


def _may_reroll(state: State, step: Battle) -> bool:
    if not (step.reroll and step.defender and step.at in state.castles):
        return False
    attackers = total_units(_attack_on(state, step.at).units)
    return battle.reroll_may_help(step.rank, step.attacker, step.defender, attackers)


def _resolve_hits(state: State, step: Battle, tell: list[Fact]) -> Step:
    """Losses without a choice are settled at once; otherwise their owners are asked."""
    on_defender, on_attacker = battle.count_hits(step.rank, step.attacker, step.defender)
    step = replace_fields(
        step,
        stage="losses",
        attacker_loses=_sure_losses(_attack_on(state, step.at).units, on_attacker),
        defender_loses=_sure_losses(state.units[step.at], on_defender),
    )
    return _apply_losses(state, step, tell)


def _sure_losses(units: Units, hits: int) -> Losses:
    """The losses if there is no choice; hits beyond the last unit are lost (R-BAT-08)."""
    return () if has_choice(units, hits) else cheapest_units(units, hits)


def _apply_losses(state: State, step: Battle, tell: list[Fact]) -> Step:
    if not (step.attacker_loses and step.defender_loses):
        return Step(replace_step(state, step), tuple(tell))
    attack = _attack_on(state, step.at)
    defender = state.owner[step.at]
    state, attackers = _remove_fallen(
        state, step, attack.army, attack.units, step.attacker_loses, tell
    )
    state, defenders = _remove_fallen(
        state, step, defender, state.units[step.at], step.defender_loses, tell
    )
    if total_units(attackers) and total_units(defenders):
        place = state.attacks.index(attack)
        state = replace_fields(
            state,
            attacks=replace_at(state.attacks, place, replace_fields(attack, units=attackers)),
            units=replace_at(state.units, step.at, defenders),
        )
        return Step(replace_step(state, _next_rank_step(step)), tuple(tell))
    return _end_battle(state, replace_fields(attack, units=attackers), defenders, tell)


def _remove_fallen(
    state: State, step: Battle, army: int, units: Units, lost: Losses, tell: list[Fact]
) -> tuple[State, Units]:
    f, a, c, s = lost
    if not any(lost):
        return state, units
    gone = (f, a, c, s)
    names = {"army": words.army_name(state, army), "at": words.TERRITORY_NAME[step.at]}
    tell.append(plain_fact("risk_europe.fell", "R-BAT-07", units=words.unit_list(gone), **names))
    return return_to_reserve(state, army, gone), subtract_units(units, gone)


def _end_battle(state: State, attack: Attack, defenders: Units, tell: list[Fact]) -> Step:
    at, defender = attack.at, state.owner[attack.at]
    attacks = tuple(other for other in state.attacks if other.at != at)
    state = replace_fields(
        pop_step(state), attacks=attacks, units=replace_at(state.units, at, defenders)
    )
    names = {"at": words.TERRITORY_NAME[at], "army": words.army_name(state, defender)}
    if total_units(attack.units):
        state = conquer_territory(state, attack.army, at, attack.units, tell)
        state = with_army(state, attack.army, wins=state.armies[attack.army].wins + 1)
        if has_shield(state, attack.army, CITY_AT["stockholm"]):
            state = _pay_spoils(state, attack.army, STOCKHOLM_COINS, "R-CITY-09", tell)
        state = _mission_spoils(state, attack.army, tell)
    elif total_units(defenders):
        tell.append(plain_fact("risk_europe.held", "R-BAT-17", **names))
        state = _mission_spoils(state, defender, tell)
    else:
        tell.append(
            plain_fact("risk_europe.both_destroyed", "R-BAT-15", at=words.TERRITORY_NAME[at])
        )
        state = vacate_territory(state, at, tell)
    return Step(state, tuple(tell))


def _mission_spoils(state: State, army: int, tell: list[Fact]) -> State:
    coins = bonus_amount(state, army, "battle_coins")
    return _pay_spoils(state, army, coins, "R-MISSION-06", tell) if coins else state


def _pay_spoils(state: State, army: int, coins: int, rule: str, tell: list[Fact]) -> State:
    tell.append(
        plain_fact(
            "risk_europe.spoils",
            rule,
            army=words.army_name(state, army),
            coins=words.coin_count(coins),
        )
    )
    return pay_coins(state, army, coins)


# Questions of a battle


def sides_to_choose(state: State, step: Battle) -> list[tuple[int, Units, int]]:
    """The sides that must still choose losses (player, units, hits), the attacker first."""
    attack, defender = _attack_on(state, step.at), state.owner[step.at]
    on_defender, on_attacker = battle.count_hits(step.rank, step.attacker, step.defender)
    open_sides = []
    if not step.attacker_loses:
        open_sides.append((loss_chooser(state, attack.army, defender), attack.units, on_attacker))
    if not step.defender_loses:
        who = loss_chooser(state, defender, attack.army)
        open_sides.append((who, state.units[step.at], on_defender))
    return open_sides


def battle_asked(state: State, step: Battle) -> tuple[int, ...]:
    if step.stage == "castle":
        return (loss_chooser(state, state.owner[step.at], _attack_on(state, step.at).army),)
    if step.stage == "losses":
        return tuple(who for who, _, _ in sides_to_choose(state, step))
    return ()


def battle_legal(state: State, step: Battle, who: int) -> Legal:
    if who not in battle_asked(state, step):
        return Listed()
    if step.stage == "castle":
        return Listed((Stand(), Reroll()))
    return next(
        Forces(Lose, units, hits, hits)
        for i, units, hits in sides_to_choose(state, step)
        if i == who
    )


def battle_answer(state: State, step: Battle, who: int, action: Action) -> Step:
    if step.stage == "castle":
        return _castle_answer(state, step, action)
    if not isinstance(action, Lose):
        raise unexpected_action(action)
    if action not in battle_legal(state, step, who):
        raise Illegal("risk_europe.wrong_losses", rule="R-BAT-07")
    secret = bool(step.attacker_loses) != bool(step.defender_loses) and _is_two_sided(state, step)
    if not step.attacker_loses and sides_to_choose(state, step)[0][0] == who:
        army, step = (
            _attack_on(state, step.at).army,
            replace_fields(step, attacker_loses=action.units),
        )
    else:
        army, step = state.owner[step.at], replace_fields(step, defender_loses=action.units)
    chosen = plain_fact("risk_europe.losses_chosen", "R-BAT-20", army=words.army_name(state, army))
    done = _apply_losses(state, step, [chosen])
    return replace_fields(done, barrier=secret)


def _is_two_sided(state: State, step: Battle) -> bool:
    """Whether both sides had a choice, so that the first one was secret until now."""
    both = replace_fields(step, attacker_loses=(), defender_loses=())
    return all(has_choice(units, hits) for _, units, hits in sides_to_choose(state, both))


def _castle_answer(state: State, step: Battle, action: Action) -> Step:
    names = {
        "at": words.TERRITORY_NAME[step.at],
        "army": words.army_name(state, state.owner[step.at]),
    }
    if isinstance(action, Reroll):
        uses = plain_fact("risk_europe.castle_defends", "R-BAT-13", **names)
        return Step(replace_step(state, replace_fields(step, stage="reroll")), (uses,))
    if isinstance(action, Stand):
        return _resolve_hits(
            state, step, [plain_fact("risk_europe.dice_stand", "R-BAT-13", **names)]
        )
    raise unexpected_action(action)


# Siege Assault


def assault_dice_owed(state: State, step: Assault) -> Owed:
    return Dice(2 * state.units[step.origin][SIEGE])  # every weapon fires: R-SIEGE-08


def assault_rolled(state: State, step: Assault, roll: Roll) -> Step:
    hits, _ = battle.count_hits(1, roll.dice, ())
    there = state.units[step.target]
    at = words.TERRITORY_NAME[step.target]
    tell = [
        plain_fact(
            "risk_europe.assault",
            "R-SIEGE-01",
            at=at,
            dice=words.dice_text(roll.dice),
            hits=words.hit_count(hits),
        )
    ]
    state = pop_step(state)
    if hits == 0:
        return Step(state, tuple(tell))
    if lost := _sure_losses(there, hits):
        f, a, c, s = lost
        return Step(_remove_bombarded(state, step.target, (f, a, c, s), tell), tuple(tell))
    return Step(push_steps(state, Casualties(step.target, step.army, hits)), tuple(tell))


def _remove_bombarded(state: State, at: int, lost: Units, tell: list[Fact]) -> State:
    """Units are removed; a territory without any becomes unclaimed (R-SIEGE-09)."""
    owner, left = state.owner[at], subtract_units(state.units[at], lost)
    names = {"army": words.army_name(state, owner), "at": words.TERRITORY_NAME[at]}
    tell.append(plain_fact("risk_europe.fell", "R-SIEGE-02", units=words.unit_list(lost), **names))
    state = return_to_reserve(state, owner, lost)
    if total_units(left):
        return with_units(state, at, left)
    return vacate_territory(state, at, tell)


def casualties_asked(state: State, step: Casualties) -> tuple[int, ...]:
    return (loss_chooser(state, state.owner[step.at], step.by),)


def casualties_legal(state: State, step: Casualties, who: int) -> Legal:
    return Forces(Lose, state.units[step.at], step.hits, step.hits)


def casualties_answer(state: State, step: Casualties, who: int, action: Action) -> Step:
    if not isinstance(action, Lose):
        raise unexpected_action(action)
    if action not in casualties_legal(state, step, who):
        raise Illegal("risk_europe.wrong_losses", rule="R-SIEGE-02")
    tell: list[Fact] = []
    return Step(_remove_bombarded(pop_step(state), step.at, action.units, tell), tuple(tell))


def usual_losses(state: State, step: Battle | Casualties, who: int) -> Action:
    """The default: lose the cheapest units and keep the dice."""
    if isinstance(step, Casualties):
        return Lose(cheapest_units(state.units[step.at], step.hits))
    if step.stage == "castle":
        return Stand()
    return next(
        Lose(cheapest_units(u, hits)) for i, u, hits in sides_to_choose(state, step) if i == who
    )
