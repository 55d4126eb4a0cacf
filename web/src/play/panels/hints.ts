// What a coach says about a moment, and in how many steps.

/** The percent of a share, as it is shown. */
const percentOf = (share: number): number => Math.round(100 * share);

/** Which sentence describes the position: shares that look equal leave nobody ahead. */
export function standing(mine: number, best: number): string {
  const ahead = percentOf(mine) - percentOf(best);
  return ahead === 0 ? "coach_even" : ahead > 0 ? "coach_ahead" : "coach_behind";
}

/** The hints about a move: one of one or two parts has no kind to tell before the move itself. */
export const hintCount = (parts: readonly string[]): number =>
  parts.length > 2 ? 3 : Math.min(parts.length + 1, 2);
