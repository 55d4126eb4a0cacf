"""The settings of a server: from the environment, from options, checked before the start."""

# ruff: noqa: PT018  # two halves of one statement about a setting belong together

import re
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from powderkeg.cli.app import app
from powderkeg.cli.host import listening
from powderkeg.core.errors import RulesError
from powderkeg.server import process
from powderkeg.server.settings import read_settings

GUIDE = Path(__file__).parent.parent.parent / "docs" / "guides" / "hosting.md"


def test_settings_come_from_the_environment(monkeypatch):
    monkeypatch.setenv("POWDERKEG_JOBS", "no")
    monkeypatch.setenv("POWDERKEG_BOTS", "3")
    monkeypatch.setenv("POWDERKEG_DATABASE_URL", "postgresql://db/x")
    found = read_settings(public_url="https://example.org")
    assert (found.jobs, found.bots, found.is_sqlite) == (False, 3, False)
    assert found.url == "postgresql+asyncpg://db/x" and found.public_url == "https://example.org"


def serve_settings(monkeypatch, tmp_path, *args):
    """What `powderkeg serve` would serve with."""
    served = []

    def listen(bound, settings, *more, **options):
        bound.close()
        served.append(settings)

    monkeypatch.setattr(listening, "listen_on", listen)
    monkeypatch.setattr(process, "check_database", lambda settings: None)
    monkeypatch.setenv("POWDERKEG_DATA", str(tmp_path))
    monkeypatch.setenv("POWDERKEG_PUBLIC_URL", "https://example.org/")
    CliRunner().invoke(app, ["serve", "--port", "0", *args], catch_exceptions=False)
    return served[0]


@pytest.mark.parametrize(
    ("variable", "args", "jobs"),
    [("no", [], False), ("no", ["--jobs"], True), ("yes", ["--no-jobs"], False), ("", [], True)],
)
def test_an_option_of_serve_wins_over_its_variable(monkeypatch, tmp_path, variable, args, jobs):
    monkeypatch.setenv("POWDERKEG_JOBS", variable)
    found = serve_settings(monkeypatch, tmp_path, *args)
    assert (found.jobs, found.public_url) == (jobs, "https://example.org")


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("BOTS", "0"),
        ("BOTS", "two"),
        ("BOT_SECONDS", "nan"),
        ("BOT_SECONDS", "inf"),
        ("BOT_MEGABYTES", "-1"),
        ("BOT_NICE", "-3"),
        ("BOT_LEVEL", "godlike"),
        ("MEMORY_MEGABYTES", "-1"),
        ("KEEP_ALIVE", "0"),
        ("SOCKET_MESSAGES", "0"),
        ("STEP_MILLISECONDS", "-1"),
        ("JOBS", "perhaps"),
        ("PUBLIC_URL", "example.org"),
        ("SMTP_URL", "example.org:587"),
        ("SMTP_URL", "smtp://user:secret@example.org:port"),
        ("VAPID_KEY", "secret"),
    ],
)
def test_a_setting_that_makes_no_sense_is_refused(monkeypatch, name, value):
    monkeypatch.setenv(f"POWDERKEG_{name}", value)
    with pytest.raises(RulesError) as refused:
        read_settings()
    assert refused.value.code == "server.bad_setting"
    assert f"POWDERKEG_{name}" in str(refused.value) and "secret" not in str(refused.value)
    assert re.search("It takes |Choose one of ", str(refused.value))  # what to do


def test_the_key_of_the_guide_is_a_key_for_web_push(monkeypatch):
    page = GUIDE.read_text(encoding="utf-8")
    (script,) = re.findall(r'^python -c "(.+)"$', page, re.MULTILINE)
    made = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    ).stdout.strip()
    monkeypatch.setenv("POWDERKEG_VAPID_KEY", made)
    assert read_settings().vapid_key == made
