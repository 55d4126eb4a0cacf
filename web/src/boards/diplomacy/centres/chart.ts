// The centres over the years, as a line chart.
import type { Count } from "../view";

export const WIDTH = 640;
export const HEIGHT = 320;
const [LEFT, RIGHT, TOP, BOTTOM] = [30, 44, 12, 26];
const APART = 15; // between the letters at the ends of lines
const BESIDE = 1.8; // equal counts are drawn side by side, not on top of each other

export interface Curve {
  power: string;
  line: string; // an SVG path
  end: [number, number]; // where its letter stands
  last: number; // centres at the end
}

export interface Grid {
  years: { year: number; x: number }[];
  levels: { n: number; y: number }[];
}

const across = (history: readonly Count[], i: number): number =>
  LEFT + (i * (WIDTH - LEFT - RIGHT)) / Math.max(1, history.length - 1);
const up = (n: number, most: number): number =>
  HEIGHT - BOTTOM - (n * (HEIGHT - TOP - BOTTOM)) / most;

const mostOf = (history: readonly Count[], target: number): number =>
  Math.max(target, ...history.flatMap((count) => Object.values(count.centres)));

export function chartGrid(history: readonly Count[], target: number): Grid {
  const most = mostOf(history, target);
  const step = Math.ceil(history.length / 12);
  return {
    years: history.flatMap(({ year }, i) => (i % step ? [] : [{ year, x: across(history, i) }])),
    levels: [0, 3, 6, 9, 12, 15, 18, 21, 24, 27, 30, 33]
      .filter((n) => n <= most)
      .map((n) => ({ n, y: up(n, most) })),
  };
}

/** One line a power, until it is gone; letters at the ends do not lie upon each other. */
export function centreCurves(
  history: readonly Count[],
  powers: readonly string[],
  target: number,
): Curve[] {
  const most = mostOf(history, target);
  const found = powers.map((power, place): Curve => {
    const beside = (place - (powers.length - 1) / 2) * BESIDE;
    const counts = history.map((count) => count.centres[power] ?? 0);
    const gone = counts.findIndex((n, i) => n === 0 && counts.slice(i).every((m) => m === 0));
    const shown = gone < 0 ? counts : counts.slice(0, gone + 1);
    const points = shown.map(
      (n, i) => `${across(history, i).toFixed(1)} ${(up(n, most) + beside).toFixed(1)}`,
    );
    const last = shown.at(-1) ?? 0;
    const end: [number, number] = [across(history, shown.length - 1) + 12, up(last, most)];
    return { power, line: `M${points.join("L")}`, end, last };
  });
  return apart(found);
}

function apart(found: Curve[]): Curve[] {
  const rows = [...found].sort((a, b) => b.end[1] - a.end[1]); // from the bottom up
  const placed: Curve[] = [];
  for (const curve of rows) {
    const [x, y] = curve.end;
    const below = placed.filter((p) => Math.abs(p.end[0] - x) < APART).map((p) => p.end[1]);
    placed.push({ ...curve, end: [x, Math.min(y, ...below.map((other) => other - APART))] });
  }
  return found.map((curve) => placed.find((p) => p.power === curve.power) ?? curve);
}
