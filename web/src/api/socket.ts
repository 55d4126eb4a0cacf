// News of a table, as soon as there are any. Losing the line costs nothing but time: the socket
// comes back by itself, with growing and jittered pauses, and without a limit.
import type { Press, Table } from "./types";

export interface Ears {
  table: (table: Table) => void;
  press: (messages: Press[]) => void;
  online: (online: boolean) => void;
  refused: () => void;
}

const HEARTBEAT = 20_000;
const SILENCE = 12_000; // no answer to a heartbeat for so long: the line is dead
const LONGEST = 20_000;
const STEADY = 10_000; // a line that held so long is worth an early try when it breaks

type Heard = { type: string; now?: number; table?: Table; messages?: Press[] };

export class Socket {
  private socket: WebSocket | null = null;
  private tries = 0;
  private closed = false;
  private retry: ReturnType<typeof setTimeout> | undefined;
  private heartbeat: ReturnType<typeof setInterval> | undefined;
  private silence: ReturnType<typeof setTimeout> | undefined;
  private steady: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly table: string,
    private query: { lang: string; seat: string | null },
    private readonly ears: Ears,
  ) {
    addEventListener("online", this.hurry);
    addEventListener("offline", this.drop);
    document.addEventListener("visibilitychange", this.wake);
    this.open();
  }

  /** From now on in another language, or through other eyes. */
  reopen(query: { lang: string; seat: string | null }): void {
    this.query = query;
    this.hangUp();
    this.tries = 0;
    this.open();
  }

  /** The line is not to be trusted: begin again. */
  readonly drop = (): void => {
    if (this.socket) this.lost();
  };

  close(): void {
    this.closed = true;
    removeEventListener("online", this.hurry);
    removeEventListener("offline", this.drop);
    document.removeEventListener("visibilitychange", this.wake);
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
      this.steady = setTimeout(() => (this.tries = 0), STEADY);
      this.heartbeat = setInterval(this.beat, HEARTBEAT);
    };
    socket.onmessage = (event) => this.hear(JSON.parse(String(event.data)) as Heard);
    socket.onclose = () => {
      if (socket === this.socket) this.lost();
    };
  }

  private hear(message: Heard): void {
    clearTimeout(this.silence);
    if (message.type === "table" && message.table) {
      this.ears.online(true); // who is refused has an open line, too, for a moment
      this.ears.table({ ...message.table, now: message.now ?? 0 });
    }
    if (message.type === "press") this.ears.press(message.messages ?? []);
    if (message.type === "refused") this.ears.refused();
  }

  private readonly beat = (): void => {
    if (this.socket?.readyState !== WebSocket.OPEN) return;
    this.socket.send(JSON.stringify({ type: "ping" }));
    clearTimeout(this.silence);
    this.silence = setTimeout(this.drop, SILENCE);
  };

  private lost(): void {
    this.hangUp();
    if (this.closed) return;
    this.ears.online(false);
    const pause = Math.min(LONGEST, 500 * 2 ** this.tries) * (0.5 + Math.random());
    this.tries += 1;
    this.retry = setTimeout(() => this.open(), pause);
  }

  /** Somebody looks at the page again: a phone that slept may have a dead line. */
  private readonly wake = (): void => {
    if (document.visibilityState !== "visible") return;
    if (this.socket) this.beat();
    else this.hurry();
  };

  private readonly hurry = (): void => {
    if (this.socket) return;
    clearTimeout(this.retry);
    this.tries = 0;
    this.open();
  };

  private hangUp(): void {
    clearTimeout(this.retry);
    clearInterval(this.heartbeat);
    clearTimeout(this.silence);
    clearTimeout(this.steady);
    const socket = this.socket;
    this.socket = null;
    socket?.close();
  }
}
