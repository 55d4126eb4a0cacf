// A generated map (tools/mapmaker), split into the layers that are drawn on top of each other.

export interface Sheet {
  box: string; // the view box
  ground: string; // sea and land, as SVG
  lines: string; // drawn over the owners' colours: borders, towns, names, the frame
}

const WASHES = /<g id="washes"[^>]*\/>/;
const PIECES = /<g id="orders"[^>]*\/>\s*<g id="units"[^>]*\/>/;
const CLIPPED = '<g clip-path="url(#frame)">'; // the map to split

export function cutSheets(drawn: string): Sheet {
  const [, box = "", inner = ""] = /viewBox="([^"]+)"[^>]*>([^]*)<\/svg>/.exec(drawn) ?? [];
  const [below = "", above = ""] = inner.split(WASHES);
  return { box, ground: `${below}</g>`, lines: CLIPPED + above.replace(PIECES, "") };
}

const NAME = /(<text [^>]*class="label[^>]*font-size=")([\d.]+)/g;

/** The lines of a map whose names have letters of at least `least` units. */
export const enlargeNames = (lines: string, least: number): string =>
  lines.replace(NAME, (name, head: string, size: string) =>
    Number(size) < least ? `${head}${least}` : name,
  );

const PAUSE = 1000; // milliseconds before a picture that did not come is asked for again

/** The text of a map; without a network it is asked for until it comes. */
export async function fetchSheet(url: string): Promise<string> {
  for (;;) {
    try {
      const answer = await fetch(url);
      if (answer.ok) return await answer.text();
    } catch {
      // no network: once more
    }
    await new Promise((done) => setTimeout(done, PAUSE));
  }
}
