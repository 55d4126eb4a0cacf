// How many, and it is done: a slider and its button are already "select, then confirm".
import type { Walk } from "../lib/question/walk.svelte";
import type { BoardProps } from "./board";

export function finishAmount(walk: Walk, { chose, act }: Pick<BoardProps, "chose" | "act">): void {
  const last = walk.last;
  walk.settle();
  if (last) void act(walk.text);
  else chose();
}
