// Questions as trees: a tree is a grammar of the wire notation (see core/ask.py). An answer
// goes from the root down and adds one piece of text per node; joined by spaces they are an action.
// Nothing here depends on a game.

export interface Option {
  text: string;
  label: string;
  target?: string; // id of a board element
  then?: Node | null;
  confirm?: boolean; // it ends something, so the player is asked back
  notes?: string[]; // what the player would want to know then
}

export interface One {
  kind: "one";
  prompt?: string;
  options: Option[];
}

export interface Some {
  kind: "some";
  prompt?: string;
  options: Option[];
  least: number;
  most: number;
  exclusive?: string[][]; // groups of texts of which at most one may be chosen
  then?: Node | null;
}

export interface Amount {
  kind: "amount";
  prompt?: string;
  least: number;
  most: number;
  chosen?: number; // the answer given so far, which may still be changed
  then?: Node | null;
}

export interface Share {
  text: string;
  label: string;
  most: number;
  target?: string;
}

export interface Assign {
  kind: "assign";
  prompt?: string;
  shares: Share[];
  least: number;
  most: number;
  then?: Node | null;
}

export interface Row {
  target: string;
  label: string;
  node: Node;
  chosen: string;
}

export interface Orders {
  kind: "orders";
  prompt?: string;
  rows: Row[];
  options: Option[];
  due?: number; // how many rows are to be answered; otherwise all
}

export type Node = One | Some | Amount | Assign | Orders;

export interface Question {
  prompt: string;
  node: Node;
}

export const NONE = "-";

/** How many orders are given, of how many. */
export const orderCount = ({ rows, due }: Orders): { given: number; all: number } => ({
  given: rows.filter((row) => row.chosen).length,
  all: due ?? rows.length,
});

/** Whether a row is only there to be read. */
export const isReadOnly = (row: Row): boolean =>
  row.node.kind === "one" && row.node.options.length === 0;

/** The text of an answer to `Some`: the chosen texts in listed order. */
export function someText(node: Some, chosen: ReadonlySet<string>): string {
  const texts = node.options.map((o) => o.text).filter((text) => chosen.has(text));
  return texts.join(",") || NONE;
}

/** The chosen text that excludes `text`, if there is one. */
export function chosenRival(
  node: Some,
  text: string,
  chosen: ReadonlySet<string>,
): string | undefined {
  const rivals = new Set(node.exclusive?.filter((group) => group.includes(text)).flat());
  return node.options.find((o) => o.text !== text && rivals.has(o.text) && chosen.has(o.text))
    ?.text;
}

/** The text of an answer to `Assign`, such as `paris:2,lyon:1`, in listed order. */
export function assignText(node: Assign, amounts: Readonly<Record<string, number>>): string {
  const parts = node.shares
    .filter((s) => (amounts[s.text] ?? 0) > 0)
    .map((s) => `${s.text}:${amounts[s.text]}`);
  return parts.join(",") || NONE;
}

/** Whether `count` is within the limits of the node. */
export const fits = (node: Some | Assign | Amount, count: number): boolean =>
  count >= node.least && count <= node.most;

export const total = (amounts: Readonly<Record<string, number>>): number =>
  Object.values(amounts).reduce((sum, n) => sum + n, 0);

/** Whether `text` is a valid answer to `node` alone. */
export function accepts(node: Some | Amount | Assign, text: string): boolean {
  if (node.kind === "amount") return /^\d+$/.test(text) && fits(node, Number(text));
  const parts = text === NONE ? [] : text.split(",");
  if (node.kind === "some") {
    const chosen = new Set(parts);
    const known = parts.every((p) => node.options.some((o) => o.text === p));
    return fits(node, parts.length) && known && !parts.some((p) => chosenRival(node, p, chosen));
  }
  const pairs = parts.map(splitPair);
  return (
    fits(
      node,
      pairs.reduce((sum, [, n]) => sum + Number(n), 0),
    ) && pairs.every(([p, n]) => node.shares.some((s) => s.text === p && Number(n) <= s.most))
  );
}

/** The labels along the path that produces `text`; null if there is none. */
export function answerLabels(node: Node | null | undefined, text: string): string[] | null {
  if (!node) return text === "" ? [] : null;
  if (node.kind === "one") return optionLabels(node.options, text);
  if (node.kind === "orders") {
    for (const row of node.rows) {
      const found = answerLabels(row.node, text);
      if (found) return [row.label, ...found];
    }
    return optionLabels(node.options, text);
  }
  const [head, tail] = splitHead(text);
  const rest = answerLabels(node.then, tail);
  if (rest === null) return null;
  if (node.kind === "amount") return /^\d+$/.test(head) ? [head, ...rest] : null;
  if (node.kind === "some") {
    const texts = head === NONE ? [] : head.split(",");
    const labels = texts.map((t) => node.options.find((o) => o.text === t)?.label);
    return labels.every((l) => l !== undefined) ? [...(labels as string[]), ...rest] : null;
  }
  const pairs = head === NONE ? [] : head.split(",").map((pair) => splitPair(pair));
  const labels = pairs.map(([name, n]) => {
    const share = node.shares.find((s) => s.text === name);
    return share && `${share.label} ${n}`;
  });
  return labels.every((l) => l !== undefined) ? [...(labels as string[]), ...rest] : null;
}

function optionLabels(options: Option[], text: string): string[] | null {
  for (const option of options) {
    if (text !== option.text && !text.startsWith(`${option.text} `)) continue;
    const rest = answerLabels(option.then, text.slice(option.text.length + 1));
    if (rest) return [option.label, ...rest];
  }
  return null;
}

const splitHead = (text: string): [string, string] => {
  const at = text.indexOf(" ");
  return at < 0 ? [text, ""] : [text.slice(0, at), text.slice(at + 1)];
};

const splitPair = (pair: string): [string, string] => {
  const at = pair.lastIndexOf(":");
  return [pair.slice(0, at), pair.slice(at + 1)];
};

/**
 * Paths of options that end at `target`, from the options of one node downwards. A click on the
 * board can answer two small questions at once ("attack", then "from Paris") if only one path
 * leads there.
 */
export function pathsTo(options: Option[], target: string, depth = 3): Option[][] {
  const paths: Option[][] = [];
  for (const option of options) {
    if (isAt(option, target)) paths.push([option]);
    else if (depth > 1 && leadsTo(option, target) && option.then?.kind === "one")
      for (const rest of pathsTo(option.then.options, target, depth - 1))
        paths.push([option, ...rest]);
  }
  return paths;
}

/** The steps that a click certainly means: all if there is one way; if only coasts are left, those before them. */
export function sureSteps(paths: Option[][], target: string): Option[] {
  const [first = [], ...others] = paths;
  if (!others.length) return first;
  if (paths.some((path) => path.at(-1)?.target === target)) return [];
  return first.filter((option, at) => others.every((path) => path[at] === option));
}

/** Whether an option is what was clicked, or a coast of it, as `spa/nc` is of `spa`. */
const isAt = (option: Option, target: string): boolean =>
  option.target === target || !!option.target?.startsWith(`${target}/`);

/** Whether a click on `target` may pass through this option: it has no place of its own on the board,
 * or the target is a part of that place, as `europe.7` is of `europe`. */
const leadsTo = (option: Option, target: string): boolean =>
  !option.target || target.startsWith(`${option.target}.`);

/** Every board element that a click may choose, from the options of one node downwards. */
export function targetsOf(options: Option[], depth = 3): Set<string> {
  const targets = new Set<string>();
  for (const option of options) {
    if (option.target) targets.add(option.target);
    if (depth > 1 && option.then?.kind === "one")
      for (const target of targetsOf(option.then.options, depth - 1))
        if (leadsTo(option, target)) targets.add(target);
  }
  return targets;
}

/**
 * The action that a click on `target` would produce if it were allowed: the answer for another target
 * of the same node with the name replaced; null if the node has no such answer. The server can explain
 * why it is refused. `own`: the piece being ordered.
 */
export function hypotheticalAction(
  node: Node | null,
  written: string,
  target: string,
  own = "",
): string | null {
  const [text, place] = (node && exampleAnswer(node, own)) ?? [];
  if (text === undefined || !place || place === target) return null;
  const words = text.split(" ").map((word) => (word === place ? target : word));
  return joinText(written, words.join(" "));
}

/** The board element whose name is replaced there: only things of its kind can be meant. */
export const exampleTarget = (node: Node | null, own = ""): string =>
  (node && exampleAnswer(node, own)?.[1]) ?? "";

/** A complete answer to `node`, and the board element named in it. */
function exampleAnswer(node: Node, own: string, depth = 3): [string, string] | null {
  if (node.kind === "orders") {
    for (const row of node.rows) {
      const text = firstAnswer(row.node);
      if (text?.split(" ").includes(row.target)) return [text, row.target];
    }
    return null;
  }
  if (node.kind !== "one") return null;
  for (const option of node.options) {
    const place = option.target;
    if (!place || place === own || !option.text.split(" ").includes(place)) continue;
    const rest = firstAnswer(option.then);
    if (rest !== null) return [joinText(option.text, rest), place];
  }
  for (const option of depth ? node.options : []) {
    const found = !option.target && option.then ? exampleAnswer(option.then, own, depth - 1) : null;
    if (found) return [joinText(option.text, found[0]), found[1]];
  }
  return null;
}

/** The first complete answer to a node. */
function firstAnswer(node: Node | null | undefined): string | null {
  if (!node) return "";
  if (node.kind === "orders") return firstAnswer(node.rows[0]?.node);
  if (node.kind === "one") {
    for (const option of node.options) {
      const rest = firstAnswer(option.then);
      if (rest !== null) return joinText(option.text, rest);
    }
    return null;
  }
  const rest = firstAnswer(node.then);
  if (rest === null) return null;
  if (node.kind === "amount") return joinText(String(node.least), rest);
  if (node.kind === "some")
    return joinText(
      node.options
        .slice(0, node.least)
        .map((o) => o.text)
        .join(",") || NONE,
      rest,
    );
  return node.least === 0 ? joinText(NONE, rest) : fillShares(node, rest);
}

function fillShares(node: Assign, rest: string): string | null {
  let left = node.least;
  const parts: string[] = [];
  for (const share of node.shares) {
    const n = Math.min(left, share.most);
    if (n > 0) parts.push(`${share.text}:${n}`);
    left -= n;
  }
  return left > 0 ? null : joinText(parts.join(","), rest);
}

const joinText = (head: string, tail: string): string => [head, tail].filter(Boolean).join(" ");
