// One table as the server last told it: plain requests, and a socket that brings news sooner.
import { api, Refusal } from "../../api/client";
import { Socket } from "../../api/socket";
import type { Press, Table } from "../../api/types";
import { lang } from "../words/words.svelte";

/** The one who keeps the table, and learns what becomes of it. */
export interface SyncListener {
  /** There is a newer table than the one `before`. */
  tableTaken: (before: Table | null, table: Table) => void;
  lettersHeard: (messages: Press[]) => void;
  /** The table is here: time to ask for whatever else is read page by page. */
  caughtUp: () => Promise<unknown>;
  /** The seat is no longer the reader's. */
  seatLost: () => Promise<void>;
  /** The table cannot be shown at all, as `missing` says. */
  tableLost: () => void;
}

export class TableSync {
  table = $state.raw<Table | null>(null);
  online = $state(true);
  missing = $state.raw<Refusal | null>(null); // why the table cannot be shown at all
  as = $state<string | null>(null); // which of the seats held at this screen is acting
  eyes = 0; // counts through how many eyes was looked: what others asked for is not shown
  private socket: Socket | null = null;
  private rev = -1; // of the table that is shown: older news come too late
  private closed = false;

  constructor(
    readonly id: string,
    private readonly listener: SyncListener,
  ) {}

  async open(): Promise<void> {
    await this.catchUp();
    if (this.missing || this.closed) return;
    this.socket = new Socket(this.id, this.reader(), {
      table: (table) => this.take(table),
      press: (messages) => this.listener.lettersHeard(messages),
      online: (online) => this.setOnline(online),
      refused: () => void this.catchUp(),
    });
  }

  /** Look again, through other eyes or in another language. */
  restart(): Promise<void> {
    this.eyes += 1;
    this.rev = -1;
    this.socket?.reopen(this.reader());
    return this.catchUp();
  }

  close(): void {
    this.closed = true;
    this.eyes += 1;
    this.socket?.close();
    this.socket = null;
  }

  /** Ask the server for the table. */
  look(): Promise<Table> {
    return api.table(this.id, this.as);
  }

  /** Show a table that came in whatever way, unless a newer one is known. */
  take(table: Table): void {
    if (table.held.length > 1 && table.seat !== this.as) return; // it was asked by the one before
    if (this.table?.held.length && !table.held.length && table.status !== "open")
      return void this.listener.seatLost(); // from now on a spectator
    if (table.rev < this.rev) return;
    this.rev = table.rev;
    // The answer to an action comes without the board in words: the socket brings them.
    if (!table.describe && table.seq === this.table?.seq)
      table = { ...table, describe: this.table.describe };
    const before = this.table;
    this.table = table;
    this.listener.tableTaken(before, table);
  }

  private reader(): { lang: string; seat: string | null } {
    return { lang: lang(), seat: this.as };
  }

  private setOnline(online: boolean): void {
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
      if (eyes === this.eyes) await this.lookFailed(error);
      return;
    }
    await this.listener.caughtUp();
  }

  private async lookFailed(error: unknown): Promise<void> {
    if (!(error instanceof Refusal) || !error.final) return this.doubtLine();
    if (this.as) return this.listener.seatLost();
    this.missing = error;
    this.listener.tableLost();
  }

  /** The server did not answer, whatever the line says: it is tried again, and then all is asked. */
  private doubtLine(): void {
    this.online = false;
    this.socket?.drop();
  }
}
