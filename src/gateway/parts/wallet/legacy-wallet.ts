/**
 * Balances, transfers and how assets move in the legacy generation: /v1/balance/info, /v1/account/balance/history,
 * /v1/contract/…, /v1/common/asset/config
 */
import type { Asset } from "../../../engine/listing/asset.ts";
import type { AssetChain } from "../../../engine/listing/command-schemas.ts";
import { formatDecimal } from "../../../engine/money/decimal.ts";
import type { State } from "../../../engine/state.ts";
import type { StatementLine } from "../../../history/statement/statement-queries.ts";
import type { TransferRow } from "../../../history/transfers/transfer-queries.ts";
import type { Backend } from "../../backend.ts";
import { accountIdOf, inAccountOrAll } from "../../legacy/accounts.ts";
import type { LegacyHandlers } from "../../legacy/call.ts";
import { answerNumbered, answerRecords } from "../../legacy/pages.ts";
import { legacyBalancesOf } from "../../legacy/records/balances.ts";
import { seconds } from "../../legacy/records/time.ts";
import type { LegacyAssetConfig } from "../../legacy/types.generated.ts";
import { execute } from "../../reading/execute.ts";
import { pageFromHistory } from "../../reading/from-history.ts";
import { linesOf, TRANSACTION_TYPE, TRANSACTIONS } from "./statement.ts";

export function legacyWalletHandlers(backend: Backend): LegacyHandlers {
  const { state, history } = backend;
  return {
    "GET /v1/balance/info": (call) => call.answer(legacyBalancesOf(state, call.caller.userId)),

    "GET /v1/common/asset/config": (call) => {
      const { coin_type: ccy } = call.params;
      const asset = ccy === undefined ? undefined : state.assetByCcy.get(ccy);
      if (ccy !== undefined && asset === undefined) {
        call.refuse("asset_not_found");
        return;
      }
      const assets = asset === undefined ? state.assets : [asset];
      call.answer(
        Object.fromEntries(
          assets.flatMap((each) => each.chains.map((chain) => [`${each.ccy}-${chain.chain}`, configOf(each, chain)])),
        ),
      );
    },

    "GET /v1/account/balance/history": (call) => {
      const { caller, params } = call;
      return inAccountOrAll(
        state,
        { params, refuse: (refused) => call.refuse(refused) },
        async (_market, account) => {
          const { business, asset: ccy, ...rest } = params;
          const kinds =
            business === undefined ? undefined : TRANSACTIONS.filter((kind) => TRANSACTION_TYPE[kind] === business);
          const cells = [account === "margin" ? "margin" : "spot"] as const;
          const page = await linesOf(backend, { ...rest, ccy, userId: caller.userId, kinds, cells });
          answerNumbered(call, page, (line) => changeText(state, line));
        },
        "past",
      );
    },

    "POST /v1/contract/balance/transfer": (call) => {
      const { caller, params } = call;
      const [from, to] =
        params.transfer_side === "in" ? (["SPOT", "FUTURES"] as const) : (["FUTURES", "SPOT"] as const);
      const transfer = { userId: caller.userId, from, to, ccy: params.coin_type, amount: params.amount };
      execute(backend, call, { kind: "transfer", ...transfer }, () => call.answer(undefined));
    },

    "GET /v1/contract/transfer/history": async (call) => {
      const { caller, params } = call;
      if (params.asset !== undefined && !state.assetByCcy.has(params.asset)) {
        call.refuse("asset_not_found");
        return;
      }
      const page = await pageFromHistory((query) => history.transfers(query), {
        userId: caller.userId,
        ccy: params.asset,
        account: "FUTURES",
        into: params.transfer_type === undefined ? undefined : params.transfer_type === "transfer_in",
        isNone: false,
        startTime: params.start_time,
        endTime: params.end_time,
        page: params.page,
        limit: params.limit,
      });
      answerRecords(call, page, contractTransferText);
    },
  };
}

function configOf({ ccy }: Asset, settings: AssetChain): LegacyAssetConfig {
  return {
    asset: ccy,
    chain: settings.chain,
    can_deposit: settings.depositEnabled,
    can_withdraw: settings.withdrawEnabled,
    deposit_least_amount: settings.minDepositAmount,
    withdraw_least_amount: settings.minWithdrawAmount,
    withdraw_tx_fee: settings.withdrawalFee,
    withdrawal_precision: String(settings.withdrawalPrecision),
    explorer_asset_url: settings.explorerAssetUrl,
  };
}

/** A LegacyContractTransfer. */
function contractTransferText({ createdAt, ccy, amount, to }: TransferRow): string {
  return JSON.stringify({
    created_at: seconds(createdAt),
    asset: ccy,
    amount,
    transfer_type: to === "FUTURES" ? "transfer_in" : "transfer_out",
  });
}

/** A LegacyBalanceChange. A kind that this generation has no word for goes by its current one. */
function changeText(state: State, line: StatementLine): string {
  const { ccy, scale } = state.assets[line.assetId] as Asset;
  return JSON.stringify({
    time: seconds(line.createdAt),
    account: accountIdOf(state, { account: line.account === "margin" ? "margin" : "spot", marketId: line.marketId }),
    business: TRANSACTION_TYPE[line.kind] ?? line.kind,
    business_id: line.id,
    asset: ccy,
    change: formatDecimal(line.change, scale),
    balance: formatDecimal(line.balance, scale),
  });
}
