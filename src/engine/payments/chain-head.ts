/** A chain grows: everything on it is so much older. */
import { type Answer, accepted, refused } from "../answer.ts";
import { parseDecimal } from "../money/decimal.ts";
import type { State } from "../state.ts";
import { depthOf, isChain } from "./chain-terms.ts";
import type { ChainHead, NetworkPaid } from "./command-schemas.ts";
import { confirmDeposit } from "./confirm-deposit.ts";
import { collectDebts } from "./deposit-debt.ts";
import { bookNetworkCost } from "./outside.ts";
import { confirmWithdrawal } from "./pay.ts";
import { chainBook, payments } from "./payments.ts";

/** After so long no notice is sent again. */
const REFERENCE_KEPT_MS = 30 * 86_400_000;

/**
 * Moves on what waited for this head. It may be lower than the last one: confirmations then fall, and what is settled
 * stays so.
 */
export function noteHead(state: State, { chain, height }: ChainHead): Answer {
  if (!isChain(state, chain)) return refused("chain_not_found", `No asset moves on a chain ${chain}.`);
  if (height < 0) return refused("invalid_command", "height must not be below 0.");
  const book = chainBook(state, chain);
  book.head = height;
  book.buried = Math.max(book.buried, height - depthOf(state, chain));
  collectDebts(state);
  const { deposits, withdrawals } = payments.of(state);
  for (const id of book.depositHeights.reach(height)) {
    const deposit = deposits.get(id);
    if (deposit !== undefined) confirmDeposit(state, deposit);
  }
  for (const id of book.withdrawalHeights.reach(height)) {
    const withdrawal = withdrawals.get(id);
    if (withdrawal !== undefined) confirmWithdrawal(state, withdrawal);
  }
  return accepted({ chain, height });
}

/** Books what a network took for the venue's own transactions, once for each reference. */
export function payNetwork(state: State, { chain, ccy, amount: text, reference }: NetworkPaid): Answer {
  const asset = state.assetByCcy.get(ccy);
  if (asset === undefined) return refused("asset_not_found", `The asset ${ccy} is not listed.`);
  if (!isChain(state, chain)) return refused("chain_not_found", `No asset moves on a chain ${chain}.`);
  const amount = parseDecimal(text, asset.scale);
  if (amount === undefined || amount <= 0n) {
    return refused("invalid_command", `amount must be a decimal above 0 with at most ${asset.scale} decimals.`);
  }
  if (amount > asset.maxCustody) return refused("invalid_command", `No network takes so much ${ccy}.`);
  const { networkReferences } = payments.of(state);
  const name = `${chain} ${reference}`;
  if (networkReferences.has(name)) return accepted({ repeated: true });
  for (const [old, until] of networkReferences) {
    if (until > state.timeMs) break;
    networkReferences.delete(old);
  }
  networkReferences.set(name, state.timeMs + REFERENCE_KEPT_MS);
  bookNetworkCost(state, chain, asset.id, amount, 0);
  return accepted({});
}
