"""Writes docs/tour.ipynb from docs/tour.md: `python -m tools.tour_notebook`.

The page is the source: its text becomes Markdown cells, its examples code cells without prompts.
"""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

DOCS = Path(__file__).parent.parent / "docs"
PAGE, NOTEBOOK = DOCS / "tour.md", DOCS / "tour.ipynb"


def notebook_text() -> str:
    """The whole notebook."""
    notebook = {
        "cells": list(page_cells(PAGE.read_text(encoding="utf-8"))),
        "metadata": {
            "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"}
        },
        "nbformat": 4,
        "nbformat_minor": 5,
    }
    return json.dumps(notebook, indent=1, ensure_ascii=False) + "\n"


def page_cells(page: str) -> Iterator[dict[str, Any]]:
    """The cells, in the order of the page. Text comes first, then example and text in turn."""
    for n, part in enumerate(re.split(r"```python\n(.*?)```\n?", page, flags=re.DOTALL)):
        if n % 2:
            yield from (code_cell(n, i, source) for i, source in enumerate(example_sources(part)))
        elif part.strip():
            yield markdown_cell(n, part.strip())


def example_sources(example: str) -> Iterator[str]:
    """One source per statement that shows something, as a notebook shows only the last of a cell."""
    lines: list[str] = []
    for line in example.splitlines():
        if line.startswith((">>> ", "... ")):
            lines.append(line[4:])
        elif line in (">>>", "..."):
            lines.append("")
        elif lines:
            yield "\n".join(lines)
            lines = []
    if lines:
        yield "\n".join(lines)


def markdown_cell(n: int, text: str) -> dict[str, Any]:
    return {"cell_type": "markdown", "id": f"text-{n}", "metadata": {}, "source": text}


def code_cell(n: int, i: int, source: str) -> dict[str, Any]:
    return {
        "cell_type": "code",
        "execution_count": None,
        "id": f"code-{n}-{i}",
        "metadata": {},
        "outputs": [],
        "source": source,
    }


if __name__ == "__main__":
    NOTEBOOK.write_text(notebook_text(), encoding="utf-8")
