import type { GameProfile } from "../profiles";

export const profile: GameProfile = {
  vignette: () => import("./Vignette.svelte"),
  open: true,
  map: { aspect: 1.5, beside: "0px", wordy: true },
  seats: {
    // As in the box: red, blue, white and yellow cubes; Japan has none.
    uk: { ink: "red", letter: "UK", on: "on-dark" },
    france: { ink: "azure", letter: "FR", on: "on-dark" },
    usa: { ink: "white", letter: "US", on: "on-light" },
    italy: { ink: "yellow", letter: "IT", on: "on-light" },
    japan: { ink: "purple", letter: "JP", on: "on-light" },
  },
  sides: "nation",
  terms: {
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
};
