import { down, e8, per, type Ratio, ratio, times, up } from "./rational.ts";

/** A futures market as its rules name it. Amounts in lots, prices in ticks, money in units of the settlement asset. */
export interface PlainMarket {
  readonly id: number;
  readonly name: string;
  readonly isInverse: boolean;
  readonly settles: number;
  /** Decimals of the settlement asset, of amounts and of prices. */
  readonly scale: number;
  readonly amountPrecision: number;
  readonly pricePrecision: number;
  readonly tickSize: bigint;
  readonly maxPrice: bigint;
  readonly levels: readonly { readonly amount: bigint; readonly rateE8: number; readonly initialE8: number }[];
  readonly takerRateE8: number;
  /** How far the mark may lie from the index. */
  readonly bandE8: number;
}

export interface PlainPosition {
  readonly id: number;
  readonly userId: number;
  readonly marketId: number;
  readonly isShort: boolean;
  readonly isIsolated: boolean;
  leverage: number;
  amount: bigint;
  /** Entry cost, settle cost, margin and realized profit. */
  entry: bigint;
  settle: bigint;
  margin: bigint;
  realized: bigint;
}

/** What an amount is worth at a price: price times amount, or of contracts of a dollar their dollars over the price. */
export function worth(market: PlainMarket, price: bigint, lots: bigint): Ratio {
  const amount = ratio(lots, 10n ** BigInt(market.amountPrecision));
  const each = ratio(price, 10n ** BigInt(market.pricePrecision));
  const whole = market.isInverse ? per(amount, each) : times(amount, each);
  return times(whole, ratio(10n ** BigInt(market.scale)));
}

/** The price at which an amount is worth so much. */
export function priceOf(market: PlainMarket, lots: bigint, value: Ratio): Ratio {
  const amount = ratio(lots, 10n ** BigInt(market.amountPrecision));
  const whole = times(value, ratio(1n, 10n ** BigInt(market.scale)));
  const price = market.isInverse ? per(amount, whole) : per(whole, amount);
  return times(price, ratio(10n ** BigInt(market.pricePrecision)));
}

/** The value of a trade. */
export function traded(market: PlainMarket, price: bigint, lots: bigint): bigint {
  return down(worth(market, price, lots));
}

export function sigma(market: PlainMarket, isShort: boolean): bigint {
  return isShort !== market.isInverse ? -1n : 1n;
}

/** A position at a mark: value, profit on paper, maintenance, and what it takes up of a cross account. */
export function valued(market: PlainMarket, position: PlainPosition, mark: bigint) {
  const sign = sigma(market, position.isShort);
  const exact = worth(market, mark, position.amount);
  const value = sign > 0n ? down(exact) : up(exact);
  const rateE8 = maintenanceRate(market, position.amount);
  return {
    value,
    profit: sign * (value - position.settle),
    rateE8,
    maintenance: up(times(ratio(value), e8(rateE8))),
    initial: up(ratio(value, BigInt(position.leverage))),
  };
}

export function maintenanceRate({ levels }: PlainMarket, amount: bigint): number {
  for (const level of levels) if (amount <= level.amount) return level.rateE8;
  return levels.at(-1)?.rateE8 ?? 0;
}

export function feeOf(value: bigint, rateE8: bigint | number): bigint {
  return up(times(ratio(value), e8(rateE8)));
}
