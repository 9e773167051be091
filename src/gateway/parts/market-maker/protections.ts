/** /ext/market-maker-protection. */
import type { Market } from "../../../engine/listing/market.ts";
import { protections } from "../../../engine/trading/protections.ts";
import type { Backend } from "../../backend.ts";
import type { Handlers } from "../../current/api.ts";
import { productOf } from "../../current/product.ts";
import type { MarketMakerProtection } from "../../current/types.generated.ts";
import { execute } from "../../reading/execute.ts";
import type { Printers } from "../../reading/market-printer.ts";
import { inMarket } from "../../reading/named-markets.ts";

export function protectionHandlers(backend: Backend, printers: Printers): Handlers {
  const { state } = backend;
  const recordOf = (userId: number, market: Market) => protectionOf(backend, printers, userId, market);
  return {
    "POST /ext/market-maker-protection": (call) => {
      const { market: name, market_type: type, window_ms: windowMs, ...limits } = call.params;
      const { userId } = call.caller;
      inMarket(state, productOf(type), call, name, (market) => {
        const { max_fills: fills, max_amount: amount, max_delta: delta } = limits;
        const command = {
          kind: "set_protection",
          userId,
          marketId: market.id,
          windowMs,
          fills,
          amount,
          delta,
        } as const;
        execute(backend, call, command, () => call.answer(recordOf(userId, market)));
      });
    },
    "GET /ext/market-maker-protection": (call) => {
      const { userId } = call.caller;
      const own = protections.of(state).ofUser(userId);
      call.answer(own.map(({ marketId }) => recordOf(userId, state.markets[marketId] as Market)));
    },
    "POST /ext/market-maker-protection/reset": (call) => {
      const { userId } = call.caller;
      inMarket(state, productOf(call.params.market_type), call, call.params.market, (market) => {
        const command = { kind: "reset_protection", userId, marketId: market.id } as const;
        execute(backend, call, command, () => call.answer(recordOf(userId, market)));
      });
    },
  };
}

/** The protection of a user in a market as it stands; without one a window of 0. */
function protectionOf(backend: Backend, printers: Printers, userId: number, market: Market): MarketMakerProtection {
  const printer = printers.of(market.id);
  const own = protections.of(backend.state).of(userId, market.id);
  // What counts goes by the venue's time, also while no command comes.
  const filled = own?.filledAt(backend.now());
  const limitOf = (lots: bigint | undefined) => (lots === undefined ? null : printer.amount(lots));
  const delta = filled?.delta ?? 0n;
  return {
    market: market.name,
    market_type: market.settlement.marketType,
    window_ms: own?.terms.windowMs ?? 0,
    max_fills: own?.terms.fills ?? 0,
    max_amount: limitOf(own?.terms.amount),
    max_delta: limitOf(own?.terms.delta),
    fills: filled?.fills ?? 0,
    amount: printer.amount(filled?.lots ?? 0n),
    delta: delta < 0n ? `-${printer.amount(-delta)}` : printer.amount(delta),
    reached: own?.reached?.limit ?? null,
    reached_at: own?.reached?.atMs ?? 0,
  };
}
