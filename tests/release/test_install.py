"""The package as users get it: sdist, wheel from the sdist, clean environments, real commands."""

import os
import re
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import sync_playwright

from powderkeg import __version__
from powderkeg.cli.app import Commands
from tests.browser.conftest import FLAGS, chromium_path
from tests.cli.terminals import ADDRESS, terminal
from tools import release

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parent.parent.parent
UV = str(Path(sys.executable).parent / "uv")
OLDEST = (3, 11)


def run(
    *command: object, check: bool = True, cwd: Path, stdin: int | None = None, **settings: str
) -> subprocess.CompletedProcess[str]:
    """Run a command far from the checkout, without its settings."""
    env = {k: v for k, v in os.environ.items() if k not in ("PYTHONPATH", "VIRTUAL_ENV")}
    env |= {"UV_PYTHON_DOWNLOADS": "never", "NO_COLOR": "1", "COLUMNS": "200", **settings}
    words = [str(word) for word in command]
    done = subprocess.run(
        words, capture_output=True, text=True, env=env, check=False, cwd=cwd, stdin=stdin
    )
    assert not check or done.returncode == 0, f"{words}\n{done.stdout}\n{done.stderr}"
    return done


def python_version(path: Path) -> tuple[int, ...]:
    done = subprocess.run([path, "--version"], capture_output=True, text=True, check=False)
    found = re.fullmatch(r"Python (\d+)\.(\d+)\.\d+", done.stdout.strip())
    return tuple(map(int, found.groups())) if found else ()


def find_pythons() -> dict[str, Path]:
    """One interpreter per version that we support, of those on this machine."""
    folders = [Path(sys.executable).parent, *sorted(Path.home().glob(".pyenv/versions/*/bin"))]
    folders += map(Path, os.environ["PATH"].split(os.pathsep))
    found: dict[str, Path] = {}
    for path in [path for folder in folders for path in sorted(folder.glob("python3.[0-9]*"))]:
        name = path.name.removeprefix("python")
        if re.fullmatch(r"3\.\d+", name) and name not in found:
            version = python_version(path)  # a name may lead nowhere
            if version >= OLDEST:
                found[f"{version[0]}.{version[1]}"] = path
    return found


PYTHONS = find_pythons()
MAIN = f"{sys.version_info[0]}.{sys.version_info[1]}"
EVERY_EXTRA = ["", "arena", "client", "draw", "fast", "mcp", "rl", "server"]


EPOCH = "1767225600"  # the date of every file in the packages


@pytest.fixture(scope="session")
def packages(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """The sdist and the wheel that `make release` builds."""
    return release.build_packages(tmp_path_factory.mktemp("dist"), EPOCH)


@pytest.fixture(scope="session")
def built(packages: list[Path]) -> Path:
    return packages[1]


def test_a_build_in_a_clean_environment_is_the_same_byte_for_byte(packages, tmp_path):
    """As a package index or a distribution would build it: from the sdist, with what it asks for."""
    sdist, wheel = packages
    build = (UV, "build", "--quiet", "--wheel", sdist, "-o", tmp_path)
    run(*build, cwd=tmp_path, SOURCE_DATE_EPOCH=EPOCH)
    release.compare_builds([wheel], list(tmp_path.glob("*.whl")))


def test_a_package_index_can_show_the_wheel(built):
    release.check_wheel(built, __version__)


@pytest.fixture(scope="session")
def environment(built, tmp_path_factory):
    """`environment("3.12", "server")`: the folder of commands of a clean environment."""
    made: dict[tuple[str, str], Path] = {}

    def make(version: str, extra: str) -> Path:
        if (version, extra) not in made:
            folder = tmp_path_factory.mktemp(f"venv-{version}-{extra or 'plain'}")
            run(UV, "venv", "--quiet", "--python", PYTHONS[version], folder / "venv", cwd=folder)
            wanted = f"{built}[{extra}]" if extra else built
            python = folder / "venv" / "bin" / "python"
            run(UV, "pip", "install", "--quiet", "--python", python, wanted, cwd=folder)
            made[version, extra] = python.parent
        return made[version, extra]

    return make


def test_the_wheel_holds_the_client_words_rules_and_data(built):
    names = set(zipfile.ZipFile(built).namelist())
    assert {"powderkeg/web/index.html", "powderkeg/rules/diplomacy.md"} <= names
    assert {f"powderkeg/locale/{lang}/LC_MESSAGES/core.mo" for lang in ("en", "es", "it")} <= names
    assert not any("__pycache__" in name or "node_modules" in name for name in names)


def test_a_build_without_the_client_fails_loudly(tmp_path):
    shutil.copytree(ROOT / "src", tmp_path / "src", ignore=shutil.ignore_patterns("web"))
    shutil.copytree(ROOT / "docs", tmp_path / "docs")
    for name in ("pyproject.toml", "hatch_build.py", "README.md", "LICENSE", "NOTICE"):
        shutil.copy(ROOT / name, tmp_path)
    for target in ("sdist", "wheel"):
        done = run(
            sys.executable, "-m", "hatchling", "build", "-t", target, check=False, cwd=tmp_path
        )
        assert done.returncode != 0
        assert "make web" in done.stderr


@pytest.mark.parametrize("extra", EVERY_EXTRA)
def test_every_extra_installs_and_starts(environment, extra, tmp_path):
    bin_ = environment(MAIN, extra)
    assert run(bin_ / "powderkeg", "version", cwd=tmp_path).stdout.strip()
    run(UV, "pip", "check", "--quiet", "--python", bin_ / "python", cwd=tmp_path)


@contextmanager
def serving(bin_: Path, folder: Path) -> Iterator[str]:
    """`powderkeg serve` as a host would start it; the address that it prints when it listens."""
    env = {k: v for k, v in os.environ.items() if k != "PYTHONPATH"}
    env |= {"POWDERKEG_DATA": str(folder), "COLUMNS": "200"}
    command = [str(bin_ / "powderkeg"), "serve", "--port", "0"]
    with (folder / "log.txt").open("w") as log:
        process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=log, text=True, env=env, cwd=folder
        )
        assert process.stdout is not None
        try:
            found = re.search(ADDRESS, process.stdout.readline())
            assert found is not None, (folder / "log.txt").read_text()
            yield found[1]
        finally:
            process.terminate()
            process.wait(600)
            process.stdout.close()


@pytest.mark.parametrize("version", sorted(PYTHONS))
def test_an_installed_server_plays_a_turn_in_a_browser(environment, version, tmp_path):
    with (
        serving(environment(version, "server"), tmp_path) as address,
        sync_playwright() as playwright,
        playwright.chromium.launch(executable_path=chromium_path(), args=FLAGS) as browser,
    ):
        page = browser.new_page(locale="en-GB", base_url=address)
        page.set_default_timeout(90_000)
        page.goto("/")
        page.locator("[data-game=diplomacy]").get_by_role("button", name="Play now").click()
        page.locator("[data-option=ready]").click()
        page.locator("[data-confirm]").click()
        page.get_by_text("Fall 1901").first.wait_for()


SHORT_TUNING = "--rival random --generations 1 --population 4 --seeds 1 --check-seeds 2 --jobs 1"
# Every command once, with the extra that it needs. They share a folder, in this order.
EVERY_COMMAND = [
    ("", "play diplomacy --people 0 --bots random -o last_year=1901 --save game.jsonl"),
    ("", "options diplomacy"),
    ("", "replay game.jsonl --at 30 --svg map.svg"),
    ("", "verify game.jsonl"),
    ("", "playout risk_europe --players 2 --games 1 -o rounds=1 --json"),
    ("", "judge page.txt"),
    ("", "convert game.jsonl other.json"),
    ("", "odds 3f 2f"),
    ("", "cards list versailles"),
    ("", "rules --json"),
    ("", "version"),
    ("arena", "arena risk_europe --players 2 -o rounds=1 --a easy --b random --seeds 1 --jobs 1"),
    ("arena", f"tune risk_europe normal weights.json --players 2 -o rounds=1 {SHORT_TUNING}"),
    ("mcp", "mcp diplomacy --bots random"),
    ("draw", "replay game.jsonl --at 30 --png map.png"),
    ("server", "admin list"),
    ("client", "seat --help"),  # needs a server and a model
    ("", "daide --help"),  # listens until it is stopped
]


@pytest.fixture(scope="session")
def evening(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("evening")
    (folder / "page.txt").write_text("Spring 1901\nTurkey: A Con-Bul\n")
    return folder


@pytest.mark.parametrize(("extra", "line"), EVERY_COMMAND, ids=lambda text: text.partition(" ")[0])
def test_every_command_runs_from_the_wheel(environment, evening, extra, line):
    done = run(
        environment(MAIN, extra) / "powderkeg",
        *line.split(),
        cwd=evening,
        stdin=subprocess.DEVNULL,
        POWDERKEG_DATA=str(evening),
    )
    assert "Traceback" not in done.stderr


def test_every_command_is_tried():
    tried = {line.split()[0] for _, line in EVERY_COMMAND}
    # Above; a seat needs a server with a table, a bench other engines (tests/bench).
    elsewhere = {"serve", "worker", "seat", "bench"}
    assert {line.name for line in Commands.lines} - tried <= elsewhere


@pytest.mark.parametrize(
    ("line", "extra"),
    [
        ("arena risk_europe --a easy --b random", "arena"),
        ("tune risk_europe values weights.json", "arena"),
        ("serve", "server"),
        ("worker", "server"),
        ("admin list", "server"),
        ("mcp diplomacy", "mcp"),
        ("seat http://127.0.0.1:9/t/AbC --model m --endpoint http://127.0.0.1:9/v1", "client"),
        ("judge page.txt --png map.png", "draw"),
    ],
)
def test_a_plain_install_says_which_extra_a_command_needs(environment, evening, line, extra):
    before = set(evening.iterdir())
    done = run(environment(MAIN, "") / "powderkeg", *line.split(), check=False, cwd=evening)
    assert done.returncode == 2
    assert f"powderkeg[{extra}]" in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1
    assert set(evening.iterdir()) == before


@pytest.mark.parametrize(
    ("module", "extra"),
    [
        ("powderkeg.client", "client"),
        ("powderkeg.rl", "rl"),
        ("powderkeg.games.diplomacy.fast.batch", "fast"),
    ],
)
def test_a_plain_install_says_which_extra_a_module_needs(environment, tmp_path, module, extra):
    python = environment(MAIN, "") / "python"
    done = run(python, "-c", f"import {module}", check=False, cwd=tmp_path)
    assert f"powderkeg[{extra}]" in done.stderr.splitlines()[-1]
    run(environment(MAIN, extra) / "python", "-c", f"import {module}", cwd=tmp_path)


def test_powderkeg_alone_starts_a_game_from_a_plain_install(environment, tmp_path):
    """As `uvx powderkeg` and `pipx run powderkeg` do."""
    with terminal(tmp_path, str(environment(MAIN, "") / "powderkeg"), LANG="en") as shown:
        shown.wait_for("Which game")
        shown.type_line("3")
        shown.wait_for("q quit")
        shown.type_line("q")
        shown.wait_for("See you next time")


RUN_EXAMPLES = """
import doctest, sys
from pathlib import Path
pages = [page for page in Path().rglob("*.md") if ">>> " in page.read_text("utf-8")]
found = [doctest.testfile(str(page), module_relative=False, encoding="utf-8") for page in pages]
print(sum(each.attempted for each in found), "examples")
sys.exit(any(each.failed for each in found))
"""


def test_the_examples_of_the_docs_run_from_the_wheel(environment, tmp_path):
    shutil.copy(ROOT / "README.md", tmp_path)
    # What compiles takes minutes in a new environment: these pages are run in the checkout.
    skip = shutil.ignore_patterns("images", "research.md", "tour.md")
    shutil.copytree(ROOT / "docs", tmp_path / "docs", ignore=skip)
    python = environment(MAIN, ",".join(filter(None, EVERY_EXTRA))) / "python"
    done = run(python, "-c", RUN_EXAMPLES, cwd=tmp_path)
    assert int(done.stdout.split()[-2]) > 100
