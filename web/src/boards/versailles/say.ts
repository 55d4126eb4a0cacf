// Sentences of the game made in the browser: effects of events and terms of deals, from the same
// catalogue and by the same codes as the server (texts.py), so that both say the same.
import type { Effect } from "./view";
import { signed } from "./view";
import { readTerm } from "./terms";

export type Words = (code: string, args?: Record<string, string | number>) => string;

/** Words of the game by short codes; `{n:+d}` is written with its sign. */
export const speaker =
  (words: Words): Words =>
  (code, args = {}) =>
    words(`versailles.${code}`, args).replace(/\{(\w+):\+d\}/g, (all, name: string) =>
      name in args ? signed(Number(args[name])) : all,
    );

type Say = Words;
const text = (value: unknown): string => (typeof value === "string" ? value : "");
const number = (value: unknown, other = 0): number => (typeof value === "number" ? value : other);
const effects = (value: unknown): Effect[] => (Array.isArray(value) ? (value as Effect[]) : []);

/** Effects one after the other. */
export function effectsText(say: Say, list: readonly Effect[]): string {
  const [first, ...rest] = list;
  if (!first) return "";
  const said = effectText(say, first);
  return rest.length ? say("text.then", { first: said, rest: effectsText(say, rest) }) : said;
}

const region = (say: Say, effect: Effect): string => say(`region.${text(effect["region"])}`);
const counter = (say: Say, value: unknown): string => say(`counter.${text(value)}`);

const PLAIN = new Set(["rally", "demobilise", "deploy", "clear"]);

const SAID: Record<string, (say: Say, effect: Effect) => string> = {
  check: checkText,
  unrest: (say, e) => {
    const n = number(e["n"]);
    const code = n > 0 ? "text.unrest_add" : "text.unrest_remove";
    return per(say, e, say(code, { n: Math.abs(n), region: region(say, e) }));
  },
  keg: (say, e) =>
    say(number(e["n"]) > 0 ? "text.keg_add" : "text.keg_remove", { region: region(say, e) }),
  pay: (say, e) => say("text.pay", { n: number(e["n"]) }),
  exhaust: (say, e) => whose(say, e, say("text.exhaust", { n: number(e["n"]) })),
  recover: (say, e) => whose(say, e, per(say, e, say("text.recover", { n: number(e["n"]) }))),
  happiness: (say, e) => {
    const n = number(e["n"]);
    const said = say(n > 0 ? "text.happiness_gain" : "text.happiness_lose", { n: Math.abs(n) });
    return whose(say, e, e["per_unit"] ? say("text.per_unit", { text: said }) : said);
  },
  choose_player: (say, e) =>
    say(e["regions"] ? "text.choose_player_regions" : "text.choose_player", {
      text: effectsText(say, effects(e["then"])),
    }),
  either: (say, e) => {
    const [one, two] = (e["branches"] as Effect[][]).map((branch) => effectsText(say, branch));
    return say("text.either", { one: one ?? "", two: two ?? "" });
  },
  each: (say, e) =>
    say(e["first"] ? "text.each_first" : "text.each_last", {
      text: effectsText(say, effects(e["then"])),
    }),
  withdraw: (say, e) => say(e["everyone"] ? "text.withdraw_all" : "text.withdraw"),
  unsettle: (say, e) =>
    say("text.unsettle", {
      categories: (e["categories"] as string[]).map((c) => say(`region.${c}`)).join(", "),
    }),
  unless: (say, e) =>
    say("text.unless", {
      counter: counter(say, e["counter"]),
      region: region(say, e),
      text: effectsText(say, effects(e["then"])),
    }),
};

/** One effect as a clause. */
export function effectText(say: Say, effect: Effect): string {
  if (PLAIN.has(effect.do)) return say(`text.${effect.do}`);
  return SAID[effect.do]?.(say, effect) ?? "";
}

function checkText(say: Say, e: Effect): string {
  let said = say("text.check", { region: region(say, e) });
  if (e["modifier"])
    said = say("text.check_modified", { text: said, modifier: number(e["modifier"]) });
  if (e["per"]) said = say("text.check_per", { text: said, counter: counter(say, e["per"]) });
  const calm = effects(e["calm"]);
  if (calm.length) said = say("text.check_calm", { text: said, rest: effectsText(say, calm) });
  const kept = effects(e["kept"]);
  if (kept.length) said = say("text.check_kept", { text: said, rest: effectsText(say, kept) });
  return said;
}

const per = (say: Say, e: Effect, said: string): string =>
  e["per"] ? say("text.per_counter", { text: said, counter: counter(say, e["per"]) }) : said;

const whose = (say: Say, e: Effect, said: string): string => {
  const who = text(e["who"]) || "subject";
  return who === "subject" ? said : say(`text.who_${who}`, { text: said });
};

/** The first letter large: a clause that stands by itself. */
export const sentence = (clause: string): string =>
  clause.slice(0, 1).toLocaleUpperCase() + clause.slice(1);

const SIGNS: Record<string, number> = { plus: 1, zero: 0, minus: -1 };

/** A term of a deal in words (texts.py: term_text). */
export function termText(say: Say, written: string): string {
  const { nation, kind, args, later } = readTerm(written);
  const [first = "", second = ""] = args;
  const said = say(`term.${kind}`, {
    nation: say(`nation.${nation}`),
    issue: say(`issue.${first}`),
    region: say(`region.${first}`),
    where: say(`in.${first}`),
    other: say(`nation.${first}`),
    card: say(`issue.${first}`) || say(`event.${first}`),
    option: say(`choice.${second}`),
    counter: say(`counter.naval.${second}`),
    branch: first,
    modifier: SIGNS[second] ?? 0,
    n: Number(second) || 0,
    action: first.replaceAll("~", " ").replaceAll(";", ","),
  });
  return later ? say("term.later", { text: said }) : said;
}
