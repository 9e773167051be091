/** How an asset moves in and out: on which chains, at what terms, and between users. */
import { type Answer, accepted, refused } from "../answer.ts";
import { emitHappening } from "../happening.ts";
import type { State } from "../state.ts";
import { ADDRESS_CHARS_MAX } from "./addresses.ts";
import { termsOf } from "./chain-terms.ts";
import { confirmDeposit } from "./confirm-deposit.ts";
import type { SetAssetChain, SetInterTransfer } from "./forms.ts";
import { confirmWithdrawal } from "./pay.ts";
import { payments } from "./payments.ts";

const CHAINS_MAX = 32;
export const CHAIN_NAME = /^[A-Za-z0-9_-]{1,32}$/;

/** Opens a chain to an asset, or replaces its settings there; what is under way goes on by the new ones. */
export function setAssetChain(state: State, { ccy, settings }: SetAssetChain): Answer {
  const asset = state.assetByCcy.get(ccy);
  if (asset === undefined) return refused("asset_not_found", `The asset ${ccy} is not listed.`);
  const { chain } = settings;
  if (!CHAIN_NAME.test(chain)) {
    return refused("invalid_listing", "The name of a chain has 1 to 32 letters, digits, _ and -.");
  }
  if (termsOf(settings, asset.scale) === undefined || settings.identity.length > ADDRESS_CHARS_MAX) {
    return refused(
      "invalid_listing",
      `Amounts of a chain are decimals with at most ${asset.scale} decimals, deflation_rate is from 0 to below 1, numbers are not below 0.`,
    );
  }
  const known = asset.chains.findIndex((one) => one.chain === chain);
  if (known < 0 && asset.chains.length >= CHAINS_MAX) {
    return refused("invalid_listing", `An asset moves on at most ${CHAINS_MAX} chains.`);
  }

  // Nothing is refused below this line.
  asset.chains = known < 0 ? [...asset.chains, settings] : asset.chains.with(known, settings);
  emitHappening(state, { type: "asset_chain_set", ccy, chain });
  const { deposits, withdrawals } = payments.of(state);
  for (const deposit of [...deposits.values()]) if (deposit.chain === chain) confirmDeposit(state, deposit);
  for (const one of [...withdrawals.values()]) if (one.chain === chain) confirmWithdrawal(state, one);
  return accepted({ ccy, chain });
}

export function setInterTransfer(state: State, { ccy, enabled }: SetInterTransfer): Answer {
  const asset = state.assetByCcy.get(ccy);
  if (asset === undefined) return refused("asset_not_found", `The asset ${ccy} is not listed.`);
  asset.interTransferEnabled = enabled;
  emitHappening(state, { type: "inter_transfer_set", ccy, enabled });
  return accepted({ ccy });
}
