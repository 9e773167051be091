import type { PositionSide } from "../../engine/command.ts";
import type { ApiKey } from "../auth/key-directory.ts";
import type { Backend } from "../backend.ts";
import type { Answering } from "../reading/answering.ts";
import { type Cancelled, cancelBatch, cancelNamed, cancelOne } from "../reading/cancelling.ts";
import type { BatchElement } from "../reading/execute.ts";
import type { JsonText } from "../reading/json-text.ts";
import { inMarket, inMarketOrAll } from "../reading/named-markets.ts";
import type { Product } from "../reading/product.ts";
import type { Refused } from "../refused.ts";
import { accountOf } from "./product.ts";
import type { MarketType } from "./types.generated.ts";

/** A call that cancels; an order of somebody else is answered as if it did not exist. */
interface CancelCall<Params, Result> extends Answering {
  readonly caller: ApiKey;
  readonly params: Params;
  answer(result: Result): void;
}

interface OfMarket {
  readonly market: string;
  readonly market_type: MarketType;
}

interface OfBatch {
  readonly market: string;
  readonly market_type?: MarketType | undefined;
}

interface OfClientId {
  readonly market: string | undefined;
  readonly market_type: MarketType;
  readonly client_id: string;
}

type Elements = readonly BatchElement<never>[];

/** The calls that cancel orders of one kind, printed by `text`. */
export function cancelCalls<Row extends { readonly userId: number; readonly clientId: string }>(
  backend: Backend,
  kind: Cancelled<Row>,
  text: (row: Row) => JsonText,
) {
  const { state } = backend;
  return {
    one(product: Product, call: CancelCall<OfMarket, JsonText>, id: number): void {
      const { market, market_type } = call.params;
      inMarket(state, product, call, market, ({ id: marketId }) => {
        const within = { userId: call.caller.userId, marketId, account: accountOf(market_type) };
        cancelOne(backend, call, kind, within, id, (row) => call.answer(text(row)));
      });
    },

    batch(product: Product, call: CancelCall<OfBatch, Elements>, ids: readonly (number | Refused)[]): void {
      const { market, market_type } = call.params;
      inMarket(state, product, call, market, ({ id: marketId }) => {
        const account = market_type === undefined ? undefined : accountOf(market_type);
        const within = { userId: call.caller.userId, marketId, account };
        cancelBatch(backend, call, kind, within, ids, text, (elements) => call.answer(elements));
      });
    },

    byClientId(product: Product, call: CancelCall<OfClientId, Elements>): void {
      const { params } = call;
      inMarketOrAll(state, product, call, params.market, (market) => {
        const named = {
          userId: call.caller.userId,
          marketId: market?.id,
          account: accountOf(params.market_type),
          positionSide: positionSideOf(params),
          clientId: params.client_id,
        };
        cancelNamed(backend, call, kind, named, text, (elements) => call.answer(elements));
      });
    },
  };
}

/** Which position a call of futures is about; a call of spot names none. */
export function positionSideOf(params: object): PositionSide | undefined {
  return (params as { readonly position_side?: PositionSide }).position_side;
}
