"""Why each order succeeded or failed: the reason and the orders behind it, from a resolved battle."""

from powderkeg.games.diplomacy.board import set_members
from powderkeg.games.diplomacy.rules.battle import NO, YES, MovementBattle
from powderkeg.games.diplomacy.rules.legality import CONVOY, MOVE, NO_ONE, SUPPORT
from powderkeg.games.diplomacy.rules.outcomes import Verdict, Why

_OK, _BOUNCED = Verdict.OK, Verdict.BOUNCED  # a member of an enum is found slowly
Reason = tuple[Verdict, Why, list[int]]  # the provinces of the orders that caused it


def order_reason(battle: MovementBattle, at: int) -> Reason:
    """The verdict on the order at `at`, its reason, and the orders that caused it."""
    kind = battle.kind[at]
    if kind == MOVE:
        return (
            _success_reason(battle, at) if battle.fate[at] == YES else _failure_reason(battle, at)
        )
    if kind == SUPPORT:
        return _support_reason(battle, at)
    if kind == CONVOY:
        return _convoy_reason(battle, at)
    return _hold_reason(battle, at)


def _uncut_helpers(battle: MovementBattle, at: int) -> list[int]:
    return [helper for helper in battle.helpers.get(at, ()) if battle.cut_state(helper) == NO]


def _success_reason(battle: MovementBattle, at: int) -> Reason:
    to, ok = battle.aim[at], _OK
    vacant = battle.owner[to] == NO_ONE
    if not vacant:
        if battle.kind[to] != MOVE or battle.fate[to] == NO:
            return ok, Why.WON, _uncut_helpers(battle, at)
        if battle.aim[to] == at:
            convoyed = [x for x in (at, to) if battle.by_sea >> x & 1]
            return ok, Why.SWAPPED, [sea for x in convoyed for sea in set_members(battle.route[x])]
    if battle.by_sea >> at & 1 and (sunk := _sunk_fleets(battle, at)):
        return ok, Why.ROUTE_LEFT, sunk
    if len(battle.into[to]) > 1:
        if beaten := _powerless_rivals(battle, at):
            return ok, Why.LOSER_POWERLESS, beaten
        if rivals := _arriving_rivals(battle, at):
            return ok, Why.OVERPOWERED, rivals
    if battle.by_sea >> at & 1:
        return ok, Why.CARRIED, list(set_members(battle.route[at]))
    if vacant:
        return ok, Why.MOVED, []
    return (
        (ok, Why.ROTATED, ring)
        if (ring := _rotation_ring(battle, at))
        else (ok, Why.FOLLOWED, [to])
    )


def _sunk_fleets(battle: MovementBattle, at: int) -> list[int]:
    """The moves that broke a part of the convoy of the move at `at`."""
    seas = set_members(battle.route[at])
    return [battle.winner[sea] for sea in seas if sea in battle.winner]


def _powerless_rivals(battle: MovementBattle, at: int) -> list[int]:
    """Moves to the same province that would have stopped the move at `at` but for rule 11."""
    rivals = battle.into[battle.aim[at]]
    beaten = [x for x in rivals if x != at and battle.silenced_state(x) == YES]
    strong = any(battle.count_supports(x) >= battle.count_supports(at) for x in beaten)
    return beaten if strong else []


def _arriving_rivals(battle: MovementBattle, at: int) -> list[int]:
    """The strongest of the other moves that reached the target of the move at `at`."""
    rivals = {
        x: battle.count_supports(x)[0]
        for x in battle.into[battle.aim[at]]
        if x != at and battle.path_state(x) == YES
    }
    return [x for x, strength in rivals.items() if strength == max(rivals.values())]


def rival_strengths(battle: MovementBattle, at: int, rivals: list[int]) -> tuple[int, int]:
    """The strength of the move at `at`, and of the strongest of the rivals that it beat."""
    return battle.count_supports(at)[0], battle.count_supports(rivals[0])[0]


def _rotation_ring(battle: MovementBattle, at: int) -> list[int]:
    """The other moves of the rotation that the move at `at` belongs to."""
    ring: list[int] = []
    here = battle.aim[at]
    while battle.kind[here] == MOVE and battle.fate[here] == YES and len(ring) < len(battle.movers):
        if here == at:
            return ring
        ring.append(here)
        here = battle.aim[here]
    return []


def _failure_reason(battle: MovementBattle, at: int) -> Reason:
    if battle.path_state(at) == NO:
        return _stranded_reason(battle, at)
    to = battle.aim[at]
    (attack, _), (hold, _) = battle.contest_strengths(at)
    if at in battle.opponent and attack <= hold:
        why = Why.BEATEN_BACK if battle.fate[to] == YES else Why.NO_SWAP
        return _BOUNCED, why, [to, *_uncut_helpers(battle, to)]
    strength = battle.count_supports(at)[0]
    if battle.owner[to] == NO_ONE or (battle.kind[to] == MOVE and battle.fate[to] == YES):
        return _rivalry_reason(battle, at, strength)
    if battle.owner[to] == battle.owner[at]:
        follows = battle.kind[to] == MOVE and strength == 1
        return _BOUNCED, Why.NOT_VACATED if follows else Why.OWN_UNIT, [to]
    if attack < strength > max(hold, *_rival_strengths(battle, at).values(), 0):
        traitors = [x for x in _uncut_helpers(battle, at) if battle.owner[x] == battle.owner[to]]
        return _BOUNCED, Why.OWN_SUPPORT, traitors
    if attack > hold:
        return _rivalry_reason(battle, at, strength)
    if battle.kind[to] == MOVE:
        return _BOUNCED, Why.NOT_VACATED, [to]
    return _BOUNCED, Why.HELD_OFF, [to, *_uncut_helpers(battle, to)]


def _rival_strengths(battle: MovementBattle, at: int) -> dict[int, int]:
    """The other moves to the target of the move at `at`, with their strength to prevent it."""
    return {x: battle.prevent_strengths(x)[0] for x in battle.into[battle.aim[at]] if x != at}


def _rivalry_reason(battle: MovementBattle, at: int, strength: int) -> Reason:
    rivals = _rival_strengths(battle, at)
    strongest = max(rivals.values())
    by = [rival for rival, prevents in rivals.items() if prevents == strongest]
    if strongest > strength:
        return _BOUNCED, Why.OUTNUMBERED, by
    why = Why.CONVOYED_STANDOFF if battle.by_sea >> at & 1 else Why.STANDOFF
    return _BOUNCED, why, by


def _stranded_reason(battle: MovementBattle, at: int) -> Reason:
    seas = battle.route[at]
    if not seas:
        return Verdict.NO_CONVOY, Why.CONVOY_MISSING, []
    if battle.paradox >> at & 1:
        return Verdict.NO_CONVOY, Why.PARADOX, list(set_members(seas))
    sunk = [battle.winner[sea] for sea in set_members(seas) if sea in battle.winner]
    return Verdict.NO_CONVOY, Why.CONVOY_BROKEN, sunk


def _support_reason(battle: MovementBattle, at: int) -> Reason:
    who, aim = battle.who[at], battle.aim[at]
    moves = aim != who
    if at not in battle.helpers.get(who, ()):
        return Verdict.UNMATCHED, Why.MOVE_DIFFERS if moves else Why.NOT_HOLDING, [who]
    attackers = battle.into.get(at, ())
    if battle.cut_state(at) == YES:
        return _cut_reason(battle, at)
    for x in attackers:
        if battle.owner[x] == battle.owner[at]:
            return _OK, Why.OWN_CANNOT_CUT, [x]
        if x == aim:
            return _OK, Why.TARGET_CANNOT_CUT, [x]
        if battle.path_state(x) == YES or battle.spared_seas(at, x):
            return _OK, Why.CONVOY_CANNOT_CUT, [x]
    return _OK, Why.HELPED_MOVE if moves else Why.HELPED_HOLD, [who]


def _cut_reason(battle: MovementBattle, at: int) -> Reason:
    if at in battle.winner:
        return Verdict.CUT, Why.SUPPORTER_DISLODGED, [battle.winner[at]]
    cutters = [
        x
        for x in battle.into[at]
        if battle.owner[x] != battle.owner[at]
        and x != battle.aim[at]
        and battle.path_state(x, battle.spared_seas(at, x)) == YES
    ]
    if any(battle.spared_seas(at, x) for x in cutters):
        return Verdict.CUT, Why.ATTACKED_BY_CONVOY, cutters
    if all(x in battle.winner for x in cutters):
        return Verdict.CUT, Why.ATTACKED_BY_DISLODGED, cutters
    return Verdict.CUT, Why.ATTACKED, cutters


def _convoy_reason(battle: MovementBattle, at: int) -> Reason:
    army = battle.who[at]
    if battle.kind[army] != MOVE or battle.aim[army] != battle.aim[at]:
        return Verdict.UNMATCHED, Why.ARMY_DIFFERS, [army]
    if at in battle.winner:
        return Verdict.DISRUPTED, Why.FLEET_DISLODGED, [battle.winner[at]]
    if battle.paradox >> army & 1:
        return Verdict.DISRUPTED, Why.PARADOX, [army]
    return _OK, Why.CARRIES, [army]


def _hold_reason(battle: MovementBattle, at: int) -> Reason:
    attackers = battle.into.get(at, [])
    if len(attackers) > 1 and at not in battle.winner:
        hold = battle.count_supports(at)[0]
        if any(
            battle.path_state(x) == YES and battle.contest_strengths(x)[0][0] > hold
            for x in attackers
        ):
            return _OK, Why.BESIEGED, list(attackers)
    return _OK, Why.HELD, []
