// What the board reads of a view of Risk Europe (games/risk_europe/view.py).

export const UNITS = ["footman", "archer", "cavalry", "siege"] as const;
export type UnitName = (typeof UNITS)[number];
export type Units = Record<UnitName, number>;

export interface Land {
  owner: string | null;
  units: Units;
  attacker: { army: string; units: Units } | null;
  castle: boolean;
  city: string | null;
  gold: boolean;
  tax: number;
  crown: boolean;
}

export interface Mission {
  card: string;
  mission: { type: string; least: number; unit: string; certainty: string };
  bonus: { type: string; amount: number; unit: string; certainty: string };
}

export interface Army {
  mercenary: boolean;
  controller: string | null;
  coins: number;
  crowns: number;
  territories: number;
  reserve: Units;
  hand: number;
  stack: number;
  shown: string[];
  discard: string[];
  placed: boolean;
  has_bid: boolean;
  crown_cards: number;
  missions: number;
  completed: Mission[];
  prices: Record<string, number>;
  saved: boolean;
  out: number;
}

export interface Fight {
  at: string;
  rank: number;
  stage: string;
  reroll: boolean;
  attacker: string;
  defender: string;
  attacker_dice: number[];
  defender_dice: number[];
  attacker_hits: number;
  defender_hits: number;
}

export interface Move {
  army: string;
  order: string;
  origin: string | null;
  target: string | null;
  groups: { to: string; units: Units }[];
}

export interface Own {
  hand: string[];
  stack: string[];
  bid: number | null;
  missions: Mission[];
  offer: Mission[];
  move: Move | null;
}

export interface RiskView {
  seat: string | null;
  phase: string; // where the game is: "3-cards"
  stage: string; // the kind of phase: "cards"
  round: number;
  turn: number;
  target: number;
  marker: string | null;
  order: string[];
  territories: Record<string, Land>;
  armies: Record<string, Army>;
  shields: Record<string, { at: string; holder: string | null; works: boolean; rule: string }>;
  reserve: { castles: number; crowns: number; crown_cards: number; missions: number };
  card: { army: string; card: string; order: boolean; bonus: boolean } | null;
  battle: Fight | null;
  odds: {
    battles: Record<string, { attacker: number; defender: number } | null>;
    to: Record<string, number>;
    with: Record<string, number>;
  };
  own: Own | null;
  over: string;
}

/** What stands there, kind by kind. */
export const unitCounts = (units: Units): [UnitName, number][] =>
  UNITS.filter((unit) => units[unit] > 0).map((unit) => [unit, units[unit]]);

export const count = (units: Units): number => UNITS.reduce((sum, unit) => sum + units[unit], 0);

/** The key of a choice of units in the view's table of odds. */
export const oddsKey = (amounts: Readonly<Record<string, number>>, siege = 0): string =>
  UNITS.map((unit) => (amounts[unit] ?? 0) + (unit === "siege" ? siege : 0)).join(",");

export const chanceText = (chance: number, lang: string): string =>
  new Intl.NumberFormat(lang, {
    style: "percent",
    maximumFractionDigits: chance > 0.99 || chance < 0.01 ? 1 : 0,
  }).format(chance);

/** Names of the territories whose pieces differ between two views. */
export function changedTerritories(before: RiskView | null, after: RiskView): string[] {
  if (!before) return [];
  return Object.keys(after.territories).filter(
    (name) => JSON.stringify(before.territories[name]) !== JSON.stringify(after.territories[name]),
  );
}

const GENERAL = 4; // the rank in which dice are compared; in the others each hits by itself

/** Both sides' dice from the highest down, and which of them hit, as the hits that were counted. */
export function diceWithHits(fight: Fight): { face: number; hit: boolean }[][] {
  const sides = [fight.attacker_dice, fight.defender_dice].map((dice) =>
    [...dice].sort((a, b) => b - a),
  );
  const hits = [fight.attacker_hits, fight.defender_hits];
  const [ours = [], theirs = []] = sides;
  const beats = (side: number, i: number): boolean =>
    i < Math.min(ours.length, theirs.length) && (side === 0) === (ours[i] ?? 0) > (theirs[i] ?? 0);
  return sides.map((dice, side) =>
    dice.map((face, i) => ({
      face,
      hit: fight.rank === GENERAL ? beats(side, i) : i < (hits[side] ?? 0),
    })),
  );
}
