// Lines on a map: curves, arrows that keep clear of the pieces, arrowheads.

export type Point = readonly [number, number];

export const distance = (a: Point, b: Point): number => Math.hypot(b[0] - a[0], b[1] - a[1]);

/** A slightly curved line, so that arrows in opposite directions run side by side; over a point,
 * where a straight way would cross what it does not concern. */
export function bowLine(a: Point, b: Point, over?: Point, height = over ? 0.02 : 0.07): Point[] {
  const [x, y] = over ?? [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2];
  const middle: Point = [x + (b[1] - a[1]) * height, y - (b[0] - a[0]) * height];
  return smoothLine([a, middle, b]);
}

/** A smooth line through all points (Catmull and Rom), as many short steps. */
export function smoothLine(points: Point[]): Point[] {
  const first = points[0];
  const last = points.at(-1);
  if (!first || !last || points.length < 3) return points;
  const padded = [first, ...points, last];
  const line: Point[] = [];
  for (let i = 0; i + 3 < padded.length; i++) {
    const [p0, p1, p2, p3] = padded.slice(i, i + 4) as [Point, Point, Point, Point];
    for (let step = 0; step < 12; step++) {
      const t = step / 12;
      const along = (k: 0 | 1): number =>
        0.5 *
        (2 * p1[k] +
          (p2[k] - p0[k]) * t +
          (2 * p0[k] - 5 * p1[k] + 4 * p2[k] - p3[k]) * t ** 2 +
          (3 * p1[k] - p0[k] - 3 * p2[k] + p3[k]) * t ** 3);
      line.push([along(0), along(1)]);
    }
  }
  return [...line, last];
}

export const length = (line: Point[]): number =>
  line.reduce((sum, point, i) => sum + (i ? distance(line[i - 1] ?? point, point) : 0), 0);

function cut(line: Point[], by: number): Point[] {
  for (let i = 0; i + 1 < line.length; i++) {
    const [a, b] = [line[i], line[i + 1]] as [Point, Point];
    const step = distance(a, b);
    if (by < step) {
      const share = by / step;
      return [[a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share], ...line.slice(i + 1)];
    }
    by -= step;
  }
  return line.slice(-2);
}

/** The line shortened at both ends; at least half of it remains. */
export function trimLine(line: Point[], start: number, end: number): Point[] {
  const most = length(line) / 2;
  const share = Math.min(1, most / (start + end || 1));
  return cut(cut(line, start * share).reverse(), end * share).reverse();
}

/** The line up to a share of its length. */
export const upTo = (line: Point[], share: number): Point[] =>
  cut([...line].reverse(), length(line) * (1 - share)).reverse();

export const partWay = (line: Point[], share: number): Point => upTo(line, share).at(-1) ?? [0, 0];

const near = ([x, y]: Point): string => `${x.toFixed(1)} ${y.toFixed(1)}`;
export const path = (line: Point[]): string => `M${line.map(near).join("L")}`;

/** A slender arrowhead whose tip is the end of the line. */
export function head(line: Point[], size: number): string {
  const tip = line.at(-1) ?? [0, 0];
  const base = cut([...line].reverse(), size)[0] ?? tip;
  const far = distance(base, tip) || 1;
  const [ux, uy] = [(tip[0] - base[0]) / far, (tip[1] - base[1]) / far];
  const half = size * 0.42;
  const back = (by: number, side: number): Point => [
    tip[0] - ux * by - uy * side,
    tip[1] - uy * by + ux * side,
  ];
  return `${path([tip, back(size, half), back(size * 0.72, 0), back(size, -half)])}Z`;
}
