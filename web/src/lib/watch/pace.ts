// How long each step of what others do stays on the screen.
import { motionless, settings } from "../settings.svelte";
import type { Entry } from "../../api/types";

export const PACES = ["off", "fast", "normal", "slow"] as const;
export type Pace = (typeof PACES)[number];

/** Milliseconds for a step, and for each letter that has to be read. */
const TIMES: Record<Pace, { step: number; letter: number }> = {
  off: { step: 0, letter: 0 },
  fast: { step: 350, letter: 2 },
  normal: { step: 750, letter: 7 },
  slow: { step: 1500, letter: 16 },
};
const LONGEST = 4; // times the step: nobody reads a page of results here

/** The pace as chosen; where nothing was, everything is shown at once to readers who want no motion. */
export const currentPace = (): Pace => settings.pace || (motionless() ? "off" : "normal");

/** How long a step stays, in milliseconds. */
export function stepTime(entry: Entry, pace: Pace): number {
  const { step, letter } = TIMES[pace];
  const letters = entry.facts.reduce((sum, fact) => sum + fact.text.length, 0);
  return Math.min(LONGEST * step, step + letters * letter);
}

/** Whether an entry is a step of its own: something that everybody could see, and not taken back. */
export const isStep = (entry: Entry): boolean => entry.facts.length > 0 && !entry.undone;
