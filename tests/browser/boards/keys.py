"""Keys alone: from one thing to the next by Tab, and the focus is never lost."""

from playwright.sync_api import Page

HAS_FOCUS = "css => document.activeElement.matches(css)"
FOCUS_KEPT = "() => document.activeElement !== document.body"
STOPS = 200  # more than any screen has


def tab_to(page: Page, css: str, key: str = "Tab") -> None:
    """Press Tab until what is wanted has the focus."""
    page.locator(css).first.wait_for(state="attached")
    for _ in range(STOPS):
        if page.evaluate(HAS_FOCUS, css):
            return
        page.keyboard.press(key)
    raise AssertionError(f"no way by {key} to {css}")


def press_there(page: Page, css: str, key: str = "Tab") -> None:
    """Choose something by keys; afterwards something has the focus, though the choice may be gone."""
    tab_to(page, css, key)
    page.keyboard.press("Enter")
    page.wait_for_function(FOCUS_KEPT)
