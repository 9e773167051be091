/**
 * What a user may do in either generation of the API: each action in the words of both. Orders and positions are named
 * by their place among those that are there, so that any sequence of actions makes sense.
 */
import fc from "fast-check";
import type { Account } from "../../src/engine/command.ts";
import type { State } from "../../src/engine/state.ts";
import { accountIdOf } from "../../src/gateway/legacy/accounts.ts";
import { openOrders } from "../../src/gateway/reading/open-orders.ts";
import { openSlots } from "../../src/gateway/reading/open-positions.ts";
import { waitingStops } from "../../src/gateway/reading/waiting-stops.ts";
import type { LegacyMethod, LegacyRequest } from "./client.ts";

/** One call, as either generation makes it. */
export interface Action {
  readonly current: readonly [path: string, body: LegacyRequest];
  readonly legacy: readonly [method: LegacyMethod, path: string, params: LegacyRequest];
}

/** Who does it, and what there is. */
export interface Actor {
  readonly state: State;
  readonly userId: number;
}

/** What an action comes to for an actor. */
export type Plan = (actor: Actor) => Action;

const MARKET = "BTCUSDT";
const OPTIONS = { NORMAL: "limit", IOC: "ioc", FOK: "fok", MAKER_ONLY: "maker_only" } as const;
const SIDES = { sell: 1, buy: 2 } as const;
const EFFECTS = { limit: 1, ioc: 2, fok: 3, maker_only: 1 } as const;

const side = fc.constantFrom("buy", "sell");
const option = fc.constantFrom<(keyof typeof OPTIONS)[]>("NORMAL", "NORMAL", "IOC", "FOK", "MAKER_ONLY");
const price = fc.integer({ min: 2_990, max: 3_010 }).map((tens) => String(tens * 10));
const amount = fc.integer({ min: 1, max: 40 }).map((mills) => (mills / 1_000).toString());
const clientId = fc.constantFrom(undefined, undefined, "a", "b");
const hidden = fc.boolean();
const nth = fc.constantFrom(0, 0, 0, 1, 2, 4);
const inMargin = fc.constantFrom(false, false, true);
const maybe = <Value>(values: fc.Arbitrary<Value>) => fc.option(values, { nil: undefined });

/** Spot orders, in the spot account or in the margin account of the market. */
const spotOrders: readonly fc.Arbitrary<Plan>[] = [
  fc.record({ side, option, price, amount, clientId, hidden, inMargin }).map((of) => (actor) => ({
    current: ["/spot/order", { ...spotOrder(of), type: OPTIONS[of.option], price: of.price, is_hide: of.hidden }],
    legacy: ["POST", "/order/limit", { ...oldOrder(actor, of), option: of.option, price: of.price, hide: of.hidden }],
  })),
  fc.record({ side, amount, clientId, inMargin, inBase: fc.boolean() }).map((of) => (actor) => {
    const counted = of.side === "buy" && !of.inBase ? { amount: String(Number(of.amount) * 30_000) } : {};
    const ccy = of.side === "buy" && !of.inBase ? "USDT" : "BTC";
    return {
      current: ["/spot/order", { ...spotOrder(of), ...counted, type: "market", ccy }],
      legacy: ["POST", "/order/market", { ...oldOrder(actor, of), ...counted, amount_asset: ccy }],
    };
  }),
  fc.record({ side, price, amount, clientId, inMargin }).map((of) => (actor) => ({
    current: ["/spot/order", { ...spotOrder(of), type: "ioc", price: of.price }],
    legacy: ["POST", "/order/ioc", { ...oldOrder(actor, of), price: of.price }],
  })),
  fc.array(fc.record({ side, option, price, amount, clientId }), { minLength: 1, maxLength: 3 }).map((of) => () => ({
    current: [
      "/spot/batch-order",
      { orders: of.map((each) => ({ ...spotOrder(each), type: OPTIONS[each.option], price: each.price })) },
    ],
    legacy: [
      "POST",
      "/order/limit/batch",
      {
        market: MARKET,
        batch_orders: of.map((each) => ({
          type: each.side,
          option: each.option,
          amount: each.amount,
          price: each.price,
          client_id: each.clientId,
        })),
      },
    ],
  })),
  fc.record({ side, option, price, stop: price, amount, clientId, inMargin }).map((of) => (actor) => ({
    current: [
      "/spot/stop-order",
      { ...spotOrder(of), type: OPTIONS[of.option], price: of.price, trigger_price: of.stop },
    ],
    legacy: [
      "POST",
      "/order/stop/limit",
      { ...oldOrder(actor, of), option: of.option, price: of.price, stop_price: of.stop },
    ],
  })),
];

/** What becomes of them. */
const spotChanges: readonly fc.Arbitrary<Plan>[] = [
  fc.record({ nth, price: maybe(price), amount: maybe(amount) }).map((of) => (actor) => {
    const id = orderId(actor, "spot", of.nth);
    const change = { amount: of.amount, price: of.price ?? (of.amount === undefined ? "29900" : undefined) };
    return {
      current: ["/spot/modify-order", { ...ofSpot(false), order_id: id, ...change }],
      legacy: ["POST", "/order/modify", { market: MARKET, id, ...change }],
    };
  }),
  fc.record({ nth, price: maybe(price), stop: price }).map((of) => (actor) => {
    const id = stopId(actor, "spot", of.nth);
    return {
      current: ["/spot/modify-stop-order", { ...ofSpot(false), stop_id: id, price: of.price, trigger_price: of.stop }],
      legacy: ["POST", "/order/stop/modify", { market: MARKET, id, price: of.price, stop_price: of.stop }],
    };
  }),
  fc.record({ nth, inMargin }).map((of) => (actor) => {
    const id = orderId(actor, of.inMargin ? "margin" : "spot", of.nth);
    return {
      current: ["/spot/cancel-order", { ...ofSpot(of.inMargin), order_id: id }],
      legacy: ["DELETE", "/order/pending", { market: MARKET, account_id: accountId(actor, of.inMargin), id }],
    };
  }),
  fc.record({ side: maybe(side), inMargin }).map((of) => (actor) => ({
    current: ["/spot/cancel-all-order", { ...ofSpot(of.inMargin), side: of.side }],
    legacy: ["DELETE", "/order/pending", { market: MARKET, account_id: accountId(actor, of.inMargin), type: of.side }],
  })),
  fc.array(nth, { minLength: 1, maxLength: 3 }).map((of) => (actor) => {
    const ids = of.map((each) => orderId(actor, "spot", each));
    return {
      current: ["/spot/cancel-batch-order", { market: MARKET, market_type: "SPOT", order_ids: ids }],
      legacy: ["DELETE", "/order/pending/batch", { market: MARKET, batch_ids: ids.join() }],
    };
  }),
  fc.constantFrom("a", "b").map((client_id) => () => ({
    current: ["/spot/cancel-order-by-client-id", { ...ofSpot(false), client_id }],
    legacy: ["DELETE", "/order/pending/by_client_id", { market: MARKET, client_id }],
  })),
  fc.record({ nth }).map((of) => (actor) => {
    const id = stopId(actor, "spot", of.nth);
    return {
      current: ["/spot/cancel-stop-order", { ...ofSpot(false), stop_id: id }],
      legacy: ["DELETE", `/order/stop/pending/${id}`, { market: MARKET }],
    };
  }),
  fc.constantFrom("a", "b").map((client_id) => () => ({
    current: ["/spot/cancel-stop-order-by-client-id", { ...ofSpot(false), client_id }],
    legacy: ["DELETE", "/order/stop/pending/by_client_id", { market: MARKET, client_id }],
  })),
];

const perpetual = (path: string, params: LegacyRequest) => ["POST", `/perpetual/v1${path}`, params] as const;
const OF_FUTURES = { market: MARKET, market_type: "FUTURES" };

/** Orders of futures. */
const futuresOrders: readonly fc.Arbitrary<Plan>[] = [
  fc.record({ side, option, price, amount, clientId, hidden }).map((of) => () => ({
    current: ["/futures/order", { ...futuresOrder(of), type: OPTIONS[of.option], price: of.price, is_hide: of.hidden }],
    legacy: perpetual("/order/put_limit", { ...oldFuturesOrder(of), ...termsOf(of), price: of.price }),
  })),
  fc.record({ side, amount, clientId }).map((of) => () => ({
    current: ["/futures/order", { ...futuresOrder(of), type: "market" }],
    legacy: perpetual("/order/put_market", oldFuturesOrder(of)),
  })),
  fc.record({ side, option, price, amount, clientId, stop: price, by: fc.constantFrom(1, 2, 3) }).map((of) => () => ({
    current: [
      "/futures/stop-order",
      {
        ...futuresOrder(of),
        type: OPTIONS[of.option],
        price: of.price,
        trigger_price: of.stop,
        trigger_price_type: ["latest_price", "mark_price", "index_price"][of.by - 1],
      },
    ],
    legacy: perpetual("/order/put_stop_limit", {
      ...oldFuturesOrder(of),
      ...termsOf({ ...of, hidden: false }),
      price: of.price,
      stop_price: of.stop,
      stop_type: of.by,
    }),
  })),
];

/** What becomes of them, and of positions. */
const futuresChanges: readonly fc.Arbitrary<Plan>[] = [
  fc.record({ nth, price, amount: maybe(amount) }).map((of) => (actor) => {
    const change = { order_id: orderId(actor, "futures", of.nth), price: of.price, amount: of.amount };
    return {
      current: ["/futures/modify-order", { ...OF_FUTURES, ...change }],
      legacy: perpetual("/order/modify", { market: MARKET, ...change }),
    };
  }),
  fc.record({ nth, stop: price }).map((of) => (actor) => {
    const id = stopId(actor, "futures", of.nth);
    return {
      current: ["/futures/modify-stop-order", { ...OF_FUTURES, stop_id: id, trigger_price: of.stop }],
      legacy: perpetual("/order/modify_stop", { market: MARKET, order_id: id, stop_price: of.stop }),
    };
  }),
  fc.record({ nth }).map((of) => (actor) => {
    const order_id = orderId(actor, "futures", of.nth);
    return {
      current: ["/futures/cancel-order", { ...OF_FUTURES, order_id }],
      legacy: perpetual("/order/cancel", { market: MARKET, order_id }),
    };
  }),
  fc.record({ nth }).map((of) => (actor) => {
    const id = stopId(actor, "futures", of.nth);
    return {
      current: ["/futures/cancel-stop-order", { ...OF_FUTURES, stop_id: id }],
      legacy: perpetual("/order/cancel_stop", { market: MARKET, order_id: id }),
    };
  }),
  maybe(side).map((which) => () => ({
    current: ["/futures/cancel-all-order", { ...OF_FUTURES, side: which }],
    legacy: perpetual("/order/cancel_all", { market: MARKET, side: which === undefined ? 0 : SIDES[which] }),
  })),
  fc.array(nth, { minLength: 1, maxLength: 3 }).map((of) => (actor) => {
    const ids = of.map((each) => orderId(actor, "futures", each));
    return {
      current: ["/futures/cancel-batch-order", { ...OF_FUTURES, order_ids: ids }],
      legacy: perpetual("/order/cancel_batch", { market: MARKET, order_ids: ids.join() }),
    };
  }),
  fc.constantFrom("a", "b").map((client_id) => () => ({
    current: ["/futures/cancel-order-by-client-id", { ...OF_FUTURES, client_id }],
    legacy: perpetual("/order/cancel/by_client_id", { market: MARKET, client_id }),
  })),
  fc.record({ price, amount, clientId, hidden }).map((of) => (actor) => ({
    current: [
      "/futures/close-position",
      {
        ...OF_FUTURES,
        type: "limit",
        price: of.price,
        amount: of.amount,
        client_id: of.clientId,
        is_hide: of.hidden,
      },
    ],
    legacy: perpetual("/order/close_limit", {
      market: MARKET,
      position_id: positionId(actor),
      price: of.price,
      amount: of.amount,
      client_id: of.clientId,
      effect_type: 1,
      option: of.hidden ? 2 : 0,
    }),
  })),
  fc.record({ amount: maybe(amount), whole: fc.boolean() }).map((of) => (actor) => ({
    current: ["/futures/close-position", { ...OF_FUTURES, type: "market", amount: of.whole ? undefined : of.amount }],
    legacy: of.whole
      ? perpetual("/position/market_close", { market: MARKET, position_id: positionId(actor) })
      : perpetual("/order/close_market", { market: MARKET, position_id: positionId(actor), amount: of.amount }),
  })),
  fc.record({ leverage: fc.constantFrom(5, 10, 20, 7_000), isolated: fc.boolean() }).map((of) => () => ({
    current: [
      "/futures/adjust-position-leverage",
      { ...OF_FUTURES, margin_mode: of.isolated ? "isolated" : "cross", leverage: of.leverage },
    ],
    legacy: perpetual("/market/adjust_leverage", {
      market: MARKET,
      leverage: String(of.leverage),
      position_type: of.isolated ? 1 : 2,
    }),
  })),
  fc.record({ amount: fc.constantFrom("1", "20", "999999999"), isMore: fc.boolean() }).map((of) => () => ({
    current: ["/futures/adjust-position-margin", { ...OF_FUTURES, amount: of.isMore ? of.amount : `-${of.amount}` }],
    legacy: perpetual("/position/adjust_margin", { market: MARKET, amount: of.amount, type: of.isMore ? 1 : 2 }),
  })),
  fc
    .record({ exit: fc.constantFrom("stop_loss", "take_profit"), price, byMark: fc.boolean() })
    .map((of) => (actor) => ({
      current: [
        `/futures/set-position-${of.exit.replace("_", "-")}`,
        {
          ...OF_FUTURES,
          [`${of.exit}_type`]: of.byMark ? "mark_price" : "latest_price",
          [`${of.exit}_price`]: of.price,
        },
      ],
      legacy: perpetual(`/position/${of.exit}`, {
        market: MARKET,
        position_id: positionId(actor),
        stop_type: of.byMark ? 2 : 1,
        [`${of.exit}_price`]: of.price,
      }),
    })),
];

/** Money between accounts, loans, sub-accounts and settings. */
const wallet: readonly fc.Arbitrary<Plan>[] = [
  fc.record({ amount: fc.constantFrom("1", "250.5", "99999999"), isIn: fc.boolean() }).map((of) => () => ({
    current: ["/assets/transfer", { ...transferOf(of.isIn, "FUTURES"), ccy: "USDT", amount: of.amount }],
    legacy: [
      "POST",
      "/contract/balance/transfer",
      { coin_type: "USDT", amount: of.amount, transfer_side: of.isIn ? "in" : "out" },
    ],
  })),
  fc.record({ amount: fc.constantFrom("1", "100.5", "99999999"), isIn: fc.boolean() }).map((of) => (actor) => {
    const [from_account, to_account] = of.isIn ? [0, accountId(actor, true)] : [accountId(actor, true), 0];
    return {
      current: [
        "/assets/transfer",
        { ...transferOf(of.isIn, "MARGIN"), market: MARKET, ccy: "USDT", amount: of.amount },
      ],
      legacy: ["POST", "/margin/transfer", { from_account, to_account, coin_type: "USDT", amount: of.amount }],
    };
  }),
  fc.record({ amount: fc.constantFrom("10", "55.5", "99999999"), renews: fc.boolean() }).map((of) => () => ({
    current: [
      "/assets/margin/borrow",
      { market: MARKET, ccy: "USDT", borrow_amount: of.amount, is_auto_renew: of.renews },
    ],
    legacy: [
      "POST",
      "/margin/loan",
      { market: MARKET, coin_type: "USDT", amount: of.amount, renew: of.renews ? 1 : 0 },
    ],
  })),
  fc.constantFrom("1", "20", "99999999").map((repaid) => () => ({
    current: ["/assets/margin/repay", { market: MARKET, ccy: "USDT", amount: repaid }],
    legacy: ["POST", "/margin/flat", { market: MARKET, coin_type: "USDT", amount: repaid }],
  })),
  fc.boolean().map((cet_discount) => () => ({
    current: ["/account/settings", { cet_discount_enabled: cet_discount }],
    legacy: ["PUT", "/account/settings", { cet_discount }],
  })),
  fc.constantFrom("sub-one", "sub-two").map((sub_user_name) => () => ({
    current: ["/account/subs", { sub_user_name, permissions: ["FUTURES", "MARGIN", "AMM", "API"] }],
    legacy: ["POST", "/sub_account/register", { sub_user_name, password: "Nobody4sks" }],
  })),
  fc.record({ sub_user_name: fc.constantFrom("sub-one", "sub-two"), freezes: fc.boolean() }).map((of) => () => ({
    current: [`/account/subs/${of.freezes ? "frozen" : "unfrozen"}`, { sub_user_name: of.sub_user_name }],
    legacy: ["PUT", `/sub_account/${of.freezes ? "frozen" : "unfrozen"}`, { sub_user_name: of.sub_user_name }],
  })),
  fc.record({ name: fc.constantFrom("sub-one", "sub-two"), isIn: fc.boolean() }).map((of) => () => ({
    current: [
      "/account/subs/transfer",
      {
        from_account_type: "SPOT",
        to_account_type: "SPOT",
        [of.isIn ? "to_user_name" : "from_user_name"]: of.name,
        ccy: "USDT",
        amount: "3",
      },
    ],
    legacy: [
      "POST",
      "/sub_account/transfer",
      { coin_type: "USDT", amount: "3", transfer_side: of.isIn ? "in" : "out", transfer_account: of.name },
    ],
  })),
];

/** What the legacy generation calls each of them by is below one of its two bases. */
export function isServed({ legacy: [method, path] }: Action, planned: ReadonlySet<string>): boolean {
  return !planned.has(`${method} ${legacyPath(path)}`);
}

/** Whole. */
export function legacyPath(path: string): string {
  return path.startsWith("/perpetual/") ? path : `/v1${path}`;
}

export const anyPlan: fc.Arbitrary<Plan> = fc.oneof(
  { weight: 5, arbitrary: fc.oneof(...spotOrders) },
  { weight: 3, arbitrary: fc.oneof(...spotChanges) },
  { weight: 5, arbitrary: fc.oneof(...futuresOrders) },
  { weight: 4, arbitrary: fc.oneof(...futuresChanges) },
  { weight: 2, arbitrary: fc.oneof(...wallet) },
);

interface Order {
  readonly side: "buy" | "sell";
  readonly amount: string;
  readonly clientId: string | undefined;
  readonly inMargin?: boolean;
}

function ofSpot(isMargin: boolean) {
  return { market: MARKET, market_type: isMargin ? "MARGIN" : "SPOT" };
}

function spotOrder({ side: of, amount: count, clientId: client_id, inMargin: isMargin = false }: Order) {
  return { ...ofSpot(isMargin), side: of, amount: count, client_id };
}

function oldOrder(actor: Actor, { side: type, amount: count, clientId: client_id, inMargin: isMargin = false }: Order) {
  return { market: MARKET, account_id: accountId(actor, isMargin), type, amount: count, client_id };
}

function futuresOrder({ side: of, amount: count, clientId: client_id }: Order) {
  return { ...OF_FUTURES, side: of, amount: count, client_id };
}

function oldFuturesOrder({ side: of, amount: count, clientId: client_id }: Order) {
  return { market: MARKET, side: SIDES[of], amount: count, client_id };
}

function termsOf({ option: of, hidden: isHidden }: { option: keyof typeof OPTIONS; hidden: boolean }) {
  const type = OPTIONS[of];
  return { effect_type: EFFECTS[type], option: (type === "maker_only" ? 1 : 0) + (isHidden ? 2 : 0) };
}

function transferOf(isIn: boolean, other: "FUTURES" | "MARGIN") {
  const [from_account_type, to_account_type] = isIn ? ["SPOT", other] : [other, "SPOT"];
  return { from_account_type, to_account_type };
}

function accountId({ state }: Actor, isMargin: boolean): number {
  const marketId = state.marketByName.get(MARKET)?.id as number;
  return accountIdOf(state, { account: isMargin ? "margin" : "spot", marketId });
}

/** One that rests, or none that anybody has. */
function orderId({ state, userId }: Actor, account: Account, at: number): number {
  const { rows } = openOrders(state, { userId, account, page: 1, limit: 5 });
  return rows[at]?.orderId ?? NOBODYS;
}

function stopId({ state, userId }: Actor, account: Account, at: number): number {
  const any = { marketId: undefined, side: undefined, clientId: undefined };
  return waitingStops(state, { userId, account, ...any })[at]?.stopId ?? NOBODYS;
}

function positionId({ state, userId }: Actor): number {
  const [slot] = openSlots(state, userId, state.futuresByName.get(MARKET));
  return slot === undefined ? 0 : state.futures.positions.positionId(slot);
}

const NOBODYS = 999_999_999;
