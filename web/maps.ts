// The generated maps are pictures, not scripts: `map.svg?sheet` is fetched beside the code of its
// board, and of `anchors.json` only the places of pieces are packed, not those of the names.
import { readFileSync } from "node:fs";
import type { Plugin } from "vite";

const SHEET = "?sheet";
const PIECES = "anchors.json";
const NAMES = new Set(["labels", "short", "towns"]);

/** The anchors of a map without those of its names, which stand in the drawing already. */
export function piecesOnly(json: string): string {
  return JSON.stringify(
    JSON.parse(json, (key, value: unknown) => (NAMES.has(key) ? undefined : value)),
  );
}

export function maps(): Plugin {
  const testing = !!process.env["VITEST"]; // there nothing can be fetched
  return {
    name: "maps",
    enforce: "pre",
    async resolveId(id, importer) {
      if (!id.endsWith(SHEET)) return null;
      const found = await this.resolve(id.slice(0, -SHEET.length), importer);
      return found ? `\0${found.id}${SHEET}` : null;
    },
    load(id) {
      if (id.endsWith(`/${PIECES}`)) return piecesOnly(readFileSync(id, "utf8"));
      if (!id.startsWith("\0") || !id.endsWith(SHEET)) return null;
      const file = id.slice(1, -SHEET.length);
      if (testing) return `export { default } from ${JSON.stringify(`${file}?raw`)};`;
      return [
        `import url from ${JSON.stringify(`${file}?url`)};`,
        `import { fetchSheet } from "/src/boards/atlas/sheets";`,
        `export default await fetchSheet(url);`,
      ].join("\n");
    },
  };
}
