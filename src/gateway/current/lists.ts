/**
 * The lists of what an account has placed and done: what is open, read from the engine's memory, and what is over, read
 * from history. Each names a market or means every one, and may be filtered.
 */
import type { Account, Side } from "../../engine/command.ts";
import type { State } from "../../engine/state.ts";
import type { CountedPage, Page } from "../../history/page.ts";
import type { Refusing } from "../reading/answering.ts";
import { answerPage, pageFromHistory } from "../reading/from-history.ts";
import type { JsonText } from "../reading/json-text.ts";
import { inMarketOrAll, inPastMarketOrAll } from "../reading/named-markets.ts";
import type { Product } from "../reading/product.ts";
import { accountOf } from "./product.ts";
import type { MarketType } from "./types.generated.ts";

interface ListCall extends Refusing {
  readonly caller: { readonly userId: number };
  readonly params: {
    readonly market?: string | undefined;
    readonly market_type: MarketType;
    readonly side?: Side | undefined;
    readonly client_id?: string | undefined;
    readonly order_id?: number | undefined;
    readonly start_time?: number | undefined;
    readonly end_time?: number | undefined;
    readonly page: number;
    readonly limit: number;
  };
  answer(data: JsonText, page: { readonly hasNext: boolean; readonly total?: number }): void;
}

/** The rows that a request asks for: whose, where, and as the request filters them. */
export interface ListQuery {
  readonly userId: number;
  readonly account: Account;
  readonly marketId: number | undefined;
  readonly side: Side | undefined;
  readonly clientId: string | undefined;
  readonly orderId: number | undefined;
  readonly startTime: number | undefined;
  readonly endTime: number | undefined;
  readonly page: number;
  readonly limit: number;
}

function queryOf({ caller, params }: ListCall, marketId: number | undefined): ListQuery {
  return {
    userId: caller.userId,
    account: accountOf(params.market_type),
    marketId,
    side: params.side,
    clientId: params.client_id,
    orderId: params.order_id,
    startTime: params.start_time,
    endTime: params.end_time,
    page: params.page,
    limit: params.limit,
  };
}

/** Answers a list of what is open in markets of the present. */
export function openList<Row>(
  state: State,
  list: (query: ListQuery) => CountedPage<Row>,
  print: (rows: readonly Row[]) => JsonText,
) {
  return (product: Product) =>
    (call: ListCall): void => {
      inMarketOrAll(state, product, call, call.params.market, (market) =>
        answerPage(call, list(queryOf(call, market?.id)), print),
      );
    };
}

/** Answers a list of what is over. */
export function pastList<Row>(
  state: State,
  ask: (query: ListQuery) => Promise<Page<Row>>,
  print: (rows: readonly Row[]) => JsonText,
) {
  return (product: Product) =>
    (call: ListCall): Promise<void> | undefined =>
      inPastMarketOrAll(state, product, call, call.params.market, async (market) =>
        answerPage(call, await pageFromHistory(ask, queryOf(call, market?.id)), print),
      );
}
