import "virtual:ink.css";
import "./design/base.css";
import { mount } from "svelte";
import App from "./App.svelte";
import { watchRenewal } from "./lib/reload";
import { listen } from "./lib/router.svelte";
import { keepSettings } from "./lib/settings.svelte";
import { firstLang, setLanguage } from "./lib/words/words.svelte";

keepSettings();
listen();
watchRenewal();
await setLanguage(firstLang()).catch(() => {}); // words that cannot be had now: in English
mount(App, { target: document.getElementById("app") as HTMLElement });

if ("serviceWorker" in navigator && import.meta.env.PROD)
  navigator.serviceWorker.register("/sw.js").catch(() => {}); // plays on without
