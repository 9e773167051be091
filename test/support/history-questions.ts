import type { HistoryReader } from "../../src/history/parts.ts";

const page = { page: 1, limit: 10 };
const market = { marketId: 1 } as const;

/** What gateways ask of history about one user, by name; in time: between the first second and `untilMs`. */
export function questionsOf(userId: number, untilMs = 2): [string, (ask: HistoryReader) => Promise<unknown>][] {
  const user = { userId, account: "spot" } as const;
  const time = { startTime: 1, endTime: untilMs };
  return [
    ["finished orders", (ask) => ask.finishedOrders({ ...user, ...page })],
    ["finished orders of a market", (ask) => ask.finishedOrders({ ...user, marketId: 1, ...page })],
    ["finished orders of a side", (ask) => ask.finishedOrders({ ...user, side: "buy", ...page })],
    ["finished orders of a client id", (ask) => ask.finishedOrders({ ...user, clientId: "a", ...page })],
    [
      "finished orders by all",
      (ask) => ask.finishedOrders({ ...user, marketId: 1, side: "sell", clientId: "a", ...page }),
    ],
    ["finished orders in time", (ask) => ask.finishedOrders({ ...user, ...time, ...page })],
    ["ended orders", (ask) => ask.endedOrders({ userId, marketId: 1, orderIds: [1, 2, 3] })],
    ["fired stops", (ask) => ask.firedStops({ ...user, ...page })],
    ["fired stops of a market", (ask) => ask.firedStops({ ...user, marketId: 1, ...page })],
    ["fired stops of a side", (ask) => ask.firedStops({ ...user, side: "buy", ...page })],
    ["a fired stop", (ask) => ask.firedStop({ userId, marketId: 1, stopId: 1 })],
    ["a fired stop of anybody", (ask) => ask.firedStopOfAnybody({ stopId: 1 })],
    ["user deals", (ask) => ask.userDeals({ ...user, marketId: 1, ...page })],
    ["user deals in time", (ask) => ask.userDeals({ ...user, marketId: 1, ...time, ...page })],
    ["user deals in every market", (ask) => ask.userDeals({ ...user, marketId: undefined, ...time, ...page })],
    ["user deals of a side", (ask) => ask.userDeals({ ...user, marketId: 1, side: "buy", ...page })],
    ["order deals", (ask) => ask.orderDeals({ ...user, marketId: 1, orderId: 1, ...page })],
    ["order deals of any market", (ask) => ask.orderDeals({ ...user, marketId: undefined, orderId: 1, ...page })],
    ["statement", (ask) => ask.statement({ userId, ...page })],
    ["statement in time", (ask) => ask.statement({ userId, ...time, ...page })],
    ["statement of an asset", (ask) => ask.statement({ userId, assetId: 1, cells: ["spot"], ...page })],
    ["statement of fills", (ask) => ask.statement({ userId, kinds: ["trade"], ...page })],
    ["statement of fees", (ask) => ask.statement({ userId, kinds: ["fee"], ...page })],
    ["statement of fills with fees", (ask) => ask.statement({ userId, kinds: ["trade", "fee"], assetId: 1, ...page })],
    ["statement of deposits", (ask) => ask.statement({ userId, kinds: ["deposit"], ...time, ...page })],
    ["statement of deposits of an asset", (ask) => ask.statement({ userId, kinds: ["deposit"], assetId: 1, ...page })],
    ["market deals", (ask) => ask.marketDeals({ marketId: 1, lastId: 0, limit: 10 })],
    ["klines", (ask) => ask.klines({ marketId: 1, period: "1day", priceType: "latest_price", limit: 10, nowMs: 1e12 })],
    ["traded seconds", (ask) => ask.tradedSeconds({ marketId: 1, since: 1 })],
    ["every position that ended", (ask) => ask.finishedPositions({ userId, ...page })],
    ["positions of a market that ended", (ask) => ask.finishedPositions({ userId, ...market, ...time, ...page })],
    ["changes of positions", (ask) => ask.positionChanges({ userId, ...market, kind: "margin", ...page })],
    ["fundings of positions", (ask) => ask.positionChanges({ userId, ...market, kind: "funding", ...page })],
    ["futures deals", (ask) => ask.userDeals({ userId, account: "futures", marketId: 1, ...page })],
    ["liquidations", (ask) => ask.liquidations({ ...market, ...page })],
    ["deleveragings", (ask) => ask.deleveragings({ userId, ...market, positionId: 1, ...page })],
    ["funding rates", (ask) => ask.fundingRates({ ...market, ...page })],
    ["premiums", (ask) => ask.premiums({ ...market, startTime: 0, endTime: 86_400_000, ...page })],
    ["basis", (ask) => ask.basis({ ...market, startTime: 0, endTime: 86_400_000 })],
    ["transfers", (ask) => ask.transfers({ userId, ccy: "USDT", account: "FUTURES", isNone: false, ...page })],
    ["loans", (ask) => ask.loans({ userId, ...page })],
    ["margin transfers", (ask) => ask.marginTransfers({ userId, ccy: "USDT", ...page })],
    ["sub transfers", (ask) => ask.subTransfers({ userId, ...page })],
    ["pool income", (ask) => ask.poolIncome({ userId, ...market, ...page })],
    ["deposits", (ask) => ask.deposits({ userId, ...page })],
    ["withdrawals", (ask) => ask.withdrawals({ userId, ccy: "USDT", ...page })],
    ["referees", (ask) => ask.refereeTotals({ userId, of: [1, 2, 3] })],
    ["agents", (ask) => ask.agentTotals({ userId, of: [1, 2, 3] })],
    ["rebate days", (ask) => ask.rebateDays({ userId, as: "referrer", ...page })],
    ["rebate details", (ask) => ask.rebateDetails({ userId, as: "referrer", ...page })],
  ];
}
