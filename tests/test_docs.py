"""Everything that can be used is written down."""

import ast
import dataclasses
import json
import re
import tomllib
from pathlib import Path

import pytest
import typer

from powderkeg import games, proof
from powderkeg.bots.game_bots import GameBots
from powderkeg.cli.app import app
from powderkeg.cli.say import use_language
from powderkeg.core.cards import CardTool
from powderkeg.core.game import Game
from tools import options_page

ROOT = Path(__file__).parent.parent


def test_every_command_is_documented():
    page = (ROOT / "docs" / "reference" / "cli.md").read_text(encoding="utf-8")
    documented = set(re.findall(r"^### `([\w-]+)`", page, re.MULTILINE))
    assert documented == set(typer.main.get_command(app).commands)


def test_the_page_of_options_is_recorded_from_the_games(request):
    use_language("en")  # another test may have chosen one
    if request.config.getoption("--record"):
        options_page.PAGE.write_text(options_page.page_text(), encoding="utf-8")
    stored = options_page.PAGE.read_text(encoding="utf-8")
    assert stored == options_page.page_text(), "write it again: make record"


@pytest.mark.parametrize(("page", "record"), [("bot", GameBots), ("cards", CardTool)])
def test_the_records_of_a_game_are_documented_field_by_field(page, record):
    text = (ROOT / "docs" / "guides" / f"{page}.md").read_text(encoding="utf-8")
    table = text.partition("| field | meaning |\n")[2].partition("\n\n")[0]
    documented = re.findall(r"^\| `(\w+)` \|", table, re.MULTILINE)
    assert documented == [field.name for field in dataclasses.fields(record)]


def contract_names():
    return {name for name in vars(Game) if not name.startswith("_")}


def table_names(page):
    """The names in the first column of the contract's table: up to the first blank line after it."""
    table = page.partition("| name | what it is |\n")[2].partition("\n\n")[0]
    return re.findall(r"^\| `(\w+)", table, re.MULTILINE)


def test_contract_page_lists_exactly_what_the_protocol_has():
    page = (ROOT / "docs" / "concepts" / "contract.md").read_text(encoding="utf-8")
    names = table_names(page)
    assert len(names) == len(set(names))
    assert set(names) == contract_names()
    planted = page.replace("| `broken(state)` |", "| `mended(state)` |")
    assert set(table_names(planted)) ^ contract_names() == {"broken", "mended"}


@pytest.mark.parametrize("page", ["concepts/contract.md", "design.md"])
def test_the_count_of_names_in_prose_is_right(page):
    text = (ROOT / "docs" / page).read_text(encoding="utf-8")
    counts = re.findall(r"(?:with|share) ([a-z-]+) names\b", text)
    assert counts == [NUMBERS[len(contract_names())]]


NUMBERS = {
    24: "twenty-four",
    25: "twenty-five",
    26: "twenty-six",
    27: "twenty-seven",
    28: "twenty-eight",
}


@pytest.mark.parametrize("game", games.GAME_NAMES)
def test_every_game_has_the_names_of_the_contract_and_no_more(game):
    assert set(games.find_game(game).__all__) == contract_names()


def test_the_install_page_lists_every_extra():
    page = (ROOT / "docs" / "guides" / "install.md").read_text(encoding="utf-8")
    rows = page.partition("| extra |")[2].partition("\n\n")[0]
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert set(re.findall(r"^\| `(\w+)`", rows, re.MULTILINE)) == set(
        project["optional-dependencies"]
    )


def test_every_dependency_has_its_reason():
    design = (ROOT / "docs" / "design.md").read_text(encoding="utf-8")
    wanted = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    names = set(re.findall(r'^\s*"([a-z0-9-]+)>=', wanted, re.MULTILINE))
    names |= set(re.findall(r'"([a-z0-9-]+)>=', wanted))
    client = json.loads((ROOT / "web" / "package.json").read_text(encoding="utf-8"))
    names |= set(client["devDependencies"]) | set(client.get("dependencies", {}))
    reasons = set(re.findall(r"[\w@/-]+", design))
    assert names - reasons == set()


def test_every_page_stands_in_the_navigation():
    pages = {str(page.relative_to(ROOT / "docs")) for page in (ROOT / "docs").rglob("*.md")}
    listed = re.findall(r"([\w/-]+\.md)$", (ROOT / "mkdocs.yml").read_text("utf-8"), re.MULTILINE)
    assert sorted(listed) == sorted(pages)


def test_rules_are_counted(tmp_path):
    (tmp_path / "chess.md").write_text("# Chess\n\n## A\n\n- **C-A-01** One.\n- **C-A-02** Two.\n")
    (tmp_path / "notes.md").write_text("nothing here")
    assert proof.read_rules(tmp_path) == {"chess": {"C-A-01": "One.", "C-A-02": "Two."}}
    assert proof.count_proven(tmp_path) == {"chess": proof.RuleCount(0, 2, ("C-A-01", "C-A-02"))}
    (tmp_path / proof.PROVEN_FILE).write_text(json.dumps(["C-A-02", "X-X-01"]))
    assert proof.count_proven(tmp_path) == {"chess": proof.RuleCount(1, 2, ("C-A-01",))}


@pytest.mark.parametrize("page", sorted((ROOT / "docs").rglob("*.md")), ids=lambda p: p.name)
def test_links_between_pages_resolve(page):
    text = re.sub(r"```.*?```", "", page.read_text(encoding="utf-8"), flags=re.DOTALL)
    for target in re.findall(r"\]\(([^)#:]+?)(?:#[^)]*)?\)", text):
        assert (page.parent / target).exists(), f"{page.name} links to {target}"


@pytest.mark.parametrize("lang", ["es", "it"])
@pytest.mark.parametrize("game", sorted(proof.read_rules()))
def test_rules_are_written_in_three_languages(game, lang):
    """The same rules in the same order, a ruling where there is one, the same names of options."""
    ruled = {"en": "Ruling:", "es": "Criterio:", "it": "Interpretazione:"}
    english, translated = (
        proof.read_rules()[game],
        proof.read_rules(proof.RULES_FOLDER / lang)[game],
    )
    assert list(translated) == list(english)
    for rule, line in english.items():
        assert (ruled["en"] in line) == (ruled[lang] in translated[rule]), rule
        assert set(re.findall("`.*?`", line)) == set(re.findall("`.*?`", translated[rule])), rule


TOP = "src|docs|tests|web|bench|tools|deploy"  # folders at the root of the repository


def defined_names(path: Path) -> set[str]:
    """Functions, methods and classes that a module defines."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
    return {node.name for node in ast.walk(tree) if isinstance(node, kinds)}


@pytest.mark.parametrize("page", ["docs/architecture.md", "CONTRIBUTING.md"])
def test_places_in_the_code_exist(page):
    """Every path names a file or folder, and every `path.py:name` something defined in that file."""
    text = (ROOT / page).read_text(encoding="utf-8")
    places = re.findall(rf"`((?:{TOP})(?:/[\w./-]+)?)(?::(\w+))?`", text)
    assert places
    for path, name in places:
        assert (ROOT / path).exists(), f"{page} names {path}"
        assert not name or name in defined_names(ROOT / path), f"{page} names {path}:{name}"
