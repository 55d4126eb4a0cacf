// One table, kept in step with the server: its state and log, and the question being answered.
import { api, newCommand, Refusal } from "../../api/client";
import { Socket } from "../../api/socket";
import type {
  ActOut,
  Question,
  Entry,
  Log,
  PhaseMark,
  ProposalIn,
  ReadOut,
  SeatInfo,
  Table,
} from "../../api/types";
import type { Dress } from "../../boards/board";
import { livery, type Livery } from "../../boards/liveries";
import { Letters } from "./letters.svelte";
import { settings } from "../settings.svelte";
import { LookBack } from "./replay.svelte";
import { someone } from "../me.svelte";
import { Pencil } from "./pencil.svelte";
import { sound } from "../sound";
import { Glossary, type Term } from "../words/glossary.svelte";
import { lang, t } from "../words/words.svelte";
import { reading, type Question as Tree } from "../question/tree";
import { Waiting } from "./waiting";
import { Walk } from "../question/walk.svelte";
import { WhyNot } from "./why_not.svelte";

export type Player = SeatInfo & Livery;

export class LiveTable {
  readonly id: string;
  readonly invite: string; // the secret of the link that led here
  readonly walk = new Walk();
  readonly pencil = new Pencil();
  readonly back = new LookBack(this);
  readonly why = new WhyNot(this);
  readonly letters = new Letters(this);

  table = $state.raw<Table | null>(null);
  entries = $state.raw<Entry[]>([]);
  phases = $state.raw<PhaseMark[]>([]);
  online = $state(true);
  sending = $state(false); // something is on its way
  answering = $state(false); // an answer is: what is asked now is asked no longer
  refusal = $state.raw<Refusal | null>(null);
  missing = $state.raw<Refusal | null>(null); // why the table cannot be shown at all
  rule = $state(""); // the rule being explained
  term = $state.raw<Term | null>(null); // the term that led to it
  as = $state<string | null>(null); // which of the seats held at this screen is acting
  dress = $state.raw<Dress | null>(null); // a board may know better how seats look
  glossary = $state.raw(new Glossary([])); // the game's terms, once they are known
  typed = $state(""); // orders that are being written

  eyes = 0; // counts through how many eyes was looked: what others asked for is not shown
  private socket: Socket | null = null;
  private rev = -1; // of the table that is shown: older news come too late
  private anew = true; // whatever is asked next is asked anew
  private closed = false;
  private draftTimer: ReturnType<typeof setTimeout> | undefined;
  private last = -1; // the last question that was answered here: no draft of it is taken up
  private waiting = new Waiting();
  private drafting: Promise<unknown> = Promise.resolve(); // a draft on its way

  constructor(id: string, invite = "") {
    this.id = id;
    this.invite = invite;
  }

  players = $derived.by((): Player[] =>
    (this.table?.seats ?? []).map((seat, place) => ({
      ...seat,
      ...livery(this.table?.game ?? "", seat.seat, place, seat.label),
      ...(this.table?.view ? this.dress?.(this.table.view, seat.seat) : null),
    })),
  );

  /** How many entries of the log are shown; null: all, live. */
  get past(): number | null {
    return this.back.past;
  }

  /** What is shown: now, or the moment looked at. */
  private shown = $derived.by(() => (this.past === null ? null : this.back.moment) ?? this.table);
  view = $derived(this.shown?.view ?? null);
  captions = $derived(this.shown?.captions ?? {});
  sections = $derived(this.shown?.describe ?? []);

  phaseText = $derived.by((): string => {
    const from = this.shown;
    return from && from.phase_text !== from.phase ? from.phase_text : "";
  });

  /** How many entries of the log are there for me to look back on. */
  length = $state(0);

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
    return t("waiting_for", { who: listed(names) });
  });

  player(seat: string | null): Player | undefined {
    return this.players.find((p) => p.seat === seat);
  }

  // Coming and going

  async open(): Promise<void> {
    await this.catchUp();
    if (this.missing || this.closed) return;
    this.socket = new Socket(this.id, this.reader(), {
      table: (table) => this.take(table),
      press: (messages) => this.letters.heard(messages),
      online: (online) => this.connected(online),
      refused: () => void this.catchUp(),
    });
  }

  private reader(): { lang: string; seat: string | null } {
    return { lang: lang(), seat: this.as };
  }

  /** Look anew, through other eyes or in another language. */
  lookAnew(): Promise<void> {
    this.eyes += 1;
    this.rev = -1;
    this.anew = true;
    this.entries = [];
    this.phases = [];
    this.length = 0;
    this.undone = 0;
    this.letters.forget();
    this.why.forget();
    this.socket?.reopen(this.reader());
    return this.catchUp();
  }

  /** Several people share this screen: from now on it belongs to `seat`, and nothing is left on it. */
  async handOver(seat: string | null): Promise<void> {
    clearTimeout(this.draftTimer);
    this.as = seat;
    this.table = null;
    this.refusal = null;
    this.waiting.forget();
    this.walk.ask(null);
    this.typed = "";
    this.pencil.clear();
    this.back.present();
    this.showRule("");
    await this.lookAnew();
  }

  close(): void {
    this.closed = true;
    this.eyes += 1;
    this.socket?.close();
    this.socket = null;
    this.back.rest();
    this.why.rest();
  }

  /** The reader changed language: everything the server says is asked for anew. */
  async reword(): Promise<void> {
    const [asked, begun] = [this.table?.question?.id, this.walk.draft()];
    const looking = this.lookAnew();
    const { eyes } = this;
    await looking;
    if (eyes !== this.eyes) return;
    const now = this.table?.question ?? null;
    if (now && now.id === asked && !this.walk.moved) this.walk.ask(now, begun);
    if (this.past !== null) await this.back.goTo(this.past);
  }

  look(): Promise<Table> {
    return api.table(this.id, this.as);
  }

  /** Sit down. The socket was opened by a spectator, so it is opened anew. */
  async sit(seat: string): Promise<boolean> {
    const name = settings.name.trim() || null;
    const sat = await this.attempt(async () => {
      await someone();
      await api.join(this.id, { seat, name, invite: this.invite });
      return this.look();
    });
    if (sat) await this.lookAnew();
    return sat;
  }

  private connected(online: boolean): void {
    const back = online && !this.online;
    this.online = online;
    if (back || !online) void this.catchUp(); // plain requests suffice while there is no line
  }

  private async catchUp(): Promise<void> {
    const { eyes } = this;
    try {
      const table = await this.look();
      if (eyes !== this.eyes) return;
      this.take(table);
    } catch (error) {
      if (eyes !== this.eyes) return;
      if (!(error instanceof Refusal) || !error.final) this.doubt();
      else if (this.as) await this.handOver(null);
      else this.lose(error);
      return;
    }
    await Promise.allSettled([this.loadLog(), this.letters.load()]);
  }

  private lose(error: Refusal): void {
    this.missing = error;
    this.close();
  }

  /** The server did not answer, whatever the line says: it is tried again, and then all is asked anew. */
  private doubt(): void {
    this.online = false;
    this.socket?.drop();
  }

  private take(table: Table): void {
    if (table.held.length > 1 && table.seat !== this.as) return; // it was asked by the one before
    if (this.table?.held.length && !table.held.length && table.status !== "open")
      return void this.handOver(null); // from now on a spectator
    if (table.rev < this.rev) return;
    this.rev = table.rev;
    // The answer to an action comes without the board in words: the socket brings them.
    if (!table.describe && table.seq === this.table?.seq)
      table = { ...table, describe: this.table.describe };
    const grew = table.seq > (this.table?.seq ?? 0);
    const before = this.table;
    this.table = table;
    this.listen(before, table);
    if (!this.answering) this.ask(table, this.anew || table.seat !== before?.seat);
    if (before && grew) void this.loadLog().catch(() => {});
    if (before && table.status === "over" && before.status !== "over")
      void this.letters.load(0).catch(() => {}); // of those who watched, too
    if (before) this.passOn(before, table);
  }

  /**
   * Others may act while an answer is being put together: what was chosen stays, as far as it can
   * still be chosen.
   */
  private ask(table: Table, anew: boolean): void {
    const [before, now] = [this.walk.question, table.question];
    this.anew = false;
    if (!anew && alike(before, now)) return;
    const same = !anew && before?.prompt === now?.prompt;
    this.walk.ask(now, same ? this.walk.draft() : null);
    if (same) return;
    clearTimeout(this.draftTimer); // it answered another question
    this.restore(table);
    this.why.forget();
  }

  /** What has just happened, for the ear. */
  private listen(before: Table | null, now: Table): void {
    if (!before) return;
    if (now.result && !before.result) sound("over");
    else if (now.question && !before.question) sound("turn");
  }

  /**
   * Where several people share a screen, it is given away by whoever's turn is over, and when
   * another's begins. Who took it in between, to vote or to write, is left alone.
   */
  private passOn(before: Table, table: Table): void {
    const owed = table.to_act.filter((seat) => table.held.includes(seat));
    if (!this.as || table.held.length < 2 || !owed.length || owed.includes(this.as)) return;
    const [mine, was] = [this.as, new Set(before.to_act)];
    if (was.has(mine) || owed.some((seat) => !was.has(seat))) void this.handOver(null);
  }

  private async loadLog(): Promise<void> {
    // Own moves that nobody else knows of are numbered as if alone: they are read again.
    await this.readLog(Math.min(this.entries.length, this.length));
    const undone = this.entries.filter((e) => e.undo).length;
    if (undone === this.undone) return;
    this.undone = undone;
    await this.readLog(0); // an undo marks entries that were read before
  }
  private undone = 0;

  private async readLog(start: number): Promise<void> {
    const { eyes } = this;
    for (let from: number | null = start; from !== null;) {
      const part: Log = await api.log(this.id, from, this.as);
      if (eyes !== this.eyes || part.seq < this.length) return; // overtaken by a newer one
      const [first, next] = [from, part.next ?? Infinity];
      const kept = this.entries.filter((e) => e.seq < first || e.seq >= next);
      this.entries = [...kept, ...part.entries].sort((a, b) => a.seq - b.seq);
      this.phases = merged(this.phases, part.phases);
      this.length = part.seq;
      from = part.next;
    }
  }

  // Acting

  /** Send the finished answer. */
  async send(text = this.walk.text): Promise<boolean> {
    const question = this.table?.question;
    if (!question || this.answering) return false;
    clearTimeout(this.draftTimer);
    const seat = this.table?.seat ?? undefined;
    return this.act(question, () => this.answer(question, text, seat));
  }

  private async act(question: Question, answer: () => Promise<ActOut>): Promise<boolean> {
    const done = await this.attempt(answer, true);
    if (done) this.last = question.id;
    return done;
  }

  /**
   * Answer a question. If somebody else was quicker (a deal offered, a letter sealed) and the same
   * is still asked and still possible, the answer is given again to the question as it is now.
   */
  private async answer(
    question: Question,
    text: string,
    seat: string | undefined,
    tries = 4,
  ): Promise<ActOut> {
    try {
      return await api.act(this.id, { command: newCommand(), question: question.id, text, seat });
    } catch (error) {
      const now = error instanceof Refusal && error.code === "server.moved_on" && error.table;
      const again = now ? now.question : null;
      if (!again || !tries || again.prompt !== question.prompt || !reading(again.node, text))
        throw error;
      return this.answer(again, text, seat, tries - 1);
    }
  }

  /** Give several orders at once: all or none. */
  async sendAll(texts: string[]): Promise<boolean> {
    const question = this.table?.question;
    if (!question || this.answering || !texts.length) return false;
    clearTimeout(this.draftTimer);
    const wish = { question: question.id, texts, seat: this.table?.seat ?? undefined };
    return this.act(question, () => api.act(this.id, { command: newCommand(), ...wish }));
  }

  /** What typed orders mean, and what is unclear about them. */
  read(text: string): Promise<ReadOut> {
    return api.read(this.id, { text, seat: this.table?.seat ?? null });
  }

  async undo(): Promise<boolean> {
    if (this.answering) return false;
    const wish = { command: newCommand(), seat: this.table?.seat ?? undefined };
    return this.attempt(() => api.undo(this.id, wish), true);
  }

  /** Do something that answers with the table, and show a refusal where it may be read. */
  async attempt(act: () => Promise<{ table: Table } | Table>, moves = false): Promise<boolean> {
    const { eyes } = this;
    let done = false;
    this.sending = true;
    this.refusal = null;
    this.answering ||= moves;
    await this.drafting; // what was begun must not be stored after it was done
    try {
      const answer = await act();
      done = true;
      if (eyes === this.eyes) this.take("table" in answer ? answer.table : answer);
      return true;
    } catch (error) {
      if (eyes !== this.eyes) return false; // it is somebody else's screen by now
      if (moves) this.waiting.forget(); // it was meant for what did not happen
      this.failed(error);
      if (error instanceof Refusal && error.table) this.take(error.table);
      return false;
    } finally {
      this.sending = false;
      if (moves) this.answered(done || eyes !== this.eyes);
      this.waiting.go(() => !this.answering);
    }
  }

  /** Do it now, or when the answer has come that is on its way. Orders wait for each other;
   * elsewhere who knows what is asked next, so only the last is kept. */
  soon(name: string, act: () => void): void {
    if (!this.answering) act();
    else this.waiting.add(name, act, this.table?.question?.node.kind !== "orders");
  }

  /** The walk was left alone while its answer was on its way: now it begins anew, or stays. */
  private answered(anew: boolean): void {
    this.answering = false;
    if (this.table) this.ask(this.table, anew);
  }

  /** Say where it may be read that something was refused, or that nothing was sent at all. */
  failed(error: unknown): void {
    const refused = error instanceof Refusal;
    this.refusal = refused ? error : new Refusal(0, "offline", t("offline_refused"));
    if (refused) sound("refused");
  }

  /** A click on the board. */
  pick(target: string): boolean {
    if (this.past !== null) return false;
    if (this.answering) {
      this.soon(target, () => this.pick(target)); // it waits for what is asked then
      return true;
    }
    const meant = this.walk.pick(target);
    if (meant) this.chose();
    else this.why.wonder(target, 0);
    return meant;
  }

  /** After every choice: an order is sent at once, anything else when confirmed. */
  chose(confirmed = false): void {
    this.refusal = null;
    this.why.because = null;
    const enough = confirmed || this.walk.revisable || !settings.confirm;
    if (this.walk.complete && enough) void this.send();
    else this.keepDraft();
  }

  /** One step back in what is being chosen. */
  stepBack(): void {
    this.walk.back();
    this.keepDraft();
  }

  forgive(): void {
    this.refusal = null;
  }

  showRule(id: string): void {
    this.rule = id;
    this.term = null;
  }

  showTerm(term: Term): void {
    this.rule = term.rule;
    this.term = term;
  }

  // What was begun is kept on the server, so that a reload or another device goes on from there.

  private keepDraft(): void {
    const question = this.table?.question;
    if (!question) return;
    clearTimeout(this.draftTimer);
    const value = this.walk.draft();
    this.draftTimer = setTimeout(() => {
      const wish = { question: question.id, value, seat: this.table?.seat };
      this.drafting = api.draft(this.id, wish).catch(() => {});
    }, 400);
  }

  private restore(table: Table): void {
    // The server forgets a draft when the seat acts, so this one is about what is asked now, even
    // if others have acted since.
    const { draft, question } = table;
    if (draft && question && draft.question > this.last) this.walk.resume(draft.value);
  }

  // Proposals

  async propose(proposal: Omit<ProposalIn, "seat">): Promise<boolean> {
    return this.attempt(async () => {
      await api.propose(this.id, { ...proposal, seat: this.table?.seat ?? null });
      return this.look();
    });
  }

  async vote(id: number, agree: boolean): Promise<void> {
    await this.attempt(async () => {
      await api.vote(this.id, id, { agree, seat: this.table?.seat ?? undefined });
      return this.look();
    });
  }
}

/** Whether the same is asked; its number changes with whatever others do. */
const alike = (one: Tree | null, other: Tree | null): boolean =>
  one?.prompt === other?.prompt && JSON.stringify(one?.node) === JSON.stringify(other?.node);

function merged(before: PhaseMark[], more: PhaseMark[]): PhaseMark[] {
  const bySeq = new Map([...before, ...more].map((mark) => [mark.seq, mark]));
  return [...bySeq.values()].sort((a, b) => a.seq - b.seq);
}

export const listed = (names: string[]): string =>
  new Intl.ListFormat(lang(), { type: "conjunction" }).format(names);
