/** The live book of the market that is traded in, merged to the interval that was chosen. */
import { createEffect, createRoot, createSignal, onCleanup } from "solid-js";
import type { BookOptions, Book as ClientBook } from "../../../client/book.ts";
import type { Level } from "../../../client/sockets.generated.ts";
import { sockets } from "../api/venue.ts";
import { market } from "../market/markets.ts";
import { compare, type Decimal, times } from "../number/decimal.ts";

/** Best first, both. */
export interface Book {
  readonly bids: readonly Level[];
  readonly asks: readonly Level[];
  /** Prices whose amount differs from the book before. */
  readonly changed: ReadonlySet<Decimal>;
}

/** Levels per side; the most that the venue pushes. */
const LEVELS = 50;

/** Merge intervals that are offered: the tick, and powers of ten beyond it. */
const WIDTHS = ["1", "10", "100", "1000", "10000"];
const INTERVAL_MAX = "1000";

const [book, setBook] = createSignal<Book>();
const [width, setWidth] = createSignal("1");

export { book, setWidth, width };

/** Returns the intervals that the book can be merged to, as prices, by width. */
export function intervalsOf(tick: Decimal): readonly { readonly width: string; readonly interval: Decimal }[] {
  return WIDTHS.map((each) => ({ width: each, interval: times(tick, each) })).filter(
    ({ interval }) => compare(interval, INTERVAL_MAX) <= 0,
  );
}

createRoot(() => {
  createEffect(() => {
    const now = market();
    const chosen = width();
    setBook(undefined);
    if (now === undefined) return;
    // Those that are offered are among those that the venue takes.
    const interval = (chosen === "1" ? "0" : times(now.tick, chosen)) as BookOptions["interval"];
    // Until it is whole again, a book that was lost stays as it was last known.
    const onChange = ({ isSound, bids, asks, changed }: ClientBook) => {
      if (isSound) setBook({ bids, asks, changed: new Set(changed) });
    };
    onCleanup(sockets[now.product].followBook(now.market, { limit: LEVELS, interval, onChange }));
  });
});

export const bestBid = () => book()?.bids[0]?.[0];
export const bestAsk = () => book()?.asks[0]?.[0];
