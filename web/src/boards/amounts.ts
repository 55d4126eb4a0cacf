// How many, and it is done: a slider and its button are already "select, then confirm".
import type { Walk } from "../lib/question/walk.svelte";
import type { BoardProps } from "./board";

export function finishAmount(
  walk: Walk,
  { onChoice, act }: Pick<BoardProps, "onChoice" | "act">,
): void {
  const last = walk.last;
  walk.submitNode();
  if (last) void act(walk.text);
  else onChoice();
}
