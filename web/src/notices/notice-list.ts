/**
 * Notices about what has happened by itself, newest first: shown for a moment, and kept in a list. Sound and the
 * browser's own notices on request.
 */
import { createEffect, createRoot, createSignal } from "solid-js";
import { userId } from "../account/session.ts";
import { kept } from "../ui/settings.ts";
import { say, type Tone } from "../ui/toasts.tsx";

export interface Notice {
  /** ms */
  readonly at: number;
  readonly text: string;
  readonly tone: Tone;
}

/** Notices that somebody can scroll through; older ones are in the histories. */
const NOTICES_MAX = 100;

export const SWITCHES = ["off", "on"] as const;
export const [sound, setSound] = kept("sound", SWITCHES);
export const [browserNotices, setBrowserNotices] = kept("browser-notices", SWITCHES);

const [notices, setNotices] = createSignal<readonly Notice[]>([]);
const [unseen, setUnseen] = createSignal(0);

export { notices, unseen };

export const markSeen = () => setUnseen(0);

const keyOf = (who: number) => `bourse.notices.${who}`;

createRoot(() => {
  createEffect(() => {
    const who = userId();
    setUnseen(0);
    setNotices(who === undefined ? [] : read(who));
  });
});

function read(who: number): readonly Notice[] {
  try {
    return (JSON.parse(localStorage.getItem(keyOf(who)) ?? "[]") as Notice[]).slice(0, NOTICES_MAX);
  } catch {
    return [];
  }
}

/** Tells of something. */
export function tell(text: string, tone: Tone = "plain"): void {
  say(text, tone);
  const next = [{ at: Date.now(), text, tone }, ...notices()].slice(0, NOTICES_MAX);
  setNotices(next);
  setUnseen((before) => before + 1);
  const who = userId();
  if (who !== undefined) localStorage.setItem(keyOf(who), JSON.stringify(next));
  if (sound() === "on") beep(tone === "bad" ? LOW_HZ : HIGH_HZ);
  if (browserNotices() === "on" && document.hidden && Notification.permission === "granted")
    new Notification("bourse", { body: text });
}

export function clearNotices(): void {
  const who = userId();
  if (who !== undefined) localStorage.removeItem(keyOf(who));
  setNotices([]);
  setUnseen(0);
}

/** Turns the browser's notices on, where its user allows them. */
export async function allowBrowserNotices(): Promise<void> {
  const isAllowed = "Notification" in window && (await Notification.requestPermission()) === "granted";
  setBrowserNotices(isAllowed ? "on" : "off");
  if (!isAllowed) say("The browser does not allow notices for this page.", "bad");
}

const [HIGH_HZ, LOW_HZ] = [880, 330];
const BEEP_S = 0.15;
let audio: AudioContext | undefined;

function beep(hertz: number): void {
  audio ??= new AudioContext();
  const [tone, volume] = [audio.createOscillator(), audio.createGain()];
  tone.frequency.value = hertz;
  volume.gain.setValueAtTime(0.08, audio.currentTime);
  volume.gain.exponentialRampToValueAtTime(0.001, audio.currentTime + BEEP_S);
  tone.connect(volume).connect(audio.destination);
  tone.start();
  tone.stop(audio.currentTime + BEEP_S);
}
