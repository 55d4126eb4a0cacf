import type { GameProfile } from "../profiles";

export const profile: GameProfile = {
  vignette: () => import("./Vignette.svelte"),
  map: { aspect: 1.119, beside: "16.5rem", papers: true },
  seats: {
    blue: { ink: "blue", letter: "B", on: "on-dark" },
    orange: { ink: "orange", letter: "O", on: "on-light" },
    green: { ink: "green", letter: "G", on: "on-dark" },
    purple: { ink: "purple", letter: "P", on: "on-light" },
  },
  terms: {
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
  answers: ["tax", "spend", "expand", "manoeuvre", "siege"],
};
