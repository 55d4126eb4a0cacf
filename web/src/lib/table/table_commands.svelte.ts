// Sends commands to a table one at a time: answers, undo, drafts, proposals and votes.
import { api, newCommand, Refusal } from "../../api/client";
import type { ActOut, ProposalIn, Question, ReadOut, Table } from "../../api/types";
import { answerLabels, type Question as Tree } from "../question/tree";
import { settings } from "../settings.svelte";
import { playSound } from "../sound";
import { t } from "../words/words.svelte";
import type { LiveTable } from "./live_table.svelte";
import { ClickQueue } from "./click_queue";

const DRAFT_PAUSE = 400; // milliseconds after a choice before the draft is saved on the server

type Attempt = () => Promise<{ table: Table } | Table | null>;

interface Answer {
  text: string;
  seat: string | undefined;
  careful: boolean; // to be refused if it could not be undone
}

export class TableCommands {
  sending = $state(false); // a command is being sent
  answering = $state(false); // an answer is being sent: the question is about to change
  refusal = $state.raw<Refusal | null>(null);
  /** Answers being sent, so that a board can draw them before the server has answered. */
  pending = $state.raw<readonly string[]>([]);
  private fresh = true; // the next question starts without earlier choices
  /** An answer is being sent that the player must confirm only if it could not be undone. */
  careful = $state(false);
  /** What follows the answer that is now being given or confirmed; knows whether it was confirmed. */
  private next: ((confirmed: boolean) => void) | null = null;
  private lastAnswered = -1; // the last question answered here; a draft for it is not restored
  private clicks = new ClickQueue();
  private draftTimer: ReturnType<typeof setTimeout> | undefined;
  private draftRequest: Promise<unknown> = Promise.resolve(); // the draft being saved

  constructor(private readonly live: LiveTable) {}

  // The question

  /** A newer table arrived: asks its question, unless an answer is being sent. */
  onTable(before: Table | null, table: Table): void {
    if (!this.answering) this.ask(table, this.fresh || table.seat !== before?.seat);
  }

  /** The viewer or the language changed, so the next question starts from scratch. */
  startFresh(): void {
    this.fresh = true;
  }

  /** Clears the unfinished answer before the screen is handed over. */
  reset(): void {
    clearTimeout(this.draftTimer);
    this.refusal = null;
    this.next = null;
    this.clicks.clear();
    this.live.walk.ask(null);
  }

  /**
   * Other players may act while an answer is being put together: keeps the choices that are still
   * possible.
   */
  private ask(table: Table, fresh: boolean): void {
    const { walk, why } = this.live;
    const [before, now] = [walk.question, table.question];
    this.fresh = false;
    if (!fresh && isSameQuestion(before, now)) return;
    if (!this.pending.length) this.next = null; // it followed a choice that was not sent yet
    const same = !fresh && before?.prompt === now?.prompt;
    walk.ask(now, same ? walk.draft() : null);
    if (same) return;
    clearTimeout(this.draftTimer); // the pending draft belongs to the previous question
    this.restoreDraft(table);
    why.reset();
  }

  // Choosing

  /** Handles a click on the board; returns whether the target could be chosen. */
  pick(target: string): boolean {
    if (this.live.past !== null) return false;
    if (this.live.watch.busy) return false; // the click skipped to now
    if (this.answering) {
      this.doSoon(target, () => this.pick(target)); // applied to the next question
      return true;
    }
    const meant = this.live.walk.pick(target);
    if (meant) this.afterChoice();
    else this.live.why.explainSoon(target, 0);
    return meant;
  }

  /**
   * Called after every choice: sends a finished answer at once if it can be undone. Otherwise the
   * player is asked first, as for every answer if they want that. `next` runs once it was accepted.
   */
  afterChoice(confirmed = false, next: ((confirmed: boolean) => void) | null = null): void {
    const { walk, why } = this.live;
    this.next = next;
    this.refusal = null;
    why.reason = null;
    const asks = walk.mustConfirm || (settings.confirm && !walk.revisable);
    const free = this.live.table?.purpose === "sandbox"; // where one can always step back
    if (walk.complete && (confirmed || free)) void this.send();
    else if (walk.complete && !asks) void this.sendCarefully();
    else this.saveDraft();
  }

  /** Sends the finished answer unless it could not be undone; then the player is asked first. */
  private async sendCarefully(): Promise<void> {
    this.careful = true;
    const done = await this.send(this.live.walk.text, true);
    this.careful = false;
    if (done || !this.isFinal) return;
    this.refusal = null;
    this.saveDraft();
  }

  /** Whether the server refused the last answer only because it could not be undone. */
  private get isFinal(): boolean {
    return this.refusal?.code === "server.cannot_take_back";
  }

  /** Takes back the last choice. */
  stepBack(): void {
    this.next = null;
    this.live.why.reason = null; // what was asked for is given up
    this.live.walk.back();
    this.saveDraft();
  }

  /**
   * Runs `act` now, or once the answer being sent has been accepted. Orders are queued. For any other
   * question we can't know what comes next, so we keep only the latest click.
   */
  doSoon(name: string, act: () => void): void {
    if (!this.answering) act();
    else this.clicks.add(name, act, this.live.table?.question?.node.kind !== "orders");
  }

  // Sending

  /** Sends the finished answer. */
  async send(text = this.live.walk.text, careful = false): Promise<boolean> {
    const question = this.live.table?.question;
    if (!question || this.answering) return false;
    clearTimeout(this.draftTimer);
    const seat = this.live.table?.seat ?? undefined;
    const answer = () => this.answer(question, { text, seat, careful });
    return this.act(question, [text], answer, !careful);
  }

  /** Sends several orders at once; the server accepts all or none. */
  async sendAll(texts: string[]): Promise<boolean> {
    const { table, sync } = this.live;
    const question = table?.question;
    if (!question || this.answering || !texts.length) return false;
    clearTimeout(this.draftTimer);
    const wish = { question: question.id, texts, seat: table.seat ?? undefined };
    return this.act(question, texts, () => sync.act({ command: newCommand(), ...wish }));
  }

  async undo(): Promise<boolean> {
    if (this.answering) return false;
    const { table, sync } = this.live;
    const wish = { command: newCommand(), seat: table?.seat ?? undefined };
    return this.attempt(() => sync.undo(wish), true);
  }

  /** Asks the server to parse typed orders; returns the orders and the errors. */
  readOrders(text: string): Promise<ReadOut> {
    return api.read(this.live.id, { text, seat: this.live.table?.seat ?? null });
  }

  async propose(proposal: Omit<ProposalIn, "seat">): Promise<boolean> {
    const { id, sync } = this.live;
    return this.attempt(async () => {
      await api.propose(id, { ...proposal, seat: sync.table?.seat ?? null });
      return sync.fetchTable();
    });
  }

  /** Takes my seats back from the bots that played for me. */
  async takeBack(): Promise<boolean> {
    const { players, id, sync } = this.live;
    if (!players.some((p) => p.mine && p.autopilot)) return true;
    return this.attempt(async () => {
      await api.back(id);
      return sync.fetchTable();
    });
  }

  /** Whether there is anything to do before a paused game continues: to ask, or to vote. */
  get canResume(): boolean {
    const { table } = this.live;
    if (table?.status !== "paused" || !table.seat) return false;
    return table.proposals.every((p) => p.kind !== "resume" || p.may_vote);
  }

  /** Continues a paused game, if the others who are there agree. */
  async resume(): Promise<void> {
    if (!(await this.takeBack())) return;
    const asked = this.live.table?.proposals.find((p) => p.kind === "resume");
    if (asked) {
      if (asked.may_vote) await this.vote(asked.id, true);
      return;
    }
    await this.propose({ kind: "resume", to: [], args: {}, hours: 48 });
  }

  async vote(proposal: number, agree: boolean): Promise<void> {
    const { id, sync } = this.live;
    await this.attempt(async () => {
      await api.vote(id, proposal, { agree, seat: sync.table?.seat ?? undefined });
      return sync.fetchTable();
    });
  }

  private async act(
    question: Question,
    texts: readonly string[],
    answer: () => Promise<ActOut | null>,
    confirmed = true,
  ): Promise<boolean> {
    const { next } = this;
    this.pending = texts;
    const done = await this.attempt(answer, true).finally(() => (this.pending = []));
    if (done) this.lastAnswered = question.id;
    if (done && next && next === this.next) {
      this.next = null;
      next(confirmed);
    }
    return done;
  }

  /**
   * Answers a question. If another player acted first (offered a deal, sealed a letter) and the same
   * question is still open and allows this answer, sends it again for the question's new id.
   */
  private async answer(question: Question, answer: Answer, tries = 4): Promise<ActOut | null> {
    try {
      const wish = { command: newCommand(), question: question.id, ...answer };
      return await this.live.sync.act(wish);
    } catch (error) {
      const now = error instanceof Refusal && error.code === "server.moved_on" && error.table;
      const again = now ? now.question : null;
      const fits = again?.prompt === question.prompt && answerLabels(again.node, answer.text);
      if (!again || !tries || !fits) throw error;
      return this.answer(again, answer, tries - 1);
    }
  }

  /**
   * Runs a command, and shows the refusal if it fails. It returns the table, or null if the socket has
   * delivered that.
   */
  async attempt(act: Attempt, moves = false): Promise<boolean> {
    const { sync } = this.live;
    const begun = performance.now();
    const { viewerGeneration } = sync;
    let done = false;
    this.sending = true;
    this.refusal = null;
    this.answering ||= moves;
    await this.draftRequest; // the draft must not be saved after the answer
    try {
      const answer = await act();
      done = true;
      if (answer && viewerGeneration === sync.viewerGeneration)
        sync.applyTable("table" in answer ? answer.table : answer);
      return true;
    } catch (error) {
      if (viewerGeneration !== sync.viewerGeneration) return false; // the screen has been handed over
      if (moves) this.clicks.clear(); // the queued clicks assumed that this would succeed
      this.showFailure(error);
      if (error instanceof Refusal && error.table) sync.applyTable(error.table);
      return false;
    } finally {
      this.sending = false;
      measure("powderkeg.command", begun);
      if (moves) this.finishAnswer(done || viewerGeneration !== sync.viewerGeneration);
      this.clicks.run(() => !this.answering);
    }
  }

  /** The walk was frozen while its answer was being sent; now it takes up the current question. */
  private finishAnswer(fresh: boolean): void {
    this.answering = false;
    if (this.live.table) this.ask(this.live.table, fresh);
  }

  // Refusals

  /** Shows that a command was refused, or that the server could not be reached. */
  showFailure(error: unknown): void {
    const refused = error instanceof Refusal;
    this.refusal = refused ? error : new Refusal(0, "offline", t("offline_refused"));
    if (refused && !this.isFinal) playSound("refused");
  }

  clearRefusal(): void {
    this.refusal = null;
  }

  // Drafts: an unfinished answer is saved on the server, for a reload or another device.

  private saveDraft(): void {
    const { table, walk, sync } = this.live;
    const question = table?.question;
    if (!question) return;
    clearTimeout(this.draftTimer);
    const value = walk.draft();
    this.draftTimer = setTimeout(() => {
      const wish = { question: question.id, value, seat: this.live.table?.seat };
      const begun = performance.now();
      this.draftRequest = sync
        .draft(wish)
        .catch(() => {})
        .finally(() => measure("powderkeg.draft", begun));
    }, DRAFT_PAUSE);
  }

  private restoreDraft(table: Table): void {
    // The server deletes a draft when the seat acts, so this one belongs to the current question,
    // even if other players have acted since.
    const { draft, question } = table;
    if (draft && question && draft.question > this.lastAnswered) this.live.walk.resume(draft.value);
  }
}

/** Notes how long the server took, for the browser's own tools. */
const measure = (name: string, start: number): void => void performance.measure(name, { start });

/** Whether two questions are the same; ids don't count, because they change when others act. */
const isSameQuestion = (one: Tree | null, other: Tree | null): boolean =>
  one?.prompt === other?.prompt && JSON.stringify(one?.node) === JSON.stringify(other?.node);
