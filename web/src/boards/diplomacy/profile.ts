import type { GameProfile } from "../profiles";
import { exampleOrders } from "./example_orders";

export const profile: GameProfile = {
  vignette: () => import("./Vignette.svelte"),
  exampleOrders,
  sides: "power",
  map: { aspect: 1.124, beside: "2.9rem" },
  seats: {
    austria: { ink: "austria", letter: "A", on: "on-dark" },
    england: { ink: "england", letter: "E", on: "on-dark" },
    france: { ink: "france", letter: "F", on: "on-light" },
    germany: { ink: "germany", letter: "G", on: "on-dark" },
    italy: { ink: "italy", letter: "I", on: "on-light" },
    russia: { ink: "russia", letter: "R", on: "on-light" },
    turkey: { ink: "turkey", letter: "T", on: "on-light" },
  },
  terms: {
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
};
