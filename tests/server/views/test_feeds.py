"""What a feed sends of a question that changed."""

import json
from typing import Any

from powderkeg.server.views.feeds import TableFeed


def sheet(prompt: str, kind: str = "orders", *, chosen: str = "") -> dict[str, Any]:
    rows = [{"target": "par", "label": "A Paris", "chosen": chosen, "node": None}]
    return {"question": {"id": 1, "prompt": prompt, "node": {"kind": kind, "rows": rows}}}


def sent_delta(before: dict[str, Any], now: dict[str, Any]) -> Any:
    feed = TableFeed()
    feed.advance(before, None, {})
    feed.advance(now, None, {})
    (message,) = feed.messages_after(1, 0.0)
    return json.loads(message)["delta"]


def test_a_sheet_of_orders_for_another_phase_is_sent_whole() -> None:
    new = sheet("Fall")
    assert sent_delta(sheet("Spring"), new) == {"set": new}


def test_of_the_same_sheet_only_the_row_that_changed_is_sent() -> None:
    delta = sent_delta(sheet("Spring"), sheet("Spring", chosen="A par H"))
    row = {"set": {"chosen": "A par H"}}
    assert delta["in"]["question"]["in"]["node"]["in"]["rows"] == {"in": {"0": row}}


def test_of_other_questions_only_what_changed_is_sent() -> None:
    delta = sent_delta(sheet("Pay", "one"), sheet("Pay more", "one"))
    assert delta == {"in": {"question": {"set": {"prompt": "Pay more"}}}}
