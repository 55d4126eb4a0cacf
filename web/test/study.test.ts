import { fireEvent, render } from "@testing-library/svelte";
import { describe, expect, it } from "vitest";
import { planOf } from "../src/boards/risk_europe/map/plan";
import { elementsOf } from "../src/boards/versailles/decisions/plan";
import { markDrawn } from "../src/boards/versailles/pieces/drawn_targets";
import { planOf as plan } from "../src/boards/diplomacy/sketch/sketch";
import type { LiveTable } from "../src/lib/table/live_table.svelte";
import { Pencil } from "../src/lib/table/pencil.svelte";
import PlanButton from "../src/play/panels/PlanButton.svelte";

describe("a plan", () => {
  const live = { pencil: new Pencil(), plan } as unknown as LiveTable;

  it("is drawn on the map, hidden again, and gone with its panel", async () => {
    const orders = ["A par - bur", "ready"];
    const { getByRole, unmount } = render(PlanButton, { live, id: -1, orders });
    await fireEvent.click(getByRole("button"));
    expect(live.pencil.lines).toEqual(["A par - bur"]);
    await fireEvent.click(getByRole("button"));
    expect(live.pencil.lines).toEqual([]);
    await fireEvent.click(getByRole("button"));
    unmount();
    expect(live.pencil.lines).toEqual([]);
  });

  it("is offered only where the board can show something of it", () => {
    const orders = ["bid FR 2", "Attack paris", "ready"];
    const { queryByRole } = render(PlanButton, { live, id: -1, orders });
    expect(queryByRole("button")).toBeNull();
  });

  it("lights what it is about, until it is hidden", async () => {
    const other = { pencil: new Pencil(), plan: planOf } as unknown as LiveTable;
    const { getByRole, unmount } = render(PlanButton, {
      live: other,
      id: -1,
      orders: ["tax rome"],
    });
    await fireEvent.click(getByRole("button"));
    expect(other.pencil.lit).toEqual(["rome"]);
    unmount();
    expect(other.pencil.lit).toEqual([]);
  });
});

describe("actions on the boards", () => {
  it("are marches from where to where in Risk Europe, with every place that they name", () => {
    const actions = ["order split", "from bulgaria", "to hungary", "march footman:2", "to greece"];
    expect(planOf(actions)).toEqual({
      lines: ["bulgaria hungary", "bulgaria greece"],
      lit: ["split", "bulgaria", "hungary", "greece"],
    });
    expect(planOf(["besiege rome naples"]).lines).toEqual(["rome naples"]);
    expect(planOf(["to england", "march footman:8"]).lines).toEqual([]);
    expect(planOf(["bid 3", "pass"])).toEqual({ lines: [], lit: [] });
  });

  it("light the elements of Versailles that lie on the board", () => {
    const drawn = ["poland", "africa.2", "africa"].map(markDrawn);
    expect(elementsOf("place poland 2")).toEqual(["poland"]);
    expect(elementsOf("deploy uk_1 africa 2")).toEqual(["africa.2", "africa"]);
    expect(elementsOf("end")).toEqual([]);
    drawn.forEach((gone) => gone());
  });
});
