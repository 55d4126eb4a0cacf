// The centres over the years, as a line chart.
import type { Count } from "../view";

export const WIDTH = 640;
export const HEIGHT = 320;
const [LEFT, RIGHT, TOP, BOTTOM] = [30, 84, 12, 26];
const APART = 17; // between labels at the ends of lines
const ABREAST = 3; // letters in one label: more of them stand below each other
const BESIDE = 1.8; // equal counts are drawn side by side, not on top of each other

export interface Curve {
  power: string;
  line: string; // an SVG path
  end: [number, number];
  last: number; // centres at the end
}

/** The letters of lines that end together, beside where they end. */
export interface Label {
  powers: string[];
  end: [number, number];
  y: number; // near the end: labels do not lie upon each other
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

/** One line a power, until it is gone. */
export function centreCurves(
  history: readonly Count[],
  powers: readonly string[],
  target: number,
): Curve[] {
  const most = mostOf(history, target);
  return powers.map((power, place): Curve => {
    const beside = (place - (powers.length - 1) / 2) * BESIDE;
    const counts = history.map((count) => count.centres[power] ?? 0);
    const gone = counts.findIndex((n, i) => n === 0 && counts.slice(i).every((m) => m === 0));
    const shown = gone < 0 ? counts : counts.slice(0, gone + 1);
    const points = shown.map(
      (n, i) => `${across(history, i).toFixed(1)} ${(up(n, most) + beside).toFixed(1)}`,
    );
    const last = shown.at(-1) ?? 0;
    const end: [number, number] = [across(history, shown.length - 1), up(last, most)];
    return { power, line: `M${points.join("L")}`, end, last };
  });
}

/** A label for each place at which lines end, from the top down. */
export function endLabels(curves: readonly Curve[]): Label[] {
  const labels: Label[] = [];
  for (const { power, end } of curves) {
    const there = labels.findLast((label) => label.end.join() === end.join());
    if (there && there.powers.length < ABREAST) there.powers.push(power);
    else labels.push({ powers: [power], end, y: end[1] });
  }
  const groups: Label[][] = []; // labels that reach into each other
  for (const label of labels.sort((a, b) => a.end[0] - b.end[0])) {
    const last = groups.at(-1) ?? [];
    const reach = Math.max(...last.map(({ end, powers }) => end[0] + width(powers)));
    if (label.end[0] < reach) last.push(label);
    else groups.push([label]);
  }
  return groups.flatMap((group) => spread(group.sort((a, b) => a.end[1] - b.end[1])));
}

const width = (powers: readonly string[]): number => 11 + 17 * powers.length; // of a label, px

/** Moves labels apart, each as little as it takes: those that touch share the way. */
function spread(ordered: Label[]): Label[] {
  let blocks: Label[][] = [];
  const first = (block: Label[]): number => {
    const wished = block.map((label, i) => label.end[1] - i * APART);
    return wished.reduce((sum, y) => sum + y, 0) / block.length;
  };
  for (const label of ordered) {
    let block = [label];
    for (let above = blocks.at(-1); above; above = blocks.at(-1)) {
      if (first(above) + above.length * APART <= first(block)) break;
      block = [...above, ...block];
      blocks = blocks.slice(0, -1);
    }
    blocks.push(block);
  }
  return blocks.flatMap((block) =>
    block.map((label, i) => ({ ...label, y: first(block) + i * APART })),
  );
}
