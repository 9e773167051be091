/** Exact fractions, always over something above 0, and the three ways in which they become whole. */
export interface Ratio {
  readonly over: bigint;
  readonly under: bigint;
}

export function ratio(over: bigint, under = 1n): Ratio {
  return under < 0n ? { over: -over, under: -under } : { over, under };
}

export function times(left: Ratio, right: Ratio): Ratio {
  return ratio(left.over * right.over, left.under * right.under);
}

export function plus(left: Ratio, right: Ratio): Ratio {
  return ratio(left.over * right.under + right.over * left.under, left.under * right.under);
}

/** `right` is not 0. */
export function per(left: Ratio, right: Ratio): Ratio {
  return ratio(left.over * right.under, left.under * right.over);
}

export function down({ over, under }: Ratio): bigint {
  const whole = over / under;
  return over < 0n && over % under !== 0n ? whole - 1n : whole;
}

export function up({ over, under }: Ratio): bigint {
  return -down({ over: -over, under });
}

/** To the nearest, halves away from 0. */
export function near({ over, under }: Ratio): bigint {
  return over < 0n ? -near({ over: -over, under }) : down({ over: 2n * over + under, under: 2n * under });
}

/** A rate of 10^-8. */
export function e8(rate: bigint | number): Ratio {
  return { over: BigInt(rate), under: 100_000_000n };
}

export function least(first: bigint, ...others: bigint[]): bigint {
  return others.reduce((least, other) => (other < least ? other : least), first);
}

export function most(first: bigint, ...others: bigint[]): bigint {
  return others.reduce((most, other) => (other > most ? other : most), first);
}
