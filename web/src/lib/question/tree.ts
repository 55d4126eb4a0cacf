// Questions as trees: a tree is a grammar of the wire notation (see core/ask.py). A reader
// walks it from the root and writes one piece of text per node; joined by spaces they are an action.
// Nothing here knows any game.

export interface Option {
  text: string;
  label: string;
  target?: string; // id of a board element
  then?: Node | null;
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
}

export type Node = One | Some | Amount | Assign | Orders;

export interface Question {
  prompt: string;
  node: Node;
}

export const NONE = "-";

/** What `Some` writes: the chosen texts in listed order. */
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

/** What `Assign` writes: ``paris:2,lyon:1`` in listed order. */
export function assignText(node: Assign, amounts: Readonly<Record<string, number>>): string {
  const parts = node.shares
    .filter((s) => (amounts[s.text] ?? 0) > 0)
    .map((s) => `${s.text}:${amounts[s.text]}`);
  return parts.join(",") || NONE;
}

/** Whether so many may be chosen. */
export const fits = (node: Some | Assign | Amount, count: number): boolean =>
  count >= node.least && count <= node.most;

export const total = (amounts: Readonly<Record<string, number>>): number =>
  Object.values(amounts).reduce((sum, n) => sum + n, 0);

/** Whether `text` is one piece that `node` can write. */
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

/** How a stored answer reads: the labels along the path that writes `text`, or null. */
export function answerLabels(node: Node | null | undefined, text: string): string[] | null {
  if (!node) return text === "" ? [] : null;
  if (node.kind === "one") return readingOne(node.options, text);
  if (node.kind === "orders") {
    for (const row of node.rows) {
      const found = answerLabels(row.node, text);
      if (found) return [row.label, ...found];
    }
    return readingOne(node.options, text);
  }
  const [head, tail] = cut(text);
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

function readingOne(options: Option[], text: string): string[] | null {
  for (const option of options) {
    if (text !== option.text && !text.startsWith(`${option.text} `)) continue;
    const rest = answerLabels(option.then, text.slice(option.text.length + 1));
    if (rest) return [option.label, ...rest];
  }
  return null;
}

const cut = (text: string): [string, string] => {
  const at = text.indexOf(" ");
  return at < 0 ? [text, ""] : [text.slice(0, at), text.slice(at + 1)];
};

const splitPair = (pair: string): [string, string] => {
  const at = pair.lastIndexOf(":");
  return [pair.slice(0, at), pair.slice(at + 1)];
};

/**
 * Paths of options that end at `target`, from the options of one node downwards. A click on the
 * board may so answer two small questions at once ("attack", then "from Paris") when only one
 * path leads there.
 */
export function pathsTo(options: Option[], target: string, depth = 3): Option[][] {
  const paths: Option[][] = [];
  for (const option of options) {
    if (option.target === target) paths.push([option]);
    else if (depth > 1 && !option.target && option.then?.kind === "one")
      for (const rest of pathsTo(option.then.options, target, depth - 1))
        paths.push([option, ...rest]);
  }
  return paths;
}

/** Every board element that a click may choose, from the options of one node downwards. */
export function targetsOf(options: Option[], depth = 3): Set<string> {
  const targets = new Set<string>();
  for (const option of options) {
    if (option.target) targets.add(option.target);
    else if (depth > 1 && option.then?.kind === "one")
      for (const target of targetsOf(option.then.options, depth - 1)) targets.add(target);
  }
  return targets;
}

/**
 * The action that a click on `target` would mean if it were offered: what another place of the same
 * node writes, with the name of that place exchanged. Null where nothing of the kind is asked. The
 * server can be asked why it is refused. `own`: the piece that is being ordered.
 */
export function wouldBe(
  node: Node | null,
  written: string,
  target: string,
  own = "",
): string | null {
  const [text, place] = (node && model(node, own)) ?? [];
  if (text === undefined || !place || place === target) return null;
  const words = text.split(" ").map((word) => (word === place ? target : word));
  return joined(written, words.join(" "));
}

/** A whole answer to `node`, and the board element whose name is a word of it. */
function model(node: Node, own: string, depth = 3): [string, string] | null {
  if (node.kind === "orders") {
    for (const row of node.rows) {
      const text = leastText(row.node);
      if (text?.split(" ").includes(row.target)) return [text, row.target];
    }
    return null;
  }
  if (node.kind !== "one") return null;
  for (const option of node.options) {
    const place = option.target;
    if (!place || place === own || !option.text.split(" ").includes(place)) continue;
    const rest = leastText(option.then);
    if (rest !== null) return [joined(option.text, rest), place];
  }
  for (const option of depth ? node.options : []) {
    const found = !option.target && option.then ? model(option.then, own, depth - 1) : null;
    if (found) return [joined(option.text, found[0]), found[1]];
  }
  return null;
}

/** The first whole answer to a node. */
function leastText(node: Node | null | undefined): string | null {
  if (!node) return "";
  if (node.kind === "orders") return leastText(node.rows[0]?.node);
  if (node.kind === "one") {
    for (const option of node.options) {
      const rest = leastText(option.then);
      if (rest !== null) return joined(option.text, rest);
    }
    return null;
  }
  const rest = leastText(node.then);
  if (rest === null) return null;
  if (node.kind === "amount") return joined(String(node.least), rest);
  if (node.kind === "some")
    return joined(
      node.options
        .slice(0, node.least)
        .map((o) => o.text)
        .join(",") || NONE,
      rest,
    );
  return node.least === 0 ? joined(NONE, rest) : filled(node, rest);
}

function filled(node: Assign, rest: string): string | null {
  let left = node.least;
  const parts: string[] = [];
  for (const share of node.shares) {
    const n = Math.min(left, share.most);
    if (n > 0) parts.push(`${share.text}:${n}`);
    left -= n;
  }
  return left > 0 ? null : joined(parts.join(","), rest);
}

const joined = (head: string, tail: string): string => [head, tail].filter(Boolean).join(" ");
