"""The benchmarks measure what they say, and write it down; how fast anything is, no test asks."""

import json
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

from powderkeg.bench import peers
from powderkeg.bench.curves import draw_curves
from powderkeg.bench.figures import Bench, figure_line, short_number
from powderkeg.bench.peer_scripts import PEER_SCRIPTS
from powderkeg.bench.positions import count_units, draw_phases, play_randomly
from powderkeg.bench.report import write_files, write_json, write_page
from powderkeg.bench.run import SUITES, run_suites
from powderkeg.bench.suites import env, playout, server
from powderkeg.core import extras
from powderkeg.games import risk_europe
from powderkeg.games.diplomacy.rules.adjudicate import adjudicate


@pytest.fixture
def bench():
    return Bench(short=True, say=lambda line: None)


def fill_bench(bench: Bench) -> Bench:
    bench.add_values(
        "adjudicate", "with reasons", "phases/s", [90.0, 100.0, 130.0], must=100, aim=200
    )
    bench.add_values(
        "adjudicate", "its loop", "phases/s", [10.0], who="other", beside="with reasons"
    )
    for size in (5, 10):
        bench.add_values("adjudicate", "by units", "phases/s", [1e6 / size], size=size)
    bench.add_gap("playout", "a kernel", "there is none")
    return bench


def test_a_figure_is_the_median_with_its_spread(bench):
    figure = fill_bench(bench).figures[0]
    assert (figure.median, figure.low, figure.high) == (100, 90, 130)
    assert figure.keeps(100)
    assert not figure.keeps(200)
    assert "must 100.0: yes, aim 200.0: no" in figure_line(figure)


def test_less_is_better_for_times(bench):
    figure = bench.add_values("start", "import", "ms", [80.0], must=100, aim=50, lower=True)
    assert figure.keeps(100)
    assert not figure.keeps(50)


def test_a_rate_counts_work_in_seconds_of_this_process(bench):
    figure = bench.add_rate("legal", "nothing", "things/s", lambda: 2.0)
    assert len(figure.values) == bench.repeats
    assert figure.low > 0


def test_the_page_compares_goals_and_names_gaps(bench):
    page = write_page(fill_bench(bench))
    assert "| with reasons | 100.0 phases/s (90.0 to 130.0) | 100.0 yes | 200.0 **no** |" in page
    assert "ours is 10.0 times as fast" in page
    assert "| a kernel | not measured: there is none | | |" in page
    assert "5: 200,000, 10: 100,000 phases/s" in page


def test_json_has_machine_versions_seed_and_every_value(bench):
    facts = json.loads(write_json(fill_bench(bench)))
    assert facts["seed"] == 1
    assert facts["machine"]["cores"] >= 1
    assert facts["versions"]["powderkeg"]
    first = facts["figures"][0]
    assert (first["median"], first["spread"], first["repeats"]) == (100.0, [90.0, 130.0], 3)
    assert facts["gaps"] == [{"suite": "playout", "work": "a kernel", "why": "there is none"}]


def test_curves_show_cost_against_size(bench, tmp_path):
    rows = [f for f in fill_bench(bench).figures if f.size]
    drawn = draw_curves(rows)
    assert drawn.count("<circle") == 2
    assert "by units" in drawn
    assert draw_curves([]) == ""
    written = write_files(bench, tmp_path)
    assert {path.name for path in written} == {"speed.md", "speed.json", "speed-adjudicate.svg"}
    assert all(path.is_file() for path in written)


def test_phases_differ_and_have_the_size_asked_for():
    phases = draw_phases(4, seed=3)
    assert len({str(position.units) for position, _ in phases}) == 4
    assert all(count_units(position) >= 28 for position, _ in phases)
    small = draw_phases(3, seed=3, size=7)
    assert [count_units(position) for position, _ in small] == [7, 7, 7]
    assert all(len(adjudicate(*phase).outcomes) == 7 for phase in small)


def test_random_games_depend_on_the_seed_alone():
    assert play_randomly(risk_europe, 2, 1, rounds=1) == play_randomly(risk_europe, 2, 1, rounds=1)


@pytest.mark.parametrize("name", SUITES)
def test_every_suite_can_be_measured(name):
    assert callable(import_module(f"powderkeg.bench.suites.{name}").measure)


@pytest.mark.parametrize("game", sorted(playout.KERNELS))
def test_kernels_that_are_measured_exist(game):
    pytest.importorskip("numba")
    module, must, aim = playout.KERNELS[game]
    assert callable(import_module(module).play_random_games)
    assert 0 < must < aim


@pytest.mark.slow
def test_a_suite_runs_from_start_to_end(bench, monkeypatch):
    monkeypatch.setattr(Bench, "seconds", 0.01)
    monkeypatch.setattr(Bench, "repeats", 1)
    run_suites(bench, ("legal",))
    assert {f.work for f in bench.figures} >= {"one at a time", "one at a time, by units"}


def test_reading_a_log_is_measured_by_its_length(bench, monkeypatch):
    monkeypatch.setattr(Bench, "seconds", 0.01)
    monkeypatch.setattr(Bench, "repeats", 1)
    playout._measure_lengths(bench)
    assert tuple(figure.size for figure in bench.figures) == playout.LENGTHS


@pytest.mark.slow
def test_the_guest_of_the_server_suite_reads_tables_and_is_watched(bench, monkeypatch):
    monkeypatch.setattr(Bench, "seconds", 0.01)
    monkeypatch.setattr(Bench, "repeats", 1)
    with server.fresh_server() as (address, _, _):
        guest = server._Guest(address)
        guest.open_table()
        assert guest.request_rate(0.01) > 0
        assert len(guest.tables) == 1
        server._measure_watchers(bench, address)
    assert [figure.size for figure in bench.figures] == [1, 10, 50]
    assert all(figure.median > 0 for figure in bench.figures)


def test_a_suite_that_fails_loses_only_its_own_figures(bench, monkeypatch):
    def fail(bench: Bench) -> None:
        raise RuntimeError("out of luck")

    monkeypatch.setattr(playout, "measure", fail)
    monkeypatch.setattr(env, "measure", lambda bench: bench.add_gap("env", "this", "no time"))
    run_suites(bench, ("playout", "env"))
    assert [(g.suite, g.why) for g in bench.gaps] == [
        ("playout", "failed: RuntimeError: out of luck"),
        ("env", "no time"),
    ]


def test_a_line_of_a_curve_names_its_size(bench):
    assert "by units, 5 " in figure_line(bench.add_values("legal", "by units", "x/s", [1], size=5))


class BrokenPeers(peers.PeerShelf):
    """Peers of which none can be installed."""

    def _install(self, peer: str):
        raise peers.PeerMissing("no package index can be reached")


def test_a_peer_that_cannot_be_had_is_a_gap(bench, tmp_path):
    bench.peers = BrokenPeers(tmp_path)
    bench.add_peer("legal", "one at a time", "positions/s", "diplomacy", "legal")
    assert bench.figures == []
    assert bench.gaps[0].why == "no package index can be reached"


class TalkingPeers(peers.PeerShelf):
    """A peer that is our own Python."""

    def _install(self, peer: str):
        return Path(sys.executable)


def test_a_peers_script_is_run_once_for_all_its_figures(bench, tmp_path, monkeypatch):
    script = """
import json, sys
asked = json.load(sys.stdin)
print(json.dumps({"version": "1", "legal": [asked["seed"]], "loop": [2.0]}))
"""
    monkeypatch.setitem(PEER_SCRIPTS, "diplomacy", script)
    bench.peers = TalkingPeers(tmp_path)
    for key in ("legal", "loop", "missing"):
        bench.add_peer("legal", key, "x/s", "diplomacy", key)
    assert [f.median for f in bench.figures] == [1, 2.0]
    assert bench.peers.versions == {"diplomacy": "1"}
    assert len(bench.gaps) == 1


@pytest.mark.parametrize(
    "script", ["print()", "import sys; print(' ', file=sys.stderr); sys.exit(1)"]
)
def test_a_peer_that_fails_in_silence_is_a_gap(bench, tmp_path, monkeypatch, script):
    monkeypatch.setitem(PEER_SCRIPTS, "diplomacy", script)
    bench.peers = TalkingPeers(tmp_path)
    bench.add_peer("legal", "one at a time", "positions/s", "diplomacy", "legal")
    assert [gap.why for gap in bench.gaps] == ["it fails"]


def test_a_missing_package_is_named_with_its_own_extra(bench, monkeypatch):
    monkeypatch.setattr(extras, "find_spec", lambda package: package != "numba" or None)
    monkeypatch.setattr(env, "play_table", lambda: 1.0)
    env.measure(bench)
    assert "powderkeg[fast]" in bench.gaps[-1].why


@pytest.mark.parametrize("name", sorted(PEER_SCRIPTS))
def test_the_scripts_of_peers_are_python(name):
    compile(PEER_SCRIPTS[name], name, "exec")
    assert set(peers.PACKAGES) == set(PEER_SCRIPTS)


def test_numbers_are_short():
    assert [short_number(n) for n in (1234567.0, 12.34, 0.5678)] == ["1,234,567", "12.3", "0.568"]


def test_the_command_names_the_suites_it_knows():
    done = subprocess.run(
        [sys.executable, "-m", "powderkeg", "bench", "fastest", "--lang", "es"],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 2
    assert "No existe la serie fastest" in done.stderr


def test_thinning_is_repeatable():
    assert draw_phases(1, seed=2, size=5) == draw_phases(1, seed=2, size=5)
