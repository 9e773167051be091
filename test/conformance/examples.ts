import { setTimeout as pause } from "node:timers/promises";
import type { EndpointName } from "../../src/gateway/current/types.generated.ts";
import {
  type ApiUser,
  type ApiVenue,
  type ApiVenueOptions,
  bitcoinApiVenue,
  limitOrder,
  marketOrder,
} from "../support/served-venue.ts";
import { marketOf } from "../support/venue.ts";
import { CONDITIONAL_EXAMPLES } from "./conditional-examples.ts";
import { FUTURES_EXAMPLES, type FuturesStage, openFuturesStage } from "./futures-examples.ts";
import { openPaymentsStage, PAYMENT_EXAMPLES } from "./payment-examples.ts";
import { openPoolStage, POOL_EXAMPLES, type PoolStage } from "./pool-examples.ts";
import { type Params, rest, wait } from "./stage-orders.ts";
import { openSubStage, SUB_EXAMPLES, type SubStage } from "./sub-examples.ts";

export type { Params };

/** A venue in which something of everything has happened, and who calls. */
export interface Stage {
  readonly venue: ApiVenue;
  readonly caller: ApiUser;
  /** An order of the caller that has ended with a fill. */
  readonly endedOrderId: number;
  /** A loan of the caller's margin account in BTCUSDT. */
  readonly borrowId: number;
  /** Places an order of the caller that rests; its id. */
  rest(more?: object): Promise<number>;
  /** Places a stop order of the caller that waits; its id. */
  wait(more?: object): Promise<number>;
  /** The same of futures. */
  readonly futures: FuturesStage;
  readonly subs: SubStage;
  readonly pools: PoolStage;
}

/** Counts what the venue owes, unless it has: the next count would have to wait. */
async function countOnce(venue: ApiVenue): Promise<void> {
  const newest = async () => (await venue.anybody.read("/v2/ext/liabilities"))[0];
  if ((await newest()) !== undefined) return;
  await venue.operate({ kind: "count_liabilities" });
  while ((await newest()) === undefined) await pause(5);
}

const OF_BTCUSDT = { market: "BTCUSDT", market_type: "SPOT" };
const CLIENT_ID = "walk-1";
const PAGE = { page: 1, limit: 10 };

/**
 * Parameters with which each endpoint that is served answers with every record it can give. Made anew for each call,
 * since some use up what they name. An endpoint that is not here is not served, and the other way round.
 */
export const EXAMPLES: { readonly [Name in EndpointName]?: (stage: Stage) => Params | Promise<Params> } = {
  "GET /ping": () => ({}),
  "GET /time": () => ({}),
  "GET /maintain/info": () => ({}),
  "GET /maintain-info": () => ({}),

  "GET /spot/market": () => ({ market: "BTCUSDT,ETHUSDT" }),
  "GET /spot/ticker": () => ({ market: "BTCUSDT" }),
  "GET /spot/depth": () => ({ market: "BTCUSDT", limit: 10, interval: "0" }),
  "GET /spot/deals": () => ({ market: "BTCUSDT", limit: 10, last_id: 0 }),
  "GET /spot/kline": ({ venue }) => ({
    market: "BTCUSDT",
    period: "1min",
    price_type: "latest_price",
    limit: 10,
    start_time: 0,
    end_time: venue.control.timeMs,
  }),
  "GET /spot/index": () => ({ market: "BTCUSDT" }),

  "POST /spot/order": () => ({
    ...limitOrder("buy", "0.01", "20000"),
    ccy: "BTC",
    client_id: CLIENT_ID,
    is_hide: true,
    stp_mode: "ct",
  }),
  "POST /spot/batch-order": () => ({
    orders: [limitOrder("buy", "0.01", "20000"), marketOrder("buy", "300", { ccy: "USDT" })],
  }),
  "POST /spot/modify-order": async ({ rest }) => ({
    ...OF_BTCUSDT,
    order_id: await rest(),
    amount: "0.02",
    price: "20001",
  }),
  "POST /spot/batch-modify-order": async ({ rest }) => ({
    orders: [{ ...OF_BTCUSDT, order_id: await rest(), amount: "0.02", price: "20001" }],
  }),
  "POST /spot/cancel-order": async ({ rest }) => ({ ...OF_BTCUSDT, order_id: await rest() }),
  "POST /spot/cancel-batch-order": async ({ rest }) => ({ ...OF_BTCUSDT, order_ids: [await rest(), await rest()] }),
  "POST /spot/cancel-all-order": async ({ rest }) => {
    await rest();
    return { ...OF_BTCUSDT, side: "buy" };
  },
  "POST /spot/cancel-order-by-client-id": async ({ rest }) => {
    await rest({ client_id: CLIENT_ID });
    return { ...OF_BTCUSDT, client_id: CLIENT_ID };
  },

  "POST /spot/stop-order": () => ({
    ...limitOrder("buy", "0.01", "20000"),
    trigger_price: "21000",
    ccy: "BTC",
    client_id: CLIENT_ID,
    is_hide: true,
    stp_mode: "ct",
  }),
  "POST /spot/batch-stop-order": () => ({
    orders: [
      limitOrder("buy", "0.01", "20000", { trigger_price: "21000" }),
      marketOrder("buy", "300", { ccy: "USDT", trigger_price: "21000" }),
    ],
  }),
  "POST /spot/modify-stop-order": async ({ wait }) => ({
    ...OF_BTCUSDT,
    stop_id: await wait(),
    amount: "0.02",
    price: "20001",
    trigger_price: "21001",
  }),
  "POST /spot/cancel-stop-order": async ({ wait }) => ({ ...OF_BTCUSDT, stop_id: await wait() }),
  "POST /spot/cancel-batch-stop-order": async ({ wait }) => ({ ...OF_BTCUSDT, stop_ids: [await wait(), await wait()] }),
  "POST /spot/cancel-stop-order-by-client-id": async ({ wait }) => {
    await wait({ client_id: CLIENT_ID });
    return { ...OF_BTCUSDT, client_id: CLIENT_ID };
  },
  "GET /spot/pending-stop-order": async ({ wait }) => {
    await wait({ client_id: CLIENT_ID });
    return { ...OF_BTCUSDT, side: "buy", client_id: CLIENT_ID, page: 1, limit: 10 };
  },
  "GET /spot/finished-stop-order": () => ({ ...OF_BTCUSDT, side: "buy", page: 1, limit: 10 }),

  "GET /spot/order-status": ({ endedOrderId }) => ({ market: "BTCUSDT", order_id: endedOrderId }),
  "GET /spot/batch-order-status": async ({ rest, endedOrderId }) => ({
    market: "BTCUSDT",
    order_ids: `${endedOrderId},${await rest()}`,
  }),
  "GET /spot/pending-order": async ({ rest }) => {
    await rest({ client_id: CLIENT_ID });
    return { ...OF_BTCUSDT, side: "buy", client_id: CLIENT_ID, page: 1, limit: 10 };
  },
  "GET /spot/finished-order": () => ({ ...OF_BTCUSDT, side: "buy", client_id: CLIENT_ID, page: 1, limit: 10 }),
  "GET /spot/user-deals": ({ venue }) => ({
    ...OF_BTCUSDT,
    side: "buy",
    start_time: 0,
    end_time: venue.control.timeMs,
    page: 1,
    limit: 10,
  }),
  "GET /spot/order-deals": ({ endedOrderId }) => ({ ...OF_BTCUSDT, order_id: endedOrderId, page: 1, limit: 10 }),

  ...FUTURES_EXAMPLES,
  ...CONDITIONAL_EXAMPLES,
  ...SUB_EXAMPLES,
  ...POOL_EXAMPLES,
  ...PAYMENT_EXAMPLES,

  "GET /account/info": () => ({}),
  "POST /account/settings": () => ({ cet_discount_enabled: true }),
  "GET /account/trade-fee-rate": () => OF_BTCUSDT,
  "GET /account/futures-market-settings": () => ({}),
  "POST /account/futures-market-settings": () => ({ settle_switch: 1, position_mode: "one_way" }),
  "GET /assets/futures/balance": () => ({}),
  "POST /assets/transfer": () => ({
    from_account_type: "SPOT",
    to_account_type: "FUTURES",
    ccy: "USDT",
    amount: "1",
    market: "BTCUSDT",
  }),
  "GET /assets/transfer-history": ({ venue }) => ({
    ccy: "USDT",
    transfer_type: "FUTURES",
    status: "finished",
    start_time: 0,
    end_time: venue.control.timeMs,
    page: 1,
    limit: 10,
  }),
  "GET /assets/margin/balance": () => ({ market: "BTCUSDT" }),
  "POST /assets/margin/borrow": () => ({
    market: "BTCUSDT",
    ccy: "USDT",
    borrow_amount: "10",
    is_auto_renew: true,
  }),
  "POST /assets/margin/repay": ({ borrowId }) => ({
    market: "BTCUSDT",
    ccy: "USDT",
    amount: "0.1",
    borrow_amount: "0.1",
    borrow_id: borrowId,
  }),
  "GET /assets/margin/borrow-history": () => ({ market: "BTCUSDT", status: "loan", page: 1, limit: 10 }),
  "GET /assets/margin/interest-limit": () => ({ market: "BTCUSDT", ccy: "USDT" }),
  "GET /assets/spot/balance": () => ({}),
  "GET /assets/statement": ({ venue }) => ({
    account_type: "SPOT",
    ccy: "BTC",
    type: "fee",
    start_time: 0,
    end_time: venue.control.timeMs,
    page: 1,
    limit: 10,
  }),
  "GET /assets/spot/transcation-history": ({ venue }) => ({
    ccy: "BTC",
    type: "trade",
    start_time: 0,
    end_time: venue.control.timeMs,
    page: 1,
    limit: 10,
  }),
  "POST /ext/cancel-after": () => ({ timeout_ms: 600_000, scope: "SPOT" }),
  "GET /ext/cancel-after": async ({ caller }) => {
    await caller.client.act("/v2/ext/cancel-after", { timeout_ms: 600_000 });
    return {};
  },
  "POST /ext/market-maker-protection": () => ({ ...OF_BTCUSDT, window_ms: 1_000, max_fills: 50, max_amount: "5" }),
  "GET /ext/market-maker-protection": async ({ caller }) => {
    await caller.client.act("/v2/ext/market-maker-protection", { ...OF_BTCUSDT, window_ms: 1_000, max_fills: 50 });
    return {};
  },
  "POST /ext/market-maker-protection/reset": async ({ caller }) => {
    await caller.client.act("/v2/ext/market-maker-protection", { ...OF_BTCUSDT, window_ms: 1_000, max_fills: 50 });
    return OF_BTCUSDT;
  },
  "POST /ext/mass-quote": () => ({
    quotes: [
      { ...OF_BTCUSDT, bid_price: "20000", bid_amount: "0.01" },
      { ...OF_BTCUSDT, bid_price: "19900", bid_amount: "0.01" },
    ],
  }),
  "GET /ext/liabilities": async ({ venue }) => {
    await countOnce(venue);
    return { limit: 31 };
  },
  "GET /ext/liability-proof": async ({ venue }) => {
    await countOnce(venue);
    return {};
  },
  "GET /assets/info": () => ({}),
  "GET /assets/all-deposit-withdraw-config": () => ({}),

  "GET /refer/referee": ({ venue }) => ({ search: "friend", start_time: 0, end_time: venue.control.timeMs, ...PAGE }),
  "GET /refer/referee-rebate/record": ({ venue }) => ({ start_time: 0, end_time: venue.control.timeMs, ...PAGE }),
  "GET /refer/referee-rebate/detail": ({ venue }) => ({
    search: "friend",
    start_time: 0,
    end_time: venue.control.timeMs,
    ...PAGE,
  }),
  "GET /refer/agent-referee": () => ({ search: "agent", ...PAGE }),
  "GET /refer/agent-rebate/record": ({ venue }) => ({ start_time: 0, end_time: venue.control.timeMs, ...PAGE }),
  "GET /refer/agent-rebate/detail": ({ venue }) => ({
    search: "friend",
    start_time: 0,
    end_time: venue.control.timeMs,
    ...PAGE,
  }),

  "GET /assets/financial/balance": () => ({}),
  "GET /assets/credit/info": () => ({}),
  "GET /assets/credit/balance": () => ({}),
};

/** Optional parameters of which one must be there all the same, as the contract says in words. */
export const NEEDED_ALL_THE_SAME: { readonly [Name in EndpointName]?: string } = {
  "POST /assets/withdraw": "chain",
  "POST /ext/market-maker-protection": "max_fills",
  "POST /spot/modify-order": "amount",
  "POST /spot/modify-stop-order": "amount",
  "POST /futures/modify-order": "amount",
  "POST /futures/modify-stop-order": "amount",
  "POST /futures/modify-position-stop-loss": "stop_loss_price",
  "POST /futures/modify-position-take-profit": "take_profit_price",
  "POST /account/futures-market-settings": "settle_switch",
  "POST /account/subs/transfer": "to_user_name",
  "POST /assets/margin/repay": "amount",
  "POST /ext/spot/trailing-stop": "trail",
  "POST /ext/futures/trailing-stop": "trail",
  "POST /ext/spot/bracket": "stop_loss_price",
  "POST /ext/futures/bracket": "stop_loss_price",
};

/**
 * Endpoints that have nothing to list: a caller with a credit could not withdraw what has no index.
 * test/api/credit.test.ts shows them full.
 */
export const EMPTY_BY_NATURE: ReadonlySet<string> = new Set(["GET /assets/credit/balance"]);

/** Sets the stage: markets with an index, a book, deals, candles, a currency with a chain, a caller with a past. */
export async function openStage(options: ApiVenueOptions = {}): Promise<Stage> {
  const venue = await bitcoinApiVenue(options);
  await venue.operate({
    kind: "list_asset",
    ccy: "DSC",
    scale: 8,
    chains: [
      {
        chain: "ERC20",
        minDepositAmount: "10",
        minWithdrawAmount: "20",
        depositEnabled: true,
        withdrawEnabled: true,
        depositDelayMinutes: 5,
        safeConfirmations: 12,
        irreversibleConfirmations: 24,
        deflationRate: "0",
        withdrawalFee: "1.5",
        withdrawalPrecision: 6,
        memo: "",
        isMemoRequiredForDeposit: false,
        explorerAssetUrl: "",
        identity: "",
      },
    ],
  });
  const { userId } = await venue.addUser("caller", { USDT: "1000000", BTC: "100", DSC: "100000" });
  const caller = { userId, client: await venue.addKey(userId, ["read", "trade", "withdraw"]) };
  const maker = await venue.addUser("maker", { USDT: "1000000", BTC: "100" });
  await openPaymentsStage({ venue, caller });
  // A day passes in it.
  const pools = await openPoolStage(venue, caller);
  await inviteFriends(venue, caller, maker);
  // Hours pass in it.
  const futures = await openFuturesStage(venue, caller, maker);
  await venue.operate({
    kind: "set_index_prices",
    market: "BTCUSDT",
    sources: [{ exchange: "alpha", price: "30000" }],
  });
  // What is withdrawn has a price: the caller owes a credit, and what leaves is held against it.
  await venue.operate({ ...marketOf("DSC", "USDT"), minAmount: "1" });
  await venue.operate({ kind: "set_index_prices", market: "DSCUSDT", sources: [{ exchange: "alpha", price: "0.1" }] });
  const soon = venue.control.timeMs + 3_600_000;
  const planned = { scope: ["SPOT", "FUTURES"] as const, startedAt: soon, endedAt: soon + 1, announceEnabled: true };
  const protection = { protectDurationStart: soon + 1, protectDurationEnd: soon + 2 };
  await venue.operate({
    kind: "plan_maintenance",
    ...planned,
    ...protection,
    announceUrl: "https://example.com/notice",
  });
  await venue.operate({
    kind: "move_savings",
    userId: caller.userId,
    to: "FINANCIAL",
    ccy: "USDT",
    amount: "1000",
    note: "",
  });
  await venue.operate({ kind: "deposit", cell: "sys:lend_pool", ccy: "USDT", amount: "1000000", note: "" });
  await venue.operate({
    kind: "set_margin_market",
    market: "BTCUSDT",
    leverage: 5,
    loans: [{ ccy: "USDT", minAmount: "10", maxAmount: "1000000", dailyInterestRate: "0.0009" }],
  });
  const toMargin = { from_account_type: "SPOT", to_account_type: "MARGIN", market: "BTCUSDT", ccy: "USDT" };
  await caller.client.act("/v2/assets/transfer", { ...toMargin, amount: "10000" });
  const loan = { market: "BTCUSDT", ccy: "USDT", borrow_amount: "1000", is_auto_renew: false };
  const { borrow_id: borrowId } = await caller.client.act("/v2/assets/margin/borrow", loan);
  await maker.client.act("/v2/spot/order", limitOrder("sell", "50", "30000"));
  await maker.client.act("/v2/spot/order", limitOrder("buy", "1", "29000"));
  const bought = limitOrder("buy", "0.5", "30000", { client_id: CLIENT_ID });
  const { order_id } = await caller.client.act("/v2/spot/order", bought);
  // Fires at once, at the latest price.
  await caller.client.act("/v2/spot/stop-order", limitOrder("buy", "0.01", "20000", { trigger_price: "30000" }));
  return {
    venue,
    caller,
    endedOrderId: order_id,
    borrowId,
    rest: (more = {}) => rest(caller, "spot", limitOrder("buy", "0.01", "20000", more)),
    wait: (more = {}) => wait(caller, "spot", limitOrder("buy", "0.01", "20000", { trigger_price: "21000", ...more })),
    futures,
    subs: await openSubStage(caller),
    pools,
  };
}

/** The caller invited one friend, an agent of his another; both traded before the last midnight. */
async function inviteFriends(venue: ApiVenue, caller: ApiUser, maker: ApiUser): Promise<void> {
  const agent = await venue.addUser("agent", {});
  await venue.operate({
    kind: "set_agent",
    userId: agent.userId,
    ofUserId: caller.userId,
    rate: "0.1",
    remark: "north",
  });
  const sell = limitOrder("sell", "0.01", "30000");
  for (const [inviter, code] of [
    [caller, "MINE"],
    [agent, "THEIRS"],
  ] as const) {
    const friend = await venue.addUser(`friend-${code.toLowerCase()}`, { USDT: "1000" });
    const { userId } = inviter;
    await venue.operate({ kind: "create_refer_code", userId, code, referrerRate: "0.2", refereeRate: "0.1" });
    await venue.operate({ kind: "bind_referee", userId: friend.userId, code });
    await maker.client.act("/v2/spot/order", sell);
    await friend.client.act("/v2/spot/order", limitOrder("buy", "0.01", "30000"));
  }
  const dayMs = 86_400_000;
  venue.control.timeMs += dayMs - (venue.control.timeMs % dayMs);
  await venue.operate({ kind: "tick" });
}
