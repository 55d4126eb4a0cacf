// A table's log: new entries come with the table; others are loaded page by page.
import { api } from "../../api/client";
import type { Entry, Log, LogPart, PhaseMark } from "../../api/types";

/** The viewer for whom the log is loaded. */
export interface LogReader {
  readonly id: string;
  readonly as: string | null;
  readonly viewerGeneration: number;
}

export class TableLog {
  entries = $state.raw<Entry[]>([]);
  phases = $state.raw<PhaseMark[]>([]);
  /** How many entries this viewer can replay. */
  length = $state(0);
  private undone = 0; // how many undo entries have been loaded
  private outdated = false; // the entries are in another language

  constructor(private readonly reader: LogReader) {}

  /** Clears the log, because another viewer may see different entries. */
  reset(): void {
    this.entries = [];
    this.phases = [];
    this.length = 0;
    this.undone = 0;
  }

  /** The next load brings everything again, in another language; until then it stays as it is. */
  renew(): void {
    this.outdated = true;
  }

  /** Appends entries that came with a table; returns false if they do not follow on those here. */
  append(part: LogPart | null): boolean {
    const first = part?.entries.find((entry) => entry.seq >= this.length)?.seq;
    if (!part || first !== this.length || this.entries.length !== this.length) return false;
    const changed = new Set(part.entries.map((entry) => entry.seq)); // an undo changes an older one
    const kept = this.entries.filter((entry) => !changed.has(entry.seq));
    this.entries = [...kept, ...part.entries].sort((a, b) => a.seq - b.seq);
    this.phases = this.mergePhases(part.phases);
    this.length = part.seq;
    this.undone = this.entries.filter((entry) => entry.undo).length;
    return true;
  }

  async load(): Promise<void> {
    // The viewer's own secret moves carry provisional numbers, so they are loaded again.
    await this.readFrom(this.outdated ? 0 : Math.min(this.entries.length, this.length));
    const undone = this.entries.filter((e) => e.undo).length;
    if (undone === this.undone) return;
    this.undone = undone;
    await this.readFrom(0); // an undo changes entries that were loaded before
  }

  private async readFrom(start: number): Promise<void> {
    const { viewerGeneration } = this.reader;
    for (let from: number | null = start; from !== null;) {
      const part: Log = await api.log(this.reader.id, from, this.reader.as);
      const outdated = viewerGeneration !== this.reader.viewerGeneration;
      if (outdated || part.seq < this.length) return; // a newer request has finished
      const [first, next] = [from, part.next ?? Infinity];
      const kept = this.entries.filter((e) => e.seq < first || e.seq >= next);
      this.entries = [...kept, ...part.entries].sort((a, b) => a.seq - b.seq);
      this.phases = this.mergePhases(part.phases);
      this.length = part.seq;
      from = part.next;
    }
    if (start === 0) this.outdated = false;
  }

  /** All phases, without those to which only led what was taken back. */
  private mergePhases(more: PhaseMark[]): PhaseMark[] {
    const bySeq = new Map([...this.phases, ...more].map((mark) => [mark.seq, mark]));
    const gone = new Set(this.entries.filter((e) => e.undone || e.undo).map((e) => e.seq + 1));
    return [...bySeq.values()]
      .filter((mark) => !gone.has(mark.seq))
      .sort((a, b) => a.seq - b.seq)
      .filter((mark, i, all) => mark.phase !== all[i - 1]?.phase);
  }
}
