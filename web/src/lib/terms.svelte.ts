// Words that mean something in a game: each opens a short explanation and the rule behind it. The
// words and their explanations are in the catalogues <game>_terms, the rules are named here.
import { gameWords } from "./gamewords.svelte";
import { lang } from "./words.svelte";

const RULES: Record<string, Record<string, string>> = {
  diplomacy: {
    support: "D-SUP-01",
    convoy: "D-CONV-01",
    hold: "D-ORD-08",
    standoff: "D-STAND-01",
    cut: "D-CUT-01",
    dislodged: "D-DISL-01",
    retreat: "D-RET-01",
    adjustment: "D-ADJ-01",
    centre: "D-SC-01",
  },
  versailles: {
    influence: "V-PLACE-01",
    issue: "V-SETTLE-01",
    settle: "V-SETTLE-02",
    exhausted: "V-RECLAIM-01",
    happiness: "V-MUT-01",
    unrest: "V-REG-07",
    uprising: "V-UPR-10",
    demobilise: "V-MIL-12",
    deploy: "V-MIL-08",
  },
  risk_europe: {
    crown: "R-SET-01",
    tax: "R-TAX-02",
    spend: "R-SPEND-01",
    expand: "R-EXP-04",
    manoeuvre: "R-MAN-06",
    disputed: "R-DISP-02",
    castle: "R-EXP-07",
    siege: "R-BAT-04",
    battle: "R-BAT-02",
  },
};

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
  const words = gameWords(...Object.keys(RULES).map((name) => `${name}_terms`));
  return () =>
    Object.entries(RULES[game()] ?? {}).flatMap(([key, rule]) => {
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
