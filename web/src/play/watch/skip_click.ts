// A click on the board while steps are shown.
import type { Watch } from "../../lib/watch/watch.svelte";

const PRESSED = "button, a, summary, input, select, label, [role=button]";

/**
 * Ends the showing of steps; what can be pressed does what it says. The click goes no further: the
 * question that appears then has not been seen yet.
 */
export function skipByClick(watch: Pick<Watch, "busy" | "skip">, event: MouseEvent): void {
  if (!watch.busy || (event.target as Element).closest(PRESSED)) return;
  event.stopPropagation();
  watch.skip();
}
