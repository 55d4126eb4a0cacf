// What a board gets from the frame, and how the frame finds it. See README.md.
import type { Component } from "svelte";
import type { View } from "../api/types";
import type { Livery } from "./liveries";
import type { Pencil } from "../lib/table/pencil.svelte";
import type { Walk } from "../lib/question/walk.svelte";
import type { Player } from "../lib/table/live_table.svelte";
import type { Entry, Question, Scene } from "../api/types";
import type { Option } from "../lib/question/tree";
import type { Lang } from "../lib/words/words.svelte";

export interface BoardProps {
  /** The game's own view, as the server sent it; at a moment of the past, the view of then. */
  view: View;
  /** Sentences about things on the board, in the reader's language, by the things' ids. */
  captions: Readonly<Record<string, string>>;
  /** The question being answered, or null: not my turn, or looking back. */
  question: Question | null;
  /** The walk through that question: `choices` to light up, `steps` taken so far, `amounts`… */
  walk: Walk;
  /** A click on a board element. Returns whether it meant anything. */
  pick: (target: string) => boolean;
  /** Call it after a choice made directly on `walk` (open, choose, toggle, setShare, submitNode);
   * `confirmed`: the click itself said clearly enough that it cannot be taken back; `next`: the choice
   * that follows once this one is confirmed. */
  onChoice: (confirmed?: boolean, next?: (confirmed: boolean) => void) => void;
  /** Do what takes several choices: now, or when the answer has come that is on its way. */
  soon: (name: string, act: () => void) => void;
  /** Send an action in wire notation at once (a drag that says everything). */
  act: (text: string) => Promise<boolean>;
  /** Answers that are on their way to the server, in wire notation: drawn at once. */
  pending?: readonly string[];
  /** Board elements to point at: what the pointer is over in prompt bar, orders and log. */
  lit: readonly string[];
  /** Tell the frame what the pointer is over, so that it points at the same thing. */
  point: (target: string | null) => void;
  /** The seats with their names, colours (CSS values) and letters. */
  players: readonly Player[];
  /** The seat whose view is shown. */
  seat: string | null;
  /** What the entries since the last drawn view brought about, for calm animation. */
  news: readonly Entry[];
  /** Battles, uprisings and auctions step by step, as far as the moment on the screen. */
  scenes: readonly Scene[];
  /** While what others do is shown step by step: the scene that is played at this step. */
  played: Scene | null;
  /** The whole log, as far as it is known here. */
  log: readonly Entry[];
  /** Whether a moment of the past is shown. */
  past: boolean;
  lang: Lang;
  /** Orders drawn in pencil over the board: my own plans, or a sketch from a letter. */
  pencil?: Pencil;
  /** Go on from a position that was put together here; null where positions cannot be edited. */
  edit?: ((position: Record<string, unknown>) => Promise<boolean>) | null;
  /** Send what was drawn with a letter; null where nobody may be written to. */
  share?: (() => void) | null;
}

export type Board = Component<BoardProps>;

/** How a seat, or a side without one, looks, is called and stands when the game itself decides that;
    null: as always. */
export type Dress = (
  view: View,
  seat: string,
) => (Partial<Livery> & { label?: string; score?: number; scored?: string | undefined }) | null;

/**
 * What the board itself offers of the node being answered, so that the prompt bar need not repeat
 * it: a choice of it, or without one its sliders and steppers.
 */
export type Covers = (walk: Walk, option?: Option) => boolean;

/** The board elements of what a sentence of the log names, by the codes of its words. */
export type Places = (about: readonly string[]) => string[];

/** What a board can show of actions in wire notation: lines to draw in pencil, and elements to light. */
export type Plan = (actions: readonly string[]) => { lines: string[]; lit: string[] };

export interface BoardModule {
  default: Board;
  places?: Places;
  plan?: Plan;
  dress?: Dress;
  covers?: Covers;
  /** What others do is shown step by step, and scenes are shown beside the board. */
  watched?: boolean;
}

const found = import.meta.glob<BoardModule>("./*/Board.svelte");

/** The board of a game, loaded when it is first needed; null where a game has none. */
export async function boardOf(game: string): Promise<BoardModule | null> {
  return (await found[`./${game}/Board.svelte`]?.()) ?? null;
}
