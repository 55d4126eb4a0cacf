import "virtual:ink.css";
import "./design/base.css";
import { mount } from "svelte";
import App from "./App.svelte";
import { reloadOnNewBuild } from "./lib/reload";
import { listen } from "./lib/router.svelte";
import { keepSettings } from "./lib/settings.svelte";
import { initialLang, setLanguage } from "./lib/words/words.svelte";

keepSettings();
listen();
reloadOnNewBuild();
await setLanguage(initialLang()).catch(() => {}); // words that cannot be had now: in English
mount(App, { target: document.getElementById("app") as HTMLElement });

if ("serviceWorker" in navigator && import.meta.env.PROD)
  navigator.serviceWorker.register("/sw.js").catch(() => {}); // plays on without
