/**
 * How the numbers of one market go out: prices in ticks with the market's price decimals, amounts in lots with its amount
 * decimals, values and fees with the scale of their asset. Whole grids, trailing zeros included, nothing rounded.
 */
import type { FuturesTerms } from "../../engine/futures/positions/contract.ts";
import type { Asset } from "../../engine/listing/asset.ts";
import type { Market } from "../../engine/listing/market.ts";
import { formatDecimal } from "../../engine/money/decimal.ts";
import { RATE_SCALE } from "../../engine/money/rate.ts";
import type { State } from "../../engine/state.ts";

/** Stands where the contract says "0": for what has no price or no fill yet, on no particular grid. */
export const NOTHING = "0";

export class MarketPrinter {
  readonly market: Market;
  readonly base: Asset;
  readonly quote: Asset;
  /** What values, fees of a futures market and profits are in: the quote currency of a spot market, else the settlement currency. */
  readonly settle: Asset;
  readonly #state: State;
  // Most numbers of an order that has just been placed are nothing.
  readonly #zeroAmount: string;
  readonly #zeroValue: string;
  readonly #zeroBaseFee: string;

  constructor(state: State, market: Market) {
    this.#state = state;
    this.market = market;
    this.base = state.assets[market.baseAssetId] as Asset;
    this.quote = state.assets[market.quoteAssetId] as Asset;
    this.settle = market.futures === undefined ? this.quote : (state.assets[market.futures.settleAssetId] as Asset);
    this.#zeroAmount = formatDecimal(0n, market.amountPrecision);
    this.#zeroValue = formatDecimal(0n, this.settle.scale);
    this.#zeroBaseFee = formatDecimal(0n, this.base.scale);
  }

  /** What the market is as a futures market; asked of those only. */
  get terms(): FuturesTerms {
    return this.market.futures as FuturesTerms;
  }

  price(ticks: bigint): string {
    return formatDecimal(ticks, this.market.pricePrecision);
  }

  /** A price that may be missing, which is 0. */
  priceOrNothing(ticks: bigint): string {
    return ticks === 0n ? NOTHING : this.price(ticks);
  }

  amount(lots: bigint): string {
    return lots === 0n ? this.#zeroAmount : formatDecimal(lots, this.market.amountPrecision);
  }

  /** What is in the quote or settlement currency: a value, a budget, a fee, a profit. */
  value(units: bigint): string {
    return units === 0n ? this.#zeroValue : formatDecimal(units, this.settle.scale);
  }

  baseFee(baseUnits: bigint): string {
    return baseUnits === 0n ? this.#zeroBaseFee : formatDecimal(baseUnits, this.base.scale);
  }

  /** What was paid in the deduction currency, of which there is none before the first such fee. */
  discountFee(units: bigint): string {
    if (units === 0n) return NOTHING;
    const { assets, deduction } = this.#state;
    return formatDecimal(units, (assets[deduction.chargedAssetId] as Asset).scale);
  }
}

/** The printers of all markets. What they stand on never changes about a market, so each is made once, and again where a venue went back. */
export class Printers {
  readonly #state: State;
  readonly #byId: MarketPrinter[] = [];

  constructor(state: State) {
    this.#state = state;
  }

  of(marketId: number): MarketPrinter {
    const known = this.#byId[marketId];
    const market = this.#state.markets[marketId] as Market;
    if (known !== undefined && known.market === market) return known;
    const made = new MarketPrinter(this.#state, market);
    this.#byId[marketId] = made;
    return made;
  }
}

/** Rates printed so far: a venue has a handful of them, whatever an operator sets. */
const rateTexts = new Map<number, string>();
const RATE_TEXTS_MAX = 1_000;

/** A rate without trailing zeros, as rates are written: 200000 is "0.002". */
export function rateText(rateE8: number): string {
  const known = rateTexts.get(rateE8);
  if (known !== undefined) return known;
  const text = rateE8 === 0 ? NOTHING : formatDecimal(BigInt(rateE8), RATE_SCALE).replace(/\.?0+$/, "");
  if (rateTexts.size < RATE_TEXTS_MAX) rateTexts.set(rateE8, text);
  return text;
}
