// The focus of a player without a mouse. What was chosen is often gone afterwards, and the focus with
// it: it then goes to the prompt bar, from where Tab leads to the next choices. Not to a choice
// itself, or a key pressed twice would make it.

/** Watches the play screen; the returned function ends that. */
export function keepFocus(play: HTMLElement): () => void {
  const end = new AbortController();
  let typing = false; // the last thing used was a key, not the pointer
  let last: Element | null = null; // what had the focus
  let looking = 0;

  const look = (): void => {
    if (!typing || !last || canHold(last) || document.activeElement !== document.body) return;
    const bar = play.querySelector<HTMLElement>(".prompt > .bar"); // there is none after the end
    (bar ?? document.getElementById("main"))?.focus({ preventScroll: true });
  };
  // Later than a board, which may know a better place.
  const watcher = new MutationObserver(() => {
    clearTimeout(looking);
    looking = window.setTimeout(look);
  });
  watcher.observe(play, { subtree: true, childList: true, attributeFilter: ["disabled"] });

  const always = { signal: end.signal, capture: true };
  addEventListener("keydown", () => (typing = true), always);
  addEventListener("pointerdown", () => (typing = false), always);
  play.addEventListener("focusin", (event) => (last = event.target as Element), always);
  return () => {
    clearTimeout(looking);
    watcher.disconnect();
    end.abort();
  };
}

/** Whether an element is still on the screen and can have the focus. */
const canHold = (element: Element): boolean =>
  element.isConnected && !element.matches(":disabled") && element.getClientRects().length > 0;
