// A live table: the whole table once, then what changes, and commands with their answers. When the
// connection is lost, the socket reconnects by itself, with growing, jittered pauses and no limit on
// attempts; nothing is lost but time.
import { Refusal } from "./client";
import { applyDelta, type Delta } from "./delta";
import type { LogPart, Press, Table } from "./types";

export interface SocketHandlers {
  /** A newer table; with the new entries of the log, if they came with it. */
  table: (table: Table, log: LogPart | null) => void;
  press: (messages: Press[]) => void;
  online: (online: boolean) => void;
  refused: () => void;
}

const HEARTBEAT = 20_000;
const PING_TIMEOUT = 12_000; // no answer to a ping for this long: the connection is dead
const LONGEST_PAUSE = 20_000;
const STEADY_AFTER = 10_000; // a connection that lasted this long is retried quickly when it breaks

const ANSWER_TIMEOUT = 10_000; // no answer to a command for this long: it is sent another way

interface TableMessage {
  type: "table";
  now: number;
  version: number;
  table: Table;
}
interface DeltaMessage {
  type: "delta";
  now: number;
  version: number;
  delta: Delta;
  log?: LogPart;
}
interface DoneMessage {
  type: "done";
  command: string;
}
interface RefusedMessage {
  type: "refused";
  command?: string;
  status?: number;
  code: string;
  text: string;
  rule?: string;
}
type SocketMessage =
  | TableMessage
  | DeltaMessage
  | DoneMessage
  | RefusedMessage
  | { type: "press"; messages: Press[] }
  | { type: "pong" | "restart" };

/** A message to the server that is answered with `done` or `refused`. */
export interface Command {
  type: "act" | "undo" | "draft";
  command: string;
  [name: string]: unknown;
}

interface Waiting {
  resolve: () => void;
  reject: (why: Error) => void;
  timer: ReturnType<typeof setTimeout>;
}

export interface SocketQuery {
  lang: string;
  seat: string | null;
  text: boolean; // with the board in words
}

/** The connection broke before the answer came. */
export class LineLost extends Error {}

export class Socket {
  private socket: WebSocket | null = null;
  private shown: Table | null = null; // as last received over this connection
  private version = 0;
  private readonly waiting = new Map<string, Waiting>();
  private tries = 0;
  private closed = false;
  private retryTimer: ReturnType<typeof setTimeout> | undefined;
  private heartbeat: ReturnType<typeof setInterval> | undefined;
  private pingTimeout: ReturnType<typeof setTimeout> | undefined;
  private steadyTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly table: string,
    private query: SocketQuery,
    private readonly handlers: SocketHandlers,
  ) {
    addEventListener("online", this.reconnectNow);
    addEventListener("offline", this.drop);
    document.addEventListener("visibilitychange", this.onVisible);
    this.open();
  }

  /** Reconnects in another language or for another viewer. */
  reopen(query: SocketQuery): void {
    this.query = query;
    this.closeSocket();
    this.tries = 0;
    this.open();
  }

  /** Whether commands can be sent. */
  get ready(): boolean {
    return this.shown !== null && this.socket?.readyState === WebSocket.OPEN;
  }

  /** Sends a command; resolves when it is done, and the table as it is then has been delivered. */
  request(command: Command): Promise<void> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(this.drop, ANSWER_TIMEOUT);
      this.waiting.set(command.command, { resolve, reject, timer });
      this.socket?.send(JSON.stringify(command));
    });
  }

  /** Asks for the table with the board in words, or without. */
  showWords(text: boolean): void {
    this.query = { ...this.query, text };
    if (this.ready) this.socket?.send(JSON.stringify({ type: "text", text }));
  }

  /** Gives up a connection that seems dead and reconnects. */
  readonly drop = (): void => {
    if (this.socket) this.retryLater();
  };

  close(): void {
    this.closed = true;
    removeEventListener("online", this.reconnectNow);
    removeEventListener("offline", this.drop);
    document.removeEventListener("visibilitychange", this.onVisible);
    this.closeSocket();
  }

  private open(): void {
    const url = new URL(`/api/tables/${encodeURIComponent(this.table)}/live`, location.origin);
    url.protocol = location.protocol === "https:" ? "wss:" : "ws:";
    url.searchParams.set("lang", this.query.lang);
    if (this.query.text) url.searchParams.set("text", "1");
    if (this.query.seat) url.searchParams.set("seat", this.query.seat);
    const socket = new WebSocket(url);
    this.socket = socket;
    socket.onopen = () => {
      this.steadyTimer = setTimeout(() => (this.tries = 0), STEADY_AFTER);
      this.heartbeat = setInterval(this.sendPing, HEARTBEAT);
    };
    socket.onmessage = (event) => {
      const heard = JSON.parse(String(event.data)) as SocketMessage | SocketMessage[];
      for (const message of Array.isArray(heard) ? heard : [heard]) this.handleMessage(message);
    };
    socket.onclose = () => {
      if (socket === this.socket) this.retryLater();
    };
  }

  private handleMessage(message: SocketMessage): void {
    clearTimeout(this.pingTimeout);
    switch (message.type) {
      case "table":
        this.handlers.online(true); // only now: a refused socket is open for a moment too
        return this.deliver(message.table, message, null);
      case "delta":
        return this.applyStep(message);
      case "press":
        return this.handlers.press(message.messages);
      case "done":
        return this.takeWaiting(message.command)?.resolve();
      case "refused":
        return this.handleRefusal(message);
    }
  }

  private deliver(table: Table, at: { version: number; now: number }, log: LogPart | null): void {
    this.version = at.version;
    this.shown = { ...table, now: at.now };
    this.handlers.table(this.shown, log);
  }

  /** A step that does not follow on what is here: asks for the whole table. */
  private applyStep(message: DeltaMessage): void {
    if (this.shown && message.version === this.version + 1)
      return this.deliver(applyDelta(this.shown, message.delta), message, message.log ?? null);
    this.shown = null;
    this.socket?.send(JSON.stringify({ type: "whole" }));
  }

  private handleRefusal(message: RefusedMessage): void {
    if (!message.command) return this.handlers.refused();
    const { status = 0, code, text, rule } = message;
    this.takeWaiting(message.command)?.reject(new Refusal(status, code, text, rule, this.shown));
  }

  private takeWaiting(command: string): Waiting | undefined {
    const found = this.waiting.get(command);
    clearTimeout(found?.timer);
    this.waiting.delete(command);
    return found;
  }

  private readonly sendPing = (): void => {
    if (this.socket?.readyState !== WebSocket.OPEN) return;
    this.socket.send(JSON.stringify({ type: "ping" }));
    clearTimeout(this.pingTimeout);
    this.pingTimeout = setTimeout(this.drop, PING_TIMEOUT);
  };

  private retryLater(): void {
    this.closeSocket();
    if (this.closed) return;
    this.handlers.online(false);
    const pause = Math.min(LONGEST_PAUSE, 500 * 2 ** this.tries) * (0.5 + Math.random());
    this.tries += 1;
    this.retryTimer = setTimeout(() => this.open(), pause);
  }

  /** The page is visible again: a phone that was asleep may have a dead connection. */
  private readonly onVisible = (): void => {
    if (document.visibilityState !== "visible") return;
    if (this.socket) this.sendPing();
    else this.reconnectNow();
  };

  private readonly reconnectNow = (): void => {
    if (this.socket) return;
    clearTimeout(this.retryTimer);
    this.tries = 0;
    this.open();
  };

  private closeSocket(): void {
    clearTimeout(this.retryTimer);
    clearInterval(this.heartbeat);
    clearTimeout(this.pingTimeout);
    clearTimeout(this.steadyTimer);
    const socket = this.socket;
    this.socket = null;
    this.shown = null;
    socket?.close();
    for (const command of [...this.waiting.keys()])
      this.takeWaiting(command)?.reject(new LineLost());
  }
}
