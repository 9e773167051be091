/**
 * Conditions that a stop order may have beside a trigger: a trail, which moves its trigger with the price, the group of
 * orders that it belongs to, and how much the order that it becomes displays. Source: domain 2.20 and 2.21.
 */
import { divCeil, divFloor } from "../money/rounding.ts";
import type { Fields } from "../record.ts";

/** The figures of a condition, with what each counts; of a stop order without one there are none. */
export const CONDITION_FIELDS = {
  /** The distance from the extreme; 0 of a trail by a rate, and of one without a trail. */
  trail: "ticks",
  trailRateE8: "rateE8",
  /** The price that the trail begins at; 0: it begins at once. */
  activation: "ticks",
  /** The best price since the trail began; 0 before. */
  extreme: "ticks",
  /** 0: it stands alone. */
  groupId: "id",
  /** The slice that its order shows at a time, an iceberg; 0: all of it. */
  display: "lots",
} as const satisfies Fields;

/** The figures of a condition that stay for life. Ticks and rates are below 2^53. */
export interface Condition {
  readonly trail: number;
  readonly trailRateE8: number;
  readonly activation: number;
  readonly groupId: number;
  readonly display: bigint;
}

export const NO_CONDITION: Condition = { trail: 0, trailRateE8: 0, activation: 0, groupId: 0, display: 0n };

/**
 * Rates that a trail may have: below a hundredth of a percent the spread alone would trigger it, and beyond one half
 * it protects nothing.
 */
export const TRAIL_RATE_MIN_E8 = 10_000;
export const TRAIL_RATE_MAX_E8 = 50_000_000;

const ONE_E8 = 100_000_000n;

export function isTrail({ trail, trailRateE8 }: Condition): boolean {
  return trail > 0 || trailRateE8 > 0;
}

/**
 * The trigger of a trail, ticks: of a sell below the highest price, of a buy above the lowest. By a rate it is rounded
 * away from the extreme, so that the distance is never smaller than asked for: 10001 · (1 - 0.01) = 9900.99 gives 9900
 * to a sell, 10001 · 1.01 = 10101.01 gives 10102 to a buy.
 */
export function trailTrigger({ trail, trailRateE8 }: Condition, extreme: number, sells: boolean): number {
  if (trailRateE8 === 0) return sells ? extreme - trail : extreme + trail;
  const rate = BigInt(trailRateE8);
  return Number(
    sells ? divFloor(BigInt(extreme) * (ONE_E8 - rate), ONE_E8) : divCeil(BigInt(extreme) * (ONE_E8 + rate), ONE_E8),
  );
}
