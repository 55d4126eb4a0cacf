// A game's own catalogues in the browser: names of places, pieces and cards for its board.
import type { Catalogue } from "../../po";
import { fill, lang, type Args } from "./words.svelte";

const files = import.meta.glob<{ default: Catalogue }>([
  "$locale/*/LC_MESSAGES/{diplomacy,versailles,risk_europe}*.po",
  "!**/*_notation.po",
]);

const loaded = $state<Record<string, Catalogue>>({});

/**
 * The words of a game: a function from code and arguments to text, empty until they are loaded.
 * Call it while a component is made; it follows the reader's language.
 */
export function gameWords(...domains: string[]): (code: string, args?: Args) => string {
  $effect(() => {
    for (const domain of domains) void load(domain, lang());
  });
  return (code, args = {}) => {
    const domain = code.slice(0, code.indexOf("."));
    const template = loaded[`${lang()}/${domain}`]?.[code];
    return template === undefined ? "" : fill(template, args);
  };
}

async function load(domain: string, to: string): Promise<void> {
  const key = `${to}/${domain}`;
  if (loaded[key]) return;
  const path = Object.keys(files).find((p) => p.endsWith(`/${to}/LC_MESSAGES/${domain}.po`));
  const file = path && files[path];
  if (file) loaded[key] = (await file()).default;
}
