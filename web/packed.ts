// What is sent often is packed once, when the client is built: beside each file lies its `.gz`,
// which the server sends to whoever takes it.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { constants, gzipSync } from "node:zlib";
import type { Plugin, ResolvedConfig } from "vite";

const WORTH = /\.(js|css|html|svg|webmanifest)$/;

export function packed(): Plugin {
  let config: ResolvedConfig;
  return {
    name: "packed",
    apply: "build",
    configResolved(found) {
      config = found;
    },
    closeBundle() {
      const folder = config.build.outDir;
      for (const name of readdirSync(folder, { recursive: true, encoding: "utf8" })) {
        if (!WORTH.test(name)) continue;
        const source = readFileSync(join(folder, name));
        const small = gzipSync(source, { level: constants.Z_BEST_COMPRESSION });
        if (small.length < source.length) writeFileSync(join(folder, `${name}.gz`), small);
      }
    },
  };
}
