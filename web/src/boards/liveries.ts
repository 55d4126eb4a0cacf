// How seats are distinguished: by colour, and by a letter for readers who cannot see the colour.
// The colours are the maps' inks (src/powderkeg/picture/ink.toml).
import { profileOf, type SeatStyle } from "./profiles";

export interface Livery {
  colour: string; // a CSS value
  on: string; // what is written on that colour
  letter: string;
}

// For seats of games without a profile: inks that differ, and what is legible on them.
const SPARE: readonly Pick<SeatStyle, "ink" | "on">[] = [
  { ink: "england", on: "on-dark" },
  { ink: "turkey", on: "on-light" },
  { ink: "italy", on: "on-light" },
  { ink: "austria", on: "on-dark" },
  { ink: "france", on: "on-light" },
  { ink: "germany", on: "on-dark" },
  { ink: "russia", on: "on-light" },
];

const dyed = ({ ink, on }: Pick<SeatStyle, "ink" | "on">, letter: string): Livery => ({
  colour: `var(--${ink})`,
  on: `var(--${on})`,
  letter,
});

/**
 * The livery of a seat. `place` is its place at the table, for games we know nothing about; of its
 * `label` the first two letters are taken, as on the maps: one alone is shared in some languages.
 */
export function livery(game: string, seat: string, place: number, label = ""): Livery {
  const styles = profileOf(game)?.seats ?? {};
  const name = seat.toLowerCase();
  const known = styles[name];
  if (known) return dyed(known, label.slice(0, 2) || known.letter);
  const [first, ...more] = name.split("_").map((part) => styles[part]);
  if (first && more.length && more.every(Boolean)) {
    // One seat that plays several: the colour of the first, the letters of all.
    const capitals = label.match(/\p{Lu}/gu) ?? [first, ...more].map((style) => style?.letter);
    return dyed(first, capitals.join(""));
  }
  const letter = /\d+$/.exec(seat)?.[0] ?? seat.slice(0, 1).toUpperCase();
  return dyed(SPARE[place % SPARE.length] ?? { ink: "ink", on: "on-dark" }, letter);
}

/** Who acts in a sentence: the first seat, or other side of the game, among the codes that it names. */
export function firstActor(game: string, about: readonly string[]): string | null {
  const kinds = ["seat", profileOf(game)?.sides];
  const named = about
    .map((code) => code.split("."))
    .find(([of, kind]) => of === game && kinds.includes(kind));
  return named?.[2] ?? null;
}
