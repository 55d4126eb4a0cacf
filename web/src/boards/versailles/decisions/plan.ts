// Actions as the board can show them: the elements that they name.
import { isTargetDrawn } from "../pieces/drawn_targets";

/** The cards, nations, regions and spaces that an action names and that lie on the board now. */
export function elementsOf(action: string): string[] {
  const [verb = "", ...words] = action.split(" ");
  const named = words.flatMap((word) => word.split(/[,+]/));
  const space = verb === "deploy" && words.length === 3 ? [`${words[1]}.${words[2]}`] : [];
  return [...new Set([...space, ...named])].filter(isTargetDrawn);
}
