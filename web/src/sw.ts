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
  const kept = await caches.match(request).catch(() => undefined);
  if (kept) return kept;
  const fresh = await fetch(request);
  if (fresh.ok) await keep(request, fresh.clone());
  return fresh;
}

/** On a full disk nothing can be kept; what was read is still there to be used. */
async function keep(request: Request, file: Response): Promise<void> {
  try {
    await (await caches.open(SHELL)).put(request, file);
  } catch {
    // it is read again the next time
  }
}

async function keepShell(): Promise<void> {
  const cache = await caches.open(SHELL);
  const shell = await fetch("/", { cache: "reload" });
  await cache.put("/", shell.clone());
  await cache.addAll((await shell.text()).match(/\/assets\/[^"]+/g) ?? []);
}

/** What the server sends: `pushed` in deliver.py. */
interface Notice {
  text: string;
  link: string;
  table: string | null;
}

self.addEventListener("push", (event) => {
  const notice = event.data?.json() as Notice | undefined;
  event.waitUntil(
    self.registration.showNotification("Powderkeg", {
      body: notice?.text,
      tag: notice?.table ?? undefined,
      icon: "/icon-192.png",
      data: here(notice?.link ?? "/"),
    }),
  );
});

/** The path of a link: the server may not know under which name this page is seen. */
const here = (link: string): string => {
  const { pathname, search } = new URL(link, location.origin);
  return pathname + search;
};

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  const path = String(event.notification.data ?? "/");
  const screen = (link: string): string => new URL(link, location.origin).pathname;
  event.waitUntil(
    (async () => {
      const open = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
      const same = open.find((client) => screen(client.url) === screen(path));
      await (same ? same.focus() : self.clients.openWindow(path));
    })(),
  );
});

export {};
