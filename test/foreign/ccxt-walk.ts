/**
 * Every unified method that ccxt says its exchange has, in the order in which a program can call them, with the kind of
 * record that it gives.
 */
import type ccxt from "ccxt";

type Client = InstanceType<typeof ccxt.coinex>;
type Params = Readonly<Record<string, unknown>>;

export interface World {
  readonly client: Client;
  /** Another trader, who is there to be traded with. */
  readonly other: Client;
  /** Pays in over the chain of BTC, to this address. */
  readonly deposit: (address: string) => Promise<void>;
  readonly mineBlocks: () => Promise<void>;
  /** Lets books and indexes be apart for a while, so that funding is paid. */
  readonly passFunding: () => Promise<void>;
  /** An address outside that money may be withdrawn to. */
  readonly outside: string;
  /** What a step keeps for later ones. */
  readonly kept: Record<string, string>;
}

export interface Step {
  readonly method: string;
  /** Kind of record, with [] for a list of them and {} for an object of them; neither may be empty. */
  readonly gives: string;
  readonly args: (world: World) => readonly unknown[];
  readonly symbol?: string;
  /** Keeps the id of the record under this name. */
  readonly keep?: string;
  /** What is done before, by the operator or another trader. */
  readonly first?: (world: World) => Promise<unknown>;
}

export type Scope = "venue" | "spot" | "margin" | "linear" | "inverse";

interface Market {
  readonly symbol: string;
  readonly amount: number;
}

const SPOT: Market = { symbol: "BTC/USDT", amount: 0.01 };
const LINEAR: Market = { symbol: "BTC/USDT:USDT", amount: 0.01 };
const INVERSE: Market = { symbol: "BTC/USD:BTC", amount: 1_000 };
export const MARKETS = { spot: SPOT, margin: SPOT, linear: LINEAR, inverse: INVERSE } as const;

const FAR = 50_000;

/** What concerns the account and no market. */
const VENUE: readonly Step[] = [
  { method: "fetchTime", gives: "time", args: () => [] },
  { method: "fetchMarkets", gives: "market[]", args: () => [] },
  { method: "fetchCurrencies", gives: "currency{}", args: () => [] },
  { method: "fetchTradingFees", gives: "tradingFee{}", args: () => [] },
  { method: "createDepositAddress", gives: "address", args: () => ["BTC", { network: "BTC" }] },
  { method: "fetchDepositAddress", gives: "address", args: () => ["BTC", { network: "BTC" }] },
  {
    method: "fetchDeposits",
    gives: "transaction[]",
    args: () => ["BTC"],
    first: async ({ client, deposit }) =>
      await deposit(String((await client.fetchDepositAddress("BTC", { network: "BTC" })).address)),
  },
  {
    method: "withdraw",
    gives: "askedWithdrawal",
    args: ({ outside }) => ["BTC", 0.1, outside, undefined, { network: "BTC" }],
  },
  {
    method: "fetchWithdrawals",
    gives: "transaction[]",
    args: () => ["BTC"],
    first: ({ mineBlocks }) => mineBlocks(),
  },
  { method: "fetchDepositWithdrawFee", gives: "depositWithdrawFee", args: () => ["BTC"] },
  { method: "fetchDepositWithdrawFees", gives: "depositWithdrawFee{}", args: () => [["BTC", "USDT"]] },
  { method: "transfer", gives: "transfer", args: () => ["USDT", 300_000, "spot", "swap"] },
  { method: "transfer", gives: "transfer", args: () => ["BTC", 3, "spot", "swap"] },
  {
    method: "fetchTransfers",
    gives: "transfer[]",
    args: () => ["USDT", undefined, undefined, { transfer_type: "FUTURES" }],
  },
  { method: "fetchBalance", gives: "balance", args: () => [] },
  { method: "fetchBalance", gives: "balance", args: () => [{ type: "swap" }] },
];

/** What anybody may ask of a market. */
function publicSteps({ symbol }: Market): Step[] {
  const of = (method: string, gives: string, ...more: readonly unknown[]): Step => ({
    ...{ method, gives, symbol },
    args: () => [symbol, ...more],
  });
  return [
    of("fetchTicker", "ticker"),
    { method: "fetchTickers", gives: "ticker{}", args: () => [[symbol]] },
    of("fetchOrderBook", "book", 20),
    of("fetchL2OrderBook", "book", 20),
    of("fetchTrades", "trade[]"),
    of("fetchOHLCV", "candle[]", "1m"),
    of("fetchTradingFee", "tradingFee"),
  ];
}

/** Orders from placing to the list of what has ended. */
function orderSteps({ symbol, amount }: Market, params: Params): Step[] {
  const step = (
    method: string,
    gives: string,
    args: Step["args"],
    more: Partial<Pick<Step, "keep" | "first">> = {},
  ): Step => ({ method, gives, args, symbol, ...more });
  const list = (more: Params = {}) => [symbol, undefined, undefined, { ...params, ...more }];
  const several = (price: number) =>
    [0, 100].map((more) => ({ symbol, type: "limit", side: "buy", amount, price: price + more, params }));
  const trigger = { ...params, trigger: true };
  return [
    step("createOrder", "placedOrder", () => [symbol, "limit", "buy", amount, FAR, params], { keep: "resting" }),
    step("fetchOrder", "placedOrder", ({ kept }) => [kept["resting"], symbol, params]),
    step("fetchOpenOrders", "placedOrder[]", () => list()),
    step("fetchOrdersByStatus", "placedOrder[]", () => ["pending", ...list()]),
    step("editOrder", "placedOrder", ({ kept }) => [
      kept["resting"],
      symbol,
      "limit",
      "buy",
      amount * 2,
      FAR + 1,
      params,
    ]),
    step("cancelOrder", "placedOrder", ({ kept }) => [kept["resting"], symbol, params]),
    step("createLimitOrder", "placedOrder", () => [symbol, "buy", amount, FAR, { ...params, clientOrderId: "walk" }]),
    step("cancelOrder", "placedOrder", () => [undefined, symbol, { ...params, clientOrderId: "walk" }]),
    step("createOrders", "placedOrder[]", () => [several(FAR), params], { keep: "first" }),
    step("createOrder", "placedOrder", () => [symbol, "limit", "buy", amount, FAR, params], { keep: "second" }),
    step("editOrders", "placedOrder[]", ({ kept }) => [
      ["first", "second"].map((id) => ({
        id: kept[id],
        symbol,
        type: "limit",
        side: "buy",
        amount,
        price: FAR - 5,
        params,
      })),
      params,
    ]),
    step("cancelOrders", "order[]", ({ kept }) => [[kept["first"], kept["second"]], symbol, params]),
    step("cancelAllOrders", "order[]", () => [symbol, params]),
    step("createOrder", "placedOrder", () => [symbol, "limit", "buy", amount, 60_000, params]),
    step("createMarketOrder", "placedOrder", () => [symbol, "buy", amount, 60_000, params]),
    step("createOrder", "placedOrder", () => [symbol, "market", "sell", amount, undefined, params]),
    step("createOrder", "placedOrder", () => [symbol, "limit", "buy", amount, FAR, { ...params, postOnly: true }]),
    step("createOrder", "placedOrder", () => [
      symbol,
      "limit",
      "buy",
      amount,
      60_000,
      { ...params, timeInForce: "IOC" },
    ]),
    step("createOrder", "placedOrder", () => [
      symbol,
      "limit",
      "buy",
      amount,
      60_000,
      { ...params, timeInForce: "FOK" },
    ]),
    step("fetchMyTrades", "ownTrade[]", () => list()),
    step("fetchClosedOrders", "placedOrder[]", () => list()),
    step("createTriggerOrder", "order", () => [symbol, "limit", "buy", amount, FAR, FAR + 500, params], {
      keep: "stop",
    }),
    step("createStopOrder", "order", () => [symbol, "market", "sell", amount, undefined, FAR + 600, params]),
    step("fetchOpenOrders", "placedOrder[]", () => list({ trigger: true })),
    step("editOrder", "order", ({ kept }) => [
      ...[kept["stop"], symbol, "limit", "buy", amount * 2, FAR + 2],
      { ...params, triggerPrice: FAR + 400 },
    ]),
    step("cancelOrder", "order", ({ kept }) => [kept["stop"], symbol, trigger]),
    step("createTriggerOrder", "order", () => [symbol, "limit", "buy", amount, FAR, 60_000, params]),
    step("fetchClosedOrders", "placedOrder[]", () => list({ trigger: true })),
    step("cancelAllOrders", "order[]", () => [symbol, trigger]),
    step("cancelAllOrders", "order[]", () => [symbol, params]),
  ];
}

const SPOT_STEPS: readonly Step[] = [
  ...publicSteps(SPOT),
  ...orderSteps(SPOT, {}),
  {
    method: "createMarketBuyOrderWithCost",
    gives: "placedOrder",
    symbol: SPOT.symbol,
    args: () => [SPOT.symbol, 600],
  },
  {
    method: "createMarketOrderWs",
    gives: "placedOrder",
    symbol: SPOT.symbol,
    args: () => [SPOT.symbol, "sell", 0.01],
  },
];

const ISOLATED = { marginMode: "isolated" };

const MARGIN_STEPS: readonly Step[] = [
  { method: "transfer", gives: "transfer", args: () => ["USDT", 100_000, "spot", "margin", { symbol: SPOT.symbol }] },
  {
    method: "fetchTransfers",
    gives: "transfer[]",
    args: () => ["USDT", undefined, undefined, { marginMode: "isolated" }],
  },
  {
    method: "fetchIsolatedBorrowRate",
    gives: "isolatedBorrowRate",
    symbol: SPOT.symbol,
    args: () => [SPOT.symbol, { code: "BTC" }],
  },
  { method: "fetchLeverage", gives: "leverage", symbol: SPOT.symbol, args: () => [SPOT.symbol, { code: "BTC" }] },
  {
    method: "borrowIsolatedMargin",
    gives: "marginLoan",
    symbol: SPOT.symbol,
    args: () => [SPOT.symbol, "BTC", 0.5, { isAutoRenew: false }],
  },
  { method: "fetchBorrowInterest", gives: "borrowInterest[]", args: () => ["BTC", SPOT.symbol] },
  { method: "fetchBalance", gives: "balance", args: () => [{ type: "margin" }] },
  ...orderSteps(SPOT, ISOLATED),
  {
    method: "repayIsolatedMargin",
    gives: "marginLoan",
    symbol: SPOT.symbol,
    args: () => [SPOT.symbol, "BTC", 0.1],
  },
];

function swapSteps(market: Market): Step[] {
  const { symbol, amount } = market;
  const step = (method: string, gives: string, args: Step["args"], first?: Step["first"], keep?: string): Step => ({
    ...{ method, gives, symbol, args },
    ...(first === undefined ? {} : { first }),
    ...(keep === undefined ? {} : { keep }),
  });
  return [
    ...publicSteps(market),
    step("fetchLeverageTiers", "leverageTier[]{}", () => [[symbol]]),
    step("setMarginMode", "raw", () => ["isolated", symbol, { leverage: 10 }]),
    step("setLeverage", "raw", () => [20, symbol, ISOLATED]),
    ...orderSteps(market, {}),
    step("createOrder", "placedOrder", () => [symbol, "limit", "buy", amount * 2, 60_000]),
    step("fetchPositions", "position[]", () => [[symbol]]),
    step("fetchPosition", "position", () => [symbol], undefined, "position"),
    step("createStopLossOrder", "order", () => [symbol, "limit", "sell", amount, 55_000, 55_000]),
    step("createTakeProfitOrder", "order", () => [symbol, "limit", "sell", amount, 65_000, 65_000]),
    // It rounds what is added to the step of amounts, which of an inverse swap is a whole coin.
    step("addMargin", "marginModification", () => [symbol, 2]),
    step("reduceMargin", "marginModification", () => [symbol, 1]),
    step("fetchMarginAdjustmentHistory", "marginModification[]", ({ kept }) => [
      ...[symbol, undefined, undefined, undefined],
      { positionId: Number(kept["position"]) },
    ]),
    step("fetchFundingRate", "fundingRate", () => [symbol]),
    step("fetchFundingRates", "fundingRate{}", () => [[symbol]]),
    step("fetchFundingInterval", "fundingRate", () => [symbol]),
    step(
      "fetchFundingRateHistory",
      "fundingRateHistory[]",
      () => [symbol],
      ({ passFunding }) => passFunding(),
    ),
    step("fetchFundingHistory", "fundingPayment[]", () => [symbol]),
    step("createReduceOnlyOrder", "placedOrder", () => [symbol, "limit", "sell", amount, 59_900]),
    step("closePosition", "placedOrder", () => [symbol, undefined, { type: "market" }]),
    step("fetchPositionHistory", "endedPosition[]", () => [symbol]),
  ];
}

export const WALK: Readonly<Record<Scope, readonly Step[]>> = {
  venue: VENUE,
  spot: SPOT_STEPS,
  margin: MARGIN_STEPS,
  linear: swapSteps(LINEAR),
  inverse: swapSteps(INVERSE),
};
