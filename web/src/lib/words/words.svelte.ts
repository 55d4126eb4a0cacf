// The frame's texts: codes of the catalogue `web` in the reader's language. The server sends its own
// texts about games as finished sentences.
import type { Catalogue } from "../../../po";
import type { Me } from "../../api/types";
import { settings } from "../settings.svelte";

export type Lang = NonNullable<Me["lang"]>;
export type Args = Record<string, string | number | undefined>;

const NAMES: Record<Lang, string> = { en: "English", es: "Español", it: "Italiano" };
export const LANGS = Object.keys(NAMES) as Lang[];
const load: Record<Lang, () => Promise<{ default: Catalogue }>> = {
  en: () => import("$locale/en/LC_MESSAGES/web.po"),
  es: () => import("$locale/es/LC_MESSAGES/web.po"),
  it: () => import("$locale/it/LC_MESSAGES/web.po"),
};

let current = $state.raw<{ lang: Lang; words: Catalogue }>({ lang: "en", words: {} });

export const langName = (lang: Lang): string => NAMES[lang];
export const lang = (): Lang => current.lang;

/** Switches the language; every text on the screen changes at once. */
export async function setLanguage(to: Lang): Promise<void> {
  const words = (await load[to]()).default;
  current = { lang: to, words };
  document.documentElement.lang = to;
  settings.lang = to;
}

/** Switches to the language selected in a list; goes back if its catalogue cannot be loaded. */
export async function selectLanguage({
  currentTarget: list,
}: {
  currentTarget: HTMLSelectElement;
}) {
  await setLanguage(list.value as Lang).catch(() => (list.value = lang()));
}

/** The language at the start: the one chosen before, else the first of the browser's that we have. */
export function initialLang(): Lang {
  const wanted = [settings.lang, ...navigator.languages.map((l) => l.slice(0, 2))];
  return LANGS.find((l) => l === wanted.find((w) => LANGS.includes(w as Lang))) ?? "en";
}

/**
 * Nothing said yet, to begin `$derived` with: what is put there later, such as a refusal of the
 * server's, goes when the language changes, since it cannot be said again in the other one.
 */
export const unsaid = (): string => (void current.lang, "");

/** The text for a code such as `play_now` (the catalogue is `web`). */
export function t(code: string, args: Args = {}): string {
  return fillTemplate(current.words[`web.${code}`] ?? code, args);
}

export function fillTemplate(template: string | [string, string], args: Args): string {
  const text = typeof template === "string" ? template : template[args["n"] === 1 ? 0 : 1];
  return text.replace(/\{(\w+)\}/g, (all, name: string) => String(args[name] ?? all));
}

/** Whether there is a text for a code. */
export const hasText = (code: string): boolean => `web.${code}` in current.words;

/** A number with a true minus sign, as everywhere on the boards. */
export const number = (n: number): string =>
  new Intl.NumberFormat(current.lang, { maximumFractionDigits: 2 }).format(n).replace("-", "−");

/** A share of the whole in percent, as the language writes it: "20%", "20 %". */
export const percent = (share: number): string =>
  new Intl.NumberFormat(current.lang, { style: "percent", maximumFractionDigits: 0 }).format(share);

/** The reader's own manner of a language: times of day differ between Britain and America. */
const locale = (): string =>
  navigator.languages.find((each) => each.slice(0, 2) === current.lang) ?? current.lang;

export const time = (at: number): string =>
  new Intl.DateTimeFormat(locale(), { hour: "2-digit", minute: "2-digit" }).format(at * 1000);

export const date = (at: number): string =>
  new Intl.DateTimeFormat(locale(), { dateStyle: "medium", timeStyle: "short" }).format(at * 1000);

export const day = (at: number): string =>
  new Intl.DateTimeFormat(locale(), { dateStyle: "medium" }).format(at * 1000);

const UNITS = [
  ["day", 86400],
  ["hour", 3600],
  ["minute", 60],
] as const;

type UnitDisplay = "long" | "narrow";

/** "23 hours", or narrow "23h": the largest unit that is at least one, and how many there are. */
function inUnits(seconds: number, unitDisplay: UnitDisplay): { time: string; n: number } {
  const [unit, size] = UNITS.find(([, size]) => seconds >= size) ?? ["second", 1];
  const format = new Intl.NumberFormat(current.lang, { style: "unit", unit, unitDisplay });
  const n = Math.floor(seconds / size);
  return { time: format.format(n), n };
}

/** "23 hours left": what is left of a time limit. */
export const timeLeft = (seconds: number): string =>
  seconds > 0 ? t("time_left", inUnits(seconds, "long")) : t("time_is_up");

/** "23h": the same where there is room for nothing more. */
export const briefTime = (seconds: number): string => inUnits(seconds, "narrow").time;

/** "in 3 hours", "2 minutes ago": the largest unit that is at least one. */
export function relativeTime(seconds: number): string {
  const format = new Intl.RelativeTimeFormat(current.lang, { numeric: "auto" });
  for (const [unit, size] of UNITS)
    if (Math.abs(seconds) >= size) return format.format(Math.trunc(seconds / size), unit);
  return format.format(Math.trunc(seconds), "second");
}
