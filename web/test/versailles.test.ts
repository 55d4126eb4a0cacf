// The pure parts of the Versailles board: words of cards and deals, contradictions, tracks.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { render } from "@testing-library/svelte";
import { flushSync, tick } from "svelte";
import { describe, expect, it } from "vitest";
import { parsePo } from "../po";
import Board, { covers } from "../src/boards/versailles/Board.svelte";
import { DESK } from "../src/boards/versailles/context";
import DealsPaper from "../src/boards/versailles/deals/DealsPaper.svelte";
import { markDrawn } from "../src/boards/versailles/pieces/drawn_targets";
import { CARD_ICONS } from "../src/boards/versailles/pieces/card_icons";
import {
  pendingDecision,
  offersForMe,
  ownSettlements,
  takeSteps,
  placesWith,
} from "../src/boards/versailles/decisions/decision";
import { shortCodes } from "../src/boards/versailles/words";
import {
  dealAnswers,
  termChapter,
  offerText,
  dealPartners,
  parseTerm,
} from "../src/boards/versailles/deals/terms";
import { bidForces } from "../src/boards/versailles/decisions/forces";
import {
  NATIONS,
  REGIONS,
  nationsAtTable,
  signedNumber,
  unitZones,
  type Table,
} from "../src/boards/versailles/view";
import type { Node, Option, Question } from "../src/lib/question/tree";
import { Walk } from "../src/lib/question/walk.svelte";
import { fillTemplate } from "../src/lib/words/words.svelte";

const PO = "../../src/powderkeg/locale/en/LC_MESSAGES/versailles.po";
const catalogue = parsePo(readFileSync(fileURLToPath(new URL(PO, import.meta.url)), "utf8"));
const say = shortCodes((code, args = {}) => fillTemplate(catalogue[code] ?? "", args));

const option = (text: string, then: Node | null = null, target = ""): Option => ({
  text,
  label: text,
  target,
  then,
});
const one = (...options: Option[]): Node => ({ kind: "one", options });
const asked = (node: Node): Question => ({ prompt: "", node });

describe("words", () => {
  it("writes numbers with their sign where the catalogue asks for it", () => {
    const modified = say("text.check_modified", { text: "uprising check", modifier: -1 });
    expect(modified).toBe("uprising check, −1 to the die");
  });
});

describe("deals", () => {
  const gifts: Node = {
    kind: "some",
    options: ["uk.give.usa.1", "uk.give.usa.2", "uk.place.syria", "uk.shun.syria"].map((text) =>
      option(text),
    ),
    least: 1,
    most: 6,
    exclusive: [["uk.place.syria", "uk.shun.syria"]],
  };
  const written = (...terms: string[]): Map<string, boolean> => {
    const props = {
      view: { deals: [], promises: [], lobby: [] } as unknown as Table,
      question: asked(one(option("propose", one(option("usa", gifts))))),
      act: () => Promise.resolve(true),
      draft: { to: "propose usa", terms: new Set(terms) },
    };
    const context = new Map([[DESK, { say, caption: () => "" }]]);
    const { container, getByLabelText } = render(DealsPaper, { props, context });
    const found = new Map<string, boolean>();
    const subject = getByLabelText("Subject") as HTMLSelectElement;
    for (const chapter of ["issues", "influence"]) {
      subject.value = chapter;
      subject.dispatchEvent(new Event("change", { bubbles: true }));
      flushSync();
      for (const box of container.querySelectorAll<HTMLInputElement>("input[type=checkbox]"))
        found.set(box.value, !box.disabled);
    }
    return found;
  };

  it("excludes what the question says, and nothing else", () => {
    const open = written("uk.give.usa.1", "uk.place.syria");
    expect(open.get("uk.shun.syria")).toBe(false);
    expect(open.get("uk.give.usa.2")).toBe(true); // the browser once knew better
  });

  it("finds partners, terms and answers in the question", () => {
    const node: Node = {
      kind: "some",
      options: [option("uk.settle.syria"), option("usa.give.uk.1"), option("uk.later.shun.korea")],
      least: 1,
      most: 6,
    };
    const question = asked(
      one(
        option("accept 3"),
        option("refuse 3"),
        option("counter 3", node),
        option("propose", one(option("usa", node), option("usa+france", node))),
      ),
    );
    const found = dealPartners(question);
    expect(found.map((p) => p.text)).toEqual(["counter 3", "propose usa", "propose usa+france"]);
    expect(offerText(found[1]!, new Set(["usa.give.uk.1", "uk.settle.syria"]))).toBe(
      "propose usa uk.settle.syria,usa.give.uk.1",
    );
    expect(dealAnswers(question, 3).map((o) => o.text)).toEqual(["accept 3", "refuse 3"]);
    expect(dealAnswers(question, 33)).toEqual([]);
    expect(node.options.map((o) => termChapter(parseTerm(o.text)))).toEqual([
      "issues",
      "influence",
      "later",
    ]);
  });
});

describe("bids", () => {
  it("reads forces and the cubes that go with them", () => {
    const question = asked(
      one(
        option(
          "bid",
          one(
            option("0+0", { kind: "amount", least: 3, most: 5 }),
            option("1+1", one(option("0"))),
          ),
        ),
        option("pass"),
      ),
    );
    expect(bidForces(question, { "0+0": 0, "1+1": 3 })).toEqual([
      { strength: 0, units: 0, local: 0, text: "0+0", cubes: [3, 4, 5] },
      { strength: 3, units: 1, local: 1, text: "1+1", cubes: [0] },
    ]);
    expect(bidForces(asked(one(option("pass"))), {})).toEqual([]);
  });
});

describe("tracks and nations", () => {
  it("finds the unitZones of the happiness track", () => {
    expect(unitZones([1, 1, 2, 3, 3])).toEqual([
      { from: 0, to: 1, units: 1 },
      { from: 2, to: 2, units: 2 },
      { from: 3, to: 4, units: 3 },
    ]);
  });

  it("puts my nation first and forgets no side", () => {
    const view = {
      players: { P1: "uk", P2: "france" },
      nation: "france",
      solo: null,
      table: [{ cubes: { uk: 0, france: 0, usa: 0 } }],
    } as unknown as Table;
    expect(nationsAtTable(view)).toEqual(["france", "usa", "uk"]);
  });

  it("writes signs", () => expect([2, 0, -3].map(signedNumber)).toEqual(["+2", "0", "−3"]));

  it("has a glyph for every region, category and counter", () => {
    const named = Object.keys(catalogue).flatMap(
      (code) => /^versailles\.counter\.(\w+)/.exec(code)?.[1] ?? [],
    );
    for (const name of [...named, "league", "reparations", "none"])
      expect(Object.keys(CARD_ICONS)).toContain(name);
  });
});

describe("clicks on cards", () => {
  const cubes: Node = { kind: "amount", least: 1, most: 3 };
  const turn = asked(
    one(
      option("settle", one(option("syria", null, "syria"), option("korea", null, "korea"))),
      option("place", one(option("syria", cubes, "syria"), option("korea", cubes, "korea"))),
      option("deploy", one(option("africa", null, "africa"))),
    ),
  );

  it("forgets the card clicked before", () => {
    const walk = new Walk();
    walk.ask(turn);
    walk.pick("syria");
    expect(walk.narrowed).toBe("syria");
    walk.pick("africa");
    expect(walk.text).toBe("deploy africa");
  });

  it("takes nothing twice where there was only one way on", () => {
    const walk = new Walk();
    walk.ask(asked(one(option("place", one(option("syria", cubes, "syria"))), option("end"))));
    walk.pick("syria");
    expect(walk.text).toBe("place syria");
    expect(walk.node).toBe(cubes);
  });
});

describe("settling by a click on an option", () => {
  const open = (issue: string, leader: string) => ({ issue, leader, cubes: {} });
  const issue = (...options: string[]) => ({
    kind: "issue",
    options: options.map((name) => ({ option: name })),
  });
  const view = {
    nation: "uk",
    table: [open("syria", "uk"), open("korea", "usa"), open("tyrol", "uk")],
    cards: { syria: issue("mandate", "free"), korea: issue("free"), tyrol: issue("italy") },
  } as unknown as Table;
  const issues = one(option("syria", null, "syria"), option("korea", null, "korea"));

  it("is open on issues that I may settle and lead", () => {
    const walk = new Walk();
    walk.ask(asked(one(option("settle", issues), option("end"))));
    const found = ownSettlements(view, walk);
    expect([...found.keys()]).toEqual(["syria.mandate", "syria.free"]);
    for (const step of found.get("syria.free") ?? []) walk.choose(step);
    expect(walk.text).toBe("settle syria");
  });

  it("settles the issue that was clicked, even if another card was clicked before", () => {
    const walk = new Walk();
    const mine = one(option("syria", null, "syria"), option("tyrol", null, "tyrol"));
    walk.ask(asked(one(option("place", mine), option("settle", mine), option("end"))));
    walk.pick("syria");
    expect(walk.narrowed).toBe("syria");
    takeSteps(walk, ownSettlements(view, walk).get("tyrol.italy") ?? [], "Tyrol: to Italy");
    expect(walk.text).toBe("settle tyrol");
    expect(walk.steps.at(-1)?.label).toBe("Tyrol: to Italy");
  });

  it("stays open once settling is chosen, and is not where something else is asked", () => {
    const walk = new Walk();
    walk.ask(asked(one(option("settle", issues), option("end"))));
    walk.choose(walk.options[0]!);
    expect([...ownSettlements(view, walk).keys()]).toEqual(["syria.mandate", "syria.free"]);
    walk.ask(asked(one(option("place", issues), option("end"))));
    expect(ownSettlements(view, walk).size).toBe(0);
  });
});

describe("what lies on top", () => {
  const nation = (issues: unknown[] = []) => ({ issues });
  const table = (more: object): Table =>
    ({
      turn: 3,
      nation: "uk",
      nations: {
        uk: nation(),
        france: nation([{ issue: "tyrol", option: null, counters: [] }]),
        usa: nation(),
        italy: nation(),
        japan: nation(),
      },
      bidding: null,
      drawn: [],
      deals: [],
      cards: { tyrol: { kind: "issue", options: [{ option: "plebiscite" }] } },
      ...more,
    }) as unknown as Table;
  const none = new Set<string>();
  const settled = {
    nations: Object.fromEntries(
      ["uk", "france", "usa", "italy", "japan"].map((n) => [n, nation()]),
    ),
  };

  it("is a nation to be chosen before the first turn", () => {
    const open = new Set(["france", "usa"]);
    expect(pendingDecision(table({ turn: 0 }), null, open)?.nations).toEqual(["france", "usa"]);
    expect(pendingDecision(table({ ...settled, turn: 1 }), null, open)).toBeNull();
  });

  it("is an issue whose option is not chosen; the player who is asked may choose on it", () => {
    expect(pendingDecision(table({}), null, none)).toMatchObject({
      issues: ["tyrol"],
      choosing: "",
    });
    const question = asked(one(option("option plebiscite"), option("propose")));
    expect(pendingDecision(table({}), question, none)?.choosing).toBe("tyrol");
  });

  it("is what is bid for, else what was drawn, else nothing", () => {
    const bidding = { issue: "saar", waiting: [], bids: {} };
    expect(pendingDecision(table({ bidding }), null, none)?.issues).toEqual(["saar"]);
    expect(pendingDecision(table({ ...settled, drawn: ["a", "b"] }), null, none)?.issues).toEqual([
      "a",
      "b",
    ]);
    expect(pendingDecision(table(settled), null, none)).toBeNull();
  });

  it("counts offers that wait for me, not mine, not made ones, not those of others", () => {
    const deal = (number: number, parties: string[], agreed: string[], made = false) => ({
      number,
      parties,
      agreed,
      made,
    });
    const deals = [
      deal(1, ["uk", "usa"], ["usa"]),
      deal(2, ["uk", "usa"], ["uk"]),
      deal(3, ["france", "usa"], ["usa"]),
      deal(4, ["uk", "usa"], ["uk", "usa"], true),
    ];
    expect(offersForMe(table({ deals })).map((d) => d.number)).toEqual([1]);
    expect(offersForMe(table({ deals, nation: null }))).toEqual([]);
  });

  it("finds on which part of the board something lies", () => {
    const view = table({
      table: [{ issue: "tyrol" }],
      waiting: [{ issue: "saar" }],
      event: "balfour",
      lobby: ["kun"],
      pile: ["fiume"],
      regions: { balkans: {} },
    });
    expect([...placesWith(view, ["saar"])]).toEqual(["table"]);
    expect([...placesWith(view, ["kun", "fiume", "draw"])]).toEqual(["events"]);
    expect([...placesWith(view, ["balkans.7", "balkans", "available"])]).toEqual([
      "regions",
      "papers",
    ]);
  });
});

describe("board and prompt bar", () => {
  const walk = new Walk();
  walk.ask(asked(one(option("choose uk", null, "uk"), option("pass"), option("draw"))));
  const [nation, pass, deck] = walk.options;

  it("leave nothing between them: what is not drawn is offered by the bar", () => {
    expect(covers(walk, nation)).toBe(false);
    const [away, twice] = [markDrawn("uk"), markDrawn("uk")];
    expect(covers(walk, nation)).toBe(true);
    away();
    expect(covers(walk, nation)).toBe(true); // it still lies somewhere else
    twice();
    expect(covers(walk, nation)).toBe(false);
  });

  it("know bids, the deck and the options of an issue by their words", () => {
    expect([covers(walk, pass), covers(walk, deck)]).toEqual([false, false]);
    const away = [markDrawn("pass"), markDrawn("draw"), markDrawn("yes")];
    expect([covers(walk, pass), covers(walk, deck)]).toEqual([true, true]);
    expect(covers(walk, option("option yes"))).toBe(true);
    for (const gone of away) gone();
  });

  it("leave cubes to the card only where it is drawn", () => {
    const cubes: Node = { kind: "amount", least: 1, most: 3 };
    const placing = new Walk();
    placing.ask(asked(one(option("place", one(option("syria", cubes, "syria"))), option("end"))));
    placing.pick("syria");
    expect(covers(placing)).toBe(false);
    const away = markDrawn("syria");
    expect(covers(placing)).toBe(true);
    away();
  });
});

describe("the board itself", () => {
  const nation = {
    ...{ happiness: 20, locked: false, available: 14, exhausted: 0, units_available: 3 },
    ...{ units_exhausted: 0, units_deployed: [], units_mutinied: 0, units_allowed: 3 },
    ...{ issues: [], strategy: null },
  };
  const view = {
    ...{ seat: "P1", nation: "uk", players: { P1: "uk" }, deciding: "uk", active: "uk", turn: 1 },
    to_act: ["P1"],
    nations: Object.fromEntries(NATIONS.map((name) => [name, nation])),
    regions: Object.fromEntries(
      REGIONS.map((name) => [name, { unrest: 1, keg: 0, cap: 8, uprising: null, units: {} }]),
    ),
    ...{ table: [], waiting: [], pile: [], deck: 50, event: "", event_cube: null, lobby: [] },
    ...{ event_deck: 40, unsettled: "", demobilise: [], strategies: {}, deals: [], promises: [] },
    ...{ solo: null, alarm: null, bidding: null, drawn: [], prospects: {}, over: "", cards: {} },
    board: {
      ...{ uprising: [0, 0, 0, 6, 5, 4, 3, 2, 1], posts: {}, units_allowed: [1, 2, 3] },
      ...{ signs_at: 15, dive_costs: [0, 1, 2], last_space: 1 },
    },
    ...{ certainty: { board: {}, demobilise: [] }, strengths: {} },
  };
  const node = one(option("mutiny africa", null, "africa"), option("end"));
  const question = { id: 1, ...asked(node) };
  const walk = new Walk();
  walk.ask(question);
  const props = {
    ...{ view, captions: {}, question, walk, lit: [], players: [], news: [], log: [] },
    ...{ scenes: [], played: null },
    ...{ pick: () => true, onChoice: () => {}, soon: () => {}, point: () => {} },
    act: () => Promise.resolve(true),
    ...{ seat: "P1", past: false, lang: "en" as const },
  };

  it("brings into sight what is asked, and does not miss a board that is gone by then", async () => {
    const shown: Element[] = [];
    Element.prototype.scrollIntoView = function () {
      shown.push(this);
    };
    Element.prototype.getBoundingClientRect = function () {
      return this.matches(".versailles") ? new DOMRect(0, 0, 9, 9) : new DOMRect(0, 99, 9, 9);
    };
    render(Board, { props });
    await tick();
    await tick();
    expect(shown.map((element) => element.getAttribute("data-target"))).toEqual(["africa"]);
    render(Board, { props }).unmount();
    await tick(); // else a rejection that nobody handles
    expect(shown).toHaveLength(1);
  });
});
