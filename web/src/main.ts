import "virtual:ink.css";
import "./design/base.css";
import "./design/meter.css";
import { mount } from "svelte";
import App from "./App.svelte";
import { reloadOnNewBuild } from "./lib/reload";
import { listen, router } from "./lib/router.svelte";
import { keepSettings } from "./lib/settings.svelte";
import { initialLang, setLanguage } from "./lib/words/words.svelte";

keepSettings();
listen();
reloadOnNewBuild();
// The screen that is opened most often comes while the words are on their way.
if (router.route.name === "table") import("./screens/Table.svelte").catch(() => {});
await setLanguage(initialLang()).catch(() => setLanguage("en").catch(() => {}));
mount(App, { target: document.getElementById("app") as HTMLElement });

if ("serviceWorker" in navigator && import.meta.env.PROD)
  navigator.serviceWorker.register("/sw.js").catch(() => {}); // plays on without
