/** Balances, and what is known about the currencies themselves. */

import type { Asset } from "../../../engine/listing/asset.ts";
import type { AssetChain } from "../../../engine/listing/command-schemas.ts";
import type { Backend } from "../../backend.ts";
import type { Handlers } from "../../current/api.ts";
import { spotBalances } from "../../current/records/spot-balances.ts";
import type { AssetConfig, AssetInfo, AssetChain as ChainRecord } from "../../current/types.generated.ts";

export function assetHandlers({ state }: Backend): Handlers {
  return {
    "GET /assets/spot/balance": (call) => call.answer(spotBalances(state, call.caller.userId)),
    "GET /assets/info": (call) => call.answer(state.assets.map(infoOf)),
    "GET /assets/deposit-withdraw-config": (call) => {
      const asset = state.assetByCcy.get(call.params.ccy);
      if (asset === undefined) call.refuse("asset_not_found");
      else call.answer(configOf(asset));
    },
    "GET /assets/all-deposit-withdraw-config": (call) => call.answer(state.assets.map(configOf)),
  };
}

function infoOf(asset: Asset): AssetInfo {
  return {
    short_name: asset.ccy,
    full_name: asset.fullName,
    website_url: asset.websiteUrl,
    white_paper_url: asset.whitePaperUrl,
    chain_info: asset.chains.map((chain) => ({
      chain_name: chain.chain,
      identity: chain.identity,
      explorer_url: chain.explorerAssetUrl,
    })),
  };
}

/** A currency takes deposits and withdrawals while one of its chains does. */
function configOf(asset: Asset): AssetConfig {
  return {
    asset: {
      ccy: asset.ccy,
      deposit_enabled: asset.chains.some((chain) => chain.depositEnabled),
      withdraw_enabled: asset.chains.some((chain) => chain.withdrawEnabled),
      inter_transfer_enabled: asset.interTransferEnabled,
      is_st: asset.isSt,
    },
    chains: asset.chains.map(chainOf),
  };
}

function chainOf(chain: AssetChain): ChainRecord {
  return {
    chain: chain.chain,
    min_deposit_amount: chain.minDepositAmount,
    min_withdraw_amount: chain.minWithdrawAmount,
    deposit_enabled: chain.depositEnabled,
    withdraw_enabled: chain.withdrawEnabled,
    deposit_delay_minutes: chain.depositDelayMinutes,
    safe_confirmations: chain.safeConfirmations,
    irreversible_confirmations: chain.irreversibleConfirmations,
    deflation_rate: chain.deflationRate,
    withdrawal_fee: chain.withdrawalFee,
    withdrawal_precision: chain.withdrawalPrecision,
    memo: chain.memo,
    is_memo_required_for_deposit: chain.isMemoRequiredForDeposit,
    explorer_asset_url: chain.explorerAssetUrl,
  };
}
