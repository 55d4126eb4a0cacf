// One table as last received from the server, by a socket or by plain requests, and commands to it.
import { api, newCommand, Refusal, type ActIn } from "../../api/client";
import { LineLost, Socket, type Command, type SocketQuery } from "../../api/socket";
import type { ActOut, LogPart, Press, Table } from "../../api/types";
import { lang } from "../words/words.svelte";

/** Callbacks of `TableSync`. */
export interface SyncListener {
  /** A newer table has replaced `before`; `log`: the new entries, if they came with it. */
  onTable: (before: Table | null, table: Table, log: LogPart | null) => void;
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
  private words = false; // whether the board is shown in words

  constructor(
    readonly id: string,
    private readonly listener: SyncListener,
  ) {}

  async open(): Promise<void> {
    await this.catchUp();
    if (this.missing || this.closed) return;
    this.socket = new Socket(this.id, this.reader(), {
      table: (table, log) => this.applyTable(table, log),
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
    return api.table(this.id, this.as, this.words);
  }

  /** The board is shown in words from now on, or no longer: they are sent only to those who read them. */
  async showWords(words: boolean): Promise<void> {
    if (words === this.words) return;
    this.words = words;
    this.socket?.showWords(words);
    if (words && !this.socket?.ready) await this.catchUp();
  }

  // Commands: over the socket, or as plain requests while there is none. A command whose answer is lost
  // is sent again with the same id, so that the server carries it out once.

  act(wish: ActIn): Promise<ActOut | null> {
    return this.command({ type: "act", ...wish }, () => api.act(this.id, wish));
  }

  undo(wish: { command: string; seat?: string }): Promise<ActOut | null> {
    return this.command({ type: "undo", ...wish }, () => api.undo(this.id, wish));
  }

  draft(wish: { question: number; value: unknown; seat?: string | null }): Promise<unknown> {
    const command = newCommand();
    return this.command({ type: "draft", command, ...wish }, () => api.draft(this.id, wish));
  }

  private async command<T>(command: Command, request: () => Promise<T>): Promise<T | null> {
    if (!this.socket?.ready) return request();
    try {
      await this.socket.request(command);
      return null; // the socket has delivered the table
    } catch (error) {
      if (!(error instanceof LineLost)) throw error;
      return request();
    }
  }

  /** Shows a table from a request or the socket, unless a newer one is shown already. */
  applyTable(table: Table, log: LogPart | null = null): void {
    if (table.held.length > 1 && table.seat !== this.as) return; // requested by the previous viewer
    if (this.table?.held.length && !table.held.length && table.status !== "open")
      return void this.listener.onSeatLost(); // now a spectator
    if (table.rev < this.rev) return;
    this.rev = table.rev;
    // The answer to a request leaves out the board in words; the socket delivers it.
    if (!table.describe && table.seq === this.table?.seq)
      table = { ...table, describe: this.table.describe };
    const before = this.table;
    this.table = table;
    this.listener.onTable(before, table, log);
  }

  private reader(): SocketQuery {
    return { lang: lang(), seat: this.as, text: this.words };
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
