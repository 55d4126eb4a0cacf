// Cards come and go: the row that they lie in never becomes lower during a turn, so that nothing
// below it moves.
import type { Action } from "svelte/action";

/** Keeps the greatest height that an element has had since `moment` was another one. */
export const keepHeight: Action<HTMLElement, string> = (node, moment) => {
  const hold = (): void => void (node.style.minHeight = `${node.offsetHeight}px`);
  const observer = new ResizeObserver(hold);
  observer.observe(node);
  return {
    update(next) {
      if (next === moment) return;
      moment = next;
      node.style.minHeight = "";
      hold();
    },
    destroy: () => observer.disconnect(),
  };
};
