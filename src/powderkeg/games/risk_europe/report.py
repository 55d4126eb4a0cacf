"""Reports beside the map: the battles of the round, rank by rank, and the score pad."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final, cast

from powderkeg.core.game import Fact, View
from powderkeg.core.reports.scenes import Beat, Scene, Side
from powderkeg.core.reports.score_pad import ScoreLine
from powderkeg.core.words import Arg, Msg
from powderkeg.games.risk_europe import words
from powderkeg.games.risk_europe.board import (
    EMPTY,
    UNITS,
    Units,
    subtract_units,
)
from powderkeg.games.risk_europe.odds.forecast import side_chances
from powderkeg.games.risk_europe.rules.battle_dice import GENERAL, HITS_ON


def captions(view: View) -> dict[str, Msg]:
    """The bonus of each gold city, by the city's name."""
    return {city: Msg(f"risk_europe.city_bonus.{city}") for city in view["shields"]}


# Scenes


@dataclass(slots=True)
class _Battle:
    """A battle or a siege assault, put together from its facts. The attacker comes first."""

    kind: str
    at: str
    title: Msg
    armies: tuple[Msg, ...]
    units: list[Units]
    castle: bool = False
    rank: int = 1
    dice: tuple[int, ...] = ()  # of the attacker, in this rank
    sides: tuple[Side, ...] = ()
    beats: list[Beat] = field(default_factory=list)
    over: bool = False


def scenes(view: View, facts: Sequence[Fact]) -> tuple[Scene, ...]:
    """The battles since the first cards of the round were turned over, siege assaults too."""
    battles: list[_Battle] = []
    for each in _this_round(facts):
        name = each.msg.code.removeprefix("risk_europe.")
        if name in ("battle_begins", "besieges"):
            battles.append(_begin_scene(view, each.msg, name))
        elif battles and not battles[-1].over and name in _TELL:
            _TELL[name](battles[-1], each)
    return tuple(Scene(b.kind, b.at, b.title, tuple(b.beats), b.sides, b.over) for b in battles)


def _this_round(facts: Sequence[Fact]) -> Sequence[Fact]:
    begun = [
        i
        for i, each in enumerate(facts)
        if each.msg.code == "risk_europe.revealed" and each.rule == "R-ROUND-02"
    ]
    return facts[begun[-1] :] if begun else facts


def _begin_scene(view: View, msg: Msg, name: str) -> _Battle:
    at = _last_word(msg.args["at"])
    if name == "besieges":
        armies = (_as_message(msg.args["army"]), _as_message(msg.args["owner"]))
        return _Battle("assault", at, msg, armies, [EMPTY, EMPTY])
    armies = (_as_message(msg.args["attacker"]), _as_message(msg.args["defender"]))
    units = [_read_units(msg.args["attackers"]), _read_units(msg.args["defenders"])]
    castle = bool(view["territories"][at]["castle"])
    title = Msg("risk_europe.scene.battle", at=msg.args["at"])
    battle = _Battle("battle", at, title, armies, units, castle)
    battle.sides = tuple(
        replace(side, note=Msg("risk_europe.scene.force", units=words.unit_list(some)))
        for side, some in zip(_sides_now(battle), units, strict=True)
    )
    return battle


def _sides_now(battle: _Battle) -> tuple[Side, ...]:
    """Both sides with their chances as things stand."""
    known = (
        side_chances(battle.units[0], battle.units[1], battle.castle)
        if any(map(any, battle.units))
        else None
    )
    chances = known or (None, None)
    return tuple(
        Side(_last_word(army), army, chance=chance)
        for army, chance in zip(battle.armies, chances, strict=True)
    )


def _tell_rank(battle: _Battle, each: Fact) -> None:
    args = each.msg.args
    battle.rank = int(each.msg.code[-1])
    battle.dice = _read_dice(args["attacker_dice"])
    theirs = _read_dice(args["defender_dice"])
    text = Msg(f"risk_europe.rank.{battle.rank}")
    battle.beats.append(Beat(text, each.rule, _rolled_sides(battle, battle.dice, theirs)))


def _tell_reroll(battle: _Battle, each: Fact) -> None:
    dice = _read_dice(each.msg.args["dice"])
    attacker, defender = _rolled_sides(battle, battle.dice, dice)
    text = Msg("risk_europe.scene.reroll")
    battle.beats.append(Beat(text, each.rule, (replace(attacker, dice=(), counts=()), defender)))


def _tell_assault(battle: _Battle, each: Fact) -> None:
    sides = _rolled_sides(battle, _read_dice(each.msg.args["dice"]), ())
    battle.beats.append(Beat(Msg("risk_europe.rank.1"), each.rule, sides))


def _rolled_sides(
    battle: _Battle, ours: tuple[int, ...], theirs: tuple[int, ...]
) -> tuple[Side, ...]:
    hits = _dice_that_hit(battle.rank, ours, theirs)
    rolled = zip(_sides_now(battle), (ours, theirs), hits, strict=True)
    return tuple(replace(side, dice=dice, counts=counts) for side, dice, counts in rolled)


def _dice_that_hit(
    rank: int, ours: tuple[int, ...], theirs: tuple[int, ...]
) -> tuple[tuple[bool, ...], tuple[bool, ...]]:
    """Which dice hit; in the general attack they are compared pair by pair (R-BAT-10)."""
    if rank != GENERAL:
        on = HITS_ON[rank]
        return tuple(die >= on for die in ours), tuple(die >= on for die in theirs)
    pairs = min(len(ours), len(theirs))
    wins = [a > d for a, d in zip(ours, theirs, strict=False)]
    return (
        tuple(i < pairs and wins[i] for i in range(len(ours))),
        tuple(i < pairs and not wins[i] for i in range(len(theirs))),
    )


def _tell_fallen(battle: _Battle, each: Fact) -> None:
    """Losses belong to the dice before them, and so do the chances afterwards."""
    army, lost = _as_message(each.msg.args["army"]), _read_units(each.msg.args["units"])
    side = battle.armies.index(army)
    if battle.kind == "battle":
        battle.units[side] = subtract_units(battle.units[side], lost)
    now = _sides_now(battle)
    last = battle.beats.pop()
    sides = [replace(s, chance=now[i].chance) for i, s in enumerate(last.sides)]
    sides[side] = replace(sides[side], lost=words.unit_list(lost))
    battle.beats.append(replace(last, sides=tuple(sides)))


def _tell_more(battle: _Battle, each: Fact) -> None:
    battle.beats.append(Beat(each.msg, each.rule))


def _tell_end(battle: _Battle, each: Fact) -> None:
    _tell_more(battle, each)
    battle.over = True


_TELL: Final[dict[str, Callable[[_Battle, Fact], None]]] = {
    "rank1": _tell_rank,
    "rank2": _tell_rank,
    "rank3": _tell_rank,
    "rank4": _tell_rank,
    "assault": _tell_assault,
    "rerolled": _tell_reroll,
    "fell": _tell_fallen,
    "castle_defends": _tell_more,
    "held": _tell_end,
    "both_destroyed": _tell_end,
    "conquered": _tell_end,
}


def _as_message(arg: Arg) -> Msg:
    return cast(Msg, arg)


def _last_word(name: Arg) -> str:
    """The id in the code of a name: ``blue`` of ``risk_europe.seat.blue``."""
    return _as_message(name).code.rpartition(".")[2]


def _read_units(value: Arg) -> Units:
    """The inverse of `words.unit_list`."""
    found = {_last_word(msg): msg.args["n"] for msg in cast(Sequence[Msg], value) if msg.args}
    footmen, archers, cavalry, siege = (int(cast(int, found.get(unit, 0))) for unit in UNITS)
    return footmen, archers, cavalry, siege


def _read_dice(value: Arg) -> tuple[int, ...]:
    """The inverse of `words.dice_text`, the highest die first."""
    return tuple(sorted((int(die) for die in str(value).split() if die != "-"), reverse=True))


# The score pad


def score(view: View) -> tuple[ScoreLine, ...]:
    """Crowns by city, Rome's second one, crown cards and missions (R-CROWN-01)."""
    if not view["round"]:
        return ()
    armies = {seat: army for seat, army in view["armies"].items() if not army["mercenary"]}
    cities = {seat: _cities_of(view, seat) for seat in armies}
    rome = {seat: float("rome" in held) for seat, held in cities.items()}
    total = {seat: float(army["crowns"]) for seat, army in armies.items()}
    return (
        ScoreLine(
            Msg("risk_europe.score.cities"),
            {seat: float(len(held)) for seat, held in cities.items()},
            {seat: _city_list(held) for seat, held in cities.items() if held},
            "R-CROWN-02",
        ),
        ScoreLine(Msg("risk_europe.score.rome"), rome, {}, "R-CITY-14"),
        *_crown_lines(view, armies),
        ScoreLine(Msg("risk_europe.score.total"), total, {}, "R-CROWN-01", total=True),
        ScoreLine(
            Msg("risk_europe.score.needed", target=view["target"]),
            {seat: max(0.0, view["target"] - points) for seat, points in total.items()},
            {},
            "R-SET-01",
            open=True,
        ),
    )


def _cities_of(view: View, seat: str) -> list[str]:
    if view["armies"][seat]["out"]:
        return []
    return [
        land["city"]
        for land in view["territories"].values()
        if land["city"] and land["owner"] == seat
    ]


def _city_list(cities: Iterable[str]) -> Msg:
    return Msg("risk_europe.score.of", names=[Msg(f"risk_europe.city.{city}") for city in cities])


def _crown_lines(view: View, armies: dict[str, Any]) -> Iterator[ScoreLine]:
    """Crown cards; with missions, those completed and how many are still hidden."""
    hidden = {seat: army["missions"] for seat, army in armies.items() if army["missions"]}
    if not (hidden or any(army["completed"] for army in armies.values())):
        bought = {seat: float(army["crown_cards"]) for seat, army in armies.items()}
        yield ScoreLine(Msg("risk_europe.score.cards"), bought, {}, "R-CROWN-04")
        return
    done = {seat: float(len(army["completed"])) for seat, army in armies.items()}
    notes = {seat: _mission_note(armies[seat]) for seat in armies}
    yield ScoreLine(
        Msg("risk_europe.score.missions"),
        done,
        {seat: note for seat, note in notes.items() if note},
        "R-MISSION-05",
        open=bool(hidden),
    )


def _mission_note(army: dict[str, Any]) -> Msg | None:
    names = [words.crown_name(done["card"]) for done in army["completed"]]
    if army["missions"]:
        names.append(Msg("risk_europe.view.missions", n=army["missions"]))
    return Msg("risk_europe.score.of", names=names) if names else None
