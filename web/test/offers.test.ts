// The form for an offer, which opens with what is offered.
import { fireEvent, render } from "@testing-library/svelte";
import { beforeEach, expect, it, vi } from "vitest";
import { api } from "../src/api/client";
import type { Offers, PartOut, Table } from "../src/api/types";
import { LiveTable } from "../src/lib/table/live_table.svelte";
import OfferForm from "../src/play/press/OfferForm.svelte";

const OFFERS = {
  kinds: [
    { id: "peace", label: "Peace", needs: "" },
    { id: "alliance", label: "Alliance", needs: "against" },
  ],
  places: [],
} as unknown as Offers;
const part = (kind: string, ...against: string[]) =>
  ({ kind, against, places: [], action: "" }) as unknown as PartOut;

beforeEach(() => {
  vi.restoreAllMocks();
  vi.spyOn(api, "offers").mockResolvedValue(OFFERS);
});

const seated = (): LiveTable => {
  const live = new LiveTable("t");
  live.sync.applyTable({
    ...{ id: "t", rev: 1, seq: 1, game: "sparks", status: "live", seats: [], to_act: [] },
    ...{ seat: "red", held: ["red"], may_talk: ["all"], proposals: [], view: {}, question: null },
  } as unknown as Table);
  return live;
};

it("is empty again for an offer that it has no fields for", async () => {
  const live = seated();
  const { findByText, findByLabelText, rerender } = render(OfferForm, {
    ...{ live, to: ["blue"], offered: [part("peace")] },
  });
  await fireEvent.click(await findByText("offer"));
  const kind = (await findByLabelText("offer_what")) as HTMLSelectElement;
  await vi.waitFor(() => expect(kind.value).toBe("peace"));
  await rerender({ live, to: ["green"], offered: [part("alliance", "blue", "grey")] });
  expect(kind.value).toBe("");
});
