import { fireEvent, render } from "@testing-library/svelte";
import { flushSync } from "svelte";
import { describe, expect, it, vi } from "vitest";
import { atlasCss, inkCss } from "../ink";
import { api } from "../src/api/client";
import { livery } from "../src/boards/liveries";
import { routeOf } from "../src/lib/router.svelte";
import { markedPieces, parseRules } from "../src/lib/words/rules";
import { LiveTable } from "../src/lib/table/live_table.svelte";
import { Walk } from "../src/lib/question/walk.svelte";
import DurationField from "../src/screens/create/DurationField.svelte";
import { skipByClick } from "../src/play/watch/skip_click";
import ProposalPanel from "../src/play/panels/ProposalPanel.svelte";
import QuestionForm from "../src/play/prompt/QuestionForm.svelte";
import Stepper from "../src/ui/Stepper.svelte";

describe("addresses", () => {
  const at = (path: string) => routeOf(new URL(path, "http://desk"));

  it("lead to screens", () => {
    expect(at("/")).toEqual({ name: "front" });
    expect(at("/t/abc?at=7")).toEqual({
      name: "table",
      id: "abc",
      at: 7,
      invite: "",
    });
    expect(at("/t/abc?invite=s3")).toMatchObject({ at: null, invite: "s3" });
    expect(at("/s/tok")).toEqual({ name: "seat", token: "tok" });
    expect(at("/league/abc")).toEqual({ name: "league", id: "abc" });
    expect(at("/new/chess?league=abc")).toEqual({ name: "new", game: "chess", league: "abc" });
    expect(at("/nowhere")).toEqual({ name: "lost" });
  });
});

describe("liveries", () => {
  it("tell seats apart by colour and letter, known or not", () => {
    expect(livery("diplomacy", "FRANCE", 2)).toEqual({
      colour: "var(--france)",
      on: "var(--on-light)",
      letter: "F",
    });
    expect(livery("diplomacy", "ITALY_RUSSIA", 1).letter).toBe("IR");
    expect(livery("diplomacy", "GERMANY", 3, "Alemania").letter).toBe("Al");
    expect(livery("diplomacy", "GERMANY_TURKEY", 1, "Alemania y Turquía").letter).toBe("AT");
    const strangers = ["red", "blue"].map((seat, place) => livery("sparks", seat, place));
    expect(new Set(strangers.map((s) => s.colour)).size).toBe(2);
  });
});

describe("inks", () => {
  it("become custom properties by day and by lamplight", () => {
    const css = inkCss('[paper]\nsea = "#d3dfdb"\n\n[lamplight]\nsea = "#1d2a2e"\n');
    expect(css).toContain('[data-theme="day"] {--sea:#d3dfdb;}');
    expect(css).toContain('[data-theme="lamp"] {--sea:#1d2a2e;}');
  });

  it("stay inside the atlas", () => {
    expect(atlasCss(".atlas text { a: b }\n.icon { c: d }")).toBe(
      ".atlas {\n& text { a: b }\n.icon { c: d }\n}\n",
    );
  });
});

describe("rules", () => {
  it("are read with their rulings", () => {
    const text = "# D\n\n## Orders\n\n- **D-ORD-01** One order a unit. Ruling: the last counts.\n";
    expect(parseRules(text)).toEqual([
      {
        title: "Orders",
        rules: [{ id: "D-ORD-01", text: "One order a unit.", ruling: "the last counts." }],
      },
    ]);
  });
});

describe("the text of a rule", () => {
  it("shows no sign of its markup", () => {
    const text = "As section *Fewer players* says; **never** more. `to_the_letter` ([page](x)).";
    const pieces = markedPieces(text);
    expect(pieces.map((piece) => piece.text).join("")).toBe(
      "As section Fewer players says; never more. to_the_letter (page).",
    );
    expect(pieces.filter((piece) => piece.kind === "option").map((p) => p.text)).toEqual([
      "to_the_letter",
    ]);
  });
});

describe("any question", () => {
  it("is asked by buttons", async () => {
    const walk = new Walk();
    walk.ask({
      prompt: "?",
      node: {
        kind: "one",
        options: [
          { text: "duck", label: "Duck" },
          { text: "stand", label: "Stand" },
        ],
      },
    });
    const onChoice = vi.fn();
    const { getByRole } = render(QuestionForm, { walk, onChoice });
    await fireEvent.click(getByRole("button", { name: /Stand/ }));
    flushSync();
    expect(walk.text).toBe("stand");
    expect(onChoice).toHaveBeenCalledOnce();
  });

  it("is asked by steppers that work with the arrow keys", async () => {
    const set = vi.fn();
    const { getByRole } = render(Stepper, { label: "Archers", value: 1, least: 0, most: 2, set });
    const field = getByRole("spinbutton", { name: "Archers" });
    await fireEvent.keyDown(field, { key: "ArrowUp" });
    await fireEvent.keyDown(field, { key: "End" });
    await fireEvent.keyDown(field, { key: "Home" });
    expect(set.mock.calls.flat()).toEqual([2, 2, 0]);
  });
});

describe("a click while steps are shown", () => {
  const board = (busy: boolean) => {
    const page = document.createElement("div");
    page.innerHTML = "<i></i><button></button><span role=button></span>";
    const [skip, pick] = [vi.fn(), vi.fn()];
    page.addEventListener("click", (event) => skipByClick({ busy, skip }, event), true);
    for (const child of page.children) child.addEventListener("click", pick);
    return { page, skip, pick };
  };
  const press = (page: Element, what: string) =>
    page.querySelector(what)?.dispatchEvent(new MouseEvent("click", { bubbles: true }));

  it("ends them, and answers nothing", () => {
    const { page, skip, pick } = board(true);
    press(page, "i");
    expect([skip.mock.calls.length, pick.mock.calls.length]).toEqual([1, 0]);
    press(page, "button");
    press(page, "span");
    expect([skip.mock.calls.length, pick.mock.calls.length]).toEqual([1, 2]);
  });

  it("is any other click when nothing is shown", () => {
    const { page, skip, pick } = board(false);
    press(page, "i");
    expect([skip.mock.calls.length, pick.mock.calls.length]).toEqual([0, 1]);
  });
});

describe("a length of time", () => {
  it("keeps the unit that was chosen, even for nothing", async () => {
    const change = vi.fn();
    const props = { id: "x", label: "Time", seconds: 0, change };
    const { container, rerender } = render(DurationField, props);
    const [amount, unit] = [container.querySelector("input")!, container.querySelector("select")!];
    await fireEvent.change(unit, { target: { value: "hours" } });
    await fireEvent.change(amount, { target: { value: "2" } });
    expect(change).toHaveBeenLastCalledWith(7200);
    await rerender({ seconds: 300 }); // a preset
    expect([amount.value, unit.value]).toEqual(["5", "minutes"]);
  });
});

describe("earlier proposals", () => {
  it("are the latest that were asked for, whichever list comes last", async () => {
    const lists: ((proposals: object[]) => void)[] = [];
    vi.spyOn(api, "proposals").mockImplementation(
      () => new Promise((done) => lists.push((proposals) => done({ proposals } as never))),
    );
    vi.spyOn(api, "log").mockResolvedValue({
      entries: [],
      phases: [],
      seq: 0,
      next: null,
    } as never);
    vi.spyOn(api, "press").mockResolvedValue({ messages: [], next: null } as never);
    const live = new LiveTable("t");
    const at = (rev: number, ids: number[]) =>
      ({
        ...{ id: "t", rev, seq: rev, game: "sparks", status: "live", seats: [], to_act: [] },
        ...{ seat: "red", held: ["red"], settings: {}, view: {}, phase: "", question: null },
        proposals: ids.map((id) => ({
          id,
          kind: "pause",
          text: "",
          votes: {},
          voters: [],
          expires: 9,
        })),
      }) as never;
    live.sync.applyTable(at(1, [7]));
    const { findByText, queryByText } = render(ProposalPanel, { live });
    live.sync.applyTable(at(2, []));
    flushSync();
    const decided = { id: 7, kind: "pause", text: "A pause", votes: {}, voters: [] };
    lists[1]?.([{ ...decided, status: "passed" }]);
    await findByText("A pause");
    lists[0]?.([]); // asked for before the vote
    await new Promise((done) => setTimeout(done));
    flushSync();
    expect(queryByText("A pause")).not.toBeNull();
  });
});
