import { asks, over, phase, type Lesson } from "./lesson";

const choosing = (live: Parameters<typeof phase>[0]): boolean => phase(live).endsWith("-cards");

/** The first round of a kingdom: bid, settle, two cards, taxes, and the road to crowns. */
export const lesson: Lesson = {
  players: 4,
  seat: "blue",
  steps: [
    { code: "lesson.risk_europe.welcome" },
    { code: "lesson.risk_europe.bid", until: (live) => phase(live) !== "bid" },
    {
      code: "lesson.risk_europe.settle",
      until: (live) => asks(live, "garrison") || choosing(live) || over(live),
    },
    {
      code: "lesson.risk_europe.garrison",
      until: (live) => asks(live, "pick") || over(live),
    },
    {
      code: "lesson.risk_europe.cards",
      until: (live) => !asks(live, "pick") && !choosing(live),
    },
    { code: "lesson.risk_europe.orders" },
    { code: "lesson.risk_europe.money" },
    { code: "lesson.risk_europe.battle" },
    { code: "lesson.risk_europe.crowns" },
    { code: "lesson.risk_europe.end" },
  ],
};
