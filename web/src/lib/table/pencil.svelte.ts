// A pencil over the board: orders that somebody thinks of, drawn for oneself or sent with a letter.

export class Pencil {
  /** Whether a click on the board draws instead of answering the question. */
  drawing = $state(false);
  /** What I have drawn, in wire notation. */
  own = $state.raw<readonly string[]>([]);
  /** A sketch that came with a letter and is looked at, by the letter's number. */
  from = $state<number | null>(null);
  private theirs = $state.raw<readonly string[]>([]);

  /** What lies on the board now. */
  lines = $derived(this.from === null ? this.own : this.theirs);

  draw(lines: readonly string[]): void {
    this.own = lines;
    this.from = null;
  }

  /** Take pencil and paper, or put them away; what was drawn stays for a letter. */
  toggle(): void {
    this.drawing = !this.drawing;
    this.from = null;
  }

  /** Lay the sketch of a letter over the board, or take it away. */
  look(letter: number, lines: readonly string[]): void {
    this.drawing = false;
    this.from = this.from === letter ? null : letter;
    this.theirs = this.from === null ? [] : lines;
  }

  clear(): void {
    this.own = [];
    this.from = null;
    this.drawing = false;
  }
}
