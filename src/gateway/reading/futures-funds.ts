/** The funds of users in their futures accounts. */
import { accountSumsOf, atMark, marginOf, positionsOf } from "../../engine/futures/positions/account-sums.ts";
import type { AccountSums } from "../../engine/futures/positions/figures.ts";
import type { Asset } from "../../engine/listing/asset.ts";
import type { State } from "../../engine/state.ts";
import { NONE } from "../../engine/trading/order.ts";

/** The funds of a user in the futures account in one currency, in units of it. */
export interface FuturesFunds {
  readonly asset: Asset;
  readonly sums: AccountSums;
  /** Isolated margins. */
  readonly margin: bigint;
  /** Profit on paper of all positions, cross and isolated. */
  readonly unrealized: bigint;
}

/** Undefined where the user has no futures account in the currency. */
export function futuresFunds(state: State, userId: number, asset: Asset): FuturesFunds | undefined {
  const { accounts, positions } = state.futures;
  const account = accounts.find(userId, asset.id);
  if (account === NONE) return undefined;
  const sums = accountSumsOf(state, account);
  let margin = 0n;
  let { unrealized } = sums;
  for (const slot of positionsOf(state, account)) {
    if (!positions.isIsolated(slot)) continue;
    margin += marginOf(state, slot);
    unrealized += atMark(state, slot).unrealized;
  }
  return { asset, sums, margin, unrealized };
}
