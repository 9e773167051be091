/**
 * Estimates of what an order would come to: worked out from the local book and the account, and shown as estimates.
 * Nothing of them is sent.
 */

import type { Level } from "../../../client/sockets.generated.ts";
import {
  compare,
  type Decimal,
  isPositive,
  isZero,
  lesser,
  minus,
  onGrid,
  over,
  plus,
  times,
} from "../number/decimal.ts";

export interface Fill {
  /** Average price. */
  readonly average: Decimal;
  /** The price that it would reach. */
  readonly reaches: Decimal;
  readonly amount: Decimal;
  readonly value: Decimal;
  /** Whether the levels that are known suffice. */
  readonly isWhole: boolean;
}

/**
 * Returns the fill of an amount on the levels of the other side, best first; `bound` is the worst price that it takes.
 * Undefined where it meets nothing.
 */
export function fillOf(levels: readonly Level[], amount: Decimal, bound?: Decimal, isBuy = true): Fill | undefined {
  let left = amount;
  let value: Decimal = "0";
  let reaches: Decimal | undefined;
  for (const [price, standing] of levels) {
    if (!isPositive(left)) break;
    if (bound !== undefined && (isBuy ? compare(price, bound) > 0 : compare(price, bound) < 0)) break;
    const taken = lesser(left, standing);
    value = plus(value, times(taken, price));
    left = minus(left, taken);
    reaches = price;
  }
  const filled = minus(amount, left);
  if (reaches === undefined || isZero(filled)) return undefined;
  return { average: over(value, filled, 12), reaches, amount: filled, value, isWhole: isZero(left) };
}

/** Returns the fill of a budget in the quote currency on the levels of the other side. */
export function fillOfValue(levels: readonly Level[], budget: Decimal): Fill | undefined {
  let left = budget;
  let amount: Decimal = "0";
  let reaches: Decimal | undefined;
  for (const [price, standing] of levels) {
    if (!isPositive(left)) break;
    const affordable = over(left, price, 12);
    const taken = lesser(affordable, standing);
    amount = plus(amount, taken);
    reaches = price;
    if (compare(affordable, standing) <= 0) {
      left = "0";
      break;
    }
    left = minus(left, times(taken, price));
  }
  if (reaches === undefined || isZero(amount)) return undefined;
  const value = minus(budget, left);
  return { average: over(value, amount, 12), reaches, amount, value, isWhole: isZero(left) };
}

/** The part of the levels' amount that `amount` is; 0 where there is none. */
export function shareOf(levels: readonly Level[], amount: Decimal): Decimal {
  return over(
    amount,
    levels.reduce<Decimal>((sum, [, each]) => plus(sum, each), "0"),
    4,
  );
}

export interface LiquidationSpec {
  readonly isLong: boolean;
  readonly isInverse: boolean;
  /** Of the whole position. */
  readonly amount: Decimal;
  /** The cost of the whole position: its value at entry, or at the last settlement. */
  readonly cost: Decimal;
  /** The money behind the position, in the currency that it is settled in. */
  readonly backing: Decimal;
  /** Maintenance margin rate of its level. */
  readonly rate: Decimal;
  readonly tick: Decimal;
}

/**
 * The mark at which a position would be liquidated: where its value is `(O - s·X) / (1 - s·rate)`, with `O` its cost,
 * `X` what stands behind it, and `s` 1 for whom a higher value is a gain, else -1 (domain 4.7). Undefined where no
 * price is bad enough.
 */
export function liquidationPrice(terms: LiquidationSpec): Decimal | undefined {
  const { isLong, isInverse, amount, cost, backing, rate, tick } = terms;
  // The value of an inverse position falls as the price rises.
  const gainsFromValue = isLong !== isInverse;
  const [above, below] = gainsFromValue
    ? [minus(cost, backing), minus("1", rate)]
    : [plus(cost, backing), plus("1", rate)];
  if (!isPositive(above)) return undefined;
  const value = over(above, below, 18);
  const price = isInverse ? over(amount, value, 12) : over(value, amount, 12);
  const found = onGrid(price, tick, isLong ? "down" : "up");
  return isPositive(found) ? found : undefined;
}

/** Decimals of the currencies that inverse markets are settled in. */
const INVERSE_DECIMALS = 8;

/**
 * The gain or loss of a position at a price, before fees: its value there against its cost, which is its value at entry
 * or, once it has been settled, at the last settlement (domain 4.7). Of an inverse position the value is rounded
 * against its holder, as the venue does.
 */
export function gainAt(
  { isInverse }: { readonly isInverse: boolean },
  isLong: boolean,
  amount: Decimal,
  cost: Decimal,
  price: Decimal,
): Decimal {
  const value = isInverse ? over(amount, price, INVERSE_DECIMALS, isLong ? "up" : "down") : times(amount, price);
  return isLong === isInverse ? minus(cost, value) : minus(value, cost);
}

/**
 * The average price at which a value was filled: of an inverse market the amount is contracts of quote, and the value
 * is in base.
 */
export function averageOf({ isInverse }: { readonly isInverse: boolean }, amount: Decimal, value: Decimal): Decimal {
  return isInverse ? over(amount, value, 18) : over(value, amount, 18);
}
