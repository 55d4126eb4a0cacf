import type { LiveTable } from "../../lib/table/live_table.svelte";
import { isAsked, over, type Lesson } from "../lessons";

type Until = (live: LiveTable) => boolean;

interface Seen {
  nation: string | null;
  active: string | null;
  turn: number;
  political_done: boolean;
  nations: Record<string, { issues: unknown[] }>;
}

const seen = (live: LiveTable): Seen | null => (live.table?.view ?? null) as Seen | null;
const once =
  (holds: (table: Seen, live: LiveTable) => boolean): Until =>
  (live) => {
    const table = seen(live);
    return over(live) || (table !== null && holds(table, live));
  };

const myTurn = once((table) => table.nation !== null && table.active === table.nation);
const mayAct = once(
  (table, live) =>
    table.active === table.nation && isAsked(live, "place", "settle", "reclaim", "deploy"),
);
const othersTurn = once((table) => table.active !== table.nation);
const acted = once((table) => table.political_done || table.active !== table.nation);
const settling = once(
  (table, live) => isAsked(live, "option", "advance") || table.active !== table.nation,
);
const decided = once((table, live) => !isAsked(live, "option") || table.active !== table.nation);

const say = (name: string, until?: Until) => ({
  code: `lesson.versailles.${name}`,
  ...(until && { until }),
});

/** Two turns at the conference: influence on two issues, soldiers, and an issue settled. */
export const lesson: Lesson = {
  players: 3,
  seat: "P1",
  steps: [
    say("welcome"),
    say(
      "nation",
      once((table) => table.nation !== null),
    ),
    say("table"),
    say("lens"),
    say("wait", mayAct),
    say("place", acted),
    say("military", othersTurn),
    say("lead"),
    say("happiness"),
    say("regions"),
    say("events"),
    say("again", mayAct),
    say("settle", settling),
    say("option", decided),
    say("advance", othersTurn),
    say("auction"),
    say("strategies"),
    say("deals"),
    say("reclaim", myTurn),
    say("end"),
  ],
};
