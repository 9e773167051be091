/** The live book of the market that is traded in, merged to the interval that was chosen. */
import { createEffect, createRoot, createSignal, onCleanup } from "solid-js";
import type { Following } from "../api/socket.ts";
import { sockets } from "../api/venue.ts";
import { market } from "../market/markets.ts";
import { compare, type Decimal, times } from "../number/decimal.ts";
import { afterPush, type Book, type DepthPush } from "./local-book.ts";

/** Levels per side; the most that the venue pushes. */
const LEVELS = 50;

/** Merge intervals that are offered: the tick, and powers of ten beyond it. */
const WIDTHS = ["1", "10", "100", "1000", "10000"];
const INTERVAL_MAX = "1000";

const [book, setBook] = createSignal<Book>();
const [resyncs, setResyncs] = createSignal(0);
const [width, setWidth] = createSignal("1");

export { book, resyncs, setWidth, width };

/** What the book can be merged to, as prices, by width. */
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
    const interval = chosen === "1" ? "0" : times(now.tick, chosen);
    const socket = sockets[now.product];
    let held: Book | undefined;
    const following: Following = {
      channel: "depth",
      params: { market_list: [[now.market, LEVELS, interval, false]] },
      leave: { market_list: [now.market] },
      hear: (push: DepthPush) => {
        if (push.market !== now.market) return;
        const next = afterPush(held, push);
        // A change without a book is one from before the whole book that was asked for.
        if (next === undefined && held !== undefined) {
          setResyncs((count) => count + 1);
          socket.refollow(following);
        }
        held = next;
        if (next !== undefined) setBook(next);
      },
    };
    onCleanup(socket.follow(following));
  });
});

export const bestBid = () => book()?.bids[0]?.[0];
export const bestAsk = () => book()?.asks[0]?.[0];
