import type { Census } from "../part.ts";
import type { State } from "../state.ts";
import { TIMEOUT_MAX_MS } from "./set.ts";
import { cancelTimers } from "./timers.ts";

/** What must hold of timers between two commands: each is a user's, within its bounds, and up when its time comes. */
export function checkCancelAfter(state: State, { expect }: Census): void {
  const { running, firing, held, heap } = cancelTimers.of(state);
  for (const { userId, scope, timeoutMs, atMs } of running.values()) {
    const is = () => `The timer of user ${userId} that cancels ${scope}`;
    expect(state.users.has(userId), () => `${is()} is nobody's.`);
    expect(atMs - timeoutMs <= state.timeMs && timeoutMs <= TIMEOUT_MAX_MS, () => `${is()} runs out too late.`);
    expect((heap.nextAtMs ?? Number.POSITIVE_INFINITY) <= atMs, () => `${is()} is not waited for.`);
  }
  for (const { userId, beforeOrderId } of firing) {
    expect(beforeOrderId <= state.nextOrderId, () => `User ${userId} loses orders that are yet to be placed.`);
  }
  for (const marketId of held.keys()) {
    expect(state.markets[marketId]?.delisted === false, () => `Orders are held in market ${marketId}, which has left.`);
    expect(state.waiting.has(marketId), () => `Nobody looks whether the auction of market ${marketId} has ended.`);
  }
}
