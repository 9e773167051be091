import { cycleOf } from "../../src/engine/futures/funding/cycle.ts";
import type { Market } from "../../src/engine/listing/market.ts";
import type { EndpointName } from "../../src/gateway/current/types.generated.ts";
import { type ApiUser, type ApiVenue, contract, listFutures } from "../support/served-venue.ts";
import type { Stage } from "./examples.ts";
import { type Params, rest, wait } from "./stage-orders.ts";

type Exit = "stop_loss" | "take_profit";

/** What has happened to the caller in futures. It has an isolated position in BTCUSDT, and had one in BTCUSD. */
export interface FuturesStage {
  /** An order of the caller that has ended with a fill, in BTCUSDT. */
  readonly endedOrderId: number;
  /** The open position. */
  readonly positionId: number;
  /** A position that was closed, in part, against a bankrupt one. */
  readonly deleveragedId: number;
  /** Sets a take profit or a stop loss of a part of the position, in place of those before; its id. */
  exit(kind: Exit, price: string): Promise<number>;
  clearExits(kind: Exit): Promise<void>;
  rest(more?: object): Promise<number>;
  wait(more?: object): Promise<number>;
}

const OF_BTCUSDT = { market: "BTCUSDT", market_type: "FUTURES" };
const CLIENT_ID = "walk-2";
const PAGE = { page: 1, limit: 10 };

/** All of them; what happened is old enough for none to fall out. */
const everSince = (venue: ApiVenue) => ({ start_time: 0, end_time: venue.control.timeMs });

export const FUTURES_EXAMPLES: { readonly [Name in EndpointName]?: (stage: Stage) => Params | Promise<Params> } = {
  "GET /futures/market": () => ({ market: "BTCUSDT,BTCUSD" }),
  "GET /futures/ticker": () => ({ market: "BTCUSDT" }),
  "GET /futures/depth": () => ({ market: "BTCUSDT", limit: 10, interval: "0" }),
  "GET /futures/deals": () => ({ market: "BTCUSDT", limit: 10, last_id: 0 }),
  "GET /futures/kline": ({ venue }) => ({
    market: "BTCUSDT",
    period: "1min",
    price_type: "latest_price",
    limit: 10,
    ...everSince(venue),
  }),
  "GET /futures/index": () => ({ market: "BTCUSDT" }),
  "GET /futures/funding-rate": () => ({ market: "BTCUSDT" }),
  "GET /futures/funding-rate-history": ({ venue }) => ({ market: "BTCUSDT", ...everSince(venue), ...PAGE }),
  "GET /futures/premium-index-history": ({ venue }) => ({
    market: "BTCUSDT",
    start_time: venue.control.timeMs - 3_600_000,
    end_time: venue.control.timeMs,
    ...PAGE,
  }),
  "GET /futures/basis-history": ({ venue }) => ({ market: "BTCUSDT", ...everSince(venue) }),
  "GET /futures/liquidation-history": ({ venue }) => ({ market: "BTCUSDT", ...everSince(venue), ...PAGE }),
  "GET /futures/position-adl-history": ({ venue, futures }) => ({
    ...OF_BTCUSDT,
    position_id: futures.deleveragedId,
    ...everSince(venue),
    ...PAGE,
  }),
  "GET /futures/position-level": () => ({ market: "BTCUSD" }),

  "POST /futures/order": () => ({
    ...contract("buy", "0.001", "28000"),
    client_id: CLIENT_ID,
    is_hide: true,
    stp_mode: "ct",
  }),
  "POST /futures/batch-order": () => ({
    orders: [contract("buy", "0.001", "28000"), contract("buy", "0.001")],
  }),
  "POST /futures/modify-order": async ({ futures }) => ({
    ...OF_BTCUSDT,
    order_id: await futures.rest(),
    amount: "0.002",
    price: "28001",
  }),
  "POST /futures/batch-modify-order": async ({ futures }) => ({
    orders: [{ ...OF_BTCUSDT, order_id: await futures.rest(), amount: "0.002", price: "28001" }],
  }),
  "POST /futures/cancel-order": async ({ futures }) => ({ ...OF_BTCUSDT, order_id: await futures.rest() }),
  "POST /futures/cancel-batch-order": async ({ futures }) => ({
    ...OF_BTCUSDT,
    order_ids: [await futures.rest(), await futures.rest()],
  }),
  "POST /futures/cancel-all-order": async ({ futures }) => {
    await futures.rest();
    return { ...OF_BTCUSDT, side: "buy" };
  },
  "POST /futures/cancel-order-by-client-id": async ({ futures }) => {
    await futures.rest({ client_id: CLIENT_ID });
    return { ...OF_BTCUSDT, client_id: CLIENT_ID };
  },

  "POST /futures/stop-order": () => ({
    ...contract("buy", "0.001", "28000"),
    trigger_price: "27000",
    trigger_price_type: "latest_price",
    client_id: CLIENT_ID,
    is_hide: true,
    stp_mode: "ct",
  }),
  "POST /futures/batch-stop-order": () => ({
    orders: [
      contract("buy", "0.001", "28000", { trigger_price: "27000", trigger_price_type: "latest_price" }),
      contract("buy", "0.001", undefined, { trigger_price: "27000", trigger_price_type: "latest_price" }),
    ],
  }),
  "POST /futures/modify-stop-order": async ({ futures }) => ({
    ...OF_BTCUSDT,
    stop_id: await futures.wait(),
    amount: "0.002",
    price: "28001",
    trigger_price: "27001",
  }),
  "POST /futures/cancel-stop-order": async ({ futures }) => ({ ...OF_BTCUSDT, stop_id: await futures.wait() }),
  "POST /futures/cancel-batch-stop-order": async ({ futures }) => ({
    ...OF_BTCUSDT,
    stop_ids: [await futures.wait(), await futures.wait()],
  }),
  "POST /futures/cancel-stop-order-by-client-id": async ({ futures }) => {
    await futures.wait({ client_id: CLIENT_ID });
    return { ...OF_BTCUSDT, client_id: CLIENT_ID };
  },
  "GET /futures/pending-stop-order": async ({ futures }) => {
    await futures.wait({ client_id: CLIENT_ID });
    return { ...OF_BTCUSDT, side: "buy", client_id: CLIENT_ID, ...PAGE };
  },
  "GET /futures/finished-stop-order": () => ({ ...OF_BTCUSDT, side: "buy", ...PAGE }),

  "GET /futures/order-status": ({ futures }) => ({ market: "BTCUSDT", order_id: futures.endedOrderId }),
  "GET /futures/batch-order-status": async ({ futures }) => ({
    market: "BTCUSDT",
    order_ids: `${futures.endedOrderId},${await futures.rest()}`,
  }),
  "GET /futures/pending-order": async ({ futures }) => {
    await futures.rest({ client_id: CLIENT_ID });
    return { ...OF_BTCUSDT, side: "buy", client_id: CLIENT_ID, ...PAGE };
  },
  "GET /futures/finished-order": () => ({ ...OF_BTCUSDT, side: "buy", client_id: CLIENT_ID, ...PAGE }),
  "GET /futures/user-deals": ({ venue }) => ({ ...OF_BTCUSDT, side: "buy", ...everSince(venue), ...PAGE }),
  "GET /futures/order-deals": ({ futures }) => ({ ...OF_BTCUSDT, order_id: futures.endedOrderId, ...PAGE }),

  "POST /futures/close-position": () => ({
    ...OF_BTCUSDT,
    type: "limit",
    price: "40000",
    amount: "0.0001",
    client_id: CLIENT_ID,
    is_hide: true,
    stp_mode: "ct",
  }),
  "POST /futures/adjust-position-margin": () => ({ ...OF_BTCUSDT, amount: "1" }),
  "POST /futures/adjust-position-leverage": () => ({ ...OF_BTCUSDT, margin_mode: "isolated", leverage: 10 }),
  "POST /futures/set-position-stop-loss": async ({ futures }) => {
    await futures.clearExits("stop_loss");
    return { ...OF_BTCUSDT, stop_loss_type: "mark_price", stop_loss_price: "25000", stop_loss_amount: "0.01" };
  },
  "POST /futures/modify-position-stop-loss": async ({ futures }) => ({
    ...OF_BTCUSDT,
    stop_loss_id: await futures.exit("stop_loss", "25000"),
    stop_loss_type: "mark_price",
    stop_loss_price: "25001",
    stop_loss_amount: "0.02",
  }),
  "POST /futures/cancel-position-stop-loss": async ({ futures }) => ({
    ...OF_BTCUSDT,
    stop_loss_id: await futures.exit("stop_loss", "25000"),
  }),
  "POST /futures/set-position-take-profit": async ({ futures }) => {
    await futures.clearExits("take_profit");
    return { ...OF_BTCUSDT, take_profit_type: "mark_price", take_profit_price: "35000", take_profit_amount: "0.01" };
  },
  "POST /futures/modify-position-take-profit": async ({ futures }) => ({
    ...OF_BTCUSDT,
    take_profit_id: await futures.exit("take_profit", "35000"),
    take_profit_type: "mark_price",
    take_profit_price: "35001",
    take_profit_amount: "0.02",
  }),
  "POST /futures/cancel-position-take-profit": async ({ futures }) => ({
    ...OF_BTCUSDT,
    take_profit_id: await futures.exit("take_profit", "35000"),
  }),
  "GET /futures/pending-position": () => ({ ...OF_BTCUSDT, ...PAGE }),
  "GET /futures/finished-position": ({ venue }) => ({
    market: "BTCUSD",
    market_type: "FUTURES",
    ...everSince(venue),
    ...PAGE,
  }),
  "GET /futures/position-funding-history": ({ venue, futures }) => ({
    ...OF_BTCUSDT,
    position_id: futures.positionId,
    ...everSince(venue),
    ...PAGE,
  }),
  "GET /futures/position-settle-history": ({ venue, futures }) => ({
    ...OF_BTCUSDT,
    position_id: futures.positionId,
    ...everSince(venue),
    ...PAGE,
  }),
  "GET /futures/position-margin-history": ({ venue, futures }) => ({
    ...OF_BTCUSDT,
    position_id: futures.positionId,
    ...everSince(venue),
    ...PAGE,
  }),
};

/** Lists futures markets and lets the caller trade in them, against the maker. */
export async function openFuturesStage(venue: ApiVenue, caller: ApiUser, maker: ApiUser): Promise<FuturesStage> {
  await venue.listAssets("USD");
  await listFutures(venue);
  for (const { userId, client } of [caller, maker]) {
    for (const ccy of ["USDT", "BTC"]) {
      await venue.operate({ kind: "deposit", userId, ccy, amount: "500000", note: "" });
      const transfer = { from_account_type: "SPOT", to_account_type: "FUTURES", ccy, amount: "500000" };
      await client.act("/v2/assets/transfer", transfer);
    }
  }
  const deleveragedId = await deleverage(venue, caller);
  const { client } = caller;
  await client.act("/v2/futures/adjust-position-leverage", { ...OF_BTCUSDT, margin_mode: "isolated", leverage: 10 });
  await maker.client.act("/v2/futures/order", contract("sell", "20", "30000"));
  await maker.client.act("/v2/futures/order", contract("buy", "1", "29000"));
  const bought = contract("buy", "2", "30000", { client_id: CLIENT_ID });
  const { order_id: endedOrderId } = await client.act("/v2/futures/order", bought);
  const added = await client.act("/v2/futures/adjust-position-margin", { ...OF_BTCUSDT, amount: "100" });
  // Fires at once, at the latest price.
  const fires = { trigger_price: "30000", trigger_price_type: "latest_price" };
  await client.act("/v2/futures/stop-order", contract("buy", "0.001", "28000", fires));
  const inverse = { market: "BTCUSD" };
  await maker.client.act("/v2/futures/order", contract("sell", "1000", "30000", inverse));
  await maker.client.act("/v2/futures/order", contract("buy", "1000", "29900", inverse));
  await client.act("/v2/futures/order", contract("buy", "500", undefined, inverse));
  await client.act("/v2/futures/close-position", { market: "BTCUSD", market_type: "FUTURES", type: "market" });
  await passSettlement(venue);
  const pathOf = (action: string, kind: Exit) => `/v2/futures/${action}-position-${kind.replace("_", "-")}`;
  const clearExits = async (kind: Exit) => {
    await client.post(pathOf("cancel", kind), OF_BTCUSDT);
  };
  return {
    clearExits,
    exit: async (kind, price) => {
      await clearExits(kind);
      const exit = { [`${kind}_type`]: "mark_price", [`${kind}_price`]: price, [`${kind}_amount`]: "0.01" };
      const position = await client.act(pathOf("set", kind), { ...OF_BTCUSDT, ...exit });
      return position[`${kind}_list`].at(-1).id;
    },
    endedOrderId,
    positionId: added.position_id,
    deleveragedId,
    rest: (more = {}) => rest(caller, "futures", contract("buy", "0.001", "28000", more)),
    wait: (more = {}) =>
      wait(caller, "futures", {
        ...contract("buy", "0.001", "28000"),
        trigger_price: "27000",
        trigger_price_type: "latest_price",
        ...more,
      }),
  };
}

/** Lets premiums be sampled, funding be collected and positions be settled. */
async function passSettlement(venue: ApiVenue): Promise<void> {
  await venue.wait(60_000);
  await venue.index("30300");
  // A minute of the book counts little among those of an interval: enough for the smallest rate that is not damped
  // away.
  const market = venue.engine.state.futuresByName.get("BTCUSDT") as Market;
  const premium = { premiumE8: 100_000 * 480, markPremiumE8: 0 };
  cycleOf(venue.engine.state, market).samples.add(venue.control.timeMs, premium);
  await venue.wait(8 * 3_600_000);
  for (const market of ["BTCUSDT", "BTCUSD"]) await venue.indexBack("30300", market);
  await venue.wait(55_000);
  for (const market of ["BTCUSDT", "BTCUSD"]) await venue.index("30300", market);
}

/** Lets somebody go bankrupt against a short position of the caller, without a fund; its id. */
async function deleverage(venue: ApiVenue, caller: ApiUser): Promise<number> {
  const poor = await venue.addTrader("poor", { USDT: "400" });
  const isolated = { ...OF_BTCUSDT, margin_mode: "isolated", leverage: 100 };
  await poor.client.act("/v2/futures/adjust-position-leverage", isolated);
  await caller.client.act("/v2/futures/order", contract("sell", "1", "30000"));
  await poor.client.act("/v2/futures/order", contract("buy", "1", "30000"));
  const [{ position_id }] = await caller.client.read("/v2/futures/pending-position", OF_BTCUSDT);
  await venue.index("29000");
  for (let step = 0; step <= 21; step++) await venue.wait(2_000);
  await venue.index("30000");
  return position_id;
}
