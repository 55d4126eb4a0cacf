// What is asked is brought into sight on a board that scrolls.
import { tick } from "svelte";
import { phone } from "../../../lib/phone";

// The first that is there; a question about an event has nothing to choose on the board.
const ASKED = [".placing", "[data-target], [data-bid], [data-pass]", ".alarm", ".event.main"];

const BEGINNING = 60; // px of a card that tell what it is: the rest may lie below an edge
const FEW = 6; // choices that somebody wants to see at once

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
  if (!begun && !phone.current) showTheLast(open, top, bottom);
}

/** Where a few choices fit on the board together, all of them are in sight. */
function showTheLast(open: readonly Element[], top: number, bottom: number): void {
  const [first, last] = [open[0], open.at(-1)];
  if (!first || !last || first === last || open.length > FEW) return;
  const [begins, ends] = [first.getBoundingClientRect().top, last.getBoundingClientRect().bottom];
  if (ends > bottom && ends - begins <= bottom - top) last.scrollIntoView({ block: "nearest" });
}

/** Goes to the paper for deals. A phone scrolls far enough for what is on it to be seen. */
export async function showDeals(): Promise<void> {
  document.getElementById("sheet")?.focus({ preventScroll: true });
  await import("../deals/DealsPaper.svelte"); // it has its height then
  await tick();
  const block = phone.current ? "start" : "nearest";
  document.getElementById("v-papers")?.scrollIntoView({ block });
}
