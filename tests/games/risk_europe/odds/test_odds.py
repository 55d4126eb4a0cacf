"""Exact odds against known numbers and against battles played by the engine's own functions."""

import json
import random
from collections import Counter
from itertools import product

import pytest
import typer
from hypothesis import given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner

import powderkeg.games.risk_europe as game
from powderkeg.cli.odds import print_odds as command
from powderkeg.core.chance import CHANCE, Roll
from powderkeg.core.errors import Unreadable
from powderkeg.games.risk_europe.actions import Reroll, Stand
from powderkeg.games.risk_europe.board import EMPTY, FULL_ARMY, total_units
from powderkeg.games.risk_europe.odds.army_text import parse_army
from powderkeg.games.risk_europe.odds.battle_odds import army_chain, exact_odds
from powderkeg.games.risk_europe.rules import battle_dice, battles
from tests.games.risk_europe.scene import Scene, units, written


@pytest.mark.parametrize(
    ("attacker", "defender", "wins"),
    [
        ("1f", "1f", 15 / 36),
        ("2f", "1f", 125 / 216),
        ("3f", "1f", 855 / 1296),
    ],
)
@pytest.mark.rule("R-BAT-10")
def test_a_single_footman_falls_with_the_known_chance(attacker, defender, wins):
    """The first comparison decides against one defender, or the attackers dwindle."""
    found = exact_odds(units(attacker), units(defender))
    first = wins
    if attacker == "1f":
        assert found.attacker == pytest.approx(first)
    else:
        fewer = exact_odds(units(f"{int(attacker[0]) - 1}f"), units(defender)).attacker
        assert found.attacker == pytest.approx(first + (1 - first) * fewer)


@pytest.mark.rule("R-BAT-03", "R-BAT-15")
def test_one_archer_against_one_archer():
    """Rank 2 by hand: both, one, neither; then a general attack of one die each."""
    found = exact_odds(units("1a"), units("1a"))
    hit, general = 1 / 3, 15 / 36
    assert found.both_destroyed == pytest.approx(hit * hit)
    alone = hit * (1 - hit)
    assert found.attacker == pytest.approx(alone + (1 - hit) ** 2 * general)
    assert found.defender == pytest.approx(alone + (1 - hit) ** 2 * (1 - general))


@pytest.mark.rule("R-BAT-13")
def test_a_castle_helps_and_best_is_best():
    for attacker, defender in (("5f", "4f"), ("2f 2a 1s", "3f 2a"), ("3c", "2a 1c 1f")):
        chances = {
            c: exact_odds(units(attacker), units(defender), castle=c).defender
            for c in ("none", "eager", "best")
        }
        assert chances["none"] < chances["eager"] <= chances["best"] + 1e-12


some = st.tuples(st.integers(0, 4), st.integers(0, 3), st.integers(0, 3), st.integers(0, 2)).filter(
    any
)


@given(some, some, st.sampled_from(["none", "eager", "best"]), st.permutations("facs"))
@settings(max_examples=40, deadline=None)
def test_chances_add_up_and_ends_are_possible(attacker, defender, castle, order):
    found = exact_odds(attacker, defender, castle=castle, attacker_losses="".join(order))
    assert sum(o.chance for o in found.outcomes) == pytest.approx(1)
    assert found.attacker + found.defender + found.both_destroyed == pytest.approx(1)
    for outcome in found.outcomes:
        assert not (total_units(outcome.attacker) and total_units(outcome.defender))
        assert outcome.attacker in army_chain(attacker, "".join(order))


@given(some, some)
@settings(max_examples=20, deadline=None)
def test_another_footman_never_hurts(attacker, defender):
    f, a, c, s = attacker
    assert (
        exact_odds((f + 1, a, c, s), defender).attacker
        >= exact_odds(attacker, defender).attacker - 1e-12
    )


def test_losses_need_an_order_of_the_four_kinds():
    assert army_chain(units("1f 1a"), "afcs") == [units("1f 1a"), units("1f"), units("")]
    with pytest.raises(ValueError, match="order"):
        army_chain(units("1f"), "ffcs")


# Against the engine: whole battles through apply, losses cheapest first


def played(attacker, defender, castle, rng):
    """The winner of one battle played by the rules themselves."""
    s = Scene(
        {"bavaria": f"blue {defender}", "rome": "blue 1f", "sweden": "orange 1f"},
        attacks={"bavaria": f"orange {attacker}"},
        castles="bavaria" if castle else "",
    )
    state = s.battles().state
    while state.attacks:
        seat = min(game.to_act(state))
        if seat == CHANCE:
            action = game.legal(state, CHANCE).sample(rng)
        else:
            action = eager(state) or game.default(state, seat)
        state = game.apply(state, seat, action).state
    return state.owner[29]


def eager(state):
    """Reroll when the dice hit less than their average."""
    step = state.agenda[-1]
    if step.stage != "castle":
        return None
    _, lost = battle_dice.count_hits(step.rank, step.attacker, step.defender)
    dice = list(product(range(1, 7), repeat=len(step.defender)))
    hits = [battle_dice.count_hits(step.rank, step.attacker, roll)[1] for roll in dice]
    return Reroll() if lost * len(dice) < sum(hits) else Stand()


@pytest.mark.slow
@pytest.mark.rule("R-BAT-02", "R-BAT-07", "R-BAT-13")
@pytest.mark.parametrize(
    ("attacker", "defender", "castle"),
    [
        ("4f", "3f", False),
        ("2f 2a", "3f 1c", False),
        ("1f 1a 1c 1s", "2f 2a 1c", False),
        ("3f 1s", "2f 2a", True),
        ("4f", "3f", True),
    ],
)
def test_the_engine_agrees(attacker, defender, castle):
    """Fixed seed; the bound is five standard deviations."""
    games = 400
    rng = random.Random(f"{attacker}/{defender}")
    ends = [played(attacker, defender, castle, rng) for _ in range(games)]
    found = exact_odds(units(attacker), units(defender), castle="eager" if castle else "none")
    for owner, chance in ((1, found.attacker), (0, found.defender), (-1, found.both_destroyed)):
        spread = (chance * (1 - chance) / games) ** 0.5
        assert abs(ends.count(owner) / games - chance) <= 5 * spread + 1e-9


# Against every roll: small battles played out to all their ends by the rules themselves


class Brute:
    """All ends of a battle with their chances; the castle's choices are made by `policy`."""

    def __init__(self, attacker, defender, policy):
        self.policy, self.known = policy, {}
        castle = "" if policy == "none" else "bavaria"
        s = Scene(
            {"bavaria": f"blue {defender}", "rome": "blue 1f", "sweden": "orange 1f"},
            attacks={"bavaria": f"orange {attacker}"},
            castles=castle,
        )
        self.ends = self.after(s.battles().state)

    def after(self, state):
        """The chance of each end: its owner and the units left."""
        if not state.attacks:
            return {(state.owner[29], state.units[29]): 1.0}
        key = (state.units[29], state.attacks, state.agenda[-1])
        if key not in self.known:
            self.known[key] = self.found(state)
        return self.known[key]

    def found(self, state):
        seat = min(game.to_act(state))
        if seat == CHANCE:
            return self.rolled(state)
        step = state.agenda[-1]
        if step.stage != "castle":
            return self.acted(state, seat, game.default(state, seat))
        if self.policy == "eager":
            return self.acted(state, seat, eager(state))
        both = [self.acted(state, seat, action) for action in (Stand(), Reroll())]
        return max(both, key=held)

    def acted(self, state, seat, action):
        return self.after(game.apply(state, seat, action).state)

    def rolled(self, state):
        """Dice that differ only in their order lead to the same."""
        step = state.agenda[-1]
        owed = list(game.legal(state, CHANCE))
        mine = 0 if step.stage == "reroll" else battles._dice_counts(state, step)[0]
        rolls = Counter((*sorted(roll.dice[:mine]), *sorted(roll.dice[mine:])) for roll in owed)
        ends = Counter()
        for dice, count in rolls.items():
            for end, chance in self.acted(state, CHANCE, Roll(dice)).items():
                ends[end] += chance * count / len(owed)
        return ends


def held(ends):
    return sum(chance for (owner, _), chance in ends.items() if owner == 0)


SMALL = [
    ("1f", "1f"), ("2f", "1f"), ("1f", "2f"), ("2f", "2f"), ("1a", "1a 1f"), ("1f 1a", "2a"),
    ("1c", "1a 1c"), ("1s", "1f 1a"), ("1s", "1a 1s"),
]  # fmt: skip


@pytest.mark.slow
@pytest.mark.rule("R-BAT-13", "R-BAT-02", "R-BAT-07")
@pytest.mark.parametrize("policy", ["none", "eager", "best"])
@pytest.mark.parametrize(("attacker", "defender"), SMALL)
def test_small_battles_are_those_of_every_roll(attacker, defender, policy):
    brute = Brute(attacker, defender, policy).ends
    found = exact_odds(units(attacker), units(defender), castle=policy)
    assert found.defender == pytest.approx(held(brute), abs=1e-12)
    if policy == "best":  # of choices that hold alike, any may be made
        return
    chances = {(end.attacker, end.defender): end.chance for end in found.outcomes}
    for (owner, left), chance in brute.items():
        end = {1: (left, EMPTY), 0: (EMPTY, left), -1: (EMPTY, EMPTY)}[owner]
        assert chances[end] == pytest.approx(chance, abs=1e-12)


@pytest.mark.slow
def test_the_largest_battle_is_reckoned():
    """Every unit of the box on both sides."""
    found = exact_odds(FULL_ARMY, FULL_ARMY, castle="best")
    assert found.attacker + found.defender + found.both_destroyed == pytest.approx(1)


# The command


@pytest.mark.parametrize(
    ("text", "there"),
    [
        ("4 footmen, 2 archers", "4f 2a"),
        ("3f 1c", "3f 1c"),
        ("1 footman and 1 siege weapon", "1f 1s"),
        ("4 lacayos y 2 armas de asedio", "4f 2s"),
        ("2 arqueros, 3 jinetes", "2a 3c"),
        ("1 caballería", "1c"),
        ("5 fanti, 1 arciere e 2 armi d'assedio", "5f 1a 2s"),
        ("2 arcieri e 1 arma d\u2019assedio", "2a 1s"),
        ("3 cavalieri + 1s", "3c 1s"),
        ("2f 3f", "5f"),
        ("10F", "10f"),
        ("1 jinete de caballería", "1c"),
        ("un jinete de Caballería", "1c"),
        ("3 jinetes de Caballería y un Arma de Asedio", "3c 1s"),
        ("diez Lacayos, dos arqueros", "10f 2a"),
        ("treinta y cinco lacayos y una caballería", "35f 1c"),
        ("a footman and an archer", "1f 1a"),
        ("Twenty-two footmen, one siege weapon", "22f 1s"),
        ("un fante e un'arma d'assedio", "1f 1s"),
        ("undici fanti, tre arcieri e due armi d\u2019assedio", "11f 3a 2s"),
    ],
)
def test_armies_in_words(text, there):
    assert written(parse_army(text)) == there


@pytest.mark.parametrize(
    ("text", "code"),
    [("", "no_army"), ("many", "no_army"), ("0f", "no_army"), ("4 dragons", "no_unit"),
     ("5 siege weapons", "too_many"), ("3f and then some", "no_army")],
)  # fmt: skip
def test_bad_armies(text, code):
    with pytest.raises(Unreadable) as error:
        parse_army(text)
    assert error.value.code == f"odds.{code}"


def run(*args):
    app = typer.Typer()
    app.command()(command)
    return CliRunner().invoke(app, args)


@pytest.mark.parametrize(
    ("lang", "said", "chance"),
    [
        ("en", "The attacker wins", "57.0%"),
        ("es", "Gana el atacante", "57,0%"),
        ("it", "Vince l\u2019attaccante", "57,0%"),
    ],
)
def test_the_command_speaks(lang, said, chance):
    done = run("4 footmen, 2 archers", "3f 1c", "--castle", "--lang", lang)
    assert done.exit_code == 0
    assert said in done.output
    assert chance in done.output


def test_what_can_happen_is_never_said_to_be_impossible():
    done = run("4 footmen, 2 archers", "3f 1c 1s", "--castle", "--lang", "en")
    assert "<0.1%" in done.output
    assert done.output.count(" 0.0%") == 1  # both destroyed: that cannot be


def test_nothing_is_certain_beside_what_can_happen():
    done = run("6f 1s", "3f", "--lang", "es")
    assert "<0,1%" in done.output
    assert ">99,9%" in done.output
    assert "100,0%" not in done.output


def test_the_command_for_programs():
    done = run("4f 2a", "3f 1c", "--json", "--attacker-losses", "AFCS")
    found = json.loads(done.output)
    exact = exact_odds(units("4f 2a"), units("3f 1c"), attacker_losses="afcs")
    assert found["attacker_wins"] == exact.attacker
    assert len(found["outcomes"]) == len(exact.outcomes)


def test_a_bad_order_of_losses():
    assert isinstance(run("1f", "1f", "--attacker-losses", "xx").exception, Unreadable)
