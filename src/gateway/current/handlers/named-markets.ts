/** The markets that a request names. One that is not listed, or no longer, fails the request. */
import type { Market } from "../../../engine/listing/market.ts";
import type { State } from "../../../engine/state.ts";
import { marketNotFound, type Refused } from "../../refusals.ts";
import type { Call } from "../call.ts";

/** Serves a call in the market that it names, or refuses it. */
export function inMarket<Result>(
  state: State,
  call: Pick<Call, "refuse">,
  name: string,
  serve: (market: Market) => Result,
): Result | undefined {
  const market = state.marketByName.get(name);
  if (market !== undefined) return serve(market);
  call.refuse(marketNotFound(name));
  return undefined;
}

/** As `inMarket`, for calls that may leave the market open and then mean every one. */
export function inMarketOrAll<Result>(
  state: State,
  call: Pick<Call, "refuse">,
  name: string | undefined,
  serve: (market: Market | undefined) => Result,
): Result | undefined {
  return name === undefined ? serve(undefined) : inMarket(state, call, name, serve);
}

/** The markets of a list, in its order; without a list every one that is listed, in the order of listing. */
export function marketsNamed(state: State, names: readonly string[] | undefined): readonly Market[] | Refused {
  if (names === undefined) return state.markets.filter((market) => !market.delisted && market.futures === undefined);
  const markets: Market[] = [];
  for (const name of names) {
    const market = state.marketByName.get(name);
    if (market === undefined) return marketNotFound(name);
    markets.push(market);
  }
  return markets;
}
