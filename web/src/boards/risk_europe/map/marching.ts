// What travels between two views: armies from land to land, recruits, coins.
import type { Flight } from "../../../lib/watch/flights.svelte";
import { count, type RiskView } from "../view";

const colour = (army: string): string => `var(--${army})`;

/** How many units of an army stand in a land, as owner or attacker. */
function strength(view: RiskView, place: string, army: string): number {
  const land = view.territories[place];
  const own = land?.owner === army ? count(land.units) : 0;
  return own + (land?.attacker?.army === army ? count(land.attacker.units) : 0);
}

/** Armies that marched or were recruited, and coins that were paid out. */
export function piecesMoved(before: RiskView, after: RiskView): Flight[] {
  return Object.keys(after.armies).flatMap((army) => [
    ...armyFlights(before, after, army),
    ...coinFlights(before, after, army),
  ]);
}

function armyFlights(before: RiskView, after: RiskView, army: string): Flight[] {
  const change = (place: string): number =>
    strength(after, place, army) - strength(before, place, army);
  const places = Object.keys(after.territories);
  const left = places.filter((place) => change(place) < 0);
  const [origin] = left;
  if (left.length > 1) return [];
  return places
    .filter((place) => change(place) > 0)
    .map((place) => ({
      from: origin ?? `seat.${army}`,
      to: after.territories[place]?.owner === army ? place : `${place}.rival`,
      look: "unit",
      colour: colour(army),
      count: change(place),
    }));
}

function coinFlights(before: RiskView, after: RiskView, army: string): Flight[] {
  const more = (after.armies[army]?.coins ?? 0) - (before.armies[army]?.coins ?? 0);
  if (more <= 0) return [];
  return [{ from: "bank", to: `coins.${army}`, look: "disc", colour: "var(--brass)", count: more }];
}
