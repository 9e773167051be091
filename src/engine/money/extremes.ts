/** The smaller of two amounts, prices or values. */
export function smaller(left: bigint, right: bigint): bigint {
  return left < right ? left : right;
}

/** The larger of the two. */
export function larger(left: bigint, right: bigint): bigint {
  return left > right ? left : right;
}

/** A value as far as it is above 0. */
export function positive(value: bigint): bigint {
  return value > 0n ? value : 0n;
}
