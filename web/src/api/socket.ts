// Live updates of a table. When the connection is lost, the socket reconnects by itself, with growing,
// jittered pauses and no limit on attempts; nothing is lost but time.
import type { Press, Table } from "./types";

export interface SocketHandlers {
  table: (table: Table) => void;
  press: (messages: Press[]) => void;
  online: (online: boolean) => void;
  refused: () => void;
}

const HEARTBEAT = 20_000;
const PING_TIMEOUT = 12_000; // no answer to a ping for this long: the connection is dead
const LONGEST_PAUSE = 20_000;
const STEADY_AFTER = 10_000; // a connection that lasted this long is retried quickly when it breaks

type SocketMessage = { type: string; now?: number; table?: Table; messages?: Press[] };

export class Socket {
  private socket: WebSocket | null = null;
  private tries = 0;
  private closed = false;
  private retryTimer: ReturnType<typeof setTimeout> | undefined;
  private heartbeat: ReturnType<typeof setInterval> | undefined;
  private pingTimeout: ReturnType<typeof setTimeout> | undefined;
  private steadyTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly table: string,
    private query: { lang: string; seat: string | null },
    private readonly handlers: SocketHandlers,
  ) {
    addEventListener("online", this.reconnectNow);
    addEventListener("offline", this.drop);
    document.addEventListener("visibilitychange", this.onVisible);
    this.open();
  }

  /** Reconnects in another language or for another viewer. */
  reopen(query: { lang: string; seat: string | null }): void {
    this.query = query;
    this.closeSocket();
    this.tries = 0;
    this.open();
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
    url.searchParams.set("text", "1");
    if (this.query.seat) url.searchParams.set("seat", this.query.seat);
    const socket = new WebSocket(url);
    this.socket = socket;
    socket.onopen = () => {
      this.steadyTimer = setTimeout(() => (this.tries = 0), STEADY_AFTER);
      this.heartbeat = setInterval(this.sendPing, HEARTBEAT);
    };
    socket.onmessage = (event) =>
      this.handleMessage(JSON.parse(String(event.data)) as SocketMessage);
    socket.onclose = () => {
      if (socket === this.socket) this.retryLater();
    };
  }

  private handleMessage(message: SocketMessage): void {
    clearTimeout(this.pingTimeout);
    if (message.type === "table" && message.table) {
      this.handlers.online(true); // only now: a refused socket is open for a moment too
      this.handlers.table({ ...message.table, now: message.now ?? 0 });
    }
    if (message.type === "press") this.handlers.press(message.messages ?? []);
    if (message.type === "refused") this.handlers.refused();
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
    socket?.close();
  }
}
