import type { Census } from "../part.ts";
import type { State } from "../state.ts";
import { chainBooks } from "./chain-book.ts";
import { PAYMENTS_MAX, SIGNED_MAX } from "./payments.ts";

/**
 * Checks the invariants of chains between two commands: no two payments share a sender and a nonce, and each nonce
 * counts as given.
 */
export function checkChains(state: State, { expect }: Census): void {
  for (const [chain, { height, nonces, payments, unswept }] of chainBooks.of(state)) {
    expect(height >= 0, () => `${chain} was read up to ${height}.`);
    expect(payments.size <= PAYMENTS_MAX, () => `${payments.size} payments are out on ${chain}.`);
    const seen = new Set<string>();
    for (const { id, fromAddress, nonce, signed, ccy } of payments.values()) {
      const place = `${fromAddress} ${nonce}`;
      expect(!seen.has(place), () => `${id} shares nonce ${nonce} of ${fromAddress} on ${chain}.`);
      seen.add(place);
      expect(nonce < (nonces.get(fromAddress) ?? 0), () => `The nonce ${nonce} of ${id} on ${chain} counts as free.`);
      const isSound = signed.length > 0 && signed.length <= SIGNED_MAX && state.assetByCcy.has(ccy);
      expect(isSound, () => `${id} on ${chain} was signed ${signed.length} times, in ${ccy}.`);
      expect(new Set(signed.map(({ txId }) => txId)).size === signed.length, () => `${id} holds a transaction twice.`);
    }
    for (const { userId, ccy } of unswept.values()) {
      expect(state.users.has(userId) && state.assetByCcy.has(ccy), () => `${chain} sweeps ${ccy} of user ${userId}.`);
    }
  }
}
