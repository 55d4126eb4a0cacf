// Why not? Explains why the thing under the pointer cannot be chosen, with the rule.
import type { LiveTable } from "./live_table.svelte";
import { hypotheticalAction } from "../question/tree";

/** Why something on the board cannot be chosen. */
export interface Reason {
  target: string;
  text: string;
  rule: string;
}

const READING_TIME = 6000; // milliseconds that an explanation stays when the pointer has left
const HOVER_DELAY = 350; // milliseconds that the pointer has to rest before the server is asked

export class WhyNot {
  reason = $state.raw<Reason | null>(null);
  private timer: ReturnType<typeof setTimeout> | undefined;
  private reasons = new Map<string, Promise<Reason | null>>(); // by action text

  constructor(private readonly live: LiveTable) {}

  /** The pointer rests on `target` (null: on nothing): if it cannot be chosen, explains why. */
  explainSoon(target: string | null, after = HOVER_DELAY): void {
    clearTimeout(this.timer);
    const { walk, past, table, watch } = this.live;
    const own = walk.row?.target ?? "";
    const offered = (place: string): boolean =>
      place === own ||
      walk.steps.some((step) => step.target === place) ||
      walk.choices.some((c) => c.target === place || c.target.startsWith(`${place}/`));
    const asked = past === null && !watch.busy && table?.question && !walk.complete;
    if (!target) {
      // the last explanation stays long enough to be read
      this.timer = setTimeout(() => (this.reason = null), READING_TIME);
      return;
    }
    if (!asked || offered(target)) {
      this.reason = null;
      return;
    }
    const text = hypotheticalAction(walk.node, walk.text, target, own);
    if (this.reason?.target !== target) this.reason = null;
    if (text) this.timer = setTimeout(() => void this.explain(target, text), after);
  }

  /** The question changed, so earlier explanations no longer apply. */
  reset(): void {
    this.cancel();
    this.reasons.clear();
    this.reason = null;
  }

  cancel(): void {
    clearTimeout(this.timer);
  }

  private async explain(target: string, text: string): Promise<void> {
    const known = this.reasons.get(text) ?? this.fetchReason(target, text);
    this.reasons.set(text, known);
    const reason = await known;
    if (this.reasons.has(text)) this.reason = reason;
  }

  private async fetchReason(target: string, text: string): Promise<Reason | null> {
    try {
      const [error] = (await this.live.commands.readOrders(text)).errors;
      return error?.rule ? { target, text: error.message, rule: error.rule } : null;
    } catch {
      return null; // nobody misses an explanation that never arrives
    }
  }
}
