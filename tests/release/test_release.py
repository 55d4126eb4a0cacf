"""`make release`: what it refuses, and the README of the package."""

import gettext
import subprocess
from email.message import Message

import pytest

from hatch_build import compile_words, index_readme, index_urls
from tools import release
from tools.release import ReleaseFault

README = """# Powderkeg

| A | B |
|---|---|
| ![A](docs/a.webp) | ![B](docs/b.webp) |

Read [the guide](docs/guide.md#part) or [the web](https://example.org) or [below](#below).

[Guides](docs/index.md) · [Licence](LICENSE)

The end.
"""


def test_without_an_address_the_readme_has_no_relative_links():
    shown = index_readme(README, "", "1.2")
    assert shown == (
        "# Powderkeg\n\nRead the guide or [the web](https://example.org) or [below](#below).\n\n"
        "The end.\n"
    )
    assert index_urls("", "1.2") == {}


def test_with_an_address_links_and_pictures_lead_to_the_version():
    shown = index_readme(README, "https://example.org/us/pk", "1.2")
    assert "![A](https://example.org/us/pk/raw/v1.2/docs/a.webp)" in shown
    assert "[the guide](https://example.org/us/pk/blob/v1.2/docs/guide.md#part)" in shown
    assert "[the web](https://example.org)" in shown
    assert (
        index_urls("https://example.org/us/pk", "1.2")["Repository"] == "https://example.org/us/pk"
    )


def test_catalogues_do_not_say_when_they_were_compiled(tmp_path):
    folder = tmp_path / "es" / "LC_MESSAGES"
    folder.mkdir(parents=True)
    (folder / "core.po").write_text('msgid ""\nmsgstr ""\n\nmsgid "yes"\nmsgstr "sí"\n')
    compile_words(tmp_path)
    with (folder / "core.mo").open("rb") as file:
        found = gettext.GNUTranslations(file)
    assert found.info()["pot-creation-date"].startswith("1970-01-01")
    assert found.gettext("yes") == "sí"


def tree(folder, version="1.2", changelog="## 1.2\n\n- New.\n"):
    """A small repository with a version and a changelog."""
    (folder / "src" / "powderkeg").mkdir(parents=True)
    (folder / "src" / "powderkeg" / "__init__.py").write_text(f'__version__ = "{version}"\n')
    (folder / "CHANGELOG.md").write_text(f"# Changelog\n\n{changelog}\n## 1.1\n\n- Old.\n")
    for command in (["init", "-q"], ["add", "-A"], ["commit", "-qm", "first"]):
        who = ["-c", "user.name=a", "-c", "user.email=a@example.org"]
        subprocess.run(["git", *who, *command], cwd=folder, check=True)
    return folder


@pytest.mark.parametrize("title", ["## 1.2", "## 1.2 (2027-01-31)", "## [1.2] - 2027-01-31"])
def test_version_and_changelog_belong_together(tmp_path, title):
    made = tree(tmp_path, changelog=f"{title}\n\n- New.\n")
    assert release.read_version(made) == "1.2"
    assert release.changelog_section("1.2", made) == "- New."
    assert release.commit_time(made).isdecimal()


@pytest.mark.parametrize(
    "changelog", ["## Unreleased\n\n- New.\n", "## 1.2\n", "## 1.20\n\n- No.\n"]
)
def test_a_version_without_its_changelog_is_refused(tmp_path, changelog):
    with pytest.raises(ReleaseFault, match=r"has no section “## 1\.2”"):
        release.changelog_section("1.2", tree(tmp_path, changelog=changelog))


def test_a_tree_with_changes_is_refused(tmp_path):
    made = tree(tmp_path)
    release.check_clean(made)
    (made / "CHANGELOG.md").write_text("changed")
    with pytest.raises(ReleaseFault, match="not committed"):
        release.check_clean(made)


def test_two_builds_that_differ_are_refused(tmp_path):
    one, two = tmp_path / "one.whl", tmp_path / "two.whl"
    one.write_bytes(b"a")
    two.write_bytes(b"b")
    with pytest.raises(ReleaseFault, match="not reproducible"):
        release.compare_builds([one], [two])


def test_what_an_index_would_show_wrongly_is_found():
    found = Message()
    found["Version"] = "1.1"
    found.set_payload("See [the guide](docs/guide.md) and [the web](https://example.org).")
    faults = list(release.metadata_faults(found, "1.2"))
    assert "the version is 1.1, not 1.2" in faults
    assert "Summary is missing" in faults
    assert "the README links to docs/guide.md, which is relative" in faults
    assert not any("example.org" in fault for fault in faults)
