// The generated map: where pieces stand, and which territories a line joins.
import anchors from "$games/risk_europe/data/anchors.json";
import borders from "$games/risk_europe/data/borders.csv?raw";
import drawn from "$games/risk_europe/data/map.svg?sheet";
import { smoothLine, type Point } from "../../atlas/lines";
import { neighboursOf } from "../../atlas/steps";
import { cutSheets } from "../../atlas/sheets";

type Spot = "stack" | "rival" | "city" | "castle";
const { territories: PLACES, sea_lines: SEA } = anchors as unknown as {
  territories: Record<string, Partial<Record<Spot, number[]>>>;
  sea_lines: Record<string, number[][]>;
};

export const SHEET = cutSheets(drawn);

export const isPlace = (target: string): boolean => target in PLACES;

const point = (place: number[] | undefined): Point => [place?.[0] ?? 0, place?.[1] ?? 0];

/** Where in a territory its army, its rival's, its castle or its city is drawn. */
export const spot = (name: string, what: Spot = "stack"): Point => point(PLACES[name]?.[what]);

export const NEIGHBOURS = neighboursOf(borders);

const PAIRS = borders
  .split("\n")
  .slice(1)
  .map((line) => line.split(","))
  .filter(([a, b]) => a && b)
  .map(([a = "", b = ""]): [string, string] => [a, b]);

/** From army to army; over water along the dotted line. */
export function marchLine(a: string, b: string): Point[] {
  const there = SEA[`${a}-${b}`];
  const back = SEA[`${b}-${a}`];
  const shore = there ?? (back ? [...back].reverse() : []);
  return smoothLine([spot(a), ...shore.map(point), spot(b)]);
}

/** Neighbours with the same owner: the lines along which supplies go. */
export function supplyLines(
  owners: Record<string, string | null>,
): { owner: string; line: Point[] }[] {
  return PAIRS.flatMap(([a, b]) => {
    const owner = owners[a];
    return owner && owners[b] === owner ? [{ owner, line: marchLine(a, b) }] : [];
  });
}
