/** What a liquidation sells or buys, and how far it goes for it. Source: domain 3.5. */
import { FLAG } from "../command.ts";
import type { Market } from "../listing/market.ts";
import { divCeil, divFloor } from "../money/rounding.ts";
import type { State } from "../state.ts";
import { against } from "../trading/against.ts";
import { least, owedIn } from "./lending.ts";
import type { MarginLiquidation } from "./margin-state.ts";
import { ONE_E8 } from "./risk.ts";

/** How far from the index a liquidation trades. */
const BAND_PERCENT = 5n;

export interface WantedTrade {
  readonly sells: boolean;
  /** 0: nothing that the book offers now. */
  readonly lots: bigint;
  /** Ticks. */
  readonly limit: bigint;
}

/**
 * The trade that brings what the account owes, fees included, or undefined where it has not one lot to give for it. A debt of
 * one currency that its own balance could not pay is bought with the other.
 */
export function wantedTrade(
  state: State,
  market: Market,
  row: number,
  { baseFee, quoteFee }: MarginLiquidation,
): WantedTrade | undefined {
  const { ledger, margin, users } = state;
  const { accounts } = margin;
  const own = users.takerFeeRateE8(accounts.userId(row));
  const keepsE8 = ONE_E8 - BigInt(own < 0 ? market.takerFeeRateE8 : own);
  const owesQuote = owedIn(state, row, true);
  const owesBase = owedIn(state, row, false);
  if (owesQuote > 0n) {
    const has = ledger.available(accounts.baseCell(row)) / market.unitsPerLot;
    if (has === 0n) return undefined;
    const limit = lowestSale(market, ledger.available(accounts.baseCell(row)), owesQuote, keepsE8);
    return { sells: true, limit, lots: least(has, lotsForQuote(state, market, limit, owesQuote + quoteFee, keepsE8)) };
  }
  const has = ledger.available(accounts.quoteCell(row));
  const limit = highestPurchase(market, has, owesBase, keepsE8);
  const most = has / (limit * market.unitsPerLotTick);
  if (owesBase === 0n || most === 0n) return undefined;
  // A fee is rounded up in each deal, which a unit for each of them covers.
  const wanted = divCeil((owesBase + baseFee) * ONE_E8, market.unitsPerLot * keepsE8) + 1n;
  return { sells: false, limit, lots: least(most, wanted) };
}

/**
 * The lowest price, ticks, at which base is sold for a debt: a twentieth below the index, but while the account is
 * solvent not so low that the fund would have to pay. Otherwise whoever stands alone in a thin book would be paid by the fund.
 */
function lowestSale(
  { index, unitsPerLot, unitsPerLotTick }: Market,
  base: bigint,
  owed: bigint,
  keepsE8: bigint,
): bigint {
  const bound = divCeil(index.price * (100n - BAND_PERCENT), 100n);
  const breaksEven = divCeil(owed * unitsPerLot * ONE_E8, base * unitsPerLotTick * keepsE8);
  return breaksEven > bound && breaksEven <= index.price ? breaksEven : bound;
}

/** As `lowestSale`, the highest price at which base is bought. */
function highestPurchase(
  { index, unitsPerLot, unitsPerLotTick }: Market,
  quote: bigint,
  owed: bigint,
  keepsE8: bigint,
): bigint {
  const bound = (index.price * (100n + BAND_PERCENT)) / 100n;
  if (owed === 0n) return bound;
  const breaksEven = divFloor(quote * unitsPerLot * keepsE8, owed * unitsPerLotTick * ONE_E8);
  return breaksEven < bound && breaksEven >= index.price ? breaksEven : bound;
}

/** Lots that bring so much quote at the prices that the book offers down to the limit: all of them where they do not suffice. */
function lotsForQuote(state: State, market: Market, limit: bigint, units: bigint, keepsE8: bigint): bigint {
  let left = units;
  let lots = 0n;
  for (const level of against(state, market, FLAG.sell)) {
    if (level.price < limit) break;
    const perLot = level.price * market.unitsPerLotTick;
    // A fee is rounded up in each deal.
    const wanted = divCeil((left + 1n) * ONE_E8, perLot * keepsE8);
    const taken = least(wanted, level.lots);
    lots += taken;
    left -= (taken * perLot * keepsE8) / ONE_E8 - 1n;
    if (left <= 0n) break;
  }
  return lots;
}
