/** How an asset moves in and out: on which chains, at what terms, and between users. */
import { type Answer, accepted, refused } from "../answer.ts";
import { chainFault, chainsFault } from "../listing/chain-settings.ts";
import { emitRareEvent } from "../rare-event.ts";
import type { State } from "../state.ts";
import type { SetAssetChain, SetInterTransfer } from "./command-schemas.ts";
import { confirmDeposit } from "./confirm-deposit.ts";
import { confirmWithdrawal } from "./pay.ts";
import { payments } from "./payments.ts";

/** Opens a chain to an asset, or replaces its settings there; what is under way goes on by the new ones. */
export function setAssetChain(state: State, { ccy, settings }: SetAssetChain): Answer {
  const asset = state.assetByCcy.get(ccy);
  if (asset === undefined) return refused("asset_not_found", `The asset ${ccy} is not listed.`);
  const { chain } = settings;
  const fault = chainFault(settings, asset.scale);
  if (fault !== undefined) return refused("invalid_listing", fault);
  const known = asset.chains.findIndex((one) => one.chain === chain);
  const chains = known < 0 ? [...asset.chains, settings] : asset.chains.with(known, settings);
  const together = known < 0 ? chainsFault(chains) : undefined;
  if (together !== undefined) return refused("invalid_listing", together);

  // Nothing is refused below this line.
  asset.chains = chains;
  emitRareEvent(state, { type: "asset_chain_set", ccy, chain });
  const { deposits, withdrawals } = payments.of(state);
  for (const deposit of [...deposits.values()]) if (deposit.chain === chain) confirmDeposit(state, deposit);
  for (const one of [...withdrawals.values()]) if (one.chain === chain) confirmWithdrawal(state, one);
  return accepted({ ccy, chain });
}

export function setInterTransfer(state: State, { ccy, enabled }: SetInterTransfer): Answer {
  const asset = state.assetByCcy.get(ccy);
  if (asset === undefined) return refused("asset_not_found", `The asset ${ccy} is not listed.`);
  asset.interTransferEnabled = enabled;
  emitRareEvent(state, { type: "inter_transfer_set", ccy, enabled });
  return accepted({ ccy });
}
