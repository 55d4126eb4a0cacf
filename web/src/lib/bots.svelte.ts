// Names and short explanations of the levels and characters of bots, and a table among them.
import type { GameInfo, SeatIn } from "../api/types";
import { hasText, t } from "./words/words.svelte";

export const levelName = (level: string): string =>
  hasText(`level.${level}`) ? t(`level.${level}`) : level;

export const levelHint = (level: string): string =>
  hasText(`level.${level}.hint`) ? t(`level.${level}.hint`) : levelName(level);

/** A character's name; without one a bot is even-handed. */
export const characterName = (character: string): string => {
  const code = `character.${character || "even"}`;
  return hasText(code) ? t(code) : character;
};

export const characterHint = (character: string): string => {
  const code = `character.${character || "even"}.hint`;
  return hasText(code) ? t(code) : "";
};

/** The seats of a quick game: mine, or one by lot, and bots with drawn characters in all others. */
export function seatsAmongBots(game: GameInfo, level: string, mine: string): SeatIn[] {
  const seats = game.seats[String(game.players.at(-1))] ?? [];
  const drawn = seats[Math.floor(Math.random() * seats.length)]?.seat;
  const character = game.characters.length ? "drawn" : "";
  const empty = { level: "", character: "", name: "", invite: "" };
  return seats.map(({ seat }) =>
    seat === (mine || drawn)
      ? { ...empty, seat, kind: "me" }
      : { ...empty, seat, kind: "bot", level, character },
  );
}

/** A bot as the list of players shows it: its level and, if it has one, its character. */
export const botName = (level: string, character: string): string =>
  character ? `${levelName(level)}, ${characterName(character)}` : levelName(level);
