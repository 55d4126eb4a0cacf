"""Random games under a referee who knows only the facts: nothing changes in silence."""

import random
from collections import Counter

import pytest

import powderkeg.games.risk_europe as game
from powderkeg.core.chance import CHANCE
from powderkeg.core.words import Msg, say
from powderkeg.games.risk_europe.board import (
    ADJACENT,
    NOBODY,
    TERRITORY_NAMES,
    TERRITORY_NUMBER,
    total_units,
)
from powderkeg.games.risk_europe.state import Options

GETS = {"claimed_city": "army", "settled": "army", "settled_castle": "army", "taxed": "army",
        "spoils": "army", "hired": "hired"}  # fmt: skip
PAYS = {"bought": "army", "built": "army", "bought_crown": "army", "goes_first": "army",
        "hired": "army"}  # fmt: skip


def steps(players, seed, **options):
    """Every step of a random game: who acted, the state before, the state after, the facts."""
    chosen = Options(**options)
    rng = random.Random(seed)
    state = game.start(game.seats(players, chosen), chosen)
    while acting := sorted(game.to_act(state)):
        seat = rng.choice(acting)
        step = game.apply(state, seat, game.legal(state, seat).sample(rng))
        yield seat, state, step.state, step.facts
        state = step.state


def facts_of(facts, *codes):
    """The arguments of the facts with these codes, names without their kind."""
    for fact in facts:
        code = fact.msg.code.removeprefix("risk_europe.")
        if code in codes:
            yield code, {key: name(value) for key, value in fact.msg.args.items()}


def name(value):
    code = getattr(value, "code", "")
    if code.endswith((".coins", ".crowns")):
        return value.args["n"]
    return code.rpartition(".")[2] or value


GAMES = pytest.mark.parametrize("players", [2, 3, 4])


@GAMES
@pytest.mark.rule("R-SET-05", "R-TAX-02", "R-SPEND-01", "R-3P-11", "R-CROWN-02", "R-CITY-09")
def test_coins_change_only_as_the_facts_say(players):
    for _, before, after, facts in steps(players, players, rounds=15, missions=players == 3):
        change = Counter()
        for code, args in facts_of(facts, *GETS, *PAYS):
            if code in GETS:
                change[args[GETS[code]]] += args["coins"]
            if code in PAYS:
                change[args[PAYS[code]]] -= args["coins"]
        out = {args["army"] for _, args in facts_of(facts, "eliminated")}
        for i, colour in enumerate(before.colours):
            expected = 0 if colour in out else before.armies[i].coins + change[colour]
            assert after.armies[i].coins == expected, facts


@GAMES
@pytest.mark.rule("R-KING-01", "R-KING-03", "R-ELIM-06")
def test_the_marker_changes_only_as_the_facts_say(players):
    for _, before, after, facts in steps(players, 7 + players, rounds=15):
        takers = [args["army"] for _, args in facts_of(facts, "goes_first", "king_me")]
        if after.marker != before.marker:
            assert takers[-1] == after.colours[after.marker]
        kings = [args for _, args in facts_of(facts, "revealed") if args["card"] == "king"]
        assert len(takers) <= len(kings) + 1


@GAMES
@pytest.mark.rule("R-EXP-05", "R-BAT-16", "R-MAP-05", "R-BAT-15")
def test_territories_change_hands_only_as_the_facts_say(players):
    takes = ("claimed", "claimed_city", "conquered", "settled", "settled_castle", "garrisoned")
    leaves = ("unclaimed", "lost_city")
    for _, before, after, facts in steps(players, 20 + players, rounds=15):
        owners = {at: before.owner[at] for at in range(len(TERRITORY_NAMES))}
        for code, args in facts_of(facts, *takes, *leaves, "eliminated"):
            who = before.colours.index(args["army"])
            if code == "eliminated":
                owners = {at: NOBODY if i == who else i for at, i in owners.items()}
            else:
                owners[TERRITORY_NUMBER[args["at"]]] = who if code in takes else NOBODY
        assert tuple(owners.values()) == after.owner


@GAMES
@pytest.mark.rule("R-EXP-02", "R-EXP-06", "R-MAN-01", "R-MAN-05", "R-DISP-03", "R-DISP-08")
def test_movement_keeps_to_the_map_and_leaves_who_must_stay(players):
    """Whatever the order, seen from outside: where units left, who stayed, how far they went."""
    moved = 0
    for seat, before, after, facts in steps(players, 40 + players, rounds=15):
        if seat == CHANCE:
            continue
        for _, args in facts_of(facts, "moved"):
            moved += 1
            origin, to = TERRITORY_NUMBER[args["origin"]], TERRITORY_NUMBER[args["at"]]
            near = to in ADJACENT[origin] or any(to in ADJACENT[via] for via in ADJACENT[origin])
            assert near
            foes = next((total_units(a.units) for a in before.attacks if a.at == origin), 0)
            left = after.units[origin]
            if after.owner[origin] == before.owner[origin]:
                assert total_units(left) >= max(1, foes)
            else:  # emptied by a manoeuvre: neither city nor castle
                assert not foes
                assert origin not in before.castles
        for attack in before.attacks:  # attackers only ever grow before their battle
            now = next((a for a in after.attacks if a.at == attack.at), attack)
            assert now.army == attack.army
            assert total_units(now.units) >= total_units(attack.units) or "fell" in str(facts)
    assert moved > 50


def test_a_city_has_its_preposition():
    names = {"army": Msg("risk_europe.seat.orange"), "coins": Msg("risk_europe.coins", n=3)}
    for city, said in (("athens", "ad Atene"), ("paris", "a Parigi")):
        taxed = Msg("risk_europe.taxed", city=Msg(f"risk_europe.city.{city}"), **names)
        assert f"riscuote il tributo {said} e" in say(taxed, "it")


@pytest.mark.parametrize(
    ("lang", "place", "said"),
    [
        ("it", "turkey", "fanti in Turchia"),
        ("it", "sicily", "fanti nel Regno di Sicilia"),
        ("es", "sicily", "lacayos en el Reino de Sicilia"),
        ("en", "sicily", "footmen in the Kingdom of Sicily"),
    ],
)
def test_territories_have_their_article(lang, place, said):
    question = Msg(
        "risk_europe.ask.garrison", footmen=5, city=Msg(f"risk_europe.territory.{place}")
    )
    assert said in say(question, lang)
