// @ts-nocheck This runs in the browser; the types of the project are Node's.
/* The venue's time as it runs, worked out between two times that the venue tells. */
import { at, say } from "./elements.js";
import { read } from "./venue.js";

const TICK_MS = 250;
/** How far the venue may be from what was worked out, in ms at speed 1, before the page asks how its clock runs. */
const DRIFT_MS = 1_500;
/** It asks no more often than this: a venue at high speed may not keep up with its own clock. */
const ASK_EVERY_MS = 30_000;

export class VenueClock {
  #timeMs = Date.now();
  #since = performance.now();
  #speed = 1;
  #isFrozen = false;
  #kind;
  #isFirst = true;
  #askedAt = Number.NEGATIVE_INFINITY;
  #hears;

  /**
   * `hears` has `jumped()`, when time has gone otherwise than it ran, and `changed()`, when the venue has said how it
   * runs.
   */
  constructor(hears) {
    this.#hears = hears;
    setInterval(() => document.hidden || this.show(), TICK_MS);
  }

  get now() {
    const passedMs = this.#isFrozen ? 0 : (performance.now() - this.#since) * this.#speed;
    return Math.floor(this.#timeMs + passedMs);
  }

  get isVirtual() {
    return this.#kind === "virtual";
  }

  get isFrozen() {
    return this.#isFrozen;
  }

  get speed() {
    return this.#speed;
  }

  /** Asks the venue how its clock runs. */
  async ask() {
    this.#askedAt = performance.now();
    this.set(await read("/web/clock"));
  }

  /** As the venue says it of its clock; what is left out is as it was. */
  set({ time_ms: timeMs, kind = this.#kind, frozen = false, speed = 1 }) {
    this.#kind = kind;
    this.#isFrozen = frozen;
    this.#speed = speed;
    this.#settle(timeMs);
    this.#hears.changed();
  }

  /** The venue has told its time. */
  told(timeMs) {
    const isFar = Math.abs(timeMs - this.now) > DRIFT_MS * Math.max(1, this.#speed);
    if (isFar && performance.now() - this.#askedAt > ASK_EVERY_MS) this.ask().catch(() => {});
    this.#settle(timeMs);
  }

  show() {
    if (this.#kind === undefined) return;
    say(at("clock"), new Date(this.now).toISOString().replace("T", " ").slice(0, 19));
    const pace = this.#isFrozen ? "frozen" : this.#speed === 1 ? "" : `at speed ${this.#speed.toLocaleString("en")}`;
    say(at("pace"), pace);
  }

  #settle(timeMs) {
    const aheadMs = timeMs - this.now;
    const isFirst = this.#isFirst;
    this.#isFirst = false;
    this.#timeMs = timeMs;
    this.#since = performance.now();
    this.show();
    if (!isFirst && Math.abs(aheadMs) > 60_000 * Math.max(1, this.#speed)) this.#hears.jumped();
  }
}
