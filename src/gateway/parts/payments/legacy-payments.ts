/** Addresses, deposits and withdrawals in the legacy generation: /v1/balance/… */
import type { Asset } from "../../../engine/listing/asset.ts";
import type { AssetChain } from "../../../engine/listing/command-schemas.ts";
import { formatDecimal, parseDecimal } from "../../../engine/money/decimal.ts";
import { needsMemo, termsOn } from "../../../engine/payments/chain-terms.ts";
import type { State } from "../../../engine/state.ts";
import type { Backend } from "../../backend.ts";
import type { LegacyCall, LegacyHandlers } from "../../legacy/call.ts";
import { answerNumbered } from "../../legacy/pages.ts";
import { trimmed } from "../../legacy/records/spot-orders.ts";
import type { LegacyParamsOf } from "../../legacy/types.generated.ts";
import { execute } from "../../reading/execute.ts";
import { pageFromHistory } from "../../reading/from-history.ts";
import { invalidParameter, Refused } from "../../refused.ts";
import { presentAddress, renewAddress } from "./addresses.ts";
import {
  addressAndMemo,
  addressText,
  DEPOSIT_STATUSES,
  legacyDepositOf,
  legacyWithdrawalOf,
  listedWithdrawalOf,
  METHOD_OF,
} from "./legacy-payment-records.ts";
import { askWithdrawal, spelled, type WithdrawalWish, withdrawalNow } from "./withdrawals.ts";

export function legacyPaymentHandlers(backend: Backend): LegacyHandlers {
  const { state, history } = backend;

  type Addressing = "GET /v1/balance/deposit/address/{coin_type}" | "PUT /v1/balance/deposit/address/{coin_type}";
  const addressing =
    (find: typeof presentAddress) =>
    async (call: LegacyCall<Addressing>): Promise<void> => {
      const { coin_type: ccy, smart_contract_name: name } = call.params;
      const found = chainOf(state, ccy, name);
      if (found instanceof Refused) {
        call.refuse(found);
        return;
      }
      const { chain } = found.settings;
      await find(backend, call, { ccy, chain }, ({ address, memo }) =>
        call.answer({ coin_address: addressText(address, memo), is_bitcoin_cash: chain === "BCH" }),
      );
    };

  return {
    "GET /v1/balance/deposit/address/{coin_type}": addressing(presentAddress),
    "PUT /v1/balance/deposit/address/{coin_type}": addressing(renewAddress),

    "GET /v1/balance/coin/deposit": async (call) => {
      const { caller, params } = call;
      const { coin_type: ccy, status, tx_id: txId, page, limit } = params;
      if (ccy !== undefined && !state.assetByCcy.has(ccy)) {
        call.refuse("asset_not_found");
        return;
      }
      const statuses = status && DEPOSIT_STATUSES[status];
      const query = { userId: caller.userId, ccy, txId, statuses, page, limit };
      const found = await pageFromHistory((each) => history.deposits(each), query);
      answerNumbered(call, found, (row) => JSON.stringify(legacyDepositOf(state, row)));
    },

    "POST /v1/balance/coin/withdraw": (call) =>
      askWithdrawal(backend, call, wishOf(backend, call.params), (told) => call.answer(legacyWithdrawalOf(told))),

    "DELETE /v1/balance/coin/withdraw": (call) => {
      const cancel = { userId: call.caller.userId, withdrawId: call.params.coin_withdraw_id };
      execute(backend, call, { kind: "cancel_withdrawal", ...cancel }, () => call.answer(undefined));
    },

    "GET /v1/balance/coin/withdraw": async (call) => {
      const { caller, params } = call;
      const { coin_type: ccy, coin_withdraw_id: withdrawId, page, limit } = params;
      if (ccy !== undefined && !state.assetByCcy.has(ccy)) {
        call.refuse("asset_not_found");
        return;
      }
      const query = { userId: caller.userId, ccy, withdrawId, page, limit };
      const found = await pageFromHistory((each) => history.withdrawals(each), query);
      answerNumbered(call, found, (row) => JSON.stringify(listedWithdrawalOf(withdrawalNow(state, row))));
    },
  };
}

interface AssetOnChain {
  readonly asset: Asset;
  readonly settings: AssetChain;
}

/** The chain of that name, or the one that the currency moves on when it is a single one. */
function chainOf({ assetByCcy }: State, ccy: string, name: string | undefined): AssetOnChain | Refused {
  const asset = assetByCcy.get(ccy);
  if (asset === undefined) return new Refused("asset_not_found");
  const { chains } = asset;
  const settings = name === undefined ? chains[0] : chains.find(({ chain }) => chain === name);
  if (settings === undefined) return new Refused("chain_not_found");
  if (name === undefined && chains.length > 1) {
    return invalidParameter(`smart_contract_name is required: ${ccy} moves on several chains.`);
  }
  return { asset, settings };
}

type Asked = LegacyParamsOf["POST /v1/balance/coin/withdraw"];

/**
 * The withdrawal of which so much arrives: this generation adds the fee to what is asked for, the current one takes it
 * out.
 */
function wishOf(backend: Backend, asked: Asked): WithdrawalWish | Refused {
  const { coin_type: ccy, coin_address, actual_amount: actual, fee_asset: feeCcy } = asked;
  const method = METHOD_OF[asked.transfer_method];
  if (method === "inter_user") {
    return { ccy, chain: "", method, toAddress: coin_address, memo: "", amount: actual, feeCcy, remark: "" };
  }
  const { state } = backend;
  const found = chainOf(state, ccy, asked.smart_contract_name);
  if (found instanceof Refused) return found;
  const { asset, settings } = found;
  const { chain } = settings;
  // Of a chain without memos a colon is part of the address.
  const hasMemos = settings.memo !== "" || needsMemo(state, chain);
  const { address, memo } = hasMemos ? addressAndMemo(coin_address) : { address: coin_address, memo: "" };
  const toAddress = spelled(backend, ccy, chain, address);
  if (toAddress === undefined) {
    return new Refused("address_invalid", undefined, `coin_address is no address of the chain ${chain}.`);
  }
  const amount = (feeCcy ?? ccy) === ccy ? withFee(asset, chain, actual) : actual;
  return { ccy, chain, method, toAddress, memo, amount, feeCcy, remark: "" };
}

/**
 * The amount of which so much is left after the fee. What is no amount of the asset stays as it is, to be refused for
 * that.
 */
function withFee(asset: Asset, chain: string, actual: string): string {
  const units = parseDecimal(actual, asset.scale);
  if (units === undefined || units <= 0n) return actual;
  return trimmed(formatDecimal(units + (termsOn(asset, chain)?.withdrawalFee ?? 0n), asset.scale));
}
