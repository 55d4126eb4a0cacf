// A generated map (tools/mapmaker), cut where things are put upon it.

export interface Sheet {
  box: string; // the view box
  below: string; // what lies under orders and units, as SVG
  above: string; // the names
}

export function sheet(drawn: string): Sheet {
  const [, box = "", inner = ""] = /viewBox="([^"]+)"[^>]*>([^]*)<\/svg>/.exec(drawn) ?? [];
  const [below = "", above = ""] = inner.split(/<g id="orders"[^>]*\/>\s*<g id="units"[^>]*\/>/);
  return { box, below, above };
}
