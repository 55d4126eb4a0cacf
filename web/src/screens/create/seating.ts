// Who can sit at a table: as many seats as players, or those that an option puts in their place.
import type { GameInfo, GameOption, SeatName } from "../../api/types";

/** Options that matter with so many players. */
export const optionsFor = (game: GameInfo, players: number): GameOption[] =>
  game.options.filter((it) => !it.players?.length || it.players.includes(players));

/** Whether an option changes who plays. */
export const changesSeats = (option: GameOption): boolean =>
  (option.choices ?? []).some((choice) => choice.seats?.length);

export function seatsOf(
  game: GameInfo,
  players: number,
  values: Record<string, unknown>,
): SeatName[] {
  for (const option of optionsFor(game, players)) {
    const value = values[option.name] ?? option.default;
    const choice = option.choices?.find((it) => it.value === value);
    if (choice?.seats?.length) return choice.seats;
  }
  return game.seats[String(players)] ?? [];
}
