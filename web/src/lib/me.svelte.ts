// Who is sitting here. A guest is made when one is first needed: to sit down, to speak.
import { api, Refusal } from "../api/client";
import type { Me } from "../api/types";
import { settings } from "./settings.svelte";
import { lang } from "./words/words.svelte";

export const session = $state<{ me: Me | null }>({ me: null });

export async function loadMe(): Promise<Me> {
  session.me = await api.me();
  return session.me;
}

/** The person here, made a guest if nobody is logged in. */
export async function ensureGuest(): Promise<Me> {
  const me = session.me ?? (await loadMe());
  if (me.kind !== "none") return me;
  try {
    session.me = await api.guest({ name: settings.name.trim() || null, lang: lang() });
  } catch (error) {
    const elsewhere = error instanceof Refusal && error.code === "server.already_logged_in";
    if (!elsewhere) throw error;
    return loadMe(); // in another tab
  }
  return session.me;
}

/** Notices come in the language that is read here. */
export async function followLang(me: Me): Promise<void> {
  if (me.kind !== "none" && me.lang !== lang()) session.me = await api.changeMe({ lang: lang() });
}
