// What the panels, and the parts of a phone's screen, should show first: derived from view and question.
import type { Option, Question } from "../../../lib/question/tree";
import type { Walk } from "../../../lib/question/walk.svelte";
import { issueCard, NATIONS, type DealOf, type Nation, type Table } from "../view";

/** The decision at hand: a nation to be chosen, issues just drawn, an option, an auction. */
export interface Decision {
  nations: Nation[]; // that can be chosen at the beginning
  issues: string[];
  choosing: string; // the issue whose options are what is asked
}

type Targets = Pick<ReadonlySet<string>, "has">;

export function pendingDecision(
  view: Table,
  question: Question | null,
  open: Targets,
): Decision | null {
  const nations = view.turn === 0 ? NATIONS.filter((nation) => open.has(nation)) : [];
  if (nations.length) return { nations, issues: [], choosing: "" };
  const undecided = pending(view);
  const choosing = undecided && offers(question, "option") ? undecided : "";
  if (view.bidding) return { nations, issues: [view.bidding.issue], choosing };
  if (undecided) return { nations, issues: [undecided], choosing };
  return view.drawn.length ? { nations, issues: view.drawn, choosing: "" } : null;
}

/** The issue that is settled, but not yet how. */
const pending = (view: Table): string =>
  NATIONS.flatMap((nation) => view.nations[nation].issues).find(
    (held) => held.option === null && issueCard(view, held.issue)?.options.length,
  )?.issue ?? "";

function offers(question: Question | null, verb: string): boolean {
  const root = question?.node;
  return root?.kind === "one" && root.options.some((o) => o.text.startsWith(`${verb} `));
}

/** The options of an issue being settled that are no names of anything, such as `option yes`. */
export const waysToSettle = (options: readonly Option[]): Map<string, Option> =>
  new Map(
    options
      .filter((option) => !option.target && option.text.startsWith("option "))
      .map((option) => [option.text.slice("option ".length), option]),
  );

/**
 * The options (`palestine.uk_mandate`) of issues on the table that I may settle and lead: which one
 * is mine to choose, so a click on it can settle the issue. Each with the answers that lead there.
 */
export function ownSettlements(
  view: Table,
  walk: { options: Option[]; steps: { text: string }[] },
): Map<string, Option[]> {
  const mine = view.solo?.faction ?? view.nation;
  const led = new Set(view.table.filter((o) => o.leader === mine).map((o) => o.issue));
  const verb = walk.options.find((option) => option.text === "settle");
  const begun = walk.steps.at(-1)?.text === "settle";
  const issues = begun ? walk.options : verb?.then?.kind === "one" ? verb.then.options : [];
  const options = (issue: string): string[] =>
    issueCard(view, issue)?.options.map(({ option }) => `${issue}.${option}`) ?? [];
  return new Map(
    issues
      .filter((issue) => led.has(issue.text))
      .flatMap((issue) => options(issue.text).map((o) => [o, verb ? [verb, issue] : [issue]])),
  );
}

/**
 * Takes these answers one after the other, whatever a click on another card had narrowed. The last one
 * is called by `label`, which names what it will lead to.
 */
export function takeSteps(walk: Walk, steps: readonly Option[], label: string): void {
  walk.narrowed = "";
  for (const step of steps)
    if (walk.options.includes(step)) walk.choose(step === steps.at(-1) ? { ...step, label } : step);
}

/** Deals on offer that wait for my answer. */
export const offersForMe = (view: Table): DealOf[] =>
  view.deals.filter(
    (deal) =>
      !deal.made &&
      view.nation !== null &&
      deal.parties.includes(view.nation) &&
      !deal.agreed.includes(view.nation),
  );

/** The parts of the board, as a phone shows them one below the other. */
export const PLACES = ["table", "events", "regions", "papers"] as const;
export type Place = (typeof PLACES)[number];

/** In which parts of the board these elements lie. */
export function placesWith(view: Table, targets: Iterable<string>): Set<Place> {
  const issues = new Set([...view.table, ...view.waiting].map((open) => open.issue));
  const events = new Set([view.event, ...view.lobby, ...view.pile, "draw"]);
  const where = (target: string): Place => {
    if (issues.has(target)) return "table";
    if (events.has(target)) return "events";
    return (target.split(".")[0] ?? "") in view.regions ? "regions" : "papers";
  };
  return new Set([...targets].map(where));
}
