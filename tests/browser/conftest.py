"""A real server, a real browser. Every page that a test opens must end without a console error."""

import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Literal

import pytest
from playwright.sync_api import (
    Browser,
    BrowserContext,
    ConsoleMessage,
    Page,
    Playwright,
    expect,
    sync_playwright,
)

ROOT = Path(__file__).parent.parent.parent
BUILT = ROOT / "src" / "powderkeg" / "web" / "index.html"
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]
expect.set_options(timeout=180_000)  # a machine may be busy; nothing here measures time
LOCALES = {"en": "en-GB", "es": "es-ES", "it": "it-IT"}
BARE = "/healthz"  # of our server, and not drawn: most tests make a table first, by requests
SIZES = {"desk": (1440, 900), "tablet": (1024, 768), "phone": (390, 844)}


HEADLESS = "chromium-headless-shell"  # draws no windows: the same tests in two thirds of the time


def chromium_path() -> str | None:
    """A Chromium of this machine; None: the one that Playwright installs."""
    if found := _installed_chromium():
        return found
    if hasattr(os, "geteuid") and os.geteuid() == 0 and shutil.which("apt-get"):
        alone = "DPkg::Lock::Timeout=600"  # another test process may be installing it
        subprocess.run(["apt-get", "-o", alone, "update", "-qq"], check=False)
        subprocess.run(["apt-get", "-o", alone, "install", "-qq", "-y", HEADLESS], check=False)
        if found := _installed_chromium():
            return found
    subprocess.run([sys.executable, "-m", "playwright", "install", "chromium"], check=True)
    return None


def _installed_chromium() -> str | None:
    names = (HEADLESS, "chromium", "chromium-browser", "google-chrome", "chrome")
    return next(filter(None, map(shutil.which, names)), None)


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a server process of our own."""
    with serving(tmp_path_factory.mktemp("server")) as address:
        yield address


@contextmanager
def serving(folder: Path, **env: str) -> Iterator[str]:
    if not BUILT.is_file():
        subprocess.run(["make", "-C", str(ROOT), "web"], check=True)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with (folder / "log.txt").open("wb") as log:
        command = [sys.executable, str(Path(__file__).parent / "serve.py"), str(folder), str(port)]
        process = subprocess.Popen(command, stdout=log, stderr=log, env={**os.environ, **env})
        try:
            _wait(f"http://127.0.0.1:{port}", process, folder / "log.txt")
            yield f"http://127.0.0.1:{port}"
        finally:
            process.terminate()
            process.wait(600)


def _wait(address: str, process: subprocess.Popen[bytes], log: Path) -> None:
    for _ in range(6000):
        if process.poll() is not None:
            pytest.fail(f"the server did not start:\n{log.read_text()[-3000:]}")
        try:
            urllib.request.urlopen(f"{address}/healthz", timeout=60).close()
        except OSError:
            time.sleep(0.1)
        else:
            return
    pytest.fail("the server did not answer")


def browser_scope(fixture_name: str, config: pytest.Config) -> Literal["session", "module"]:
    """One browser for all; beside other folders, one per module: the event loop of Playwright must be
    gone before their asynchronous tests run."""
    only_here = all(Path(arg).is_relative_to("tests/browser") for arg in config.args)
    return "session" if only_here else "module"


@pytest.fixture(scope=browser_scope)
def playwright() -> Iterator[Playwright]:
    with sync_playwright() as running:
        yield running


@pytest.fixture(scope=browser_scope)
def browser(playwright: Playwright) -> Iterator[Browser]:
    browser = playwright.chromium.launch(executable_path=chromium_path(), args=FLAGS)
    yield browser
    browser.close()


def is_error(message: ConsoleMessage) -> bool:
    """A click that came too late is answered 409, which Chromium notes by itself: no fault."""
    return message.type == "error" and "409 (Conflict)" not in message.text


class Sit:
    """`sit("es", "phone", at="/new/sparks")`: somebody with a browser of their own. Without `at` they
    have opened nothing of ours yet."""

    def __init__(self, browser: Browser, server: str) -> None:
        self.browser, self.server = browser, server
        self.contexts: list[BrowserContext] = []
        self.errors: list[str] = []
        self.forgiven: list[str] = []

    def __call__(
        self,
        lang: str = "en",
        size: str = "desk",
        *,
        at: str = BARE,
        settings: str = "{}",
        **more: Any,
    ) -> Page:
        width, height = SIZES[size]
        touch: dict[str, Any] = {"has_touch": True, "is_mobile": True} if size == "phone" else {}
        context = self.browser.new_context(
            viewport={"width": width, "height": height},
            locale=LOCALES[lang],
            base_url=self.server,
            reduced_motion="reduce",
            **touch,
            **more,
        )
        context.set_default_timeout(180_000)
        self.contexts.append(context)
        keep = f"localStorage['powderkeg.settings'] ??= JSON.stringify({{confirm: true, ...{settings}}})"
        context.add_init_script(keep)
        page = context.new_page()
        page.on("console", lambda m: self.errors.append(m.text) if is_error(m) else None)
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.goto(at)
        return page

    def forgive(self, part: str) -> None:
        """A test that breaks something on purpose expects Chromium to note it, even late."""
        self.forgiven.append(part)

    def leave(self) -> None:
        for context in self.contexts:
            context.close()
        assert [e for e in self.errors if not any(part in e for part in self.forgiven)] == []


@pytest.fixture
def sit(browser: Browser, server: str) -> Iterator[Sit]:
    visitors = Sit(browser, server)
    yield visitors
    visitors.leave()
