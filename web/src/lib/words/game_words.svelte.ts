// A game's own catalogues: names of places, pieces and cards for its board.
import type { Catalogue } from "../../../po";
import { fillTemplate, lang, type Args } from "./words.svelte";

const files = import.meta.glob<{ default: Catalogue }>([
  "$locale/*/LC_MESSAGES/*.po",
  // Used by the server, the terminal or the frame.
  "!$locale/*/LC_MESSAGES/*_{notation,bots}.po",
  "!$locale/*/LC_MESSAGES/{archive,bots,bots_*,cards,cli,core,daide,judge,lessons,odds,server,web}.po",
]);

const loaded = $state<Record<string, Catalogue>>({});
const lastLang = $state<Record<string, string>>({}); // by catalogue

/** Loads all texts of a game before its board is shown, so that no button lacks a name. */
export async function loadGameWords(game: string): Promise<void> {
  const names = Object.keys(files).map((path) => path.slice(path.lastIndexOf("/") + 1, -3));
  const own = new Set(names.filter((name) => name === game || name.startsWith(`${game}_`)));
  await Promise.all([...own].map((domain) => load(domain, lang())));
}

/**
 * The texts of a game: a function from code and arguments to text. Call it while a component is
 * created; it follows the reader's language, and uses the last one until the new one is loaded.
 */
export function gameWords(...domains: string[]): (code: string, args?: Args) => string {
  return followWords(() => domains);
}

/** The same where the catalogues depend on what is shown. */
export function followWords(domains: () => string[]): (code: string, args?: Args) => string {
  $effect(() => {
    for (const domain of domains()) load(domain, lang()).catch(() => {}); // offline: no change
  });
  return (code, args = {}) => {
    const domain = code.slice(0, code.indexOf("."));
    const words = loaded[`${lang()}/${domain}`] ?? loaded[`${lastLang[domain]}/${domain}`];
    const template = words?.[code];
    return template === undefined ? "" : fillTemplate(template, args);
  };
}

async function load(domain: string, to: string): Promise<void> {
  const key = `${to}/${domain}`;
  if (loaded[key]) {
    lastLang[domain] = to;
    return;
  }
  const path = Object.keys(files).find((p) => p.endsWith(`/${to}/LC_MESSAGES/${domain}.po`));
  const file = path && files[path];
  if (!file) return;
  loaded[key] = (await file()).default;
  lastLang[domain] = to;
}
