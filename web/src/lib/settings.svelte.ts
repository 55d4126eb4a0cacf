// The reader's settings on this device, stored in localStorage. A private window works without it and
// only forgets them.

export interface Settings {
  lang: string; // "": the browser's
  theme: "auto" | "day" | "lamp";
  size: 90 | 100 | 115 | 130 | 150; // percent of the text size
  motion: "auto" | "calm" | "none";
  pace: "" | "off" | "fast" | "normal" | "slow"; // of what others do; "": as `motion` wants it
  patterns: boolean; // hatchings and letters on colours
  confirm: boolean; // ask before every choice is sent, not only before those that are final
  sound: boolean;
  text: boolean; // the text-first view instead of the board
  name: string; // a guest's name
  level: string; // of the bots in the last quick game,
  seats: Record<string, string>; // and the seat chosen for it, by game
}

const KEY = "powderkeg.settings";
const DEFAULTS: Settings = {
  lang: "",
  theme: "auto",
  size: 100,
  motion: "auto",
  pace: "",
  patterns: true,
  confirm: false,
  sound: false,
  text: false,
  name: "",
  level: "",
  seats: {},
};

function loadStored(): Partial<Settings> {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? "{}") as Partial<Settings>;
  } catch {
    return {};
  }
}

export const settings = $state<Settings>({ ...DEFAULTS, ...loadStored() });

const dark = matchMedia("(prefers-color-scheme: dark)");
const still = matchMedia("(prefers-reduced-motion: reduce)");

/** Stores the settings and applies them to the page whenever they change; call it once. */
export function keepSettings(): () => void {
  return $effect.root(() => {
    $effect(() => {
      try {
        localStorage.setItem(KEY, JSON.stringify(settings));
      } catch {
        // a private window has no storage
      }
      applyToPage();
    });
    dark.addEventListener("change", applyToPage);
    still.addEventListener("change", applyToPage);
  });
}

function applyToPage(): void {
  const root = document.documentElement;
  const lamp = settings.theme === "lamp" || (settings.theme === "auto" && dark.matches);
  root.dataset["theme"] = lamp ? "lamp" : "day";
  root.dataset["motion"] = motionless() ? "none" : "calm";
  root.dataset["patterns"] = settings.patterns ? "on" : "off";
  root.style.setProperty("--text-scale", String(settings.size / 100));
}

export const motionless = (): boolean =>
  settings.motion === "none" || (settings.motion === "auto" && still.matches);
