// Deals as the wire writes them: `usa.settle.armenia`, `uk.later.shun.syria`. The question lists
// every term that can be kept, and what excludes what; here they are put in order for a form.
import type { Option, Question, Some } from "../../../lib/question/tree";
import type { DealOf, Nation } from "../view";

export interface Term {
  text: string;
  nation: Nation;
  kind: string;
  args: string[];
  later: boolean; // a promise: recorded and shown, not enforced
}

export function parseTerm(text: string): Term {
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

/** An offer that answers another begins with its terms. */
export const counterDraft = (deal: DealOf): Draft => ({
  to: `counter ${deal.number}`,
  terms: new Set(deal.terms),
});

/** The deal with these terms that a nation has offered, if it still stands. */
export const dealWith = (
  deals: readonly DealOf[],
  by: Nation | null,
  terms: readonly Term[],
): DealOf | undefined =>
  deals.find(
    (deal) =>
      deal.by === by &&
      deal.terms.length === terms.length &&
      terms.every((term) => deal.terms.includes(term.text)),
  );

/** How a deal with the same parties is proposed again. */
export const proposalTo = (
  partners: readonly Partner[],
  parties: readonly Nation[],
  me: Nation | null,
): string => {
  const others = parties.filter((nation) => nation !== me);
  const found = partners.find(({ text }) => {
    const [verb, who = ""] = text.split(" ");
    const nations = who.split("+");
    return (
      verb === "propose" &&
      nations.length === others.length &&
      others.every((nation) => nations.includes(nation))
    );
  });
  return found?.text ?? "";
};

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
  prepay: "influence",
  perform: "event",
  decline: "event",
  choose: "event",
  branch: "event",
  pick: "event",
  deploy: "regions",
  keepout: "regions",
  demobilise: "regions",
  modify: "regions",
  advance: "table",
  draw: "table",
  dive: "table",
  cube: "table",
  keep: "table",
  strategy: "table",
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

export const termChapter = (term: Term): Chapter =>
  term.later ? "later" : (CHAPTER[term.kind] ?? "issues");

export interface Partner {
  text: string; // what is written before the terms: `propose usa+france`, `counter 3`
  label: string;
  node: Some;
}

/** Everything that a deal can begin with: to whom, or which offer it answers. */
export function dealPartners(question: Question | null): Partner[] {
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
export const offerText = (partner: Partner, chosen: ReadonlySet<string>): string =>
  `${partner.text} ${partner.node.options
    .map((o) => o.text)
    .filter((t) => chosen.has(t))
    .join(",")}`;

/** Answers to deals on offer that the question lists: `accept 3`, `refuse 3`, `withdraw 2`. */
export function dealAnswers(question: Question | null, deal: number): Option[] {
  const root = question?.node;
  if (root?.kind !== "one") return [];
  return root.options.filter((o) => new RegExp(`^(accept|refuse|withdraw) ${deal}$`).test(o.text));
}
