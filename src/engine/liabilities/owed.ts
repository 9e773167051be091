/**
 * Everything that the venue owes its users, account by account. Source: domain 6.9.
 *
 * Balances count whole, the part in orders and in withdrawals under way included. What a user owes the venue (loans,
 * credit, debts) is never subtracted: borrowed money counts as long as it lies in an account. Futures count with their
 * equity at the mark, a cross account and each isolated position for itself, and never below 0. So nothing that one
 * user owes can lower what others are owed.
 */
import { VENUE_USER } from "../accounts/user.ts";
import { hooks } from "../hooks.ts";
import { CELLS } from "../ledger/cell.ts";
import type { Ledger } from "../ledger/ledger.ts";
import type { State } from "../state.ts";

/**
 * Units of an asset that the venue owes a user; several times for one of both where he has several accounts. Never
 * below 0.
 */
export type Owe = (userId: number, assetId: number, units: bigint) => void;

/**
 * The balances of users that are owed as they are: cells of an asset that may not be below 0. Needs the ledger alone.
 */
export function balancesOwed(ledger: Ledger, owe: Owe): void {
  const kinds = new Set(
    CELLS.those(({ owner, sign, place }) => owner === "user" && sign === "positive" && place !== "market").map((name) =>
      CELLS.codeOf(name),
    ),
  );
  for (let cell = 0; cell < ledger.count; cell++) {
    if (!kinds.has(ledger.marks(cell) & 255) || ledger.userId(cell) === VENUE_USER) continue;
    const units = ledger.available(cell) + ledger.frozen(cell);
    if (units > 0n) owe(ledger.userId(cell), ledger.assetId(cell), units);
  }
}

/** Debts of the venue that are no such balance: equity of futures, shares of pools. */
export function worthOwed(state: State, owe: Owe): void {
  for (const part of hooks()) part.owed?.(state, owe);
}
