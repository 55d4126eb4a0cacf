// The server's games with their texts, loaded once per language.
import { api } from "../api/client";
import type { GameInfo } from "../api/types";

export const catalogue = $state<{ games: GameInfo[] }>({ games: [] });

export async function loadGames(): Promise<void> {
  catalogue.games = (await api.games()).games;
}
