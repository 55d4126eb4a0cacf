import type { LiveTable } from "../../lib/table/live_table.svelte";
import { isAsked, over, phase, type Lesson } from "../lessons";

type Until = (live: LiveTable) => boolean;

const PARTS = ["cards", "hire", "turn1", "turn2", "battles", "missions"];

/** The game has come to this part of this round, or further. */
const reached =
  (round: number, part: string): Until =>
  (live) => {
    const [now = "", where = ""] = phase(live).split("-");
    if (over(live) || !PARTS.includes(where)) return over(live);
    const [at, to] = [Number(now), PARTS.indexOf(part)];
    return at > round || (at === round && PARTS.indexOf(where) >= to);
  };

/** True once the question has gone. For steps that start with that question. */
const answered =
  (...words: string[]): Until =>
  (live) =>
    over(live) || !isAsked(live, ...words);

const either =
  (...of: Until[]): Until =>
  (live) =>
    of.some((until) => until(live));

const begins =
  (...words: string[]): Until =>
  (live) =>
    isAsked(live, ...words);

interface Seen {
  territories: Record<string, { owner: string | null }>;
  own: { stack: string[] } | null;
}

const seen = (live: LiveTable): Seen | null => (live.table?.view ?? null) as Seen | null;

const SEAT = "blue";
const lands =
  (n: number): Until =>
  (live) =>
    Object.values(seen(live)?.territories ?? {}).filter((land) => land.owner === SEAT).length >= n;
const placed: Until = (live) => seen(live)?.own?.stack.length === 2;

const say = (name: string, until?: Until, lit?: string[]) => ({
  code: `lesson.risk_europe.${name}`,
  ...(until && { until }),
  ...(lit && { lit }),
});

/** A kingdom's first two rounds: settle, tax, expand into free land, buy an army, attack. */
export const lesson: Lesson = {
  steps: [
    say("welcome"),
    say("bid", (live) => phase(live) !== "bid"),
    say("settle", either(lands(1), reached(1, "cards"))),
    say("garrison", either(lands(2), reached(1, "cards"))),
    say("kingdom"),
    say("cards", either(placed, reached(1, "turn1")), ["tax", "split"]),
    say("order", either(begins("order"), reached(1, "turn2"))),
    say("tax", either(answered("order", "tax"), reached(1, "turn2"))),
    say("supply"),
    say("second", either(begins("order"), reached(1, "battles"))),
    say("expand", either(answered("order"), reached(1, "battles"))),
    say("origin", either(answered("from"), reached(1, "battles"))),
    say("target", either(answered("to"), reached(1, "battles"))),
    say("march", either(answered("march", "storm"), reached(1, "battles"))),
    say("finish", reached(2, "cards")),
    say("crowns"),
    say("cards_again", either(placed, reached(2, "turn1")), ["tax", "fortify"]),
    say("spend_wait", either(begins("order"), reached(2, "turn2"))),
    say("spend", either(answered("order"), reached(2, "turn2"))),
    say("shop", either(answered("buy", "build", "crown"), reached(2, "turn2"))),
    say("attack_wait", either(begins("order", "fortify"), reached(2, "battles"))),
    say("attack", reached(3, "cards")),
    say("battle"),
    say("bonuses"),
    say("end"),
  ],
};
