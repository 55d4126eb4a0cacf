// How a seat is told apart: a colour, and a letter for eyes that do not see the colour.
// The colours are the maps' inks (src/powderkeg/picture/ink.toml).

export interface Livery {
  colour: string; // a CSS value
  on: string; // what is written on that colour
  letter: string;
}

// Seat: letter, and the ink in which the letter is legible on the seat's colour.
const KNOWN: Record<string, Record<string, [string, "on-dark" | "on-light"]>> = {
  diplomacy: {
    austria: ["A", "on-dark"],
    england: ["E", "on-dark"],
    france: ["F", "on-light"],
    germany: ["G", "on-dark"],
    italy: ["I", "on-light"],
    russia: ["R", "on-light"],
    turkey: ["T", "on-light"],
  },
  versailles: {
    uk: ["B", "on-dark"],
    france: ["F", "on-light"],
    usa: ["A", "on-light"],
    italy: ["I", "on-light"],
    japan: ["J", "on-dark"],
  },
  risk_europe: {
    blue: ["B", "on-dark"],
    orange: ["O", "on-light"],
    green: ["G", "on-dark"],
    purple: ["P", "on-light"],
  },
};

const SPARE = ["england", "turkey", "italy", "austria", "france", "germany", "russia"] as const;

/**
 * The livery of a seat. `place` is its place at the table, for games we know nothing about; of its
 * `label` the first two letters are taken, as on the maps: one alone is shared in some languages.
 */
export function livery(game: string, seat: string, place: number, label = ""): Livery {
  const name = seat.toLowerCase();
  const [letter, on] = KNOWN[game]?.[name] ?? [];
  if (letter)
    return {
      colour: `var(--${name})`,
      on: `var(--${on})`,
      letter: label.slice(0, 2) || letter,
    };
  const [first, ...more] = name.split("_").map((part) => KNOWN[game]?.[part]);
  if (first && more.length && more.every(Boolean)) {
    // One seat for several powers: the colour of the first, the letters of all.
    const lead = name.slice(0, name.indexOf("_"));
    const capitals = label.match(/\p{Lu}/gu) ?? [first, ...more].map((part) => part?.[0]);
    return { colour: `var(--${lead})`, on: `var(--${first[1]})`, letter: capitals.join("") };
  }
  const spare = SPARE[place % SPARE.length] ?? "england";
  const ink = KNOWN["diplomacy"]?.[spare]?.[1] ?? "on-dark";
  return {
    colour: `var(--${spare})`,
    on: `var(--${ink})`,
    letter: /\d+$/.exec(seat)?.[0] ?? seat.slice(0, 1).toUpperCase(),
  };
}
