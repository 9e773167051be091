/** How much a user may withdraw of a currency in a day (UTC). Source: domain 7. */
import { type Answer, accepted, refused } from "../answer.ts";
import type { Asset } from "../listing/asset.ts";
import { formatDecimal, parseDecimal } from "../money/decimal.ts";
import { emitRareEvent } from "../rare-event.ts";
import type { State } from "../state.ts";
import type { SetWithdrawLimit } from "./command-schemas.ts";
import { payments } from "./payments.ts";

const DAY_MS = 86_400_000;

export function setWithdrawLimit(state: State, { userId, ccy, amount }: SetWithdrawLimit): Answer {
  const asset = state.assetByCcy.get(ccy);
  if (asset === undefined) return refused("asset_not_found", `The asset ${ccy} is not listed.`);
  if (userId !== undefined && !state.users.has(userId)) {
    return refused("user_not_found", "There is no user with that id.");
  }
  const units = amount === null ? undefined : parseDecimal(amount, asset.scale);
  if (amount !== null && units === undefined) {
    return refused("invalid_command", `amount must be a decimal with at most ${asset.scale} decimals, or null.`);
  }
  const { limits, limitsOf } = payments.of(state);
  const all = userId === undefined ? limits : (limitsOf.get(userId) ?? new Map<string, bigint>());
  if (units === undefined) all.delete(ccy);
  else all.set(ccy, units);
  if (userId !== undefined) {
    if (all.size === 0) limitsOf.delete(userId);
    else limitsOf.set(userId, all);
  }
  const text = units === undefined ? null : formatDecimal(units, asset.scale);
  emitRareEvent(state, { type: "withdraw_limit_set", userId: userId ?? null, ccy, amount: text });
  return accepted({});
}

/**
 * Units that a user may still withdraw today; undefined: as much as it has. A limit of its own comes before that of
 * all.
 */
export function leftToday(state: State, userId: number, { ccy }: Asset): bigint | undefined {
  const { limits, limitsOf } = payments.of(state);
  const limit = limitsOf.get(userId)?.get(ccy) ?? limits.get(ccy);
  if (limit === undefined) return undefined;
  const left = limit - spentToday(state, userId, ccy);
  return left > 0n ? left : 0n;
}

/**
 * Adds to what a user has withdrawn on the day of `atMs`, or takes from it what came to nothing; of other days nothing
 * is known.
 */
export function countWithdrawn(state: State, userId: number, ccy: string, units: bigint, atMs: number): void {
  const own = payments.of(state);
  const today = dayOf(state.timeMs);
  if (dayOf(atMs) !== today) return;
  if (own.spentDay !== today) own.spent.clear();
  own.spentDay = today;
  const spent = own.spent.get(userId) ?? new Map<string, bigint>();
  spent.set(ccy, (spent.get(ccy) ?? 0n) + units);
  own.spent.set(userId, spent);
}

function spentToday(state: State, userId: number, ccy: string): bigint {
  const { spentDay, spent } = payments.of(state);
  return spentDay === dayOf(state.timeMs) ? (spent.get(userId)?.get(ccy) ?? 0n) : 0n;
}

function dayOf(ms: number): number {
  return Math.floor(ms / DAY_MS);
}
