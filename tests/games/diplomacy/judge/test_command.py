"""The command `powderkeg judge`: files, standard input, options and maps."""

import json
import subprocess
import sys

import pytest

from powderkeg.core.errors import Unreadable
from tests.games.diplomacy.judge.sample import cli


@pytest.mark.slow
def test_lines_are_answered_one_by_one(tmp_path):
    """A program may write a line, wait for the answer, and go on; a bad line spoils nothing."""
    start = "import typer; from powderkeg.cli.judge import judge_orders; typer.run(judge_orders)"
    with subprocess.Popen(
        [sys.executable, "-c", start, "--jsonl"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        encoding="utf-8",
    ) as judging:
        assert judging.stdin is not None
        assert judging.stdout is not None
        for n, line in enumerate(
            ['{"id": 0}', "?", '{"id": 2, "orders": {"FRANCE": ["Par-Bur"]}}']
        ):
            judging.stdin.write(line + "\n")
            judging.stdin.flush()
            answer = json.loads(judging.stdout.readline())
            assert answer["id"] == (None if n == 1 else n)
        judging.stdin.close()
    assert judging.returncode == 0


def test_files(tmp_path):
    path = tmp_path / "page.txt"
    path.write_text("France: A Par-Bur", encoding="utf-8")
    assert "Francia, A Par-Bor:" in cli(str(path), "--lang", "it")
    with pytest.raises(Unreadable):
        cli(str(tmp_path / "none.txt"))
    with pytest.raises(Unreadable):
        cli(str(tmp_path))


@pytest.mark.slow
@pytest.mark.parametrize("stdin", [True, False])
def test_what_is_no_text(tmp_path, stdin):
    path = tmp_path / "page.bin"
    path.write_bytes(b"France: A Par-Bur\n\xff\xfe\x00")
    args = [sys.executable, "-m", "powderkeg", "judge", "--lang", "es"]
    done = subprocess.run(
        args if stdin else [*args, str(path)],
        input=path.read_bytes(),
        capture_output=True,
        check=False,
    )
    assert done.returncode != 0
    assert "no se puede leer como texto" in " ".join(done.stderr.decode().split())


def test_readings_of_the_rulebook():
    """An army whose convoy is missing stays, unless the group lets it walk (D-CONV-14)."""
    units = {"GERMANY": ["A BER", "F BAL"]}
    line = json.dumps({"units": units, "orders": {"GERMANY": ["A BER - KIE VIA"]}})
    stays = json.loads(cli("-", "--jsonl", stdin=line))
    walks = json.loads(cli("-", "--jsonl", "-o", "land_fallback=true", stdin=line))
    assert "A BER" in stays["units"]["GERMANY"]
    assert "A KIE" in walks["units"]["GERMANY"]
    with pytest.raises(Unreadable):
        cli("-", "-o", "victory_centres=20", stdin="")


@pytest.mark.slow
def test_maps(tmp_path):
    """The last phase judged is drawn with its orders; a page without orders, as it stands."""
    svg, png = tmp_path / "map.svg", tmp_path / "map.png"
    cli("-", "--svg", str(svg), "--png", str(png), "--lang", "it", stdin="France: A Par-Bur")
    assert "Primavera 1901" in svg.read_text(encoding="utf-8")
    assert png.read_bytes().startswith(b"\x89PNG")
    moved = svg.read_text(encoding="utf-8")
    cli("-", "--svg", str(svg), "--lang", "it", stdin="")
    assert svg.read_text(encoding="utf-8") != moved


def test_maps_need_the_extra(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "resvg_py", None)
    with pytest.raises(Unreadable) as error:
        cli("-", "--png", str(tmp_path / "map.png"), stdin="")
    assert error.value.code == "judge.no_drawing"
