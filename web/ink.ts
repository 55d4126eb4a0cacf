// Inks: the palette and the style sheet of the maps (src/powderkeg/picture) as CSS, so that the
// desk around a map and the map itself are coloured from one file.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Plugin } from "vite";

const PICTURE = new URL("../src/powderkeg/picture/", import.meta.url);
const THEMES: Record<string, string> = {
  paper: ':root, :root[data-theme="day"]',
  lamplight: ':root[data-theme="lamp"]',
};

/** Every ink as a custom property, by day and by lamplight. */
export function inkCss(toml: string): string {
  let css = "";
  for (const part of toml.split(/^\[/m).slice(1)) {
    const theme = part.slice(0, part.indexOf("]"));
    const inks = [...part.matchAll(/^([a-z-]+) = "(#[0-9a-f]{6})"/gm)];
    css += `${THEMES[theme]} {${inks.map(([, name, hex]) => `--${name}:${hex};`).join("")}}\n`;
  }
  return css;
}

/** The maps' style sheet, kept inside `.atlas`: its short class names are none of the page's. */
export function atlasCss(source: string): string {
  return `.atlas {\n${source.replace(/^\.atlas\b/gm, "&")}\n}\n`;
}

export function ink(): Plugin {
  const made: Record<string, [string, (text: string) => string]> = {
    "virtual:ink.css": ["ink.toml", inkCss],
    "virtual:atlas.css": ["atlas.css", atlasCss],
  };
  return {
    name: "ink",
    resolveId: (id) => (id in made ? `\0${id}` : null),
    load(id) {
      const found = made[id.replace("\0", "")];
      if (!found || !id.startsWith("\0")) return null;
      const file = fileURLToPath(new URL(found[0], PICTURE));
      this.addWatchFile(file);
      return found[1](readFileSync(file, "utf8"));
    },
  };
}
