// Actions as the map can show them: marches as arrows, and every territory and card that they name.
import { CARDS } from "../pieces/piece_icons";
import { isPlace } from "./territories";

export interface March {
  from: string;
  to: string;
}

/** What of actions in wire notation can be drawn, and what can be lit. */
export function planOf(actions: readonly string[]): { lines: string[]; lit: string[] } {
  const words = actions.map((text) => text.split(/[ ,:]/));
  const named = words
    .flatMap((each) => each.slice(1))
    .filter((word) => isPlace(word) || word in CARDS);
  return {
    lines: marchesOf(words).map(({ from, to }) => `${from} ${to}`),
    lit: [...new Set(named)],
  };
}

/** From where to where pieces go: `from a`, `to b`, or in one step as a siege does. */
function marchesOf(words: readonly string[][]): March[] {
  let from = "";
  const found: March[] = [];
  for (const [verb, place = "", goal = ""] of words) {
    if (verb === "from") from = place;
    else if (verb === "to" && from) found.push({ from, to: place });
    else if (verb === "besiege") found.push({ from: place, to: goal });
    else if (verb === "order") from = "";
  }
  return found;
}
