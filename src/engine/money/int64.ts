/** The largest quantity the ledger can hold. */
export const INT64_MAX = (1n << 63n) - 1n;

/** Whole numbers beyond this are not exact as `number`; ids, times, prices and amounts of one order stay below. */
export const EXACT_NUMBER_MAX = (1n << 53n) - 1n;

/**
 * `value` as a signed 64-bit integer. The engine's bounds (listing checks L1-L7) make sure that nothing is ever cut
 * off: this tells the machine so, which then works in registers instead of allocating.
 */
export function int64(value: bigint): bigint {
  return BigInt.asIntN(64, value);
}
