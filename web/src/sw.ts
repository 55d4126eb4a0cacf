// The service worker: the shell of the client works without a network, and notices arrive when
// no page is open. Games themselves are never cached: the server knows, the browser asks.
declare const self: ServiceWorkerGlobalScope;

const SHELL = "powderkeg-__BUILD__"; // each build has its own: see build.ts

self.addEventListener("install", (event) => {
  event.waitUntil(keepShell().then(() => self.skipWaiting()));
});

self.addEventListener("activate", (event) => {
  event.waitUntil(
    (async () => {
      for (const name of await caches.keys()) if (name !== SHELL) await caches.delete(name);
      await self.clients.claim();
    })(),
  );
});

self.addEventListener("fetch", (event) => {
  const url = new URL(event.request.url);
  if (event.request.method !== "GET" || url.origin !== location.origin) return;
  if (url.pathname.startsWith("/api/")) return;
  if (event.request.mode === "navigate") event.respondWith(page(event.request));
  else if (url.pathname.startsWith("/assets/")) event.respondWith(asset(event.request));
});

/** The page from the network; without one, the shell. */
async function page(request: Request): Promise<Response> {
  try {
    return await fetch(request);
  } catch {
    return (await caches.match("/")) ?? Response.error();
  }
}

/** Files with a hash in their name never change: keep them once read. */
async function asset(request: Request): Promise<Response> {
  const kept = await caches.match(request);
  if (kept) return kept;
  const fresh = await fetch(request);
  if (fresh.ok) await (await caches.open(SHELL)).put(request, fresh.clone());
  return fresh;
}

async function keepShell(): Promise<void> {
  const cache = await caches.open(SHELL);
  const shell = await fetch("/", { cache: "reload" });
  await cache.put("/", shell.clone());
  const files = (await shell.text()).match(/\/assets\/[^"]+/g) ?? [];
  await cache.addAll([...files, "/icon.svg", "/manifest.webmanifest"]);
}

interface Notice {
  title?: string;
  body?: string;
  url?: string;
  tag?: string;
}

self.addEventListener("push", (event) => {
  const notice = (event.data?.json() ?? {}) as Notice;
  event.waitUntil(
    self.registration.showNotification(notice.title ?? "Powderkeg", {
      body: notice.body,
      tag: notice.tag,
      icon: "/icon-192.png",
      data: notice.url ?? "/",
    }),
  );
});

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  const url = String(event.notification.data ?? "/");
  event.waitUntil(
    (async () => {
      const open = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
      const same = open.find((client) => client.url.endsWith(url));
      await (same ? same.focus() : self.clients.openWindow(url));
    })(),
  );
});

export {};
