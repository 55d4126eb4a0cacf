// A page opened before a server update requests files that no longer exist.

/** When a part of the client fails to load, reloads the page if the server has another build. */
export function reloadOnNewBuild(): void {
  addEventListener("vite:preloadError", () => void reloadIfOutdated());
}

async function reloadIfOutdated(): Promise<void> {
  const here = document.querySelector("script[type=module][src]")?.getAttribute("src");
  const answer = await fetch("/", { cache: "no-store" }).catch(() => null);
  if (!here || !answer?.ok) return; // offline: the screen that needs the part shows the error
  if (!(await answer.text()).includes(here)) location.reload();
}
