/** Balances of futures accounts, and transfers into and out of them. */

import { accountSumsOf, atMark, marginOf, positionsOf } from "../../../engine/futures/positions/account-sums.ts";
import { type AccountSums, crossMargin, isolatedMargin } from "../../../engine/futures/positions/figures.ts";
import type { Asset } from "../../../engine/listing/asset.ts";
import { formatDecimal } from "../../../engine/money/decimal.ts";
import type { State } from "../../../engine/state.ts";
import { NONE } from "../../../engine/trading/order.ts";
import type { TransferRow } from "../../../history/transfer-queries.ts";
import type { Backend } from "../../backend.ts";
import type { Handlers } from "../../current/api.ts";
import type { AccountType, FuturesBalance, Transfer } from "../../current/types.generated.ts";
import { execute } from "../../reading/execute.ts";
import { pageFromHistory } from "../../reading/from-history.ts";
import { inMarketOrAll } from "../../reading/named-markets.ts";
import { invalidParameter, Refused } from "../../refusals.ts";

export function futuresAssetHandlers(backend: Backend): Handlers {
  const { state, history } = backend;
  return {
    "GET /assets/futures/balance": (call) => {
      const balances = futuresBalancesOf(state, call.caller.userId);
      call.answer(balances.sort((left, right) => (left.ccy < right.ccy ? -1 : 1)));
    },

    "POST /assets/transfer": (call) => {
      const { caller, params } = call;
      const { from_account_type: from, to_account_type: to, ccy, amount } = params;
      inMarketOrAll(state, "spot", call, params.market, () => {
        const transfer = { userId: caller.userId, from, to, ccy, amount };
        execute(backend, call, { kind: "transfer", ...transfer }, () => call.answer());
      });
    },

    "GET /assets/transfer-history": (call) => {
      const { caller, params } = call;
      if (!state.assetByCcy.has(params.ccy)) {
        call.refuse(invalidParameter(`the currency ${params.ccy} is not listed.`));
        return;
      }
      return inMarketOrAll(state, "spot", call, params.market, async (market) => {
        const page = await pageFromHistory((query) => history.transfers(query), {
          userId: caller.userId,
          ccy: params.ccy,
          account: params.transfer_type,
          // A transfer is finished when it is there at all, and only those of margin accounts have a market.
          isNone:
            (params.status ?? "finished") !== "finished" || (market !== undefined && params.transfer_type !== "MARGIN"),
          startTime: params.start_time,
          endTime: params.end_time,
          page: params.page,
          limit: params.limit,
        });
        if (page instanceof Refused) call.refuse(page);
        else call.answer(page.rows.map(transferOf), { hasNext: page.hasNext, total: page.total });
      });
    },
  };
}

/** What a user has in the futures account in one currency, in units of it. */
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

/** What is not empty of a user's futures accounts, in the order of listing. */
export function futuresBalancesOf(state: State, userId: number): FuturesBalance[] {
  const funds = state.assets.flatMap((asset) => futuresFunds(state, userId, asset) ?? []);
  return funds.filter((each) => !isEmpty(each)).map(balanceOf);
}

function isEmpty({ sums, margin, unrealized }: FuturesFunds): boolean {
  return sums.cash === 0n && sums.frozen === 0n && sums.value === 0n && margin === 0n && unrealized === 0n;
}

/** Source: domain 4.8. */
function balanceOf({ asset, sums, margin, unrealized }: FuturesFunds): FuturesBalance {
  const show = (units: bigint) => formatDecimal(units, asset.scale);
  const free = show(atLeast0(isolatedMargin(sums)));
  return {
    ccy: asset.ccy,
    account_balance: show(sums.cash + margin),
    cross_balance: show(sums.cash),
    isolated_balance: show(margin),
    available: free,
    frozen: show(sums.frozen),
    margin: show(margin),
    cross_margin_avbl: show(atLeast0(crossMargin(sums))),
    isolated_margin_avbl: free,
    transferrable: free,
    unrealized_pnl: show(unrealized),
  };
}

export function atLeast0(units: bigint): bigint {
  return units > 0n ? units : 0n;
}

function transferOf({ transferId, createdAt, from, to, ccy, amount }: TransferRow): Transfer {
  return {
    id: transferId,
    margin_market: "",
    created_at: createdAt,
    from_account_type: from as AccountType,
    to_account_type: to as AccountType,
    ccy,
    amount,
    status: "finished",
  };
}
