/** Lists that come in pages: the first is read at once and again when asked to, the next ones when somebody wants them. */
import { type Accessor, createEffect, createSignal, on } from "solid-js";
import { getPage, type Query, sentenceOf } from "../api/client.ts";

const LIMIT = 50;

export interface Pages<Row> {
  readonly rows: Accessor<readonly Row[]>;
  readonly hasNext: Accessor<boolean>;
  readonly isReading: Accessor<boolean>;
  readonly fault: Accessor<string>;
  readonly more: () => void;
  readonly again: () => void;
}

export interface PageSource {
  readonly path: string;
  readonly query: Query;
}

/** `source` gives what to read now; undefined reads nothing. */
export function createPages<Row>(source: Accessor<PageSource | undefined>): Pages<Row> {
  const [rows, setRows] = createSignal<readonly Row[]>([]);
  const [hasNext, setHasNext] = createSignal(false);
  const [isReading, setIsReading] = createSignal(false);
  const [fault, setFault] = createSignal("");
  let page = 1;
  let turn = 0;

  const read = async (from: number) => {
    const now = source();
    const own = ++turn;
    if (now === undefined) {
      setRows([]);
      setHasNext(false);
      return;
    }
    setIsReading(true);
    setFault("");
    try {
      const fresh = await getPage<Row>(now.path, { ...now.query, page: from, limit: LIMIT });
      if (own !== turn) return;
      page = from;
      setRows((before) => (from === 1 ? fresh.rows : [...before, ...fresh.rows]));
      setHasNext(fresh.hasNext);
    } catch (error) {
      if (own === turn) setFault(sentenceOf(error));
    }
    setIsReading(false);
  };
  createEffect(
    on(
      () => JSON.stringify(source()),
      () => {
        setRows([]);
        void read(1);
      },
    ),
  );
  return { rows, hasNext, isReading, fault, more: () => void read(page + 1), again: () => void read(1) };
}
