// What the board reads of a view of Diplomacy (games/diplomacy/view.py).

export interface Outcome {
  power: string;
  order: string;
  verdict: string;
  why: string;
  number: number;
  rule: string;
  by: string[];
  dislodged_by: string | null;
  strengths?: [number, number] | null; // of a move that beat rivals, and of the strongest rival
}

/** Centres of every power at the end of a year. */
export interface Count {
  year: number;
  centres: Record<string, number>;
}

export interface DiplomacyView {
  phase: string;
  year: number;
  season: "spring" | "fall" | "winter";
  stage: "movement" | "retreats" | "adjustments";
  target: number;
  seats: Record<string, { powers: string[]; in_game: boolean; asked: boolean; ready: boolean }>;
  units: Record<string, string[]>;
  centres: Record<string, string[]>;
  dislodged: { power: string; unit: string; retreats?: string[] }[];
  reports: { phase: string; outcomes: Outcome[] }[];
  history: Count[];
  drafts: Record<string, string>;
}

/** "F stp/sc" as its parts. */
export const unitOf = (text: string): { fleet: boolean; at: string } => ({
  fleet: text.startsWith("F"),
  at: text.slice(2),
});

/** The power whose piece stands in a province, dislodged ones first when they are asked. */
export function powerAt(view: DiplomacyView, code: string): string {
  for (const { power, unit } of view.dislodged) if (unit.slice(2, 5) === code) return power;
  for (const [power, units] of Object.entries(view.units))
    if (units.some((unit) => unit.slice(2, 5) === code)) return power;
  return "";
}
