// The server's HTTP interface. Plain requests are always enough; the socket is only faster.
import type {
  ActOut,
  Advice,
  ApiToken,
  FileGames,
  GameInfo,
  Games,
  League,
  LeagueChangeIn,
  LeagueIn,
  Leagues,
  LeagueTables,
  Lesson,
  Lessons,
  Lobby,
  Log,
  Made,
  Me,
  MeIn,
  Moment,
  Offers,
  PackIn,
  PackSaveIn,
  PackSheet,
  PartIn,
  Person,
  PressPage,
  Proposal,
  ProposalIn,
  Ranks,
  ReadOut,
  Reports,
  Review,
  SavedPack,
  SavedPacks,
  Scene,
  ScoreLine,
  SeatLink,
  Table,
  TableIn,
  Terms,
} from "./types";
import { seatsAmongBots } from "../lib/bots.svelte";
import { lang, t } from "../lib/words/words.svelte";

/** The server's refusal: a stable code, a sentence in the reader's language and the rule. */
export class Refusal extends Error {
  readonly text: string;
  constructor(
    readonly status: number,
    readonly code: string,
    text: string,
    readonly rule = "",
    readonly table: Table | null = null,
  ) {
    super(code);
    this.text = text;
  }

  /** Whether a retry is pointless: not a rate limit and not a server that is down. */
  get final(): boolean {
    return this.status >= 400 && this.status < 500 && this.status !== 429;
  }
}

/** The text to show for an error: the server's sentence, or that the server can't be reached. */
export const errorText = (error: unknown): string =>
  error instanceof Refusal ? error.text : t("offline_refused");

type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
type Query = Record<string, string | number | boolean | null | undefined>;

function buildUrl(path: string, query: Query = {}): string {
  const url = new URL(`/api${path}`, location.origin);
  url.searchParams.set("lang", lang());
  for (const [name, value] of Object.entries(query))
    if (value !== null && value !== undefined) url.searchParams.set(name, String(value));
  return url.pathname + url.search;
}

// Milliseconds before a request counts as failed; an analysis may have to wait in a queue.
const TIMEOUT = 60_000;
const STUDY_TIMEOUT = 240_000;

/** The JSON of a refusal; null if the response isn't JSON, for example from a proxy. */
function parseJson(text: string): Record<string, unknown> | null {
  try {
    return JSON.parse(text) as Record<string, unknown> | null;
  } catch {
    return null;
  }
}

async function call<T>(
  method: Method,
  path: string,
  body?: unknown,
  query?: Query,
  timeout = TIMEOUT,
): Promise<T> {
  const answer = await fetch(buildUrl(path, query), {
    method,
    headers: {
      "x-powderkeg": "1", // another site cannot make a browser send this header
      ...(body === undefined ? {} : { "content-type": "application/json" }),
    },
    body: body === undefined ? undefined : JSON.stringify(body),
    signal: AbortSignal.timeout(timeout),
  });
  const text = await answer.text();
  if (answer.ok) return (text ? JSON.parse(text) : null) as T;
  const data = parseJson(text);
  throw new Refusal(
    answer.status,
    String(data?.["code"] ?? answer.status),
    String(data?.["text"] ?? answer.statusText),
    String(data?.["rule"] ?? ""),
    (data?.["table"] as Table | undefined) ?? null,
  );
}

/** A new command id: the server carries out a command once, however often it is sent. */
export function newCommand(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16)); // works over plain HTTP too
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

export interface ActIn {
  command: string;
  question: number;
  text?: string;
  texts?: string[];
  seat?: string;
  careful?: boolean; // refuse it if it could not be undone
}

export interface TalkIn {
  to: string[];
  text?: string;
  sketch?: string[];
  offer?: PartIn[];
  public?: boolean;
  answer?: { id: number; agree: boolean };
  command: string;
  seat?: string;
}

const tablePath = (table: string, rest = ""): string =>
  `/tables/${encodeURIComponent(table)}${rest}`;

const leaguePath = (league: string, rest = ""): string =>
  `/leagues/${encodeURIComponent(league)}${rest}`;

export const api = {
  // Card packs
  checkPack: (game: string, wish: PackIn) =>
    call<PackSheet>("POST", `/games/${encodeURIComponent(game)}/pack`, wish),
  packs: () => call<SavedPacks>("GET", "/packs"),
  pack: (id: string) => call<SavedPack>("GET", `/packs/${encodeURIComponent(id)}`),
  savePack: (wish: PackSaveIn) => call<SavedPack>("POST", "/packs", wish),
  replacePack: (id: string, wish: PackSaveIn) =>
    call<SavedPack>("PUT", `/packs/${encodeURIComponent(id)}`, wish),
  dropPack: (id: string) => call<unknown>("DELETE", `/packs/${encodeURIComponent(id)}`),

  // People
  me: () => call<Me>("GET", "/me"),
  changeMe: (wish: MeIn) => call<Me>("PATCH", "/me", wish),
  guest: (wish: { name: string | null; lang: string }) => call<Me>("POST", "/guests", wish),
  account: (wish: { name: string; password: string; email?: string | null; lang: string }) =>
    call<Me>("POST", "/accounts", wish),
  login: (wish: { name: string; password: string }) => call<Me>("POST", "/sessions", wish),
  logout: () => call<unknown>("DELETE", "/sessions/current"),
  mailLink: (email: string) => call<unknown>("POST", "/mail-links", { email }),
  openMailLink: (token: string) => call<Me>("POST", "/mail-links/open", { token }),
  tokens: () => call<{ tokens: ApiToken[] }>("GET", "/me/tokens"),
  makeToken: (name: string) =>
    call<ApiToken>("POST", "/me/tokens", { name, scopes: ["read", "play", "tables"] }),
  revokeToken: (id: string) => call<unknown>("DELETE", `/me/tokens/${encodeURIComponent(id)}`),
  becomeBot: () => call<Me>("POST", "/bot/upgrade"),
  testHook: () => call<unknown>("POST", "/me/hook/test"),
  push: (wish: PushSubscriptionJSON) => call<unknown>("POST", "/me/pushes", wish),

  // Lists
  games: () => call<Games>("GET", "/games"),
  lobby: () => call<Lobby>("GET", "/lobby"),
  user: (name: string) => call<Person>("GET", `/users/${encodeURIComponent(name)}`),
  ranks: (game: string) => call<Ranks>("GET", `/ratings/${encodeURIComponent(game)}`),
  reports: () => call<Reports>("GET", "/reports"),

  // Leagues
  leagues: () => call<Leagues>("GET", "/leagues"),
  startLeague: (wish: LeagueIn) => call<League>("POST", "/leagues", wish),
  league: (id: string) => call<League>("GET", leaguePath(id)),
  changeLeague: (id: string, wish: LeagueChangeIn) => call<League>("PATCH", leaguePath(id), wish),
  deleteLeague: (id: string) => call<unknown>("DELETE", leaguePath(id)),
  leaveLeague: (id: string) => call<unknown>("POST", leaguePath(id, "/leave")),
  leagueTables: (id: string, game: string | null) =>
    call<LeagueTables>("GET", leaguePath(id, "/tables"), undefined, { game }),
  takeOut: (id: string, table: string) => call<unknown>("DELETE", leaguePath(id, tablePath(table))),

  // Lessons
  lessons: (game: string) => call<Lessons>("GET", `/games/${encodeURIComponent(game)}/lessons`),
  openLesson: (game: string, name: string, again: boolean) =>
    call<{ id: string }>(
      "POST",
      `/games/${encodeURIComponent(game)}/lessons/${encodeURIComponent(name)}`,
      { again },
    ),
  lesson: (table: string) => call<Lesson>("GET", tablePath(table, "/lesson")),

  // Tables
  create: (wish: TableIn) => call<Made>("POST", "/tables", wish),
  playNow: (game: GameInfo, level: string, seat: string) =>
    call<Made>("POST", "/tables", {
      game: game.name,
      preset: "bots",
      start: true,
      seats: seatsAmongBots(game, level, seat),
    }),
  table: (table: string, seat?: string | null, text = false) =>
    call<Table>("GET", tablePath(table), undefined, { seat, text }),
  terms: (table: string) => call<Terms>("GET", tablePath(table, "/terms")),
  person: (table: string, seat: string) =>
    call<{ account: string }>("GET", tablePath(table, `/seats/${encodeURIComponent(seat)}/person`)),
  report: (table: string, wish: { seat: string; text: string }) =>
    call<unknown>("POST", tablePath(table, "/report"), wish),
  join: (table: string, wish: { seat: string | null; name: string | null; invite: string }) =>
    call<Table>("POST", tablePath(table, "/join"), wish),
  leave: (table: string, seat: string | null) =>
    call<unknown>("POST", tablePath(table, "/leave"), undefined, { seat }),
  back: (table: string) => call<Table>("POST", tablePath(table, "/back")),
  start: (table: string) => call<Table>("POST", tablePath(table, "/start")),
  changeSeat: (
    table: string,
    seat: string,
    wish: { kind: "open" | "bot"; level: string; character: string },
  ) => call<Table>("PUT", tablePath(table, `/seats/${encodeURIComponent(seat)}`), wish),
  seatLink: (table: string, seat: string) =>
    call<SeatLink>("POST", tablePath(table, `/seats/${encodeURIComponent(seat)}/link`)),
  openSeatLink: (token: string, name: string | null) =>
    call<SeatLink>("POST", "/seat-links/open", { token, name }),
  sandbox: (table: string, seq: number | null, seat: string | null) =>
    call<{ id: string }>("POST", tablePath(table, "/sandbox"), { seq, seat }),
  newSandbox: (game: string) => call<{ id: string }>("POST", "/sandboxes", { game }),
  editPosition: (table: string, position: Record<string, unknown>) =>
    call<{ id: string }>("POST", tablePath(table, "/position"), { position }),
  rematch: (table: string) => call<{ id: string }>("POST", tablePath(table, "/rematch")),
  nudge: (table: string) => call<unknown>("POST", tablePath(table, "/nudge")),
  fileGames: (file: string) => call<FileGames>("POST", "/imports/games", { file }),
  openFile: (wish: { file: string; number: number; title: string }) =>
    call<Made>("POST", "/imports", wish, undefined, STUDY_TIMEOUT),
  exportUrl: (table: string) => `/api${tablePath(table, "/file")}`,

  // Play
  act: (table: string, wish: ActIn) => call<ActOut>("POST", tablePath(table, "/act"), wish),
  read: (table: string, wish: { text: string; seat: string | null }) =>
    call<ReadOut>("POST", tablePath(table, "/read"), wish),
  undo: (table: string, wish: { command: string; seat?: string }) =>
    call<ActOut>("POST", tablePath(table, "/undo"), wish),
  draft: (table: string, wish: { question: number; value: unknown; seat?: string | null }) =>
    call<unknown>("PUT", tablePath(table, "/draft"), wish),
  log: (table: string, since: number, seat?: string | null) =>
    call<Log>("GET", tablePath(table, "/log"), undefined, { since, seat }),
  moment: (table: string, seq: number, seat?: string | null) =>
    call<Moment>("GET", tablePath(table, `/at/${seq}`), undefined, { seat }),

  scenes: (table: string, seq: number, seat?: string | null) =>
    call<{ scenes: Scene[] }>("GET", tablePath(table, `/at/${seq}/scenes`), undefined, { seat }),
  score: (table: string, seq: number, seat?: string | null) =>
    call<{ lines: ScoreLine[] }>("GET", tablePath(table, `/at/${seq}/score`), undefined, { seat }),

  // Study
  advice: (table: string, wish: { seq: number | null; seat: string | null }) =>
    call<Advice>("POST", tablePath(table, "/advice"), wish, {}, STUDY_TIMEOUT),
  review: (table: string, wish: { since: number; seat: string | null }) =>
    call<Review>("POST", tablePath(table, "/review"), wish, {}, STUDY_TIMEOUT),

  // Talk
  press: (table: string, since: number, seat?: string | null) =>
    call<PressPage>("GET", tablePath(table, "/press"), undefined, { since, seat }),
  offers: (table: string, seat?: string | null) =>
    call<Offers>("GET", tablePath(table, "/offers"), undefined, { seat }),
  talk: (table: string, wish: TalkIn) => call<unknown>("POST", tablePath(table, "/press"), wish),
  propose: (table: string, wish: ProposalIn) =>
    call<unknown>("POST", tablePath(table, "/proposals"), wish),
  proposals: (table: string, seat: string | null) =>
    call<{ proposals: Proposal[] }>("GET", tablePath(table, "/proposals"), undefined, { seat }),
  vote: (table: string, id: number, wish: { agree: boolean; seat?: string }) =>
    call<unknown>("POST", tablePath(table, `/proposals/${id}/vote`), wish),
};
