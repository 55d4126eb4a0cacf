import { describe, expect, it } from "vitest";
import { hintCount, standing } from "../src/play/panels/hints";

describe("the coach's hints", () => {
  it("calls nobody ahead whose share looks the same", () => {
    expect(standing(0.252, 0.249)).toBe("coach_even");
    expect(standing(0.4, 0.3)).toBe("coach_ahead");
    expect(standing(0.12, 0.2)).toBe("coach_behind");
  });

  it("does not give a single choice away with the first hint", () => {
    expect(hintCount(["USA"])).toBe(2);
    expect(hintCount(["Bid (up to 5)", "1"])).toBe(2);
    expect(hintCount(["F London", "move to", "North Sea"])).toBe(3);
    expect(hintCount([])).toBe(1);
  });
});
