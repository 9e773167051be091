/**
 * What a user with credit may still do at or below his trade risk, product by product: reduce what he has at risk, and
 * never add to it. Source: domain 6.6.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Command } from "../../src/engine/command.ts";
import type { Refusal } from "../../src/engine/refusal.ts";
import { FuturesVenue, LINEAR } from "../support/futures-venue.ts";
import type { Done } from "../support/venue.ts";

const DAY_MS = 86_400_000;
/** A futures market that nobody holds anything in yet, and one that is traded in hedge mode. */
const ETH = { ...LINEAR, market: "ETHUSDT", baseCcy: "ETH" };

/** An action of the borrower, and why the venue refuses it; undefined: it is carried out. */
interface Row {
  readonly product: string;
  readonly action: string;
  readonly refusal: Refusal | undefined;
  readonly run: (scene: Scene) => Done;
  /** What it must have come to. */
  readonly leaves?: (scene: Scene) => void;
}

const BARRED = "credit_trade_risk";

const ROWS: readonly Row[] = [
  {
    product: "spot",
    action: "sells what he has for the currency that he owes",
    refusal: undefined,
    run: ({ venue, user }) => venue.place(user, "sell 0.1 @ 30000 ioc"),
    leaves: ({ venue, user }) => assert.equal(venue.balance(user, "BTC"), "0.70000000 + 0.20000000"),
  },
  {
    product: "spot",
    action: "sells at the market",
    refusal: undefined,
    run: ({ venue, user }) => venue.place(user, "sell 0.1 market"),
  },
  {
    product: "spot",
    action: "sells below the index",
    refusal: BARRED,
    run: ({ venue, user }) => venue.place(user, "sell 0.1 @ 29000 ioc"),
  },
  {
    product: "spot",
    action: "buys with the currency that he owes",
    refusal: BARRED,
    run: ({ venue, user }) => venue.place(user, "buy 0.01 @ 30000 ioc"),
  },
  {
    product: "spot",
    action: "moves an order that sells for what he owes",
    refusal: undefined,
    run: ({ venue, user, sale }) => venue.modify(user, sale, "price 30500"),
  },
  {
    product: "spot",
    action: "lowers a resting order that buys",
    refusal: BARRED,
    run: ({ venue, user, purchase }) => venue.modify(user, purchase, "price 28000"),
  },
  {
    product: "spot",
    action: "cancels a resting order that buys",
    refusal: undefined,
    run: ({ venue, user, purchase }) => venue.cancel(user, purchase),
  },
  {
    product: "stop orders",
    action: "leaves one that fires and sells for what he owes",
    refusal: undefined,
    run: ({ venue, user }) => stop(venue, user, "sell 0.1 market", "30000"),
    leaves: ({ venue, user }) => assert.equal(venue.balance(user, "BTC"), "0.70000000 + 0.20000000"),
  },
  {
    product: "stop orders",
    action: "leaves one that fires and would buy",
    refusal: undefined,
    run: ({ venue, user }) => stop(venue, user, "buy 0.1 @ 30000", "30000"),
    leaves: ({ venue, user }) => assert.equal(venue.balance(user, "BTC"), "0.80000000 + 0.20000000"),
  },
  {
    product: "margin",
    action: "sells what a loan has bought",
    refusal: undefined,
    run: ({ venue, user }) => venue.place(user, "sell 0.01 @ 30000 ioc margin"),
  },
  {
    product: "margin",
    action: "buys more",
    refusal: BARRED,
    run: ({ venue, user }) => venue.place(user, "buy 0.001 @ 30000 ioc margin"),
  },
  {
    product: "margin",
    action: "borrows more",
    refusal: BARRED,
    run: ({ venue, user }) => venue.execute(ofMargin(user, { kind: "borrow", amount: "10", isAutoRenew: false })),
  },
  {
    product: "margin",
    action: "repays",
    refusal: undefined,
    run: ({ venue, user }) => venue.execute(ofMargin(user, { kind: "repay", amount: "10" })),
  },
  {
    product: "margin",
    action: "moves more into the account",
    refusal: "credit_withdrawal_risk",
    run: ({ venue, user }) => venue.execute(ofMargin(user, { kind: "transfer_margin", amount: "10", isIn: true })),
  },
  {
    product: "futures",
    action: "closes a part at the market",
    refusal: undefined,
    run: ({ venue, user }) => venue.close(user, "market"),
    leaves: ({ venue, user }) => assert.equal(venue.position(user), "none"),
  },
  {
    product: "futures",
    action: "closes a part by a limit order, which rests",
    refusal: undefined,
    run: ({ venue, user }) => venue.close(user, "limit 30500 0.2"),
  },
  {
    product: "futures",
    action: "lets a stop loss close it, which fires",
    refusal: undefined,
    run: ({ venue, user }) => {
      assert.equal(venue.exit(user, "stop_loss 29950 mark").refusal, undefined);
      return venue.index("29900");
    },
    leaves: ({ venue, user }) => assert.equal(venue.position(user), "none"),
  },
  {
    product: "futures",
    action: "opens more",
    refusal: BARRED,
    run: ({ venue, user }) => venue.trade(user, "buy 0.001 @ 30000 ioc"),
  },
  {
    product: "futures",
    action: "sells by an order that could open a short",
    refusal: BARRED,
    run: ({ venue, user }) => venue.trade(user, "sell 0.1 @ 30000"),
  },
  {
    product: "futures",
    action: "opens a first position",
    refusal: BARRED,
    run: ({ venue, user }) => venue.trade(user, "buy 0.01 @ 2000", "ETHUSDT"),
  },
  {
    product: "futures",
    action: "brings cash back to what backs the credit",
    refusal: undefined,
    run: ({ venue, user }) => venue.transfer(user, "FUTURES", "SPOT", "USDT", "10"),
  },
  {
    product: "futures",
    action: "moves more into the account",
    refusal: "credit_withdrawal_risk",
    run: ({ venue, user }) => venue.transfer(user, "SPOT", "FUTURES", "USDT", "10"),
  },
  {
    product: "pools",
    action: "takes his part out",
    refusal: undefined,
    run: ({ venue, user }) => venue.execute({ kind: "remove_liquidity", userId: user, market: "DSCUSDT" }),
  },
  {
    product: "pools",
    action: "adds",
    refusal: "credit_withdrawal_risk",
    run: ({ venue, user }) =>
      venue.execute({
        kind: "add_liquidity",
        userId: user,
        market: "DSCUSDT",
        baseAmount: "1000",
        quoteAmount: "1000",
      }),
  },
  {
    product: "wallet",
    action: "gives to another user",
    refusal: "credit_withdrawal_risk",
    run: ({ venue, user, friend }) =>
      venue.execute({
        kind: "withdraw",
        userId: user,
        ccy: "USDT",
        method: "inter_user",
        chain: "",
        toAddress: String(friend),
        memo: "",
        amount: "1",
        remark: "",
        needsReview: false,
      }),
  },
  {
    product: "credit",
    action: "is paid back",
    refusal: undefined,
    run: ({ venue, user }) =>
      venue.execute({ kind: "repay_credit", userId: user, ccy: "USDT", amount: "100", note: "" }),
  },
];

for (const { product, action, refusal, run, leaves } of ROWS) {
  test(`${product}: a borrower below his trade risk ${action}${refusal === undefined ? "" : ", which is refused"}`, () => {
    const scene = stage();
    const done = run(scene);
    assert.equal(done.refusal, refusal);
    leaves?.(scene);
    scene.venue.assertRepeatable();
  });
}

test("in hedge mode a borrower below his trade risk closes a side by an order that names it, and opens none", () => {
  const { venue, user } = stage("hedge");
  assert.equal(venue.trade(user, "sell 0.1 @ 30000 short").refusal, BARRED);
  assert.equal(venue.trade(user, "buy 0.1 @ 30000 long").refusal, BARRED);
  assert.equal(venue.trade(user, "sell 0.1 @ 30000 ioc long").refusal, undefined);
  assert.match(venue.position(user), /^long 0\.4 /);
  // What only reduces never turns into an opening when the position has gone.
  const rests = venue.rest(user, "sell 0.4 @ 31000 long");
  assert.equal(venue.close(user, "market long").refusal, undefined);
  assert.equal(venue.position(user), "none");
  assert.equal(venue.change(user, rests.orderId, "price 30900").refusal, "order_not_found");
  venue.assertRepeatable();
});

test("who owes both currencies of a market sends neither round: each deal would cost a fee that comes back to a friend", () => {
  const { venue, user } = stage();
  venue.accept({ kind: "deposit", cell: "sys:credit_pool", ccy: "BTC", amount: "1", note: "" });
  venue.accept({ kind: "grant_credit", userId: user, ccy: "BTC", amount: "0.01", dailyRate: "0", note: "a line" });
  assert.equal(venue.place(user, "sell 0.001 @ 30000 ioc").refusal, BARRED);
  assert.equal(venue.place(user, "buy 0.001 @ 30000 ioc").refusal, BARRED);
});

test("an operator's bar holds for what reduces, too", () => {
  const { venue, user } = stage();
  venue.accept({ kind: "change_user", userId: user, tradeBarred: true } as Command);
  assert.equal(venue.close(user, "market").refusal, "trade_barred");
  assert.equal(venue.place(user, "sell 0.1 @ 30000 ioc").refusal, "trade_barred");
});

interface Scene {
  readonly venue: FuturesVenue;
  readonly user: number;
  readonly friend: number;
  /** Resting spot orders from before: above the index, and below it. */
  readonly sale: number;
  readonly purchase: number;
}

/**
 * A borrower with something in every product whom the terms have then put below his trade risk, and makers who take all
 * of it.
 */
function stage(positionMode = "one_way"): Scene {
  const venue = new FuturesVenue();
  for (const ccy of ["ETH", "DSC"]) venue.listAsset(ccy);
  venue.accept(ETH);
  venue.index("2000", "ETHUSDT");
  venue.listMarket("BTC", "USDT", { indexSources: [{ exchange: "one", weight: "1" }] });
  const loans = [{ ccy: "USDT", minAmount: "1", maxAmount: "10000", dailyInterestRate: "0.001" }];
  venue.accept({ kind: "set_margin_market", market: "BTCUSDT", leverage: 3, loans } as Command);
  venue.listMarket("DSC", "USDT", { indexSources: [{ exchange: "one", weight: "1" }] });
  venue.accept({ kind: "set_pool", market: "DSCUSDT", type: "infinite" });
  speak(venue);
  for (const cell of ["sys:credit_pool", "sys:lend_pool"]) {
    venue.accept({ kind: "deposit", cell, ccy: "USDT", amount: "100000", note: "" });
  }
  const user = venue.addUser("user", { USDT: "20000", BTC: "1", DSC: "5000" });
  const friend = venue.addUser("friend");
  venue.accept({ kind: "set_inter_transfer", ccy: "USDT", enabled: true });
  venue.accept({
    kind: "allow_withdraw_address",
    userId: user,
    chain: "",
    address: String(friend),
    memo: "",
    remark: "",
  });
  const maker = venue.addUser("maker", { USDT: "1000000", BTC: "100" });
  venue.transfer(maker, "SPOT", "FUTURES", "USDT", "500000");
  if (positionMode === "hedge")
    venue.accept({ kind: "change_futures_settings", userId: user, positionMode } as Command);
  venue.accept({ kind: "add_liquidity", userId: user, market: "DSCUSDT", baseAmount: "1000", quoteAmount: "1000" });
  venue.timeMs += DAY_MS;
  speak(venue);
  venue.transfer(user, "SPOT", "FUTURES", "USDT", "5000");
  venue.rest(maker, "sell 0.5 @ 30000");
  const opens = positionMode === "hedge" ? "buy 0.5 @ 30000 long" : "buy 0.5 @ 30000";
  venue.rest(user, opens);
  venue.accept(ofMargin(user, { kind: "transfer_margin", amount: "1000", isIn: true }));
  venue.accept(ofMargin(user, { kind: "borrow", amount: "1000", isAutoRenew: false }));
  venue.put(maker, "sell 0.05 @ 30000");
  venue.put(user, "buy 0.05 @ 30000 margin");
  venue.accept({ kind: "grant_credit", userId: user, ccy: "USDT", amount: "10000", dailyRate: "0", note: "a line" });
  const sale = venue.put(user, "sell 0.2 @ 31000").orderId;
  const purchase = venue.put(user, "buy 0.01 @ 29000").orderId;
  venue.put(maker, "buy 1 @ 30000");
  venue.put(maker, "sell 1 @ 30001");
  venue.rest(maker, "buy 10 @ 30000");
  venue.rest(maker, "buy 10 @ 29900");
  venue.rest(maker, "sell 10 @ 30001");
  venue.accept({ kind: "set_credit_terms", withdrawalRisk: "100", tradeRisk: "100" });
  return { venue, user, friend, sale, purchase };
}

function speak(venue: FuturesVenue): void {
  for (const [market, price] of [
    ["BTCUSDT", "30000"],
    ["DSCUSDT", "1"],
  ] as const) {
    venue.spotIndex(price, market);
    venue.timeMs += 5_000;
    venue.spotIndex(price, market);
  }
  venue.indexBack("30000");
  venue.indexBack("2000", "ETHUSDT");
}

function stop(venue: FuturesVenue, userId: number, text: string, trigger: string): Done {
  const order = venue.orderOf(userId, text);
  return venue.execute({ ...order, kind: "place_stop_order", trigger: BigInt(trigger) * 100n } as Command);
}

function ofMargin(userId: number, command: object): Command {
  return { userId, market: "BTCUSDT", ccy: "USDT", ...command } as unknown as Command;
}
