// A drag from a piece to a place, by mouse or by one finger.
import { bowLine, trimLine, type Point } from "../../atlas/lines";
import type { Nearer } from "../../atlas/zoom.svelte";
import { province, RIM } from "./arrows";
import { spot } from "./provinces";

export class Drag {
  from = $state("");
  over = $state(""); // where it would end now
  private to = $state.raw<Point | null>(null);
  private ended = false;

  constructor(
    private readonly nearer: Nearer,
    private readonly size: () => number, // of the units
  ) {}

  /** The way so far. */
  line = $derived.by(() => {
    if (!this.from || !this.to) return null;
    return trimLine(bowLine(spot(this.from), this.to), RIM * this.size(), 0);
  });

  /** A second finger scales the map: then neither orders anything. */
  begin(event: PointerEvent, from: string): void {
    this.cancel();
    this.ended = false; // after a finger no click comes that would have asked for it
    if (event.isPrimary) this.from = from;
  }

  move(event: PointerEvent, over: string): void {
    if (!this.from || !(event.buttons & 1)) return;
    this.to = this.nearer.at(event);
    this.over = over;
  }

  /** Ends the drag over a place; returns where it began, or "" if it was no drag. */
  end(over: string): string {
    const [from, far] = [this.from, this.to];
    this.cancel();
    if (!from || !far || !over || province(over) === province(from)) return "";
    this.ended = true;
    return from;
  }

  cancel(): void {
    this.from = "";
    this.over = "";
    this.to = null;
  }

  /** Whether this click is but the end of a drag, and means nothing more. */
  swallowed(): boolean {
    const ended = this.ended;
    this.ended = false;
    return ended;
  }
}
