// The terms of a game: each opens a short explanation and the rule behind it. Terms and explanations
// are in the catalogues <game>_terms, rule ids in the game's profile.
import { profileOf } from "../../boards/profiles";
import { followWords } from "./game_words.svelte";
import { lang } from "./words.svelte";

export interface Term {
  key: string;
  forms: string[]; // as they occur in a sentence
  is: string; // what it means
  rule: string;
  isAnswer?: boolean; // the name of something that one chooses
}

/** A piece of a text: plain, or a term. */
export interface Piece {
  text: string;
  term: Term | null;
}

/** The terms of a game in the reader's language. Call it while a component is created. */
export function termsOf(game: () => string): () => Term[] {
  const words = followWords(() => [`${game()}_terms`]);
  return () => {
    const { terms = {}, answers = [] } = profileOf(game()) ?? {};
    return Object.entries(terms).flatMap(([key, rule]) => {
      const forms = words(`${game()}_terms.${key}`).split("|").filter(Boolean);
      const is = words(`${game()}_terms.${key}.is`);
      return forms.length ? [{ key, forms, is, rule, isAnswer: answers.includes(key) }] : [];
    });
  };
}

/** Finds terms in texts. The pattern is built once, because a board in words has hundreds of lines. */
export class Glossary {
  private readonly byForm: ReadonlyMap<string, Term>;
  private readonly pattern: RegExp;

  constructor(terms: readonly Term[]) {
    this.byForm = new Map(terms.flatMap((term) => term.forms.map((form) => [form, term])));
    const forms = [...this.byForm.keys()].sort((a, b) => b.length - a.length).map(escapeRegExp);
    this.pattern = new RegExp(`(?<![\\p{L}\\p{N}])(${forms.join("|")})(?![\\p{L}\\p{N}])`, "giu");
  }

  /** Splits a text at its terms; each term is marked only once. */
  pieces(text: string): Piece[] {
    if (!this.byForm.size) return [{ text, term: null }];
    const seen = new Set<Term>();
    const cut: Piece[] = [];
    let from = 0;
    for (const match of text.matchAll(this.pattern)) {
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

const escapeRegExp = (form: string): string => form.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
