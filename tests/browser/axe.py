"""What axe, the checker of accessibility, finds on a page."""

from pathlib import Path

from playwright.sync_api import Page

AXE = Path(__file__).parents[2] / "web" / "node_modules" / "axe-core" / "axe.min.js"
RULES = "{runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']}"

# Half a button at the edge of what is scrolled would be taken for a small one.
TO_THE_TOP = """() => {
  for (const e of document.querySelectorAll('*'))
    if (e.scrollTop || e.scrollLeft) e.scrollTo({ top: 0, left: 0, behavior: 'instant' });
  return new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
}"""


def axe(page: Page) -> list[str]:
    """One line a fault. The page's own policy forbids other scripts; the debugger may."""
    page.evaluate("document.fonts.ready")
    page.evaluate(TO_THE_TOP)
    page.evaluate(AXE.read_text(encoding="utf-8") + "; 0")
    found = page.evaluate(f"async () => (await axe.run(document, {RULES})).violations")
    return [f"{v['id']}: {n['target']} {n['failureSummary']}" for v in found for n in v["nodes"]]
