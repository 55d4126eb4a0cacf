// The targets drawn on the board at this moment. The prompt bar offers the rest, so
// that every option is offered in one of the two.
import { untrack } from "svelte";
import { SvelteMap } from "svelte/reactivity";

const places = new SvelteMap<string, number>();

export const isTargetDrawn = (target: string): boolean => (places.get(target) ?? 0) > 0;

/** Registers `target` as drawn; the returned function removes it. */
export function markDrawn(target: string): () => void {
  count(target, 1);
  return () => count(target, -1);
}

const count = (target: string, more: number): void =>
  untrack(() => void places.set(target, (places.get(target) ?? 0) + more));
