// The page of a league. The server is played by `api`.
import { cleanup, fireEvent, render } from "@testing-library/svelte";
import { afterEach, expect, it, vi } from "vitest";
import { api } from "../src/api/client";
import type { League, LeagueTables } from "../src/api/types";
import LeaguePage from "../src/screens/league/LeaguePage.svelte";

const named = (name: string): League => ({
  ...{ id: "club", name, game: "", label: "", owner: true, member: false, closed: false, link: "" },
});
const empty: LeagueTables = { games: [], standings: [], tables: [], finished: [] };

afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

it("shows the latest of what was asked for, whichever answer comes last", async () => {
  const answers: ((league: League) => void)[] = [];
  vi.spyOn(api, "league").mockImplementation(() => new Promise((done) => answers.push(done)));
  vi.spyOn(api, "leagueTables").mockResolvedValue(empty);
  vi.spyOn(api, "changeLeague").mockResolvedValue(named("Saturday"));
  vi.useFakeTimers();
  const { findByRole, getByRole, getByLabelText } = render(LeaguePage, { id: "club" });
  answers[0]?.(named("Friday"));
  await findByRole("heading", { name: "Friday" });

  await vi.advanceTimersByTimeAsync(15_000); // it is asked again, and answered late
  await fireEvent.input(getByLabelText("league_name"), { target: { value: "Saturday" } });
  await fireEvent.click(getByRole("button", { name: "rename" }));
  await vi.advanceTimersByTimeAsync(0);
  answers[2]?.(named("Saturday"));
  await findByRole("heading", { name: "Saturday" });
  answers[1]?.(named("Friday"));
  await vi.advanceTimersByTimeAsync(0);
  expect(getByRole("heading", { level: 1 }).textContent).toBe("Saturday");
});

it("keeps a name that is being typed when the page is read again", async () => {
  vi.spyOn(api, "league").mockImplementation(() => Promise.resolve(named("Friday")));
  vi.spyOn(api, "leagueTables").mockResolvedValue(empty);
  vi.useFakeTimers();
  const { findByLabelText } = render(LeaguePage, { id: "club" });
  const field = (await findByLabelText("league_name")) as HTMLInputElement;
  await fireEvent.input(field, { target: { value: "Satur" } });
  await vi.advanceTimersByTimeAsync(15_000);
  expect(field.value).toBe("Satur");
});
