"""Writes docs/reference/python.md from the docstrings of the public modules: `python -m tools.api_page`.

Modules are read, not imported, so that no extra is needed. What a module's `__all__` lists is public.
"""

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import TypeAlias

ROOT = Path(__file__).parent.parent
SOURCE = ROOT / "src"
PAGE = ROOT / "docs" / "reference" / "python.md"
INTRO = """# Python

Everything that a program may rely on: what these modules list in `__all__`. Written from their
docstrings; the examples run as tests. New here? Take [the tour](../tour.md).
"""
PUBLIC = {
    "Tables": (
        "powderkeg",
        "powderkeg.core.table",
        "powderkeg.core.record",
        "powderkeg.core.reports.drawing",
        "powderkeg.core.chance",
        "powderkeg.core.errors",
    ),
    "Games": (
        "powderkeg.core.game",
        "powderkeg.core.legal",
        "powderkeg.core.ask",
        "powderkeg.core.words",
        "powderkeg.core.check",
    ),
    "Diplomacy": (
        "powderkeg.games.diplomacy.archive.forms",
        "powderkeg.games.diplomacy.archive.replay",
        "powderkeg.games.diplomacy.archive.saved_game",
        "powderkeg.games.diplomacy.draw.board_map",
        "powderkeg.games.diplomacy.fast.batch",
        "powderkeg.games.diplomacy.fast.games",
        "powderkeg.games.diplomacy.fast.order_codes",
    ),
    "Risk Europe": (
        "powderkeg.games.risk_europe.fast.boards",
        "powderkeg.games.risk_europe.fast.action_codes",
    ),
    "Versailles 1919": (
        "powderkeg.games.versailles.fast.boards",
        "powderkeg.games.versailles.fast.action_codes",
    ),
    "Bots": ("powderkeg.bots", "powderkeg.bots.analysis", "powderkeg.client"),
    "Research": (
        "powderkeg.rl",
        "powderkeg.rl.orders",
        "powderkeg.rl.words_vector",
        "powderkeg.rl.risk_europe.vector",
        "powderkeg.rl.versailles.vector",
        "powderkeg.rl.baseline.bot",
        "powderkeg.rl.spiel",
    ),
}

Defined: TypeAlias = ast.FunctionDef | ast.ClassDef
Names: TypeAlias = dict[str, ast.stmt]


def parse_module(name: str) -> ast.Module:
    """The source of a module, parsed."""
    path = SOURCE.joinpath(*name.split("."))
    file = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
    return ast.parse(file.read_text(encoding="utf-8"))


def public_names(tree: ast.Module) -> list[str]:
    """What `__all__` lists."""
    for node in tree.body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__":
            return list(ast.literal_eval(node.value))
    return []


def defined_names(tree: ast.Module) -> Names:
    """What a module defines or imports, by name."""
    found: Names = {}
    for node in tree.body:
        match node:
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
                found[name] = node
            case ast.Assign(targets=[ast.Name(id=name)]) | ast.AnnAssign(target=ast.Name(id=name)):
                found[name] = node
            case ast.ImportFrom(names=names):
                found |= {alias.asname or alias.name: node for alias in names}
    return found


def page_text() -> str:
    """The whole page."""
    return "\n".join([INTRO, *(line for title in PUBLIC for line in part_lines(title))])


def part_lines(title: str) -> Iterator[str]:
    yield f"## {title}\n"
    for module in PUBLIC[title]:
        tree = parse_module(module)
        yield f"### {module}\n"
        yield docstring(tree)
        names = defined_names(tree)
        for name in public_names(tree):
            yield from name_lines(name, names[name])


def name_lines(name: str, node: ast.stmt) -> Iterator[str]:
    match node:
        case ast.ImportFrom(module=origin):
            yield f"**`{name}`**: see `{origin}`.\n"
        case ast.FunctionDef():
            yield f"#### {name}\n\n`{signature(node)}`\n"
            yield docstring(node)
        case ast.ClassDef():
            yield f"#### {name}\n\nclass `{name}{class_arguments(node)}`\n"
            yield docstring(node)
            yield from member_lines(node)
        case ast.Assign() | ast.AnnAssign():
            yield f"**`{short_text(ast.unparse(node))}`**\n"


def member_lines(node: ast.ClassDef) -> Iterator[str]:
    """Fields, then properties and methods that have no underscore."""
    fields = [ast.unparse(each) for each in node.body if isinstance(each, ast.AnnAssign)]
    if fields:
        yield "\n".join(f"- `{short_text(field)}`" for field in fields) + "\n"
    for each in node.body:
        if isinstance(each, ast.FunctionDef) and not each.name.startswith("_"):
            is_property = any(ast.unparse(mark) == "property" for mark in each.decorator_list)
            yield f"**`{property_text(each) if is_property else signature(each)}`**\n"
            yield docstring(each)


def signature(node: ast.FunctionDef) -> str:
    """A function with its arguments, without `self`."""
    arguments = re.sub(r"^(self|cls)(, /)?(, )?", "", ast.unparse(node.args))
    arguments = re.sub(r"(: [^,=]+)=", r"\1 = ", arguments)
    return f"{node.name}({arguments})" + (
        f" -> {ast.unparse(node.returns)}" if node.returns else ""
    )


def property_text(node: ast.FunctionDef) -> str:
    return f"{node.name}: {ast.unparse(node.returns)}" if node.returns else node.name


def class_arguments(node: ast.ClassDef) -> str:
    for each in node.body:
        if isinstance(each, ast.FunctionDef) and each.name == "__init__":
            return re.sub(r" -> None$", "", signature(each).removeprefix("__init__"))
    return ""


def short_text(text: str, most: int = 100) -> str:
    return text if len(text) <= most else text[: most - 1] + "…"


def docstring(node: ast.Module | Defined) -> str:
    """A docstring as Markdown: examples get a fence."""
    text = ast.get_docstring(node) or ""
    blocks = re.split(r"\n\n(?=>>> )|(?<=\n)(?=>>> )", text, maxsplit=1)
    if len(blocks) == 1:
        return text + "\n"
    example, _, rest = blocks[1].partition("\n\n")
    return f"{blocks[0].rstrip()}\n\n```python\n{example}\n\n```\n\n{rest}".rstrip() + "\n"


if __name__ == "__main__":
    PAGE.write_text(page_text(), encoding="utf-8")
