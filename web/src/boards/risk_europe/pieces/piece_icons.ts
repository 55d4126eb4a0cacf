// Drawn for Powderkeg, as in games/risk_europe/draw/pieces.py. Each fits into sixteen by sixteen
// around (0, 0): what is filled, then what is a line.
import type { UnitName } from "../view";

export type PieceIconName =
  | UnitName
  | "tax"
  | "spend"
  | "expand"
  | "split"
  | "manoeuvre"
  | "king"
  | "tower"
  | "coin"
  | "card"
  | "mission";

export const PIECE_ICONS: Record<PieceIconName, readonly [string, string]> = {
  footman: [
    "M-1 -7.4a2.4 2.4 0 1 1-.01 0zM-5 7.4V1.4Q-5 -2 -1 -2T3 1.4V7.4z",
    "M5.6 7.6V-7.6M4.2 -5L5.6 -8L7 -5",
  ],
  archer: ["M8 0L3.8 -2.6V2.6z", "M-2.4 -7.4C5.4 -4.6 5.4 4.6 -2.4 7.4V-7.4M-7.4 0H5"],
  cavalry: [
    "M-4.6 7.6H5.2C5.2 3 6.4 -1 4.3 -4.6C3.2 -6.5 1.4 -7.1 0 -7.8L-.6 -5.8C-3.2 -5 -5.2 -2.5 -6.6 .4L-4.8 2.4C-3.2 1.8 -2.2 .8 -.6 .8C-.8 3.2 -4.2 4.2 -4.6 7.6z",
    "",
  ],
  siege: [
    "M-4.4 3.4a2.2 2.2 0 1 1-.01 0zM4.4 3.4a2.2 2.2 0 1 1-.01 0zM-6.4 -8a2.1 2.1 0 1 1-.01 0z",
    "M-7 3.2H7M-6 -6L5 2M-2.6 3L.4 -3.4L4 3",
  ],
  tax: [
    "M-3.2 -4.4C-7.4 -1 -8 7.4 -3 7.4H3C8 7.4 7.4 -1 3.2 -4.4z",
    "M-3.6 -4.6H3.6M-2.8 -7.6L-1.4 -5M0 -8V-5M2.8 -7.6L1.4 -5",
  ],
  spend: [
    "",
    "M-7.4 6.8H7.4M-5.6 6.8V-1.4M5.6 6.8V-1.4M-7.6 -2L-5.4 -6.8H5.4L7.6 -2zM-1.6 6.8V1.6H1.6V6.8",
  ],
  expand: ["M7.8 0L2 -4.4V4.4z", "M-7.6 0H3M-7.6 -4.6V4.6"],
  split: [
    "M7.8 -5.4L2.2 -7.6L3.4 -2.2zM7.8 5.4L2.2 7.6L3.4 2.2z",
    "M-7.8 0H-3.4L3 -4.8M-3.4 0L3 4.8",
  ],
  manoeuvre: ["M8 -3.4L3.4 -6.6V-.2zM-8 3.4L-3.4 6.6V.2z", "M-6.4 -3.4H4M6.4 3.4H-4"],
  king: ["M-6.4 5L-7.4 -3.6L-3.2 -.6L0 -6L3.2 -.6L7.4 -3.6L6.4 5z", "M-6.4 7.2H6.4"],
  tower: [
    "M-8 -8.5h3.4v2.6h2.8v-2.6h3.6v2.6h2.8v-2.6h3.4v5.4l-1.6 1.6v9.6h-13.6v-9.6l-1.6 -1.6z",
    "",
  ],
  coin: ["", "M0 -7a7 7 0 1 1-.01 0zM0 -4.2a4.2 4.2 0 1 1-.01 0z"],
  card: ["", "M-5 -7.4H5V7.4H-5zM-2.4 -3.6H2.4M-2.4 0H2.4M-2.4 3.6H2.4"],
  mission: ["M0 2.2a2.6 2.6 0 1 1-.01 0z", "M-5.6 -7.4H5.6V4.6H-5.6zM-3 -4H3M-3 -1.2H3"],
};

export const CROWN = "M-6 3L-7 -3.6L-3.2 -.6L0 -5L3.2 -.6L7 -3.6L6 3z";
export const TOWER = PIECE_ICONS.tower[0];
export const DOOR = "M-2.2 8v-3.6a2.2 2.2 0 0 1 4.4 0v3.6z";
export const BLADES = "M-7 -7L6 6M3.4 7.4L7.4 3.4M7 -7L-6 6M-3.4 7.4L-7.4 3.4";

/** What is printed on a card of King's Orders: two orders, and what comes with them. */
export const CARDS: Record<
  string,
  { orders: [PieceIconName, PieceIconName]; bonus: PieceIconName | null }
> = {
  tax: { orders: ["tax", "spend"], bonus: null },
  king: { orders: ["tax", "spend"], bonus: "king" },
  split: { orders: ["split", "manoeuvre"], bonus: null },
  fortify: { orders: ["expand", "manoeuvre"], bonus: "tower" },
  siege: { orders: ["expand", "manoeuvre"], bonus: "siege" },
};
