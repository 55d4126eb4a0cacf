import { describe, expect, it } from "vitest";
import type { Entry } from "../src/api/types";
import { groupLog } from "../src/play/panels/log_groups";

const entry = (seq: number, ...texts: string[]): Entry =>
  ({
    seq,
    facts: texts.map((text) => ({ text, opens: text.startsWith("!") ? "two" : "", about: [] })),
  }) as unknown as Entry;
const mark = (seq: number, text: string) => ({ seq, phase: text.toLowerCase(), text });

describe("the log by phase", () => {
  it("puts what opens a phase below its heading, though it came with the end of the last", () => {
    const entries = [entry(0, "a"), entry(1, "b", "! begins", "c"), entry(2, "d")];
    const groups = groupLog(entries, [mark(0, "One"), mark(2, "Two")]);
    const shown = groups.map((group) => [
      group.heading,
      ...group.lines.map((line) => line.fact?.text),
    ]);
    expect(shown).toEqual([
      ["One", "a", "b"],
      ["Two", "! begins", "c", "d"],
    ]);
  });

  it("says no phase again that its heading says", () => {
    const entries = [entry(0, "a", "!", "Two."), entry(1, "b")];
    const groups = groupLog(entries, [mark(0, "One"), mark(1, "Two")]);
    expect(groups.flatMap((group) => group.lines.map((line) => line.fact?.text))).toEqual([
      "a",
      "!",
      "b",
    ]);
  });
});
