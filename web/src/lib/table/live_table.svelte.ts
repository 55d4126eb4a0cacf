// One table as shown on a screen. Its parts: `sync` keeps it up to date with the server, `commands`
// sends actions, `log` holds the history, `replay` shows past moments, and `watch` shows what others
// do step by step.
import { api } from "../../api/client";
import type { Entry, Fact, LogPart, Press, SeatInfo, Table } from "../../api/types";
import type { Dress, Plan } from "../../boards/board";
import { firstActor, livery, type Livery } from "../../boards/liveries";
import { profileOf } from "../../boards/profiles";
import { ensureGuest } from "../me.svelte";
import { Walk } from "../question/walk.svelte";
import { settings } from "../settings.svelte";
import { playSound } from "../sound";
import { Scenes } from "../watch/scenes.svelte";
import { Watch } from "../watch/watch.svelte";
import { Glossary, type Term } from "../words/glossary.svelte";
import { lang, t } from "../words/words.svelte";
import { Letters } from "./letters.svelte";
import { Pencil } from "./pencil.svelte";
import { Replay } from "./replay.svelte";
import { TableCommands } from "./table_commands.svelte";
import { TableLog } from "./table_log.svelte";
import { TableSync, type SyncListener } from "./table_sync.svelte";
import { WhyNot } from "./why_not.svelte";

/** A seat as it looks; `scored` says what its score counts. */
export type Player = SeatInfo & Livery & { scored?: string | undefined };

const MOST_NAMED = 3; // seats in one line; the list of players marks them all

export class LiveTable implements SyncListener {
  readonly sync: TableSync;
  readonly log: TableLog;
  readonly walk = new Walk();
  readonly pencil = new Pencil();
  readonly commands = new TableCommands(this);
  readonly replay = new Replay(this);
  readonly watch = new Watch(this);
  readonly scenes = new Scenes(this);
  readonly why = new WhyNot(this);
  readonly letters = new Letters(this);

  rule = $state(""); // the rule being explained
  term = $state.raw<Term | null>(null); // the term that led to it
  dress = $state.raw<Dress | null>(null); // the board's own liveries of seats
  plan = $state.raw<Plan | null>(null); // what the board can show of actions
  glossary = $state.raw(new Glossary([])); // the game's terms, once loaded
  typed = $state(""); // text in the field for typed orders

  /** `invite`: the secret in the invitation link that opened this page. */
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

  /** How many log entries are shown in a replay; null when live. */
  get past(): number | null {
    return this.replay.past;
  }

  players = $derived.by((): Player[] =>
    (this.table?.seats ?? []).map((seat, place) => ({
      ...seat,
      ...livery(this.table?.game ?? "", seat.seat, place, seat.label),
      ...(this.view ? this.dress?.(this.view, seat.seat) : null),
    })),
  );

  /** The state being shown: a moment being replayed or watched, or else the current table. */
  private shown = $derived.by(
    () => (this.past === null ? this.watch.shown : this.replay.moment) ?? this.table,
  );
  view = $derived(this.shown?.view ?? null);
  /** How many entries of the log led to what is shown. */
  shownSeq = $derived.by(() => Math.min(this.shown?.seq ?? 0, this.log.length));
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
    if (table.result) return t("over_prompt");
    if (table.handover) return t("hand_over");
    const names = this.players.filter((p) => table.to_act.includes(p.seat)).map((p) => p.label);
    if (!names.length) return t("waiting");
    if (names.length > MOST_NAMED) return t("waiting_for_n", { n: names.length });
    return t("waiting_for", { who: joinNames(names) });
  });

  /** Whether the game waits for my seat; not so once I am ready, though I may still change my mind. */
  get owed(): boolean {
    return !!this.table?.seat && this.table.to_act.includes(this.table.seat);
  }

  /** Whether a bot plays one of my seats until I take it back. */
  get isReplaced(): boolean {
    return this.table?.status !== "over" && this.players.some((p) => p.mine && p.autopilot);
  }

  /** Whether it waits for people who can be reminded. */
  get canNudge(): boolean {
    const table = this.table;
    if (!table?.seat || table.status !== "live" || this.owed) return false;
    const late = this.players.filter((p) => table.to_act.includes(p.seat));
    return late.some((p) => p.kind === "person" && !p.mine && !p.vacant);
  }

  /** Whether nothing has to be covered when seats share a screen: all is open, or all is mine. */
  get isOpen(): boolean {
    return this.table?.purpose === "sandbox" || !!profileOf(this.table?.game ?? "")?.open;
  }

  player(seat: string | null): Player | undefined {
    return this.players.find((p) => p.seat === seat);
  }

  /** How the one looks who acts in a line of the log; a note is the seat's own. */
  actor(entry: Entry, fact: Fact | null | undefined = entry.facts[0]): Livery | undefined {
    const game = this.table?.game ?? "";
    const name = !fact || fact.quiet ? entry.seat : firstActor(game, fact.about ?? []);
    if (!name || name === "chance") return undefined;
    const player = this.player(name);
    if (player) return player;
    return { ...livery(game, name, 0), ...(this.view && this.dress?.(this.view, name)) };
  }

  // Opening, closing and changing the viewer

  open(): Promise<void> {
    return this.sync.open();
  }

  close(): void {
    this.sync.close();
    this.replay.pause();
    this.watch.skip();
    this.why.cancel();
  }

  /** On a shared screen: clears everything and shows the table to `seat`. */
  async handOver(seat: string | null): Promise<void> {
    this.watch.skip();
    const open = this.isOpen && seat !== null;
    this.sync.as = seat;
    if (!open) this.sync.table = null;
    this.commands.reset();
    this.typed = "";
    this.pencil.clear();
    this.replay.showPresent();
    this.showRule("");
    await this.reload();
  }

  /** After a change of language: fetches all server texts again and keeps the answer in progress. */
  async changeLanguage(): Promise<void> {
    const [asked, begun] = [this.table?.question?.id, this.walk.draft()];
    this.commands.clearRefusal();
    this.log.renew();
    const looking = this.restart();
    this.scenes.renew();
    const { viewerGeneration } = this.sync;
    await looking;
    if (viewerGeneration !== this.sync.viewerGeneration) return;
    const now = this.table?.question ?? null;
    if (now && now.id === asked && !this.walk.canGoBack) this.walk.ask(now, begun);
    if (this.past !== null) await this.replay.goTo(this.past);
  }

  /** Takes a seat. The socket was opened as a spectator, so it has to be reopened. */
  async sit(seat: string): Promise<boolean> {
    const name = settings.name.trim() || null;
    const sat = await this.commands.attempt(async () => {
      await ensureGuest();
      await api.join(this.id, { seat, name, invite: this.invite });
      return this.sync.fetchTable();
    });
    if (sat) await this.reload();
    return sat;
  }

  /** Fetches everything again, for another viewer. */
  reload(): Promise<void> {
    this.log.reset();
    this.scenes.reset();
    return this.restart();
  }

  private restart(): Promise<void> {
    this.commands.startFresh();
    this.letters.reset();
    this.why.reset();
    return this.sync.restart();
  }

  // Events from the server

  onTable(before: Table | null, table: Table, log: LogPart | null = null): void {
    if (table.handover && this.isOpen) return void this.handOver(table.handover);
    const watched = before && this.watch.follow(before, table, () => this.ring(before));
    if (before && !watched) playSounds(before, table);
    this.commands.onTable(before, table);
    if (!before) return;
    if (table.seq > before.seq) void this.loadLog(log);
    if (table.status === "over" && before.status !== "over")
      void this.letters.load(0).catch(() => {}); // the spectators' letters are now readable too
    this.passScreen(before, table);
  }

  /** Loads what the log has more; steps that are watched come from there. */
  private async loadLog(log: LogPart | null): Promise<void> {
    try {
      if (!this.log.append(log)) await this.log.load();
    } catch {
      this.watch.skip();
    }
    if (this.watch.busy) await this.watch.run();
  }

  /** The sound of news that were watched comes when they have been seen. */
  private ring(before: Table): void {
    if (this.table) playSounds(before, this.table);
  }

  onLetters(messages: Press[]): void {
    this.letters.add(messages);
  }

  onCaughtUp(): Promise<unknown> {
    return Promise.allSettled([this.log.load(), this.letters.load()]);
  }

  onSeatLost(): Promise<void> {
    return this.handOver(null);
  }

  onTableLost(): void {
    this.close();
  }

  /**
   * On a shared screen, hands over when the viewer's turn ends or another player's turn begins. A
   * player who took the screen in between, to vote or to write, keeps it.
   */
  private passScreen(before: Table, table: Table): void {
    const mine = this.sync.as;
    const owed = table.to_act.filter((seat) => table.held.includes(seat));
    if (!mine || table.held.length < 2 || !owed.length || owed.includes(mine)) return;
    const was = new Set(before.to_act);
    if (!was.has(mine) && owed.every((seat) => was.has(seat))) return;
    void this.handOver(this.isOpen ? (owed[0] ?? null) : null);
  }

  // Explanations

  showRule(id: string): void {
    this.rule = id;
    this.term = null;
  }

  showTerm(term: Term): void {
    this.rule = term.rule;
    this.term = term;
  }
}

/** Plays the sound for what has just happened. */
function playSounds(before: Table, now: Table): void {
  if (now.result && !before.result) playSound("over");
  else if (now.question && !before.question) playSound("turn");
}

export const joinNames = (names: string[]): string =>
  new Intl.ListFormat(lang(), { type: "conjunction" }).format(names);
