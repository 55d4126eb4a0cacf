// What every part of the board needs: words, what can be clicked, what is pointed at.
import { getContext, setContext } from "svelte";
import type { Choice } from "../../lib/question/walk.svelte";
import type { Words } from "./words";

export interface Desk {
  say: Words;
  /** A sentence of the server about a card or a term; empty where it has none. */
  caption: (about: string) => string;
  /** What a click on this element would choose, if anything. */
  choice: (target: string) => Choice | undefined;
  pick: (target: string) => void;
  /** Whether somebody points at this element in the prompt bar or the log. */
  lit: (target: string) => boolean;
  point: (target: string | null) => void;
  /** Lay a card under the lens: everything on it in words. Null where there is no lens. */
  read: ((card: string) => void) | null;
}

export const DESK = Symbol("versailles");

export const layDesk = (desk: Desk): Desk => setContext(DESK, desk);
export const useDesk = (): Desk => getContext<Desk>(DESK);
