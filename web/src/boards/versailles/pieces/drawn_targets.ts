// The targets drawn on the board at this moment. The prompt bar offers the rest, so
// that every option is offered in one of the two.
import { untrack } from "svelte";
import { SvelteMap } from "svelte/reactivity";
import type { Covers } from "../../board";

const places = new SvelteMap<string, number>();

export const isTargetDrawn = (target: string): boolean => (places.get(target) ?? 0) > 0;

/** Whether an option, or the amount that is asked for, is chosen on the board. */
export const isChoiceDrawn: Covers = (walk, option) => {
  const last = walk.steps.at(-1)?.target ?? "";
  if (!option) return walk.node?.kind === "amount" && isTargetDrawn(last);
  const code = option.text.replace(/^option /, "").replace(/^counter /, "deal.");
  return isTargetDrawn(option.target || code);
};

/** Registers `target` as drawn; the returned function removes it. */
export function markDrawn(target: string): () => void {
  count(target, 1);
  return () => count(target, -1);
}

const count = (target: string, more: number): void =>
  untrack(() => void places.set(target, (places.get(target) ?? 0) + more));
