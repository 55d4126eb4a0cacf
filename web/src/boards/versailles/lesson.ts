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
/**
 * A task. `passed`: the turn in which it was given is over. Bots are quick: the page may not see any
 * turn between two of mine, so turns are counted as well.
 */
const task = (holds: (table: Seen, live: LiveTable, passed: boolean) => boolean): Until => {
  let given = 0;
  return (live) => {
    const table = seen(live);
    if (!table) return over(live);
    if (!given || table.turn < given) given = table.turn; // less: another tour has begun
    const passed = table.turn > given || table.active !== table.nation;
    return over(live) || holds(table, live, passed);
  };
};

const mayAct = (): Until =>
  task(
    (table, live) =>
      table.active === table.nation && isAsked(live, "place", "settle", "reclaim", "deploy"),
  );
const othersTurn = (): Until => task((_table, _live, passed) => passed);

const say = (name: string, until?: Until) => ({
  code: `lesson.versailles.${name}`,
  ...(until && { until }),
});

/** Two turns at the conference: influence on two issues, soldiers, and an issue settled. */
export const lesson: Lesson = {
  steps: [
    say("welcome"),
    say(
      "nation",
      task((table) => table.nation !== null),
    ),
    say("table"),
    say("lens"),
    say("wait", mayAct()),
    say(
      "place",
      task((table, _live, passed) => table.political_done || passed),
    ),
    say("military", othersTurn()),
    say("lead"),
    say("happiness"),
    say("regions"),
    say("events"),
    say("again", mayAct()),
    say(
      "settle",
      task((_table, live, passed) => isAsked(live, "option", "advance") || passed),
    ),
    say(
      "option",
      task((_table, live, passed) => !isAsked(live, "option") || passed),
    ),
    say("advance", othersTurn()),
    say("auction"),
    say("strategies"),
    say("deals"),
    say(
      "reclaim",
      task((table) => table.nation !== null && table.active === table.nation),
    ),
    say("end"),
  ],
};
