/** The cancelling endpoints of orders. */
import type { Backend } from "../../backend.ts";
import type { Handlers } from "../../current/api.ts";
import type { Handler } from "../../current/call.ts";
import { cancelCalls, positionSideOf } from "../../current/cancelling.ts";
import { accountOf, type Both } from "../../current/product.ts";
import { orderText } from "../../current/records/orders.ts";
import { ORDERS } from "../../reading/cancelling.ts";
import { execute } from "../../reading/execute.ts";
import type { Printers } from "../../reading/market-printer.ts";
import { inMarket } from "../../reading/named-markets.ts";
import type { Product } from "../../reading/product.ts";

export function cancelOrderHandlers(backend: Backend, printers: Printers): Handlers {
  const { one, batch, byClientId } = cancelCalls(backend, ORDERS, (order) => orderText(printers, order));

  const all =
    (product: Product): Handler<Both<"POST", "cancel-all-order">> =>
    (call) => {
      const { caller, params } = call;
      inMarket(backend.state, product, call, params.market, ({ id: marketId }) => {
        const { side } = params;
        const positionSide = positionSideOf(params);
        const cancel = { userId: caller.userId, marketId, account: accountOf(params.market_type), side, positionSide };
        execute(backend, call, { kind: "cancel_all_orders", ...cancel }, () => call.answer());
      });
    };

  return {
    "POST /spot/cancel-order": (call) => one("spot", call, call.params.order_id),
    "POST /futures/cancel-order": (call) => one("futures", call, call.params.order_id),
    "POST /spot/cancel-batch-order": (call) => batch("spot", call, call.params.order_ids),
    "POST /futures/cancel-batch-order": (call) => batch("futures", call, call.params.order_ids),
    "POST /spot/cancel-all-order": all("spot"),
    "POST /futures/cancel-all-order": all("futures"),
    "POST /spot/cancel-order-by-client-id": (call) => byClientId("spot", call),
    "POST /futures/cancel-order-by-client-id": (call) => byClientId("futures", call),
  };
}
