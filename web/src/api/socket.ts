// News of a table, as soon as there are any. Losing the line costs nothing but time: the socket
// comes back by itself, with growing and jittered pauses, and without a limit.
import type { Press, Table } from "./types";

export interface Ears {
  table: (table: Table) => void;
  press: (messages: Press[]) => void;
  online: (online: boolean) => void;
}

const HEARTBEAT = 20_000;
const SILENCE = 12_000; // no answer to a heartbeat for so long: the line is dead
const LONGEST = 20_000;

type Heard = { type: string; now?: number; table?: Table; messages?: Press[] };

export class Socket {
  private socket: WebSocket | null = null;
  private tries = 0;
  private closed = false;
  private retry: ReturnType<typeof setTimeout> | undefined;
  private heartbeat: ReturnType<typeof setInterval> | undefined;
  private silence: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly table: string,
    private query: { lang: string; seat: string | null },
    private readonly ears: Ears,
  ) {
    addEventListener("online", this.hurry);
    addEventListener("offline", this.drop);
    this.open();
  }

  /** From now on in another language, or through other eyes. */
  reopen(query: { lang: string; seat: string | null }): void {
    this.query = query;
    this.hangUp();
    this.tries = 0;
    this.open();
  }

  close(): void {
    this.closed = true;
    removeEventListener("online", this.hurry);
    removeEventListener("offline", this.drop);
    this.hangUp();
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
      this.tries = 0;
      this.ears.online(true);
      this.beat();
    };
    socket.onmessage = (event) => this.hear(JSON.parse(String(event.data)) as Heard);
    socket.onclose = () => {
      if (socket === this.socket) this.lost();
    };
  }

  private hear(message: Heard): void {
    clearTimeout(this.silence);
    if (message.type === "table" && message.table)
      this.ears.table({ ...message.table, now: message.now ?? 0 });
    if (message.type === "press") this.ears.press(message.messages ?? []);
  }

  private beat(): void {
    clearInterval(this.heartbeat);
    this.heartbeat = setInterval(() => {
      this.socket?.send(JSON.stringify({ type: "ping" }));
      clearTimeout(this.silence);
      this.silence = setTimeout(this.drop, SILENCE);
    }, HEARTBEAT);
  }

  private lost(): void {
    this.hangUp();
    if (this.closed) return;
    this.ears.online(false);
    const pause = Math.min(LONGEST, 500 * 2 ** this.tries) * (0.5 + Math.random());
    this.tries += 1;
    this.retry = setTimeout(() => this.open(), pause);
  }

  private readonly hurry = (): void => {
    if (this.socket) return;
    clearTimeout(this.retry);
    this.tries = 0;
    this.open();
  };

  private readonly drop = (): void => {
    if (this.socket) this.lost();
  };

  private hangUp(): void {
    clearTimeout(this.retry);
    clearInterval(this.heartbeat);
    clearTimeout(this.silence);
    const socket = this.socket;
    this.socket = null;
    socket?.close();
  }
}
