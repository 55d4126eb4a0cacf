// Lessons: short texts beside a real table, each waiting until the learner has done what it says.
import type { LiveTable } from "../lib/table.svelte";

export interface LessonStep {
  code: string; // the text, in the catalogue `web`
  lit?: string[]; // board elements to point at
  /** Whether the learner has done it; without one, a button leads on. */
  until?: (live: LiveTable) => boolean;
}

export interface Lesson {
  steps: LessonStep[];
}

const found = import.meta.glob<{ lesson: Lesson }>(["./*.ts", "!./lesson.ts"]);

export const hasLesson = (game: string): boolean => `./${game}.ts` in found;

export async function lessonOf(game: string): Promise<Lesson | null> {
  const load = found[`./${game}.ts`];
  return load ? (await load()).lesson : null;
}
