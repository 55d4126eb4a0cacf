// Letters of a table: what was said where this reader may listen, and what was read of it.
import { api, newCommand, type TalkIn } from "../../api/client";
import type { Press, PressPage } from "../../api/types";
import { playSound } from "../sound";
import type { LiveTable } from "./live_table.svelte";

export class Letters {
  all = $state.raw<Press[]>([]);
  /** The last letter that was read, by channel. */
  private read = $state.raw<Readonly<Record<string, number>>>({});
  /** What was sent and not answered: sent again, it is the same letter. */
  private sent = { wish: "", command: "" };

  constructor(private readonly live: LiveTable) {}

  unread = $derived(this.all.filter((m) => this.isNew(m)).length);

  unreadIn(channel: string): number {
    return this.all.filter((m) => m.channel === channel && this.isNew(m)).length;
  }

  /** Whether I wrote it. */
  mine({ seat }: Press): boolean {
    const table = this.live.table;
    if (seat === null || !table) return false;
    return table.seat ? seat === table.seat : table.held.includes(seat);
  }

  /** Everything in a channel has been seen. */
  see(channel: string): void {
    const last = this.all.filter((m) => m.channel === channel).at(-1)?.id ?? 0;
    if (last <= (this.read[channel] ?? 0)) return;
    this.read = { ...this.read, [channel]: last };
    remember(this.key, this.read);
  }

  /** Other eyes read other letters. */
  forget(): void {
    this.all = [];
    this.read = remembered(this.key);
  }

  /** Who watches with a delay is told late of what was said at the table, not of what watchers say. */
  private get last(): number {
    const { table } = this.live;
    const told = table?.held.length ? this.all : this.all.filter((m) => m.channel !== "watchers");
    return told.at(-1)?.id ?? 0;
  }

  async load(after = this.last): Promise<void> {
    const { eyes } = this.live.sync;
    for (let from: number | null = after; from !== null;) {
      const part: PressPage = await api.press(this.live.id, from, this.live.sync.as);
      if (eyes !== this.live.sync.eyes) return;
      this.heard(part.messages);
      from = part.next;
    }
  }

  heard(messages: Press[]): void {
    if (!this.all.length) this.read = remembered(this.key);
    const known = new Set(this.all.map((m) => m.id));
    const fresh = messages.filter((m) => !known.has(m.id));
    if (this.all.length && fresh.some((m) => !this.mine(m))) playSound("letter");
    if (fresh.length) this.all = [...this.all, ...fresh].sort((a, b) => a.id - b.id);
  }

  /** Send a letter, an offer or an answer to one. Once it is sent nothing makes it unsent. */
  async send(wish: Omit<TalkIn, "command" | "seat">): Promise<boolean> {
    const { table } = this.live;
    const { eyes } = this.live.sync;
    const seat = table?.seat ?? table?.held[0];
    this.live.commands.clearRefusal();
    const same = JSON.stringify([seat, wish]);
    if (same !== this.sent.wish) this.sent = { wish: same, command: newCommand() };
    try {
      await api.talk(this.live.id, { ...wish, command: this.sent.command, seat });
    } catch (error) {
      if (eyes === this.live.sync.eyes) this.live.commands.showFailure(error);
      return false;
    }
    this.sent = { wish: "", command: "" };
    await this.load().catch(() => {}); // the socket brings it too
    return true;
  }

  private isNew(message: Press): boolean {
    return message.id > (this.read[message.channel] ?? 0) && !this.mine(message);
  }

  private get key(): string {
    return `powderkeg.read.${this.live.id}.${this.live.table?.seat ?? ""}`;
  }
}

function remember(key: string, read: Readonly<Record<string, number>>): void {
  try {
    localStorage.setItem(key, JSON.stringify(read));
  } catch {
    // a private window that keeps nothing: letters are new again after a reload
  }
}

function remembered(key: string): Readonly<Record<string, number>> {
  try {
    return JSON.parse(localStorage.getItem(key) ?? "{}") as Record<string, number>;
  } catch {
    return {};
  }
}
