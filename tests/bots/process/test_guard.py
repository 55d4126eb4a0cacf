"""A bot that misbehaves never harms the table."""

import random
from contextlib import suppress

import psutil  # type: ignore[import-untyped]  # it ships no types
import pytest
import sparks

from powderkeg import bots
from powderkeg.bots.engine.budget import Budget
from powderkeg.bots.process import guard, host
from powderkeg.bots.process.guard import Guard
from powderkeg.core.chance import Seeded
from powderkeg.core.table import Table
from tests.bots import bad_bots
from tests.bots.ending import ended


@pytest.fixture(scope="module")
def guarded():
    with Guard(seconds=600.0, memory=1 << 29) as made:
        yield made


@pytest.fixture(scope="module")
def impatient():
    with Guard(seconds=1.0, memory=1 << 29) as made:
        yield made


@pytest.fixture
def table():
    return Table(sparks, 2, source=Seeded(random.Random(1)))


def ask(guarded, table, bot, seed="1"):
    return guarded.decide(sparks, table.state, "red", f"tests.bots.bad_bots:{bot}", seed)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("bot", "fault"),
    [
        ("raising", "raised"),
        ("nonsense", "nonsense"),
        ("nothing", "nonsense"),
        ("unwritable", "nonsense"),
        ("illegal", "nonsense"),
        ("leaking", "memory"),
        ("dying", "died"),
        ("leaving", "died"),
        ("missing", "raised"),
        ("endless", "nonsense"),
        ("flooding", "nonsense"),
    ],
)
def test_the_default_stands_in_for_a_bad_bot(guarded, table, bot, fault):
    said = ask(guarded, table, bot)
    assert (said.fault, said.action) == (fault, sparks.default(table.state, "red"))
    assert said.detail.encode(), "it can be written down"


@pytest.mark.slow
@pytest.mark.parametrize("bot", ["hanging", "sleeping"])
def test_the_default_stands_in_for_a_bot_that_is_late(impatient, table, bot):
    said = ask(impatient, table, bot)
    assert (said.fault, said.action) == ("late", sparks.default(table.state, "red"))


@pytest.mark.slow
def test_the_next_bot_is_served_as_if_nothing_had_happened(guarded, table):
    for bot in ("dying", "leaking", "raising"):
        ask(guarded, table, bot)
        said = ask(guarded, table, "first")
        assert (said.fault, said.action) == ("", next(iter(table.legal("red"))))


def test_prints_of_a_bot_are_not_taken_for_its_answer(guarded, table):
    said = ask(guarded, table, "chatting")
    assert (said.fault, said.action) == ("", next(iter(table.legal("red"))))


@pytest.mark.parametrize("bot", ["meddling", "babbling", "forging", "forking"])
def test_what_a_bot_writes_on_the_guards_own_line_is_no_answer(guarded, table, bot):
    """Neither to its own question nor to the next one."""
    for name in (bot, "first", bot, "first"):
        said = ask(guarded, table, name)
        assert (said.fault, said.action) == ("", next(iter(table.legal("red"))))


@pytest.mark.slow
def test_an_answer_without_end_is_not_listened_to(guarded, table):
    assert "more than" in ask(guarded, table, "endless").detail


def test_nobody_that_a_bot_has_started_outlives_the_guard(table):
    with Guard(seconds=600.0) as made:
        ask(made, table, "breeding")
        left = psutil.Process(made.process.pid).children()
        assert len(left) == 1
    assert ended(left)


def test_nor_the_process_that_started_it(table, tmp_path, monkeypatch):
    monkeypatch.setenv("ORPHAN", str(tmp_path / "pid"))
    with Guard(seconds=600.0) as made:
        assert ask(made, table, "orphaning").fault == "died"
    with suppress(psutil.NoSuchProcess):
        left = psutil.Process(int((tmp_path / "pid").read_text()))
        assert ended([left])


def test_what_a_bot_starts_hears_no_questions(table):
    with Guard(seconds=600.0) as made:
        assert [ask(made, table, "listening").fault for _ in range(3)] == ["", "", ""]


def test_files_beside_a_bot_take_the_place_of_nothing(table, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "bisect.py").write_text("raise RuntimeError\n")
    (tmp_path / "bots_beside.py").write_text(
        "def first(view, asked, legal, rng): return next(iter(legal))\n"
    )
    with Guard(seconds=600.0) as made:
        assert made.decide(sparks, table.state, "red", "bots_beside:first", "1").fault == ""


def test_a_level_answers_alike_here_and_there(guarded, table):
    budget = Budget(30)
    there = guarded.decide(sparks, table.state, "red", "hard", "s", budget)
    here = guard.decide_here(sparks, table.state, "red", bots.find_bot(sparks, "hard", budget), "s")
    assert (here.action, here.fault) == (there.action, there.fault) == (here.action, "")


@pytest.mark.parametrize("bot", ["raising", "nonsense", "nothing", "illegal"])
def test_errors_and_nonsense_are_caught_without_a_process_too(table, bot):
    said = guard.decide_here(sparks, table.state, "red", getattr(bad_bots, bot), "1")
    assert said.fault in ("raised", "nonsense")
    assert said.action == sparks.default(table.state, "red")


def test_running_out_of_memory_here_is_caught(table):
    def hungry(view, question, legal, rng):
        raise MemoryError

    assert guard.decide_here(sparks, table.state, "red", hungry, "1").fault == "memory"


def test_a_whole_game_against_a_bad_bot_ends(guarded):
    table = Table(sparks, 2, source=Seeded(random.Random(2)))
    number = 0
    while table.to_act:
        seat = min(table.to_act)
        bot = "tests.bots.bad_bots:dying" if seat == "red" and number < 3 else "random"
        table.act(seat, guarded.decide(sparks, table.state, seat, bot, str(number)).action)
        number += 1
    assert table.result is not None


def test_only_the_view_crosses_over(guarded, table, monkeypatch):
    sent = []
    monkeypatch.setattr(guarded, "ask", lambda r: sent.append(r) or guard.BotAnswer("card c1"))
    guarded.decide(sparks, table.state, "red", "random", "1")
    assert sent[0]["view"] == table.view("red")
    assert not any(f"'{card}'" in str(sent[0]) for card in table.state.hands["blue"])


def test_a_guard_that_has_ended_starts_no_more(table):
    one = Guard(seconds=600)
    assert ask(one, table, "first").fault == ""
    one.end()
    assert ask(one, table, "first").fault == "died"
    assert one.process is None


def test_a_closed_guard_starts_again(table):
    one = Guard(seconds=600)
    assert ask(one, table, "first").fault == ""
    one.close()
    one.close()
    assert ask(one, table, "first").fault == ""
    one.close()


@pytest.mark.slow
def test_lines_are_read_where_pipes_cannot_be_waited_for(table, monkeypatch):
    """As on Windows: answers, silence and death are distinguished by a thread."""
    monkeypatch.setattr(host, "_read_chunk", host._read_by_thread)
    with Guard(seconds=600.0, memory=1 << 29) as patient:
        assert ask(patient, table, "first").fault == ""
        assert ask(patient, table, "dying").fault == "died"
        assert ask(patient, table, "first").fault == ""
        assert ask(patient, table, "meddling").fault == ""
        assert ask(patient, table, "endless").fault == "nonsense"
        patient.seconds = 1.0
        assert ask(patient, table, "sleeping").fault == "late"
