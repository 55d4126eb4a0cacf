// A box that scrolls says so while there is more below its edge: it has `data-more` then.
import type { Action } from "svelte/action";

const SLACK = 6; // px that nobody misses

export const moreBelow: Action<HTMLElement> = (node) => {
  const look = (): void => {
    const below = node.scrollHeight - node.clientHeight - node.scrollTop;
    node.toggleAttribute("data-more", below > SLACK);
  };
  const sizes = new ResizeObserver(look);
  const changes = new MutationObserver(look);
  sizes.observe(node);
  changes.observe(node, { childList: true, subtree: true, characterData: true });
  node.addEventListener("scroll", look, { passive: true });
  return {
    destroy() {
      sizes.disconnect();
      changes.disconnect();
      node.removeEventListener("scroll", look);
    },
  };
};
