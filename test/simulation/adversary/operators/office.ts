import type { Command } from "../../../../src/engine/command.ts";
import { command, id } from "../credit/line.ts";
import { transferMargin } from "../margin/borrowed.ts";
import { action } from "../strategies/chaos.ts";
import { open } from "../strategies/pair.ts";
import type { Hand, Strategy } from "../strategy.ts";
import { MARKETS, type MarketKey } from "../terms.ts";

/**
 * Has a hedged pair, a loan on margin and a line of credit, and trades in the instants in which operators do their
 * ordinary work: fees, fee levels, settings, suspensions, freezes, corrections, deposits by hand, windows and the like.
 */
export const office: Strategy = {
  name: "office",
  play: (hand) => {
    const { random, terms } = hand;
    const money = { futures: 20_000, futuresBtc: 0.4, usdt: 60_000, btc: 1, dsc: 20_000 };
    const users = [hand.account(money), hand.account(money), hand.account({ ...money, deducts: true })] as const;
    const market = random.pick(["perp", "perp", "inverse"] as const);
    const leverage = terms.maxLeverage;
    const mode = random.pick(["cross", "isolated"] as const);
    open(hand, 500, market, { user: users[0], mode, leverage }, { user: users[1], mode, leverage }, 90);
    hand.at(600, transferMargin(users[0], "USDT", "10000", true));
    hand.at(610, { do: "borrow", user: users[0], market: "spot", isQuote: true, percent: 100 });
    if (random.chance(50)) {
      const line = { userId: id(users[1]), ccy: "USDT", amount: "30000", dailyRate: "0.001", note: "a line" };
      hand.at(620, command({ kind: "grant_credit", ...line }));
    }
    for (let atMs = 2_000; atMs < terms.lastsMs; atMs += random.pick([1_000, 5_000, 12_000])) {
      // He is there just before and just after.
      const places = [market, market, "spot", "coin"] as const;
      hand.at(atMs, action(hand, random.pick(users), random.pick(places)));
      hand.at(atMs, command(act(hand, random.pick(users), random.pick([...places, "perp"] as const), atMs)));
      hand.at(atMs, action(hand, random.pick(users), random.pick(places)));
    }
    // All is as it was before the play ends.
    for (const key of ["spot", "coin", market] as const)
      hand.at(terms.lastsMs, command({ ...changed(key), suspended: false } as Command));
    hand.at(terms.lastsMs, command({ kind: "set_cancel_only", cancelOnly: false, reason: "" }));
  },
};

function changed(key: MarketKey) {
  const { name: market, isFutures } = MARKETS[key];
  return { kind: "change_market", market, marketType: isFutures ? "FUTURES" : "SPOT" } as const;
}

function act({ random, terms }: Hand, user: string, key: MarketKey, atMs: number): Command {
  const userId = id(user);
  const { isFutures } = MARKETS[key];
  const nowMs = terms.startMs + atMs;
  const interruption = random.pick([null, { move: "0.1", windowMs: 60_000, auctionMs: 120_000 }]);
  const acts: Command[] = [
    { kind: "change_user", userId, feeLevel: random.pick(["maker", "dear", null]) },
    {
      kind: "change_user",
      userId,
      makerFeeRate: random.pick(["0", "0.001", null]),
      takerFeeRate: random.pick(["0", "0.001", null]),
    },
    { kind: "change_user", userId, frozen: random.chance(40) },
    { kind: "change_user", userId, tradeBarred: random.chance(40) },
    { ...changed(key), makerFeeRate: random.pick(["0", "0.0004"]), takerFeeRate: random.pick(["0.0004", "0.002"]) },
    { ...changed(key), suspended: random.chance(40) },
    isFutures ? { ...changed(key), maxAmount: "100000000" } : { ...changed(key), interruption },
    { kind: "set_fee_deduction", ccy: random.pick(["DSC", "DSC", null]), discountRate: random.pick(["0.2", "0.5"]) },
    {
      kind: "adjust_balance",
      userId,
      ccy: "USDT",
      amount: random.pick(["500", "-500", "-30000"]),
      note: "a correction",
    },
    {
      kind: "adjust_balance",
      userId,
      cell: "sys:fee",
      ccy: "USDT",
      amount: random.pick(["1", "-20"]),
      note: "a fee given back",
    },
    { kind: "deposit", userId, ccy: random.pick(["USDT", "BTC"]), amount: random.pick(["0.1", "2"]), note: "by hand" },
    { kind: "repay_credit", userId, ccy: "USDT", amount: random.pick(["100", "30000"]), note: "asked for" },
    { kind: "set_credit_terms", withdrawalRisk: random.pick(["1.2", "1.5"]), tradeRisk: random.pick(["1.1", "1.2"]) },
    {
      kind: "set_margin_market",
      market: "BTCUSDT",
      leverage: random.pick([3, 10]),
      loans: ["USDT", "BTC"].map((ccy) => ({
        ccy,
        minAmount: "0.0001",
        maxAmount: "10000000",
        dailyInterestRate: "0.002",
      })),
    },
    { kind: "set_fund_budget", hourRate: random.pick(["0", "0.01", "0.02"]) },
    { kind: "hold_index", untilMs: nowMs + random.pick([1_000, 30_000]) },
    { kind: "set_cancel_only", cancelOnly: random.chance(30), reason: "a look" },
    {
      kind: "plan_maintenance",
      scope: random.pick([["SPOT"], ["FUTURES"], ["ALL_SITE"]] as const),
      startedAt: nowMs + random.pick([1, 2_000]),
      endedAt: nowMs + 9_000,
      protectDurationStart: 0,
      protectDurationEnd: 0,
      announceUrl: "",
      announceEnabled: false,
    },
    { kind: "cancel_maintenance", maintenanceId: random.whole(1, 4) },
    { kind: "set_withdraw_limit", userId, ccy: "USDT", amount: random.pick(["1000", null]) },
  ];
  return random.pick(acts);
}
