// The server's games and presets with their texts, loaded once per language.
import { api } from "../api/client";
import type { GameInfo, Preset } from "../api/types";

export const catalogue = $state<{ games: GameInfo[]; presets: Preset[] }>({
  games: [],
  presets: [],
});

export async function loadGames(): Promise<void> {
  const found = await api.games();
  catalogue.games = found.games;
  catalogue.presets = found.presets;
}
