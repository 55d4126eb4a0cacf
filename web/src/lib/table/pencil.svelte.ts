// Sketches over the board: possible orders, drawn for yourself or attached to a letter.

export class Pencil {
  /** Whether a click on the board draws instead of answering the question. */
  drawing = $state(false);
  /** This viewer's own sketch, in wire notation. */
  own = $state.raw<readonly string[]>([]);
  /** The id of the letter whose sketch is being shown. */
  from = $state<number | null>(null);
  /** Board elements that belong to the sketch being shown. */
  lit = $state.raw<readonly string[]>([]);
  private theirs = $state.raw<readonly string[]>([]);

  /** The sketch on the board now. */
  lines = $derived(this.from === null ? this.own : this.theirs);

  draw(lines: readonly string[]): void {
    this.own = lines;
    this.from = null;
    this.lit = [];
  }

  /** Turns drawing on or off. The sketch is kept, so it can still be attached to a letter. */
  toggle(): void {
    this.drawing = !this.drawing;
    this.from = null;
    this.lit = [];
  }

  /** Shows or hides a letter's sketch on the board. */
  showSketch(letter: number, lines: readonly string[], lit: readonly string[] = []): void {
    this.drawing = false;
    this.from = this.from === letter ? null : letter;
    this.theirs = this.from === null ? [] : lines;
    this.lit = this.from === null ? [] : lit;
  }

  clear(): void {
    this.own = [];
    this.from = null;
    this.lit = [];
    this.drawing = false;
  }
}
