// Plans in pencil: mine as I draw them, or a sketch from a letter.
import type { Pencil } from "../../../lib/table/pencil.svelte";
import { orderDrawings, province } from "../map/arrows";
import { bend, retreatSpot, PROVINCES, spot } from "../map/provinces";
import * as sketch from "./sketch";
import { powerAt, type DiplomacyView } from "../view";

export class Plans {
  pen = $state<sketch.Pen>("move");
  /** The places that were picked for the order being drawn. */
  picks = $state.raw<string[]>([]);

  constructor(
    private readonly view: () => DiplomacyView,
    private readonly pencil: () => Pencil | undefined,
    private readonly size: () => number, // of the units
  ) {}

  /** Whether a click on the map draws instead of answering the question. */
  drawing = $derived.by(() => this.pencil()?.drawing ?? false);
  pieces = $derived.by(() => sketch.piecesOf(this.view().units));
  /** Where the pencil may go next. */
  open = $derived.by(() => sketch.open(this.pen, this.picks, this.pieces, PROVINCES));
  /** The catalogue's word for what is to be picked next. */
  hint = $derived.by(() => {
    const step = this.pen === "move" || this.picks.length < 2 ? this.picks.length : 2;
    return `diplomacy.board.pen.${this.pen}.${step}`;
  });
  /** What lies on the map. */
  drawn = $derived.by(() => {
    const lines = this.pencil()?.lines ?? [];
    return orderDrawings(lines.map(this.asOrder), {
      spot,
      aside: retreatSpot,
      bend,
      size: this.size(),
    });
  });

  private asOrder = (text: string) => ({
    text,
    power: powerAt(this.view(), text.slice(2, 5)).toLowerCase(),
    failed: false,
  });

  take(pen: sketch.Pen): void {
    this.pen = pen;
    this.picks = [];
  }

  pick(place: string): void {
    const target = province(place);
    if (!this.open.includes(target)) return;
    this.picks = [...this.picks, target];
    const done = sketch.order(this.pen, this.picks, this.pieces);
    const pencil = this.pencil();
    if (!done || !pencil) return;
    pencil.draw(sketch.withOrder(pencil.own, done));
    this.picks = [];
  }

  /** A drag picks both ends at once. */
  drag(from: string, to: string): void {
    this.picks = [];
    this.pick(from);
    this.pick(to);
  }
}
