import { describe, expect, it } from "vitest";
import { centreCurves, chartGrid, endLabels, HEIGHT } from "../src/boards/diplomacy/centres/chart";
import { positionOf, putPiece } from "../src/boards/diplomacy/edit/position";
import { orderDrawings, type Drawing } from "../src/boards/diplomacy/map/arrows";
import { bend, COASTS, retreatSpot, spot } from "../src/boards/diplomacy/map/provinces";
import { UnitTracks } from "../src/boards/diplomacy/map/tracks";
import { distance, type Point } from "../src/boards/atlas/lines";
import type { DiplomacyView } from "../src/boards/diplomacy/view";
import * as sketch from "../src/boards/diplomacy/sketch/sketch";

describe("a sketch", () => {
  const pieces = sketch.piecesOf({
    FRANCE: ["A par", "F bre"],
    RUSSIA: ["F stp/sc"],
    ENGLAND: ["F eng", "A lon"],
  });
  const all = ["bre", "bur", "eng", "lon", "par", "stp"];

  it("writes orders as the wire does, for anybody's pieces", () => {
    expect(sketch.order("move", ["par", "bur"], pieces)).toBe("A par - bur");
    expect(sketch.order("move", ["stp", "stp"], pieces)).toBe("F stp/sc H");
    expect(sketch.order("support", ["bre", "eng", "lon"], pieces)).toBe("F bre S F eng - lon");
    expect(sketch.order("support", ["bre", "eng", "eng"], pieces)).toBe("F bre S F eng");
    expect(sketch.order("convoy", ["eng", "lon", "bre"], pieces)).toBe("F eng C A lon - bre");
  });

  it("waits until there is enough", () => {
    expect(sketch.order("move", ["par"], pieces)).toBeNull();
    expect(sketch.order("support", ["bre", "eng"], pieces)).toBeNull();
    expect(sketch.order("move", ["bur", "par"], pieces)).toBeNull(); // nobody stands there
  });

  it("offers pieces first, then where they may be meant to go", () => {
    expect(sketch.open("move", [], pieces, all)).toEqual(["bre", "eng", "lon", "par", "stp"]);
    expect(sketch.open("move", ["par"], pieces, all)).toEqual(all);
    expect(sketch.open("support", ["par"], pieces, all)).toEqual(["bre", "eng", "lon", "stp"]);
    expect(sketch.open("convoy", [], pieces, all)).toEqual(["bre", "eng", "stp"]);
    expect(sketch.open("convoy", ["eng"], pieces, all)).toEqual(["lon", "par"]);
    expect(sketch.open("convoy", ["eng", "lon"], pieces, all)).toEqual(all);
  });

  it("has one order a piece, the last", () => {
    const lines = sketch.withOrder(["A par - bur", "F bre H"], "A par - pic");
    expect(lines).toEqual(["F bre H", "A par - pic"]);
  });
});

describe("the chart of centres", () => {
  const history = [
    { year: 1900, centres: { ITALY: 3, TURKEY: 3, AUSTRIA: 3 } },
    { year: 1901, centres: { ITALY: 4, TURKEY: 4, AUSTRIA: 1 } },
    { year: 1902, centres: { ITALY: 4, TURKEY: 5, AUSTRIA: 0 } },
    { year: 1903, centres: { ITALY: 4, TURKEY: 5, AUSTRIA: 0 } },
  ];
  const lines = centreCurves(history, ["AUSTRIA", "ITALY", "TURKEY"], 18);

  it("draws a line a power, which ends where the power ends", () => {
    const points = lines.map((curve) => curve.line.split("L").length);
    expect(points).toEqual([3, 4, 4]);
    expect(lines.map((curve) => curve.last)).toEqual([0, 4, 5]);
  });

  it("names lines beside where they end, and apart", () => {
    const [turkey, italy] = endLabels(lines.slice(1));
    expect((italy?.y ?? 0) - (turkey?.y ?? 0)).toBeGreaterThanOrEqual(12);
    for (const label of [turkey, italy])
      expect(Math.abs((label?.y ?? 0) - (label?.end[1] ?? 99))).toBeLessThan(6);
  });

  it("keeps labels apart that end near each other in years that are close together", () => {
    const years = Array.from({ length: 40 }, (_, i) => ({
      year: 1900 + i,
      centres: { AUSTRIA: i < 5 ? 1 : 0, ITALY: i < 6 ? 1 : 0, TURKEY: 18 },
    }));
    const labels = endLabels(centreCurves(years, ["AUSTRIA", "ITALY", "TURKEY"], 18));
    const [austria, italy] = ["AUSTRIA", "ITALY"].map((power) =>
      labels.find((label) => label.powers.includes(power)),
    );
    expect(Math.abs((austria?.y ?? 0) - (italy?.y ?? 0))).toBeGreaterThanOrEqual(12);
  });

  it("writes powers that end together side by side", () => {
    const five = { AUSTRIA: 3, ENGLAND: 4, FRANCE: 4, ITALY: 4, TURKEY: 5 };
    const powers = Object.keys(five);
    const labels = endLabels(centreCurves([{ year: 1900, centres: five }], powers, 18));
    expect(labels.map((label) => label.powers)).toEqual([
      ["TURKEY"],
      ["ENGLAND", "FRANCE", "ITALY"],
      ["AUSTRIA"],
    ]);
    expect(Math.max(...labels.map(({ y, end }) => Math.abs(y - end[1])))).toBeLessThan(3);
  });

  it("reaches to the centres that win", () => {
    const { levels, years } = chartGrid(history, 18);
    expect(levels.at(-1)?.n).toBe(18);
    expect(levels.every(({ y }) => y > 0 && y < HEIGHT)).toBe(true);
    expect(years.map(({ year }) => year)).toEqual([1900, 1901, 1902, 1903]);
  });
});

describe("a position being put together", () => {
  const empty = positionOf({ year: 1901, units: {}, centres: {} } as unknown as DiplomacyView);
  const put = (piece: "army" | "fleet", place: string) =>
    putPiece(empty, piece, "RUSSIA", place).units["RUSSIA"] ?? [];

  it("has fleets on a coast, where a province has several", () => {
    expect(COASTS).toEqual(["bul/ec", "bul/sc", "spa/nc", "spa/sc", "stp/nc", "stp/sc"]);
    expect(put("fleet", "stp/sc")).toEqual(["F stp/sc"]);
    expect(put("fleet", "stp")).toEqual([]);
    expect(put("army", "stp/sc")).toEqual(["A stp"]);
    expect(put("fleet", "sev")).toEqual(["F sev"]);
  });
});

describe("units", () => {
  const ok = (order: string) => ({ order, verdict: "ok" });
  const view = (units: string[], ...reports: [string, string[]][]) =>
    ({
      units: { FRANCE: units },
      reports: reports.map(([phase, orders]) => ({ phase, outcomes: orders.map(ok) })),
    }) as unknown as DiplomacyView;
  const move: [string, string[]] = ["S1901M", ["A par - bur"]];

  it("keep their names when they move, and when another retreats from where they stand", () => {
    const tracks = new UnitTracks();
    const before = tracks.follow(view(["A par"])).get("par");
    expect(tracks.follow(view(["A bur"], move)).get("bur")).toBe(before);
    const retreat: [string, string[]] = ["S1901R", ["A bur R mun"]];
    const after = tracks.follow(view(["A bur", "A mun"], move, retreat));
    expect(after.get("bur")).toBe(before);
    expect(after.get("mun")).not.toBe(before);
  });

  it("do not move again when a position is no longer edited", () => {
    const tracks = new UnitTracks();
    tracks.follow(view(["A par"]));
    tracks.follow(view(["A bur", "A par"], move));
    const edited = tracks.follow(view(["A bur", "A par"]));
    const after = tracks.follow(view(["A bur", "A par"], move));
    expect([...after]).toEqual([...edited]);
  });
});

describe("arrows", () => {
  const drawn = (text: string, failed = false): Drawing => {
    const standing = { spot, aside: retreatSpot, bend, size: 1 };
    const [drawing] = orderDrawings([{ text, power: "england", failed }], standing);
    if (!drawing) throw new Error(text);
    return drawing;
  };
  const start = ({ shaft }: Drawing): Point => {
    const [x = 0, y = 0] = shaft.slice(1).split(/[L ]/).map(Number);
    return [x, y];
  };

  it("of retreats begin at the unit that was driven out", () => {
    const from = start(drawn("A ven R pie"));
    expect(distance(from, retreatSpot("ven"))).toBeLessThan(distance(from, spot("ven")));
  });

  it("that are stopped do not end in a third province", () => {
    const { end } = drawn("F eng - nth", true);
    for (const other of ["yor", "lon", "edi"])
      expect(distance(end, spot(other))).toBeGreaterThan(distance(end, spot("nth")) / 2);
    expect(end[0]).toBeGreaterThan(400); // the coast of Yorkshire lies farther west
  });
});
