// The person at this device. A guest is created when first needed: to take a seat or to write.
import { api, Refusal } from "../api/client";
import type { Me } from "../api/types";
import { settings } from "./settings.svelte";
import { lang } from "./words/words.svelte";

export const session = $state<{ me: Me | null }>({ me: null });

export async function loadMe(): Promise<Me> {
  session.me = await api.me();
  return session.me;
}

/** The person at this device; creates a guest if nobody is logged in. */
export async function ensureGuest(): Promise<Me> {
  const me = session.me ?? (await loadMe());
  if (me.kind !== "none") return me;
  try {
    session.me = await api.guest({ name: settings.name.trim() || null, lang: lang() });
  } catch (error) {
    const elsewhere = error instanceof Refusal && error.code === "server.already_logged_in";
    if (!elsewhere) throw error;
    return loadMe(); // logged in in another tab
  }
  return session.me;
}

/** Tells the server the language for notifications. */
export async function followLang(me: Me): Promise<void> {
  if (me.kind !== "none" && me.lang !== lang()) session.me = await api.changeMe({ lang: lang() });
}
