/** What can be listed in a simulated venue. */
import { formatDecimal } from "../../src/engine/money/decimal.ts";
import type { Settings } from "./settings.ts";

export const ASSETS = ["BTC", "USDT", "AAA", "DSC"] as const;
export const MARKETS = [
  ["BTC", "USDT"],
  ["AAA", "USDT"],
  ["AAA", "BTC"],
  ["DSC", "USDT"],
] as const;

/** The listing of the market at a place of MARKETS, as the venue begins with it. */
export function listing(settings: Settings, at: number) {
  const [baseCcy, quoteCcy] = MARKETS[at] as (typeof MARKETS)[number];
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
