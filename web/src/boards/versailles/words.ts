// Words of the game's catalogue. Sentences about cards and deals come from the server (`captions`).
import { signedNumber } from "./view";

export type Words = (code: string, args?: Record<string, string | number>) => string;

/** Words of the game by short codes; `{n:+d}` is written with its sign. */
export const shortCodes =
  (words: Words): Words =>
  (code, args = {}) =>
    words(`versailles.${code}`, args).replace(/\{(\w+):\+d\}/g, (all, name: string) =>
      name in args ? signedNumber(Number(args[name])) : all,
    );

/** The first letter large: a clause that stands by itself. */
export const capitalise = (clause: string): string =>
  clause.slice(0, 1).toLocaleUpperCase() + clause.slice(1);
