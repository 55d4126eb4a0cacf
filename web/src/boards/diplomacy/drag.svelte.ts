// A drag from a piece to a place.
import { bowed, trimmed, type Point } from "../atlas/lines";
import type { Nearer } from "../atlas/nearer.svelte";
import { province, RIM } from "./arrows";
import { spot } from "./map";

export class Drag {
  from = $state("");
  private to = $state.raw<Point | null>(null);
  private ended = false;

  constructor(
    private readonly nearer: Nearer,
    private readonly size: () => number, // of the units
  ) {}

  /** The way so far. */
  line = $derived.by(() => {
    if (!this.from || !this.to) return null;
    return trimmed(bowed(spot(this.from), this.to), RIM * this.size(), 0);
  });

  begin(from: string): void {
    this.from = from;
  }

  move(event: PointerEvent): void {
    if (this.from && event.buttons & 1) this.to = this.nearer.at(event);
  }

  /** Let go over a place: where it began, if that says anything. */
  end(over: string): string {
    const [from, far] = [this.from, this.to];
    this.from = "";
    this.to = null;
    if (!from || !far || !over || province(over) === province(from)) return "";
    this.ended = true;
    return from;
  }

  /** Whether this click is but the end of a drag, and means nothing more. */
  swallowed(): boolean {
    const ended = this.ended;
    this.ended = false;
    return ended;
  }
}
