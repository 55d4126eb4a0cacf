// Routing: a handful of paths, with the browser's own history.

export type Route =
  | { name: "front" }
  | { name: "new"; game: string; league: string }
  | { name: "table"; id: string; at: number | null; invite: string }
  | { name: "seat"; token: string }
  | { name: "mail"; token: string }
  | { name: "learn"; game: string }
  | { name: "rules"; game: string }
  | { name: "cards"; game: string; pack: string }
  | { name: "person"; person: string }
  | { name: "ratings"; game: string }
  | { name: "leagues" }
  | { name: "league"; id: string }
  | { name: "reports" }
  | { name: "open" }
  | { name: "help" }
  | { name: "settings" }
  | { name: "account" }
  | { name: "lost" };

/** The screen for a path. */
export function routeOf(url: URL): Route {
  const [first = "", second = ""] = url.pathname.split("/").filter(Boolean).map(decodePart);
  switch (first) {
    case "":
      return { name: "front" };
    case "new":
      return { name: "new", game: second, league: url.searchParams.get("league") ?? "" };
    case "t":
      return {
        name: "table",
        id: second,
        at: momentIn(url),
        invite: url.searchParams.get("invite") ?? "",
      };
    case "s":
      return { name: "seat", token: second };
    case "m":
      return { name: "mail", token: second };
    case "learn":
      return { name: "learn", game: second };
    case "rules":
      return { name: "rules", game: second };
    case "cards":
      return { name: "cards", game: second, pack: url.searchParams.get("pack") ?? "" };
    case "people":
      return { name: "person", person: second };
    case "ratings":
      return { name: "ratings", game: second };
    case "league":
      return { name: "league", id: second };
    case "leagues":
    case "reports":
    case "open":
    case "help":
    case "settings":
    case "account":
      return { name: first };
  }
  return { name: "lost" };
}

/** Decodes a part of a path; returns an invalid one unchanged, which leads to no screen. */
function decodePart(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

function momentIn(url: URL): number | null {
  const at = Number(url.searchParams.get("at") ?? NaN);
  return Number.isInteger(at) && at >= 0 ? at : null;
}

/** Identifies the screen; replaying a table stays on the same screen. */
export const screenOf = (route: Route): string =>
  [
    route.name,
    "game" in route ? route.game : "id" in route ? route.id : "person" in route ? route.person : "",
  ].join(" ");

export const router = $state({ route: routeOf(new URL(location.href)) });

export function go(path: string, { replace = false } = {}): void {
  history[replace ? "replaceState" : "pushState"](null, "", path);
  router.route = routeOf(new URL(location.href));
  if (!replace) scrollTo(0, 0);
}

/** Links inside the client change the screen without a reload. */
export function listen(): void {
  addEventListener("popstate", () => (router.route = routeOf(new URL(location.href))));
  addEventListener("click", (event: MouseEvent) => {
    if (event.defaultPrevented || event.button !== 0) return;
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    const link = (event.target as Element | null)?.closest?.("a");
    if (!link || link.target || link.download || link.origin !== location.origin) return;
    if (link.pathname.startsWith("/api/") || link.hash) return;
    event.preventDefault();
    go(link.pathname + link.search);
  });
}
