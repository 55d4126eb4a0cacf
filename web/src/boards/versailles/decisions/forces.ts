// The forces that may be bid in an auction, as the question lists them.
import type { Node, Question } from "../../../lib/question/tree";

/** The forces that may be bid, each with the cubes that go with it. */
export interface Force {
  strength: number;
  units: number;
  local: number;
  text: string;
  cubes: number[];
}

export function bidForces(question: Question | null, strengths: Record<string, number>): Force[] {
  const root = question?.node;
  const bid = root?.kind === "one" ? root.options.find((o) => o.text === "bid") : undefined;
  if (bid?.then?.kind !== "one") return [];
  return bid.then.options.map((option) => {
    const [units = 0, local = 0] = option.text.split("+").map(Number);
    const strength = strengths[option.text] ?? 0;
    return { strength, units, local, text: option.text, cubes: cubesOf(option.then) };
  });
}

function cubesOf(node: Node | null | undefined): number[] {
  if (node?.kind === "amount")
    return Array.from({ length: node.most - node.least + 1 }, (_, i) => node.least + i);
  return node?.kind === "one" ? node.options.map((o) => Number(o.text)).sort((a, b) => a - b) : [];
}
