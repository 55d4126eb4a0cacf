// The log by phase: results first, then what happened in order, and the notes (orders noted, ready,
// taken back) folded away.
import type { Entry, PhaseMark } from "../../api/types";

type Fact = Entry["facts"][number];

export interface LogLine {
  key: string;
  entry: Entry;
  fact: Fact | null; // null: the entry takes another back
  ofSeat: boolean; // what the seat itself did, not the results of all orders
}

export interface LogGroup {
  seq: number; // how many entries there were when the phase began
  heading: string; // "" where phases have no names
  lines: LogLine[];
  notes: LogLine[];
}

/** The lines of one entry. */
function linesOf(entry: Entry): LogLine[] {
  const lines = entry.facts.map((fact, index) => ({
    key: `${entry.seq}-${index}`,
    entry,
    fact,
    ofSeat: fact.quiet || !entry.shared,
  }));
  const back: LogLine = { key: `${entry.seq}-undo`, entry, fact: null, ofSeat: true };
  return entry.undo ? [back, ...lines] : lines;
}

/** Whether a line only announces a phase, which has its own heading. */
const announces = ({ fact }: LogLine, marks: readonly (PhaseMark | undefined)[]): boolean =>
  !!fact && marks.some((mark) => mark && withoutStop(fact.text) === withoutStop(mark.text));

const withoutStop = (text: string): string => text.replace(/\.$/, "");

/** How many lines of the entry that leads to a phase stand before it. */
function linesBefore(lines: readonly LogLine[], mark: PhaseMark): number {
  const opening = lines.findIndex(({ fact }) => fact?.opens === mark.phase);
  return opening < 0 ? lines.length : opening;
}

/** The lines from one phase to the next: an entry may end the one and open the other. */
function linesBetween(entries: readonly Entry[], mark: PhaseMark, next?: PhaseMark): LogLine[] {
  const end = next?.seq ?? Infinity;
  const own = entries.filter(({ seq }) => seq >= mark.seq - 1 && seq < end);
  return own.flatMap((entry) => {
    const lines = linesOf(entry);
    if (entry.seq < mark.seq) return lines.slice(linesBefore(lines, mark));
    return next && entry.seq + 1 === end ? lines.slice(0, linesBefore(lines, next)) : lines;
  });
}

const isNote = ({ entry, fact }: LogLine): boolean =>
  fact === null || fact.quiet || entry.undone || false;

/** Results stand before everything else of their phase; all else stays in its order. */
function inOrder(lines: LogLine[]): LogLine[] {
  return [...lines.filter((line) => !line.ofSeat), ...lines.filter((line) => line.ofSeat)];
}

export function groupLog(entries: readonly Entry[], phases: readonly PhaseMark[]): LogGroup[] {
  const marks = phases.length ? phases : [{ seq: 0, phase: "", text: "" }];
  return marks
    .map((mark, index) => {
      const { seq, phase, text } = mark;
      const next = marks[index + 1];
      const found = linesBetween(entries, mark, next);
      const lines = found.filter((line) => !announces(line, [mark, next]));
      return {
        seq,
        heading: text === phase ? "" : text,
        lines: inOrder(lines.filter((line) => !isNote(line))),
        notes: lines.filter(isNote),
      };
    })
    .filter(({ lines, notes }) => lines.length || notes.length);
}

/** The last line that has happened when so many entries are shown. */
export function lastLine(groups: readonly LogGroup[], shown: number): LogLine | undefined {
  return groups
    .flatMap((group) => group.lines)
    .filter((line) => line.entry.seq < shown)
    .at(-1);
}

/** The first line of what happened last. */
export function newestLine(groups: readonly LogGroup[]): LogLine | undefined {
  const lines = groups.flatMap((group) => group.lines);
  const newest = Math.max(...lines.map((line) => line.entry.seq));
  return lines.find((line) => line.entry.seq === newest);
}
