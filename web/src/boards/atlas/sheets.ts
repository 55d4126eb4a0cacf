// A generated map (tools/mapmaker), cut into the sheets that are laid upon each other.

export interface Sheet {
  box: string; // the view box
  ground: string; // sea and land, as SVG
  lines: string; // what lies over the colours of the owners: borders, towns, names, the frame
}

const WASHES = /<g id="washes"[^>]*\/>/;
const PIECES = /<g id="orders"[^>]*\/>\s*<g id="units"[^>]*\/>/;
const CLIPPED = '<g clip-path="url(#frame)">'; // what is cut in two here

export function cutSheets(drawn: string): Sheet {
  const [, box = "", inner = ""] = /viewBox="([^"]+)"[^>]*>([^]*)<\/svg>/.exec(drawn) ?? [];
  const [below = "", above = ""] = inner.split(WASHES);
  return { box, ground: `${below}</g>`, lines: CLIPPED + above.replace(PIECES, "") };
}
