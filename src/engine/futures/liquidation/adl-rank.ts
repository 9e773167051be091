/** Levels of auto-deleveraging: 1 = last in the queue, 5 = first. */
export const ADL_LEVELS = 5;
const ONE_E8 = 100_000_000n;

/**
 * The figures that decide a position's place in the queue; `entryCost` and `valueAtMark` in units of the settlement
 * asset.
 */
export interface AdlPosition {
  readonly positionId: number;
  readonly entryCost: bigint;
  readonly valueAtMark: bigint;
  /** Margin at stake: of an isolated position its margin, of a cross one ceil(value at mark / leverage). */
  readonly margin: bigint;
  /** Whether the position gains when the value rises (σ = +1). */
  readonly gainsWithValue: boolean;
}

/**
 * Priority in 10^-8: profit times effective leverage, both floored. Without entry cost, value or margin the quotient
 * has no meaning and the position comes last. Source: domain 4.15.
 */
export function adlPriority({ entryCost, valueAtMark, margin, gainsWithValue }: AdlPosition): bigint {
  const [num, den] = gainsWithValue ? [valueAtMark, entryCost] : [entryCost, valueAtMark];
  if (den <= 0n || margin <= 0n) return 0n;
  const profit = (num * ONE_E8) / den;
  const leverage = (entryCost * ONE_E8) / margin;
  return (profit * leverage) / ONE_E8;
}

/** Sorts first who is closed first: highest priority, then the older position. */
export function byAdlPriority(
  left: { readonly priority: bigint; readonly positionId: number },
  right: { readonly priority: bigint; readonly positionId: number },
): number {
  if (left.priority !== right.priority) return left.priority > right.priority ? -1 : 1;
  return left.positionId - right.positionId;
}

/** The level that is shown for place `rank` (1 = closed first) among `count` positions of a side: bands of 20 %. */
export function adlLevel(rank: number, count: number): number {
  return ADL_LEVELS - Math.floor((ADL_LEVELS * (rank - 1)) / count);
}
