// Acting at a table: answers, undo, drafts, proposals and votes, one command at a time.
import { api, newCommand, Refusal } from "../../api/client";
import type { ActOut, ProposalIn, Question, ReadOut, Table } from "../../api/types";
import { answerLabels, type Question as Tree } from "../question/tree";
import { settings } from "../settings.svelte";
import { playSound } from "../sound";
import { t } from "../words/words.svelte";
import type { LiveTable } from "./live_table.svelte";
import { Waiting } from "./waiting";

const DRAFT_PAUSE = 400; // milliseconds after a choice before it is kept on the server

export class TableCommands {
  sending = $state(false); // something is on its way
  answering = $state(false); // an answer is: what is asked now is asked no longer
  refusal = $state.raw<Refusal | null>(null);
  private fresh = true; // whatever is asked next begins without earlier choices
  private last = -1; // the last question that was answered here: no draft of it is taken up
  private waiting = new Waiting();
  private draftTimer: ReturnType<typeof setTimeout> | undefined;
  private drafting: Promise<unknown> = Promise.resolve(); // a draft on its way

  constructor(private readonly live: LiveTable) {}

  // What is asked

  /** There is a newer table: what it asks is walked from now on, unless an answer is on its way. */
  tableTaken(before: Table | null, table: Table): void {
    if (!this.answering) this.ask(table, this.fresh || table.seat !== before?.seat);
  }

  /** Whatever is asked next is asked of other eyes, or in other words. */
  startFresh(): void {
    this.fresh = true;
  }

  /** The screen is given away: nothing of what was begun is left on it. */
  forget(): void {
    clearTimeout(this.draftTimer);
    this.refusal = null;
    this.waiting.forget();
    this.live.walk.ask(null);
  }

  /**
   * Others may act while an answer is being put together: what was chosen stays, as far as it can
   * still be chosen.
   */
  private ask(table: Table, fresh: boolean): void {
    const { walk, why } = this.live;
    const [before, now] = [walk.question, table.question];
    this.fresh = false;
    if (!fresh && isSameQuestion(before, now)) return;
    const same = !fresh && before?.prompt === now?.prompt;
    walk.ask(now, same ? walk.draft() : null);
    if (same) return;
    clearTimeout(this.draftTimer); // it answered another question
    this.restoreDraft(table);
    why.forget();
  }

  // Choosing

  /** A click on the board. */
  pick(target: string): boolean {
    if (this.live.past !== null) return false;
    if (this.answering) {
      this.doSoon(target, () => this.pick(target)); // it waits for what is asked then
      return true;
    }
    const meant = this.live.walk.pick(target);
    if (meant) this.afterChoice();
    else this.live.why.wonder(target, 0);
    return meant;
  }

  /** After every choice: an order is sent at once, anything else when confirmed. */
  afterChoice(confirmed = false): void {
    const { walk, why } = this.live;
    this.refusal = null;
    why.because = null;
    const enough = confirmed || walk.revisable || !settings.confirm;
    if (walk.complete && enough) void this.send();
    else this.keepDraft();
  }

  /** One step back in what is being chosen. */
  stepBack(): void {
    this.live.walk.back();
    this.keepDraft();
  }

  /** Do it now, or when the answer has come that is on its way. Orders wait for each other;
   * elsewhere who knows what is asked next, so only the last is kept. */
  doSoon(name: string, act: () => void): void {
    if (!this.answering) act();
    else this.waiting.add(name, act, this.live.table?.question?.node.kind !== "orders");
  }

  // Sending

  /** Send the finished answer. */
  async send(text = this.live.walk.text): Promise<boolean> {
    const question = this.live.table?.question;
    if (!question || this.answering) return false;
    clearTimeout(this.draftTimer);
    const seat = this.live.table?.seat ?? undefined;
    return this.act(question, () => this.answer(question, text, seat));
  }

  /** Give several orders at once: all or none. */
  async sendAll(texts: string[]): Promise<boolean> {
    const { table, id } = this.live;
    const question = table?.question;
    if (!question || this.answering || !texts.length) return false;
    clearTimeout(this.draftTimer);
    const wish = { question: question.id, texts, seat: table.seat ?? undefined };
    return this.act(question, () => api.act(id, { command: newCommand(), ...wish }));
  }

  async undo(): Promise<boolean> {
    if (this.answering) return false;
    const { table, id } = this.live;
    const wish = { command: newCommand(), seat: table?.seat ?? undefined };
    return this.attempt(() => api.undo(id, wish), true);
  }

  /** What typed orders mean, and what is unclear about them. */
  readOrders(text: string): Promise<ReadOut> {
    return api.read(this.live.id, { text, seat: this.live.table?.seat ?? null });
  }

  async propose(proposal: Omit<ProposalIn, "seat">): Promise<boolean> {
    const { id, sync } = this.live;
    return this.attempt(async () => {
      await api.propose(id, { ...proposal, seat: sync.table?.seat ?? null });
      return sync.look();
    });
  }

  async vote(proposal: number, agree: boolean): Promise<void> {
    const { id, sync } = this.live;
    await this.attempt(async () => {
      await api.vote(id, proposal, { agree, seat: sync.table?.seat ?? undefined });
      return sync.look();
    });
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
    const wish = { command: newCommand(), question: question.id, text, seat };
    try {
      return await api.act(this.live.id, wish);
    } catch (error) {
      const now = error instanceof Refusal && error.code === "server.moved_on" && error.table;
      const again = now ? now.question : null;
      if (!again || !tries || again.prompt !== question.prompt || !answerLabels(again.node, text))
        throw error;
      return this.answer(again, text, seat, tries - 1);
    }
  }

  /** Do something that answers with the table, and show a refusal where it may be read. */
  async attempt(act: () => Promise<{ table: Table } | Table>, moves = false): Promise<boolean> {
    const { sync } = this.live;
    const { eyes } = sync;
    let done = false;
    this.sending = true;
    this.refusal = null;
    this.answering ||= moves;
    await this.drafting; // what was begun must not be stored after it was done
    try {
      const answer = await act();
      done = true;
      if (eyes === sync.eyes) sync.take("table" in answer ? answer.table : answer);
      return true;
    } catch (error) {
      if (eyes !== sync.eyes) return false; // it is somebody else's screen by now
      if (moves) this.waiting.forget(); // it was meant for what did not happen
      this.showFailure(error);
      if (error instanceof Refusal && error.table) sync.take(error.table);
      return false;
    } finally {
      this.sending = false;
      if (moves) this.endAnswer(done || eyes !== sync.eyes);
      this.waiting.go(() => !this.answering);
    }
  }

  /** The walk was left alone while its answer was on its way: now it begins again, or stays. */
  private endAnswer(fresh: boolean): void {
    this.answering = false;
    if (this.live.table) this.ask(this.live.table, fresh);
  }

  // Refusals

  /** Say where it may be read that something was refused, or that nothing was sent at all. */
  showFailure(error: unknown): void {
    const refused = error instanceof Refusal;
    this.refusal = refused ? error : new Refusal(0, "offline", t("offline_refused"));
    if (refused) playSound("refused");
  }

  clearRefusal(): void {
    this.refusal = null;
  }

  // What was begun is kept on the server, so that a reload or another device goes on from there.

  private keepDraft(): void {
    const { table, walk, id } = this.live;
    const question = table?.question;
    if (!question) return;
    clearTimeout(this.draftTimer);
    const value = walk.draft();
    this.draftTimer = setTimeout(() => {
      const wish = { question: question.id, value, seat: this.live.table?.seat };
      this.drafting = api.draft(id, wish).catch(() => {});
    }, DRAFT_PAUSE);
  }

  private restoreDraft(table: Table): void {
    // The server forgets a draft when the seat acts, so this one is about what is asked now, even
    // if others have acted since.
    const { draft, question } = table;
    if (draft && question && draft.question > this.last) this.live.walk.resume(draft.value);
  }
}

/** Whether the same is asked; its number changes with whatever others do. */
const isSameQuestion = (one: Tree | null, other: Tree | null): boolean =>
  one?.prompt === other?.prompt && JSON.stringify(one?.node) === JSON.stringify(other?.node);
