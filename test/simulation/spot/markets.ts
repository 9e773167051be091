/** What can be listed in a simulated venue. */
import { formatDecimal } from "../../../src/engine/money/decimal.ts";
import type { Settings } from "./settings.ts";

export const ASSETS = ["BTC", "USDT", "AAA", "DSC"] as const;
export const RATES = ["0", "0.00000001", "0.001", "0.002", "0.3", "0.99999999"];
const MARKETS = [
  ["BTC", "USDT"],
  ["AAA", "USDT"],
  ["AAA", "BTC"],
  ["DSC", "USDT"],
] as const;

/**
 * Base and quote of the market at a place. In every third venue the coin of deducted fees is the quote: a price is one
 * either way round.
 */
export function pairAt({ seed }: Settings, at: number): readonly [string, string] {
  const [base, quote] = MARKETS[at] as (typeof MARKETS)[number];
  return base === "DSC" && seed % 3 === 0 ? [quote, base] : [base, quote];
}

/** The listing of the market at a place, as the venue begins with it. */
export function listing(settings: Settings, at: number) {
  const [baseCcy, quoteCcy] = pairAt(settings, at);
  const { amountPrecision, pricePrecision } = settings;
  return {
    kind: "list_market",
    market: baseCcy + quoteCcy,
    baseCcy,
    quoteCcy,
    amountPrecision,
    pricePrecision,
    minAmount: formatDecimal(settings.minAmount, amountPrecision),
    maxAmount: formatDecimal(settings.maxAmount, amountPrecision),
    maxPrice: formatDecimal(settings.maxPrice, pricePrecision),
    makerFeeRate: "0.001",
    takerFeeRate: "0.002",
  } as const;
}
