import { render } from "@testing-library/svelte";
import { describe, expect, it } from "vitest";
import AmountSliders from "../src/boards/risk_europe/papers/AmountSliders.svelte";
import { Walk } from "../src/lib/question/walk.svelte";
import { castleDistance, muster } from "../src/boards/risk_europe/map/muster";
import { isPlace, supplyLines, spot, marchLine } from "../src/boards/risk_europe/map/territories";
import {
  changedTerritories,
  unitCounts,
  oddsKey,
  chanceText,
  diceWithHits,
  type Fight,
  type RiskView,
} from "../src/boards/risk_europe/view";

const land = (owner: string | null, footman = 0) => ({
  owner,
  units: { footman, archer: 0, cavalry: 0, siege: 0 },
});
const view = (territories: Record<string, unknown>) => ({ territories }) as unknown as RiskView;

describe("what the board reads of a view", () => {
  it("musters only what is there, in the order of the ranks of the rules", () => {
    expect(unitCounts({ footman: 2, archer: 0, cavalry: 1, siege: 0 })).toEqual([
      ["footman", 2],
      ["cavalry", 1],
    ]);
  });

  it("leaves a castle where it is drawn, unless a large army would cover it", () => {
    const few = muster({ footman: 8, archer: 0, cavalry: 0, siege: 0 });
    const many = muster({ footman: 12, archer: 3, cavalry: 1, siege: 0 });
    expect(castleDistance(few, [0, -30], 1.3, 1.3)).toBe(1);
    expect(castleDistance(few, [46, 0], 1.3, 1.3)).toBe(1);
    expect(castleDistance(many, [46, 0], 1.3, 1.3)).toBeGreaterThan(1);
    expect(castleDistance(many, [0, 30], 1.3, 1.3)).toBeGreaterThan(1);
  });

  it("finds the odds of a choice of units, siege weapons named first or not", () => {
    expect(oddsKey({ footman: 2, archer: 1 })).toBe("2,1,0,0");
    expect(oddsKey({ footman: 2 }, 1)).toBe("2,0,0,1");
  });

  it("never calls a chance certain that is not", () => {
    expect(chanceText(0.9951, "en")).toBe("99.5%");
    expect(chanceText(0.4167, "en")).toBe("42%");
  });

  it("tells where something has changed", () => {
    const before = view({ france: land("blue", 3), england: land("green", 1) });
    const after = view({ france: land("blue", 2), england: land("green", 1) });
    expect(changedTerritories(before, after)).toEqual(["france"]);
    expect(changedTerritories(null, after)).toEqual([]);
  });
});

describe("dice", () => {
  const fight = (rank: number, attacker: number[], defender: number[], hits: [number, number]) =>
    diceWithHits({
      rank,
      attacker_dice: attacker,
      defender_dice: defender,
      attacker_hits: hits[0],
      defender_hits: hits[1],
    } as Fight).map((side) => side.map(({ face, hit }) => (hit ? `${face}!` : `${face}`)));

  it("lie from the highest down; those that hit by themselves are the highest", () => {
    expect(fight(2, [2, 6, 5], [4, 6], [2, 1])).toEqual([
      ["6!", "5!", "2"],
      ["6!", "4"],
    ]);
  });

  it("of a general attack hit in pairs, and what has no pair hits nobody", () => {
    expect(fight(4, [3, 6, 2], [3, 5], [1, 1])).toEqual([
      ["6!", "3", "2"],
      ["5", "3!"],
    ]);
  });
});

describe("the map", () => {
  it("has a place for every territory", () => {
    expect(isPlace("leon_castile")).toBe(true);
    expect(isPlace("tax")).toBe(false);
    expect(spot("england")).not.toEqual([0, 0]);
  });

  it("joins neighbours of one owner, over water along the sea line", () => {
    const found = supplyLines({
      england: "blue",
      normandy: "blue",
      france: "green",
      wales: "green",
    });
    expect(found.map((net) => net.owner)).toEqual(["blue"]);
    expect(marchLine("england", "normandy").length).toBeGreaterThan(2);
    expect(marchLine("england", "wales")).toHaveLength(2);
  });
});

describe("units that go", () => {
  it("are counted with the siege weapons that must go", () => {
    const share = { text: "footman", label: "footmen", most: 3 };
    const node = { kind: "assign", shares: [share], least: 0, most: 3 } as const;
    const storm = { text: "1", label: "1 siege weapon", then: { ...node, shares: [share] } };
    const walk = new Walk();
    walk.ask({ prompt: "?", node: { kind: "one", options: [storm] } });
    const words = (code: string, args = {}) => `${code} ${Object.values(args).join()}`;
    const props = { walk, onChoice() {}, act: () => Promise.resolve(true), lang: "en", words };
    const { getByText } = render(AmountSliders, { ...props, view: { odds: null } as never });
    getByText("risk_europe.units.siege 1");
    getByText("risk_europe.board.settle 1");
  });
});
