// Every step of every lesson has its words, and no words of a lesson are left over.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { parsePo } from "../po";
import { lessonOf } from "../src/boards/lessons";

const PO = "../../src/powderkeg/locale/en/LC_MESSAGES/web.po";
const words = Object.keys(
  parsePo(readFileSync(fileURLToPath(new URL(PO, import.meta.url)), "utf8")),
);

describe.each(["diplomacy", "versailles", "risk_europe"])("the lesson of %s", (game) => {
  it("says what the catalogue has for it, and all of it", async () => {
    const lesson = await lessonOf(game);
    const codes = lesson?.steps.map((step) => `web.${step.code}`) ?? [];
    expect(codes.length).toBeGreaterThan(8);
    expect(words.filter((code) => code.startsWith(`web.lesson.${game}.`)).sort()).toEqual(
      [...codes].sort(),
    );
  });
});
