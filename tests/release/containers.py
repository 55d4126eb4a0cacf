"""Dockerfiles without a daemon: what they say, and which files a build would get."""

import json
import re
import shlex
import shutil
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parent.parent.parent


class Instruction(NamedTuple):
    """One line of a Dockerfile, such as ``COPY a b``."""

    word: str
    text: str

    @property
    def arguments(self) -> list[str]:
        """The words after the flags; a JSON list is read as one."""
        return json.loads(self.text) if self.text.startswith("[") else shlex.split(self.text)


class Stage(NamedTuple):
    name: str
    image: str
    instructions: list[Instruction]

    def all_of(self, word: str) -> list[Instruction]:
        return [line for line in self.instructions if line.word == word]

    def one_of(self, word: str) -> Instruction:
        (found,) = self.all_of(word)
        return found


def read_stages(path: Path) -> list[Stage]:
    """The stages of a Dockerfile in order; one without a name gets its number."""
    text = re.sub(r"^\s*#.*\n", "", path.read_text(encoding="utf-8"), flags=re.MULTILINE)
    stages: list[Stage] = []
    for line in filter(None, map(str.strip, text.replace("\\\n", " ").splitlines())):
        word, _, rest = line.partition(" ")
        if word == "FROM":
            image, _, name = rest.partition(" AS ")
            stages.append(Stage(name or str(len(stages)), image, []))
        else:
            stages[-1].instructions.append(Instruction(word, rest.strip()))
    return stages


def copied_paths(line: Instruction) -> tuple[str, list[str], str]:
    """Where a COPY takes its files from (a stage, or the context), which, and where to."""
    words = line.arguments
    flags = [word for word in words if word.startswith("--from=")]
    plain = [word for word in words if not word.startswith("--")]
    return (flags[0].removeprefix("--from=") if flags else ""), plain[:-1], plain[-1]


def ignored(path: str, patterns: list[str]) -> bool:
    """Whether .dockerignore leaves a file out: the last pattern that matches it decides."""
    out = False
    for pattern in patterns:
        name = pattern.removeprefix("!")
        if any(_pattern(name).fullmatch(part) for part in _parts(path)):
            out = not pattern.startswith("!")
    return out


def _parts(path: str) -> list[str]:
    """A path and the folders above it."""
    words = path.split("/")
    return ["/".join(words[: i + 1]) for i in range(len(words))]


def _pattern(name: str) -> re.Pattern[str]:
    quoted = re.escape(name).replace(r"\*\*/", "(?:.*/)?").replace(r"\*", "[^/]*")
    return re.compile(quoted)


def make_context(target: Path) -> None:
    """Copy what `docker build` would send to the daemon."""
    lines = (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines()
    patterns = [line for line in lines if line and not line.startswith("#")]
    tops = {p.removeprefix("!").split("/")[0] for p in patterns if p.startswith("!")}
    for path in (p for top in tops for p in [ROOT / top, *(ROOT / top).rglob("*")]):
        name = path.relative_to(ROOT).as_posix()
        if path.is_file() and "node_modules" not in name and not ignored(name, patterns):
            (target / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, target / name)
