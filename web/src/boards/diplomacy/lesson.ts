import { hasOrder, over, phase, type Lesson } from "../lessons";

const later = (than: string) => (live: Parameters<typeof phase>[0]) =>
  over(live) || (phase(live) !== "" && phase(live) !== than);

/** France in 1901: a move, a support, a fleet at sea, and the first new centres. */
export const lesson: Lesson = {
  steps: [
    { code: "lesson.diplomacy.welcome" },
    { code: "lesson.diplomacy.units", lit: ["par", "mar", "bre"] },
    {
      code: "lesson.diplomacy.move",
      lit: ["par", "bur"],
      until: (live) => hasOrder(live, "par", /- bur/) || later("S1901M")(live),
    },
    {
      code: "lesson.diplomacy.support",
      lit: ["mar", "bur"],
      until: (live) => hasOrder(live, "mar", /S A par - bur/) || later("S1901M")(live),
    },
    {
      code: "lesson.diplomacy.fleet",
      lit: ["bre", "mao"],
      until: (live) => hasOrder(live, "bre", /- mao/) || later("S1901M")(live),
    },
    { code: "lesson.diplomacy.ready", until: later("S1901M") },
    { code: "lesson.diplomacy.results" },
    { code: "lesson.diplomacy.talk" },
    {
      code: "lesson.diplomacy.autumn",
      lit: ["por", "spa", "bel"],
      until: (live) => over(live) || /^(W|S1902|F1902)/.test(phase(live)),
    },
    {
      code: "lesson.diplomacy.winter",
      until: (live) => over(live) || /^S1902/.test(phase(live)),
    },
    { code: "lesson.diplomacy.end" },
  ],
};
