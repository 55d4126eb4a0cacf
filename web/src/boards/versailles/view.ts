// The view of Versailles 1919 as the board reads it (src/powderkeg/games/versailles/view.py).
import { livery, type Livery } from "../liveries";

export const NATIONS = ["uk", "france", "usa", "italy", "japan"] as const;
export type Nation = (typeof NATIONS)[number];
export const REGIONS = ["europe", "balkans", "middle_east", "pacific", "africa"] as const;
export type Region = (typeof REGIONS)[number];
export type Category = Region | "league" | "reparations" | "none";
export const COLUMNS = [1, 2, 3, 4, 5, 6, 7, 8] as const;

/** How sure a value of a card is: `certain`, `probable` or `reconstructed`. */
export type Sure = Record<string, string>;

export interface OptionOf {
  option: string;
  name: string; // of a pack; empty where the catalogue has it
  unrest: Partial<Record<Region, number>>;
  happiness: Partial<Record<Nation, number>>;
  counters: string[];
  certainty: Sure;
}

export interface IssueCard {
  kind: "issue";
  name: string;
  number: number;
  region: Category;
  stars: number;
  no_military: boolean;
  certainty: Sure;
  options: OptionOf[];
}

export interface EventCard {
  kind: "event";
  name: string;
  number: number;
  title: string;
  cube: boolean;
  optional: boolean;
  certainty: Sure;
}

export interface StrategyCard {
  kind: "strategy";
  name: string;
  certainty: Sure;
  number: number;
  conditions: { counts: string; points: number; certainty: Sure }[];
}

export interface OpenIssue {
  issue: string;
  cubes: Partial<Record<Nation, number>>;
  leader: Nation | null;
}

export interface HeldIssue {
  issue: string;
  option: string | null;
  counters: string[];
}

export interface NationOf {
  happiness: number | null;
  locked: boolean;
  available: number;
  exhausted: number;
  units_available: number;
  units_exhausted: number;
  units_deployed: Region[];
  units_mutinied: number;
  units_allowed: number | null;
  issues: HeldIssue[];
  strategy: string | null;
  score?: {
    issues: number;
    flags: number;
    conditions: number[];
    happiness: number;
    total: number;
  };
}

export interface RegionOf {
  unrest: number;
  keg: number;
  cap: number;
  uprising: number | null;
  units: Record<string, Nation>;
}

export interface BidOf {
  units: number;
  local: number;
  strength: number;
  cubes: number;
}

export interface DealOf {
  number: number;
  by: Nation;
  parties: Nation[];
  terms: string[];
  agreed: Nation[];
  made: boolean;
}

export interface Table {
  seat: string | null;
  nation: Nation | null;
  players: Record<string, Nation | null>;
  deciding: Nation | null;
  to_act: string[];
  turn: number;
  active: Nation | null;
  nations: Record<Nation, NationOf>;
  regions: Record<Region, RegionOf>;
  table: OpenIssue[];
  waiting: OpenIssue[];
  pile: string[];
  deck: number;
  event: string;
  event_cube: Nation | null;
  lobby: string[];
  event_deck: number;
  unsettled: string;
  demobilise: { space: number; nation: Nation | null }[];
  strategies: Record<string, Nation | null>;
  deals: DealOf[];
  promises: { turn: number; by: Nation; to: Nation[]; term: string }[];
  solo: null | {
    faction: Nation | null;
    order: Nation[];
    points: number;
    target: number;
    strength: Partial<Record<Nation, number>>;
    units: Partial<Record<Nation, number>>;
  };
  alarm: Region | null; // for which the die is rolled, or that has risen
  bidding: null | {
    issue: string;
    waiting: Nation[];
    bids: Partial<Record<Nation, BidOf>>;
  };
  drawn: string[];
  prospects: Record<string, Partial<Record<Nation, number[]>>>;
  over: string;
  board: {
    uprising: number[];
    posts: Record<string, { cubes: number; unhappy: number; modifies: boolean }>;
    units_allowed: number[];
    signs_at: number;
    dive_costs: number[];
    last_space: number;
  };
  certainty: { board: Sure; demobilise: string[] }; // of the numbers on the board
  strengths: Record<string, number>; // of each force as a bid writes it
  cards: Record<string, IssueCard | EventCard | StrategyCard>;
}

/** What kind of thing a board element is: a card of some kind, a nation, a region, a square. */
export function kindOf(view: Table, target: string): string {
  const card = view.cards[target];
  if (card) return card.kind;
  if (NATIONS.some((nation) => nation === target)) return "nation";
  const [region = "", column] = target.split(".");
  return region in view.regions ? (column ? "square" : "region") : "other";
}

export const issueCard = (view: Table, id: string): IssueCard | null => {
  const card = view.cards[id];
  return card?.kind === "issue" ? card : null;
};

export const eventCard = (view: Table, id: string): EventCard | null => {
  const card = view.cards[id];
  return card?.kind === "event" ? card : null;
};

export const strategyCard = (view: Table, id: string): StrategyCard | null => {
  const card = view.cards[id];
  return card?.kind === "strategy" ? card : null;
};

export const nationLivery = (nation: string): Livery => livery("versailles", nation, 0);

/** The nations with cubes and units of their own, mine first, then around the table. */
export function nationsAtTable(view: Table): Nation[] {
  const seated = Object.values(view.players).filter((n): n is Nation => n !== null);
  const there = new Set<string>([
    ...(view.solo?.order ?? seated),
    ...Object.keys(view.table[0]?.cubes ?? {}),
  ]);
  const all = [...(view.solo?.order ?? seated)];
  for (const nation of NATIONS) if (there.has(nation) && !all.includes(nation)) all.push(nation);
  const mine = view.solo?.faction ?? view.nation;
  const at = mine ? all.indexOf(mine) : -1;
  return at > 0 ? [...all.slice(at), ...all.slice(0, at)] : all;
}

/** How many settled issues of each region each of these nations controls. */
export function issueTally(
  view: Table,
  nations: readonly Nation[],
): Record<Region, Partial<Record<Nation, number>>> {
  const count = (region: Region, nation: Nation): number =>
    view.nations[nation].issues.filter((held) => issueCard(view, held.issue)?.region === region)
      .length;
  const row = (region: Region) =>
    Object.fromEntries(nations.map((nation) => [nation, count(region, nation)]));
  return Object.fromEntries(REGIONS.map((region) => [region, row(region)])) as Record<
    Region,
    Partial<Record<Nation, number>>
  >;
}

/** The nations with a marker on the happiness track, from the unhappiest on. */
export function happinessMarkers(view: Table): { nation: Nation; at: number }[] {
  return NATIONS.flatMap((nation) => {
    const at = view.nations[nation].happiness;
    return at === null ? [] : [{ nation, at }];
  });
}

/** Where the number of units allowed changes along the happiness track. */
export function unitZones(
  allowed: readonly number[],
): { from: number; to: number; units: number }[] {
  const found: { from: number; to: number; units: number }[] = [];
  allowed.forEach((units, at) => {
    const last = found.at(-1);
    if (last?.units === units) last.to = at;
    else found.push({ from: at, to: at, units });
  });
  return found;
}

export const MARKS = { reconstructed: "°", probable: "·" } as const;
export type Doubt = keyof typeof MARKS;

/** The least certain of some values; empty where all of them are certain. */
export const leastCertain = (...sures: (string | undefined)[]): Doubt | "" =>
  sures.includes("reconstructed") ? "reconstructed" : sures.includes("probable") ? "probable" : "";

/** The doubt that all of these values share, so that one mark stands for them; else empty. */
export function sharedDoubt(...sures: (string | undefined)[]): Doubt | "" {
  const doubt = leastCertain(...sures);
  return sures.every((sure) => sure === doubt) ? doubt : "";
}

/** How sure an option is of each kind of icon, also of those that it seems not to have. */
export const optionSures = ({ certainty }: OptionOf): (string | undefined)[] =>
  ["unrest", "happiness", "counters"].map((kind) => certainty[kind]);

export const iconsOf = ({ unrest, happiness, counters }: OptionOf): number =>
  Object.keys(unrest).length + Object.keys(happiness).length + counters.length;

/** The one mark of all icons of an option; empty where they differ. */
export const optionDoubt = (option: OptionOf): Doubt | "" => sharedDoubt(...optionSures(option));

/** A text with the mark of the values in it, for labels that are read aloud. */
export function markText(text: string, ...sures: (string | undefined)[]): string {
  const doubt = leastCertain(...sures);
  return doubt ? text + MARKS[doubt] : text;
}

export const signedNumber = (n: number): string => (n > 0 ? `+${n}` : n < 0 ? `−${-n}` : "0");
