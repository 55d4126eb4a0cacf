// What travels between two views: cubes, units, issues and markers of happiness.
import type { Flight } from "../../lib/watch/flights.svelte";
import { NATIONS, nationLivery, REGIONS, type Nation, type OpenIssue, type Table } from "./view";

const colour = (nation: Nation): string => nationLivery(nation).colour;

/** Where the pieces of a nation come from and go to: the seat that plays it. */
function home(view: Table, nation: Nation): string {
  const seat = Object.entries(view.players).find(([, plays]) => plays === nation)?.[0];
  return seat ? `seat.${seat}` : `mood.${nation}`;
}

const openIssues = (view: Table): OpenIssue[] => [...view.table, ...view.waiting];

export function piecesMoved(before: Table, after: Table): Flight[] {
  return [
    ...cubeFlights(before, after),
    ...unitFlights(before, after),
    ...issueFlights(before, after),
    ...moodFlights(before, after),
  ];
}

function cubeFlights(before: Table, after: Table): Flight[] {
  const earlier = new Map(openIssues(before).map((open) => [open.issue, open]));
  const later = new Map(openIssues(after).map((open) => [open.issue, open]));
  return [...new Set([...earlier.keys(), ...later.keys()])].flatMap((issue) =>
    NATIONS.flatMap((nation): Flight[] => {
      const more =
        (later.get(issue)?.cubes[nation] ?? 0) - (earlier.get(issue)?.cubes[nation] ?? 0);
      const [from, to] = more > 0 ? [home(after, nation), issue] : [issue, home(after, nation)];
      const piece = { look: "cube", colour: colour(nation), count: Math.abs(more) } as const;
      return more ? [{ from, to, ...piece }] : [];
    }),
  );
}

function unitFlights(before: Table, after: Table): Flight[] {
  return REGIONS.flatMap((region) =>
    Object.entries(after.regions[region].units)
      .filter(([column, nation]) => before.regions[region].units[column] !== nation)
      .map(([column, nation]) => ({
        from: home(after, nation),
        to: `${region}.${column}`,
        look: "unit",
        colour: colour(nation),
      })),
  );
}

/** Issues that came to the table, and those that somebody took. */
function issueFlights(before: Table, after: Table): Flight[] {
  const paper = "var(--sage)";
  const waited = new Set(before.waiting.map((open) => open.issue));
  const came = after.table
    .filter((open) => waited.has(open.issue))
    .map(({ issue }): Flight => ({ from: issue, to: issue, look: "card", colour: paper }));
  const open = new Set(openIssues(before).map(({ issue }) => issue));
  const taken = NATIONS.flatMap((nation) =>
    after.nations[nation].issues
      .filter(({ issue }) => open.has(issue))
      .map(({ issue }): Flight => ({
        from: issue,
        to: home(after, nation),
        look: "card",
        colour: colour(nation),
      })),
  );
  return [...came, ...taken];
}

function moodFlights(before: Table, after: Table): Flight[] {
  return NATIONS.filter(
    (nation) => before.nations[nation].happiness !== after.nations[nation].happiness,
  ).map((nation) => {
    const at = `mood.${nation}`;
    return { from: at, to: at, look: "mark", colour: colour(nation) };
  });
}
