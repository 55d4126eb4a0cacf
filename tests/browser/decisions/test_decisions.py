"""Every kind of decision of Versailles 1919 and Risk Europe: it can be seen and answered at once."""

import itertools
from typing import Any

import pytest
from playwright.sync_api import Page

from powderkeg.games import risk_europe, versailles
from tests.browser.boards.test_board_versailles import fields
from tests.browser.decisions.moments import first_moments, open_moment
from tests.browser.fast_forward import HEAD

MISSIONS = risk_europe.Options(missions=True)
CHOSEN = versailles.Options(solo_order="chosen")
GAMES: dict[str, list[tuple[Any, ...]]] = {
    "versailles": [
        (versailles, 3, 400),
        (versailles, 2, 40),
        (versailles, 1, 160),
        (versailles, 1, 3, CHOSEN),
    ],
    "risk_europe": [(risk_europe, 4, 1200), (risk_europe, 3, 60, MISSIONS), (risk_europe, 2, 30)],
}
LEAST = {"versailles": 30, "risk_europe": 24}  # kinds of decision

# What is wrong on the screen: answers out of sight, words in two lines, a page that is too wide.
FAULTS = """() => {
  const wrong = [];
  const inSight = (e) => {
    const box = e.getBoundingClientRect();
    return box.width > 0 && box.top >= -1 && box.bottom <= innerHeight + 1
      && box.left >= -1 && box.right <= innerWidth + 1;
  };
  const all = (css) => [...document.querySelectorAll(css)].filter((e) => e.getClientRects().length);
  for (const e of all(".desk :is([data-settle], [data-order], [data-mission], [data-bid], [data-pass])"))
    if (!inSight(e)) wrong.push(`out of sight: ${e.outerHTML.slice(0, 120)}`);
  const atHand = (e) => {
    const box = e.getBoundingClientRect();
    return e.contains(document.elementFromPoint(box.left + box.width / 2, box.bottom - 4));
  };
  for (const e of all(".papers .hand [data-target]"))
    if (!atHand(e)) wrong.push(`below the edge: ${e.outerHTML.slice(0, 120)}`);
  const answers = all(".prompt [data-option], [data-target], use.choice, button[data-card], "
    + "[data-settle], [data-token], [data-ware], [data-mission], [data-order], [data-bid]");
  if (!answers.some(inSight)) wrong.push("nothing to answer in sight");
  for (const e of all(".writ .order > span")) {
    for (const word of e.textContent.matchAll(/\\S+/g)) {
      const range = document.createRange();
      range.setStart(e.firstChild, word.index);
      range.setEnd(e.firstChild, word.index + word[0].length);
      if (range.getClientRects().length > 1) wrong.push(`a word in two lines: ${word[0]}`);
    }
  }
  for (const e of all(".track"))
    if (new Set([...e.children].map((crown) => crown.getBoundingClientRect().top)).size > 1)
      wrong.push("crowns in two rows");
  for (const e of all(".issue .options"))
    if (e.scrollHeight > e.clientHeight + 1) wrong.push(`options cut: ${e.textContent.slice(0, 80)}`);
  const [tools, question] = [".bar .rare", ".bar .say"].map((css) => document.querySelector(css));
  if (tools && tools.getBoundingClientRect().top > question.getBoundingClientRect().top + 9)
    wrong.push("an empty line between the question and its answers");
  const [before, asked] = [".bar .over", ".bar .prompt"].map((css) => all(css)[0]?.textContent.trim());
  if (before && before.endsWith(asked)) wrong.push(`asked twice: ${asked}`);
  const wide = document.documentElement.scrollWidth - innerWidth;
  if (wide > 0) wrong.push(`${wide} px too wide`);
  return wrong;
}"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("lang", "size", "window"),
    [("it", "desk", (1366, 768)), ("en", "tablet", (820, 1180)), ("es", "phone", (390, 844))],
)
@pytest.mark.parametrize("game", list(GAMES))
def test_every_kind_of_decision_can_be_answered_where_it_is_asked(sit, game, lang, size, window):
    page: Page = sit(lang, size, settings="{pace: 'off'}")
    page.set_viewport_size({"width": window[0], "height": window[1]})
    page.request.post("/api/guests", data={}, headers=HEAD)
    moments = {
        moment.kind: moment
        for moment in itertools.chain.from_iterable(first_moments(*each) for each in GAMES[game])
    }
    assert len(moments) >= LEAST[game], sorted(moments)
    wrong = {}
    for kind, moment in moments.items():
        open_moment(page, moment)
        page.evaluate("() => document.fonts.ready")
        if found := page.evaluate(FAULTS) + fields(page):
            wrong[kind] = found
    assert wrong == {}
