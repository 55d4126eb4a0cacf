// Why not? What the pointer rests on and cannot be chosen is explained, with the rule.
import type { LiveTable } from "./live_table.svelte";
import { wouldBe } from "../question/tree";

/** Why something on the board cannot be chosen. */
export interface Because {
  target: string;
  text: string;
  rule: string;
}

const REST = 350; // milliseconds for which the pointer rests before it asks

export class WhyNot {
  because = $state.raw<Because | null>(null);
  private timer: ReturnType<typeof setTimeout> | undefined;
  private reasons = new Map<string, Promise<Because | null>>(); // of the question being asked

  constructor(private readonly live: LiveTable) {}

  /** The pointer rests on something (null: on nothing new): if it cannot be chosen, say why. */
  wonder(target: string | null, after = REST): void {
    clearTimeout(this.timer);
    const { walk, past, table } = this.live;
    const own = walk.row?.target ?? "";
    const offered = (place: string): boolean =>
      place === own ||
      walk.choices.some((c) => c.target === place || c.target.startsWith(`${place}/`));
    const asked = past === null && table?.question && !walk.complete;
    if (!target) return; // what was said can still be read
    if (!asked || offered(target)) {
      this.because = null;
      return;
    }
    const text = wouldBe(walk.node, walk.text, target, own);
    if (this.because?.target !== target) this.because = null;
    if (text) this.timer = setTimeout(() => void this.explain(target, text), after);
  }

  /** Something else is asked: what was said is true no more. */
  forget(): void {
    this.rest();
    this.reasons.clear();
    this.because = null;
  }

  rest(): void {
    clearTimeout(this.timer);
  }

  private async explain(target: string, text: string): Promise<void> {
    const known = this.reasons.get(text) ?? this.ask(target, text);
    this.reasons.set(text, known);
    const because = await known;
    if (this.reasons.has(text)) this.because = because;
  }

  private async ask(target: string, text: string): Promise<Because | null> {
    try {
      const [error] = (await this.live.commands.readOrders(text)).errors;
      return error?.rule ? { target, text: error.message, rule: error.rule } : null;
    } catch {
      return null; // an explanation that does not come is missed by nobody
    }
  }
}
