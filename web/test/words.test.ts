import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parsePo, type Catalogue } from "../po";
import { fillTemplate, LANGS } from "../src/lib/words/words.svelte";

const LOCALE = join(__dirname, "../../src/powderkeg/locale");
const SOURCE = join(__dirname, "../src");

const read = (lang: string): Catalogue =>
  parsePo(readFileSync(join(LOCALE, lang, "LC_MESSAGES/web.po"), "utf8"));

const sources = readdirSync(SOURCE, { recursive: true, encoding: "utf8" })
  .filter((name) => /\.(svelte|ts)$/.test(name))
  .map((name) => readFileSync(join(SOURCE, name), "utf8"))
  .join("\n");

// Codes as they stand in the sources; `${…}` stands for any word.
const patterns = [...sources.matchAll(/[`"]([a-z_]+(?:\.[a-z_0-9]+|\.?\$\{[^}]+\})*)[`"]/g)].map(
  ([, code]) =>
    new RegExp(`^${(code ?? "").replaceAll(".", "\\.").replace(/\$\{[^}]+\}/g, "[a-z_0-9]+")}$`),
);
const asked = [...sources.matchAll(/\bt\(\s*"([a-z_.0-9]+)"/g)].map(([, code]) => code ?? "");
const fields = (text: string | [string, string]): string[] =>
  [
    ...new Set(
      [text]
        .flat()
        .join(" ")
        .match(/\{\w+\}/g) ?? [],
    ),
  ].sort();

describe("the catalogue of the frame", () => {
  const words = Object.fromEntries(LANGS.map((lang) => [lang, read(lang)]));
  const english = words["en"] ?? {};

  it("has every code that the sources ask for", () => {
    expect(asked.filter((code) => !(`web.${code}` in english))).toEqual([]);
  });

  it("has no code that nobody asks for", () => {
    const codes = Object.keys(english).map((code) => code.replace("web.", ""));
    expect(codes.filter((code) => !patterns.some((p) => p.test(code)))).toEqual([]);
  });

  it.each(["es", "it"])("is complete in %s, field by field", (lang) => {
    const other = words[lang] ?? {};
    expect(Object.keys(other)).toEqual(Object.keys(english));
    for (const [code, text] of Object.entries(english)) {
      expect(other[code], code).toBeTruthy();
      const more = [...fields(text), "{n}"];
      expect(
        fields(other[code] ?? "").every((field) => more.includes(field)),
        code,
      ).toBe(true);
    }
  });
});

describe("a text", () => {
  it("is filled in by name and number", () => {
    expect(fillTemplate("{who} wins", { who: "Ada" })).toBe("Ada wins");
    expect(fillTemplate(["{n} seat", "{n} seats"], { n: 1 })).toBe("1 seat");
    expect(fillTemplate(["{n} seat", "{n} seats"], { n: 3 })).toBe("3 seats");
    expect(fillTemplate("{missing}", {})).toBe("{missing}");
  });

  it("is read from a .po file, over several lines and with plurals", () => {
    const po =
      'msgid ""\nmsgstr ""\n"Language: en\\n"\n\nmsgid "a"\nmsgstr ""\n"one \\"x\\" "\n"two"\n\nmsgid "b"\nmsgid_plural "b"\nmsgstr[0] "s"\nmsgstr[1] "p"\n';
    expect(parsePo(po)).toEqual({ a: 'one "x" two', b: ["s", "p"] });
  });
});
