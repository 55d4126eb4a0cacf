"""The rulebook's sample game, and the judge on the command line, for the judge's tests."""

import json
from pathlib import Path
from typing import Any

import typer
from typer.testing import CliRunner

from powderkeg.cli.judge import judge_orders as command

CASES = Path(__file__).parents[1] / "cases"
SAMPLE = json.loads((CASES / "diagrams.json").read_text(encoding="utf-8"))["sample_game"]

app = typer.Typer()
app.command()(command)


def cli(*args: str, stdin: str = "") -> str:
    done = CliRunner().invoke(app, list(args), input=stdin, catch_exceptions=False)
    assert done.exit_code == 0
    return done.output


def listed(units: dict[str, list[str]]) -> dict[str, list[str]]:
    return {power: sorted(texts) for power, texts in units.items() if texts}


def written(phase: dict[str, Any]) -> str:
    return "\n".join(f"{name}: {', '.join(texts)}" for name, texts in phase["orders_es"].items())
