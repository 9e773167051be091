/** Something that is read from the venue, and read again when what is asked for changes, when told to, or on a beat. */
import { type Accessor, createEffect, createSignal, on, onCleanup } from "solid-js";
import { get, type Query, sentenceOf } from "../api/client.ts";
import { isPresent } from "./presence.ts";
import { watched } from "./session.ts";

export interface Reading<T> {
  readonly data: Accessor<T | undefined>;
  readonly fault: Accessor<string>;
  readonly isReading: Accessor<boolean>;
  readonly again: () => void;
}

export interface Source {
  readonly path: string;
  readonly query?: Query;
}

/** Whatever an act has changed: every reading on the page is read again. */
const [changes, setChanges] = createSignal(0);
export function readAllAgain(): void {
  setChanges((before) => before + 1);
}

/** `source` gives what to read now; undefined reads nothing. */
export function createReading<T>(source: Accessor<Source | undefined>, beatMs?: number): Reading<T> {
  const [data, setData] = createSignal<T>();
  const [fault, setFault] = createSignal("");
  const [isReading, setIsReading] = createSignal(false);
  let turn = 0;
  const read = async () => {
    const now = source();
    const own = ++turn;
    if (now === undefined) return;
    setIsReading(true);
    try {
      const fresh = await watched(get<T>(now.path, now.query));
      if (own !== turn) return;
      setFault("");
      setData(() => fresh);
    } catch (error) {
      if (own === turn) setFault(sentenceOf(error));
    }
    if (own === turn) setIsReading(false);
  };
  createEffect(
    on(
      () => JSON.stringify(source()),
      () => {
        setData(undefined);
        void read();
      },
    ),
  );
  createEffect(on(changes, () => void read(), { defer: true }));
  if (beatMs !== undefined) {
    const beat = setInterval(() => isPresent() && void read(), beatMs);
    onCleanup(() => clearInterval(beat));
  }
  return { data, fault, isReading, again: () => void read() };
}
