"""Rare decisions: the rules play at random, and a page opens the moment at which one is asked."""

import random
from collections.abc import Iterator
from typing import Any, NamedTuple

from playwright.sync_api import Page

from powderkeg.core.chance import Audited
from powderkeg.core.game import Game, Options
from powderkeg.core.record import make_record, write_record
from powderkeg.core.table import Table
from powderkeg.core.words import Msg
from tests.browser.fast_forward import HEAD

TALK = ("propose", "counter", "withdraw", "accept", "refuse")


class Moment(NamedTuple):
    kind: str  # the step that asks, and its question
    file: str
    seat: int  # who is asked, among the seats


def first_moments(
    game: Game, players: int, entries: int, options: Options | None = None
) -> Iterator[Moment]:
    """One moment of each kind of decision in a random game, until the log is so long."""
    rng, seen = random.Random(1), set()
    table = Table(game, players, options, source=Audited(b"5eed" * 8))
    while table.to_act and len(table.log) < entries:
        seat = min(table.to_act, key=table.seats.index)
        kind = _name_step(table, seat)
        if kind not in seen:
            seen.add(kind)
            yield Moment(kind, write_record(make_record(table)), table.seats.index(seat))
        table.act(seat, choose_action(table.legal(seat), rng))


def _name_step(table: Table, seat: str) -> str:
    """The step that asks, with what tells its questions apart."""
    step, question = table.state.agenda[-1], table.ask(seat)
    work = getattr(step, "work", "") or getattr(step, "card", "")
    return f"{type(step).__name__} {work} {_prompt_code(question.prompt) if question else ''}"


def _prompt_code(prompt: Msg) -> str:
    """The question itself, without the causes that it begins with."""
    inner = prompt.args.get("prompt")
    return _prompt_code(inner) if isinstance(inner, Msg) else prompt.code


def choose_action(legal: Any, rng: random.Random) -> str:
    """Any action but talk; settles where it can, or a conference would never end."""
    texts = sorted((str(legal.sample(rng)) for _ in range(6)), key=lambda text: text[:3] != "set")
    return next((text for text in texts if not text.startswith(TALK)), texts[0])


def open_moment(page: Page, moment: Moment) -> None:
    """Open the moment as the one who is asked."""
    made = page.request.post("/api/imports", data={"file": moment.file}, headers=HEAD)
    assert made.ok, made.text()
    page.goto(f"/t/{made.json()['id']}")
    page.locator("[data-board], .atlas").first.wait_for()
    page.locator(".neighbours button, .bar.asked").first.wait_for(state="attached")
    chairs = page.locator(".neighbours button")  # on a phone they are on another page
    if chairs.count():
        chairs.nth(moment.seat).evaluate("button => button.click()")
    page.locator(".bar.asked").wait_for(state="attached")
