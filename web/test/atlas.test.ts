import { describe, expect, it } from "vitest";
import {
  fitBox,
  followFingers,
  Lie,
  pinLie,
  readBox,
  shift,
  type Finger,
} from "../src/boards/atlas/zoom.svelte";
import type { Point } from "../src/boards/atlas/lines";
import { cutSheets, enlargeNames } from "../src/boards/atlas/sheets";

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

describe("the names of a map", () => {
  const name = (size: string) =>
    `<text data-place="par" class="label on-land" font-size="${size}">Paris`;

  it("have letters that can be read, and no others grow", () => {
    const frame = '<text class="degree" font-size="8">40</text>';
    const lines = enlargeNames(name("14.6") + name("17.5") + frame, 15.9);
    expect(lines).toBe(name("15.9") + name("17.5") + frame);
  });
});

describe("a map that is moved", () => {
  it("lies at the top of its frame, as large as can be", () => {
    expect(fitBox("-10 -10 120 60", 300, 300)).toEqual({ scale: 2.5, x: 25, y: 25 });
  });

  it("shows every place where it would be if it were drawn again", () => {
    const fit = fitBox("-22 -22 1244 1107", 780, 640);
    const pixel = (place: number, offset: number): number => fit.scale * place + offset;
    const from = new Lie(1.7, -90, 40);
    const to = new Lie(3.1, -420, -300);
    const { scale, x, y } = shift(from, to, fit);
    for (const [u, v] of [
      [0, 0],
      [693.9, 575.3],
      [1200, 1063],
    ] as const) {
      const [old, then] = [from.apply([u, v]), to.apply([u, v])];
      expect(scale * pixel(old[0], fit.x) + x).toBeCloseTo(pixel(then[0], fit.x));
      expect(scale * pixel(old[1], fit.y) + y).toBeCloseTo(pixel(then[1], fit.y));
    }
  });

  it("is only shifted when it is dragged", () => {
    const { scale, x, y } = shift(new Lie(2, 5, 5), new Lie(2, 25, -3), {
      scale: 0.5,
      x: 3,
      y: 7,
    });
    expect([scale, x, y]).toEqual([1, 10, -4]);
  });

  const box = readBox("0 0 100 50");
  const finger = (holds: Point, here: Point): Finger => ({ holds, here, began: here });

  it("keeps the point under the wheel, and never shows what lies beside it", () => {
    const lie = pinLie(2, [30, 20], [30, 20], box);
    expect(lie.apply([30, 20])).toEqual([30, 20]);
    expect(pinLie(2, [0, 0], [40, 40], box).apply([0, 0])).toEqual([0, 0]);
    expect(pinLie(2, [100, 50], [10, 10], box).apply([100, 50])).toEqual([100, 50]);
  });

  it("is never smaller than its sheet, and at most eight times as large", () => {
    expect(pinLie(0.3, [50, 25], [10, 10], box)).toMatchObject({ k: 1, x: 0, y: 0 });
    expect(pinLie(50, [50, 25], [50, 25], box).k).toBe(8);
  });

  it("follows one finger, and two that part", () => {
    const near = new Lie(2, -50, -25);
    expect(followFingers(near, [finger([50, 25], [60, 30])], box).apply([50, 25])).toEqual([
      60, 30,
    ]);
    const two = [finger([40, 25], [30, 25]), finger([60, 25], [90, 25])];
    const lie = followFingers(near, two, box);
    expect(lie.k).toBe(3);
    expect(lie.apply([40, 25])).toEqual([30, 25]);
    expect(lie.apply([60, 25])).toEqual([90, 25]);
    expect(followFingers(near, [], box)).toBe(near);
  });
});
