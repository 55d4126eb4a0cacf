import { fireEvent, render } from "@testing-library/svelte";
import { flushSync } from "svelte";
import { describe, expect, it, vi } from "vitest";
import { atlasCss, inkCss } from "../ink";
import { livery } from "../src/boards/liveries";
import { routeOf } from "../src/lib/router.svelte";
import { parseRules } from "../src/lib/words/rules";
import { Walk } from "../src/lib/question/walk.svelte";
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
      lesson: false,
    });
    expect(at("/t/abc?invite=s3&lesson=1")).toMatchObject({ at: null, invite: "s3", lesson: true });
    expect(at("/s/tok")).toEqual({ name: "seat", token: "tok" });
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
