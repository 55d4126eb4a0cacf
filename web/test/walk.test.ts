import { flushSync } from "svelte";
import { describe, expect, it } from "vitest";
import type { Node, Question } from "../src/lib/question/tree";
import { Walk } from "../src/lib/question/walk.svelte";

const asked = (node: Node): Question => ({ prompt: "?", node });

function walking(node: Node): Walk {
  const walk = new Walk();
  walk.ask(asked(node));
  flushSync();
  return walk;
}

const attack: Node = {
  kind: "one",
  options: [
    {
      text: "attack",
      label: "Attack",
      then: {
        kind: "one",
        options: [
          {
            text: "paris",
            label: "from Paris",
            target: "paris",
            then: { kind: "amount", least: 1, most: 4 },
          },
          { text: "lyon", label: "from Lyon", target: "lyon" },
        ],
      },
    },
    { text: "pass", label: "Pass" },
  ],
};

describe("a walk", () => {
  it("writes one piece of text a node", () => {
    const walk = walking(attack);
    walk.choose(attack.kind === "one" ? attack.options[0]! : never());
    walk.pick("paris");
    expect(walk.node?.kind).toBe("amount");
    expect(walk.amount).toBe(1);
    walk.amount = 3;
    walk.submitNode();
    expect(walk.complete).toBe(true);
    expect(walk.text).toBe("attack paris 3");
  });

  it("begins with the number given so far, which needs no second confirmation", () => {
    const walk = walking({ kind: "amount", least: 0, most: 9, chosen: 4 });
    expect([walk.amount, walk.unchanged, walk.canSubmit]).toEqual([4, true, false]);
    walk.amount = 5;
    expect([walk.unchanged, walk.canSubmit]).toEqual([false, true]);
  });

  it("finds the only way to a board element that is two questions away", () => {
    const walk = walking(attack);
    expect(walk.choices.map((c) => c.target)).toEqual(["paris", "lyon"]);
    expect(walk.pick("lyon")).toBe(true);
    expect(walk.text).toBe("attack lyon");
    expect(walk.complete).toBe(true);
  });

  it("says when a click means nothing", () => {
    expect(walking(attack).pick("moscow")).toBe(false);
  });

  it("narrows the options when several start from one place", () => {
    const walk = walking({
      kind: "one",
      options: [
        { text: "move a", label: "Move", target: "a" },
        { text: "hold a", label: "Hold", target: "a" },
        { text: "hold b", label: "Hold", target: "b" },
      ],
    });
    walk.pick("a");
    expect(walk.options.map((o) => o.text)).toEqual(["move a", "hold a"]);
    walk.back();
    expect(walk.options).toHaveLength(3);
  });

  it("takes a click on a province for its coasts, and asks which one", () => {
    const coasts = ["spa/nc", "spa/sc"].map((at) => ({ text: at, label: at, target: at }));
    const walk = walking({
      kind: "one",
      options: [
        { text: "F mao H", label: "hold", target: "mao" },
        { text: "F mao -", label: "move to", then: { kind: "one", options: coasts } },
      ],
    });
    expect(walk.pick("spa")).toBe(true);
    expect(walk.options.map((o) => o.text)).toEqual(["spa/nc", "spa/sc"]);
    walk.pick("spa/sc");
    expect(walk.text).toBe("F mao - spa/sc");
  });

  it("goes on by itself where there is only one way, and back past it", () => {
    const walk = walking({
      kind: "one",
      options: [
        {
          text: "x",
          label: "X",
          then: { kind: "one", options: [{ text: "only", label: "Only" }] },
        },
        { text: "y", label: "Y" },
      ],
    });
    walk.choose(walk.options[0]!);
    expect(walk.text).toBe("x only");
    walk.back();
    expect(walk.steps).toHaveLength(0);
  });

  it("chooses some in listed order, within bounds", () => {
    const walk = walking({
      kind: "some",
      least: 1,
      most: 2,
      options: ["a", "b", "c"].map((text) => ({ text, label: text, target: text })),
    });
    expect(walk.canSubmit).toBe(false);
    walk.pick("c");
    walk.pick("a");
    walk.pick("b"); // one too many: nothing changes
    expect([...walk.chosen]).toEqual(["c", "a"]);
    walk.submitNode();
    expect(walk.text).toBe("a,c");
  });

  it("writes a dash when nothing is chosen", () => {
    const walk = walking({ kind: "some", least: 0, most: 1, options: [{ text: "a", label: "A" }] });
    walk.submitNode();
    expect(walk.text).toBe("-");
  });

  it("shares out no more than there is", () => {
    const walk = walking({
      kind: "assign",
      least: 0,
      most: 3,
      shares: [
        { text: "p", label: "P", most: 2, target: "p" },
        { text: "l", label: "L", most: 5 },
      ],
    });
    walk.setShare("p", 9);
    walk.setShare("l", 9);
    expect(walk.amounts).toEqual({ p: 2, l: 1 });
    walk.setShare("l", 0);
    walk.pick("p"); // full: a further click empties it
    expect(walk.amounts["p"]).toBe(0);
    walk.submitNode();
    expect(walk.text).toBe("-");
  });

  it("takes orders piece by piece; each may be changed and is sent by itself", () => {
    const orders: Node = {
      kind: "orders",
      rows: [
        {
          target: "vie",
          label: "A Vienna",
          chosen: "",
          node: {
            kind: "one",
            options: [
              { text: "A vie H", label: "hold" },
              { text: "A vie - gal", label: "move to Galicia", target: "gal" },
            ],
          },
        },
        {
          target: "bud",
          label: "A Budapest",
          chosen: "A bud H",
          node: { kind: "one", options: [{ text: "A bud H", label: "hold" }] },
        },
      ],
      options: [{ text: "ready", label: "ready" }],
    };
    const walk = walking(orders);
    expect(walk.choices.map((c) => [c.target, c.chosen])).toEqual([
      ["vie", false],
      ["bud", true],
    ]);
    walk.pick("vie");
    expect(walk.row?.label).toBe("A Vienna");
    expect(walk.choices.map((c) => c.target)).toContain("bud");
    walk.pick("gal");
    expect(walk.text).toBe("A vie - gal");
    expect(walk.revisable && walk.complete).toBe(true);
    walk.restart();
    walk.choose(walk.options[0]!);
    expect(walk.text).toBe("ready");
    expect(walk.revisable).toBe(false);
  });

  it("keeps what was entered when the same question comes again, and takes up a draft", () => {
    const walk = walking(attack);
    walk.choose(walk.options[0]!);
    walk.pick("paris");
    walk.amount = 2;
    walk.ask(asked(structuredClone(attack)), walk.draft());
    expect([walk.text, walk.amount]).toEqual(["attack paris", 2]);
    const stored: unknown = JSON.parse(JSON.stringify(walk.draft()));
    const other = walking(attack);
    other.resume(stored);
    expect([other.text, other.amount]).toEqual(["attack paris", 2]);
    other.resume({ steps: [{ text: "gone", target: "", label: "" }] });
    other.resume(null);
    expect(other.text).toBe("attack paris");
  });
});

function never(): never {
  throw new Error("not here");
}
