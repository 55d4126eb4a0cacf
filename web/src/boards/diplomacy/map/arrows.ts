// Orders as lines on the map: the same drawing as games/diplomacy/draw/order_arrows.py, grown by hand.
// A move is an arrow; one that failed is broken and ends in a burst. Support is a dotted line to
// the arrow it helps, or with a bar to the unit it helps to stay. Fleets that carry wear a ring.

import {
  bowLine,
  distance,
  head,
  partWay,
  path,
  smoothLine,
  trimLine,
  upTo,
  type Point,
} from "../../atlas/lines";

export type Order =
  | { kind: "hold"; unit: string }
  | { kind: "move"; unit: string; to: string }
  | { kind: "support"; unit: string; target: string; to: string | null }
  | { kind: "convoy"; unit: string; army: string; to: string }
  | { kind: "retreat"; unit: string; to: string }
  | { kind: "disband"; unit: string }
  | { kind: "build"; unit: string; fleet: boolean };

/** An order in wire notation, as the server writes it. */
export function parse(text: string): Order | null {
  const words = text.split(" ");
  const [, unit = "", verb = "", a = "", b = "", c = "", d = ""] = words;
  if (verb === "H") return { kind: "hold", unit };
  if (verb === "-") return { kind: "move", unit, to: a };
  if (verb === "S") return { kind: "support", unit, target: b, to: c === "-" ? d : null };
  if (verb === "C") return { kind: "convoy", unit, army: b, to: d };
  if (verb === "R") return { kind: "retreat", unit, to: a };
  if (verb === "D") return { kind: "disband", unit };
  if (verb === "B") return { kind: "build", unit, fleet: words[0] === "F" };
  return null;
}

/** My orders with those that are on their way, which take the place of earlier ones of their unit. */
export function withPending(drafts: string[], pending: readonly string[]): string[] {
  const fresh = pending.filter((text) => parse(text));
  const units = new Set(fresh.map((text) => text.slice(2, 5)));
  return [...drafts.filter((text) => !units.has(text.slice(2, 5))), ...fresh];
}

export const province = (location: string): string => location.slice(0, 3);

export const RIM = 19; // arrows begin and end outside the blocks
const STOP = 0.72; // how far a stopped arrow gets

/** What one order looks like. */
export interface Drawing {
  order: Order;
  text: string; // in wire notation
  power: string; // lower case: a class
  failed: boolean;
  shaft: string; // "" where there is none
  dots: boolean; // a support
  thin: boolean; // a retreat
  tip: string; // the head of an arrow
  end: Point; // where the line ends
  bar: string; // of a support to hold
  ring: number; // radius of the ring around the unit; 0: none
  at: Point; // where the unit stands
  cross: Point | null; // what was cut or comes to nothing
}

export interface JudgedOrder {
  text: string;
  power: string;
  failed: boolean;
}

/** Where units are drawn, and how much larger than on a large sheet. */
export interface Standing {
  spot: (location: string) => Point;
  aside: (location: string) => Point;
  bend: (from: string, to: string) => Point | undefined;
  size: number;
  taken?: (location: string) => boolean; // whether a unit stands there
}

/** All orders of a turn, moves last so that they lie on top. */
export function orderDrawings(judged: JudgedOrder[], standing: Standing): Drawing[] {
  const read = judged
    .map((one) => ({ ...one, order: parse(one.text) }))
    .filter((one): one is JudgedOrder & { order: Order } => one.order !== null);
  const orders = read.map((one) => one.order);
  const routes = new Map(
    orders
      .filter((order) => order.kind === "move")
      .map((order) => [
        `${province(order.unit)}-${province(order.to)}`,
        route(order, orders, standing),
      ]),
  );
  const drawn = read.map((one) => drawing(one, routes, standing));
  return drawn.sort((a, b) => weight(a.order) - weight(b.order));
}

const weight = (order: Order): number =>
  order.kind === "move" || order.kind === "retreat" ? 1 : 0;

/** The way of a move: over the fleets that carry it, if some do. */
function route(
  move: Extract<Order, { kind: "move" }>,
  orders: Order[],
  { spot, bend }: Standing,
): Point[] {
  const fleets = orders
    .filter((order) => order.kind === "convoy")
    .filter((c) => province(c.army) === province(move.unit) && province(c.to) === province(move.to))
    .map((c) => spot(c.unit));
  const [start, end] = [spot(move.unit), spot(move.to)];
  if (!fleets.length) return bowLine(start, end, bend(move.unit, move.to));
  const way = [start];
  while (fleets.length) {
    const here = way.at(-1) ?? start;
    fleets.sort((a, b) => distance(b, here) - distance(a, here));
    way.push(fleets.pop() ?? end);
  }
  return smoothLine([...way, end]);
}

function drawing(
  { order, text, power, failed }: JudgedOrder & { order: Order },
  routes: Map<string, Point[]>,
  standing: Standing,
): Drawing {
  const { spot, aside, bend, size } = standing;
  const rim = RIM * size;
  const at = spot(order.unit);
  const plain: Drawing = {
    order,
    text,
    power,
    failed,
    shaft: "",
    dots: false,
    thin: false,
    tip: "",
    end: at,
    bar: "",
    ring: 0,
    at,
    cross: null,
  };
  switch (order.kind) {
    case "move": {
      const way = routes.get(`${province(order.unit)}-${province(order.to)}`) ?? [];
      const stop = standing.taken?.(order.to) === false ? rim * 0.3 : rim; // well into an empty place
      const line = failed ? trimLine(upTo(way, STOP), rim * 0.9, 0) : trimLine(way, rim, stop);
      return { ...plain, ...arrow(line, failed, 15 * size) };
    }
    case "retreat": {
      const from = aside(order.unit);
      const line = trimLine(
        bowLine(from, spot(order.to), bend(order.unit, order.to)),
        rim * 0.7,
        rim * 0.6,
      );
      return { ...plain, at: from, thin: true, ...arrow(line, failed, 11 * size) };
    }
    case "support":
      return { ...plain, ...support(order, failed, routes, standing) };
    case "convoy":
      return { ...plain, ring: 23 * size, cross: failed ? corner(at, 23 * size) : null };
    case "hold":
      return { ...plain, ring: 20 * size, cross: failed ? corner(at, 20 * size) : null };
    default:
      return plain;
  }
}

const corner = (at: Point, radius: number): Point => [at[0] + radius * 0.7, at[1] - radius * 0.7];

function arrow(line: Point[], failed: boolean, size: number): Partial<Drawing> {
  const shaft = failed ? line : trimLine(line, 0, size / 2);
  return { shaft: path(shaft), tip: failed ? "" : head(line, size), end: line.at(-1) ?? [0, 0] };
}

function support(
  order: Extract<Order, { kind: "support" }>,
  failed: boolean,
  routes: Map<string, Point[]>,
  { spot, size }: Standing,
): Partial<Drawing> {
  const helped = order.to && routes.get(`${province(order.target)}-${province(order.to)}`);
  const end = helped ? partWay(helped, 0.55) : spot(order.to ?? order.target);
  const line = trimLine([spot(order.unit), end], RIM * size * 0.9, helped ? 3 : RIM * size + 2);
  return {
    dots: true,
    shaft: path(line),
    end: line.at(-1) ?? end,
    bar: order.to ? "" : barAcross(line, 7 * size),
    cross: failed ? partWay(line, 0.45) : null,
  };
}

function barAcross(line: Point[], half: number): string {
  const [a, b] = line.slice(-2) as [Point, Point];
  const far = distance(a, b) || 1;
  const side: Point = [((a[1] - b[1]) / far) * half, ((b[0] - a[0]) / far) * half];
  return path([
    [b[0] - side[0], b[1] - side[1]],
    [b[0] + side[0], b[1] + side[1]],
  ]);
}

/** A star around (0, 0). */
export function star(rays: number, outer: number, inner: number): string {
  const points = Array.from({ length: 2 * rays }, (_, n): Point => {
    const radius = n % 2 ? inner : outer;
    const angle = (n * Math.PI) / rays;
    return [radius * Math.sin(angle), -radius * Math.cos(angle)];
  });
  return `${path(points)}Z`;
}
