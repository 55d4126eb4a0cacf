// Deals as the wire writes them: `usa.settle.armenia`, `uk.later.shun.syria` (deals.py). The
// question lists every term that can be kept; here they are put in order for a form in which
// what cannot stand together excludes each other. The server has the last word.
import type { Node, Option, Question, Some } from "../../lib/tree";
import type { DealOf, Nation } from "./view";

export interface Term {
  text: string;
  nation: Nation;
  kind: string;
  args: string[];
  later: boolean; // a promise: recorded and shown, not enforced
}

export function readTerm(text: string): Term {
  const [nation = "", ...rest] = text.split(".");
  const later = rest[0] === "later";
  const [kind = "", ...args] = later ? rest.slice(1) : rest;
  return { text, nation: nation as Nation, kind, args, later };
}

/** A deal that is being written: with whom (as in the question), and its terms. */
export interface Draft {
  to: string;
  terms: ReadonlySet<string>;
}

export const BLANK: Draft = { to: "", terms: new Set() };

/** Whoever answers an offer with another begins with its terms. */
export const answerTo = (deal: DealOf): Draft => ({
  to: `counter ${deal.number}`,
  terms: new Set(deal.terms),
});

const ONCE = new Set(["settle", "deploy", "choose", "branch", "dive"]); // one of its kind a party
const ONCE_EACH = new Set(["option", "flag", "modify", "give"]); // one about the same thing
// Pairs of kinds, each in the order of the alphabet.
const NEVER = ["place settle", "decline perform", "dive draw"];
const NOT_BOTH = ["place shun", "deploy keepout", "bid pass"]; // about the same thing

/** Whether one party cannot keep both. `lobby`: events waiting, which advance beside an issue. */
export function clash(one: Term, two: Term, lobby: readonly string[] = []): boolean {
  if (one.text === two.text || one.nation !== two.nation || one.later || two.later) return false;
  const same = one.args[0] === two.args[0];
  if (one.kind === two.kind) {
    if (one.kind === "advance")
      return lobby.includes(one.args[0] ?? "") === lobby.includes(two.args[0] ?? "");
    return ONCE.has(one.kind) || (ONCE_EACH.has(one.kind) && same);
  }
  const pair = [one.kind, two.kind].sort().join(" ");
  return NEVER.includes(pair) || (same && NOT_BOTH.includes(pair));
}

/** Where a term stands in the form. */
export type Chapter = "issues" | "options" | "influence" | "event" | "regions" | "table" | "later";

const CHAPTER: Record<string, Chapter> = {
  settle: "issues",
  place: "issues",
  shun: "issues",
  option: "options",
  flag: "options",
  pass: "options",
  bid: "options",
  give: "influence",
  perform: "event",
  decline: "event",
  choose: "event",
  branch: "event",
  deploy: "regions",
  keepout: "regions",
  modify: "regions",
  advance: "table",
  draw: "table",
  dive: "table",
};
export const CHAPTERS: readonly Chapter[] = [
  "issues",
  "options",
  "influence",
  "event",
  "regions",
  "table",
  "later",
];

export const chapterOf = (term: Term): Chapter =>
  term.later ? "later" : (CHAPTER[term.kind] ?? "issues");

export interface Partner {
  text: string; // what is written before the terms: `propose usa+france`, `counter 3`
  label: string;
  node: Some;
}

/** Everything that a deal can begin with: to whom, or which offer it answers. */
export function partners(question: Question | null): Partner[] {
  const root = question?.node;
  if (root?.kind !== "one") return [];
  return root.options.flatMap((option) => {
    if (/^counter \d+$/.test(option.text) && option.then?.kind === "some")
      return [{ text: option.text, label: option.label, node: option.then }];
    if (option.text !== "propose" || option.then?.kind !== "one") return [];
    return option.then.options.flatMap((partner) => under(option.text, partner));
  });
}

const under = (verb: string, partner: Option): Partner[] =>
  partner.then?.kind === "some"
    ? [{ text: `${verb} ${partner.text}`, label: partner.label, node: partner.then }]
    : [];

/** The finished offer in wire notation: terms in listed order, as the tree writes them. */
export const offer = (partner: Partner, chosen: ReadonlySet<string>): string =>
  `${partner.text} ${partner.node.options
    .map((o) => o.text)
    .filter((t) => chosen.has(t))
    .join(",")}`;

/** Answers to deals on offer that the question lists: `accept 3`, `refuse 3`, `withdraw 2`. */
export function answers(question: Question | null, deal: number): Option[] {
  const root = question?.node;
  if (root?.kind !== "one") return [];
  return root.options.filter((o) => new RegExp(`^(accept|refuse|withdraw) ${deal}$`).test(o.text));
}

/** The forces that may be bid, each with the cubes that go with it. */
export interface Force {
  units: number;
  local: number;
  text: string;
  cubes: number[];
}

export function forces(question: Question | null): Force[] {
  const root = question?.node;
  const bid = root?.kind === "one" ? root.options.find((o) => o.text === "bid") : undefined;
  if (bid?.then?.kind !== "one") return [];
  return bid.then.options.map((option) => {
    const [units = 0, local = 0] = option.text.split("+").map(Number);
    return { units, local, text: option.text, cubes: cubesOf(option.then) };
  });
}

function cubesOf(node: Node | null | undefined): number[] {
  if (node?.kind === "amount")
    return Array.from({ length: node.most - node.least + 1 }, (_, i) => node.least + i);
  return node?.kind === "one" ? node.options.map((o) => Number(o.text)).sort((a, b) => a - b) : [];
}

export const strength = (force: Pick<Force, "units" | "local">): number =>
  force.units + 2 * force.local;
