// Words of the game's catalogue. Sentences about cards and deals come from the server (`captions`).
import { issueCard, markText, signedNumber, type OptionOf, type Table } from "./view";

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

/** The name of a card: the pack's own, or the catalogue's. */
export function cardName(say: Words, view: Pick<Table, "cards">, id: string): string {
  const card = view.cards[id];
  return card?.name || say(`${card?.kind ?? "issue"}.${id}`);
}

/** The same with its mark, for labels. */
export const markedName = (say: Words, view: Pick<Table, "cards">, id: string): string =>
  markText(cardName(say, view, id), view.cards[id]?.certainty["name"]);

export const optionName = (say: Words, option: OptionOf): string =>
  option.name || say(`choice.${option.option}`);

/** A way to settle an issue (`palestine.uk_mandate`), both by name. */
export function wayName(say: Words, view: Table, way: string): string {
  const [issue = "", chosen = ""] = way.split(".");
  const option = issueCard(view, issue)?.options.find((each) => each.option === chosen);
  return `${cardName(say, view, issue)}: ${option ? optionName(say, option) : chosen}`;
}
