/**
 * Lists that come in pages: the first is read at once and again when asked to, the next ones when somebody wants them.
 */
import { type Accessor, createEffect, createMemo, createSignal, on } from "solid-js";
import { getPage, type Query, sentenceOf } from "../api/client.ts";
import { allRead, type ReadState } from "./read-state.tsx";

const LIMIT = 50;

export interface Pages<Row> extends ReadState {
  readonly rows: Accessor<readonly Row[]>;
  readonly hasNext: Accessor<boolean>;
  readonly isReading: Accessor<boolean>;
  readonly more: () => void;
  /** The sources that are read now. */
  readonly sources: Accessor<readonly PageSource[]>;
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
  const [isRead, setIsRead] = createSignal(false);
  const [fault, setFault] = createSignal("");
  let page = 1;
  let turn = 0;
  /** Asked for again while it was being read: what was read may be old already. */
  let isDue = false;

  const read = async (from: number) => {
    const now = source();
    const own = ++turn;
    isDue = false;
    if (now === undefined) {
      setRows([]);
      setHasNext(false);
      setIsReading(false);
      setFault("");
      // There is nothing to read, so nothing is awaited.
      setIsRead(true);
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
      setIsRead(true);
    } catch (error) {
      if (own !== turn) return;
      setFault(sentenceOf(error));
    }
    setIsReading(false);
    if (isDue) void read(1);
  };
  createEffect(
    on(
      createMemo(() => JSON.stringify(source())),
      () => {
        setRows([]);
        setIsRead(false);
        void read(1);
      },
    ),
  );
  return {
    rows,
    hasNext,
    isReading,
    isRead,
    fault,
    more: () => void read(page + 1),
    again: () => {
      // One that is under way is let end: on a slow line a list that changes all the time would never come.
      if (isReading()) isDue = true;
      else void read(1);
    },
    sources: () => [source()].flatMap((each) => each ?? []),
  };
}

/**
 * Several lists, each newest first, as one. It reaches back as far as the list that reaches back least, so that nothing
 * comes to stand between rows that were shown before.
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
    more: () => {
      const from = Math.max(...unfinished().map(oldestOf));
      for (const list of unfinished()) if (oldestOf(list) === from) list.more();
    },
    sources: () => lists.flatMap((list) => list.sources()),
    ...allRead(lists),
  };
}
