import type { Census } from "../part.ts";
import type { State } from "../state.ts";
import { type Connections, connectionsOf, type Whose } from "./connections.ts";
import { TIMEOUT_MAX_MS } from "./set.ts";
import { cancelTimers } from "./timers.ts";
import { CONNECTIONS_PER_USER_MAX, MARKETS_PER_CONNECTION_MAX } from "./watch.ts";

/**
 * Checks the invariants of timers between two commands: each is a user's, within its bounds, and up when its time
 * comes.
 */
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

/** The same of connections whose end cancels orders. */
export function checkConnections(state: State, { expect }: Census): void {
  const own = connectionsOf.of(state);
  const counts = new Map<number, number>();
  const count = ({ userId, marketIds }: Whose) => {
    counts.set(userId, (counts.get(userId) ?? 0) + 1);
    expect(state.users.has(userId), () => `A connection of user ${userId} is nobody's.`);
    const areFew = marketIds.length <= MARKETS_PER_CONNECTION_MAX;
    expect(areFew, () => `A connection of user ${userId} is about too many markets.`);
  };
  for (const { connections } of own.nodes.values()) for (const watched of connections.values()) count(watched);
  for (const absence of own.absences.values()) {
    count(absence);
    const isWaitedFor = (own.heap.nextAtMs ?? Number.POSITIVE_INFINITY) <= absence.atMs;
    expect(isWaitedFor, () => `The connection of user ${absence.userId} that ended is not waited for.`);
  }
  checkCounts(own, counts, expect);
}

function checkCounts(own: Connections, counts: ReadonlyMap<number, number>, expect: Census["expect"]): void {
  for (const [userId, found] of counts) {
    expect(own.countOf(userId) === found, () => `The connections of user ${userId} are counted wrongly.`);
    expect(found <= CONNECTIONS_PER_USER_MAX, () => `User ${userId} has too many connections.`);
  }
}
