// Keeps a list at its newest line while one reads there. Who reads older lines is not moved.

const NEAR = 8; // px: a list that is zoomed does not end at a whole number

export class Newest {
  /** Something came while older lines were read. */
  missed = $state(false);
  private list: HTMLElement | undefined;
  private there = true; // at the end

  show(): void {
    this.there = true;
    this.missed = false;
    this.list?.scrollTo({ top: this.end });
  }

  /** Where the newest line is seen whole, or as much of it as there is room for. */
  private get end(): number {
    const { list } = this;
    if (!list) return 0;
    const bottom = list.scrollHeight - list.clientHeight;
    const last = list.lastElementChild?.getBoundingClientRect().top ?? Infinity;
    return Math.min(bottom, last - list.getBoundingClientRect().top + list.scrollTop);
  }

  /** Follows the list until the function that is returned is called. */
  watch(list: HTMLElement): () => void {
    this.list = list;
    // A long letter that is read to its end stays where it is.
    const stay = () => this.there && list.scrollTop < this.end && this.show();
    const grown = new MutationObserver(() => (this.there ? this.show() : (this.missed = true)));
    const resized = new ResizeObserver(stay);
    const look = () => {
      if (!list.clientHeight) return; // another page is shown
      this.there = list.scrollTop >= this.end - NEAR;
      if (this.there) this.missed = false;
    };
    grown.observe(list, { childList: true });
    resized.observe(list);
    list.addEventListener("scroll", look);
    return () => {
      grown.disconnect();
      resized.disconnect();
      list.removeEventListener("scroll", look);
    };
  }
}
