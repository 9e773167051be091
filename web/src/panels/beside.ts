/**
 * Records that neither the rows of one's own lists nor pushes tell: read beside a list, again when its rows change, and
 * on a beat while they change by themselves.
 */
import { type Accessor, createEffect, createMemo, createSignal, on } from "solid-js";
import { soon } from "../ui/soon.ts";

/** After a reading that failed, and while the records change by themselves. */
const BEAT_MS = 5_000;

export interface BesideOptions<Records> {
  /** Says which rows the list has, and which state they are in; "" while it has none. */
  readonly rows: Accessor<string>;
  /** The records of no rows. */
  readonly none: Records;
  readonly read: () => Promise<Records>;
  /** Changes of the list that come closer together are read once. */
  readonly readMs: number;
  /** Whether these records change by themselves. */
  readonly doMove?: (records: Records) => boolean;
}

export function readBeside<Records extends object>(options: BesideOptions<Records>): Accessor<Records> {
  const [records, setRecords] = createSignal(options.none);
  /** A reading that ends after a later one has begun says nothing new. */
  let turn = 0;
  const read = async () => {
    const own = ++turn;
    try {
      const fresh = await options.read();
      if (own !== turn) return;
      setRecords(() => fresh);
      if (options.doMove?.(fresh)) reading.plan(BEAT_MS);
    } catch {
      if (own === turn) reading.plan(BEAT_MS);
    }
  };
  const reading = soon(() => {
    if (document.hidden) reading.plan(BEAT_MS);
    else void read();
  });
  createEffect(
    on(createMemo(options.rows), (rows) => {
      if (rows !== "") {
        reading.plan(options.readMs);
        return;
      }
      turn++;
      reading.cancel();
      setRecords(() => options.none);
    }),
  );
  return records;
}
