import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, test } from "node:test";
import { type ApiUser, type ApiVenue, contract, futuresApiVenue } from "../support/served-venue.ts";

const OF_BTCUSDT = { market: "BTCUSDT", market_type: "FUTURES" };
const OF_BTCUSD = { market: "BTCUSD", market_type: "FUTURES" };
const ORDER = "/v2/futures/order";
const LEVERAGE = "/v2/futures/adjust-position-leverage";

describe("the worked examples of futures come out of the API to the digit", () => {
  let venue: ApiVenue;
  let maker: ApiUser;
  beforeEach(async () => {
    venue = await futuresApiVenue();
    maker = await venue.addTrader("maker", { USDT: "1000000", BTC: "100" });
  });
  afterEach(() => venue.close());

  const positionOf = async ({ client }: ApiUser, market = OF_BTCUSDT) => {
    const [position] = await client.read("/v2/futures/pending-position", market);
    return position;
  };
  const balanceOf = async ({ client }: ApiUser, ccy: string) => {
    const balances = await client.read("/v2/assets/futures/balance");
    return balances.find((row: { ccy: string }) => row.ccy === ccy);
  };

  test("E2: a linear isolated long", async () => {
    const trader = await venue.addTrader("trader", { USDT: "1000" });
    const mode = await trader.client.act(LEVERAGE, { ...OF_BTCUSDT, margin_mode: "isolated", leverage: 20 });
    assert.deepEqual(mode, { margin_mode: "isolated", leverage: 20 });
    const bid = await trader.client.act(ORDER, contract("buy", "0.5", "30000", { client_id: "E2" }));
    assert.equal((await balanceOf(trader, "USDT")).frozen, "757.50000000");
    const openedAt = venue.control.timeMs;
    await maker.client.act(ORDER, contract("sell", "0.5", "30000"));

    assert.deepEqual(
      await trader.client.read("/v2/futures/order-status", { market: "BTCUSDT", order_id: bid.order_id }),
      {
        ...bid,
        unfilled_amount: "0.000000",
        filled_amount: "0.500000",
        filled_value: "15000.00000000",
        // It rested, so it pays as a maker: 0.03 % of 15000.
        fee: "4.50000000",
        last_filled_amount: "0.500000",
        last_filled_price: "30000.00",
        status: "filled",
      },
    );
    const position = await positionOf(trader);
    assert.deepEqual(position, {
      position_id: position.position_id,
      market: "BTCUSDT",
      market_type: "FUTURES",
      side: "long",
      margin_mode: "isolated",
      open_interest: "0.500000",
      close_avbl: "0.500000",
      ath_position_amount: "0.500000",
      unrealized_pnl: "0.00000000",
      realized_pnl: "-4.50000000",
      avg_entry_price: "30000.00",
      cml_position_value: "15000.00000000",
      max_position_value: "15000.00000000",
      take_profit_price: "",
      stop_loss_price: "",
      take_profit_type: "",
      stop_loss_type: "",
      leverage: "20",
      margin_avbl: "750.00000000",
      ath_margin_size: "750.00000000",
      position_margin_rate: "0.05000000",
      maintenance_margin_rate: "0.005",
      maintenance_margin_value: "75.00000000",
      liq_price: "28643.21",
      bkr_price: "28500.00",
      adl_level: 5,
      settle_price: "30000.00",
      settle_value: "15000.00000000",
      risk_rate: "0.10000000",
      created_at: openedAt,
      updated_at: openedAt,
      stop_loss_list: [],
      take_profit_list: [],
    });
    await venue.index("28643.22");
    const near = await positionOf(trader);
    assert.deepEqual([near.unrealized_pnl, near.maintenance_margin_value], ["-678.39000000", "71.60805000"]);

    const added = await trader.client.act("/v2/futures/adjust-position-margin", { ...OF_BTCUSDT, amount: "150" });
    assert.deepEqual([added.liq_price, added.bkr_price, added.margin_avbl], ["28341.70", "28200.00", "900.00000000"]);
    const [change] = await trader.client.read("/v2/futures/position-margin-history", {
      ...OF_BTCUSDT,
      position_id: position.position_id,
    });
    assert.deepEqual(
      [change.margin_change, change.margin_avbl, change.liq_price, change.bkr_price, change.open_interest],
      ["150.00000000", "900.00000000", "28341.70", "28200.00", "0.500000"],
    );
    const [deal] = await trader.client.read("/v2/futures/user-deals", OF_BTCUSDT);
    assert.deepEqual(
      [deal.order_id, deal.position_id, deal.role, deal.fee, deal.fee_ccy],
      [bid.order_id, position.position_id, "maker", "4.50000000", "USDT"],
    );
  });

  test("E2: who takes pays the fee of the example, and is liquidated a tick below where it still stands", async () => {
    const gone: string[] = [];
    for (const mark of ["28643.21", "28640", "28400"]) {
      await venue.index("30000");
      const trader = await venue.addTrader(`taker ${mark}`, { USDT: "1000" });
      await trader.client.act(LEVERAGE, { ...OF_BTCUSDT, margin_mode: "isolated", leverage: 20 });
      await maker.client.act(ORDER, contract("sell", "0.5", "30000"));
      const bid = await trader.client.act(ORDER, contract("buy", "0.5", "30000"));
      assert.deepEqual([bid.filled_value, bid.fee, bid.fee_ccy], ["15000.00000000", "7.50000000", "USDT"]);
      const opened = await positionOf(trader);
      assert.deepEqual(
        [opened.margin_avbl, opened.realized_pnl, opened.liq_price, opened.bkr_price],
        ["750.00000000", "-7.50000000", "28643.21", "28500.00"],
      );
      const { cross_balance, isolated_balance, frozen } = await balanceOf(trader, "USDT");
      assert.deepEqual([cross_balance, isolated_balance, frozen], ["242.50000000", "750.00000000", "0.00000000"]);

      await venue.index("28643.22");
      assert.equal((await positionOf(trader)).unrealized_pnl, "-678.39000000", "71.61 is more than 71.60805");
      await venue.index(mark);
      assert.equal(await positionOf(trader), undefined, `at ${mark} the venue takes the position over`);
      const [ended] = await trader.client.read("/v2/futures/finished-position", OF_BTCUSDT);
      assert.deepEqual([ended.finished_type, ended.realized_pnl], ["liq", "-757.50000000"]);
      assert.equal((await balanceOf(trader, "USDT")).account_balance, "242.50000000");
      const [row] = await venue.anybody.read("/v2/futures/liquidation-history", { market: "BTCUSDT" });
      assert.deepEqual([row.side, row.liq_amount, row.bkr_price], ["long", "0.500000", "28500.00"]);
      gone.push(row.liq_price);
    }
    assert.deepEqual(gone, ["28643.21", "28643.21", "28643.21"]);
  });

  test("E3: an inverse short that is bought back in part", async () => {
    // 0.00016667 pay the opening fee of 0.33333333 at 0.05 %, so that 0.2 are left.
    const trader = await venue.addTrader("trader", { BTC: "0.20016667" });
    await maker.client.act(ORDER, contract("buy", "10000", "30000", OF_BTCUSD));
    await trader.client.act(ORDER, contract("sell", "10000", "30000", { ...OF_BTCUSD, type: "limit" }));
    await venue.index("28000", "BTCUSD");
    const before = await positionOf(trader, OF_BTCUSD);
    assert.deepEqual(
      [before.side, before.open_interest, before.settle_value, before.unrealized_pnl],
      ["short", "10000", "0.33333333", "0.02380952"],
    );
    await maker.client.act(ORDER, contract("sell", "4000", "27950", OF_BTCUSD));
    const bought = await trader.client.act(ORDER, contract("buy", "4000", "27950", OF_BTCUSD));
    assert.deepEqual(
      [bought.filled_value, bought.realized_pnl, bought.fee, bought.fee_ccy],
      ["0.14311270", "0.00977937", "0.00007156", "BTC"],
    );
    const left = await positionOf(trader, OF_BTCUSD);
    assert.deepEqual(
      [left.settle_value, left.unrealized_pnl, left.margin_avbl, left.maintenance_margin_value, left.liq_price],
      ["0.20000000", "0.01428571", "0.02142858", "0.00107143", "0"],
    );
    assert.deepEqual(await balanceOf(trader, "BTC"), {
      ccy: "BTC",
      account_balance: "0.20970781",
      cross_balance: "0.20970781",
      isolated_balance: "0.00000000",
      available: "0.18827923",
      frozen: "0.00000000",
      margin: "0.00000000",
      cross_margin_avbl: "0.20256494",
      isolated_margin_avbl: "0.18827923",
      transferrable: "0.18827923",
      unrealized_pnl: "0.01428571",
    });
    // 0.03 are left behind the position.
    const away = { from_account_type: "FUTURES", to_account_type: "SPOT", ccy: "BTC", amount: "0.17970781" };
    await trader.client.act("/v2/assets/transfer", away);
    assert.equal((await positionOf(trader, OF_BTCUSD)).liq_price, "35117.7");
  });

  test("E4: the balance of a cross account, and where it is liquidated", async () => {
    // 3 USDT pay the opening fee of 6000 at 0.05 %, so that 1000 are left.
    const trader = await venue.addTrader("trader", { USDT: "1003" });
    await maker.client.act(ORDER, contract("sell", "0.2", "30000"));
    await trader.client.act(ORDER, contract("buy", "0.2", "30000"));
    await venue.index("29500");
    await trader.client.act(ORDER, contract("buy", "0.1", "29000"));
    assert.deepEqual(await balanceOf(trader, "USDT"), {
      ccy: "USDT",
      account_balance: "1000.00000000",
      cross_balance: "1000.00000000",
      isolated_balance: "0.00000000",
      available: "18.55000000",
      frozen: "291.45000000",
      margin: "0.00000000",
      cross_margin_avbl: "18.55000000",
      isolated_margin_avbl: "18.55000000",
      transferrable: "18.55000000",
      unrealized_pnl: "-100.00000000",
    });
    const position = await positionOf(trader);
    assert.deepEqual(
      [position.liq_price, position.bkr_price, position.position_margin_rate, position.risk_rate],
      ["26590.20", "0", "0.11809166", "0.04847589"],
    );
    assert.deepEqual([position.margin_avbl, position.margin_mode], ["590.00000000", "cross"]);
    const transfer = { from_account_type: "FUTURES", to_account_type: "SPOT", ccy: "USDT" };
    const tooMuch = await trader.client.post("/v2/assets/transfer", { ...transfer, amount: "18.55000001" });
    assert.equal(tooMuch.code, 3109);
    await trader.client.act("/v2/assets/transfer", { ...transfer, amount: "18.55" });
    assert.equal((await balanceOf(trader, "USDT")).transferrable, "0.00000000");
  });

  test("E4: at 100x what may leave is bound by maintenance and 1.5 % of the position", async () => {
    const trader = await venue.addTrader("trader", { USDT: "1003" });
    await maker.client.act(ORDER, contract("sell", "0.2", "30000"));
    await trader.client.act(ORDER, contract("buy", "0.2", "30000"));
    await trader.client.act(LEVERAGE, { ...OF_BTCUSDT, margin_mode: "cross", leverage: 100 });
    await venue.index("29500");
    const { cross_margin_avbl, transferrable } = await balanceOf(trader, "USDT");
    // With a loss T1 is what is free for cross margin: 1000 - 100 - 59. T2 is less: 1000 - 100 - 29.5 - 88.5.
    assert.deepEqual([cross_margin_avbl, transferrable], ["841.00000000", "782.00000000"]);
  });

  test("E4: orders that would close freeze nothing, and those that go beyond a part in common", async () => {
    const trader = await venue.addTrader("trader", { USDT: "100000" });
    await maker.client.act(ORDER, contract("sell", "10", "30000"));
    await trader.client.act(ORDER, contract("buy", "10", "30000"));
    await trader.client.act(ORDER, contract("sell", "6", "31000"));
    assert.equal((await balanceOf(trader, "USDT")).frozen, "0.00000000");
    await trader.client.act(ORDER, contract("sell", "8", "31500"));
    assert.equal((await balanceOf(trader, "USDT")).frozen, "12576.85714287");
  });

  test("E9: the index of a futures market leaves an outlier out, and says what each source weighs", async () => {
    const source = (name: string, price: string, weight: string) => ({ exchange: name, price, weight });
    const sources = [
      source("one", "30000", "0.3"),
      source("two", "30010", "0.3"),
      source("three", "29990", "0.2"),
      source("four", "30700", "0.2"),
    ];
    await venue.operate({ kind: "set_index_prices", market: "BTCUSDT", marketType: "FUTURES", sources });
    const [index] = await venue.anybody.read("/v2/futures/index", { market: "BTCUSDT" });
    assert.equal(index.price, "30001.25");
    assert.deepEqual(
      index.sources.map(({ exchange, index_weight }: { exchange: string; index_weight: string }) => [
        exchange,
        index_weight,
      ]),
      [
        ["one", "0.375"],
        ["two", "0.375"],
        ["three", "0.25"],
        ["four", "0"],
      ],
    );
    const [ticker] = await venue.anybody.read("/v2/futures/ticker", { market: "BTCUSDT" });
    assert.deepEqual([ticker.index_price, ticker.mark_price], ["30001.25", "30001.25"]);
  });

  test("E9: seven ranked positions stand in the levels 5 5 4 3 3 2 1 of auto-deleveraging", async () => {
    const traders: ApiUser[] = [];
    for (const price of ["30060", "30050", "30040", "30030", "30020", "30010", "30000"]) {
      const trader = await venue.addTrader(`sold at ${price}`, { USDT: "1000" });
      await maker.client.act(ORDER, contract("buy", "0.1", price));
      await trader.client.act(ORDER, contract("sell", "0.1", price));
      traders.push(trader);
    }
    await venue.index("29900");
    const levels = await Promise.all(traders.map(async (trader) => (await positionOf(trader)).adl_level));
    assert.deepEqual(levels, [5, 5, 4, 3, 3, 2, 1]);
    assert.equal((await positionOf(maker)).adl_level, 5, "the only one of its side comes first");
  });

  test("a position that flips ends, and another one begins in the same deal", async () => {
    const trader = await venue.addTrader("trader", { USDT: "10000" });
    await maker.client.act(ORDER, contract("sell", "0.1", "30000"));
    await trader.client.act(ORDER, contract("buy", "0.1", "30000"));
    const opened = await positionOf(trader);
    await maker.client.act(ORDER, contract("buy", "0.3", "30000"));
    await trader.client.act(ORDER, contract("sell", "0.3"));
    const turned = await positionOf(trader);
    assert.deepEqual([turned.side, turned.open_interest], ["short", "0.200000"]);
    const [ended] = await trader.client.read("/v2/futures/finished-position", OF_BTCUSDT);
    assert.deepEqual(
      [ended.position_id, ended.finished_type, ended.open_interest, ended.avg_entry_price, ended.realized_pnl],
      [opened.position_id, "market", "0.000000", "30000.00", "-3.00000000"],
    );
    const [deal] = await trader.client.read("/v2/futures/user-deals", OF_BTCUSDT);
    assert.equal(deal.position_id, turned.position_id);
  });
});

test("what a futures account may not do is refused with the code that says so", async (t) => {
  const venue = await futuresApiVenue();
  t.after(() => venue.close());
  const { client } = await venue.addTrader("trader", { USDT: "1000" });
  const maker = await venue.addTrader("maker", { USDT: "100000" });
  await maker.client.act(ORDER, contract("sell", "1", "30000"));
  await maker.client.act(ORDER, contract("buy", "1", "29900"));
  const margin = "/v2/futures/adjust-position-margin";
  const close = "/v2/futures/close-position";
  const transfer = { from_account_type: "SPOT", to_account_type: "FUTURES", ccy: "USDT", amount: "1" };
  const settings = "/v2/account/futures-market-settings";
  const table: readonly [path: string, body: object, code: number][] = [
    [ORDER, contract("buy", "0.00001", "30000"), 3127],
    [ORDER, contract("buy", "0.1", "30000.001"), 3639],
    [ORDER, contract("buy", "0.1", "40000"), 3618],
    [ORDER, contract("buy", "50", "29000"), 3109],
    [ORDER, contract("buy", "0.1", "30000", { type: "maker_only" }), 3622],
    [ORDER, contract("buy", "0.1", "29999", { type: "fok" }), 3621],
    [ORDER, contract("buy", "0.1", "30000", { position_side: "long" }), 3639],
    [ORDER, contract("buy", "0.1", "30000", { market: "ETHUSDT" }), 3639],
    ["/v2/futures/cancel-order", { ...OF_BTCUSDT, order_id: 999 }, 3600],
    ["/v2/futures/modify-order", { ...OF_BTCUSDT, order_id: 999, price: "1" }, 3600],
    ["/v2/futures/cancel-stop-order", { ...OF_BTCUSDT, stop_id: 999 }, 3600],
    [close, { ...OF_BTCUSDT, type: "market" }, 3639],
    [margin, { ...OF_BTCUSDT, amount: "1" }, 3639],
    [LEVERAGE, { ...OF_BTCUSDT, margin_mode: "cross", leverage: 7 }, 3639],
    ["/v2/assets/transfer", transfer, 3109],
    ["/v2/assets/transfer", { ...transfer, ccy: "USD" }, 3639],
    ["/v2/assets/transfer", { ...transfer, to_account_type: "SPOT" }, 3639],
    [settings, {}, 3639],
  ];
  for (const [path, body, code] of table) {
    const answer = await client.post(path, body);
    assert.equal(answer.code, code, `${path} ${JSON.stringify(body)}: ${answer.message}`);
  }
  // Behind one code for all that is wrong with parameters the sentence says which and why.
  for (const [path, body, sentence] of [
    [settings, {}, "Invalid Parameter: name a position_mode, a settle_switch or both."],
    [LEVERAGE, { ...OF_BTCUSDT, margin_mode: "cross", leverage: 7 }, /^Invalid Parameter: leverage is one of 1, /],
    [
      "/v2/assets/transfer",
      { ...transfer, amount: "0.0000000001" },
      /^Invalid Parameter: amount must be a decimal above 0 /,
    ],
    ["/v2/assets/transfer", { ...transfer, ccy: "USD" }, "Invalid Parameter: no futures market settles in USD."],
  ] as const) {
    const { message } = await client.post(path, body);
    if (typeof sentence === "string") assert.equal(message, sentence);
    else assert.match(message, sentence);
  }
  await client.act(ORDER, contract("buy", "0.01", "28000"));
  assert.equal((await client.post(settings, { position_mode: "hedge" })).code, 3639, "not with a pending order");
  await client.act("/v2/futures/cancel-all-order", OF_BTCUSDT);
  await client.act(settings, { position_mode: "hedge", settle_switch: 2 });
  assert.deepEqual(await client.read(settings), { settle_switch: 2, position_mode: "hedge" });
  await client.act(ORDER, contract("buy", "0.1", "30000", { position_side: "long" }));
  assert.equal((await client.post(close, { ...OF_BTCUSDT, type: "market" })).code, 3639, "which position?");
  const closed = await client.act(close, { ...OF_BTCUSDT, type: "market", position_side: "long" });
  assert.equal(closed.filled_amount, "0.100000");
  assert.deepEqual(await client.read("/v2/futures/pending-position", OF_BTCUSDT), []);
});

test("a sub-account without the permission may read futures and not trade them", async (t) => {
  const venue = await futuresApiVenue();
  t.after(() => venue.close());
  const main = await venue.addTrader("main", { USDT: "1000" });
  const sub = await venue.addUser("sub", { USDT: "1000" }, main.userId);
  await venue.operate({ kind: "change_sub_account", subUserId: sub.userId, permissions: [] });
  assert.equal((await sub.client.post(ORDER, contract("buy", "0.001", "29000"))).code, 4512);
  assert.equal((await sub.client.post(LEVERAGE, { ...OF_BTCUSDT, margin_mode: "cross", leverage: 5 })).code, 4512);
  assert.deepEqual(await sub.client.read("/v2/futures/pending-position", OF_BTCUSDT), []);
  assert.deepEqual(await sub.client.read("/v2/assets/futures/balance"), []);
});

test("a fee level is of spot markets: in futures a user's own rate holds, else that of the market", async (t) => {
  const venue = await futuresApiVenue();
  t.after(() => venue.close());
  const { client, userId } = await venue.addTrader("trader", { USDT: "10000" });
  await venue.operate({ kind: "set_fee_level", level: "vip", makerFeeRate: "0.0008", takerFeeRate: "0.0012" });
  const rates = async () => {
    const fee = await client.read("/v2/account/trade-fee-rate", OF_BTCUSDT);
    const bid = await client.act(ORDER, contract("buy", "0.01", "29000"));
    assert.deepEqual([bid.maker_fee_rate, bid.taker_fee_rate], [fee.maker_rate, fee.taker_rate]);
    return `${fee.maker_rate} ${fee.taker_rate}`;
  };
  await venue.operate({ kind: "change_user", userId, feeLevel: "vip" });
  assert.equal(await rates(), "0.0003 0.0005");
  await venue.operate({ kind: "change_user", userId, takerFeeRate: "0.0004" });
  assert.equal(await rates(), "0.0003 0.0004");
  await venue.operate({ kind: "change_user", userId, feeLevel: null });
  assert.equal(await rates(), "0.0003 0.0004");
});
