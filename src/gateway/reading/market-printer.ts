/**
 * How the numbers of one market go out: prices in ticks with the market's price decimals, amounts in lots with its
 * amount decimals, values and fees with the scale of their asset. Whole grids, trailing zeros included, nothing
 * rounded.
 */
import type { FuturesSpec } from "../../engine/futures/positions/contract.ts";
import type { Asset } from "../../engine/listing/asset.ts";
import type { Market } from "../../engine/listing/market.ts";
import { formatDecimal, trimmedDecimal } from "../../engine/money/decimal.ts";
import { RATE_SCALE } from "../../engine/money/rate.ts";
import type { State } from "../../engine/state.ts";

/** A number of so many units of 10^-scale as it is shown. */
type DecimalText = (units: bigint, scale: number) => string;

/** Stands where the contract says "0": for what has no price or no fill yet, on no particular grid. */
export const NOTHING = "0";

export class MarketPrinter {
  readonly market: Market;
  readonly base: Asset;
  readonly quote: Asset;
  /**
   * The currency of values, fees of a futures market and profits: the quote currency of a spot market, else the
   * settlement currency.
   */
  readonly settle: Asset;
  readonly #state: State;
  // Most numbers of an order that has just been placed are nothing.
  readonly #zeroAmount: string;
  readonly #zeroValue: string;
  readonly #zeroBaseFee: string;
  readonly #text: DecimalText;

  constructor(state: State, market: Market, text: DecimalText = formatDecimal) {
    this.#state = state;
    this.#text = text;
    this.market = market;
    this.base = state.assets[market.baseAssetId] as Asset;
    this.quote = state.assets[market.quoteAssetId] as Asset;
    this.settle = market.futures === undefined ? this.quote : (state.assets[market.futures.settleAssetId] as Asset);
    this.#zeroAmount = text(0n, market.amountPrecision);
    this.#zeroValue = text(0n, this.settle.scale);
    this.#zeroBaseFee = text(0n, this.base.scale);
  }

  /** The terms of the market as a futures market; asked of those only. */
  get terms(): FuturesSpec {
    return this.market.futures as FuturesSpec;
  }

  price(ticks: bigint): string {
    return this.#text(ticks, this.market.pricePrecision);
  }

  /** A price that may be missing, which is 0. */
  priceOrNothing(ticks: bigint): string {
    return ticks === 0n ? NOTHING : this.price(ticks);
  }

  amount(lots: bigint): string {
    return lots === 0n ? this.#zeroAmount : this.#text(lots, this.market.amountPrecision);
  }

  /** Returns the text of units of the quote or settlement currency: a value, a budget, a fee, a profit. */
  value(units: bigint): string {
    return units === 0n ? this.#zeroValue : this.#text(units, this.settle.scale);
  }

  baseFee(baseUnits: bigint): string {
    return baseUnits === 0n ? this.#zeroBaseFee : this.#text(baseUnits, this.base.scale);
  }

  asset(assetId: number): Asset {
    return this.#state.assets[assetId] as Asset;
  }

  /** Returns the text of units of any currency. */
  units(units: bigint, assetId: number): string {
    return this.#text(units, this.asset(assetId).scale);
  }

  /** Returns the text of a fee in the deduction currency. Before the first such fee there is no such currency. */
  discountFee(units: bigint): string {
    if (units === 0n) return NOTHING;
    return this.units(units, this.#state.deduction.chargedAssetId);
  }
}

/**
 * The printers of all markets. What they stand on never changes about a market, so each is made once, and again where a
 * venue went back.
 */
export class Printers {
  /** Orders are printed as existing clients know them: see docs/reference/compat.md, F5 and F6. */
  readonly showsOrdersLive: boolean;
  readonly #state: State;
  readonly #byId: MarketPrinter[] = [];
  readonly #ofOrders: MarketPrinter[];

  constructor(state: State, showsOrdersLive = false) {
    this.#state = state;
    this.showsOrdersLive = showsOrdersLive;
    this.#ofOrders = showsOrdersLive ? [] : this.#byId;
  }

  of(marketId: number): MarketPrinter {
    return this.#among(this.#byId, marketId, formatDecimal);
  }

  /** The one that a market's orders are printed with. */
  ofOrders(marketId: number): MarketPrinter {
    return this.#among(this.#ofOrders, marketId, this.showsOrdersLive ? trimmedDecimal : formatDecimal);
  }

  #among(printers: MarketPrinter[], marketId: number, text: DecimalText): MarketPrinter {
    const known = printers[marketId];
    const market = this.#state.markets[marketId] as Market;
    if (known !== undefined && known.market === market) return known;
    const made = new MarketPrinter(this.#state, market, text);
    printers[marketId] = made;
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

/** A rate with all of its eight decimals. */
export function longRateText(rateE8: bigint): string {
  return formatDecimal(rateE8, RATE_SCALE);
}
