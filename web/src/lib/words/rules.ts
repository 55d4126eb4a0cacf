// The numbered rules in our own words, one line per rule: docs/rules/<game>.md, and translations in
// docs/rules/<lang>/<game>.md where they exist.

export interface Rule {
  id: string;
  text: string;
  ruling: string; // our decision where the rulebook leaves a question open
}

export interface Chapter {
  title: string;
  rules: Rule[];
}

const files = import.meta.glob<string>("../../../../docs/rules/**/*.md", {
  query: "?raw",
  import: "default",
});

const RULING = /\s*(?:Ruling|Criterio|Interpretazione):\s*/; // in each language
const ROOT = "../../../../docs/rules";
const own = (game: string, lang: string): string => `${ROOT}/${lang}/${game}.md`;

/** The language in which the rules of a game are shown: the reader's, or English. */
export const rulesLanguage = (game: string, lang: string): string =>
  own(game, lang) in files ? lang : "en";

export function parseRules(markdown: string): Chapter[] {
  const chapters: Chapter[] = [];
  for (const line of markdown.split("\n")) {
    const head = /^## (.+)$/.exec(line);
    if (head?.[1]) chapters.push({ title: head[1], rules: [] });
    const found = /^- \*\*([A-Z0-9-]+)\*\* (.+)$/.exec(line);
    if (!found?.[1] || !found[2]) continue;
    const [text = "", ruling = ""] = found[2].split(RULING);
    if (!chapters.length) chapters.push({ title: "", rules: [] });
    chapters.at(-1)?.rules.push({ id: found[1], text, ruling });
  }
  return chapters.filter((chapter) => chapter.rules.length);
}

export async function rulesOf(game: string, lang: string): Promise<Chapter[]> {
  const load = files[own(game, lang)] ?? files[`${ROOT}/${game}.md`];
  return load ? parseRules(await load()) : [];
}

export async function ruleOf(game: string, id: string, lang: string): Promise<Rule | null> {
  const chapters = await rulesOf(game, lang);
  return chapters.flatMap((c) => c.rules).find((rule) => rule.id === id) ?? null;
}

/** A piece of a rule's text: plain, with emphasis, or the name of an option (`name` or `name=value`). */
export interface MarkedPiece {
  kind: "plain" | "emphasis" | "option";
  text: string;
}

const MARKUP = /\*\*?([^*]+)\*\*?|`([^`]+)`|\[([^\]]+)\]\([^)]*\)/g;

/** Splits a text at its Markdown, so that no sign of it is left to read. */
export function markedPieces(text: string): MarkedPiece[] {
  const pieces: MarkedPiece[] = [];
  let from = 0;
  for (const match of text.matchAll(MARKUP)) {
    if (match.index > from) pieces.push({ kind: "plain", text: text.slice(from, match.index) });
    const [all, emphasis, option, link = ""] = match;
    if (emphasis !== undefined) pieces.push({ kind: "emphasis", text: emphasis });
    else if (option !== undefined) pieces.push({ kind: "option", text: option });
    else pieces.push({ kind: "plain", text: link });
    from = match.index + all.length;
  }
  if (from < text.length) pieces.push({ kind: "plain", text: text.slice(from) });
  return pieces;
}
