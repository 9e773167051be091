import assert from "node:assert/strict";
import { test } from "node:test";
import { whatText } from "../../src/cli/command-text.ts";
import type { ListRebateMarket } from "../../src/engine/rebates/command-schemas.ts";
import { LegacyClient } from "../legacy/client.ts";
import { succeeded } from "../support/api-client.ts";
import { ApiVenue, limitOrder } from "../support/served-venue.ts";
import { marketOf, Venue } from "../support/venue.ts";
import { xorshift } from "../support/xorshift.ts";

const ASSETS = ["BTC", "USDT", "DSC"] as const;
const MARKET = { ...marketOf("BTC", "USDT"), kind: "list_rebate_market", rebateCcy: "DSC", unitsPerLot: 3 } as const;
const TWIN = { ...marketOf("BTC", "USDT"), market: "TWIN" };
const FUND = { kind: "deposit", cell: "sys:rebates", ccy: "DSC", amount: "1", note: "" } as const;
const FUNDS = { BTC: "10", USDT: "1000000" };

/**
 * The toy market and a plain one of the same terms, with users 1 to 3; invariants and audits look after every command.
 */
function twins(): Venue {
  const venue = new Venue();
  for (const ccy of ASSETS) venue.listAsset(ccy);
  venue.accept(MARKET satisfies ListRebateMarket);
  venue.accept(TWIN);
  for (const name of ["ann", "ben", "cat"]) venue.addUser(name, FUNDS);
  return venue;
}

test("makers are paid in the third currency as far as the fund reaches, and takers are not", () => {
  const venue = twins();
  const order = {
    kind: "place_order",
    marketId: 0,
    account: "spot",
    type: "limit",
    amountIn: "base",
    hidden: false,
  } as const;
  const put = (userId: number, side: "buy" | "sell", amount: bigint) =>
    venue.accept({ ...order, userId, side, price: 3_000_000n, amount, stpMode: "none", clientId: "" });
  put(1, "sell", 1_000n);
  put(2, "buy", 1_000n);
  assert.equal(venue.balance(1, "DSC"), "0.00000000 + 0.00000000");
  venue.accept({ ...FUND, amount: "0.00004" });
  put(1, "sell", 2_000n);
  put(2, "buy", 1_000n);
  assert.equal(venue.balance(1, "DSC"), "0.00003000 + 0.00000000");
  put(2, "buy", 1_000n);
  assert.equal(venue.balance(1, "DSC"), "0.00004000 + 0.00000000");
  assert.equal(venue.balance(2, "DSC"), "0.00000000 + 0.00000000");
  venue.assertRepeatable();
  venue.assertRepeatable(12);
});

test("any orders come to the same in the toy market and in a plain one, but for the rebates", () => {
  for (const seed of [1, 2, 3]) {
    const venue = twins();
    venue.accept(FUND);
    const random = xorshift(seed);
    const whole = (most: number) => Math.floor(random() * most);
    let due = 0n;
    for (let step = 0; step < 60; step++) {
      const order = {
        kind: "place_order",
        userId: 1 + whole(3),
        account: "spot",
        side: whole(2) === 0 ? "buy" : "sell",
        type: (["limit", "ioc", "maker_only"] as const)[whole(3)] ?? "limit",
        amountIn: "base",
        price: BigInt(2_999_000 + 100 * whole(20)),
        amount: BigInt(100 * (1 + whole(50))),
        hidden: whole(4) === 0,
        stpMode: "none",
        clientId: "",
      } as const;
      const [own, plain] = [0, 1].map((marketId) => venue.execute({ ...order, marketId }));
      assert.equal(own?.refusal, plain?.refusal);
      const bare = (done: typeof own) =>
        done?.deals.map(({ price, lots, value, maker }) => [price, lots, value, maker.userId]);
      assert.deepEqual(bare(own), bare(plain));
      for (const { lots } of own?.deals ?? []) due += lots * BigInt(MARKET.unitsPerLot);
    }
    const { ledger, assetByCcy } = venue.state;
    const coin = assetByCcy.get("DSC")?.id as number;
    const paid = [1, 2, 3].reduce((sum, userId) => sum + ledger.available(ledger.spotCell(userId, coin)), 0n);
    assert.ok(due > 0n);
    assert.equal(paid, due);
    venue.assertRepeatable();
  }
});

test("the log tells of the listing in words", () => {
  const { state } = twins();
  assert.equal(whatText(state, MARKET), "list BTCUSDT, which pays makers 3 units of DSC a lot");
});

test("it trades on HTTP and is pushed on the sockets of both generations, and history keeps its deals and rebates", async (t) => {
  const venue = await ApiVenue.open();
  t.after(() => venue.close());
  await venue.listAssets(...ASSETS);
  await venue.operate(MARKET);
  await venue.operate(FUND);
  const ann = await venue.addUser("ann", FUNDS);
  const ben = await venue.addUser("ben", FUNDS);
  const old = new LegacyClient(venue, ben.client);
  const socket = await venue.socket(ann.client);
  await socket.must("user_deals.subscribe", { market_list: ["BTCUSDT"] });
  const legacySocket = await venue.legacySocket(ben.client);
  await legacySocket.must("order.subscribe", ["BTCUSDT"]);

  succeeded(await ann.client.post("/spot/order", limitOrder("sell", "0.5", "30000")));
  const taken = await old.spot("POST", "/order/limit", {
    market: "BTCUSDT",
    type: "buy",
    amount: "0.2",
    price: "30000",
  });
  assert.deepEqual([taken.code, taken.data.deal_amount], [0, "0.200000"]);
  const pushed = await socket.push("user_deals.update");
  assert.deepEqual([pushed.market, pushed.amount, pushed.role], ["BTCUSDT", "0.200000", "maker"]);
  assert.ok((await legacySocket.taken()).some(({ method }) => method === "order.update"));

  const [deal] = succeeded(await ann.client.get("/spot/user-deals", { market: "BTCUSDT", market_type: "SPOT" })) as {
    amount: string;
    role: string;
  }[];
  assert.deepEqual([deal?.amount, deal?.role], ["0.200000", "maker"]);
  const balances = succeeded(await ann.client.get("/assets/spot/balance")) as { ccy: string; available: string }[];
  assert.equal(balances.find(({ ccy }) => ccy === "DSC")?.available, "0.00600000");
});
