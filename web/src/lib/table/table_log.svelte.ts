// The log of a table, read page by page as it grows.
import { api } from "../../api/client";
import type { Entry, Log, PhaseMark } from "../../api/types";

/** Through whose eyes the log is read. */
export interface LogReader {
  readonly id: string;
  readonly as: string | null;
  readonly eyes: number;
}

export class TableLog {
  entries = $state.raw<Entry[]>([]);
  phases = $state.raw<PhaseMark[]>([]);
  /** How many entries are there for me to look back on. */
  length = $state(0);
  private undone = 0; // how many undos were read

  constructor(private readonly reader: LogReader) {}

  /** Other eyes read another log. */
  forget(): void {
    this.entries = [];
    this.phases = [];
    this.length = 0;
    this.undone = 0;
  }

  async load(): Promise<void> {
    // Own moves that nobody else knows of are numbered as if alone: they are read again.
    await this.readFrom(Math.min(this.entries.length, this.length));
    const undone = this.entries.filter((e) => e.undo).length;
    if (undone === this.undone) return;
    this.undone = undone;
    await this.readFrom(0); // an undo marks entries that were read before
  }

  private async readFrom(start: number): Promise<void> {
    const { eyes } = this.reader;
    for (let from: number | null = start; from !== null;) {
      const part: Log = await api.log(this.reader.id, from, this.reader.as);
      if (eyes !== this.reader.eyes || part.seq < this.length) return; // overtaken by a newer one
      const [first, next] = [from, part.next ?? Infinity];
      const kept = this.entries.filter((e) => e.seq < first || e.seq >= next);
      this.entries = [...kept, ...part.entries].sort((a, b) => a.seq - b.seq);
      this.phases = mergePhases(this.phases, part.phases);
      this.length = part.seq;
      from = part.next;
    }
  }
}

function mergePhases(before: PhaseMark[], more: PhaseMark[]): PhaseMark[] {
  const bySeq = new Map([...before, ...more].map((mark) => [mark.seq, mark]));
  return [...bySeq.values()].sort((a, b) => a.seq - b.seq);
}
