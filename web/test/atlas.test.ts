import { zoomIdentity } from "d3-zoom";
import { describe, expect, it } from "vitest";
import { fitBox, shift } from "../src/boards/atlas/zoom.svelte";
import { cutSheets } from "../src/boards/atlas/sheets";

describe("a drawn map", () => {
  const { box, ground, lines } = cutSheets(
    '<svg viewBox="0 0 4 3" class="atlas"><defs/><g clip-path="url(#frame)"><path id="par"/>' +
      '<g id="washes" class="washes"/><path class="border"/></g><g class="labels"/>' +
      '<g id="orders" class="orders"/>\n<g id="units" class="units"/><g class="frame"/></svg>',
  );

  it("is cut under and over the colours of the owners", () => {
    expect(box).toBe("0 0 4 3");
    expect(ground).toBe('<defs/><g clip-path="url(#frame)"><path id="par"/></g>');
    expect(lines).toContain('<g clip-path="url(#frame)"><path class="border"/></g>');
    expect(lines).toContain('<g class="labels"/>');
  });

  it("leaves no groups for pieces, which lie on a sheet of their own", () => {
    expect(lines).not.toMatch(/id="(orders|units)"/);
  });
});

describe("a map that is moved", () => {
  it("lies in the middle of its frame, as large as can be", () => {
    expect(fitBox("-10 -10 120 60", 300, 300)).toEqual({ scale: 2.5, x: 25, y: 100 });
  });

  it("shows every place where it would be if it were drawn anew", () => {
    const fit = fitBox("-22 -22 1244 1107", 780, 640);
    const pixel = (place: number, offset: number): number => fit.scale * place + offset;
    const from = zoomIdentity.translate(-90, 40).scale(1.7);
    const to = zoomIdentity.translate(-420, -300).scale(3.1);
    const { scale, x, y } = shift(from, to, fit);
    for (const [u, v] of [
      [0, 0],
      [693.9, 575.3],
      [1200, 1063],
    ] as const) {
      expect(scale * pixel(from.applyX(u), fit.x) + x).toBeCloseTo(pixel(to.applyX(u), fit.x));
      expect(scale * pixel(from.applyY(v), fit.y) + y).toBeCloseTo(pixel(to.applyY(v), fit.y));
    }
  });

  it("is only shifted when it is dragged", () => {
    const from = zoomIdentity.translate(5, 5).scale(2);
    const { scale, x, y } = shift(from, from.translate(10, -4), { scale: 0.5, x: 3, y: 7 });
    expect([scale, x, y]).toEqual([1, 10, -4]);
  });
});
