/** Commands of a user about the protection of his quotes. Source: domain 2.18. */
import { type Answer, accepted, refused } from "../answer.ts";
import type { Market } from "../listing/market.ts";
import { parseDecimal } from "../money/decimal.ts";
import type { State } from "../state.ts";
import { flagProtected, Protection, protections } from "../trading/protections.ts";
import type { ResetProtection, SetProtection } from "./command-schemas.ts";

/** The window may be this long, ms: an instant says nothing, and after a minute a market is another one. */
export const WINDOW_MIN_MS = 100;
export const WINDOW_MAX_MS = 60_000;
/** Fills that a window may count, so that it remembers no more. */
export const FILLS_MAX = 1_000;
/** Protections of an account: as many as its quotes reach markets in one command. */
export const PROTECTIONS_PER_USER_MAX = 100;

/** Sets a protection, which begins with an empty window; what it holds back stays so until it is reset. */
export function setProtection(state: State, command: SetProtection): Answer {
  const { userId, marketId, windowMs, fills, amount, delta } = command;
  const market = marketOf(state, userId, marketId);
  if (!("id" in market)) return market;
  const own = protections.of(state);
  const before = own.of(userId, marketId);
  if (windowMs === 0) {
    own.end(userId, marketId);
    flagProtected(state, own, userId);
    return accepted({});
  }
  if (windowMs < WINDOW_MIN_MS || windowMs > WINDOW_MAX_MS) {
    return refused("invalid_command", `window_ms must be 0, or from ${WINDOW_MIN_MS} to ${WINDOW_MAX_MS}.`);
  }
  if (fills === undefined && amount === undefined && delta === undefined) {
    return refused("invalid_command", "Give at least one of max_fills, max_amount and max_delta.");
  }
  if (fills !== undefined && (fills < 1 || fills > FILLS_MAX)) {
    return refused("invalid_command", `max_fills must be from 1 to ${FILLS_MAX}.`);
  }
  if (delta !== undefined && !market.settlement.keepsPositions) {
    return refused("invalid_command", "max_delta is of futures markets: leave it out.");
  }
  const lots = [amount, delta].map((text) => (text === undefined ? undefined : lotsOf(market, text)));
  if (lots.includes(0n)) {
    return refused(
      "invalid_command",
      `max_amount and max_delta must be above 0, with at most ${market.amountPrecision} decimals.`,
    );
  }
  if (before === undefined && own.ofUser(userId).length >= PROTECTIONS_PER_USER_MAX) {
    return refused("invalid_command", `An account protects its quotes in at most ${PROTECTIONS_PER_USER_MAX} markets.`);
  }
  const terms = { windowMs, fills: fills ?? FILLS_MAX, amount: lots[0], delta: lots[1] };
  const protection = new Protection(userId, marketId, terms);
  protection.reached = before?.reached;
  own.set(protection);
  flagProtected(state, own, userId);
  return accepted({});
}

export function resetProtection(state: State, { userId, marketId }: ResetProtection): Answer {
  const market = marketOf(state, userId, marketId);
  if (!("id" in market)) return market;
  const own = protections.of(state);
  const protection = own.of(userId, marketId);
  if (protection === undefined) {
    return refused("invalid_command", "The account has no market-maker protection in this market: set one first.");
  }
  protection.reset();
  flagProtected(state, own, userId);
  return accepted({});
}

/** Ends what a market that leaves has. */
export function endProtectionsIn(state: State, marketId: number): void {
  const own = protections.of(state);
  for (const userId of [...(own.in(marketId)?.keys() ?? [])]) {
    own.end(userId, marketId);
    flagProtected(state, own, userId);
  }
}

function marketOf(state: State, userId: number, marketId: number): Market | Answer {
  if (!state.users.has(userId)) return refused("user_not_found", `There is no user ${userId}.`);
  const market = state.markets[marketId];
  if (market === undefined || market.delisted) return refused("market_not_found", "There is no such market.");
  return market;
}

/** Lots of an amount; 0 where it is none. */
function lotsOf({ amountPrecision, maxAmount }: Market, text: string): bigint {
  const lots = parseDecimal(text, amountPrecision);
  // No window comes to more fills than FILLS_MAX, of the largest order each.
  return lots === undefined || lots < 0n || lots > maxAmount * BigInt(FILLS_MAX) ? 0n : lots;
}
