// The client's house rules: the frame knows no game, games know only their own folder and the
// frame, and everything can be found by its name.
import { readdirSync, readFileSync, statSync } from "node:fs";
import { basename, dirname, join, normalize, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const HERE = fileURLToPath(import.meta.url);
const SRC = join(dirname(HERE), "../src");
const MOST_FILES = 16;
const MOST_LINES = 500;

const walk = (folder: string): string[] =>
  readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    return statSync(path).isDirectory() ? walk(path) : [path];
  });
const files = walk(SRC).map((path) => relative(SRC, path));
const read = (file: string): string => readFileSync(join(SRC, file), "utf8");

const SHARED = new Set(["atlas"]); // maps, for the games that have one
const games = readdirSync(join(SRC, "boards"), { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && !SHARED.has(entry.name))
  .map((entry) => entry.name);
const gameOf = (file: string): string | undefined =>
  games.find((game) => file.startsWith(`boards/${game}/`));
const frame = files.filter((file) => !file.startsWith("boards/") && file !== "api/schema.d.ts");

// What only games speak of. Orders, seats, phases and letters are the frame's own words.
const GAME_WORDS =
  /\b(power|province|fleet|army|armies|issue|nation|region|territory|territories|kingdom|crown|influence|uprising|coin|treaty|supply cent)(s|re|res)?\b/i;

const importsOf = (file: string): string[] =>
  [...read(file).matchAll(/(?:from|import|import\()\s*"(\.[^"]+)"/g)].map(([, to = ""]) =>
    normalize(join(dirname(file), to)),
  );

describe("the frame", () => {
  it("names no game", () => {
    const named = new RegExp(`\\b(${games.join("|")})\\b`, "i");
    expect(games).toHaveLength(3);
    expect(frame.filter((file) => named.test(read(file)))).toEqual([]);
  });

  it("speaks of nothing that belongs to one game", () => {
    const said = frame.flatMap((file) =>
      read(file)
        .split("\n")
        .filter((line) => GAME_WORDS.test(line))
        .map((line) => `${file}: ${line.trim()}`),
    );
    expect(said).toEqual([]);
  });

  it("reaches games through the registries of boards/ alone", () => {
    const reached = frame.flatMap((file) => importsOf(file).filter((to) => gameOf(to)));
    expect(reached).toEqual([]);
  });
});

describe("a game", () => {
  it("imports nothing of another", () => {
    const foreign = files
      .filter(gameOf)
      .flatMap((file) => importsOf(file).filter((to) => gameOf(to) && gameOf(to) !== gameOf(file)));
    expect(foreign).toEqual([]);
  });

  it.each(games)("%s has a board, a profile and a lesson", (game) => {
    for (const part of ["Board.svelte", "profile.ts", "lesson.ts", "Vignette.svelte", "view.ts"])
      expect(files).toContain(`boards/${game}/${part}`);
  });
});

describe("everything", () => {
  it("is found in a folder that fits on a screen", () => {
    const counts = new Map<string, number>();
    for (const file of files) counts.set(dirname(file), (counts.get(dirname(file)) ?? 0) + 1);
    expect([...counts].filter(([, count]) => count > MOST_FILES)).toEqual([]);
  });

  it("is short enough to read", () => {
    const long = files.filter(
      (file) => file !== "api/schema.d.ts" && read(file).split("\n").length > MOST_LINES,
    );
    expect(long).toEqual([]);
  });

  it("has a name of its own: no two components are called alike, but for each game's parts", () => {
    const parts = new Set(["Board.svelte", "Vignette.svelte"]);
    const names = files.map((file) => basename(file)).filter((name) => name.endsWith(".svelte"));
    const twice = names.filter((name, i) => names.indexOf(name) !== i && !parts.has(name));
    expect(twice).toEqual([]);
  });
});
