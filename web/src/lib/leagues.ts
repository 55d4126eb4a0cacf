// Leagues by their ids: tables know the id, the name may change.
import { api } from "../api/client";
import type { League } from "../api/types";
import { number } from "./words/words.svelte";

const known = new Map<string, Promise<League>>();

/** A league, asked for once. */
export function leagueOf(id: string): Promise<League> {
  const found = known.get(id) ?? api.league(id);
  known.set(id, found);
  found.catch(() => known.delete(id));
  return found;
}

/** A league as it is now. */
export function keepLeague(league: League): League {
  known.set(league.id, Promise.resolve(league));
  return league;
}

/** A league that is gone, or that I have left. */
export const forgetLeague = (id: string): void => void known.delete(id);

/** Points with one digit, which is enough to tell shares apart. */
export const points = (n: number): string => number(Math.round(n * 10) / 10);
