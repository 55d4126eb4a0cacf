// What happened in one place, step by step, as the server tells it for the moment on the screen.
import { api } from "../../api/client";
import type { Scene } from "../../api/types";
import type { LiveTable } from "../table/live_table.svelte";

export class Scenes {
  list = $state.raw<readonly Scene[]>([]);
  /** The scene that is played at the moment on the screen: it goes on, or has just ended. */
  played = $state.raw<Scene | null>(null);
  private known = false; // whether the list is that of an earlier moment, and not empty by reset
  private wanted = -1;
  private at = 0; // the moment that the list is of, or where a showing began

  constructor(private readonly live: LiveTable) {}

  /** Loads the scenes after the first `seq` entries of the log. */
  async load(seq: number): Promise<void> {
    if (seq === this.wanted) return;
    this.wanted = seq;
    const { viewerGeneration } = this.live.sync;
    try {
      const { scenes } = await api.scenes(this.live.id, seq, this.live.sync.as);
      const outdated = seq !== this.wanted || viewerGeneration !== this.live.sync.viewerGeneration;
      if (!outdated) this.show(seq, scenes);
    } catch {
      // The board and the log tell the same without pictures, until they are asked for again.
      if (seq === this.wanted) this.wanted = -1;
    }
  }

  /** Steps are shown from here on: what has ended before is not played again. */
  begin(seq: number): void {
    if (this.played?.over) this.played = null;
    if (seq < this.at) this.known = false; // the list is of a later moment
    this.at = seq;
  }

  private show(seq: number, scenes: readonly Scene[]): void {
    const before = this.list.at(-1);
    const ended = scenes.at(-2);
    // One that ends as the next begins: its last step is shown, and the next has none yet.
    const both = !!ended && goesOn(before, ended) && !scenes.at(-1)?.beats.length;
    const last = (both ? ended : scenes.at(-1)) ?? null;
    const news = this.known && seq > this.at && !isSame(before, last);
    this.played = last && (!last.over || news) ? last : null;
    this.list = scenes;
    this.known = true;
    this.at = seq;
  }

  /** In another language: the same scenes again. */
  renew(): void {
    const seq = this.wanted;
    this.reset();
    if (seq >= 0) void this.load(seq);
  }

  /** Another viewer. */
  reset(): void {
    this.wanted = -1;
    this.list = [];
    this.played = null;
    this.known = false;
  }
}

const isSame = (before: Scene | undefined, now: Scene | null): boolean =>
  before?.kind === now?.kind &&
  before?.about === now?.about &&
  before?.beats.length === now?.beats.length;

/** Whether a scene is the one of before, with another step. */
const goesOn = (before: Scene | undefined, now: Scene): boolean =>
  before?.kind === now.kind && before.about === now.about && before.beats.length < now.beats.length;
