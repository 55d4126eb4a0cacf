// A card as a game's board draws it: `boards/<game>/CardPreview.svelte`, where there is one.
import type { Component } from "svelte";

export interface CardPreviewProps {
  id: string;
  view: Record<string, unknown>; // the card as the view of a table has it
  captions: Record<string, string>;
}

const found = import.meta.glob<{ default: Component<CardPreviewProps> }>("./*/CardPreview.svelte");

export const previewOf = async (game: string): Promise<Component<CardPreviewProps> | null> =>
  (await found[`./${game}/CardPreview.svelte`]?.())?.default ?? null;
