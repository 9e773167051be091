/** The sales and purchases of a liquidation, and how far it goes in price for them. Source: domain 3.5. */
import { FLAG } from "../command.ts";
import type { Market } from "../listing/market.ts";
import { smaller } from "../money/extremes.ts";
import { divCeil, divFloor } from "../money/rounding.ts";
import { holds } from "../rules-version.ts";
import type { State } from "../state.ts";
import { against } from "../trading/against.ts";
import { owedIn } from "./lending.ts";
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
 * The trade that brings what the account owes, fees included, or undefined where it has not one lot to give for it. A
 * debt of one currency that its own balance could not pay is bought with the other.
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
  const isByIndex = holds(state, "soldAtIndex");
  if (owesQuote > 0n) {
    const base = ledger.available(accounts.baseCell(row));
    const has = base / market.unitsPerLot;
    if (has === 0n) return undefined;
    const limit = lowestSale(market, base, owesQuote + (isByIndex ? quoteFee : 0n), keepsE8, isByIndex);
    return {
      sells: true,
      limit,
      lots: smaller(has, lotsForQuote(state, market, limit, owesQuote + quoteFee, keepsE8)),
    };
  }
  const has = ledger.available(accounts.quoteCell(row));
  const limit = highestPurchase(market, has, owesBase + (isByIndex ? baseFee : 0n), keepsE8, isByIndex);
  const most = has / (limit * market.unitsPerLotTick);
  if (owesBase === 0n || most === 0n) return undefined;
  if (isByIndex && !isMet(state, market, false, limit)) return { sells: false, limit, lots: 0n };
  // A fee is rounded up in each deal, which a unit for each of them covers.
  const wanted = divCeil((owesBase + baseFee) * ONE_E8, market.unitsPerLot * keepsE8) + 1n;
  return { sells: false, limit, lots: smaller(most, wanted) };
}

/**
 * The lowest price, ticks, at which base is sold for what is owed with the fee of the liquidation: a twentieth below
 * the index, but not below the price at which all of the base just pays it, and the index itself where the account is
 * insolvent there. So nobody but the account pays for the discount. Worked at an index of 30000 without deal fees: 1
 * BTC for 27000 USDT sells at 28500, for 29000 at 29000, for 31000 at 30000. `isByIndex` false: as before rules version
 * 5, where an insolvent account was sold at the bound, and the fund paid for it.
 */
export function lowestSale(
  { index, unitsPerLot, unitsPerLotTick }: SaleOptions,
  base: bigint,
  owed: bigint,
  keepsE8: bigint,
  isByIndex = true,
): bigint {
  const bound = divCeil(index.price * (100n - BAND_PERCENT), 100n);
  const breaksEven = divCeil(owed * unitsPerLot * ONE_E8, base * unitsPerLotTick * keepsE8);
  if (breaksEven > index.price) return isByIndex ? index.price : bound;
  return breaksEven > bound ? breaksEven : bound;
}

/**
 * As `lowestSale`, the highest price at which base is bought. Worked: with 33000 USDT for 1 BTC 31500, with 31000
 * 31000, with 29000 30000.
 */
export function highestPurchase(
  { index, unitsPerLot, unitsPerLotTick }: SaleOptions,
  quote: bigint,
  owed: bigint,
  keepsE8: bigint,
  isByIndex = true,
): bigint {
  const bound = (index.price * (100n + BAND_PERCENT)) / 100n;
  if (owed === 0n) return bound;
  const breaksEven = divFloor(quote * unitsPerLot * keepsE8, owed * unitsPerLotTick * ONE_E8);
  if (breaksEven < index.price) return isByIndex ? index.price : bound;
  return smaller(breaksEven, bound);
}

type SaleOptions = Pick<Market, "index" | "unitsPerLot" | "unitsPerLotTick">;

/** Whether the book or the pool has anything at the limit or better for a sale or a purchase. */
export function isMet(state: State, market: Market, sells: boolean, limit: bigint): boolean {
  for (const { price } of against(state, market, sells ? FLAG.sell : 0)) return sells ? price >= limit : price <= limit;
  return false;
}

/**
 * Lots that bring so much quote at the prices that the book offers down to the limit: all of them where they do not
 * suffice.
 */
function lotsForQuote(state: State, market: Market, limit: bigint, units: bigint, keepsE8: bigint): bigint {
  let left = units;
  let lots = 0n;
  for (const level of against(state, market, FLAG.sell)) {
    if (level.price < limit) break;
    const perLot = level.price * market.unitsPerLotTick;
    // A fee is rounded up in each deal.
    const wanted = divCeil((left + 1n) * ONE_E8, perLot * keepsE8);
    const taken = smaller(wanted, level.lots);
    lots += taken;
    left -= (taken * perLot * keepsE8) / ONE_E8 - 1n;
    if (left <= 0n) break;
  }
  return lots;
}
