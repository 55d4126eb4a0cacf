// A page that was opened before the server was renewed asks for files that are there no more.

/** Whenever a part of the client is missing: if the server has another build, begin with that. */
export function watchRenewal(): void {
  addEventListener("vite:preloadError", () => void renew());
}

async function renew(): Promise<void> {
  const here = document.querySelector("script[type=module][src]")?.getAttribute("src");
  const answer = await fetch("/", { cache: "no-store" }).catch(() => null);
  if (!here || !answer?.ok) return; // offline: what is missing is said where it is missed
  if (!(await answer.text()).includes(here)) location.reload();
}
