/** The examples of /perpetual/v1. */
import { contract } from "../support/served-venue.ts";
import type { Stage } from "./examples.ts";
import type { LegacyExamples } from "./legacy-examples.ts";

const MARKET = { market: "BTCUSDT" };
const PAGE = { offset: 0, limit: 10 };
const BOTH_SIDES = { side: 0 };
const [BUY, ISOLATED, LATEST_PRICE] = [2, 1, 1];
const CLIENT_ID = "walk-4";

const everSince = ({ venue }: Stage) => ({ start_time: 1, end_time: Math.ceil(venue.control.timeMs / 1_000) });

const limit = {
  ...MARKET,
  side: BUY,
  amount: "0.001",
  price: "28000",
  effect_type: 1,
  option: 2,
  client_id: CLIENT_ID,
};
const stop = { ...limit, stop_type: LATEST_PRICE, stop_price: "27000" };

/** A part of the position, which lasts for all calls. */
const close = ({ futures }: Stage) => ({ ...MARKET, position_id: futures.positionId, client_id: CLIENT_ID });

export const LEGACY_FUTURES_EXAMPLES: LegacyExamples = {
  "GET /perpetual/v1/ping": () => ({}),
  "GET /perpetual/v1/time": () => ({}),
  "GET /perpetual/v1/market/list": () => ({}),
  "GET /perpetual/v1/market/limit_config": () => ({}),
  "GET /perpetual/v1/market/ticker": () => MARKET,
  "GET /perpetual/v1/market/ticker/all": () => ({}),
  "GET /perpetual/v1/market/depth": () => ({ ...MARKET, merge: "0", limit: 10 }),
  "GET /perpetual/v1/market/deals": () => ({ ...MARKET, last_id: 0, limit: 10 }),
  "GET /perpetual/v1/market/kline": () => ({ ...MARKET, type: "1min", limit: 10 }),
  "GET /perpetual/v1/market/funding_history": (stage) => ({ ...MARKET, ...everSince(stage), ...PAGE }),
  "GET /perpetual/v1/market/user_deals": (stage) => ({ ...MARKET, ...BOTH_SIDES, ...everSince(stage), ...PAGE }),
  "POST /perpetual/v1/market/adjust_leverage": () => ({ ...MARKET, leverage: "10", position_type: ISOLATED }),
  "POST /perpetual/v1/market/position_expect": () => ({ ...MARKET, price: "30000", side: BUY }),

  "POST /perpetual/v1/order/put_limit": () => limit,
  "POST /perpetual/v1/order/put_market": () => ({ ...MARKET, side: BUY, amount: "0.001", client_id: CLIENT_ID }),
  "POST /perpetual/v1/order/put_stop_limit": () => stop,
  "POST /perpetual/v1/order/put_stop_market": () => ({ ...stop, price: undefined, effect_type: 0, option: 0 }),
  "POST /perpetual/v1/order/close_limit": (stage) => ({
    ...close(stage),
    amount: "0.0001",
    price: "40000",
    effect_type: 1,
    option: 2,
  }),
  "POST /perpetual/v1/order/close_market": (stage) => ({ ...close(stage), amount: "0.0001" }),
  "POST /perpetual/v1/position/market_close": async ({ caller }) => {
    const market = "BTCUSD";
    await caller.client.act("/v2/futures/order", contract("buy", "10", undefined, { market }));
    const [open] = await caller.client.read("/v2/futures/pending-position", { market, market_type: "FUTURES" });
    return { market, position_id: open.position_id };
  },
  "POST /perpetual/v1/order/modify": async ({ futures }) => ({
    ...MARKET,
    order_id: await futures.rest(),
    amount: "0.002",
    price: "28001",
  }),
  "POST /perpetual/v1/order/modify_stop": async ({ futures }) => ({
    ...MARKET,
    order_id: await futures.wait(),
    amount: "0.002",
    price: "28001",
    stop_price: "27001",
  }),
  "POST /perpetual/v1/order/cancel": async ({ futures }) => ({ ...MARKET, order_id: await futures.rest() }),
  "POST /perpetual/v1/order/cancel_stop": async ({ futures }) => ({ ...MARKET, order_id: await futures.wait() }),
  "POST /perpetual/v1/order/cancel_all": async ({ futures }) => {
    await futures.rest();
    return { ...MARKET, side: BUY };
  },
  "POST /perpetual/v1/order/cancel_stop_all": async ({ futures }) => {
    await futures.wait();
    return { ...MARKET, side: BUY };
  },
  "POST /perpetual/v1/order/cancel_batch": async ({ futures }) => ({
    ...MARKET,
    order_ids: `${await futures.rest()},999999999`,
  }),
  "POST /perpetual/v1/order/cancel/by_client_id": async ({ futures }) => {
    await futures.rest({ client_id: CLIENT_ID });
    return { ...MARKET, client_id: CLIENT_ID };
  },
  "POST /perpetual/v1/order/cancel_stop/by_client_id": async ({ futures }) => {
    await futures.wait({ client_id: CLIENT_ID });
    return { ...MARKET, client_id: CLIENT_ID };
  },
  "GET /perpetual/v1/order/pending": async ({ futures }) => {
    await futures.rest();
    return { ...MARKET, side: BUY, ...PAGE };
  },
  "GET /perpetual/v1/order/stop_pending": async ({ futures }) => {
    await futures.wait();
    return { ...MARKET, side: BUY, ...PAGE };
  },
  "GET /perpetual/v1/order/status": ({ futures }) => ({ ...MARKET, order_id: futures.endedOrderId }),
  "GET /perpetual/v1/order/stop_status": async ({ futures }) => ({ ...MARKET, order_id: await futures.wait() }),
  "GET /perpetual/v1/order/finished": (stage) => ({ ...MARKET, side: BUY, ...everSince(stage), ...PAGE }),
  "GET /perpetual/v1/order/stop_finished": (stage) => ({ ...MARKET, side: BUY, ...everSince(stage), ...PAGE }),

  "GET /perpetual/v1/asset/query": () => ({}),
  "GET /perpetual/v1/position/funding": (stage) => ({ ...MARKET, ...everSince(stage), ...PAGE }),
  "GET /perpetual/v1/position/pending": () => MARKET,
  "POST /perpetual/v1/position/adjust_margin": async ({ caller }) => {
    const isolated = { ...MARKET, market_type: "FUTURES", margin_mode: "isolated", leverage: 10 };
    await caller.client.act("/v2/futures/adjust-position-leverage", isolated);
    return { ...MARKET, amount: "1", type: 1 };
  },
  "POST /perpetual/v1/position/stop_loss": ({ futures }) => ({
    ...MARKET,
    position_id: futures.positionId,
    stop_type: 2,
    stop_loss_price: "25000",
  }),
  "POST /perpetual/v1/position/take_profit": ({ futures }) => ({
    ...MARKET,
    position_id: futures.positionId,
    stop_type: 2,
    take_profit_price: "35000",
  }),
};
