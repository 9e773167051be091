/** Something that is read from the venue, and read again when what is asked for changes, or when told to. */
import { type Accessor, createEffect, createMemo, createSignal, on } from "solid-js";
import { get, type Query, Refusal, sentenceOf } from "../api/client.ts";
import type { ReadState } from "./read-state.tsx";

export interface Reading<T> extends ReadState {
  readonly data: Accessor<T | undefined>;
  readonly isReading: Accessor<boolean>;
  /** Whether the venue itself said no to the latest attempt, and not the way there. */
  readonly isRefused: Accessor<boolean>;
}

export interface Source {
  readonly path: string;
  readonly query?: Query;
}

/** `source` gives what to read now; undefined reads nothing. `watch` sees each request on its way. */
export function createReading<T>(
  source: Accessor<Source | undefined>,
  watch: (request: Promise<T>) => Promise<T> = (request) => request,
): Reading<T> {
  const [data, setData] = createSignal<T>();
  const [fault, setFault] = createSignal("");
  const [isReading, setIsReading] = createSignal(false);
  const [isRefused, setIsRefused] = createSignal(false);
  let turn = 0;
  const read = async () => {
    const now = source();
    const own = ++turn;
    if (now === undefined) return;
    setIsReading(true);
    try {
      const fresh = await watch(get<T>(now.path, now.query));
      if (own !== turn) return;
      setFault("");
      setIsRefused(false);
      setData(() => fresh);
    } catch (error) {
      if (own === turn) {
        setFault(sentenceOf(error));
        setIsRefused(error instanceof Refusal && error.code !== 0);
      }
    }
    if (own === turn) setIsReading(false);
  };
  createEffect(
    on(
      createMemo(() => JSON.stringify(source())),
      () => {
        setData(undefined);
        setFault("");
        setIsRefused(false);
        void read();
      },
    ),
  );
  return { data, fault, isReading, isRefused, isRead: () => data() !== undefined, again: () => void read() };
}
