// What the frame knows of a game before its board is loaded: `boards/<game>/profile.ts`.
import type { Component } from "svelte";

/** The look of a seat: the ink of its colour, its letter, and whether the colour is dark. */
export interface SeatStyle {
  ink: string;
  letter: string;
  on: "on-dark" | "on-light";
}

export interface GameProfile {
  /** Seats by their names in lower case. */
  seats: Readonly<Record<string, SeatStyle>>;
  /** Terms that the catalogue `<game>_terms` explains, each with the rule behind it. */
  terms: Readonly<Record<string, string>>;
  /** A small engraving for lists and the front page. */
  vignette: Component;
}

const found = import.meta.glob<{ profile: GameProfile }>("./*/profile.ts", { eager: true });

export const profileOf = (game: string): GameProfile | undefined =>
  found[`./${game}/profile.ts`]?.profile;

/** The names of all games that have a profile. */
export const profiledGames = (): string[] =>
  Object.keys(found).map((path) => path.split("/")[1] ?? "");
