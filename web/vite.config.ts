import { svelte } from "@sveltejs/vite-plugin-svelte";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { build } from "./build.ts";
import { CHUNKS } from "./chunks.ts";
import { ink } from "./ink.ts";
import { maps } from "./maps.ts";
import { packed } from "./packed.ts";
import { po } from "./po.ts";

const path = (to: string) => fileURLToPath(new URL(to, import.meta.url));
const SERVER = "http://127.0.0.1:8000"; // `powderkeg serve`, while developing

export default defineConfig({
  plugins: [po(), ink(), maps(), svelte(), build(), packed()],
  resolve: {
    alias: { $locale: path("../src/powderkeg/locale"), $games: path("../src/powderkeg/games") },
    ...(process.env["VITEST"] ? { conditions: ["browser"] } : {}), // else Svelte's server part
  },
  build: {
    outDir: path("../src/powderkeg/web"),
    emptyOutDir: true,
    target: "es2022",
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0, // the Content-Security-Policy allows no data: fonts or scripts
    rollupOptions: {
      checks: { bundlerTimings: false }, // a busy machine is no fault of the sources
      input: { index: path("index.html"), sw: path("src/sw.ts") },
      output: {
        // A service worker keeps its name: browsers ask for it by name to find updates.
        entryFileNames: (chunk) => (chunk.name === "sw" ? "sw.js" : "assets/[name]-[hash].js"),
        codeSplitting: { groups: CHUNKS },
      },
    },
  },
  server: {
    fs: { allow: [path("..")] },
    proxy: { "/api": { target: SERVER, ws: true } },
  },
  test: {
    environment: "happy-dom",
    include: ["test/**/*.test.ts"],
    testTimeout: 60_000, // only says that something hangs; a machine may be busy
  },
});
