// Words that mean something in a game: each opens a short explanation and the rule behind it. The
// words and their explanations are in the catalogues <game>_terms, the rules in the game's profile.
import { profiledGames, profileOf } from "../../boards/profiles";
import { gameWords } from "./game_words.svelte";
import { lang } from "./words.svelte";

export interface Term {
  key: string;
  forms: string[]; // as they stand in a sentence
  is: string; // what it means
  rule: string;
}

/** A piece of a text: plain, or a term. */
export interface Piece {
  text: string;
  term: Term | null;
}

/** The terms of a game in the reader's language. Call it while a component is made. */
export function termsOf(game: () => string): () => Term[] {
  const words = gameWords(...profiledGames().map((name) => `${name}_terms`));
  return () =>
    Object.entries(profileOf(game())?.terms ?? {}).flatMap(([key, rule]) => {
      const forms = words(`${game()}_terms.${key}`).split("|").filter(Boolean);
      return forms.length ? [{ key, forms, is: words(`${game()}_terms.${key}.is`), rule }] : [];
    });
}

/** The terms of a game, ready to be found: a board in words has hundreds of lines. */
export class Glossary {
  private readonly byForm: ReadonlyMap<string, Term>;
  private readonly found: RegExp;

  constructor(terms: readonly Term[]) {
    this.byForm = new Map(terms.flatMap((term) => term.forms.map((form) => [form, term])));
    const forms = [...this.byForm.keys()].sort((a, b) => b.length - a.length).map(escaped);
    this.found = new RegExp(`(?<![\\p{L}\\p{N}])(${forms.join("|")})(?![\\p{L}\\p{N}])`, "giu");
  }

  /** A text cut where terms stand in it. Each is marked once: one door is enough. */
  pieces(text: string): Piece[] {
    if (!this.byForm.size) return [{ text, term: null }];
    const seen = new Set<Term>();
    const cut: Piece[] = [];
    let from = 0;
    for (const match of text.matchAll(this.found)) {
      const term = this.byForm.get(match[0].toLocaleLowerCase(lang()));
      if (!term || seen.has(term)) continue;
      seen.add(term);
      if (match.index > from) cut.push({ text: text.slice(from, match.index), term: null });
      cut.push({ text: match[0], term });
      from = match.index + match[0].length;
    }
    if (from < text.length) cut.push({ text: text.slice(from), term: null });
    return cut;
  }
}

const escaped = (form: string): string => form.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
