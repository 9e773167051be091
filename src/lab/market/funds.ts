/**
 * The funds of a user for orders in a market, and the holding in it: spot funds, or the margin and the position of a
 * futures account.
 */
import type { Side } from "../../engine/command.ts";
import { accountSumsOf } from "../../engine/futures/positions/account-sums.ts";
import { type FuturesSpec, tradeValue } from "../../engine/futures/positions/contract.ts";
import { crossMargin } from "../../engine/futures/positions/figures.ts";
import { defaultLeverage, heldLots, rowOf } from "../../engine/futures/positions/futures-seat.ts";
import type { Market } from "../../engine/listing/market.ts";
import { divCeil } from "../../engine/money/rounding.ts";
import type { State } from "../../engine/state.ts";
import { NONE } from "../../engine/trading/order.ts";

/** The funds that can go into orders of one side, and the part that an order takes of them; in units of one asset. */
export interface Funds {
  readonly available: bigint;
  /** Without fees: those who move the market pay none. */
  costOf(price: bigint, lots: bigint): bigint;
}

/** A user's means for orders of a side. In a futures market both sides draw on the same margin. */
export function fundsFor(state: State, userId: number, market: Market, side: Side): Funds {
  if (market.futures !== undefined) return marginFor(state, userId, market, market.futures);
  if (side === "sell") {
    const available = availableOf(state, userId, market.baseAssetId);
    return { available, costOf: (_price, lots) => lots * market.unitsPerLot };
  }
  const available = availableOf(state, userId, market.quoteAssetId);
  return { available, costOf: (price, lots) => worthOfLots(market, price, lots) };
}

function marginFor(state: State, userId: number, market: Market, terms: FuturesSpec): Funds {
  const account = state.futures.accounts.find(userId, terms.settleAssetId);
  const row = rowOf(state, userId, market.id);
  const leverage = BigInt(row === NONE ? defaultLeverage(terms) : state.futures.seats.leverage(row));
  return {
    available: account === NONE ? 0n : crossMargin(accountSumsOf(state, account)),
    costOf: (price, lots) => divCeil(tradeValue(terms, price, lots), leverage),
  };
}

/** Returns the worth of lots at a price, in units of the quote asset, or of the one that the contract settles in. */
export function worthOfLots(market: Market, price: bigint, lots: bigint): bigint {
  return market.futures === undefined ? price * lots * market.unitsPerLotTick : tradeValue(market.futures, price, lots);
}

/**
 * Lots that a user holds: of the base currency with what orders have frozen, or as a position, below 0 of a short one.
 */
export function holdingOf(state: State, userId: number, market: Market): bigint {
  if (market.futures === undefined) return heldOf(state, userId, market.baseAssetId) / market.unitsPerLot;
  const row = rowOf(state, userId, market.id);
  return heldLots(state, row, false) - heldLots(state, row, true);
}

/** Units of an asset that a user has available in the spot account. */
export function availableOf(state: State, userId: number, assetId: number): bigint {
  const cell = state.ledger.findSpotCell(userId, assetId);
  return cell < 0 ? 0n : state.ledger.available(cell);
}

/** As `availableOf`, with what resting orders have frozen. */
export function heldOf(state: State, userId: number, assetId: number): bigint {
  const cell = state.ledger.findSpotCell(userId, assetId);
  return cell < 0 ? 0n : state.ledger.available(cell) + state.ledger.frozen(cell);
}
