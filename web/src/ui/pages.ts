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

/**
 * Several lists, each newest first, as one. It reaches back as far as the list that reaches back least, so that nothing comes to stand
 * between rows that were shown before.
 */
export function mergedPages<Row>(lists: readonly Pages<Row>[], timeOf: (row: Row) => number): Pages<Row> {
  const unfinished = () => lists.filter((list) => list.hasNext());
  const oldestOf = (list: Pages<Row>) => Math.min(...list.rows().map(timeOf));
  return {
    rows: () => {
      const from = Math.max(Number.NEGATIVE_INFINITY, ...unfinished().map(oldestOf));
      const shown = lists.flatMap((list) => list.rows()).filter((row) => timeOf(row) >= from);
      return shown.sort((one, other) => timeOf(other) - timeOf(one));
    },
    hasNext: () => unfinished().length > 0,
    isReading: () => lists.some((list) => list.isReading()),
    fault: () => lists.map((list) => list.fault()).find((text) => text !== "") ?? "",
    more: () => {
      const from = Math.max(...unfinished().map(oldestOf));
      for (const list of unfinished()) if (oldestOf(list) === from) list.more();
    },
    again: () => {
      for (const list of lists) list.again();
    },
  };
}
