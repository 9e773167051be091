/** POST /ext/mass-quote. */

import type { Market } from "../../../engine/listing/market.ts";
import type { MassQuote } from "../../../engine/market-maker/command-schemas.ts";
import type { QuotedMarket as Outcome } from "../../../engine/market-maker/mass-quote.ts";
import type { Backend } from "../../backend.ts";
import type { Handlers } from "../../current/api.ts";
import type { Call } from "../../current/call.ts";
import { productOf } from "../../current/product.ts";
import type { QuotedMarket, QuoteRequest } from "../../current/types.generated.ts";
import { execute } from "../../reading/execute.ts";
import { marketNamed } from "../../reading/product.ts";
import { engineRefused, marketNotFound, type Refused } from "../../refused.ts";

type QuotingCall = Call<"POST /ext/mass-quote">;

export function massQuoteHandlers(backend: Backend): Handlers {
  return {
    "POST /ext/mass-quote": (call) => {
      execute(backend, call, massQuoteOf(backend, call), ({ result }) => {
        call.answer((result as readonly Outcome[]).map((outcome) => recordOf(backend, call, outcome)));
      });
    },
  };
}

/** The command that a request asks for; refused when it names a market that is not listed. */
function massQuoteOf({ state }: Backend, call: QuotingCall): MassQuote | Refused {
  const quotes: MassQuote["quotes"][number][] = [];
  for (const request of call.params.quotes) {
    const market = marketNamed(state, productOf(request.market_type), request.market);
    if (market === undefined) return marketNotFound(request.market);
    quotes.push(quoteOf(market, request));
  }
  return { kind: "mass_quote", userId: call.caller.userId, quotes };
}

function quoteOf({ id: marketId }: Market, request: QuoteRequest): MassQuote["quotes"][number] {
  const { bid_price: bidPrice, bid_amount: bidAmount, ask_price: askPrice, ask_amount: askAmount } = request;
  return { marketId, bidPrice, bidAmount, askPrice, askAmount };
}

function recordOf({ state }: Backend, call: QuotingCall, { marketId, refusal, orderIds }: Outcome): QuotedMarket {
  const market = state.markets[marketId] as Market;
  const words = refusal === undefined ? { code: 0, message: "OK" } : call.wordsOf(engineRefused(refusal, undefined));
  return {
    market: market.name,
    market_type: market.settlement.marketType,
    ...words,
    quotes: orderIds.map(([bid, ask]) => ({ bid_order_id: bid, ask_order_id: ask })),
  };
}
