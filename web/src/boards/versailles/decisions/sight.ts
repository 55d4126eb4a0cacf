// What is asked is brought into sight on a board that scrolls.

const ASKED = [".placing", "[data-target], [data-bid], [data-pass]", ".alarm"]; // the first that is there

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
  if (!seen) open[0]?.scrollIntoView({ block: "center" }); // the others lie below it
}
