/**
 * Parameters with which each endpoint of the legacy generation answers with every record it can give, as EXAMPLES has
 * them of the current one.
 */
import { accountIdOf } from "../../src/gateway/legacy/accounts.ts";
import type { LegacyName } from "../../src/gateway/legacy/types.generated.ts";
import type { Stage } from "./examples.ts";
import { LEGACY_FUTURES_EXAMPLES } from "./legacy-futures-examples.ts";
import { ADDRESS, see, TX_ID, withdraw } from "./payment-examples.ts";
import type { Params } from "./stage-orders.ts";
import { SUB } from "./sub-examples.ts";

export type LegacyExamples = { readonly [Name in LegacyName]?: (stage: Stage) => Params | Promise<Params> };

const MARKET = { market: "BTCUSDT" };
const PAGE = { page: 1, limit: 10 };
const SPOT = { account_id: 0 };
const CLIENT_ID = "walk-3";
const ON_ERC20 = { coin_type: "DSC", smart_contract_name: "ERC20" };

/** All that happened, in seconds. */
const everSince = ({ venue }: Stage) => ({ start_time: 1, end_time: Math.ceil(venue.control.timeMs / 1_000) });

const order = { ...MARKET, ...SPOT, type: "buy", amount: "0.01", client_id: CLIENT_ID, source_id: "walk" };
const limit = { ...order, price: "20000", option: "NORMAL", hide: true };
const stop = { ...MARKET, ...SPOT, type: "buy", amount: "0.01", stop_price: "21000", client_id: CLIENT_ID };

export const LEGACY_EXAMPLES: LegacyExamples = {
  "GET /v1/market/list": () => ({}),
  "GET /v1/market/info": () => ({}),
  "GET /v1/market/detail": () => MARKET,
  "GET /v1/market/depth": () => ({ ...MARKET, merge: "0", limit: 10 }),
  "GET /v1/market/deals": () => ({ ...MARKET, last_id: 0, limit: 10 }),
  "GET /v1/market/kline": () => ({ ...MARKET, type: "1min", limit: 10 }),
  "GET /v1/market/ticker": () => MARKET,
  "GET /v1/market/ticker/all": () => ({}),
  "GET /v1/common/currency/rate": () => ({}),
  "GET /v1/common/asset/config": () => ({ coin_type: "DSC" }),
  "GET /v1/amm/market": () => ({}),
  "GET /v1/margin/market": () => ({}),
  "GET /v1/common/maintain/info": () => ({}),
  "GET /v1/common/temp-maintain/info": () => ({}),

  "POST /v1/order/limit": () => limit,
  "POST /v1/order/market": () => ({ ...order, amount: "300", amount_asset: "USDT" }),
  "POST /v1/order/ioc": () => ({ ...order, price: "20000" }),
  "POST /v1/order/stop/limit": () => ({ ...stop, price: "20000", option: "NORMAL", hide: true, source_id: "walk" }),
  "POST /v1/order/stop/market": () => ({ ...stop, amount: "300", option: "NORMAL", hide: true, source_id: "walk" }),
  "POST /v1/order/modify": async (stage) => ({ ...MARKET, id: await stage.rest(), amount: "0.02", price: "20001" }),
  "POST /v1/order/stop/modify": async (stage) => ({
    ...MARKET,
    id: await stage.wait(),
    amount: "0.02",
    price: "20001",
    stop_price: "21001",
  }),
  "POST /v1/order/limit/batch": () => ({
    ...MARKET,
    ...SPOT,
    batch_orders: [{ type: "buy", amount: "0.01", price: "20000", option: "NORMAL", hide: true, client_id: CLIENT_ID }],
  }),
  "DELETE /v1/order/pending": async (stage) => ({ ...MARKET, ...SPOT, id: await stage.rest(), type: "buy" }),
  "DELETE /v1/order/pending/batch": async (stage) => ({
    ...MARKET,
    ...SPOT,
    batch_ids: `${await stage.rest()},${await stage.rest()}`,
  }),
  "DELETE /v1/order/pending/by_client_id": async (stage) => {
    await stage.rest({ client_id: CLIENT_ID });
    return { ...MARKET, ...SPOT, client_id: CLIENT_ID };
  },
  "DELETE /v1/order/stop/pending": async (stage) => {
    await stage.wait();
    return { ...MARKET, ...SPOT };
  },
  "DELETE /v1/order/stop/pending/by_client_id": async (stage) => {
    await stage.wait({ client_id: CLIENT_ID });
    return { ...MARKET, ...SPOT, client_id: CLIENT_ID };
  },
  "DELETE /v1/order/stop/pending/{order_id}": async (stage) => ({
    ...MARKET,
    ...SPOT,
    order_id: await stage.wait(),
    type: "buy",
  }),

  "GET /v1/order/status": ({ endedOrderId }) => ({ ...MARKET, id: endedOrderId }),
  "GET /v1/order/status/batch": async (stage) => ({
    ...MARKET,
    batch_ids: `${stage.endedOrderId},${await stage.rest()}`,
  }),
  "GET /v1/order/pending": async (stage) => {
    await stage.rest({ client_id: CLIENT_ID });
    return { ...MARKET, ...SPOT, type: "buy", client_id: CLIENT_ID, ...PAGE };
  },
  "GET /v1/order/stop/pending": async (stage) => {
    await stage.wait({ client_id: CLIENT_ID });
    return { ...MARKET, ...SPOT, type: "buy", client_id: CLIENT_ID, ...PAGE };
  },
  "GET /v1/order/deals": ({ endedOrderId }) => ({ ...SPOT, id: endedOrderId, ...PAGE }),
  "GET /v1/order/user/deals": (stage) => ({ ...MARKET, ...SPOT, type: "buy", ...everSince(stage), ...PAGE }),
  "GET /v1/order/finished": async (stage) => ({
    ...MARKET,
    ...SPOT,
    type: "buy",
    client_id: "walk-1",
    ...everSince(stage),
    ...PAGE,
  }),
  "GET /v1/order/stop/finished": () => ({ ...MARKET, ...SPOT, type: "buy", ...PAGE }),

  "PUT /v1/account/settings": () => ({ cet_discount: true }),
  "GET /v1/account/market/fee": () => ({ ...MARKET, business_type: "SPOT" }),
  "GET /v1/account/balance/history": (stage) => ({
    ...SPOT,
    asset: "BTC",
    business: "trade",
    ...everSince(stage),
    ...PAGE,
  }),
  "GET /v1/account/amm/balance": () => ({}),
  "GET /v1/account/investment/balance": () => ({}),
  "GET /v1/credit/info": () => ({}),
  "GET /v1/credit/balance": () => ({}),
  "GET /v1/balance/info": () => ({}),

  "POST /v1/sub_account/register": ({ subs }) => ({ sub_user_name: subs.newName(), password: "Nobody4sks" }),
  "PUT /v1/sub_account/frozen": () => ({ sub_user_name: "walk-cold" }),
  "PUT /v1/sub_account/unfrozen": () => ({ sub_user_name: "walk-cold" }),
  "POST /v1/sub_account/transfer": () => ({
    coin_type: "USDT",
    amount: "1",
    transfer_side: "in",
    transfer_account: SUB,
  }),
  "POST /v1/sub_account/auth/api": () => ({
    sub_user_name: SUB,
    allow_trade: true,
    allowed_ips: ["192.0.2.1", "192.0.2.2"],
    remark: "for bots",
  }),
  "PUT /v1/sub_account/auth/api/{user_auth_id}": ({ subs }) => ({
    user_auth_id: subs.apiId,
    sub_user_name: SUB,
    allow_trade: false,
    allowed_ips: ["192.0.2.1"],
    remark: "read only",
  }),
  "DELETE /v1/sub_account/auth/api/{user_auth_id}": async ({ subs }) => ({ user_auth_id: await subs.makeKey() }),
  "GET /v1/sub_account/auth/api": () => ({ sub_user_name: SUB, ...PAGE }),
  "GET /v1/sub_account/auth/api/{user_auth_id}": ({ subs }) => ({ user_auth_id: subs.apiId }),
  "GET /v1/sub_account/balance": () => ({ sub_user_name: SUB, coin_type: "USDT" }),
  "GET /v1/sub_account/transfer/history": (stage) => ({
    sub_user_name: SUB,
    coin_type: "USDT",
    ...everSince(stage),
    ...PAGE,
  }),

  "POST /v1/margin/loan": () => ({ ...MARKET, coin_type: "USDT", amount: "10", renew: 1 }),
  "POST /v1/margin/flat": ({ borrowId }) => ({ ...MARKET, coin_type: "USDT", amount: "0.1", loan_id: borrowId }),
  "POST /v1/margin/transfer": (stage) => ({
    from_account: 0,
    to_account: accountOf(stage),
    coin_type: "USDT",
    amount: "1",
  }),
  "GET /v1/margin/account": () => MARKET,
  "GET /v1/margin/config": () => MARKET,
  "GET /v1/margin/loan/history": () => ({ ...MARKET, status: "pass", ...PAGE }),
  "GET /v1/margin/transfer/history": (stage) => ({
    asset: "USDT",
    ...MARKET,
    transfer_type: "IN",
    ...everSince(stage),
    ...PAGE,
  }),
  "GET /v1/investment/transfer/history": (stage) => ({
    asset: "USDT",
    op_type: "IN",
    ...everSince(stage),
    ...PAGE,
  }),
  "POST /v1/contract/balance/transfer": () => ({ coin_type: "USDT", amount: "1", transfer_side: "in" }),
  "GET /v1/contract/transfer/history": (stage) => ({
    asset: "USDT",
    transfer_type: "transfer_in",
    ...everSince(stage),
    ...PAGE,
  }),

  "GET /v1/balance/deposit/address/{coin_type}": () => ON_ERC20,
  "PUT /v1/balance/deposit/address/{coin_type}": async (stage) => {
    await see(stage);
    return ON_ERC20;
  },
  "GET /v1/balance/coin/deposit": () => ({ coin_type: "DSC", status: "processing", tx_id: TX_ID, ...PAGE }),
  "POST /v1/balance/coin/withdraw": () => ({
    ...ON_ERC20,
    coin_address: ADDRESS.toLowerCase(),
    actual_amount: "25",
    transfer_method: "onchain",
  }),
  "DELETE /v1/balance/coin/withdraw": async (stage) => ({ coin_withdraw_id: await withdraw(stage) }),
  "GET /v1/balance/coin/withdraw": () => ({ coin_type: "DSC", coin_withdraw_id: 1, ...PAGE }),

  ...LEGACY_FUTURES_EXAMPLES,
};

/** The account in which the caller has a loan. */
function accountOf({ venue }: Stage): number {
  const { state } = venue.engine;
  return accountIdOf(state, { account: "margin", marketId: state.marketNamed("BTCUSDT", false)?.id as number });
}

/** Optional parameters of which one must be there all the same, as the contract says in words. */
export const LEGACY_NEEDED: { readonly [Name in LegacyName]?: string } = {
  "POST /v1/order/modify": "amount",
  "POST /v1/order/stop/modify": "amount",
  "POST /perpetual/v1/order/modify": "amount",
  "POST /perpetual/v1/order/modify_stop": "amount",
  // Without it the position of the walk would end.
  "POST /perpetual/v1/order/close_market": "amount",
  "PUT /v1/account/settings": "cet_discount",
  "PUT /v1/balance/deposit/address/{coin_type}": "smart_contract_name",
  "GET /v1/balance/deposit/address/{coin_type}": "smart_contract_name",
  "POST /v1/balance/coin/withdraw": "smart_contract_name",
};

/** As EMPTY_BY_NATURE. */
export const LEGACY_EMPTY: ReadonlySet<string> = new Set(["GET /v1/credit/balance"]);
