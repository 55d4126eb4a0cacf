// The service worker, in a window that plays its scope.
import { afterEach, beforeAll, describe, expect, it, vi } from "vitest";

const shown = vi.fn(async () => {});
const opened = vi.fn(async () => null);
const pages: { url: string; focus: () => Promise<void> }[] = [];

beforeAll(async () => {
  vi.stubGlobal("registration", { showNotification: shown });
  vi.stubGlobal("clients", { matchAll: async () => pages, openWindow: opened });
  await import("../src/sw");
});

afterEach(() => {
  vi.clearAllMocks();
  pages.length = 0;
});

/** An event of the worker; what it waits for. */
async function tell(type: string, more: object): Promise<unknown> {
  let wait: unknown;
  const note = (until: unknown) => (wait = until);
  dispatchEvent(Object.assign(new Event(type), { waitUntil: note, respondWith: note, ...more }));
  return await wait;
}

describe("a notice", () => {
  const notice = { text: "Your turn", link: "https://elsewhere/t/abc", table: "abc" };
  const click = (data: string) => tell("notificationclick", { notification: { close() {}, data } });

  it("says what the server says, and leads to the table", async () => {
    await tell("push", { data: { json: () => notice } });
    expect(shown).toHaveBeenCalledExactlyOnceWith(
      "Powderkeg",
      expect.objectContaining({ body: "Your turn", tag: "abc", data: "/t/abc" }),
    );
  });

  it("goes to the page that shows the table already, whatever it shows of it", async () => {
    const focus = vi.fn(async () => {});
    pages.push({ url: `${location.origin}/t/xabc`, focus: vi.fn() });
    pages.push({ url: `${location.origin}/t/abc?at=7`, focus });
    await click("/t/abc");
    expect(focus).toHaveBeenCalledOnce();
    await click("/t/other");
    expect(opened).toHaveBeenCalledExactlyOnceWith("/t/other");
  });
});

it("a file that cannot be kept is used all the same", async () => {
  const full = async () => Promise.reject(new DOMException("full", "QuotaExceededError"));
  vi.stubGlobal("caches", { match: async () => undefined, open: async () => ({ put: full }) });
  vi.stubGlobal("fetch", async () => new Response("kept", { status: 200 }));
  const request = { method: "GET", mode: "cors", url: `${location.origin}/assets/a-1.js` };
  const answer = (await tell("fetch", { request })) as Response;
  expect(await answer.text()).toBe("kept");
});
