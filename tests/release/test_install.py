"""The package as users get it: sdist, wheel from the sdist, clean environments, real commands."""

import os
import re
import shutil
import socket
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import sync_playwright

from tests.browser.conftest import FLAGS, _wait, chromium_path

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parent.parent.parent
UV = str(Path(sys.executable).parent / "uv")
OLDEST = (3, 11)


def run(*command: object, check: bool = True, **more) -> subprocess.CompletedProcess[str]:
    """Run a command far from the checkout, without its settings."""
    env = {k: v for k, v in os.environ.items() if k not in ("PYTHONPATH", "VIRTUAL_ENV")}
    env |= {"UV_PYTHON_DOWNLOADS": "never", "NO_COLOR": "1", "COLUMNS": "200"}
    words = [str(word) for word in command]
    done = subprocess.run(
        words, capture_output=True, text=True, env=env, check=False, timeout=600, **more
    )
    assert not check or done.returncode == 0, f"{words}\n{done.stdout}\n{done.stderr}"
    return done


def python_version(path: Path) -> tuple[int, ...]:
    done = subprocess.run([path, "--version"], capture_output=True, text=True, check=False)
    found = re.fullmatch(r"Python (\d+)\.(\d+)\.\d+", done.stdout.strip())
    return tuple(map(int, found.groups())) if found else ()


def find_pythons() -> dict[str, Path]:
    """One interpreter per version that we support, of those on this machine."""
    folders = [Path(sys.executable).parent, *map(Path, os.environ["PATH"].split(os.pathsep))]
    folders += sorted(Path.home().glob(".pyenv/versions/*/bin"))
    found: dict[str, Path] = {}
    for path in [path for folder in folders for path in sorted(folder.glob("python3.[0-9]*"))]:
        if re.fullmatch(r"python3\.\d+", path.name) and path.name not in found:
            version = python_version(path)
            if version >= OLDEST:
                found.setdefault(f"{version[0]}.{version[1]}", path)
    return found


PYTHONS = find_pythons()
MAIN = f"{sys.version_info[0]}.{sys.version_info[1]}"
EVERY_EXTRA = ["", "arena", "client", "draw", "fast", "mcp", "rl", "server"]


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A wheel that was built from the sdist, as a package index would get both."""
    folder = tmp_path_factory.mktemp("dist")
    run(sys.executable, "-m", "hatchling", "build", "-t", "sdist", "-d", folder, cwd=ROOT)
    (sdist,) = folder.glob("*.tar.gz")
    run(UV, "build", "--quiet", "--wheel", sdist, "-o", folder, cwd=folder)
    return next(folder.glob("*.whl"))


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
    """`powderkeg serve` as a host would start it; the address at which it answers."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    env = {k: v for k, v in os.environ.items() if k != "PYTHONPATH"}
    env["POWDERKEG_DATA"] = str(folder)
    command = [str(bin_ / "powderkeg"), "serve", "--port", str(port)]
    log = folder / "log.txt"
    with log.open("w") as said:
        process = subprocess.Popen(command, stdout=said, stderr=said, env=env, cwd=folder)
        try:
            _wait(f"http://127.0.0.1:{port}", process, log)
            yield f"http://127.0.0.1:{port}"
        finally:
            process.terminate()
            process.wait(60)


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
