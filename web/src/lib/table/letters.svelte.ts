// A table's letters in the channels this viewer may read, and which of them have been read.
import { api, newCommand, type TalkIn } from "../../api/client";
import type { Press, PressPage } from "../../api/types";
import { playSound } from "../sound";
import type { LiveTable } from "./live_table.svelte";

export class Letters {
  all = $state.raw<Press[]>([]);
  /** The id of the last letter read, by channel. */
  private read = $state.raw<Readonly<Record<string, number>>>({});
  /** A letter not yet accepted. A retry reuses its command id, so it isn't posted twice. */
  private sent = { wish: "", command: "" };

  constructor(private readonly live: LiveTable) {}

  unread = $derived(this.all.filter((m) => this.isNew(m)).length);

  unreadIn(channel: string): number {
    return this.all.filter((m) => m.channel === channel && this.isNew(m)).length;
  }

  /** Whether this viewer wrote the letter. */
  isMine({ seat }: Press): boolean {
    const table = this.live.table;
    if (seat === null || !table) return false;
    return table.seat ? seat === table.seat : table.held.includes(seat);
  }

  /** Marks every letter in a channel as read. */
  markRead(channel: string): void {
    const last = this.all.filter((m) => m.channel === channel).at(-1)?.id ?? 0;
    if (last <= (this.read[channel] ?? 0)) return;
    this.read = { ...this.read, [channel]: last };
    storeReadMarks(this.key, this.read);
  }

  /** Clears the list, because another viewer may read different letters. */
  reset(): void {
    this.all = [];
    this.read = loadReadMarks(this.key);
  }

  /**
   * The id to load from. Delayed spectators get the table's letters late but their own chat at once, so
   * for them the watchers' channel doesn't count.
   */
  private get last(): number {
    const { table } = this.live;
    const counted = table?.held.length
      ? this.all
      : this.all.filter((m) => m.channel !== "watchers");
    return counted.at(-1)?.id ?? 0;
  }

  async load(after = this.last): Promise<void> {
    const { viewerGeneration } = this.live.sync;
    for (let from: number | null = after; from !== null;) {
      const part: PressPage = await api.press(this.live.id, from, this.live.sync.as);
      if (viewerGeneration !== this.live.sync.viewerGeneration) return;
      this.add(part.messages);
      from = part.next;
    }
  }

  add(messages: Press[]): void {
    if (!this.all.length) this.read = loadReadMarks(this.key);
    const known = new Set(this.all.map((m) => m.id));
    const fresh = messages.filter((m) => !known.has(m.id));
    if (this.all.length && fresh.some((m) => !this.isMine(m))) playSound("letter");
    if (fresh.length) this.all = [...this.all, ...fresh].sort((a, b) => a.id - b.id);
  }

  /** Sends a letter, an offer or an answer to an offer. Sending cannot be undone. */
  async send(wish: Omit<TalkIn, "command" | "seat">): Promise<boolean> {
    const { table } = this.live;
    const { viewerGeneration } = this.live.sync;
    const seat = table?.seat ?? table?.held[0];
    this.live.commands.clearRefusal();
    const same = JSON.stringify([seat, wish]);
    if (same !== this.sent.wish) this.sent = { wish: same, command: newCommand() };
    try {
      await api.talk(this.live.id, { ...wish, command: this.sent.command, seat });
    } catch (error) {
      if (viewerGeneration === this.live.sync.viewerGeneration)
        this.live.commands.showFailure(error);
      return false;
    }
    this.sent = { wish: "", command: "" };
    await this.load().catch(() => {}); // the socket delivers it too
    return true;
  }

  private isNew(message: Press): boolean {
    return message.id > (this.read[message.channel] ?? 0) && !this.isMine(message);
  }

  private get key(): string {
    return `powderkeg.read.${this.live.id}.${this.live.table?.seat ?? ""}`;
  }
}

function storeReadMarks(key: string, read: Readonly<Record<string, number>>): void {
  try {
    localStorage.setItem(key, JSON.stringify(read));
  } catch {
    // a private window has no storage: letters count as unread again after a reload
  }
}

function loadReadMarks(key: string): Readonly<Record<string, number>> {
  try {
    return JSON.parse(localStorage.getItem(key) ?? "{}") as Record<string, number>;
  } catch {
    return {};
  }
}
