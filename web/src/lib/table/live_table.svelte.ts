// One table as a screen shows it. Its parts: `sync` keeps in step with the server, `commands` acts,
// `log` is what has happened, `replay` looks back on it.
import { api } from "../../api/client";
import type { Press, SeatInfo, Table } from "../../api/types";
import type { Dress } from "../../boards/board";
import { livery, type Livery } from "../../boards/liveries";
import { ensureGuest } from "../me.svelte";
import { Walk } from "../question/walk.svelte";
import { settings } from "../settings.svelte";
import { playSound } from "../sound";
import { Glossary, type Term } from "../words/glossary.svelte";
import { lang, t } from "../words/words.svelte";
import { Letters } from "./letters.svelte";
import { Pencil } from "./pencil.svelte";
import { Replay } from "./replay.svelte";
import { TableCommands } from "./table_commands.svelte";
import { TableLog } from "./table_log.svelte";
import { TableSync, type SyncListener } from "./table_sync.svelte";
import { WhyNot } from "./why_not.svelte";

export type Player = SeatInfo & Livery;

export class LiveTable implements SyncListener {
  readonly sync: TableSync;
  readonly log: TableLog;
  readonly walk = new Walk();
  readonly pencil = new Pencil();
  readonly commands = new TableCommands(this);
  readonly replay = new Replay(this);
  readonly why = new WhyNot(this);
  readonly letters = new Letters(this);

  rule = $state(""); // the rule being explained
  term = $state.raw<Term | null>(null); // the term that led to it
  dress = $state.raw<Dress | null>(null); // a board may know better how seats look
  glossary = $state.raw(new Glossary([])); // the game's terms, once they are known
  typed = $state(""); // orders that are being written

  /** `invite`: the secret of the link that led here. */
  constructor(
    readonly id: string,
    readonly invite = "",
  ) {
    this.sync = new TableSync(id, this);
    this.log = new TableLog(this.sync);
  }

  get table(): Table | null {
    return this.sync.table;
  }

  /** How many entries of the log are shown; null: all, live. */
  get past(): number | null {
    return this.replay.past;
  }

  players = $derived.by((): Player[] =>
    (this.table?.seats ?? []).map((seat, place) => ({
      ...seat,
      ...livery(this.table?.game ?? "", seat.seat, place, seat.label),
      ...(this.table?.view ? this.dress?.(this.table.view, seat.seat) : null),
    })),
  );

  /** What is shown: now, or the moment looked at. */
  private shown = $derived.by(() => (this.past === null ? null : this.replay.moment) ?? this.table);
  view = $derived(this.shown?.view ?? null);
  captions = $derived(this.shown?.captions ?? {});
  sections = $derived(this.shown?.describe ?? []);

  phaseText = $derived.by((): string => {
    const from = this.shown;
    return from && from.phase_text !== from.phase ? from.phase_text : "";
  });

  waitingFor = $derived.by((): string => {
    const table = this.table;
    if (!table) return t("loading");
    if (table.status === "open") return t("waiting_room_prompt");
    if (table.status === "paused") return t("paused");
    if (table.status === "closed") return t("closed");
    if (table.result) return table.result.why;
    if (table.handover) return t("hand_over");
    const names = this.players.filter((p) => table.to_act.includes(p.seat)).map((p) => p.label);
    if (!names.length) return t("waiting");
    return t("waiting_for", { who: joinNames(names) });
  });

  player(seat: string | null): Player | undefined {
    return this.players.find((p) => p.seat === seat);
  }

  // Coming and going

  open(): Promise<void> {
    return this.sync.open();
  }

  close(): void {
    this.sync.close();
    this.replay.rest();
    this.why.rest();
  }

  /** Several people share this screen: from now on it belongs to `seat`, and nothing is left on it. */
  async handOver(seat: string | null): Promise<void> {
    this.sync.as = seat;
    this.sync.table = null;
    this.commands.forget();
    this.typed = "";
    this.pencil.clear();
    this.replay.showPresent();
    this.showRule("");
    await this.lookAgain();
  }

  /** The reader changed language: everything the server says is asked for again. */
  async reword(): Promise<void> {
    const [asked, begun] = [this.table?.question?.id, this.walk.draft()];
    const looking = this.lookAgain();
    const { eyes } = this.sync;
    await looking;
    if (eyes !== this.sync.eyes) return;
    const now = this.table?.question ?? null;
    if (now && now.id === asked && !this.walk.moved) this.walk.ask(now, begun);
    if (this.past !== null) await this.replay.goTo(this.past);
  }

  /** Sit down. The socket was opened by a spectator, so it is opened again. */
  async sit(seat: string): Promise<boolean> {
    const name = settings.name.trim() || null;
    const sat = await this.commands.attempt(async () => {
      await ensureGuest();
      await api.join(this.id, { seat, name, invite: this.invite });
      return this.sync.look();
    });
    if (sat) await this.lookAgain();
    return sat;
  }

  /** Look again, through other eyes or in another language. */
  lookAgain(): Promise<void> {
    this.commands.startFresh();
    this.log.forget();
    this.letters.forget();
    this.why.forget();
    return this.sync.restart();
  }

  // What the server tells

  tableTaken(before: Table | null, table: Table): void {
    if (before) playSounds(before, table);
    this.commands.tableTaken(before, table);
    if (!before) return;
    if (table.seq > before.seq) void this.log.load().catch(() => {});
    if (table.status === "over" && before.status !== "over")
      void this.letters.load(0).catch(() => {}); // of those who watched, too
    this.passScreen(before, table);
  }

  lettersHeard(messages: Press[]): void {
    this.letters.heard(messages);
  }

  caughtUp(): Promise<unknown> {
    return Promise.allSettled([this.log.load(), this.letters.load()]);
  }

  seatLost(): Promise<void> {
    return this.handOver(null);
  }

  tableLost(): void {
    this.close();
  }

  /**
   * Where several people share a screen, it is given away by the one whose turn is over, and when
   * another's begins. Who took it in between, to vote or to write, is left alone.
   */
  private passScreen(before: Table, table: Table): void {
    const mine = this.sync.as;
    const owed = table.to_act.filter((seat) => table.held.includes(seat));
    if (!mine || table.held.length < 2 || !owed.length || owed.includes(mine)) return;
    const was = new Set(before.to_act);
    if (was.has(mine) || owed.some((seat) => !was.has(seat))) void this.handOver(null);
  }

  // What is explained

  showRule(id: string): void {
    this.rule = id;
    this.term = null;
  }

  showTerm(term: Term): void {
    this.rule = term.rule;
    this.term = term;
  }
}

/** What has just happened, for the ear. */
function playSounds(before: Table, now: Table): void {
  if (now.result && !before.result) playSound("over");
  else if (now.question && !before.question) playSound("turn");
}

export const joinNames = (names: string[]): string =>
  new Intl.ListFormat(lang(), { type: "conjunction" }).format(names);
