// A position that is put together by hand: who stands where, who owns what, and when.
import { COASTS } from "../map/provinces";
import type { DiplomacyView } from "../view";

export type Piece = "army" | "fleet" | "centre" | "erase";
export const PIECES: readonly Piece[] = ["army", "fleet", "centre", "erase"];

export interface Position {
  year: number;
  season: "spring" | "fall";
  units: Readonly<Record<string, readonly string[]>>;
  centres: Readonly<Record<string, readonly string[]>>;
}

export const positionOf = (view: DiplomacyView): Position => ({
  year: view.year,
  season: view.season === "spring" ? "spring" : "fall",
  units: view.units,
  centres: view.centres,
});

type ByPower = Position["units"];

const without = (owned: ByPower, gone: (text: string) => boolean): Record<string, string[]> =>
  Object.fromEntries(
    Object.entries(owned).map(([power, texts]) => [power, texts.filter((text) => !gone(text))]),
  );

const withOne = (owned: ByPower, power: string, text: string): ByPower => ({
  ...owned,
  [power]: [...(owned[power] ?? []), text],
});

/** Whether a fleet must say on which coast of the province it stands. */
const isSplit = (place: string): boolean => COASTS.some((coast) => coast.startsWith(`${place}/`));

/** The position after a piece of `power` was put on a place, or everything there was removed. */
export function putPiece(at: Position, piece: Piece, power: string, place: string): Position {
  const province = place.slice(0, 3);
  const here = (text: string) => text.slice(2, 5) === province;
  if (piece === "centre") {
    const centres = without(at.centres, (code) => code === province);
    return { ...at, centres: withOne(centres, power, province) };
  }
  if (piece === "fleet" && isSplit(place)) return at;
  const units = without(at.units, here);
  if (piece === "erase") {
    const stood = Object.values(at.units).flat().some(here);
    return stood
      ? { ...at, units }
      : { ...at, centres: without(at.centres, (c) => c === province) };
  }
  const text = piece === "army" ? `A ${province}` : `F ${place}`;
  return { ...at, units: withOne(units, power, text) };
}

export const emptyOf = (at: Position): Position => ({
  ...at,
  units: without(at.units, () => true),
  centres: without(at.centres, () => true),
});

/** The view as it would be in that position. */
export const asView = (view: DiplomacyView, at: Position): DiplomacyView => ({
  ...view,
  units: Object.fromEntries(Object.entries(at.units).map(([p, texts]) => [p, [...texts]])),
  centres: Object.fromEntries(Object.entries(at.centres).map(([p, codes]) => [p, [...codes]])),
  dislodged: [],
  reports: [],
  drafts: {},
});
