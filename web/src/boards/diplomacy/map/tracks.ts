// Which unit is which from one view to the next, so that a unit that moved is seen to move.
import type { DiplomacyView, Outcome } from "../view";
import { parse, province } from "./arrows";

/**
 * From where to where the units went in the reports of a view. Retreats are left out: another unit
 * stands where they began, and has the name of that place.
 */
function movesOf(outcomes: readonly Outcome[]): Map<string, string> {
  const found = new Map<string, string>(); // by where they came to
  for (const { order, verdict } of outcomes) {
    const done = verdict === "ok" ? parse(order) : null;
    if (done?.kind === "move") found.set(province(done.to), province(done.unit));
  }
  return found;
}

export class UnitTracks {
  private names = new Map<string, string>(); // by province
  private followed = ""; // the reports that were followed
  private next = 0;

  /** A lasting name for each unit of the view, by its province. */
  follow(view: DiplomacyView): ReadonlyMap<string, string> {
    const followed = view.reports.map((report) => report.phase).join();
    const last = followed === this.followed ? undefined : view.reports.at(-1);
    const moves = movesOf(last?.outcomes ?? []);
    const left = new Set(moves.values());
    const names = new Map<string, string>();
    for (const unit of Object.values(view.units).flat()) {
      const place = province(unit.slice(2));
      const from = moves.get(place) ?? (left.has(place) ? "" : place);
      names.set(place, this.names.get(from) ?? `unit-${this.next++}`);
    }
    this.names = names;
    this.followed = followed || this.followed; // a position being edited has no reports
    return names;
  }
}
