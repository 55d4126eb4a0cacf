"""How quick the browser is: from a cold start to a board, from news to the screen, and how small.

    python bench/browser.py              all three games, five cold starts each
    python bench/browser.py --runs 1
    python bench/browser.py --runs 0     sizes and updates only

A real server and a real Chromium, both fresh for every cold start, on this machine. Needs the built
client (`make web`).
"""

import argparse
import gzip
import json
import re
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, Response, sync_playwright

from powderkeg.bench.suites.server import fresh_server

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT))

from tests.browser.conftest import FLAGS, chromium_path  # noqa: E402  # found by the line above

GAMES = ("diplomacy", "versailles", "risk_europe")
USABLE = ".board [role=button]:visible, .board button:visible"  # something to click
UPDATES = 40


@contextmanager
def chromium() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium_path(), args=FLAGS)
        yield browser
        browser.close()


def visit(browser: Browser, address: str) -> Page:
    context = browser.new_context(base_url=address, viewport={"width": 1440, "height": 900})
    context.add_init_script(KEEP_SOCKETS)
    return context.new_page()


# Cold start


def cold(game: str) -> dict[str, float]:
    """Server and browser are new, nothing is cached: open the front page, click *Play now*."""
    with fresh_server() as (address, _, started), chromium() as browser:
        page = visit(browser, address)
        began = time.perf_counter()
        page.goto("/")
        button = page.locator(f"[data-game={game}] button.first")
        button.wait_for()
        front = time.perf_counter()
        button.click()
        page.locator(".board :is(svg, .paper):visible").first.wait_for()
        page.locator(USABLE).first.wait_for()
        board = time.perf_counter()
    return {"server": started, "front": front - began, "board": board - front}


# Size


def size(browser: Browser, address: str, game: str) -> dict[str, float]:
    """A first visit by a link to a table: bytes of scripts and styles, packed as the server sends
    them, and seconds until the board is drawn."""
    owner = visit(browser, address)
    owner.goto("/")
    owner.locator(f"[data-game={game}] button.first").click()
    owner.locator(USABLE).first.wait_for()
    page = visit(browser, address)
    packed: dict[str, int] = {}

    def note(response: Response) -> None:
        if response.url.endswith((".js", ".css")) and not response.url.endswith("/sw.js"):
            packed[response.url] = len(gzip.compress(response.body()))

    page.on("response", note)
    began = time.perf_counter()
    page.goto(owner.url)
    page.locator(".board :is(svg, .paper):visible").first.wait_for()
    took = time.perf_counter() - began
    page.wait_for_load_state("networkidle")
    page.context.close()
    owner.context.close()
    return {"files": len(packed), "bytes": sum(packed.values()), "link": round(took, 3)}


# Updates

KEEP_SOCKETS = """
    window.lines = [];
    window.WebSocket = class extends WebSocket {
        constructor(...args) { super(...args); window.lines.push(this); }
    };
"""

# As the socket would bring it; drawn when the frame after next begins.
UPDATE = """(tables) => new Promise((done) => {
    const line = window.lines.at(-1), took = [];
    const next = (n) => {
        if (n === tables.length) return done(took);
        const data = JSON.stringify({type: "table", now: 0, table: tables[n]});
        const began = performance.now();
        line.onmessage({data});
        requestAnimationFrame(() => {
            const {port1, port2} = new MessageChannel();
            port1.onmessage = () => { took.push(performance.now() - began); next(n + 1); };
            port2.postMessage(0); // after the frame was painted
        });
    };
    next(0);
})"""

PLACES = re.findall(
    r"\w+",
    "ank arm bel ber bre bud bul con den edi gre hol kie lon lvp mar mos "
    "mun nap nwy par por rom rum ser sev smy spa swe tri tun ven vie war",
)


def updates(browser: Browser, address: str, game: str) -> list[float]:
    """Milliseconds from news on the line to the picture, with a full map that changes all over."""
    crowd, drawn = CROWDS[game]
    page = visit(browser, address)
    page.goto("/")
    page.locator(f"[data-game={game}] button.first").click()
    page.locator(".board .atlas").wait_for()
    page.wait_for_timeout(1000)
    table = page.evaluate(
        "fetch(`/api${location.pathname.replace('/t/', '/tables/')}`).then((r) => r.json())"
    )
    took: list[float] = page.evaluate(UPDATE, [crowd(table, n) for n in range(1, UPDATES + 1)])
    for what, count in drawn.items():
        if page.locator(f".atlas {what}").count() != count:
            sys.exit(f"{game}: not {count} of {what} are drawn")
    page.context.close()
    return took


def later(table: dict[str, Any], n: int, news: dict[str, Any]) -> dict[str, Any]:
    """The table with news in its view, as its `n`th from now."""
    view = {**table["view"], **news}
    return {**table, "view": view, "rev": table["rev"] + 1000 + n, "question": None}


def crowded(table: dict[str, Any], n: int) -> dict[str, Any]:
    """The table with 34 units, each on its way to the `n`th after it, on land of their own."""
    powers = sorted(table["view"]["units"])
    units: dict[str, list[str]] = {power: [] for power in powers}
    outcomes = []
    for place, code in enumerate(PLACES):
        power = powers[(place + n) % len(powers)]
        units[power].append(f"A {code}")
        order = f"A {code} - {PLACES[(place + n) % len(PLACES)]}"
        outcomes.append(
            {
                "power": power,
                "order": order,
                "verdict": "ok" if (place + n) % 3 else "failed",
                "why": "",
                "number": 0,
                "rule": "D-MOVE-01",
                "by": [],
                "dislodged_by": None,
            }
        )
    reports = [{"phase": "S1901M", "outcomes": outcomes}]
    centres = {power: [unit[2:] for unit in theirs] for power, theirs in units.items()}
    news = {"units": units, "centres": centres, "reports": reports, "drafts": {}}
    return later(table, n, news)


def disputed(table: dict[str, Any], n: int) -> dict[str, Any]:
    """The table with an army and an attacker in each of the 49 territories."""
    armies = ("blue", "orange", "green", "purple")
    lands = {}
    for place, (name, land) in enumerate(table["view"]["territories"].items()):
        owner, rival = armies[(place + n) % 4], armies[(place + n + 1) % 4]
        units = {"footman": 1 + (place + n) % 9, "archer": 1, "cavalry": 1 + n % 3, "siege": 0}
        attacker = {"army": rival, "units": units}
        lands[name] = {**land, "owner": owner, "units": units, "attacker": attacker}
    return later(table, n, {"territories": lands})


Crowd = Callable[[dict[str, Any], int], dict[str, Any]]
CROWDS: dict[str, tuple[Crowd, dict[str, int]]] = {
    "diplomacy": (crowded, {".unit": len(PLACES), ".order.move": len(PLACES)}),
    "risk_europe": (disputed, {".muster": 2 * 49, ".dispute": 49}),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=5, help="cold starts of each game")
    parser.add_argument("--json", action="store_true", help="print numbers as JSON")
    args = parser.parse_args()
    found: dict[str, Any] = {}
    for game in GAMES:
        runs = [cold(game) for _ in range(args.runs)]
        keys = runs[0] if runs else ()
        found[game] = {key: round(statistics.median(r[key] for r in runs), 3) for key in keys}
    with fresh_server() as (address, _, _), chromium() as browser:
        for game in GAMES:
            found[game] |= size(browser, address, game)
        for game in CROWDS:
            took = sorted(updates(browser, address, game)[5:])
            found[game]["drawn"] = round(statistics.median(took), 1)
            found[game]["drawn_p95"] = round(took[int(0.95 * len(took))], 1)
    if args.json:
        print(json.dumps(found))
        return
    for game in GAMES:
        one = found[game]
        print(
            f"{game:12} by a link {one['bytes'] / 1000:.0f} kB in {one['files']} files, "
            f"drawn in {one['link']:.2f} s"
        )
        if args.runs:
            print(
                f"{'':12} server {one['server']:.2f} s, front page {one['front']:.2f} s, "
                f"click to board {one['board']:.2f} s"
            )
        if game in CROWDS:
            print(f"{'':12} news drawn in {one['drawn']} ms, 95 % in {one['drawn_p95']} ms")


if __name__ == "__main__":
    main()
