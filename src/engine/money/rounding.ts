/** Named divisions of exact integers of any width. Divisors are positive. */

export function divFloor(dividend: bigint, divisor: bigint): bigint {
  const quotient = dividend / divisor;
  return dividend < 0n && quotient * divisor !== dividend ? quotient - 1n : quotient;
}

export function divCeil(dividend: bigint, divisor: bigint): bigint {
  const quotient = dividend / divisor;
  return dividend > 0n && quotient * divisor !== dividend ? quotient + 1n : quotient;
}

/** Half away from zero: 0.5 -> 1, -0.5 -> -1. For prices and rates that are shown. */
export function divHalfAwayFromZero(dividend: bigint, divisor: bigint): bigint {
  return dividend < 0n
    ? -divFloor(-dividend * 2n + divisor, divisor * 2n)
    : divFloor(dividend * 2n + divisor, divisor * 2n);
}
