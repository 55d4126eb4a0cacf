// The generated map: its sheets, and the places of units.
import anchors from "$games/diplomacy/data/anchors.json";
import drawn from "$games/diplomacy/data/map.svg?sheet";
import type { Point } from "../../atlas/lines";
import { cutSheets } from "../../atlas/sheets";

interface Place {
  kind: "land" | "coast" | "sea" | "inland";
  unit: number[];
  dislodged: number[];
  centre?: number[];
  coasts?: Record<string, { unit: number[]; dislodged: number[] }>;
}

const { provinces: PLACES, bends: BENDS } = anchors as unknown as {
  provinces: Record<string, Place>;
  bends: Record<string, Point>;
};

export const SHEET = cutSheets(drawn);
export const PROVINCES = Object.keys(PLACES).sort();
/** The coasts of provinces that have several. */
export const COASTS = PROVINCES.flatMap((code) =>
  Object.keys(PLACES[code]?.coasts ?? {}).map((coast) => `${code}/${coast}`),
);

const found = (location: string): Place | { unit: number[]; dislodged: number[] } | undefined => {
  const place = PLACES[location.slice(0, 3)];
  return place?.coasts?.[location.slice(4)] ?? place;
};

const point = (place: number[] | undefined): Point => [place?.[0] ?? 0, place?.[1] ?? 0];

/** Where a unit at that location is drawn. */
export const spot = (location: string): Point => point(found(location)?.unit);
/** Where a unit waits that was driven out of it: as far off as the blocks are large. */
export function retreatSpot(location: string, size = 1): Point {
  const [[ax, ay], [bx, by]] = [spot(location), point(found(location)?.dislodged)];
  return [ax + (bx - ax) * size, ay + (by - ay) * size];
}
/** A point of the way between two locations, where a straight one would cross a third province. */
export const bend = (a: string, b: string): Point | undefined => BENDS[[a, b].sort().join("-")];
/** Where the supply centre lies. */
export const centre = (code: string): Point => point(PLACES[code]?.centre);

/** The other provinces of a power in 1901, in its colour while it holds a home centre. */
const HOMES: Record<string, [string, string]> = {
  AUSTRIA: ["bud tri vie", "boh gal tyr"],
  ENGLAND: ["edi lon lvp", "cly wal yor"],
  FRANCE: ["bre mar par", "bur gas pic"],
  GERMANY: ["ber kie mun", "pru ruh sil"],
  ITALY: ["nap rom ven", "apu pie tus"],
  RUSSIA: ["mos sev stp war", "fin lvn ukr"],
  TURKEY: ["ank con smy", "arm syr"],
};

type ByPower = Record<string, string[]>;

/** Who colours what: centres their owner, other land the power that stands or lived there. */
export function owners(units: ByPower, centres: ByPower): Map<string, string> {
  const land = new Map<string, string>();
  for (const [power, [homes, around]] of Object.entries(HOMES))
    if (homes.split(" ").some((home) => centres[power]?.includes(home)))
      for (const code of around.split(" ")) land.set(code, power.toLowerCase());
  for (const [power, texts] of Object.entries(units))
    for (const text of texts) {
      const code = text.slice(2, 5);
      const place = PLACES[code];
      if (place && !place.centre && isLand(code)) land.set(code, power.toLowerCase());
    }
  for (const [power, codes] of Object.entries(centres))
    for (const code of codes) land.set(code, power.toLowerCase());
  return land;
}

const isLand = (code: string): boolean => PLACES[code]?.kind !== "sea";
