/**
 * Lists of one's own that the venue keeps up by pushes: read whole after each login and each gap, then changed row by
 * row. What is pushed while the list is being read is laid over it.
 */
import { type Accessor, createEffect, createRoot, createSignal, on } from "solid-js";
import { createStore, reconcile, unwrap } from "solid-js/store";
import { sentenceOf } from "../api/client.ts";
import type { Product } from "../api/records.ts";
import type { Following } from "../api/socket.ts";
import { sockets } from "../api/venue.ts";
import type { ReadState } from "../ui/read-state.tsx";
import { soon } from "../ui/soon.ts";

export interface OwnList<Row> extends ReadState {
  readonly rows: Accessor<readonly Row[]>;
  /** Reads it whole again. */
  readonly reread: () => void;
}

/** The change of a row by a push: the row as it is now, or the key of a row that is gone. */
export type RowChange<Row> = { readonly put: Row } | { readonly gone: string };

interface OwnListOptions<Row> {
  readonly product: Product;
  readonly channel: string;
  /** The field that says which row it is. */
  readonly key: keyof Row & string;
  readonly read: () => Promise<readonly Row[]>;
  /** Returns the changes of a push; where it says too little, "reread". */
  // biome-ignore lint/suspicious/noExplicitAny: the shape of a push is the channel's
  readonly changesOf: (push: any) => readonly RowChange<Row>[] | "reread";
}

/** Changes that come close together are read once. */
const REREAD_MS = 120;
/** A list that could not be read is read again after this, whether or not somebody presses Retry. */
const RETRY_MS = 5_000;

export function ownList<Row extends object>(terms: OwnListOptions<Row>): OwnList<Row> {
  // Rows stay the objects that they are: what is shown of one changes where its figures do, and nothing else is drawn
  // anew.
  const [kept, setKept] = createStore<{ rows: Row[] }>({ rows: [] });
  const setRows = (next: readonly Row[]) => setKept("rows", reconcile([...next], { key: terms.key }));
  const idOf = (row: Row) => String(row[terms.key]);
  const [isRead, setIsRead] = createSignal(false);
  const [fault, setFault] = createSignal("");
  const socket = sockets[terms.product];
  /** Changes that are pushed while the list is being read; undefined while it is not. */
  let meanwhile: RowChange<Row>[] | undefined;
  let turn = 0;
  /** Something changed that a reading under way may not have seen. */
  let isDue = false;

  const laidOver = (before: readonly Row[], changes: readonly RowChange<Row>[]) => {
    let now = before;
    for (const change of changes) {
      const id = "put" in change ? idOf(change.put) : change.gone;
      const at = now.findIndex((row) => idOf(row) === id);
      if ("gone" in change) now = now.filter((_, index) => index !== at);
      else if (at < 0) now = [change.put, ...now];
      else now = now.with(at, { ...(now[at] as Row), ...change.put });
    }
    return now;
  };
  const read = async () => {
    const own = ++turn;
    meanwhile = [];
    isDue = false;
    try {
      const fresh = await terms.read();
      if (own !== turn) return;
      const changes = meanwhile ?? [];
      meanwhile = undefined;
      if (!socket.isLoggedIn()) return;
      setRows(laidOver(fresh, changes));
      setFault("");
      setIsRead(true);
      if (isDue) reading.plan(REREAD_MS);
    } catch (error) {
      if (own !== turn) return;
      meanwhile = undefined;
      setFault(sentenceOf(error));
      reading.plan(RETRY_MS);
    }
  };
  // One that is under way is let end: on a slow line lists that change all the time would never come.
  const reading = soon(() => {
    if (meanwhile === undefined) void read();
    else isDue = true;
  });
  const reread = () => reading.plan(REREAD_MS);
  const following: Following = {
    channel: terms.channel,
    items: [],
    hear: (push) => {
      const changes = terms.changesOf(push);
      if (changes === "reread") {
        reread();
        return;
      }
      meanwhile?.push(...changes);
      setRows(laidOver(unwrap(kept.rows), changes));
    },
    onFollowed: () => void read(),
  };
  socket.follow(following);
  createRoot(() => {
    createEffect(
      on(socket.isLoggedIn, (is) => {
        // While a connection is away the list stays as it was last known; who signs out takes it along.
        if (!is && socket.state() === "open") {
          turn++;
          meanwhile = undefined;
          reading.cancel();
          setRows([]);
          setFault("");
          setIsRead(false);
        }
      }),
    );
  });
  return { rows: () => kept.rows, isRead, fault, again: () => void read(), reread };
}
