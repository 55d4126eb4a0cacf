// What the frame knows of a game before its board is loaded: `boards/<game>/profile.ts`.
import type { Component } from "svelte";
import type { Row } from "../lib/question/tree";

/** The look of a seat: the ink of its colour, its letter, and whether the colour is dark. */
export interface SeatStyle {
  ink: string;
  letter: string;
  on: "on-dark" | "on-light";
}

/** How a board that gets the whole height lies in the window: a map, or a table full of cards. */
export interface MapShape {
  /** Width by height of the drawing. */
  aspect: number;
  /** What stands beside the drawing and belongs to the board, as a CSS length. */
  beside: string;
  /** The board has papers of its own beside the map: there is little room for the table's. */
  papers?: boolean;
  /** Its questions are long: they get more room. */
  wordy?: boolean;
}

export interface GameProfile {
  /** Seats by their names in lower case. */
  seats: Readonly<Record<string, SeatStyle>>;
  /** What the codes of those who act are called besides `seat`: `side` in `<game>.side.blue`. */
  sides?: string;
  /** Terms that the catalogue `<game>_terms` explains, each with the rule behind it. */
  terms: Readonly<Record<string, string>>;
  /** Those of them that name answers: a question does not link them, they would look like buttons. */
  answers?: readonly string[];
  /** A small engraving for lists and the front page, loaded where it is shown. */
  vignette: () => Promise<{ default: Component }>;
  /** Nothing is hidden from anybody: a shared screen needs no cover. */
  open?: boolean;
  /** Examples of orders as they are typed, from the rows of a question. */
  exampleOrders?: (rows: readonly Row[]) => string[];
  /** The board gets the whole height of the window. */
  map?: MapShape;
}

const found = import.meta.glob<{ profile: GameProfile }>("./*/profile.ts", { eager: true });

export const profileOf = (game: string): GameProfile | undefined =>
  found[`./${game}/profile.ts`]?.profile;
