// Card packs that were changed and not saved, on this device. A private window works without it.

const keyOf = (game: string, id: string): string => `powderkeg.pack.${game}${id && `.${id}`}`;

/** The line as it was left; `id` is that of the saved pack, or empty. */
export function keptLine(game: string, id: string): string {
  try {
    return localStorage.getItem(keyOf(game, id)) ?? "";
  } catch {
    return "";
  }
}

/** Keeps a line; an empty one is forgotten. */
export function keepLine(game: string, id: string, line: string): void {
  try {
    if (line) localStorage.setItem(keyOf(game, id), line);
    else localStorage.removeItem(keyOf(game, id));
  } catch {
    // a private window has no storage
  }
}
