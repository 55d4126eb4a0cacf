// What a coach says about a moment, and in how many steps.

/** The percent of a share, as it is shown. */
export const percentOf = (share: number): number => Math.round(100 * share);

/** Which sentence describes the position: shares that look equal leave nobody ahead. */
export function standing(mine: number, best: number): string {
  const ahead = percentOf(mine) - percentOf(best);
  return ahead === 0 ? "coach_even" : ahead > 0 ? "coach_ahead" : "coach_behind";
}

/** The hints about a move: one with a single part has no kind to tell before the move itself. */
export const hintCount = (parts: readonly string[]): number => Math.min(parts.length + 1, 3);
