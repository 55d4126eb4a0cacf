// The time settings of a new table, as the form edits them.
import type { GameInfo, Preset, TableIn } from "../../api/types";

export type TableSettings = NonNullable<TableIn["settings"]>;
export type Clock = Required<NonNullable<TableSettings["clock"]>>;
export type Missed = Required<NonNullable<TableSettings["missed"]>>;
export type Group = "bots" | "evening" | "days" | "free";

export const GROUPS: Group[] = ["bots", "evening", "days", "free"];
const USUAL: Record<Group, Preset["name"][]> = {
  bots: ["bots"],
  evening: ["live", "ten"], // a bank where the game offers one
  days: ["day"],
  free: ["free"],
};

export const groupOf = (preset: Preset): Group =>
  preset.name === "bots" ? "bots" : (preset.speed as Group);

/** The presets of a group that suit the game. */
export const presetsOf = (game: GameInfo, group: Group): Preset[] =>
  game.presets.filter((preset) => groupOf(preset) === group);

/** The preset that a group begins with. */
export const usualOf = (game: GameInfo, group: Group): Preset["name"] =>
  USUAL[group].find((name) => game.presets.some((preset) => preset.name === name)) ?? "free";

/** The clock and the rules for late players of a preset, complete: a copy, which the form changes. */
export function timeOf(game: GameInfo, name: string): { clock: Clock; missed: Missed } {
  const found = game.presets.find((preset) => preset.name === name)?.settings ?? {};
  const clock = { rest: [], ...(found["clock"] as Omit<Clock, "rest">) };
  // The catalogue is a proxy, which structuredClone refuses.
  return JSON.parse(JSON.stringify({ clock, missed: found["missed"] })) as {
    clock: Clock;
    missed: Missed;
  };
}

/** The time zones that the browser knows, with its own first. */
export function timeZones(): string[] {
  const mine = Intl.DateTimeFormat().resolvedOptions().timeZone;
  return [...new Set([mine, "UTC", ...Intl.supportedValuesOf("timeZone")])];
}
