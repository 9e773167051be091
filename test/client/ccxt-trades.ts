import type { Trade } from "ccxt";

/**
 * The latest trade of the client itself. ccxt keeps own trades in one list with those of everybody that it has been
 * told of; which of the two messages of one trade comes last, and whether both are in the list by then, depends on how
 * many of them one read of the socket brings.
 */
export function lastOwn(trades: readonly Trade[]): Trade | undefined {
  return trades.findLast(({ takerOrMaker }) => takerOrMaker !== undefined);
}
