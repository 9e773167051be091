/** Every method with which ccxt watches, and the kind of record that each gives. */
import { MARKETS } from "./ccxt-walk.ts";

export interface Watch {
  readonly method: string;
  readonly gives: string;
  readonly args: readonly unknown[];
  readonly symbol?: string;
}

function watches(symbol: string, type: "spot" | "swap"): Watch[] {
  const of = (method: string, gives: string, ...args: readonly unknown[]): Watch => ({ method, gives, args, symbol });
  return [
    of("watchTicker", "ticker", symbol),
    of("watchTickers", "ticker{}", [symbol]),
    of("watchTrades", "trade[]", symbol),
    of("watchTradesForSymbols", "trade[]", [symbol]),
    of("watchOrderBook", "book", symbol, 20),
    of("watchOrderBookForSymbols", "book", [symbol], 20),
    // Of one symbol it gives the record alone.
    of("watchBidsAsks", "bidAsk", [symbol]),
    { method: "watchBalance", gives: "balance", args: [{ type }] },
    of("watchOrders", "placedOrder[]", symbol),
    of("watchMyTrades", "ownTrade[]", symbol),
  ];
}

export const WATCHES = {
  spot: watches(MARKETS.spot.symbol, "spot"),
  linear: watches(MARKETS.linear.symbol, "swap"),
  inverse: watches(MARKETS.inverse.symbol, "swap"),
} as const;
