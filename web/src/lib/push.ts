// Web push: a notice from the server even when no page is open.
import { api } from "../api/client";
import type { Me } from "../api/types";

/** `on`: the browser is subscribed, and the server knows. */
export type PushState = "impossible" | "possible" | "on" | "denied";

let told: { me: string; done: Promise<void> } | null = null; // once a session, for the person here

/** How it stands. What was allowed before is told to the server again: either may have forgotten. */
export async function pushState(me: Me): Promise<PushState> {
  if (!me.id || !me.push_key || !("PushManager" in window)) return "impossible";
  if (Notification.permission === "denied") return "denied";
  if (Notification.permission !== "granted") return "possible";
  if (!(await navigator.serviceWorker.getRegistration())) return "impossible";
  if (told?.me !== me.id) told = { me: me.id, done: subscribe(me.push_key) };
  try {
    await told.done;
  } catch (error) {
    told = null;
    throw error;
  }
  return "on";
}

export async function turnOnPush(me: Me): Promise<PushState> {
  await Notification.requestPermission();
  return pushState(me);
}

async function subscribe(key: string): Promise<void> {
  const { pushManager } = await navigator.serviceWorker.ready;
  const wish = { userVisibleOnly: true, applicationServerKey: key };
  const made = pushManager.subscribe(wish).catch(async (error: unknown) => {
    const old = await pushManager.getSubscription(); // made for a key that the server had before
    if (!old) throw error;
    await old.unsubscribe();
    return pushManager.subscribe(wish);
  });
  await api.push((await made).toJSON());
}

/** A person who leaves takes the notices along: the next at this browser must not read them. */
export async function turnOffPush(): Promise<void> {
  told = null;
  if (!("PushManager" in window)) return;
  const worker = await navigator.serviceWorker.getRegistration();
  await (await worker?.pushManager.getSubscription())?.unsubscribe();
}
