"""What all tests share: compiled words, proven rules, recorded files."""

import gc
import json
import os
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

ROOT = Path(__file__).parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "tests" / "tiny")]  # hatch_build.py, sparks.py

# Tests are about the sources, whatever was compiled.
os.environ.setdefault("POWDERKEG_COMPILED", "0")

from hatch_build import compile_words  # noqa: E402  # needs the path above
from powderkeg import proof  # noqa: E402  # after the path, as all below
from powderkeg.core import words  # noqa: E402  # see above
from tests import spreading  # noqa: E402  # see above

# A busy machine is slow, and that is no fault.
settings.register_profile("any pace", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("any pace")

TINY = ROOT / "tests" / "tiny" / "locale"
RULES_PROVEN = pytest.StashKey[set[str]]()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--record", action="store_true", help="write recorded files again")
    parser.addoption(
        "--prove-rules", action="store_true", help="write docs/rules/proven.json again"
    )


def pytest_configure(config: pytest.Config) -> None:
    config.stash[RULES_PROVEN] = set()
    if not hasattr(config, "workerinput"):  # once, not in every worker
        compile_words(ROOT / "src" / "powderkeg" / "locale")
        compile_words(TINY)
    words.LOCALE_FOLDERS.append(TINY)
    gc.set_threshold(20_000, 20, 20)  # what thousands of tests load is large, and walked seldom


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    return spreading.scheduler(config, log) if config.getoption("dist") == "loadscope" else None


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if hasattr(config, "workerinput"):
        items.sort(key=lambda item: spreading.place_of(item.nodeid))


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Rule ids travel with the report, which also crosses from a worker to the controller."""
    for mark in item.iter_markers("rule"):
        item.user_properties.extend(("rule", rule) for rule in mark.args)


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    if report.when == "call" and report.passed:
        _proven.update(str(rule) for key, rule in report.user_properties if key == "rule")


_proven: set[str] = set()


def pytest_sessionfinish(session: pytest.Session, exitstatus: int) -> None:
    """After a full run, what the repository says of its proofs must be what was seen."""
    if hasattr(session.config, "workerinput"):
        return
    if session.config.getoption("--prove-rules"):
        text = json.dumps(sorted(_proven), indent=0)
        (proof.RULES_FOLDER / proof.PROVEN_FILE).write_text(text + "\n", encoding="utf-8")
        write_counts()
    elif exitstatus == 0 and os.environ.get("POWDERKEG_FULL") and (wrong := wrong_claims(_proven)):
        session.exitstatus = pytest.ExitCode.TESTS_FAILED
        sys.stderr.write(f"\nProofs claimed are not the proofs seen: {wrong}. Run `make rules`.\n")


def wrong_claims(proven: set[str]) -> list[str]:
    stored = proof.RULES_FOLDER / proof.PROVEN_FILE
    claimed = set(json.loads(stored.read_text(encoding="utf-8"))) if stored.exists() else set()
    unknown = proven - {rule for lines in proof.read_rules().values() for rule in lines}
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    stale = [line for line in count_lines() if line not in readme]
    return sorted(claimed ^ proven) + sorted(unknown) + stale


def count_lines() -> list[str]:
    """The lines of the README that state how many rules are proven."""
    return [f"| {name} | {c.proven} of {c.total} |" for name, c in proof.count_proven().items()]


def write_counts() -> None:
    readme = ROOT / "README.md"
    text = readme.read_text(encoding="utf-8")
    table = "\n".join(["| Game | Rules proven |", "|---|---|", *count_lines()])
    text = re.sub(
        r"(<!-- rules -->\n).*?(\n<!-- /rules -->)", rf"\g<1>{table}\g<2>", text, flags=re.DOTALL
    )
    readme.write_text(text, encoding="utf-8")


@pytest.fixture
def recorded(request: pytest.FixtureRequest) -> Callable[[str, str], None]:
    """Compare a text with its file under tests/playthroughs; `--record` writes it again."""

    def compare(name: str, text: str) -> None:
        path = ROOT / "tests" / "playthroughs" / name
        if request.config.getoption("--record"):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        assert path.read_text(encoding="utf-8") == text, f"{name} changed: `make record` if meant"

    return compare
