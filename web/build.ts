// A service worker that changes by not a byte is never renewed, so it is told which build it belongs
// to: a hash of all names, which hold the hashes of what is in the files.
import { createHash } from "node:crypto";
import type { Plugin } from "vite";

export function build(): Plugin {
  return {
    name: "build",
    apply: "build",
    enforce: "post",
    generateBundle(_options, bundle) {
      const worker = bundle["sw.js"];
      if (worker?.type !== "chunk") throw new Error("no service worker was built");
      const names = Object.keys(bundle).sort().join();
      const hash = createHash("sha256").update(names).digest("hex").slice(0, 12);
      worker.code = worker.code.replace("__BUILD__", hash);
    },
  };
}
