// A game one watches: what others do is queued here and shown step by step. It stands between the
// table as the server sent it and what the boards draw, and never keeps anybody from acting: `skip`
// shows the table as it is now.
import { api } from "../../api/client";
import type { Entry, Moment, Table, View } from "../../api/types";
import type { LiveTable } from "../table/live_table.svelte";
import { currentPace, isStep, stepTime } from "./pace";

/** What a board needs to draw a moment. */
export type Shown = Pick<
  Moment,
  "seq" | "view" | "captions" | "describe" | "phase" | "phase_text" | "to_act"
>;

const MOST_STEPS = 60; // more than that are not shown by themselves: somebody was away for long

export class Watch {
  /** The moment on the screen while steps are shown; null: the table as it is. */
  shown = $state.raw<Shown | null>(null);
  /** The step that led to it. */
  entry = $state.raw<Entry | null>(null);
  /** How many steps are still to come. */
  left = $state(0);
  paused = $state(false);
  /** Whether the board that is drawn can be watched; others show everything at once. */
  enabled = $state(false);
  private start = 0; // length of the log where the showing began
  private until = 0; // when the step on the screen has been seen
  private running = false;
  private wake: (() => void) | null = null;
  private onEnd: (() => void) | null = null;
  private fetched = new Map<string, Promise<Moment>>(); // by viewer and length of the log

  constructor(private readonly live: LiveTable) {}

  get busy(): boolean {
    return this.shown !== null;
  }

  /** How many entries of the log have been seen; all of them when nothing is being shown. */
  get upTo(): number {
    return this.shown?.seq ?? Infinity;
  }

  /**
   * A newer table came. Returns whether its news are shown step by step; `onEnd` is called when the
   * last of them has been seen.
   */
  follow(before: Table, table: Table, onEnd: () => void): boolean {
    if (this.busy) return true; // the queue goes on with what the log brings
    if (!this.enabled || currentPace() === "off" || document.hidden) return false;
    if (this.live.past !== null || table.seq <= before.seq || !before.view) return false;
    if (this.live.commands.answering ? isOwnStep(before, table) : isSameDecision(before, table))
      return false;
    this.begin(momentOf(before, before.view), onEnd);
    return true;
  }

  /** Where the reader's last turn ended; null if nothing happened since. */
  get lastTurn(): number | null {
    const { entries } = this.live.log;
    let at = entries.length;
    while (at > 0 && this.isOwn(entries[at - 1])) at -= 1; // the turn that has begun
    const end = at;
    while (at > 0 && !this.isOwn(entries[at - 1])) at -= 1;
    const since = entries.slice(at, end);
    return at > 0 && since.some(isStep) ? (since[0]?.seq ?? null) : null;
  }

  /** Shows everything since the reader's last turn, step by step. */
  async review(): Promise<void> {
    const from = this.lastTurn;
    if (from === null || this.busy) return;
    const moment = await this.fetch(from).catch(() => null);
    if (!moment || this.busy || this.live.past !== null) return;
    this.begin(moment, () => {});
    void this.run();
  }

  /** Goes on once the log has been loaded. */
  async run(): Promise<void> {
    if (this.running) return;
    this.running = true;
    try {
      await this.showSteps();
    } catch {
      // A moment that cannot be fetched is not worth a message: the table itself is here.
    } finally {
      this.running = false;
      this.end();
    }
  }

  private async showSteps(): Promise<void> {
    if (this.coming().length > MOST_STEPS) return;
    while (this.shown) {
      await this.rest();
      const next = this.coming()[0];
      if (!this.shown || !next) return;
      await this.show(next);
    }
  }

  /** Shows the table as it is now. */
  skip(): void {
    this.end();
  }

  togglePause(): void {
    this.paused = !this.paused;
    this.wake?.();
  }

  /** One step on or back; the reader now turns the pages. */
  async turn(by: 1 | -1): Promise<void> {
    if (!this.shown) return;
    this.paused = true;
    const all = this.stepsFrom(this.start);
    const at = all.findIndex((entry) => entry.seq + 1 === this.shown?.seq);
    const to = all[at + by];
    if (!to && by > 0) this.skip();
    else if (to) await this.show(to).catch(() => this.skip());
  }

  private begin(from: Shown, onEnd: () => void): void {
    this.start = from.seq;
    this.shown = from;
    this.entry = null;
    this.until = 0;
    this.paused = false;
    this.left = 0;
    this.onEnd = onEnd;
    this.live.scenes.begin(from.seq);
  }

  private end(): void {
    if (!this.busy) return;
    this.shown = null;
    this.paused = false;
    this.left = 0;
    this.fetched.clear();
    this.wake?.();
    const { onEnd } = this;
    this.onEnd = null;
    onEnd?.();
  }

  private stepsFrom(seq: number): Entry[] {
    const { entries, length } = this.live.log;
    return entries.filter(
      (entry) => entry.seq >= seq && entry.seq < length && isStep(entry) && !this.isOwn(entry),
    );
  }

  private coming(): Entry[] {
    return this.shown ? this.stepsFrom(this.shown.seq) : [];
  }

  private isOwn(entry: Entry | undefined): boolean {
    return !!entry && (this.live.table?.held.includes(entry.seat) ?? false);
  }

  private async show(entry: Entry): Promise<void> {
    const moment = await this.fetch(entry.seq + 1);
    if (!moment || !this.shown) return; // skipped meanwhile
    this.shown = moment;
    this.entry = entry;
    this.until = performance.now() + stepTime(entry, currentPace());
    const [next, ...more] = this.coming();
    this.left = next ? more.length + 1 : 0;
    if (next) void this.fetch(next.seq + 1).catch(() => {}); // so that it is here in time
  }

  /** The moment as the viewer sees it; null if the screen was handed over meanwhile. */
  private async fetch(seq: number): Promise<Moment | null> {
    const { viewerGeneration, as } = this.live.sync;
    const key = `${viewerGeneration} ${seq}`;
    const asked = this.fetched.get(key) ?? api.moment(this.live.id, seq, as);
    this.fetched.set(key, asked);
    try {
      const moment = await asked;
      return viewerGeneration === this.live.sync.viewerGeneration ? moment : null;
    } catch (error) {
      this.fetched.delete(key); // it may be asked for again
      throw error;
    }
  }

  /** Waits until the step on the screen has been seen. */
  private async rest(): Promise<void> {
    while (this.shown && (this.paused || performance.now() < this.until))
      await new Promise<void>((done) => {
        const left = this.until - performance.now();
        const timer = this.paused ? undefined : setTimeout(done, left);
        this.wake = () => {
          clearTimeout(timer);
          done();
        };
      });
    this.wake = null;
  }
}

const momentOf = (table: Table, view: View): Shown => {
  const { seq, captions = {}, phase, phase_text, to_act } = table;
  return { seq, view, captions, describe: table.describe ?? [], phase, phase_text, to_act };
};

const owes = ({ seat, to_act }: Table): boolean => !!seat && to_act.includes(seat);

/** Whether the reader is in the middle of a decision, which what others do must not interrupt. */
const isSameDecision = (before: Table, now: Table): boolean =>
  owes(before) && owes(now) && before.question?.prompt === now.question?.prompt;

/** Whether the table moved on by the reader's own answer alone. */
const isOwnStep = (before: Table, now: Table): boolean => now.seq === before.seq + 1;
