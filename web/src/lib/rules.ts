// The numbered rules in our own words: docs/rules/<game>.md, one line a rule.

export interface Rule {
  id: string;
  text: string;
  ruling: string; // where the rulebook left a question open
}

export interface Chapter {
  title: string;
  rules: Rule[];
}

const files = import.meta.glob<string>("../../../docs/rules/*.md", {
  query: "?raw",
  import: "default",
});

export function parseRules(markdown: string): Chapter[] {
  const chapters: Chapter[] = [];
  for (const line of markdown.split("\n")) {
    const head = /^## (.+)$/.exec(line);
    if (head?.[1]) chapters.push({ title: head[1], rules: [] });
    const found = /^- \*\*([A-Z0-9-]+)\*\* (.+)$/.exec(line);
    if (!found?.[1] || !found[2]) continue;
    const [text = "", ruling = ""] = found[2].split(/\s*Ruling:\s*/);
    if (!chapters.length) chapters.push({ title: "", rules: [] });
    chapters.at(-1)?.rules.push({ id: found[1], text, ruling });
  }
  return chapters.filter((chapter) => chapter.rules.length);
}

export async function rulesOf(game: string): Promise<Chapter[]> {
  const load = files[`../../../docs/rules/${game}.md`];
  return load ? parseRules(await load()) : [];
}

export async function ruleOf(game: string, id: string): Promise<Rule | null> {
  const chapters = await rulesOf(game);
  return chapters.flatMap((c) => c.rules).find((rule) => rule.id === id) ?? null;
}
