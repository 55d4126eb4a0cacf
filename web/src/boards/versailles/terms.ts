// Deals as the wire writes them: `usa.settle.armenia`, `uk.later.shun.syria`. The question lists
// every term that can be kept, and what excludes what; here they are put in order for a form.
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
