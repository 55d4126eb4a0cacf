// Tours: short texts beside a real table, each waiting until the learner has done what it says.
import type { Node } from "../lib/question/tree";
import type { LiveTable } from "../lib/table/live_table.svelte";

export interface LessonStep {
  code: string; // the text, in the catalogue `web`
  lit?: string[]; // board elements to point at
  /** Whether the learner has done it; without one, a button leads on. */
  until?: (live: LiveTable) => boolean;
}

/** The tour of a game. Its table and what the others do there come from the server. */
export interface Lesson {
  steps: LessonStep[];
}

const found = import.meta.glob<{ lesson: Lesson }>("./*/lesson.ts");

export async function lessonOf(game: string): Promise<Lesson | null> {
  const load = found[`./${game}/lesson.ts`];
  return load ? (await load()).lesson : null;
}

// What lessons wait for

/** The learner is asked something that can begin with one of these words. */
export function isAsked(live: LiveTable, ...words: string[]): boolean {
  const node: Node | undefined = live.table?.question?.node;
  if (node?.kind !== "one" && node?.kind !== "orders") return false;
  return node.options.some((o) => words.includes(o.text.split(" ")[0] ?? ""));
}

/** The order of one piece has been given and fits. */
export function hasOrder(live: LiveTable, target: string, fits: RegExp): boolean {
  const node = live.table?.question?.node;
  const row = node?.kind === "orders" && node.rows.find((r) => r.target === target);
  return !!row && fits.test(row.chosen);
}

export const phase = (live: LiveTable): string => live.table?.phase ?? "";
export const over = (live: LiveTable): boolean => !!live.table?.result;
