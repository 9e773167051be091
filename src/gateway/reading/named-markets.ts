/**
 * The markets that a request names. One that is not listed, or no longer, fails a request that is about the present.
 */
import type { Market } from "../../engine/listing/market.ts";
import type { State } from "../../engine/state.ts";
import { marketNotFound, Refused } from "../refused.ts";
import type { Refusing } from "./answering.ts";
import type { MarketPrinter, Printers } from "./market-printer.ts";
import { isOf, marketNamed, type Product } from "./product.ts";

type Find = (state: State, product: Product, name: string) => Market | undefined;

/** Serves a call in the market that it names, or refuses it. */
function within(find: Find) {
  return <Result>(
    state: State,
    product: Product,
    call: Refusing,
    name: string,
    serve: (market: Market) => Result,
  ): Result | undefined => {
    const market = find(state, product, name);
    if (market !== undefined) return serve(market);
    call.refuse(marketNotFound(name));
    return undefined;
  };
}

/** As the calls in one market, for calls that may leave the market open and then mean every one. */
function orAll(inOne: ReturnType<typeof within>) {
  return <Result>(
    state: State,
    product: Product,
    call: Refusing,
    name: string | undefined,
    serve: (market: Market | undefined) => Result,
  ): Result | undefined => (name === undefined ? serve(undefined) : inOne(state, product, call, name, serve));
}

export const inMarket = within(marketNamed);
export const inMarketOrAll = orAll(inMarket);

/** For what callers ask about their own past: a market that has been delisted can still be named. */
export const inPastMarket = within(
  (state, product, name) =>
    marketNamed(state, product, name) ?? state.markets.findLast((each) => each.name === name && isOf(product, each)),
);
export const inPastMarketOrAll = orAll(inPastMarket);

/** The markets of a list, in its order; without a list every one that is listed, in the order of listing. */
export function marketsNamed(
  state: State,
  product: Product,
  names: readonly string[] | undefined,
): readonly Market[] | Refused {
  if (names === undefined) return state.markets.filter((market) => !market.delisted && isOf(product, market));
  const markets: Market[] = [];
  for (const name of names) {
    const market = marketNamed(state, product, name);
    if (market === undefined) return marketNotFound(name);
    markets.push(market);
  }
  return markets;
}

/** One row per market that a list names, in its order; without a list per market of the product that is listed. */
export function rowsOf<Row>(
  state: State,
  printers: Printers,
  product: Product,
  names: readonly string[] | undefined,
  print: (printer: MarketPrinter) => Row | undefined,
): Row[] | Refused {
  const markets = marketsNamed(state, product, names);
  if (markets instanceof Refused) return markets;
  return markets.map(({ id }) => print(printers.of(id))).filter((row) => row !== undefined);
}
