// What is asked is brought into sight on a board that scrolls.

const ASKED = [".placing", "[data-target], [data-bid], [data-pass]", ".alarm"]; // the first that is there

/** Scrolls to what can be chosen: where a question begins, later only if nothing of it is in sight. */
export function showChoices(board: HTMLElement, begun: boolean): void {
  const found = ASKED.map((what) => [...board.querySelectorAll(what)]);
  const open = found.find((elements) => elements.length) ?? [];
  const { top, bottom } = board.getBoundingClientRect();
  const seen = (begun ? open : open.slice(0, 1)).some((element) => {
    const at = element.getBoundingClientRect();
    return at.top >= top && at.bottom <= bottom;
  });
  if (!seen) open[0]?.scrollIntoView({ block: "center" }); // the others lie below it
}
