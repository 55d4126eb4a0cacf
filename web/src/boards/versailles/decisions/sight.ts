// What is asked is brought into sight on a board that scrolls.

// The first that is there; a question about an event has nothing to choose on the board.
const ASKED = [".placing", "[data-target], [data-bid], [data-pass]", ".alarm", ".event.main"];

const BEGINNING = 60; // px of a card that tell what it is: the rest may lie below an edge

/** Scrolls to what can be chosen: where a question begins, later only if nothing of it is in sight. */
export function showChoices(board: HTMLElement, begun: boolean): void {
  const found = ASKED.map((what) => [...board.querySelectorAll(what)]);
  const open = found.find((elements) => elements.length) ?? [];
  const { top, bottom } = board.getBoundingClientRect();
  const seen = (begun ? open : open.slice(0, 1)).some((element) => {
    const at = element.getBoundingClientRect();
    return at.top >= top && Math.min(at.bottom, at.top + BEGINNING) <= bottom;
  });
  const form = open[0]?.closest(".mine"); // its heading stays in sight
  if (!seen) open[0]?.scrollIntoView({ block: form ? "nearest" : "center" }); // the others lie below it
}
