import { describe, expect, it } from "vitest";
import {
  accepts,
  chosenRival,
  pathsTo,
  answerLabels,
  targetsOf,
  exampleTarget,
  hypotheticalAction,
  orderCount,
  type Node,
  type Some,
} from "../src/lib/question/tree";

const node: Node = {
  kind: "one",
  options: [
    {
      text: "buy",
      label: "Buy",
      then: {
        kind: "assign",
        least: 0,
        most: 4,
        shares: [{ text: "archer", label: "Archers", most: 4 }],
        then: { kind: "amount", least: 0, most: 9 },
      },
    },
    {
      text: "take",
      label: "Take",
      then: { kind: "some", least: 0, most: 1, options: [{ text: "gold", label: "Gold" }] },
    },
  ],
};

describe("an answer in wire notation", () => {
  it("reads as the labels along its path", () => {
    expect(answerLabels(node, "buy archer:3 7")).toEqual(["Buy", "Archers 3", "7"]);
    expect(answerLabels(node, "buy - 0")).toEqual(["Buy", "0"]);
    expect(answerLabels(node, "take gold")).toEqual(["Take", "Gold"]);
  });

  it("does not read as anything when it does not fit", () => {
    for (const text of ["", "sell", "buy", "buy knight:1 2", "take silver", "buy archer:1 x"])
      expect(answerLabels(node, text)).toBeNull();
  });

  it("is checked piece by piece", () => {
    expect(accepts({ kind: "amount", least: 1, most: 3 }, "4")).toBe(false);
    const some: Node = { kind: "some", least: 1, most: 1, options: [{ text: "a", label: "A" }] };
    expect(accepts(some, "a")).toBe(true);
    expect(accepts(some, "-")).toBe(false);
  });
});

describe("board elements", () => {
  const options = [
    { text: "x", label: "X", target: "a" },
    {
      text: "y",
      label: "Y",
      then: { kind: "one" as const, options: [{ text: "z", label: "Z", target: "b" }] },
    },
  ];

  it("are found through options that have no place of their own", () => {
    expect([...targetsOf(options)]).toEqual(["a", "b"]);
    expect(pathsTo(options, "b").map((path) => path.map((o) => o.text))).toEqual([["y", "z"]]);
  });
});

describe("what is not offered", () => {
  const paris: Node = {
    kind: "one",
    options: [
      { text: "A par H", label: "stay", target: "par" },
      {
        text: "A par -",
        label: "move",
        then: { kind: "one", options: [{ text: "bur", label: "Burgundy", target: "bur" }] },
      },
    ],
  };
  const orders: Node = {
    kind: "orders",
    rows: [{ target: "par", label: "A Paris", chosen: "", node: paris }],
    options: [{ text: "ready", label: "ready" }],
  };
  const garrison: Node = {
    kind: "one",
    options: [
      {
        text: "rome",
        label: "Rome",
        target: "rome",
        then: {
          kind: "amount",
          least: 2,
          most: 9,
          then: {
            kind: "assign",
            least: 3,
            most: 4,
            shares: [
              { text: "archer", label: "Archers", most: 2 },
              { text: "footman", label: "Footmen", most: 2 },
            ],
          },
        },
      },
    ],
  };

  it("can be written like what is, so that the server can say why not", () => {
    expect(hypotheticalAction(orders, "", "mun")).toBe("A mun H");
    expect(hypotheticalAction(paris, "", "lon", "par")).toBe("A par - lon");
    expect(hypotheticalAction(garrison, "garrison", "wales")).toBe(
      "garrison wales 2 archer:2,footman:1",
    );
  });

  it("names a thing whose kind is meant", () => {
    expect(exampleTarget(paris, "par")).not.toBe("");
    expect(hypotheticalAction(paris, "", exampleTarget(paris, "par"), "par")).toBeNull();
    expect(exampleTarget(null)).toBe("");
  });

  it("cannot be written where nothing of the kind is asked", () => {
    expect(hypotheticalAction(null, "", "mun")).toBeNull();
    expect(hypotheticalAction({ kind: "amount", least: 0, most: 1 }, "bid", "mun")).toBeNull();
    expect(hypotheticalAction(node, "", "mun")).toBeNull();
    expect(hypotheticalAction(garrison, "", "rome")).toBeNull();
  });
});

describe("options that exclude each other", () => {
  const terms: Some = {
    kind: "some",
    options: ["a", "b", "c"].map((text) => ({ text, label: text })),
    least: 1,
    most: 3,
    exclusive: [["a", "b"]],
  };

  it("are those of one group, as the server listed them", () => {
    expect(chosenRival(terms, "a", new Set(["b", "c"]))).toBe("b");
    expect(chosenRival(terms, "a", new Set(["a", "c"]))).toBeUndefined();
    expect(chosenRival(terms, "c", new Set(["a", "b"]))).toBeUndefined();
  });

  it("are no answer together", () => {
    expect(accepts(terms, "a,c")).toBe(true);
    expect(accepts(terms, "a,b")).toBe(false);
  });
});

describe("the count of orders", () => {
  const row = (target: string, chosen = "") => ({ target, label: target, chosen, node });
  const rows = [row("ber", "A ber B"), row("kie"), row("mun")];

  it("is of the pieces that want one", () => {
    expect(orderCount({ kind: "orders", rows, options: [] })).toEqual({ given: 1, all: 3 });
    expect(orderCount({ kind: "orders", rows, options: [], due: 1 })).toEqual({ given: 1, all: 1 });
  });
});
