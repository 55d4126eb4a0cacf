"""Tournaments: fair by design, the same however they are run, and not lost when killed."""

import inspect
import json
import os
import subprocess
import sys
from dataclasses import replace
from functools import partial
from importlib.machinery import ModuleSpec
from itertools import combinations
from pathlib import Path
from xml.etree import ElementTree as ET

import psutil  # type: ignore[import-untyped]  # it ships no types
import pytest
import sparks
from typer.testing import CliRunner

from powderkeg.bots.arena import ratings, report
from powderkeg.bots.arena import tournament as arena
from powderkeg.bots.arena.tournament import Duel, Mixed, Pairing, TournamentFolder
from powderkeg.bots.process import pool
from powderkeg.cli.app import app
from powderkeg.core import record
from powderkeg.core.errors import Unreadable
from powderkeg.games import versailles
from tests.bots.ending import ended

ROOT = Path(__file__).parents[3]
BOTS = {"easy": "easy", "random": "random", "first": "tests.bots.bad_bots:first"}


def duel(a="easy", b="random", **more):
    return arena.plan_tournament(sparks, BOTS, (Duel(a, b), Duel(b, a)), **{"seeds": 3, **more})


def games_of(tournament):
    return [arena.play_pairing(tournament, pairing) for pairing in tournament.schedule()]


# Who plays whom


def test_every_seed_is_played_from_every_seat():
    assert list(arena.seat_lineups(Duel("a", "b"), 3, seed=1)) == [
        ("a", "b", "b"),
        ("b", "a", "b"),
        ("b", "b", "a"),
    ]


def test_mixed_tables_are_shuffled_and_turned():
    tables = [tuple(arena.seat_lineups(Mixed(("a", "b", "c")), 4, seed)) for seed in range(6)]
    assert len(set(tables)) > 1
    for table in tables:
        assert len(table) == 4
        for seat in range(4):  # everybody holds every seat as often as any other
            assert sorted(lineup[seat] for lineup in table) == sorted(table[0])


def test_with_more_names_than_seats_everybody_sits_in_turn():
    tables = [next(arena.seat_lineups(Mixed(("a", "b", "c", "d")), 2, seed)) for seed in range(20)]
    assert all(len(set(table)) == 2 for table in tables), "nobody sits twice while others wait"
    assert {frozenset(table) for table in tables} == {
        frozenset(pair) for pair in combinations("abcd", 2)
    }


def test_a_game_asked_for_twice_is_played_once():
    assert len(duel().schedule()) == 3 * 2  # for two, one against the rest is its own mirror
    assert len(duel("easy", "easy").schedule()) == 3


def test_bots_are_checked_before_anything_is_played():
    with pytest.raises(Unreadable):
        arena.plan_tournament(sparks, {"x": "nobody"}, (Duel("x", "x"),))


# The same games, however they are run


def test_a_game_is_decided_by_its_pairing_alone():
    tournament = duel()
    pairing = tournament.schedule()[0]
    one, two = arena.play_pairing(tournament, pairing), arena.play_pairing(tournament, pairing)
    assert one.text == two.text
    assert one.played.digest == two.played.digest


@pytest.mark.slow
def test_cores_change_nothing():
    tournament = duel(seeds=2)
    here = {k.played.id: k.text for k in games_of(tournament)}
    work = partial(arena.play_pairing, tournament)
    there = {k.played.id: k.text for k in pool.share_work(work, tournament.schedule(), jobs=2)}
    assert here == there


@pytest.mark.slow
def test_a_guard_changes_nothing():
    tournament = duel("first", "random")
    guarded = [k.text for k in games_of(tournament)]
    assert guarded == [k.text for k in games_of(replace(tournament, guarded=False))]


def test_a_bot_against_itself_gets_an_equal_share_of_every_seed():
    played = [k.played for k in games_of(duel("easy", "easy", seeds=2))]
    assert all(sum(game.shares) == pytest.approx(1) for game in played)
    found = ratings.bootstrap_mean(ratings.values_by_name(played, "easy", lambda g: g.shares))
    assert found.mean == pytest.approx(0.5)
    assert found.low == pytest.approx(found.high)


def test_games_are_kept_as_files_that_can_be_replayed():
    kept = games_of(duel(seeds=1))[0]
    stored = record.read_record(kept.text)
    assert stored.header.names == {"red": "bot easy", "blue": "bot random"}
    table = record.replay_record(stored, sparks)
    assert table.result is not None
    assert tuple(table.result.scores[s] for s in kept.played.seats) == kept.played.scores


def test_a_game_too_long_is_stopped_and_scored_as_it_stands():
    played = games_of(duel(seeds=1, cap=4))[0].played
    assert (played.why, played.shares, played.wins) == ("", (0.5, 0.5), (0.0, 0.0))


def test_bad_bots_are_counted_and_harm_nobody():
    bots = {"bad": "tests.bots.bad_bots:raising", "random": "random"}
    tournament = arena.plan_tournament(sparks, bots, (Duel("bad", "random"),), seeds=1)
    for kept in games_of(tournament):
        assert kept.played.why
        assert kept.played.faults == {"bad": {"raised": kept.played.times["bad"].decisions}}


# Killed and resumed


def test_what_was_played_is_not_played_again(tmp_path):
    tournament = duel(seeds=2)
    folder = TournamentFolder(tmp_path, tournament)
    first = arena.play_pairing(tournament, tournament.schedule()[0])
    folder.keep_game(first)
    with (tmp_path / "results.jsonl").open("a") as file:
        file.write('{"id": "000001-cut of')  # killed in the middle of a line
    again = TournamentFolder(tmp_path, tournament)
    assert again.finished_games() == {first.played.id: first.played}
    assert (tmp_path / "results.jsonl").read_text().endswith("}\n")


def test_more_seeds_go_on_and_another_tournament_is_refused(tmp_path):
    TournamentFolder(tmp_path, duel(seeds=2))
    TournamentFolder(tmp_path, duel(seeds=5))
    with pytest.raises(Unreadable):
        TournamentFolder(tmp_path, duel(options={"rounds": 1}))
    (tmp_path / "tournament.json").write_text("{")
    with pytest.raises(Unreadable):
        TournamentFolder(tmp_path, duel())


def test_a_name_stays_the_bot_it_was_though_others_played_meanwhile(tmp_path):
    def asked(**bots):
        return arena.plan_tournament(sparks, bots, (Duel(*bots),), seeds=1)

    TournamentFolder(tmp_path, asked(x="random", y="random"))
    TournamentFolder(tmp_path, asked(y="random", z="easy"))
    with pytest.raises(Unreadable) as refused:
        TournamentFolder(tmp_path, asked(x="easy", y="random"))
    assert refused.value.code == "bots.other_tournament"
    TournamentFolder(tmp_path, asked(x="random", z="easy"))


def test_other_rules_or_another_limit_of_time_are_another_tournament(tmp_path):
    TournamentFolder(tmp_path, duel())
    for other in ({"rules_version": sparks.version + 1}, {"seconds": 5.0}, {"guarded": False}):
        with pytest.raises(Unreadable):
            TournamentFolder(tmp_path, replace(duel(), **other))
    TournamentFolder(tmp_path, duel())


def test_files_are_never_half_written(tmp_path, monkeypatch):
    """A full disk or a kill in the middle of writing leaves what was there."""
    tournament = duel(seeds=1)
    folder = TournamentFolder(tmp_path, tournament)
    for kept in games_of(tournament):
        folder.keep_game(kept)
    played = folder.finished_games()
    results = (tmp_path / "results.jsonl").read_text()
    (tmp_path / "results.jsonl").write_text(results + '{"id": "cut of')

    def cut(path, text, **more):
        with path.open("w") as file:
            file.write(text[: len(text) // 2])
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(Path, "write_text", cut)
        with pytest.raises(KeyboardInterrupt):
            folder.finished_games()
        with pytest.raises(KeyboardInterrupt):
            TournamentFolder(tmp_path, duel(seeds=2))
    assert TournamentFolder(tmp_path, tournament).finished_games() == played


def test_going_on_with_the_same_writes_nothing(tmp_path, monkeypatch):
    tournament = duel(seeds=1)
    folder = TournamentFolder(tmp_path, tournament)
    folder.keep_game(arena.play_pairing(tournament, tournament.schedule()[0]))
    monkeypatch.delattr(Path, "write_text")
    assert len(TournamentFolder(tmp_path, tournament).finished_games()) == 1


@pytest.mark.slow
def test_a_killed_run_goes_on_and_gives_the_same_games(tmp_path):
    """Whatever the number of cores and the hash seed."""
    script = "from powderkeg.cli import main; import sys; sys.argv[0] = 'powderkeg'; main()"
    arguments = [sys.executable, "-c", script, "arena", "tests.tiny.sparks", "--a", "easy"]
    arguments += ["--b", "random", "--seeds", "3", "--json"]
    env = os.environ | {"PYTHONPATH": str(ROOT)}

    def command(folder, jobs):
        return [*arguments, "--jobs", jobs, "--out", str(tmp_path / folder)]

    one, two = (env | {"PYTHONHASHSEED": seed} for seed in ("1", "2"))
    process = subprocess.Popen(command("cut", "2"), env=two, stdout=subprocess.DEVNULL)
    subprocess.run(command("whole", "1"), env=one, check=True, capture_output=True)
    while process.poll() is None and not (tmp_path / "cut" / "results.jsonl").exists():
        pass
    children = (
        psutil.Process(process.pid).children(recursive=True) if process.poll() is None else []
    )
    process.kill()
    process.wait()
    assert ended(children), "nobody is left behind"
    subprocess.run(command("cut", "1"), env=two, check=True, capture_output=True)
    files = {p.name: p.read_bytes() for p in (tmp_path / "whole" / "games").iterdir()}
    kept = {p.name: p.read_bytes() for p in (tmp_path / "cut" / "games").glob("*.jsonl")}
    assert kept == files
    assert len(files) == 6


# Ray: what can be known without a cluster, and with one of this machine


def test_without_ray_the_error_says_how_to_get_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(Unreadable) as refused:
        list(pool.share_work(abs, [1, -2], ray="local"))
    assert refused.value.msg.args == {"extra": "cluster"}


class FakeRay:
    """The few names of Ray that are used, without a cluster."""

    __spec__ = ModuleSpec("ray", None)  # it counts as installed

    def __init__(self):
        self.calls = []

    def is_initialized(self):
        return False

    def init(self, **options):
        self.calls.append(options)

    def remote(self, work):
        assert inspect.isfunction(work), "Ray takes nothing else"
        return type("Remote", (), {"remote": staticmethod(work)})

    def wait(self, waiting):
        return waiting[-1:], waiting[:-1]

    def get(self, ready):
        return ready

    def shutdown(self):
        self.calls.append("shutdown")


def test_a_cluster_gives_the_same_games(monkeypatch):
    ray = FakeRay()
    monkeypatch.setitem(sys.modules, "ray", ray)
    tournament = duel(seeds=1)
    work = partial(arena.play_pairing, tournament)
    there = {
        k.played.id: k.text for k in pool.share_work(work, tournament.schedule(), ray="ray://x:1")
    }
    assert there == {k.played.id: k.text for k in games_of(tournament)}
    assert ray.calls == [{"log_to_driver": False, "address": "ray://x:1"}, "shutdown"]


def test_local_is_a_cluster_of_our_own_even_where_another_runs(monkeypatch):
    """Ray joins one that runs on the machine unless `local` is its address."""
    ray = FakeRay()
    monkeypatch.setitem(sys.modules, "ray", ray)
    assert sorted(pool.share_work(abs, [1, -2], ray="local")) == [1, 2]
    assert ray.calls[0]["address"] == "local"


@pytest.mark.parametrize("error", [ConnectionError("Nobody."), RuntimeError("No token.\nSee.")])
def test_a_cluster_that_cannot_be_reached_is_named(monkeypatch, error):
    def refuse(**options):
        raise error

    ray = FakeRay()
    ray.init = refuse
    monkeypatch.setitem(sys.modules, "ray", ray)
    with pytest.raises(Unreadable) as refused:
        list(pool.share_work(abs, [1, -2], ray="127.0.0.1:9"))
    assert refused.value.msg.code == "bots.no_cluster"
    assert refused.value.msg.args == {"address": "127.0.0.1:9", "why": str(error).split("\n")[0]}


def test_a_real_cluster_gives_the_same_games():
    pytest.importorskip("ray", reason="Ray is large: only the extra `cluster` brings it")
    bots = {"a": "random", "b": "random"}  # a game that the cluster's processes can import, too
    tournament = arena.plan_tournament(versailles, bots, (Duel("a", "b"),), players=4, seeds=1)
    work = partial(arena.play_pairing, tournament)
    there = {k.played.id: k.text for k in pool.share_work(work, tournament.schedule(), ray="local")}
    assert there == {k.played.id: k.text for k in games_of(tournament)}


def killed(path):
    """Work that kills its process the first time."""
    if not Path(path).exists():
        Path(path).touch()
        os._exit(9)
    return path


def always_killed(path):
    os._exit(9)


@pytest.mark.slow
def test_a_killed_process_of_the_pool_is_replaced(tmp_path):
    paths = [str(tmp_path / name) for name in ("a", "b", "c")]
    for path in paths[1:]:
        Path(path).touch()
    assert sorted(pool.share_work(killed, paths, jobs=2)) == paths
    with pytest.raises(Unreadable) as refused:
        list(pool.share_work(always_killed, paths, jobs=2))
    assert refused.value.code == "bots.pool_broken"


# What is said of it


def played(seed, lineup, shares, places=(1, 2), **more):
    facts = {"times": {}, "faults": {}, "why": "x.won", "digest": "", **more}
    wins = tuple(float(place == 1) for place in places)
    id_ = Pairing(seed, lineup).id
    return arena.GameOutcome(
        id_, seed, lineup, ("red", "blue"), shares, wins, places, shares, **facts
    )


def clear_victory(seeds=20):
    strong = [played(s, ("strong", "weak"), (0.8 + s % 2 / 10, 0.2)) for s in range(seeds)]
    turned = [played(s, ("weak", "strong"), (0.1, 0.9), (2, 1)) for s in range(seeds)]
    return strong + turned


def test_means_and_intervals_are_over_seeds():
    found = ratings.bootstrap_mean([(1, 0.0), (1, 1.0), (2, 0.0), (2, 1.0)])
    assert found == ratings.MeanInterval(0.5, 0.5, 0.5, 4, 2)  # every seed has the same mean
    wide = ratings.bootstrap_mean([(1, 0.0), (2, 1.0), (3, 0.0), (4, 1.0)])
    assert wide.low < 0.25
    assert wide.high > 0.75


def test_ratings_rank_who_wins():
    found = ratings.rate_bots(clear_victory())
    assert found["strong"].low > found["weak"].high
    even = ratings.rate_bots([played(s, ("a", "a"), (0.5, 0.5), (1, 1)) for s in range(3)])
    assert even["a"].mu == even["a"].low == 25


@pytest.fixture
def summed():
    bots = {"strong": "random", "weak": "random"}
    designs = (Duel("strong", "weak"), Duel("weak", "strong"), Mixed(("strong", "weak")))
    tournament = arena.plan_tournament(sparks, bots, designs, seeds=20)
    return report.summarize_games(tournament, clear_victory())


def test_a_report_says_who_is_stronger_and_how_sure_it_is(summed):
    one, rest = summed["duels"]
    assert one["clear"] == ["above", "above"]
    assert rest["clear"] == ["below", "below"]
    assert one["share"]["n"] == 40
    assert one["seats"]["red"]["games"] == 20


def test_a_few_seeds_prove_nothing():
    bots = {"strong": "random", "weak": "random"}
    tournament = arena.plan_tournament(sparks, bots, (Duel("strong", "weak"),), seeds=4)
    found = report.summarize_games(tournament, clear_victory(4))
    assert found["duels"][0]["clear"] == ["few", "few"]
    assert "too few seeds to tell" in report.report_page(found, "en")


@pytest.mark.parametrize(
    ("lang", "word"), [("en", "stronger"), ("es", "más fuerte"), ("it", "più forte")]
)
def test_a_report_can_be_read_in_three_languages(summed, lang, word):
    page = report.report_page(summed, lang)
    assert word in page
    assert "bots." not in page
    assert "{" not in page


def test_faults_and_stopped_games_are_not_hidden():
    tournament = duel(seeds=1)
    games = [
        played(0, ("easy", "random"), (0.5, 0.5), why="", faults={"easy": {"late": 2}}),
        played(0, ("random", "easy"), (0.5, 0.5)),
    ]
    found = report.summarize_games(tournament, games)
    page = report.report_page(found)
    assert found["faults"] == {"easy": {"late": 2}}
    assert "easy: late 2" in page
    assert "scored as they stood: 1" in page


def test_a_bot_that_never_sat_at_a_mixed_table_is_left_out():
    names = ("easy", "random", "first")
    tournament = arena.plan_tournament(sparks, BOTS, (Mixed(names),), seeds=1)
    found = report.summarize_games(tournament, [kept.played for kept in games_of(tournament)])
    sat = set(tournament.schedule()[0].lineup)
    assert set(found["mixed"][0]["shares"]) == sat < set(names)
    assert report.report_page(found)


def test_pictures_are_drawn(summed):
    made = report.report_pictures(summed)
    assert set(made) == {"duels.svg", "ratings.svg"}
    for picture in made.values():
        assert ET.fromstring(picture).tag.endswith("svg")
    assert report.interval_chart([("<all & equal>", 1.0, 1.0, 1.0)]).count("<circle") == 1


def test_the_command_plays_reports_and_goes_on(tmp_path):
    runner = CliRunner()
    arguments = ["arena", "tests.tiny.sparks", "--a", "easy", "--b", "random", "--seeds", "2"]
    arguments += ["--mixed", "easy,random", "--jobs", "1", "--out", str(tmp_path)]
    first = runner.invoke(app, [*arguments, "--lang", "en"])
    assert first.exit_code == 0, first.output
    assert "Illegal or missing answers: none." in first.output
    again = runner.invoke(app, [*arguments, "--json"])
    found = json.loads(again.output)
    assert found["games"] == 4
    assert found == json.loads((tmp_path / "report.json").read_text())
    assert len(list((tmp_path / "games").iterdir())) == 4
    nobody = runner.invoke(app, ["arena", "tests.tiny.sparks", "--out", str(tmp_path)])
    assert isinstance(nobody.exception, Unreadable)


@pytest.mark.slow
def test_a_bot_in_the_current_folder_plays_for_the_installed_command(tmp_path):
    """There Python does not look into the current folder by itself (``-P``)."""
    (tmp_path / "mybots.py").write_text(
        "def dull(view, question, legal, rng): return min(legal, key=str)"
    )
    code = "from powderkeg.cli import main; main()"
    arguments = [sys.executable, "-P", "-c", code, "arena", "risk_europe", "--a", "mybots:dull"]
    arguments += ["--b", "random", "--players", "2", "-o", "rounds=1", "--seeds", "1"]
    done = subprocess.run(
        [*arguments, "--jobs", "2", "--json"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert (found["games"], found["faults"]) == (2, {})


def test_a_ladder_climbs_level_by_level():
    from powderkeg.cli.arena import _plan_designs

    designs = _plan_designs([], [], None, ladder=True)
    assert designs[:2] == (Duel("easy", "random"), Duel("random", "easy"))
    assert len(designs) == 8
