/** Prices at which pools quote: those of so many digits, whatever the pool holds. Source: domain 5.2. */

/** The first price of the grid at or above `price`, in ticks. */
export function gridUp(price: bigint, digits: number): bigint {
  const step = stepAt(price, digits);
  return ((price + step - 1n) / step) * step;
}

/** The last price of the grid at or below `price`, in ticks. */
export function gridDown(price: bigint, digits: number): bigint {
  const step = stepAt(price, digits);
  return (price / step) * step;
}

/** Ticks between neighbours of the grid around a price: 100 around 76 500 with three digits. */
function stepAt(price: bigint, digits: number): bigint {
  const spare = price.toString().length - digits;
  return spare > 0 ? 10n ** BigInt(spare) : 1n;
}
