import { fireEvent, render } from "@testing-library/svelte";
import { describe, expect, it } from "vitest";
import type { LiveTable } from "../src/lib/table/live_table.svelte";
import { Pencil } from "../src/lib/table/pencil.svelte";
import PlanButton from "../src/play/panels/PlanButton.svelte";

describe("a plan", () => {
  const live = { pencil: new Pencil() } as unknown as LiveTable;

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

  it("is offered only where it has orders of units", () => {
    const orders = ["bid FR 2", "Attack paris", "ready"];
    const { queryByRole } = render(PlanButton, { live, id: -1, orders });
    expect(queryByRole("button")).toBeNull();
  });
});
