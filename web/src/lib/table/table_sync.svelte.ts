// One table as last received from the server, by plain requests and by a socket that is faster.
import { api, Refusal } from "../../api/client";
import { Socket } from "../../api/socket";
import type { Press, Table } from "../../api/types";
import { lang } from "../words/words.svelte";

/** Callbacks of `TableSync`. */
export interface SyncListener {
  /** A newer table has replaced `before`. */
  onTable: (before: Table | null, table: Table) => void;
  onLetters: (messages: Press[]) => void;
  /** The table has been fetched: time to load what comes in pages. */
  onCaughtUp: () => Promise<unknown>;
  /** The viewer no longer holds the seat. */
  onSeatLost: () => Promise<void>;
  /** The table cannot be shown at all; `missing` says why. */
  onTableLost: () => void;
}

export class TableSync {
  table = $state.raw<Table | null>(null);
  online = $state(true);
  missing = $state.raw<Refusal | null>(null); // why the table cannot be shown at all
  as = $state<string | null>(null); // which of the seats held on this screen is the viewer
  /** Goes up when the viewer or the language changes; answers to older requests are dropped. */
  viewerGeneration = 0;
  private socket: Socket | null = null;
  private rev = -1; // revision of the table being shown; older tables are ignored
  private closed = false;

  constructor(
    readonly id: string,
    private readonly listener: SyncListener,
  ) {}

  async open(): Promise<void> {
    await this.catchUp();
    if (this.missing || this.closed) return;
    this.socket = new Socket(this.id, this.reader(), {
      table: (table) => this.applyTable(table),
      press: (messages) => this.listener.onLetters(messages),
      online: (online) => this.setOnline(online),
      refused: () => void this.catchUp(),
    });
  }

  /** Starts again for another viewer or in another language. */
  restart(): Promise<void> {
    this.viewerGeneration += 1;
    this.rev = -1;
    this.socket?.reopen(this.reader());
    return this.catchUp();
  }

  close(): void {
    this.closed = true;
    this.viewerGeneration += 1;
    this.socket?.close();
    this.socket = null;
  }

  /** Fetches the table from the server. */
  fetchTable(): Promise<Table> {
    return api.table(this.id, this.as);
  }

  /** Shows a table from a request or the socket, unless a newer one is shown already. */
  applyTable(table: Table): void {
    if (table.held.length > 1 && table.seat !== this.as) return; // requested by the previous viewer
    if (this.table?.held.length && !table.held.length && table.status !== "open")
      return void this.listener.onSeatLost(); // now a spectator
    if (table.rev < this.rev) return;
    this.rev = table.rev;
    // The response to an action leaves out the board in words; the socket delivers it.
    if (!table.describe && table.seq === this.table?.seq)
      table = { ...table, describe: this.table.describe };
    const before = this.table;
    this.table = table;
    this.listener.onTable(before, table);
  }

  private reader(): { lang: string; seat: string | null } {
    return { lang: lang(), seat: this.as };
  }

  private setOnline(online: boolean): void {
    const back = online && !this.online;
    this.online = online;
    if (back || !online) void this.catchUp(); // plain requests are enough while there is no socket
  }

  private async catchUp(): Promise<void> {
    const { viewerGeneration } = this;
    try {
      const table = await this.fetchTable();
      if (viewerGeneration !== this.viewerGeneration) return;
      this.applyTable(table);
    } catch (error) {
      if (viewerGeneration === this.viewerGeneration) await this.handleFetchError(error);
      return;
    }
    await this.listener.onCaughtUp();
  }

  private async handleFetchError(error: unknown): Promise<void> {
    if (!(error instanceof Refusal) || !error.final) return this.reconnect();
    if (this.as) return this.listener.onSeatLost();
    this.missing = error;
    this.listener.onTableLost();
  }

  /** The server did not answer, though the socket may look open: reopens it and fetches all again. */
  private reconnect(): void {
    this.online = false;
    this.socket?.drop();
  }
}
