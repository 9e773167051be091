/** The console's reads: again after every act, and on a beat while somebody is there. */
import { type Accessor, createEffect, createSignal, on, onCleanup } from "solid-js";
import { createReading as createPlainReading, type Reading, type Source } from "../ui/reading.ts";
import { isPresent } from "./presence.ts";
import { watched } from "./session.ts";

export type { Reading, Source };

/** Whatever an act has changed: every reading on the page is read again. */
const [changes, setChanges] = createSignal(0);
export function readAllAgain(): void {
  setChanges((before) => before + 1);
}

/** `source` gives what to read now; undefined reads nothing. */
export function createReading<T>(source: Accessor<Source | undefined>, beatMs?: number): Reading<T> {
  const reading = createPlainReading<T>(source, watched);
  createEffect(on(changes, reading.again, { defer: true }));
  if (beatMs !== undefined) {
    const beat = setInterval(() => isPresent() && reading.again(), beatMs);
    onCleanup(() => clearInterval(beat));
  }
  return reading;
}
