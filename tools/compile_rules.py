"""Compiles the rules that run most often, from the sources as they are: `make fast`.

mypyc makes C of typed Python, and the C compiler makes extension modules beside the sources. They
are used as long as the sources stay the same (`powderkeg.compiled`). What is stored or pickled stays
interpreted: states, steps, actions and options, whose type hints mypyc would simplify.
"""

import argparse
import json
import os
import shutil
import sys
import tempfile
from pathlib import Path

from powderkeg.compiled import MANIFEST, SWITCH, source_digest

ROOT = Path(__file__).parent.parent

# One library per unit, so that no compiler sees a file of half a million lines.
UNITS: dict[str, tuple[str, ...]] = {
    "core": ("core/agenda.py", "core/legal.py"),
    "diplomacy": (
        *(f"games/diplomacy/{name}.py" for name in ("ask", "view", "words")),
        *(
            f"games/diplomacy/rules/{name}.py"
            for name in (
                *("adjudicate", "adjustments", "advice", "agreement", "battle", "legality"),
                *("listing", "reasons", "refusals", "turn"),
            )
        ),
    ),
    "versailles": (
        *(f"games/versailles/{name}.py" for name in ("board", "flow", "kinds", "state", "words")),
        "games/versailles/rules/*.py",
        *(
            f"games/versailles/deals/{name}.py"
            for name in ("binding", "exchange", "feasibility", "offers")
        ),
        "games/versailles/events/effects.py",
    ),
    "risk_europe": (
        *(f"games/risk_europe/{name}.py" for name in ("board", "flow", "state", "words")),
        "games/risk_europe/rules/*.py",
    ),
    "server": ("server/message_json.py", "server/views/delta.py"),
}


POSIX_FLAGS = [
    "-fcommon",  # units share tables that mypyc declares once per file
    "-fvisibility=hidden",  # calls inside a unit need no table of symbols
]


def unit_sources(package: Path, unit: str) -> list[Path]:
    """The modules of a unit; a package's own `__init__` stays as it is."""
    found = [path for pattern in UNITS[unit] for path in sorted(package.glob(pattern))]
    return [path for path in found if path.stem != "__init__"]


def compile_units(package: Path, units: list[str], level: str = "2") -> None:
    """Compile into the folder of the package."""
    from mypyc.build import mypycify
    from setuptools import Distribution  # type: ignore[import-untyped]  # has no stubs in our lock

    os.chdir(package.parent)  # modules are named after their paths
    groups = [
        ([str(path.relative_to(package.parent)) for path in unit_sources(package, unit)], unit)
        for unit in units
    ]
    with tempfile.TemporaryDirectory() as place:
        extensions = mypycify(
            [
                f"--config-file={ROOT / 'pyproject.toml'}",
                *(n for names, _ in groups for n in names),
            ],
            separate=[(names, f"powderkeg_{unit}") for names, unit in groups],
            opt_level=level,
            debug_level="0",
            multi_file=True,
            target_dir=f"{place}/c",
        )
        for extension in extensions:
            if os.name == "posix":
                extension.extra_compile_args += POSIX_FLAGS
        command = Distribution({"ext_modules": extensions}).get_command_obj("build_ext")
        command.build_lib, command.build_temp = f"{place}/lib", place
        command.ensure_finalized()
        command.run()
        shutil.copytree(f"{place}/lib", package.parent, dirs_exist_ok=True)  # all, or none


def remove_compiled(package: Path) -> None:
    """Remove what an earlier run made: nothing else here is an extension module."""
    (package / MANIFEST.name).unlink(missing_ok=True)
    for suffix in ("so", "pyd"):
        for path in [*package.rglob(f"*.{suffix}"), *package.parent.glob(f"powderkeg_*.{suffix}")]:
            path.unlink()


def digest_sources(package: Path, sources: list[Path]) -> dict[str, str]:
    """Taken before compiling: a source that is edited meanwhile does not count as compiled."""
    return {path.relative_to(package).as_posix(): source_digest(path) for path in sources}


def write_manifest(package: Path, known: dict[str, str]) -> None:
    """Written last: without it, nothing counts as compiled."""
    (package / MANIFEST.name).write_text(json.dumps(known, indent=1) + "\n", encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "--package", type=Path, default=MANIFEST.parent, help="where the sources are"
    )
    parser.add_argument("--unit", action="append", choices=sorted(UNITS), help="default: all")
    parser.add_argument("--level", default="2", help="of the C compiler's optimisation: 0 to 3")
    parser.add_argument("--remove", action="store_true", help="only remove what was compiled")
    chosen = parser.parse_args()
    package = chosen.package.resolve()
    remove_compiled(package)
    if chosen.remove:
        return
    if not any(map(shutil.which, ("cc", "gcc", "clang", "cl"))):
        sys.exit("Compiling the rules needs a C compiler. Without one, Powderkeg runs as it is.")
    units = chosen.unit or list(UNITS)
    known = digest_sources(
        package, [path for unit in units for path in unit_sources(package, unit)]
    )
    compile_units(package, units, chosen.level)
    write_manifest(package, known)
    print(f"{len(known)} modules are compiled. {SWITCH}=0 switches them off.")


if __name__ == "__main__":
    main()
