// The parts of a live table: keeping in step, the log, acting. The server is played by `api`.
import { beforeEach, describe, expect, it, vi } from "vitest";
import { api, Refusal } from "../src/api/client";
import type { ActOut, Entry, Log, Table } from "../src/api/types";
import type { Node } from "../src/lib/question/tree";
import { settings } from "../src/lib/settings.svelte";
import { LiveTable } from "../src/lib/table/live_table.svelte";
import { TableLog } from "../src/lib/table/table_log.svelte";
import { TableSync, type SyncListener } from "../src/lib/table/table_sync.svelte";

vi.mock("../src/api/socket", () => ({
  Socket: class {
    reopen(): void {}
    drop(): void {}
    close(): void {}
  },
}));

const node: Node = {
  kind: "one",
  options: ["duck", "stand"].map((text) => ({ text, label: text, target: text })),
};

const tableAt = (rev: number, more: Partial<Table> = {}): Table =>
  ({
    ...{ id: "t", rev, seq: rev, game: "sparks", status: "live", seats: [], to_act: [] },
    ...{ seat: "red", held: ["red"], view: {}, phase: "", phase_text: "", proposals: [] },
    question: { id: rev, prompt: "What now?", node },
    ...more,
  }) as unknown as Table;

const entry = (seq: number, more: Partial<Entry> = {}): Entry =>
  ({ seq, seat: "red", facts: [], undone: false, undo: false, ...more }) as unknown as Entry;
const page = (entries: Entry[], seq: number, next: number | null = null): Log =>
  ({ entries, phases: [], seq, next }) as unknown as Log;

beforeEach(() => {
  vi.restoreAllMocks();
  vi.spyOn(api, "log").mockResolvedValue(page([], 0));
  vi.spyOn(api, "press").mockResolvedValue({ messages: [], next: null } as never);
});

describe("keeping in step", () => {
  const follow = (): { sync: TableSync; told: string[] } => {
    const told: string[] = [];
    const listener: SyncListener = {
      onTable: (before, table) => void told.push(`${before?.rev ?? "-"} ${table.rev}`),
      onLetters: () => {},
      onCaughtUp: () => Promise.resolve(),
      onSeatLost: () => Promise.resolve(void told.push("seat lost")),
      onTableLost: () => void told.push("table lost"),
    };
    return { sync: new TableSync("t", listener), told };
  };

  it("takes newer tables only, and keeps the board in words that an answer leaves out", () => {
    const { sync, told } = follow();
    sync.applyTable(tableAt(3, { describe: [{ title: "Score", lines: [] }] }));
    sync.applyTable(tableAt(2));
    sync.applyTable(tableAt(4, { seq: 3 }));
    expect(told).toEqual(["- 3", "3 4"]);
    expect(sync.table?.describe).toHaveLength(1);
  });

  it("ignores what was meant for another seat of a shared screen", () => {
    const { sync, told } = follow();
    sync.as = "blue";
    sync.applyTable(tableAt(1, { held: ["red", "blue"], seat: "red" }));
    expect(told).toEqual([]);
  });

  it("notices when the seat is gone, and when the table cannot be shown at all", async () => {
    const { sync, told } = follow();
    sync.applyTable(tableAt(1));
    sync.applyTable(tableAt(2, { held: [], seat: null }));
    expect(told).toEqual(["- 1", "seat lost"]);
    vi.spyOn(api, "table").mockRejectedValue(new Refusal(403, "server.not_watchable", "No."));
    await sync.restart();
    expect(told.at(-1)).toBe("table lost");
    expect(sync.missing?.code).toBe("server.not_watchable");
  });

  it("is offline when the server does not answer, and drops answers meant for an earlier viewer", async () => {
    const { sync, told } = follow();
    vi.spyOn(api, "table").mockRejectedValueOnce(new TypeError("no network"));
    await sync.restart();
    expect(sync.online).toBe(false);
    let answer: (table: Table) => void = () => {};
    vi.spyOn(api, "table").mockReturnValueOnce(new Promise((done) => (answer = done)));
    const looking = sync.restart();
    sync.close();
    answer(tableAt(9));
    await looking;
    expect(told).toEqual([]);
  });
});

describe("the log", () => {
  it("is read page by page from where it ends", async () => {
    const log = new TableLog({ id: "t", as: null, viewerGeneration: 1 });
    const read = vi
      .spyOn(api, "log")
      .mockResolvedValueOnce(page([entry(0), entry(1)], 3, 2))
      .mockResolvedValueOnce(page([entry(2)], 3))
      .mockResolvedValueOnce(page([entry(3)], 4));
    await log.load();
    expect([log.entries.length, log.length]).toEqual([3, 3]);
    await log.load();
    expect(read.mock.calls.map(([, from]) => from)).toEqual([0, 2, 3]);
  });

  it("is read again from the start after an undo, which marks earlier entries", async () => {
    const log = new TableLog({ id: "t", as: null, viewerGeneration: 1 });
    const read = vi
      .spyOn(api, "log")
      .mockResolvedValueOnce(page([entry(0), entry(1, { undo: true })], 2))
      .mockResolvedValueOnce(page([entry(0, { undone: true }), entry(1, { undo: true })], 2));
    await log.load();
    expect(read).toHaveBeenCalledTimes(2);
    expect(log.entries[0]?.undone).toBe(true);
  });

  it("knows a phase that comes back, and none to which only led what was taken back", async () => {
    const log = new TableLog({ id: "t", as: null, viewerGeneration: 0 });
    const marks = (...all: [number, string][]) =>
      all.map(([seq, phase]) => ({ seq, phase, text: phase }));
    const part = (seq: number, entries: Entry[], ...all: [number, string][]) =>
      log.append({ entries, phases: marks(...all), seq } as never);
    part(2, [entry(0), entry(1)], [0, "setup"], [2, "bid"]);
    part(3, [entry(2)], [3, "setup"]);
    expect(log.phases.map((mark) => mark.phase)).toEqual(["setup", "bid", "setup"]);
    part(4, [entry(3)], [4, "turn"]);
    part(5, [entry(3, { undone: true }), entry(4, { undo: true })], [5, "setup"]);
    expect(log.phases.map((mark) => mark.phase)).toEqual(["setup", "bid", "setup"]);
    part(6, [entry(5)], [6, "turn"]);
    expect(log.phases.at(-1)).toMatchObject({ seq: 6, phase: "turn" });
  });

  it("stays on the screen until it is here in another language", async () => {
    const log = new TableLog({ id: "t", as: null, viewerGeneration: 1 });
    const read = vi
      .spyOn(api, "log")
      .mockResolvedValueOnce(page([entry(0), entry(1)], 2))
      .mockResolvedValueOnce(page([entry(0, { label: "Francia" }), entry(1)], 2))
      .mockResolvedValueOnce(page([], 2));
    await log.load();
    log.renew();
    expect(log.entries.length).toBe(2);
    await log.load();
    expect(log.entries[0]?.label).toBe("Francia");
    await log.load();
    expect(read.mock.calls.map(([, from]) => from)).toEqual([0, 0, 2]);
  });

  it("drops a page that an earlier viewer requested", async () => {
    const reader = { id: "t", as: null, viewerGeneration: 1 };
    const log = new TableLog(reader);
    vi.spyOn(api, "log").mockImplementation(() => {
      reader.viewerGeneration += 1;
      return Promise.resolve(page([entry(0)], 1));
    });
    await log.load();
    expect(log.entries).toEqual([]);
  });
});

describe("waiting", () => {
  const waiting = (...to_act: string[]): string => {
    const live = new LiveTable("t");
    const seats = ["red", "blue", "green", "grey"].map((seat) => ({ seat, label: seat }));
    live.sync.applyTable(tableAt(1, { seats, to_act } as unknown as Partial<Table>));
    return live.waitingFor;
  };

  it("names a few, and counts many: the list of players marks them", () => {
    expect(waiting("red", "blue", "green")).toBe("waiting_for");
    expect(waiting("red", "blue", "green", "grey")).toBe("waiting_for_n");
  });
});

describe("who acts in a line of the log", () => {
  const named = (...about: string[]) => entry(1, { facts: [{ about }] as Entry["facts"] });
  const letterOf = (game: string, of: Entry, fact = of.facts[0]) => {
    const live = new LiveTable("t");
    live.sync.table = tableAt(1, { game, seats: [{ seat: "red" }, { seat: "GERMANY" }] as never });
    return live.actor(of, fact)?.letter;
  };

  it("is the first that it names, no matter who clicked", () => {
    expect(letterOf("diplomacy", named("diplomacy.power.GERMANY", "diplomacy.seat.red"))).toBe("G");
    expect(letterOf("diplomacy", named("diplomacy.province.GERMANY"))).toBeUndefined();
    expect(letterOf("diplomacy", named("diplomacy.seat.red"))).toBe("R");
    expect(letterOf("diplomacy", named("other.seat.red"))).toBeUndefined();
  });

  it("is somebody without a seat, too, where a game has such", () => {
    expect(letterOf("versailles", named("versailles.issue.fiume", "versailles.nation.usa"))).toBe(
      "US",
    );
    expect(letterOf("versailles", entry(1, { seat: "chance" }))).toBeUndefined();
  });

  it("is the seat itself in its own notes, and where it takes something back", () => {
    const note = entry(1, { facts: [{ quiet: true, about: ["sparks.seat.GERMANY"] }] as never });
    expect(letterOf("sparks", note)).toBe("R");
    expect(letterOf("sparks", entry(1, { undo: true }))).toBe("R");
  });
});

describe("why not", () => {
  it("is not asked about what has been chosen already", async () => {
    vi.useFakeTimers();
    const live = new LiveTable("t");
    const places = ["bur", "gas"].map((text) => ({ text, label: text, target: text }));
    const where = { kind: "one" as const, options: places };
    const unit = { text: "A par -", label: "A Paris", target: "par", then: where };
    const whom = {
      kind: "one" as const,
      options: [unit, { ...unit, text: "A bre -", target: "bre" }],
    };
    const question = { id: 1, prompt: "Whom?", node: whom };
    live.sync.applyTable(tableAt(1, { question } as unknown as Partial<Table>));
    const read = vi
      .spyOn(live.commands, "readOrders")
      .mockResolvedValue({ orders: [], errors: [] });
    live.walk.pick("par");
    live.why.explainSoon("par", 0);
    await vi.runAllTimersAsync();
    expect(read).not.toHaveBeenCalled();
    live.why.explainSoon("mos", 0);
    await vi.runAllTimersAsync();
    expect(read).toHaveBeenCalled();
    vi.useRealTimers();
  });
});

describe("acting", () => {
  const seated = (): LiveTable => {
    const live = new LiveTable("t");
    live.sync.applyTable(tableAt(1));
    return live;
  };
  const done = (rev: number, question: Table["question"] = null): ActOut =>
    ({ seq: rev, repeated: false, table: tableAt(rev, { question }) }) as unknown as ActOut;

  it("sends what was chosen, and walks what is asked then", async () => {
    const live = seated();
    const act = vi.spyOn(api, "act").mockResolvedValue(done(2));
    live.walk.pick("duck");
    expect(await live.commands.send()).toBe(true);
    expect(act.mock.calls[0]?.[1]).toMatchObject({ question: 1, text: "duck", seat: "red" });
    expect(live.walk.question).toBeNull();
  });

  it("answers again when somebody else was quicker and the same is still asked", async () => {
    const live = seated();
    const moved = new Refusal(409, "server.moved_on", "Too late.", "", tableAt(5));
    const act = vi.spyOn(api, "act").mockRejectedValueOnce(moved).mockResolvedValueOnce(done(6));
    expect(await live.commands.send("stand")).toBe(true);
    expect(act.mock.calls.map(([, wish]) => wish.question)).toEqual([1, 5]);
  });

  it("shows a refusal, and goes on with what was chosen", async () => {
    const live = seated();
    vi.spyOn(api, "act").mockRejectedValue(new Refusal(422, "core.illegal", "Not now."));
    live.walk.pick("duck");
    expect(await live.commands.send()).toBe(false);
    expect(live.commands.refusal?.code).toBe("core.illegal");
    expect(live.walk.text).toBe("duck");
    live.commands.clearRefusal();
    expect(live.commands.refusal).toBeNull();
  });

  it("lets clicks wait for the answer that is on its way", async () => {
    const live = seated();
    let answer: (out: ActOut) => void = () => {};
    vi.spyOn(api, "act").mockReturnValue(new Promise((given) => (answer = given)));
    const sending = live.commands.send("duck");
    expect(live.commands.pick("stand")).toBe(true);
    expect(live.walk.text).toBe("");
    await vi.waitFor(() => expect(api.act).toHaveBeenCalled());
    answer(done(2, { id: 2, prompt: "And now?", node }));
    await sending;
    expect(live.walk.text).toBe("stand");
  });

  it("keeps a draft a moment after a choice, but not of what was sent", async () => {
    vi.useFakeTimers();
    const live = seated();
    const draft = vi.spyOn(api, "draft").mockResolvedValue(undefined as never);
    vi.spyOn(api, "act").mockResolvedValue(done(2));
    settings.confirm = true;
    live.commands.pick("duck");
    settings.confirm = false;
    vi.advanceTimersByTime(1000);
    expect(draft).toHaveBeenCalledTimes(1);
    live.commands.stepBack();
    await live.commands.send("stand");
    vi.advanceTimersByTime(1000);
    expect(draft).toHaveBeenCalledTimes(1);
    vi.useRealTimers();
  });

  it("sends at once what can be undone, and asks before anything else", async () => {
    const live = seated();
    vi.spyOn(api, "draft").mockResolvedValue(undefined as never);
    const act = vi
      .spyOn(api, "act")
      .mockRejectedValueOnce(new Refusal(409, "server.cannot_take_back", "final"))
      .mockResolvedValue(done(2));
    live.commands.pick("duck");
    await vi.waitFor(() => expect(live.commands.answering).toBe(false));
    expect(act.mock.calls[0]?.[1]).toMatchObject({ text: "duck", careful: true });
    expect(live.walk.complete).toBe(true); // it waits for a confirmation
    expect(live.commands.refusal).toBe(null);
    await live.commands.send();
    expect(act.mock.calls[1]?.[1]).toMatchObject({ text: "duck", careful: false });
  });

  it("never sends by itself what ends something, and shows its notes", () => {
    const ready: Node = {
      kind: "orders",
      rows: [
        {
          target: "par",
          label: "A Paris: no order",
          node: { kind: "one", options: [] },
          chosen: "",
        },
      ],
      options: [{ text: "ready", label: "Ready", confirm: true, notes: ["No order for A Paris."] }],
    };
    const live = seated();
    const act = vi.spyOn(api, "act").mockResolvedValue(done(2));
    live.walk.ask({ prompt: "Orders", node: ready });
    expect(live.walk.choices).toEqual([]); // a row without options is there to be read
    expect(live.walk.pick("par")).toBe(false);
    live.walk.choose(ready.options[0]!);
    live.commands.afterChoice();
    expect(act).not.toHaveBeenCalled();
    expect(live.walk.notes).toEqual(["No order for A Paris."]);
  });

  it("hands the screen over with nothing left on it", async () => {
    const live = seated();
    vi.spyOn(api, "table").mockResolvedValue(
      tableAt(7, { seat: "blue", held: ["red", "blue"], question: null }),
    );
    live.walk.pick("duck");
    live.typed = "A par - bur";
    await live.handOver("blue");
    expect([live.walk.text, live.typed, live.table?.seat]).toEqual(["", "", "blue"]);
  });
});

describe("watching", () => {
  const at = (seq: number) => ({ seq, view: {}, captions: {}, describe: [], to_act: [] }) as never;
  const theirs = (): Log => page([entry(0), entry(1, { seat: "blue", facts: [{}] as never })], 2);

  /** A table at which others have acted since my last turn. */
  async function reviewed(): Promise<LiveTable> {
    const live = new LiveTable("t");
    live.sync.applyTable(tableAt(2, { held: ["red", "green"], seat: null }));
    vi.spyOn(api, "log").mockResolvedValue(theirs());
    await live.log.load();
    expect(live.watch.lastTurn).toBe(1);
    return live;
  }

  it("shows nobody the moment that was asked for by an earlier viewer", async () => {
    const live = await reviewed();
    let answer: (moment: never) => void = () => {};
    const asked = vi.spyOn(api, "moment").mockReturnValue(new Promise((done) => (answer = done)));
    const looking = live.watch.review();
    vi.spyOn(api, "table").mockResolvedValue(
      tableAt(3, { seat: "green", held: ["red", "green"], question: null }),
    );
    await live.handOver("green");
    answer(at(1));
    await looking;
    expect(live.watch.busy).toBe(false);
    void live.watch.review();
    expect(asked.mock.calls.map(([, , as]) => as)).toEqual([null, "green"]);
  });

  it("asks again for a moment that did not come", async () => {
    const live = await reviewed();
    vi.spyOn(api, "moment")
      .mockRejectedValueOnce(new TypeError("offline"))
      .mockResolvedValue(at(1));
    await live.watch.review();
    expect(live.watch.busy).toBe(false);
    await live.watch.review();
    expect(live.watch.busy).toBe(true);
  });

  it("ends when a replay starts, and does not begin behind one", async () => {
    const live = await reviewed();
    vi.spyOn(api, "moment").mockResolvedValue(at(1));
    await live.watch.review();
    await live.replay.goTo(1);
    expect(live.watch.busy).toBe(false);
    await live.watch.review();
    expect(live.watch.busy).toBe(false);
  });

  it("asks again for scenes that did not come, and forgets those of an earlier viewer", async () => {
    const live = await reviewed();
    const scenes = { scenes: [{ kind: "battle" }] } as never;
    const asked = vi.spyOn(api, "scenes").mockRejectedValueOnce(new TypeError("offline"));
    asked.mockResolvedValue(scenes);
    await live.scenes.load(2);
    await live.scenes.load(2);
    expect([asked.mock.calls.length, live.scenes.list.length]).toEqual([2, 1]);
    live.scenes.reset();
    expect(live.scenes.list).toEqual([]);
  });

  it("plays a scene until its last step, and not a step longer", async () => {
    const live = await reviewed();
    const asked = vi.spyOn(api, "scenes");
    const played: (string | undefined)[] = [];
    const battle = (beats: number, over: boolean): unknown => ({
      ...{ kind: "battle", about: "swabia", over },
      beats: Array(beats).fill({}),
    });
    const uprising = { kind: "uprising", about: "africa", over: true, beats: [{}] };
    const moments = [
      [battle(3, true)], // lay there when the page was opened
      [battle(1, false)],
      [battle(2, true)],
      [battle(2, true)],
      [battle(2, true), uprising], // one die, and it is over
      [battle(2, true), uprising],
    ];
    for (const [seq, scenes] of moments.entries()) {
      asked.mockResolvedValueOnce({ scenes } as never);
      await live.scenes.load(seq + 1);
      played.push(live.scenes.played?.about);
    }
    expect(played).toEqual([undefined, "swabia", "swabia", undefined, "africa", undefined]);
  });

  it("plays the last step of a scene, though the next begins with it", async () => {
    const live = await reviewed();
    const battle = (about: string, beats: number, over: boolean): unknown => ({
      ...{ kind: "battle", about, over },
      beats: Array(beats).fill({}),
    });
    const moments = [
      [battle("swabia", 1, false)],
      [battle("swabia", 2, true), battle("saxony", 0, false)],
      [battle("swabia", 2, true), battle("saxony", 1, false)],
    ];
    const played: (string | undefined)[] = [];
    for (const [seq, scenes] of moments.entries()) {
      vi.spyOn(api, "scenes").mockResolvedValueOnce({ scenes } as never);
      await live.scenes.load(seq + 1);
      played.push(live.scenes.played?.about);
    }
    expect(played).toEqual(["swabia", "swabia", "saxony"]);
  });

  describe("what has ended", () => {
    const ended = (about: string): unknown => ({ kind: "battle", about, over: true, beats: [{}] });
    const load = async (live: LiveTable, seq: number, ...scenes: unknown[]): Promise<unknown> => {
      vi.spyOn(api, "scenes").mockResolvedValueOnce({ scenes } as never);
      await live.scenes.load(seq);
      return live.scenes.played?.about;
    };

    it("is not played again when others' steps begin to be shown", async () => {
      const live = await reviewed();
      await load(live, 1);
      expect(await load(live, 2, ended("swabia"))).toBe("swabia");
      vi.spyOn(api, "moment").mockResolvedValue(at(2));
      await live.watch.review();
      expect(live.watch.busy).toBe(true);
      expect(live.scenes.played).toBe(null);
      const both = [ended("swabia"), ended("tuscany")];
      expect(await load(live, 3, ...both)).toBe("tuscany");
    });

    it("is not played again on the way back", async () => {
      const live = await reviewed();
      await load(live, 4, ended("swabia"), ended("tuscany"));
      expect(await load(live, 3, ended("swabia"))).toBe(undefined);
      vi.spyOn(api, "moment").mockResolvedValue(at(1));
      await live.watch.review(); // its first moment is passed before its scenes have come
      expect(await load(live, 2, ended("bavaria"))).toBe(undefined);
    });
  });
});

describe("a paused game", () => {
  const paused = (proposals: object[] = [], more: object = {}): LiveTable => {
    const live = new LiveTable("t");
    live.sync.as = "blue";
    const seats = ["red", "blue"].map((seat) => ({ seat, label: seat, mine: true, ...more }));
    const held = ["red", "blue"];
    const now = { status: "paused", seat: "blue", held, seats, proposals } as unknown as Table;
    live.sync.applyTable(tableAt(1, now));
    vi.spyOn(api, "table").mockResolvedValue(tableAt(2, now));
    return live;
  };

  it("continues for the seat on the screen, after all my seats are mine again", async () => {
    const live = paused([], { autopilot: true });
    const back = vi.spyOn(api, "back").mockResolvedValue(tableAt(2));
    const propose = vi.spyOn(api, "propose").mockResolvedValue({} as never);
    await live.commands.resume();
    expect(back).toHaveBeenCalledTimes(1);
    expect(propose.mock.calls[0]?.[1]).toMatchObject({ kind: "resume", seat: "blue" });
  });

  it("offers to continue only where there is something to do", () => {
    expect(paused().commands.canResume).toBe(true);
    expect(paused([{ id: 1, kind: "resume", may_vote: true }]).commands.canResume).toBe(true);
    expect(paused([{ id: 1, kind: "resume", may_vote: false }]).commands.canResume).toBe(false);
  });
});
