import { describe, expect, it } from "vitest";
import { Glossary, type Term } from "../src/lib/words/glossary.svelte";

const term = (key: string, ...forms: string[]): Term => ({ key, forms, is: "", rule: "" });
const terms = [
  term("support", "support", "supports"),
  term("centre", "supply centres", "centres"),
  term("cut", "cut"),
];
const found = (text: string) =>
  new Glossary(terms).pieces(text).map((p) => (p.term ? [p.text] : p.text));

describe("terms in a sentence", () => {
  it("are found in whole words, the longest first, whatever their case", () => {
    expect(found("Supply centres count; Support is cut.")).toEqual([
      ["Supply centres"],
      " count; ",
      ["Support"],
      " is ",
      ["cut"],
      ".",
    ]);
    expect(found("supporters and shortcuts")).toEqual(["supporters and shortcuts"]);
  });

  it("are marked once", () => {
    expect(found("cut and cut again")).toEqual([["cut"], " and cut again"]);
  });

  it("leave a text alone where a game has none", () => {
    expect(new Glossary([]).pieces("support")).toEqual([{ text: "support", term: null }]);
  });
});
