"""Whole games through the screen: two browsers and bots, every game, by prompt bar alone.

What is clicked is what is offered, so this also proves that the client can answer any question
that a game asks: buttons, several choices, amounts, shares and orders. The long middle of a
conference asks nothing new, so it is played through the API.
"""

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.fast_forward import is_near_end, skip_ahead

SHORT: dict[str, tuple[int, dict[str, Any]]] = {
    "sparks": (2, {}),
    "diplomacy": (7, {"last_year": 1901}),
    "versailles": (2, {}),
    "risk_europe": (3, {"rounds": 1}),
}


LONG = 600_000  # milliseconds: many random moves, on a busy machine


def set_up(page: Page, game: str) -> tuple[str, str]:
    """A table for two people and bots, through the API: its id, and the friend's way in."""
    players, options = SHORT[game]
    made = page.evaluate(
        """async ([game, players, options]) => {
            const call = async (path, body) => (await fetch(path, {
                method: "POST",
                headers: {"x-powderkeg": "1", "content-type": "application/json"},
                body: JSON.stringify(body),
            })).json();
            await call("/api/guests", {});
            const {seats} = await (await fetch(`/api/games/${game}`)).json();
            const names = seats[players].map((s) => s.seat);
            const kinds = ["me", "invited"];
            const made = await call("/api/tables", {
                game, players, options, preset: "bots",
                seats: names.map((seat, i) => ({seat, kind: kinds[i] ?? "bot", level: i > 1 ? "random" : ""})),
            });
            return [made.id, made.invites[names[1]]];
        }""",
        [game, players, options],
    )
    return made[0], made[1]


# One click that leads on, as a very young child would click; says what it found.
STEP = """(dice) => {
    const pick = (list) => list[Math.floor(dice() * list.length)];
    const all = (what) => [...bar.querySelectorAll(what)];
    const bar = document.querySelector(".bar");
    if (document.querySelector("section.outcome")) return "over";
    if (!bar?.classList.contains("asked")) return "wait";
    if (!document.querySelector("li.mine.acting") && dice() < 0.97) return "wait";
    const confirm = bar.querySelector("[data-confirm]");
    if (confirm) {
        confirm.click(); // does nothing while the answer is under way
        return confirm.disabled ? "wait" : "confirm";
    }
    const rows = all("[data-row]");
    if (rows.length && dice() < 0.5) return pick(rows).click(), "row";
    const settle = all("button.first")[0];
    if (settle && !settle.disabled && dice() < 0.7) return settle.click(), "settle";
    const steppers = all(".stepper .button:not(:disabled)");
    // A deal may be offered at any time: now and then only, or nobody would ever come to play.
    const talk = /^(propose|counter|withdraw)/;
    const every = all("[data-option]"), plain = every.filter((o) => !talk.test(o.dataset.option));
    // A player who may settle something mostly does, or a conference would never end.
    const bold = plain.filter((o) => o.dataset.option.startsWith("settle"));
    const options =
        bold.length && dice() < 0.9 ? bold : plain.length && dice() < 0.97 ? plain : every;
    if (rows.length && options.length) return options[0].click(), "ready";
    if (steppers.length + options.length === 0) return settle?.click(), "settle";
    pick([...options, ...steppers]).click();
    return "option";
}"""


def play(page: Page, seed: int) -> None:
    """Click on and on, until it is over."""
    dice = f"let s = {seed}; window.dice = () => (s = (s * 48271) % 2147483647) / 2147483647;"
    count = "const found = step(window.dice); did[found] = (did[found] ?? 0) + 1;"
    loop = f"const step = {STEP}; window.did = {{}}; setInterval(() => {{ {count} }}, 15);"
    page.evaluate(f"{dice} {loop} 0")


IS_SEATED = """async (table) =>
    (await (await fetch(`/api/tables/${table}`)).json()).held?.length === 1"""
ANSWERED_OFTEN = """() => new Promise((done) => {
    const look = setInterval(() => did.confirm > 9 && (clearInterval(look), done()), 20);
})"""


@pytest.mark.parametrize("game", list(SHORT))
def test_two_browsers_and_bots_play_a_whole_game(sit, game):
    host = sit(settings="{text: true}")
    table, invite = set_up(host, game)
    friend = sit(settings="{text: true}")
    friend.goto(invite)
    friend.get_by_text("Waiting room").wait_for()
    friend.wait_for_function(IS_SEATED, arg=table)  # the page may stand before they sit
    host.goto(f"/t/{table}")
    host.get_by_role("button", name="Start the game").click()
    host.locator(".play").wait_for()
    friend.locator(".play").wait_for()
    play(host, 11)
    play(friend, 22)
    if game == "versailles":
        for page in (host, friend):
            page.evaluate(ANSWERED_OFTEN)
        skip_ahead(table, [host, friend], is_near_end)
        play(host, 33)
        play(friend, 44)
    for page in (host, friend):
        expect(page.get_by_role("region", name="Result")).to_be_visible(timeout=LONG)
        did = page.evaluate("did")
        assert did.get("confirm", 0) + did.get("settle", 0) > 0, did
    # Two answers at once: one of them comes too late, hears that, and is given again.
    sit.forgive("409")
