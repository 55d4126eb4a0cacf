// Orders drawn in pencil: any piece, anywhere, whether the rules allow it or not.
import { province } from "../map/arrows";

export type Pen = "move" | "support" | "convoy";
export const PENS: readonly Pen[] = ["move", "support", "convoy"];

/** Pieces by the province where they stand, as orders name them: `par` is `A par`. */
export type Pieces = ReadonlyMap<string, string>;

export function piecesOf(units: Record<string, string[]>): Pieces {
  const found = Object.values(units)
    .flat()
    .map((unit): [string, string] => [province(unit.slice(2)), unit]);
  return new Map(found.sort());
}

/** What may be picked next, after `picks`. */
export function open(pen: Pen, picks: readonly string[], pieces: Pieces, all: string[]): string[] {
  const standing = [...pieces.keys()];
  if (picks.length === 0)
    return pen === "convoy" ? standing.filter((p) => fleet(pieces, p)) : standing;
  if (picks.length > 1 || pen === "move") return all;
  return standing.filter((p) => p !== picks[0] && (pen !== "convoy" || !fleet(pieces, p)));
}

const fleet = (pieces: Pieces, place: string): boolean => !!pieces.get(place)?.startsWith("F");

/** The order that is complete with these picks, or null. A piece that is picked twice stays. */
export function order(pen: Pen, picks: readonly string[], pieces: Pieces): string | null {
  const [own, other, to] = [pieces.get(picks[0] ?? ""), picks[1], picks[2]];
  if (!own || !other) return null;
  if (pen === "move") return other === picks[0] ? `${own} H` : `${own} - ${other}`;
  const helped = pieces.get(other);
  if (!helped || !to) return null;
  if (pen === "convoy") return `${own} C ${helped} - ${to}`;
  return to === other ? `${own} S ${helped}` : `${own} S ${helped} - ${to}`;
}

/** A sketch with one more order; a piece has one at most. */
export function withOrder(lines: readonly string[], more: string): string[] {
  const piece = (line: string): string => line.split(" ").slice(0, 2).join(" ");
  return [...lines.filter((line) => piece(line) !== piece(more)), more];
}

const ORDER = /^[AF] [a-z]{3}(\/[a-z]{2})? [-SCH]/;

/** What of actions can be drawn: orders of units. */
export const planOf = (actions: readonly string[]): { lines: string[]; lit: string[] } => ({
  lines: actions.filter((text) => ORDER.test(text)),
  lit: [],
});
