// A few short synthesised sounds, off by default.
import { settings } from "./settings.svelte";

export type Sound = "turn" | "letter" | "refused" | "over";

interface Note {
  pitch: number; // hertz
  at: number; // seconds after the first
  long: number; // seconds until it has died away
  loud: number;
}

const TUNES: Record<Sound, Note[]> = {
  turn: [
    { pitch: 587, at: 0, long: 0.5, loud: 0.16 },
    { pitch: 880, at: 0.11, long: 0.9, loud: 0.14 },
  ],
  letter: [{ pitch: 1175, at: 0, long: 0.25, loud: 0.08 }],
  refused: [{ pitch: 147, at: 0, long: 0.22, loud: 0.2 }],
  over: [
    { pitch: 392, at: 0, long: 0.9, loud: 0.14 },
    { pitch: 494, at: 0.16, long: 0.9, loud: 0.14 },
    { pitch: 587, at: 0.32, long: 1.4, loud: 0.16 },
  ],
};

let audio: AudioContext | null = null;

/** Plays a sound if the setting is on. A browser that blocks audio stays silent. */
export function playSound(name: Sound): void {
  if (!settings.sound || typeof AudioContext === "undefined") return;
  audio ??= new AudioContext();
  void audio.resume().catch(() => {});
  for (const note of TUNES[name]) playNote(audio, note);
}

/** Plays one note like a plucked string: a sharp attack, a decay, a quieter octave above it. */
function playNote(context: AudioContext, { pitch, at, long, loud }: Note): void {
  const start = context.currentTime + at;
  for (const [times, share] of [
    [1, 1],
    [2.01, 0.3],
  ] as const) {
    const tone = context.createOscillator();
    const swell = context.createGain();
    tone.type = "triangle";
    tone.frequency.value = pitch * times;
    swell.gain.setValueAtTime(0.0001, start);
    swell.gain.exponentialRampToValueAtTime(loud * share, start + 0.012);
    swell.gain.exponentialRampToValueAtTime(0.0001, start + long / times);
    tone.connect(swell).connect(context.destination);
    tone.start(start);
    tone.stop(start + long);
  }
}
