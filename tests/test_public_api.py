"""What programs may rely on: listed, described, and shown in a tour that runs."""

import ast
import json

import pytest

from powderkeg.core.errors import RulesError
from tools import api_page, tour_notebook

MODULES = [module for modules in api_page.PUBLIC.values() for module in modules]


@pytest.mark.parametrize("page", [api_page, tour_notebook], ids=["python.md", "tour.ipynb"])
def test_the_pages_are_recorded_from_their_sources(request, page):
    path = page.PAGE if page is api_page else page.NOTEBOOK
    text = page.page_text() if page is api_page else page.notebook_text()
    if request.config.getoption("--record"):
        path.write_text(text, encoding="utf-8")
    assert path.read_text(encoding="utf-8") == text, "write it again: make record"


@pytest.mark.parametrize("module", MODULES)
def test_public_modules_list_what_they_offer_and_describe_it(module):
    tree = api_page.parse_module(module)
    names, defined = api_page.public_names(tree), api_page.defined_names(tree)
    assert names, f"{module} has no __all__"
    assert set(names) <= set(defined)
    described = (ast.FunctionDef, ast.ClassDef)
    bare = [n for n in names if isinstance(defined[n], described) and not doc_of(defined[n])]
    assert bare == []


def doc_of(node):
    return ast.get_docstring(node)


@pytest.mark.slow
def test_the_notebook_runs_from_top_to_bottom():
    pytest.importorskip("numba")
    notebook = json.loads(tour_notebook.notebook_text())
    names: dict[str, object] = {}
    refused = 0
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            try:
                exec(cell["source"], names)
            except RulesError:
                refused += 1
    assert refused == 1, "the tour shows one refusal"
    assert len(notebook["cells"]) > 20
