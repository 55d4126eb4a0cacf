// What lies on the board at this moment, in however many places. The prompt bar offers the rest, so
// that nothing that is asked can be lost between the two.
import { untrack } from "svelte";
import { SvelteMap } from "svelte/reactivity";

const places = new SvelteMap<string, number>();

export const isTargetDrawn = (target: string): boolean => (places.get(target) ?? 0) > 0;

/** `target` is drawn from now on; what is returned takes it away again. */
export function markDrawn(target: string): () => void {
  count(target, 1);
  return () => count(target, -1);
}

const count = (target: string, more: number): void =>
  untrack(() => void places.set(target, (places.get(target) ?? 0) + more));
