import { USER_FLAG } from "../accounts/user.ts";
import type { Census } from "../part.ts";
import type { State } from "../state.ts";
import { protections, quotesOf } from "../trading/protections.ts";
import { FILLS_MAX, PROTECTIONS_PER_USER_MAX, WINDOW_MAX_MS, WINDOW_MIN_MS } from "./protect.ts";

/**
 * Checks the invariants of market-maker protection between two commands: bounded, of users who are marked by it, and
 * with no quote of whom it holds back. Source: domain 10, number 46.
 */
export function checkProtections(state: State, { expect }: Census): void {
  const own = protections.of(state);
  const counts = new Map<number, number>();
  const held = new Set<number>();
  expect(!state.hasTripped && own.tripped.length === 0, () => "Quotes that were to be pulled are still there.");
  for (const { userId, marketId, terms, reached, rows } of own.all()) {
    const is = () => `The protection of the quotes of user ${userId} in market ${marketId}`;
    counts.set(userId, (counts.get(userId) ?? 0) + 1);
    expect(state.users.has(userId), () => `${is()} is nobody's.`);
    expect(state.markets[marketId]?.delisted === false, () => `${is()} is of a market that has left.`);
    expect(terms.windowMs >= WINDOW_MIN_MS && terms.windowMs <= WINDOW_MAX_MS, () => `${is()} has a wrong window.`);
    expect(terms.fills <= FILLS_MAX && rows.length <= terms.fills, () => `${is()} remembers too much.`);
    expect(
      rows.every(({ atMs, lots }, at) => lots !== 0n && atMs >= (rows[at - 1]?.atMs ?? 0) && atMs <= state.timeMs),
      () => `${is()} remembers fills out of their order.`,
    );
    if (reached === undefined) continue;
    held.add(userId);
    expect(quotesOf(state, userId, marketId).length === 0, () => `${is()} has reached a limit, and quotes rest.`);
  }
  for (let userId = 1; userId < state.users.count; userId++) {
    const flags = state.users.flags(userId);
    const count = counts.get(userId) ?? 0;
    const isMarked = ((flags & USER_FLAG.quotesProtected) !== 0) === count > 0;
    const isHeldBack = ((flags & USER_FLAG.quotesHeld) !== 0) === held.has(userId);
    expect(isMarked && isHeldBack, () => `User ${userId} is marked wrongly as one whose quotes are protected.`);
    expect(count <= PROTECTIONS_PER_USER_MAX, () => `User ${userId} protects his quotes in too many markets.`);
  }
}
