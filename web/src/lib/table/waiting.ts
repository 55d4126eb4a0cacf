// What is done while an answer is on its way, and waits for what is asked then.

export class Waiting {
  private line: { name: string; act: () => void }[] = [];

  /** Behind the others (a double click is one), or, where only the last counts, in their stead. */
  add(name: string, act: () => void, last: boolean): void {
    if (last || this.line.at(-1)?.name === name) this.line.pop();
    this.line.push({ name, act });
  }

  forget(): void {
    this.line = [];
  }

  /** Do one after the other, as long as none has to be waited for. */
  go(free: () => boolean): void {
    while (this.line.length && free()) this.line.shift()?.act();
  }
}
