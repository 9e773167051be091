import type { EndpointName } from "../../src/gateway/current/types.generated.ts";
import type { Stage } from "./examples.ts";
import { makeRoom, type Params } from "./stage-orders.ts";

const PAGE = { page: 1, limit: 10 };
const CLIENT_ID = "walk-3";

type Examples = { readonly [Name in EndpointName]?: (stage: Stage) => Params | Promise<Params> };

/**
 * Of a product: orders far from its price, so that they wait; `amount` is one that its market takes, `large` a larger
 * one.
 */
function examplesOf(
  product: "spot" | "futures",
  market_type: string,
  amount: string,
  large: string,
  more: Params,
): Examples {
  const where = { market: "BTCUSDT", market_type };
  const limit = { side: "sell", type: "limit", amount, price: "32900", client_id: CLIENT_ID, stp_mode: "ct", ...more };
  const stop = { side: "sell", type: "market", amount, trigger_price: "21000", ...more };
  const trail = { side: "sell", type: "market", amount, trail_rate: "0.2", activation_price: "39000", ...more };
  const iceberg = { ...limit, price: "38000", amount: large, display_amount: amount };
  const waits = { trigger_price: "38500", trigger_price_type: "latest_price" };
  const free = async ({ caller }: Stage, params: Params): Promise<Params> => {
    await makeRoom(caller, product, where);
    return { ...where, ...params };
  };
  const place = async (stage: Stage): Promise<{ readonly group_id: number }> =>
    await stage.caller.client.act(`/v2/ext/${product}/oco`, await free(stage, { orders: [stop, trail] }));
  return {
    [`POST /ext/${product}/trailing-stop`]: (stage: Stage) =>
      free(stage, {
        side: "sell",
        amount,
        trail: "5000",
        activation_price: "39000",
        trigger_price_type: "index_price",
        client_id: CLIENT_ID,
        stp_mode: "cm",
        ...more,
      }),
    [`POST /ext/${product}/oco`]: (stage: Stage) =>
      free(stage, {
        orders: [
          { ...limit, is_hide: true },
          { ...stop, trigger_price_type: "latest_price" },
        ],
      }),
    [`POST /ext/${product}/bracket`]: (stage: Stage) =>
      free(stage, {
        side: "buy",
        type: "limit",
        amount,
        price: "28000",
        take_profit_price: "39000",
        stop_loss_price: "21000",
        trigger_price_type: "latest_price",
        client_id: CLIENT_ID,
        is_hide: false,
        stp_mode: "both",
      }),
    [`POST /ext/${product}/iceberg-order`]: (stage: Stage) => free(stage, { ...iceberg, ...waits }),
    [`GET /ext/${product}/iceberg-order`]: async ({ caller }: Stage) => {
      await caller.client.act(`/v2/ext/${product}/iceberg-order`, { ...where, ...iceberg });
      return { ...where, ...PAGE };
    },
    [`POST /ext/${product}/cancel-group`]: async (stage: Stage) => ({ group_id: (await place(stage)).group_id }),
    [`GET /ext/${product}/conditional-order`]: async (stage: Stage) => {
      await place(stage);
      return { ...where, ...PAGE };
    },
  };
}

/** Trailing stops, pairs, brackets and icebergs. */
export const CONDITIONAL_EXAMPLES: Examples = {
  ...examplesOf("spot", "SPOT", "0.01", "0.02", {}),
  ...examplesOf("futures", "FUTURES", "0.001", "0.002", { is_reduce_only: false }),
};
