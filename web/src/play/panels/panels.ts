// The panels beside the board; on a phone, the pages.
import type { IconName } from "../../ui/Icon.svelte";

export type Panel = "board" | "players" | "orders" | "log" | "press" | "proposals" | "study";

export interface Tab {
  name: Panel;
  icon: IconName;
  code: string;
  badge?: number; // how many items are new
}

export const PAGES: readonly Tab[] = [
  { name: "board", icon: "map", code: "board" },
  { name: "players", icon: "people", code: "players" },
];

interface Wants {
  sheet: boolean; // orders for many pieces
  alone: boolean; // nobody to make proposals to
  studied: boolean;
  coached: boolean; // a game against bots: hints instead of an analysis
  unread: number;
  owed: number; // proposals waiting for this viewer's vote
}

export const tabsOf = ({ sheet, alone, studied, coached, unread, owed }: Wants): Tab[] => [
  ...(sheet ? [{ name: "orders", icon: "pen", code: "orders_list" } as const] : []),
  { name: "log", icon: "scroll", code: "log" },
  { name: "press", icon: "letter", code: "press", badge: unread },
  ...(alone ? [] : [{ name: "proposals", icon: "hands", code: "proposals", badge: owed } as const]),
  ...(studied || coached
    ? [{ name: "study", icon: "target", code: studied ? "study" : "coach" } as const]
    : []),
];
