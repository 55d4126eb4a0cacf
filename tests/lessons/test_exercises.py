"""Every exercise and puzzle is proven by the rules: its solution works, its position is sound."""

from itertools import product

import pytest

from powderkeg import games
from powderkeg.core.chance import Audited
from powderkeg.core.errors import Unreadable
from powderkeg.core.options import load_options
from powderkeg.core.table import Table
from powderkeg.core.words import LANGS, has_words
from powderkeg.games.diplomacy import parse
from powderkeg.games.diplomacy.rules.adjudicate import adjudicate
from powderkeg.games.diplomacy.rules.listing import legal_orders
from powderkeg.lessons import (
    exercise_key,
    find_exercise,
    judge_exercise,
    list_exercises,
    scripted_reply,
    start_position,
)
from powderkeg.lessons.conditions import Condition, read_condition
from powderkeg.proof import read_rules

ALL = [each for game in games.GAME_NAMES for each in list_exercises(game)]
GOALS = [each for each in ALL if each.kind != "tour"]
DIPLOMACY_PUZZLES = [e for e in GOALS if e.kind == "puzzle" and e.game == "diplomacy"]


def named(exercise):
    return exercise.id


class Attempt:
    """Somebody who does an exercise, as the server plays it."""

    def __init__(self, exercise, table=None):
        self.exercise, self.game = exercise, games.find_game(exercise.game)
        self.table = table or self.first_table()
        self.answer_learner()

    def first_table(self):
        options = load_options(self.game.Options, dict(self.exercise.options))
        source = Audited(exercise_key(self.exercise))
        state = start_position(self.exercise.id)
        return Table(self.game, self.exercise.players, options, source=source, state=state)

    def answer_learner(self):
        done = []
        while reply := scripted_reply(self.exercise, self.game, self.table.state, done):
            assert len(done) < 400, "the script never ends"
            done.append(reply)
            self.table.act(*reply)

    def act(self, *texts):
        for text in texts:
            self.table.act(self.exercise.seat, text)
            self.answer_learner()
        return self

    def branch(self, text):
        fork = self.table.fork(source=Audited(exercise_key(self.exercise)))
        return Attempt(self.exercise, fork).act(text)

    @property
    def verdict(self):
        return judge_exercise(self.exercise, self.game, self.table.state)

    @property
    def legal(self):
        return [str(action) for action in self.table.legal(self.exercise.seat)]


@pytest.mark.parametrize("exercise", ALL, ids=named)
def test_an_exercise_starts_from_a_sound_position_and_asks_the_learner(exercise):
    attempt = Attempt(exercise)
    assert attempt.game.broken(attempt.table.state) == []
    assert exercise.seat in attempt.table.to_act
    assert attempt.table.to_act == {exercise.seat}
    assert attempt.verdict == "open"


@pytest.mark.parametrize("exercise", GOALS, ids=named)
def test_the_solution_is_found_solved_and_not_before(exercise):
    attempt = Attempt(exercise)
    for text in exercise.solution:
        assert attempt.verdict == "open"
        attempt.act(text)
    assert attempt.verdict == "solved"


@pytest.mark.parametrize("exercise", GOALS, ids=named)
def test_a_learner_who_does_nothing_solves_nothing(exercise):
    attempt = Attempt(exercise)
    for _ in range(40):
        if attempt.verdict != "open":
            break
        default = str(attempt.game.default(attempt.table.state, exercise.seat))
        attempt.act(default)
    assert attempt.verdict == "failed"


@pytest.mark.parametrize("exercise", GOALS, ids=named)
def test_an_exercise_is_the_same_every_time(exercise):
    one, two = Attempt(exercise).act(*exercise.solution), Attempt(exercise).act(*exercise.solution)
    assert one.table.state == two.table.state


@pytest.mark.parametrize("exercise", ALL, ids=named)
def test_an_exercise_has_its_words_and_its_rule(exercise):
    parts = ("title",) if exercise.kind == "tour" else ("title", "task", "hint", "done")
    for lang, part in product(LANGS, parts):
        assert has_words(f"lessons.{exercise.game}.{exercise.name}.{part}", lang)
    if exercise.kind != "tour":
        assert exercise.rule in read_rules()[exercise.game]


def test_every_game_has_a_tour_exercises_and_puzzles():
    for game in games.GAME_NAMES:
        kinds = [each.kind for each in list_exercises(game)]
        assert kinds.count("tour") == 1
        assert kinds.count("exercise") >= 4
        assert kinds.count("puzzle") >= 3
        assert kinds == sorted(kinds, key=("tour", "exercise", "puzzle").index)


# Puzzles: what solves them, and that nothing else does


@pytest.mark.slow
@pytest.mark.parametrize("exercise", DIPLOMACY_PUZZLES, ids=named)
def test_of_all_orders_only_the_solution_reaches_the_goal(exercise):
    """The units that the solution does not name may do as they like; every other try fails."""
    attempt = Attempt(exercise)
    state = attempt.table.state
    listed = legal_orders(state.position)
    choices = [
        [str(order) for order in listed[unit.at.partition("/")[0]]]
        for unit in state.units[exercise.seat]
    ]
    wanted = set(exercise.solution) - {"ready"}
    solved = 0
    for orders in product(*choices):
        reached = _reaches_goal(exercise, state, orders)
        assert reached == (wanted <= set(orders)), orders
        solved += reached
    assert solved


def _reaches_goal(exercise, state, orders):
    """Whether these orders of the learner, with the script's of the others, reach the goal."""
    given = {power: [] for power in state.units}
    for power, units in state.units.items():
        places = {unit.at.partition("/")[0] for unit in units}
        given[power] = [order for at, order in state.drafts.items() if at in places]
    given[exercise.seat] = [parse(text) for text in orders]
    after = adjudicate(state.position, given).position.units[exercise.seat]
    (goal,) = exercise.goal
    return goal.value in map(str, after)


def reachable_verdicts(attempt, most, skip=()):
    """The verdict at the end of every way through an exercise, by the actions taken."""
    found, open_ways = {}, [((), attempt)]
    while open_ways:
        way, now = open_ways.pop()
        if now.verdict != "open":
            found[way] = now.verdict
            assert len(found) <= most
            continue
        texts = [text for text in now.legal if not text.startswith(skip)]
        open_ways += [((*way, text), now.branch(text)) for text in texts]
    return found


def solving_ways(found):
    return {way for way, verdict in found.items() if verdict == "solved"}


def test_only_one_bid_wins_without_paying():
    found = reachable_verdicts(Attempt(find_exercise("versailles/thrift")), 200, ("propose",))
    assert solving_ways(found) == {("bid 0+1 0",)}


def test_only_one_pair_of_issues_gives_three_leads():
    attempt = Attempt(find_exercise("versailles/three_leads"))
    firsts = [text for text in attempt.legal if text.startswith("place")]
    pairs = {
        frozenset({first, second})
        for first in firsts
        for second in attempt.branch(first).legal
        if second.startswith("place") and attempt.branch(first).branch(second).verdict == "solved"
    }
    assert pairs == {frozenset({"place dobruja 2", "place mesopotamia 2"})}


def test_only_one_option_is_worth_twelve_points():
    attempt = Attempt(find_exercise("versailles/mandate")).act("settle palestine")
    options = [text for text in attempt.legal if text.startswith("option")]
    assert len(options) == 4
    assert [o for o in options if attempt.branch(o).verdict == "solved"] == ["option uk_mandate"]


@pytest.mark.slow
def test_only_one_split_brings_three_crowns():
    found = reachable_verdicts(Attempt(find_exercise("risk_europe/three_crowns")), 5000)
    ways = solving_ways(found)
    assert ways
    for way in ways:
        assert {"order split", "from lombardy"} <= set(way)
        assert {text for text in way if text.startswith("to ")} == {"to rome", "to swabia"}


def test_only_the_land_with_a_city_makes_one_kingdom_rich_enough():
    exercise = find_exercise("risk_europe/one_kingdom")
    for target, verdict in (("swabia", "solved"), ("burgundy", "failed")):
        way = [text.replace("swabia", target) for text in exercise.solution]
        assert Attempt(exercise).act(*way).verdict == verdict


def test_the_seventh_crown_needs_both_cards():
    exercise = find_exercise("risk_europe/seventh_crown")
    bought = Attempt(exercise).act("pick tax fortify", "order spend", "crown", "done", "pass")
    assert bought.verdict == "failed"
    taken = [text for text in exercise.solution if text not in ("order spend", "crown", "done")]
    assert Attempt(exercise).act(taken[0], "pass", *taken[1:]).verdict == "failed"


# The parts


def test_conditions_compare_a_value_of_the_view():
    view = {"units": {"FRANCE": ["A par"]}, "issues": [{"issue": "syria", "stars": 5}], "n": 3}
    for path, comparison, value, holds in [
        ("n", "equals", 3, True),
        ("n", "differs", 3, False),
        ("n", "least", 4, False),
        ("n", "most", 3, True),
        ("units.FRANCE", "has", "A par", True),
        ("units.FRANCE", "lacks", "A par", False),
        ("units.SPAIN", "lacks", "A par", True),
        ("issues", "has", {"issue": "syria"}, True),
        ("issues.0.stars", "least", 5, True),
        ("issues.7.stars", "least", 5, False),
        ("n.deeper", "most", 5, False),
    ]:
        assert Condition(path, comparison, value).holds(view) is holds, (path, comparison)


@pytest.mark.parametrize("data", [{"path": "n", "resembles": 3}, {"at": "n", "equals": 3}])
def test_a_condition_that_nobody_understands_is_refused(data):
    with pytest.raises(ValueError, match="not a condition"):
        read_condition(data)


@pytest.mark.parametrize("name", ["diplomacy/siege", "chess/fork", "diplomacy"])
def test_an_exercise_that_does_not_exist_is_refused(name):
    with pytest.raises(Unreadable, match=r"lessons\.no_such_exercise|no exercise"):
        find_exercise(name)


def test_a_scripted_seat_refuses_a_deal_that_is_not_the_one():
    attempt = Attempt(find_exercise("versailles/deal"))
    attempt.act("propose france france.give.uk.3")
    assert attempt.table.view("P1")["deals"] == []
    assert attempt.verdict == "open"
    attempt.act("propose france uk.settle.syria,france.give.uk.3", "settle syria")
    assert attempt.verdict == "solved"
