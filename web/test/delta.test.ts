// Deltas: the same cases as tests/server/views/test_delta.py.
import { describe, expect, it } from "vitest";
import { applyDelta, type Delta } from "../src/api/delta";

const CASES: [unknown, Delta, unknown][] = [
  [{ a: 1 }, { set: { a: 2 } }, { a: 2 }],
  [{ a: 1 }, { set: { b: 1 }, cut: ["a"] }, { b: 1 }],
  [{ a: { b: 1, c: 2 } }, { in: { a: { set: { c: 3 } } } }, { a: { b: 1, c: 3 } }],
  [{ a: [1, 2, 3] }, { in: { a: { set: { "1": 5 } } } }, { a: [1, 5, 3] }],
  [[1, 2, 3], { splice: [1, 2, []] }, [1]],
  [[1], { splice: [1, 0, [[2], 3]] }, [1, [2], 3]],
  [[1, 2, 3, 4], { splice: [1, 2, [9]] }, [1, 9, 4]],
  [{ a: {} }, { set: { a: null } }, { a: null }],
];

describe("deltas", () => {
  it.each(CASES)("%j with %j is %j", (before, delta, now) => {
    const kept = JSON.stringify(before);
    expect(applyDelta(before, delta)).toEqual(now);
    expect(JSON.stringify(before)).toBe(kept);
  });

  it("keeps what did not change", () => {
    const before = { board: { a: [1] }, seats: [{ n: 1 }, { n: 2 }] };
    const now = applyDelta(before, { in: { seats: { in: { "1": { set: { n: 3 } } } } } });
    expect(now).toEqual({ board: { a: [1] }, seats: [{ n: 1 }, { n: 3 }] });
    expect(now.board).toBe(before.board);
    expect(now.seats[0]).toBe(before.seats[0]);
  });
});
