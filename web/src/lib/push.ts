// Web push: notifications from the server even when no page is open.
import { api } from "../api/client";
import type { Me } from "../api/types";

/** `on`: the browser is subscribed, and the server knows. */
export type PushState = "impossible" | "possible" | "on" | "denied";

/** Sent to the server once per session and person. */
let registration: { me: string; done: Promise<void> } | null = null;

/** The current state. Registers an existing permission again: browser or server may have lost it. */
export async function pushState(me: Me): Promise<PushState> {
  if (!me.id || !me.push_key || !("PushManager" in window)) return "impossible";
  if (Notification.permission === "denied") return "denied";
  if (Notification.permission !== "granted") return "possible";
  if (!(await navigator.serviceWorker.getRegistration())) return "impossible";
  if (registration?.me !== me.id) registration = { me: me.id, done: subscribe(me.push_key) };
  try {
    await registration.done;
  } catch (error) {
    registration = null;
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
    const old = await pushManager.getSubscription(); // made for the server's previous key
    if (!old) throw error;
    await old.unsubscribe();
    return pushManager.subscribe(wish);
  });
  await api.push((await made).toJSON());
}

/** Unsubscribes at logout, so that the next person at this browser doesn't get the notifications. */
export async function turnOffPush(): Promise<void> {
  registration = null;
  if (!("PushManager" in window)) return;
  const worker = await navigator.serviceWorker.getRegistration();
  await (await worker?.pushManager.getSubscription())?.unsubscribe();
}
