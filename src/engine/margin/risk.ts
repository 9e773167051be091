/**
 * The worth of margin accounts by the index of their market, and the actions that it allows. Values are compared as
 * exact integers: units of the quote asset times the base units of a lot, because a price may be finer than a unit.
 * Source: domain 3.3 and 3.4.
 */
import { WAY } from "../futures/liquidation/thresholds.ts";
import { isIndexFresh } from "../listing/index-freshness.ts";
import type { Market } from "../listing/market.ts";
import { mayTrade } from "../listing/status.ts";
import { divCeil, divFloor } from "../money/rounding.ts";
import type { State } from "../state.ts";
import { isHeldTooLong } from "../trading/interruption.ts";

export const ONE_E8 = 100_000_000n;

/** The holdings and debts of an account, units of each asset. `have` is without the interest that it owes. */
export interface MarginFigures {
  readonly baseHave: bigint;
  readonly quoteHave: bigint;
  readonly basePrincipal: bigint;
  readonly quotePrincipal: bigint;
}

/**
 * Whether anybody may be liquidated in a market now: it trades, or an interruption has held it up for long enough, and
 * its index is fresh.
 */
export function canLiquidate(state: State, market: Market): boolean {
  const goesOn = market.status === "online" || isHeldTooLong(state, market);
  return goesOn && mayTrade(state, market) && isIndexFresh(market);
}

export function figuresOf({ margin, ledger }: State, row: number): MarginFigures {
  const { accounts } = margin;
  const total = (cell: number) => ledger.available(cell) + ledger.frozen(cell);
  return {
    baseHave: total(accounts.baseCell(row)) - accounts.interest(row, false),
    quoteHave: total(accounts.quoteCell(row)) - accounts.interest(row, true),
    basePrincipal: accounts.principal(row, false),
    quotePrincipal: accounts.principal(row, true),
  };
}

/** So many units of each asset, at a price in ticks. */
export function worth(market: Market, price: bigint, base: bigint, quote: bigint): bigint {
  return quote * market.unitsPerLot + base * price * market.unitsPerLotTick;
}

/** Returns the worth of the account's assets that count against its loans, and that of the loans. */
function sides(
  market: Market,
  price: bigint,
  figures: MarginFigures,
): { readonly assets: bigint; readonly debt: bigint } {
  return {
    assets: worth(market, price, figures.baseHave, figures.quoteHave),
    debt: worth(market, price, figures.basePrincipal, figures.quotePrincipal),
  };
}

/**
 * The risk rate at an index, 8 decimals, floor; undefined without a loan. Example E8: 2000 - 1.125 USDT and 0.6 BTC at
 * 30000 against 10000 USDT are 1.9998875.
 */
export function riskRateE8(market: Market, price: bigint, figures: MarginFigures): bigint | undefined {
  const { assets, debt } = sides(market, price, figures);
  return debt === 0n ? undefined : divFloor(assets * ONE_E8, debt);
}

/** Whether the risk rate is at a rate or below it. */
export function isAtRisk(market: Market, price: bigint, figures: MarginFigures, rateE8: bigint): boolean {
  const { assets, debt } = sides(market, price, figures);
  return debt > 0n && assets * ONE_E8 <= rateE8 * debt;
}

/** Whether the risk rate is below a rate. */
export function isBelowRate(market: Market, price: bigint, figures: MarginFigures, rateE8: bigint): boolean {
  const { assets, debt } = sides(market, price, figures);
  return debt > 0n && assets * ONE_E8 < rateE8 * debt;
}

/**
 * The index, in ticks, at which the risk rate comes to a rate, and the way in which that lies: an account that
 * owes quote fears a fall, one that owes base a rise. Rounded so that the rate is reached at it and not one tick
 * before. Undefined where no index does it.
 */
export function priceOfRate(
  market: Market,
  figures: MarginFigures,
  rateE8: bigint,
): { readonly way: number; readonly ticks: bigint } | undefined {
  const { baseHave, quoteHave, basePrincipal, quotePrincipal } = figures;
  const slope = (baseHave * ONE_E8 - rateE8 * basePrincipal) * market.unitsPerLotTick;
  const short = (rateE8 * quotePrincipal - quoteHave * ONE_E8) * market.unitsPerLot;
  if (slope === 0n) return short >= 0n ? { way: WAY.rises, ticks: 0n } : undefined;
  if (slope > 0n) return { way: WAY.falls, ticks: divFloor(short, slope) };
  return { way: WAY.rises, ticks: divCeil(-short, -slope) };
}

/**
 * The index at which the account is liquidated, ticks; undefined where there is none above 0. Example E8: (1.08 * 10000
 * + 1.125 - 2000) / 0.6 = 14668.54.
 */
export function liqPriceOf(market: Market, figures: MarginFigures, liqRateE8: bigint): bigint | undefined {
  if (figures.basePrincipal === 0n && figures.quotePrincipal === 0n) return undefined;
  const found = priceOfRate(market, figures, liqRateE8);
  return found !== undefined && found.ticks > 0n && found.ticks <= market.maxPrice ? found.ticks : undefined;
}

/**
 * How much more of an asset the account may borrow by its worth, units, floor: N * (L - 1) less what is borrowed.
 * Example E8: 9998.875 * 4 - 10000 = 29995.5 USDT.
 */
export function loanLimit(
  market: Market,
  price: bigint,
  figures: MarginFigures,
  leverage: number,
  isQuote: boolean,
): bigint {
  const { assets, debt } = sides(market, price, figures);
  const free = (assets - debt) * BigInt(leverage - 1) - debt;
  if (free <= 0n) return 0n;
  return free / (isQuote ? market.unitsPerLot : price * market.unitsPerLotTick);
}
