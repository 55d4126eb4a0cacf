// What a coach says about a moment, and in how many steps.
import { percent } from "../../lib/words/words.svelte";

/** Which sentence describes the position: shares that look equal leave nobody ahead. */
export function standing(mine: number, best: number): string {
  if (percent(mine) === percent(best)) return "coach_even";
  return mine > best ? "coach_ahead" : "coach_behind";
}

/** The hints about a move: one of one or two parts has no kind to tell before the move itself. */
export const hintCount = (parts: readonly string[]): number =>
  parts.length > 2 ? 3 : Math.min(parts.length + 1, 2);
