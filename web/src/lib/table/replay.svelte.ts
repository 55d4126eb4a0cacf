// Replay: a past moment shown instead of the current table.
import { api } from "../../api/client";
import type { Moment } from "../../api/types";
import type { LiveTable } from "./live_table.svelte";

/** How many times as fast as usual a replay may go. */
export const SPEEDS = [0.5, 1, 2, 4] as const;
const PHASE_TIME = 2600; // milliseconds: the pieces move, and there is time to look

export class Replay {
  past = $state<number | null>(null); // how many log entries are shown; null when live
  moment = $state.raw<Moment | null>(null);
  playing = $state(false); // advancing automatically, phase by phase
  speed = $state<number>(1);
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly live: LiveTable) {}

  async goTo(seq: number): Promise<void> {
    const to = Math.max(0, Math.min(seq, this.live.log.length || seq)); // the log may come later
    const { viewerGeneration } = this.live.sync;
    this.past = to;
    this.live.watch.skip(); // one story at a time
    try {
      const moment = await api.moment(this.live.id, to, this.live.sync.as);
      if (this.past === to && viewerGeneration === this.live.sync.viewerGeneration)
        this.moment = moment;
    } catch (error) {
      if (this.past !== to || viewerGeneration !== this.live.sync.viewerGeneration) return;
      this.live.commands.showFailure(error);
      this.pause();
      this.past = this.moment?.seq ?? null; // stay at the last moment that loaded
    }
  }

  async step(by: number): Promise<void> {
    const to = (this.past ?? this.live.log.length) + by;
    if (to >= this.live.log.length) this.showPresent();
    else await this.goTo(to);
  }

  async stepPhase(by: 1 | -1): Promise<void> {
    const now = this.past ?? this.presentStart();
    const marks = [0, ...this.live.log.phases.map((p) => p.seq), this.live.log.length];
    const to = by > 0 ? marks.find((seq) => seq > now) : marks.filter((seq) => seq < now).at(-1);
    if (to === undefined || to >= this.live.log.length) this.showPresent();
    else await this.goTo(to);
  }

  /** Since when the board looks as it does now: a phase in which nothing was seen to happen yet
      looks at its beginning as it does at the end. */
  private presentStart(): number {
    const begun = this.live.log.phases.at(-1)?.seq ?? 0;
    const seen = this.live.log.entries.some(
      (entry) => entry.seq >= begun && entry.facts.some((fact) => !fact.quiet),
    );
    return seen ? this.live.log.length : begun;
  }

  showPresent(): void {
    this.past = null;
    this.moment = null;
    this.pause();
  }

  async togglePlaying(): Promise<void> {
    this.playing = !this.playing;
    if (this.playing && this.past === null) await this.goTo(0);
    this.tick();
  }

  /** Stops advancing automatically. */
  pause(): void {
    this.playing = false;
    clearTimeout(this.timer);
  }

  private tick(): void {
    clearTimeout(this.timer);
    if (!this.playing) return;
    this.timer = setTimeout(
      () => void this.stepPhase(1).then(() => this.tick()),
      PHASE_TIME / this.speed,
    );
  }
}
