// Web push: a notice from the server even when no page is open.
import { api } from "../api/client";

export type PushState = "impossible" | "possible" | "on" | "denied";

export function pushState(): PushState {
  if (!("serviceWorker" in navigator) || !("PushManager" in window)) return "impossible";
  if (Notification.permission === "denied") return "denied";
  return Notification.permission === "granted" ? "on" : "possible";
}

export async function turnOnPush(key: string): Promise<PushState> {
  if ((await Notification.requestPermission()) !== "granted") return "denied";
  const worker = await navigator.serviceWorker.ready;
  const subscription = await worker.pushManager.subscribe({
    userVisibleOnly: true,
    applicationServerKey: key,
  });
  await api.push(subscription.toJSON());
  return "on";
}
