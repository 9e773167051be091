/** Why orders and positions came out as they did. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { type ExplainGround, explainOrder } from "../../src/gateway/explain/explain-order.ts";
import { explainPosition } from "../../src/gateway/explain/explain-position.ts";
import { explainRequest } from "../../src/gateway/explain/explain-request.ts";
import { Printers } from "../../src/gateway/reading/market-printer.ts";
import {
  type ApiUser,
  type ApiVenue,
  bitcoinApiVenue,
  contract,
  futuresApiVenue,
  limitOrder,
  marketOrder,
} from "../support/served-venue.ts";

const ORDER = "/v2/spot/order";

// biome-ignore lint/suspicious/noExplicitAny: a test looks at what came.
type Explained = any;

function groundOf({ engine, history, lifecycleTrace }: ApiVenue, remembers = true): ExplainGround {
  const { state } = engine;
  return { state, history, printers: new Printers(state), lifecycleTrace: remembers ? lifecycleTrace : undefined };
}

describe("orders explained", () => {
  let venue: ApiVenue;
  let maker: ApiUser;
  let taker: ApiUser;
  before(async () => {
    venue = await bitcoinApiVenue();
    maker = await venue.addUser("maker", { USDT: "1000000", BTC: "100" });
    taker = await venue.addUser("taker", { USDT: "1000000", BTC: "100" });
    for (const price of ["30000", "30001", "30002"]) await maker.client.act(ORDER, limitOrder("sell", "1", price));
    await maker.client.act(ORDER, limitOrder("buy", "1", "29000"));
  });
  after(() => venue.close());

  const explained = async (orderId: number, remembers = true): Promise<Explained> =>
    await explainOrder(groundOf(venue, remembers), orderId);
  const placed = async ({ client }: ApiUser, body: object): Promise<number> => (await client.act(ORDER, body)).order_id;

  test("an order that waits names the best price of the other side, and what stands there", async () => {
    const { because, rule, events, book_now } = await explained(await placed(taker, limitOrder("buy", "1", "29500")));
    assert.deepEqual([because, rule], ["It buys at most at 29500.00; the best ask is 30000.00.", "2.5"]);
    assert.deepEqual(book_now[0], { price: "30000.00", amount: "1.000000" });
    assert.deepEqual([events[0].event, events[0].status, events[0].best_opposite], ["accepted", "rests", "30000.00"]);
  });

  test("a filled order shows the book it met, and at whose prices it traded", async () => {
    const orderId = await placed(taker, marketOrder("buy", "1.5", { ccy: "BTC" }));
    const { because, rule, book_met, deals, user } = await explained(orderId);
    assert.deepEqual([rule, user], ["2.6", "taker"]);
    assert.match(
      because,
      /^It was filled, 1\.500000 of it at 30000\.33 on average: each deal at the price of the order/,
    );
    assert.deepEqual(book_met, [
      { price: "30000.00", amount: "1.000000", taken: "1.000000" },
      { price: "30001.00", amount: "1.000000", taken: "0.500000" },
      { price: "30002.00", amount: "1.000000", taken: "0.000000" },
    ]);
    assert.deepEqual(
      deals.map(({ price, amount, role, other_user_id }: Explained) => [price, amount, role, other_user_id]),
      [
        ["30000.00", "1.000000", "taker", maker.userId],
        ["30001.00", "0.500000", "taker", maker.userId],
      ],
    );
    const forgotten = await explained(orderId, false);
    assert.equal(forgotten.rule, "2.6");
    assert.match(forgotten.note, /not remembered/);
    assert.deepEqual(
      forgotten.deals.map(({ price, role }: Explained) => [price, role]),
      [
        ["30001.00", "taker"],
        ["30000.00", "taker"],
      ],
    );
  });

  test("an order that ended says what ended it", async () => {
    const cancelled = await placed(taker, limitOrder("buy", "1", "29400"));
    await taker.client.act("/v2/spot/cancel-order", { market: "BTCUSDT", market_type: "SPOT", order_id: cancelled });
    const { because, rule, events } = await explained(cancelled);
    assert.deepEqual([because, rule, events.length], ["Its user cancelled it.", "2.15", 2]);
    assert.deepEqual([events[1].event, events[1].command], ["ended", "cancel_order"]);

    const hasty = await explained(await placed(taker, limitOrder("buy", "1", "29600", { type: "ioc" })));
    assert.equal(hasty.rule, "2.2");
    assert.match(
      hasty.because,
      /^An order of type ioc does not rest: within its limit 29600\.00 there was no more; the best price left was 30001\.00/,
    );

    await taker.client.act(ORDER, limitOrder("sell", "1", "29900"));
    const own = await explained(await placed(taker, limitOrder("buy", "1", "29950", { stp_mode: "ct" })));
    assert.deepEqual([own.rule, own.status], ["2.7", "canceled"]);
  });

  test("an order that was met while it rested tells of who came", async () => {
    const resting = await placed(maker, limitOrder("buy", "1", "29800"));
    await placed(taker, limitOrder("sell", "0.4", "29800"));
    const { events, deals, status } = await explained(resting);
    assert.deepEqual([events.length, events[1].event, status], [2, "filled", "part_filled"]);
    assert.deepEqual([deals[0].role, deals[0].amount, deals[0].other_user_id], ["maker", "0.400000", taker.userId]);
  });

  test("a quote that a protection has pulled names it", async () => {
    const guarded = await venue.addUser("guarded", { USDT: "100000" });
    await guarded.client.act("/v2/ext/market-maker-protection", {
      ...{ market: "BTCUSDT", market_type: "SPOT" },
      ...{ window_ms: 1_000, max_fills: 1 },
    });
    await placed(guarded, limitOrder("buy", "0.5", "29850"));
    const pulled = await placed(guarded, limitOrder("buy", "0.5", "29840"));
    await placed(taker, limitOrder("sell", "0.1", "29850", { type: "ioc" }));
    const { because, rule, status } = await explained(pulled);
    assert.deepEqual(
      [because, rule, status],
      ["The market-maker protection of its account had reached a limit.", "2.18", "canceled"],
    );
  });

  test("a market that takes bids, and one that is suspended, are the reason themselves", async () => {
    const waiting = await placed(taker, limitOrder("buy", "1", "29100"));
    await venue.operate({ kind: "change_market", market: "BTCUSDT", suspended: true });
    assert.deepEqual((await explained(waiting)).because, "The market is suspended.");
    await venue.operate({ kind: "change_market", market: "BTCUSDT", suspended: false });
  });

  test("nobody explains an order that there is not, and a request names its order and its reasons", async () => {
    assert.equal(await explained(999_999), undefined);
    const answer = await taker.client.fetch("POST", ORDER, JSON.stringify(limitOrder("buy", "1000", "29000")));
    const remembered = venue.requests.find(answer.headers.get("x-request-id") ?? "");
    assert.ok(remembered);
    const { because, code, reasons, user } = explainRequest(venue.engine.state, remembered) as Explained;
    assert.deepEqual([because, code, user], ["The balance is not enough.", 3109, "taker"]);
    assert.equal(reasons[0].figures.needed, "29000000.00000000");
  });
});

test("a liquidation is explained by mark and margins, and an open position by how it stands", async (t) => {
  const venue = await futuresApiVenue();
  t.after(() => venue.close());
  await venue.index("30000");
  const maker = await venue.addTrader("maker", { USDT: "1000000" });
  const { client, userId } = await venue.addTrader("trader", { USDT: "2000" });
  const mode = { market: "BTCUSDT", market_type: "FUTURES", margin_mode: "isolated", leverage: 10 };
  await client.act("/v2/futures/adjust-position-leverage", mode);
  await maker.client.act("/v2/futures/order", contract("sell", "0.1", "30000"));
  await client.act("/v2/futures/order", contract("buy", "0.1", "30000"));
  const [{ position_id }] = await client.read("/v2/futures/pending-position", {
    market: "BTCUSDT",
    market_type: "FUTURES",
  });
  const open = (await explainPosition(groundOf(venue), position_id)) as Explained;
  assert.deepEqual([open.user_id, open.rule, open.events.length], [userId, "4.13", 1]);
  assert.deepEqual([open.events[0].event, open.events[0].change], ["increase", "+0.100000"]);

  for (const price of ["28500", "27000"]) {
    await venue.index(price);
    await venue.wait(1_000);
  }
  const { finished_type, rule, because, liquidation, events } = (await explainPosition(
    groundOf(venue),
    position_id,
  )) as Explained;
  assert.deepEqual([finished_type, rule], ["liq", "4.13"]);
  assert.match(because, /maintenance margin/);
  assert.match(events.at(-1).event, /ended: liq/);
  assert.equal(liquidation.margin, "300.00000000");
  assert.equal(liquidation.amount, "0.100000");
  assert.ok(Number(liquidation.unrealized_pnl) + Number(liquidation.margin) <= Number(liquidation.maintenance_margin));
  const forgotten = (await explainPosition(groundOf(venue, false), position_id)) as Explained;
  assert.deepEqual([forgotten.finished_type, forgotten.liquidation], ["liq", undefined]);
  assert.equal(await explainPosition(groundOf(venue), 999), undefined);
});
