// Arrow keys on a map: from a place to the neighbour that lies in that direction.
import type { Point } from "./lines";

const AHEAD: Readonly<Record<string, Point>> = {
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
};
const SIDEWAYS = 0.3; // cosine: what lies farther aside is not "in that direction"

/** Neighbours by place, from the lines of a table of borders (`a,b,...`). */
export function neighboursOf(borders: string): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  const add = (a: string, b: string): void => {
    const known = found.get(a) ?? [];
    if (a !== b && !known.includes(b)) found.set(a, [...known, b]);
  };
  for (const line of borders.trim().split("\n").slice(1)) {
    const [a = "", b = ""] = line.split(",").map((place) => place.replace(/\/.*/, ""));
    add(a, b);
    add(b, a);
  }
  return found;
}

/** The neighbour in the direction of an arrow key; "" for other keys, or where there is none. */
export function stepOn(
  from: string,
  key: string,
  neighbours: ReadonlyMap<string, readonly string[]>,
  spot: (place: string) => Point,
): string {
  const ahead = AHEAD[key];
  if (!ahead) return "";
  const [x, y] = spot(from);
  const fit = (place: string): number => {
    const [dx, dy] = [spot(place)[0] - x, spot(place)[1] - y];
    return (dx * ahead[0] + dy * ahead[1]) / (Math.hypot(dx, dy) || 1);
  };
  const near = (neighbours.get(from) ?? []).filter((place) => fit(place) > SIDEWAYS);
  return near.sort((a, b) => fit(b) - fit(a))[0] ?? "";
}

export const isArrow = (key: string): boolean => key in AHEAD;
