"""The long middle of a game, played through the API: its questions were all clicked before."""

import itertools
import random
import uuid
from collections.abc import Callable
from typing import Any

from playwright.sync_api import Page

from powderkeg.games import versailles
from powderkeg.games.versailles.board import GAME_END

HEAD = {"X-Powderkeg": "1"}
DEALS = ("propose", "counter", "withdraw")


def send_answer(page: Page, table: str, question: int, text: str) -> Any:
    """Answer a question through the API; the table as it is then."""
    body = {"command": str(uuid.uuid4()), "question": question, "text": text}
    answer = page.request.post(f"/api/tables/{table}/act", data=body, headers=HEAD)
    assert answer.ok, answer.text()
    return answer.json()["table"]


def random_answer(view: dict[str, Any], seat: str, rng: random.Random) -> str:
    """Any legal answer; settles where it can, or a conference would never end."""
    legal = versailles.legal(versailles.deal(view, rng), seat)
    texts = sorted((str(legal.sample(rng)) for _ in range(6)), key=lambda text: text[:3] != "set")
    return next((text for text in texts if not text.startswith(DEALS)), texts[0])


def is_near_end(view: Any) -> bool:
    """Whether the card that ends a conference can be settled: a few more turns, and it is over."""
    return view["over"] or any(open_["issue"] == GAME_END for open_ in view["table"])


def skip_ahead(table: str, people: list[Page], is_enough: Callable[[Any], bool]) -> None:
    """Leave the table, answer everything through the API until it is enough, and come back."""
    rng = random.Random(1)
    for page in people:
        page.goto("/healthz")  # nobody watches: nothing is drawn
    for page in itertools.cycle(people):
        now = page.request.get(f"/api/tables/{table}?text=0").json()
        while now["seat"] in now["to_act"] and not is_enough(now["view"]):
            text = random_answer(now["view"], now["seat"], rng)
            now = send_answer(page, table, now["question"]["id"], text)
        if is_enough(now["view"]):
            break
    for page in people:
        page.goto(f"/t/{table}")
        page.locator(".play").wait_for()
