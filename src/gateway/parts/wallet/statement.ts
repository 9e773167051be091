/** Changes of a caller's balances, from history: as the statement shows them, and as the older call for spot does. */

import { accountOfCells, cellsOf, isOfMarket } from "../../../engine/ledger/cell.ts";
import { type PostingKind, postingsCalled, statementWord } from "../../../engine/ledger/posting.ts";
import type { Asset } from "../../../engine/listing/asset.ts";
import type { Market } from "../../../engine/listing/market.ts";
import { formatDecimal } from "../../../engine/money/decimal.ts";
import type { State } from "../../../engine/state.ts";
import type { Page } from "../../../history/page.ts";
import type { StatementLine, StatementQuery } from "../../../history/statement/statement-queries.ts";
import type { Backend } from "../../backend.ts";
import type { Handlers } from "../../current/api.ts";
import type {
  SpotTransaction,
  Statement,
  StatementAccountType,
  StatementType,
  TransactionType,
} from "../../current/types.generated.ts";
import { answerPage, pageFromHistory } from "../../reading/from-history.ts";
import { Refused } from "../../refused.ts";

/**
 * The words of the older call for kinds of postings, which differ from the statement's. Only the statement shows kinds
 * without one.
 */
export const TRANSACTION_TYPE: Partial<Record<PostingKind, TransactionType>> = {
  trade: "trade",
  fee: "trade",
  deposit: "deposit",
  take_back: "deposit",
  withdraw: "withdraw",
};
export const TRANSACTIONS = Object.keys(TRANSACTION_TYPE) as PostingKind[];

export function statementHandlers(backend: Backend): Handlers {
  const { state } = backend;
  return {
    "GET /assets/statement": async (call) => {
      const { caller, params } = call;
      const { account_type: accountType, type } = params;
      const kinds = type === undefined ? undefined : postingsCalled(type);
      const cells = accountType === undefined ? undefined : cellsOf(accountType);
      const page = await linesOf(backend, { ...params, userId: caller.userId, kinds, cells });
      answerPage(call, page, (lines) => lines.map((line) => statementOf(state, line)));
    },

    "GET /assets/spot/transcation-history": async (call) => {
      const { caller, params } = call;
      const { type } = params;
      const kinds = type === undefined ? TRANSACTIONS : TRANSACTIONS.filter((kind) => TRANSACTION_TYPE[kind] === type);
      const page = await linesOf(backend, { ...params, userId: caller.userId, kinds, cells: ["spot"] });
      answerPage(call, page, (lines) => lines.map((line) => transactionOf(state, line)));
    },
  };
}

interface LinesQuery extends Omit<StatementQuery, "assetId" | "startTime" | "endTime"> {
  readonly ccy: string | undefined;
  readonly start_time: number | undefined;
  readonly end_time: number | undefined;
}

/** A page of lines. A currency that is not listed fails the request. */
export function linesOf({ state, history }: Backend, asked: LinesQuery): Promise<Page<StatementLine> | Refused> {
  const { userId, ccy, kinds, cells, sign, start_time: startTime, end_time: endTime, page, limit } = asked;
  const asset = ccy === undefined ? undefined : state.assetByCcy.get(ccy);
  if (ccy !== undefined && asset === undefined) return Promise.resolve(new Refused("asset_not_found"));
  if (kinds?.length === 0) return Promise.resolve({ rows: [], hasNext: false });
  const query = { userId, assetId: asset?.id, cells, kinds, sign, startTime, endTime, page, limit };
  return pageFromHistory((each) => history.statement(each), query);
}

function statementOf(state: State, line: StatementLine): Statement {
  const { ccy, scale } = state.assets[line.assetId] as Asset;
  return {
    id: line.id,
    created_at: line.createdAt,
    account_type: accountOfCells(line.account) as StatementAccountType,
    market: isOfMarket(line.account) ? (state.markets[line.marketId] as Market).name : null,
    ccy,
    type: statementWord(line.kind) as StatementType,
    change: formatDecimal(line.change, scale),
    balance: formatDecimal(line.balance, scale),
  };
}

function transactionOf({ assets }: State, line: StatementLine): SpotTransaction {
  const { ccy, scale } = assets[line.assetId] as Asset;
  return {
    created_at: line.createdAt,
    ccy,
    type: TRANSACTION_TYPE[line.kind] as TransactionType,
    change: formatDecimal(line.change, scale),
    balance: formatDecimal(line.balance, scale),
  };
}
