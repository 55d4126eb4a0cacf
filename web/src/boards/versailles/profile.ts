import type { GameProfile } from "../profiles";
import Vignette from "./Vignette.svelte";

export const profile: GameProfile = {
  vignette: Vignette,
  seats: {
    uk: { ink: "england", letter: "B", on: "on-dark" },
    france: { ink: "france", letter: "F", on: "on-light" },
    usa: { ink: "turkey", letter: "A", on: "on-light" },
    italy: { ink: "italy", letter: "I", on: "on-light" },
    japan: { ink: "austria", letter: "J", on: "on-dark" },
  },
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
