// How large an army is drawn, and how far from it a castle stands.
import type { Point } from "../../atlas/lines";
import { unitCounts, type Units } from "../view";

export const SIGN = 18; // the letters before the units
export const ROW = 17;
export const ICON = 16;
const TOWER = { side: 10, foot: 9, flag: 17 }; // from its middle

export interface Muster {
  columns: number;
  widths: number[]; // of the columns
  width: number;
  height: number;
}

export const digits = (n: number): number => String(n).length;

/** An icon and its number for each kind of unit, as wide as the longest number of the column. */
export function muster(units: Units): Muster {
  const kinds = unitCounts(units);
  const columns = kinds.length === 1 ? 1 : 2;
  const widths = Array.from({ length: columns }, (_, column) =>
    Math.max(...kinds.map(([, n], i) => (i % columns === column ? ICON + 2 + digits(n) * 7 : 0))),
  );
  return {
    columns,
    widths,
    width: SIGN + widths.reduce((sum, w) => sum + w, 0) + 5,
    height: Math.ceil(kinds.length / columns) * ROW + 4,
  };
}

/** How much further than drawn a castle stands from its army, so that none covers the other. */
export function castleDistance(army: Muster, [dx, dy]: Point, size: number, small: number): number {
  const across = ((army.width / 2) * size + TOWER.side * small) / Math.abs(dx);
  const tall = dy < 0 ? TOWER.foot : TOWER.flag;
  const upright = ((army.height / 2) * size + tall * small) / Math.abs(dy);
  return Math.max(1, Math.min(across, upright));
}
