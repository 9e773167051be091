/** Something that is read from the venue, and read again when what is asked for changes, or when told to. */
import { type Accessor, createEffect, createMemo, createSignal, on } from "solid-js";
import { get, type Query, Refusal, sentenceOf } from "../api/client.ts";
import type { ReadState } from "./read-state.tsx";

export interface Reading<T> extends ReadState {
  readonly data: Accessor<T | undefined>;
  readonly isReading: Accessor<boolean>;
  /** The code with which the venue refused the latest attempt; 0 where it did not, or could not be reached. */
  readonly refusal: Accessor<number>;
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
  const [failure, setFailure] = createSignal<unknown>();
  const [isReading, setIsReading] = createSignal(false);
  let turn = 0;
  const read = async () => {
    const now = source();
    const own = ++turn;
    if (now === undefined) return;
    setIsReading(true);
    try {
      const fresh = await watch(get<T>(now.path, now.query));
      if (own !== turn) return;
      setFailure(undefined);
      setData(() => fresh);
    } catch (error) {
      if (own === turn) setFailure(error);
    }
    if (own === turn) setIsReading(false);
  };
  createEffect(
    on(
      createMemo(() => JSON.stringify(source())),
      () => {
        setData(undefined);
        setFailure(undefined);
        void read();
      },
    ),
  );
  const fault = () => (failure() === undefined ? "" : sentenceOf(failure()));
  const refusal = () => {
    const error = failure();
    return error instanceof Refusal ? error.code : 0;
  };
  return { data, fault, isReading, refusal, isRead: () => data() !== undefined, again: () => void read() };
}
