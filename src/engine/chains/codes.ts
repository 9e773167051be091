/** Codes of the chains that travel in records; they never change. */
import { declareRefusals } from "../refusal.ts";

const CHAIN_REFUSALS = declareRefusals({
  payment_differs: 190,
  nonce_taken: 191,
  payment_not_due: 192,
  chain_not_simulated: 193,
  chain_funds_short: 194,
  seed_kept: 195,
  withdrawals_halted: 196,
  withdrawals_not_halted: 197,
});

type OwnRefusals = typeof CHAIN_REFUSALS;

declare module "../refusal.ts" {
  interface Refusals extends OwnRefusals {}
}
