// Clicks made while an answer is being sent; they run once the next question is there.

export class ClickQueue {
  private queue: { name: string; act: () => void }[] = [];

  /** Adds a click; a double click counts once. With `last`, it replaces the click before it. */
  add(name: string, act: () => void, last: boolean): void {
    if (last || this.queue.at(-1)?.name === name) this.queue.pop();
    this.queue.push({ name, act });
  }

  clear(): void {
    this.queue = [];
  }

  /** Runs the clicks in order for as long as `free` says that no answer is being sent. */
  run(free: () => boolean): void {
    while (this.queue.length && free()) this.queue.shift()?.act();
  }
}
