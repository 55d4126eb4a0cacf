// What happened in one place, step by step, as the server tells it for the moment on the screen.
import { api } from "../../api/client";
import type { Scene } from "../../api/types";
import type { LiveTable } from "../table/live_table.svelte";

export class Scenes {
  list = $state.raw<readonly Scene[]>([]);
  private wanted = -1;

  constructor(private readonly live: LiveTable) {}

  /** Loads the scenes after the first `seq` entries of the log. */
  async load(seq: number): Promise<void> {
    if (seq === this.wanted) return;
    this.wanted = seq;
    const { viewerGeneration } = this.live.sync;
    try {
      const { scenes } = await api.scenes(this.live.id, seq, this.live.sync.as);
      const outdated = seq !== this.wanted || viewerGeneration !== this.live.sync.viewerGeneration;
      if (!outdated) this.list = scenes;
    } catch {
      // The board and the log tell the same without pictures, until they are asked for again.
      if (seq === this.wanted) this.wanted = -1;
    }
  }

  /** Another viewer or another language. */
  reset(): void {
    this.wanted = -1;
    this.list = [];
  }
}
