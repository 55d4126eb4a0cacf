"""Builds a release and checks it: `make release` (see docs/guides/release.md).

Every step prints what it found. The first one that fails ends the release.
"""

import argparse
import hashlib
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from collections.abc import Iterator
from email import message_from_bytes
from email.message import Message
from pathlib import Path

ROOT = Path(__file__).parent.parent
UV = str(Path(sys.executable).parent / "uv")
TWINE, AUDIT = "twine==7.0.0", "pip-audit==2.10.1"
AUDITED = ("requirements-play.lock", "requirements.lock")
NO_NETWORK = re.compile(
    r"ConnectionError|NewConnectionError|Max retries|timed? ?out|dns error", re.IGNORECASE
)


class ReleaseFault(Exception):
    """Why this tree cannot be released."""


def read_version(root: Path = ROOT) -> str:
    text = (root / "src" / "powderkeg" / "__init__.py").read_text(encoding="utf-8")
    found = re.search(r'^__version__ = "(.+)"$', text, re.MULTILINE)
    if found is None:
        raise ReleaseFault("src/powderkeg/__init__.py has no __version__.")
    return found[1]


def changelog_section(version: str, root: Path = ROOT) -> str:
    """What the changelog says about a version."""
    text = (root / "CHANGELOG.md").read_text(encoding="utf-8")
    title = rf"^## \[?{re.escape(version)}\]?(?: [^\n]*)?$"
    found = re.search(rf"{title}\n(.*?)(?=^## |\Z)", text, re.MULTILINE | re.DOTALL)
    if found is None or not found[1].strip():
        raise ReleaseFault(f"CHANGELOG.md has no section “## {version}”. Rename “## Unreleased”.")
    return found[1].strip()


def check_clean(root: Path = ROOT) -> None:
    if changed := _output("git", "status", "--porcelain", cwd=root).strip():
        raise ReleaseFault(f"There are changes that are not committed:\n{changed}")


def commit_time(root: Path = ROOT) -> str:
    """Seconds since the epoch of the last commit: the date of every file in the packages."""
    return _output("git", "log", "-1", "--format=%ct", cwd=root).strip()


def build_packages(folder: Path, epoch: str, url: str = "", root: Path = ROOT) -> list[Path]:
    """An sdist of the tree, and the wheel that this sdist makes."""
    env = {**os.environ, "SOURCE_DATE_EPOCH": epoch, "POWDERKEG_URL": url}
    env.pop("PYTHONPATH", None)
    folder.mkdir(parents=True, exist_ok=True)
    hatch = [sys.executable, "-m", "hatchling", "build"]
    _output(*hatch, "-t", "sdist", "-d", str(folder), cwd=root, env=env)
    (sdist,) = folder.glob("*.tar.gz")
    with tempfile.TemporaryDirectory() as unpacked:
        with tarfile.open(sdist) as archive:
            archive.extractall(unpacked, filter="data")
        (tree,) = Path(unpacked).iterdir()
        _output(*hatch, "-t", "wheel", "-d", str(folder), cwd=tree, env=env)
    (wheel,) = folder.glob("*.whl")
    return [sdist, wheel]


def digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def compare_builds(first: list[Path], second: list[Path]) -> None:
    for one, other in zip(first, second, strict=True):
        if digest(one) != digest(other):
            raise ReleaseFault(f"{one.name} is not reproducible: two builds differ.")


def wheel_metadata(wheel: Path) -> Message:
    with zipfile.ZipFile(wheel) as archive:
        (name,) = (n for n in archive.namelist() if n.endswith(".dist-info/METADATA"))
        return message_from_bytes(archive.read(name))


def metadata_faults(metadata: Message, version: str) -> Iterator[str]:
    """What a package index would show wrongly."""
    if metadata["Version"] != version:
        yield f"the version is {metadata['Version']}, not {version}"
    for field in ("Summary", "License-Expression", "Requires-Python", "Keywords", "Classifier"):
        if not metadata[field]:
            yield f"{field} is missing"
    if metadata["Description-Content-Type"] != "text/markdown":
        yield "the README is not marked as Markdown"
    text = metadata.get_payload(decode=True).decode()  # type: ignore[union-attr]  # it is no multipart
    for target in re.findall(r"\]\(((?!https?:|#)[^)]+)\)", text):
        yield f"the README links to {target}, which is relative"


def check_wheel(wheel: Path, version: str) -> None:
    if faults := list(metadata_faults(wheel_metadata(wheel), version)):
        raise ReleaseFault("The wheel's metadata: " + "; ".join(faults) + ".")


def run_tool(tool: str, *args: str) -> str:
    """Run a tool from the package index; what it says, or why it was skipped."""
    done = subprocess.run(  # noqa: S603  # our own arguments
        [UV, "tool", "run", "--quiet", tool, *args],
        env={**os.environ, "NO_COLOR": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    said = done.stdout + done.stderr
    if done.returncode and NO_NETWORK.search(said):
        return f"skipped: {tool} needs the network"
    if done.returncode:
        raise ReleaseFault(f"{tool}:\n{said.strip()}")
    return said.strip().splitlines()[-1] if said.strip() else "passed"


def audit_dependencies() -> str:
    """Look up known vulnerabilities of everything in the lock files."""
    found = [
        run_tool(
            AUDIT, "--disable-pip", "--no-deps", "--progress-spinner", "off", "-r", str(ROOT / name)
        )
        for name in AUDITED
    ]
    return "; ".join(dict.fromkeys(found))


def make_release(url: str) -> None:
    """All steps, from the checks to the finished packages in dist/."""
    version = read_version()
    lines = len(changelog_section(version).splitlines())
    _report("version", f"{version}, {lines} lines in the changelog")
    check_clean()
    _report("tree", "clean")
    dist, epoch = ROOT / "dist", commit_time()
    shutil.rmtree(dist, ignore_errors=True)
    built = build_packages(dist, epoch, url)
    with tempfile.TemporaryDirectory() as again:
        compare_builds(built, build_packages(Path(again), epoch, url))
    _report("build", "twice, byte for byte the same")
    check_wheel(built[1], version)
    _report(
        "metadata", f"complete; the source is at {url}" if url else "complete; names no address"
    )
    _report("twine", run_tool(TWINE, "check", "--strict", *map(str, built)))
    _report("audit", audit_dependencies())
    for path in built:
        _report(
            "made",
            f"{path.relative_to(ROOT)}  {path.stat().st_size:,} bytes  sha256 {digest(path)}",
        )


def _report(step: str, found: str) -> None:
    print(f"{step:9} {found}", flush=True)


def _output(*command: str, cwd: Path, env: dict[str, str] | None = None) -> str:
    done = subprocess.run(  # noqa: S603  # our own arguments
        command, cwd=cwd, env=env, capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise ReleaseFault(f"{' '.join(command)}:\n{(done.stdout + done.stderr).strip()}")
    return done.stdout


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--url", default="", help="where the source is published")
    try:
        make_release(parser.parse_args().url.rstrip("/"))
    except ReleaseFault as fault:
        sys.exit(str(fault))
