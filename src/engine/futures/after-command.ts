/**
 * What follows a command or a price from what it did to futures accounts. Source: domain 4.6.
 *
 * The place of the liquidation pass: `noted` lists the accounts whose money, orders or positions have changed.
 */
import { emitHappening } from "../happening.ts";
import { formatDecimal } from "../money/decimal.ts";
import type { State } from "../state.ts";
import { cover } from "./change-position.ts";
import { cashOf, hasCross } from "./standing.ts";

/** Looks after the accounts that the command has touched. Cheap when there are none. */
export function settleFutures(state: State): void {
  const { accounts, noted, overdrawn } = state.futures;
  if (noted.length === 0 && overdrawn.size === 0) return;
  for (const account of noted) {
    accounts.setNoted(account, false);
    if (cashOf(state, account) < 0n) overdrawn.add(account);
  }
  noted.length = 0;
  if (overdrawn.size > 0) liftOverdrawn(state);
}

/**
 * An account without a cross position whose cash is below 0, from a bankrupt close or the dust of many fees, is lifted to 0
 * by the insurance fund, as far as that reaches; the oldest first.
 */
function liftOverdrawn(state: State): void {
  const { overdrawn } = state.futures;
  for (const account of [...overdrawn].sort((left, right) => left - right)) {
    const cash = cashOf(state, account);
    if (cash < 0n && !hasCross(state, account)) lift(state, account, -cash);
    if (cashOf(state, account) >= 0n) overdrawn.delete(account);
  }
}

function lift(state: State, account: number, missing: bigint): void {
  const { accounts } = state.futures;
  state.events.reserve(64);
  const amount = cover(state, account, missing, 0);
  if (amount === 0n) return;
  const asset = state.assets[accounts.assetId(account)] as { ccy: string; scale: number };
  emitHappening(state, {
    type: "account_lifted",
    userId: accounts.userId(account),
    ccy: asset.ccy,
    amount: formatDecimal(amount, asset.scale),
  });
}
