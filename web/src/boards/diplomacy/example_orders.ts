// An example of typed orders, made from the orders that are offered.
import type { Row } from "../../lib/question/tree";

/** A piece and the first place where it may go, for each piece that may move. */
export function exampleOrders(rows: readonly Row[]): string[] {
  return rows.flatMap(({ label, node }) => {
    const moves = node.kind === "one" ? node.options.find((o) => o.text.endsWith(" -")) : undefined;
    const first = moves?.then?.kind === "one" ? moves.then.options[0] : undefined;
    return first ? [`${label} - ${first.label}`] : [];
  });
}
