import type { Backend } from "../../backend.ts";
import type { MarketPrinter } from "../../reading/market-printer.ts";

/**
 * Returns the members of a depth beside its rows and its time, as JSON without braces: the latest price, of futures
 * also mark and index price.
 */
export function besideDepth({ state, feeds }: Pick<Backend, "state" | "feeds">, printer: MarketPrinter): string {
  const { id, futures, index } = printer.market;
  const last = `"last":"${printer.priceOrNothing(feeds.lastPrice(id))}"`;
  if (futures === undefined) return last;
  const [mark, indexPrice] = [state.futures.live.mark(id), index.price].map((price) => printer.priceOrNothing(price));
  return `${last},"sign_price":"${mark}","index_price":"${indexPrice}"`;
}
