// Which modules share a file: a request costs more than the few hundred bytes of a small one. What
// every screen needs is one file, the table another, and each board another; what is opened later
// stays apart.
import { existsSync, readdirSync } from "node:fs";

interface Modules {
  getModuleInfo: (id: string) => { importedIds: string[] } | null;
}

const inSources = (path: string) => new URL(`src/${path}`, import.meta.url).pathname;
const MAIN = inSources("main.ts");
const TABLE = inSources("screens/Table.svelte");
const FRONT = inSources("screens/Front.svelte");
const boardOf = (game: string) => inSources(`boards/${game}/Board.svelte`);
const BOARDS = readdirSync(inSources("boards")).filter((name) => existsSync(boardOf(name)));

/** All modules that come with this one. */
function reach(root: string, modules: Modules): Set<string> {
  const found = new Set([root]);
  for (const id of found)
    for (const next of modules.getModuleInfo(id)?.importedIds ?? []) found.add(next);
  return found;
}

const known = new Map<string, Set<string>>();
function comesWith(root: string, id: string, modules: Modules): boolean {
  if (!known.has(root)) known.set(root, reach(root, modules));
  return known.get(root)?.has(id) ?? false;
}

/** The file a module belongs to, and how early it is filled; null: it gets one by itself. */
function chunkOf(id: string, modules: Modules): [string, number] | null {
  const from = (root: string) => comesWith(root, id, modules);
  if (from(MAIN) || (from(FRONT) && from(TABLE))) return ["frame", 9];
  if (from(TABLE)) return ["table", 8];
  const boards = BOARDS.filter((game) => from(boardOf(game)));
  return boards.length ? [`board_${boards.join("_")}`, boards.length] : null;
}

/** One after the other: a file takes along what its modules need, unless an earlier one has it. */
export const CHUNKS = [9, 8, 3, 2, 1].map((priority) => ({
  priority,
  name: (id: string, modules: Modules) => {
    const [name, order] = chunkOf(id, modules) ?? [];
    return name && order === priority ? name : null;
  },
}));
