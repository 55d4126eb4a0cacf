import { asks, over, type Lesson } from "./lesson";

/** A first turn at the conference: a nation, influence on two issues, and what peace is worth. */
export const lesson: Lesson = {
  players: 4,
  seat: "P1",
  steps: [
    { code: "lesson.versailles.welcome" },
    {
      code: "lesson.versailles.nation",
      until: (live) => over(live) || !!live.table?.view?.["nation"],
    },
    { code: "lesson.versailles.table" },
    {
      code: "lesson.versailles.place",
      until: (live) =>
        over(live) || (live.table?.question !== null && !asks(live, "place", "settle", "reclaim")),
    },
    {
      code: "lesson.versailles.military",
      until: (live) => over(live) || live.table?.question === null,
    },
    { code: "lesson.versailles.settle" },
    { code: "lesson.versailles.happiness" },
    { code: "lesson.versailles.regions" },
    { code: "lesson.versailles.end" },
  ],
};
