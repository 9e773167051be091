/** The sockets of futures: what everybody may follow, and what accounts may follow of themselves. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { RecordType } from "../../src/gateway/request/rules.ts";
import { loadSocketContract } from "../../src/gateway/ws/contract.ts";
import {
  type ApiUser,
  type ApiVenue,
  bitcoinApiVenue,
  contract,
  futuresApiVenue,
  limitOrder,
  listFutures,
} from "../support/served-venue.ts";
import type { Message, SocketClient } from "../support/socket-client.ts";
import { xorshift } from "../support/xorshift.ts";

const { channels, values } = loadSocketContract();
const PATH = "/v2/futures";
const OF_BTCUSDT = { market: "BTCUSDT", market_type: "FUTURES" };
const FUNDS = { USDT: "1000000", BTC: "100" };
const STEPS = 300;

/** What a record lacks or has too much, down to the records within. */
function fieldFaults(value: Message, name: string, where = name): string[] {
  const { kind, fields } = values.records.get(name) as RecordType;
  if (kind === "tuple") return [];
  const names = fields.map((field) => field.name);
  const faults = Object.keys(value)
    .filter((key) => !names.includes(key))
    .map((key) => `${where} has ${key}`);
  for (const field of fields) {
    const inner = /^(?:array<)?(\w+)>?$/.exec(field.type)?.[1] as string;
    if (value[field.name] === undefined) faults.push(`${where} lacks ${field.name}`);
    else if (values.records.has(inner)) {
      for (const each of [value[field.name]].flat()) faults.push(...fieldFaults(each, inner, `${where}.${field.name}`));
    }
  }
  return faults;
}

describe("the sockets of futures", () => {
  let venue: ApiVenue;
  let maker: ApiUser;
  let trader: ApiUser;

  before(async () => {
    venue = await futuresApiVenue();
    maker = await venue.addTrader("maker", FUNDS);
    trader = await venue.addTrader("trader", FUNDS);
  });
  after(() => venue.close());

  const place = (user: ApiUser, body: object) => user.client.act("/v2/futures/order", body);

  async function following(user: ApiUser, ...names: readonly string[]): Promise<SocketClient> {
    const socket = await venue.socket(user.client, PATH);
    for (const name of names) {
      await socket.must(`${name}.subscribe`, name === "balance" ? { ccy_list: [] } : { market_list: [] });
    }
    return socket;
  }

  test("every channel of the contract sends exactly the fields of its record", async () => {
    const socket = await venue.socket(trader.client, PATH);
    const ours = channels.filter(({ markets }) => markets !== "spot");
    for (const { name, subscribe } of ours) {
      const [list] = subscribe.params as unknown as readonly [{ name: string }];
      const items = name === "depth" ? [["BTCUSDT", 10, "0", true]] : [];
      await socket.must(subscribe.method, { [list.name]: items });
    }
    await place(maker, contract("sell", "1", "30000"));
    await place(trader, contract("buy", "0.5", "30000"));
    await trader.client.act(
      "/v2/futures/stop-order",
      contract("buy", "0.1", "29000", { trigger_price: "28000", trigger_price_type: "latest_price" }),
    );
    // The premium of a minute is told when it has ended, if something had rested at one of its ticks.
    for (const price of ["30000", "30005", "30010"]) {
      await venue.wait(30_000);
      for (const market of ["BTCUSDT", "BTCUSD"]) await venue.index(price, market);
    }
    venue.beat(5_000);
    const soon = venue.control.timeMs + 60_000;
    const times = { startedAt: soon, endedAt: soon + 1, protectDurationStart: 0, protectDurationEnd: 0 };
    await venue.operate({
      kind: "plan_maintenance",
      scope: ["SPOT"],
      ...times,
      announceUrl: "",
      announceEnabled: false,
    });
    const messages = await socket.taken();
    for (const { name, update } of ours) {
      const pushes = messages.filter(({ method }) => method === update.method);
      assert.ok(pushes.length > 0, `${name} sent nothing`);
      for (const { data } of pushes) assert.deepEqual(fieldFaults(data, update.record), [], name);
    }
    await trader.client.act("/v2/futures/close-position", { ...OF_BTCUSDT, type: "market" }).catch(() => {});
  });

  test("markets of spot are not heard of here, nor those of futures there", async () => {
    const spot = await venue.socket();
    await spot.must("state.subscribe", { market_list: [] });
    const futures = await venue.socket(undefined, PATH);
    await futures.must("state.subscribe", { market_list: [] });
    const { state_list } = await futures.push("state.update");
    assert.deepEqual(
      state_list.map(({ market }: Message) => market),
      ["BTCUSDT", "BTCUSD"],
    );
    assert.deepEqual(await spot.taken(), []);
  });

  test("a futures channel needs a login where the contract says so, with an error of this socket", async () => {
    const socket = await venue.socket(undefined, PATH);
    assert.equal((await socket.ask("position.subscribe", { market_list: [] })).code, 31_001);
    assert.equal((await socket.ask("nothing.subscribe", { market_list: [] })).code, 30_002);
  });

  test("an order that a stop order became says from which, and its deal which position it changed", async () => {
    const taker = await venue.addTrader("stopper", FUNDS);
    const socket = await following(taker, "order", "stop", "user_deals", "position");
    await place(maker, contract("sell", "1", "30000"));
    // The latest price is at the trigger already.
    const { stop_id } = await taker.client.act(
      "/v2/futures/stop-order",
      contract("buy", "0.1", "30000", { trigger_price: "30000", trigger_price_type: "latest_price" }),
    );
    const put = await socket.push("order.update");
    const finish = await socket.push("order.update");
    assert.deepEqual([put.event, finish.event], ["put", "finish"]);
    assert.deepEqual([put.order.stop_id, finish.order.stop_id], [stop_id, stop_id]);
    const { position } = await socket.push("position.update");
    const deal = await socket.push("user_deals.update");
    assert.equal(deal.position_id, position.position_id);
    assert.deepEqual([position.open_interest, position.first_filled_price], ["0.100000", "30000.00"]);
    const stopLoss = { ...OF_BTCUSDT, stop_loss_type: "mark_price", stop_loss_price: "25000" };
    await taker.client.act("/v2/futures/set-position-stop-loss", stopLoss);
    const guarded = await socket.push("position.update");
    assert.deepEqual([guarded.event, guarded.position.stop_loss_price], ["update", "25000.00"]);
    await place(maker, contract("buy", "1", "29990"));
    await taker.client.act("/v2/futures/close-position", { ...OF_BTCUSDT, type: "market" });
    const closed = await socket.push("position.update");
    assert.deepEqual([closed.event, closed.position.open_interest], ["close", "0.000000"]);
    assert.equal(closed.position.position_id, position.position_id);
    assert.deepEqual([closed.position.avg_entry_price, closed.position.latest_filled_price], ["30000.00", "29990.00"]);
  });

  test("a position says at what prices it was traded first and last, also before anybody followed it", async () => {
    const holder = await venue.addTrader("holder", FUNDS);
    const INVERSE = { ...OF_BTCUSDT, market: "BTCUSD" };
    const order = (side: "buy" | "sell", amount: string, price: string) => contract(side, amount, price, INVERSE);
    // Values of ten dollars are so few units that no price could be told from them.
    for (const price of ["29999.9", "30000.3"]) {
      await place(maker, order("sell", "10", price));
      await place(holder, order("buy", "10", price));
    }
    const socket = await following(holder, "position");
    await holder.client.act("/v2/futures/adjust-position-leverage", { ...INVERSE, margin_mode: "cross", leverage: 5 });
    const prices = ({ position }: Message) => [position.first_filled_price, position.latest_filled_price];
    assert.deepEqual(prices(await socket.push("position.update")), ["29999.9", "30000.3"]);
    await place(maker, order("buy", "20", "29998.7"));
    await holder.client.act("/v2/futures/close-position", { ...INVERSE, type: "market" });
    const closed = await socket.push("position.update");
    assert.deepEqual([closed.event, ...prices(closed)], ["close", "29999.9", "29998.7"]);
    const [ended] = await holder.client.read("/v2/futures/finished-position", INVERSE);
    assert.deepEqual([closed.position.avg_entry_price], [ended.avg_entry_price]);
  });

  test("a position is told of when liquidation is near, and when it has come", async () => {
    const poor = await venue.addTrader("poor", { USDT: "100" });
    const isolated = { ...OF_BTCUSDT, margin_mode: "isolated", leverage: 100 };
    await poor.client.act("/v2/futures/adjust-position-leverage", isolated);
    const socket = await following(poor, "position");
    await venue.index("30000");
    await place(maker, contract("sell", "0.1", "30000"));
    await place(poor, contract("buy", "0.1", "30000"));
    assert.equal((await socket.push("position.update")).event, "update");
    await venue.index("29870");
    assert.equal((await socket.push("position.update")).event, "alert");
    await venue.index("29700");
    const taken = await socket.push("position.update");
    assert.deepEqual([taken.event, taken.position.open_interest], ["liq", "0.000000"]);
    const [liquidation] = await venue.anybody.read("/v2/futures/liquidation-history", { market: "BTCUSDT" });
    assert.deepEqual([liquidation.side, liquidation.liq_amount], ["long", "0.100000"]);
    const [ended] = await poor.client.read("/v2/futures/finished-position", OF_BTCUSDT);
    assert.equal(ended.finished_type, "liq");
    await venue.index("30000");
  });

  test("pushes alone rebuild positions and balances, whatever is done", async () => {
    const random = xorshift(7);
    const below = (count: number) => Math.floor(random() * count);
    const pick = <Item>(items: readonly Item[]): Item => items[below(items.length)] as Item;
    const users = [await venue.addTrader("one", FUNDS), await venue.addTrader("two", FUNDS)];
    const sockets = await Promise.all(users.map((user) => following(user, "position", "balance")));
    const positions = users.map(() => new Map<number, Message>());
    const balances = users.map(() => new Map<string, Message>());

    for (let step = 0; step < STEPS; step++) {
      const { client } = pick(users);
      const near = String(29_900 + below(200));
      switch (below(6)) {
        case 0:
          await venue.index(near);
          break;
        case 1:
          await client.post("/v2/futures/close-position", { ...OF_BTCUSDT, type: "market" });
          break;
        case 2:
          await client.post("/v2/futures/adjust-position-leverage", {
            ...OF_BTCUSDT,
            margin_mode: pick(["cross", "isolated"]),
            leverage: pick([5, 10, 20]),
          });
          break;
        case 3:
          await client.post("/v2/futures/cancel-all-order", OF_BTCUSDT);
          break;
        case 4:
          await client.post("/v2/futures/adjust-position-margin", { ...OF_BTCUSDT, amount: pick(["25", "-10"]) });
          break;
        default:
          await client.post("/v2/futures/order", contract(pick(["buy", "sell"]), `0.${1 + below(9)}`, near));
      }
      venue.beat(100);
      for (const [at, socket] of sockets.entries()) {
        for (const { method, data } of await socket.taken()) {
          if (method === "position.update") positions[at]?.set(data.position.position_id, data.position);
          if (method === "balance.update") for (const row of data.balance_list) balances[at]?.set(row.ccy, row);
        }
        await assertSame(
          users[at] as ApiUser,
          [...(positions[at]?.values() ?? [])],
          balances[at] as Map<string, Message>,
        );
      }
    }
    assert.ok((positions[0]?.size ?? 0) > 2, "too little happened");
  });
});

/**
 * Lets time pass in which the source of the index goes on saying the same: nothing is taken over by an index that is
 * stale.
 */
async function holdIndex(venue: ApiVenue, price: string, ms: number): Promise<void> {
  await venue.index(price);
  for (let passed = 0; passed < ms; passed += HELD_EVERY_MS) {
    await venue.wait(HELD_EVERY_MS);
    await venue.index(price);
  }
}

const HELD_EVERY_MS = 30_000;

test("what the venue does to positions is told: settlement, deleveraging, delisting", async () => {
  const venue = await futuresApiVenue();
  try {
    const rich = await venue.addTrader("rich", FUNDS);
    const poor = await venue.addTrader("poor", { USDT: "400" });
    const socket = await venue.socket(rich.client, PATH);
    await socket.must("position.subscribe", { market_list: [] });
    const told = async () => {
      const { event, position } = await socket.push("position.update");
      return { ...position, event };
    };
    const isolated = { ...OF_BTCUSDT, margin_mode: "isolated", leverage: 100 };
    await poor.client.act("/v2/futures/adjust-position-leverage", isolated);
    await rich.client.act("/v2/futures/order", contract("sell", "1.5", "30000"));
    await poor.client.act("/v2/futures/order", contract("buy", "1", "30000"));
    assert.deepEqual(await told().then(({ event, open_interest }) => [event, open_interest]), ["update", "1.000000"]);
    await rich.client.act("/v2/futures/cancel-all-order", OF_BTCUSDT);

    // Far below what the poor one's margin pays for, with nobody to buy and nothing in the insurance fund.
    await holdIndex(venue, "29000", 60_000);
    const deleveraged = await told();
    assert.deepEqual([deleveraged.event, deleveraged.open_interest], ["adl", "0.000000"]);
    const [adl] = await rich.client.read("/v2/futures/position-adl-history", {
      ...OF_BTCUSDT,
      position_id: deleveraged.position_id,
    });
    assert.equal(deleveraged.latest_filled_price, adl.price);
    const [ended] = await rich.client.read("/v2/futures/finished-position", OF_BTCUSDT);
    assert.deepEqual([ended.finished_type, ended.realized_pnl], ["adl", deleveraged.realized_pnl]);

    const other = await venue.addTrader("other", FUNDS);
    await venue.index("30000");
    await other.client.act("/v2/futures/order", contract("buy", "1", "30000"));
    await rich.client.act("/v2/futures/order", contract("sell", "1", "30000"));
    assert.equal((await told()).realized_pnl, "-15.00000000", "the fee");
    await holdIndex(venue, "30300", 3_600_000);
    // The hour passes a collection of funding and the settlement behind it.
    const asked = async () => (await rich.client.read("/v2/futures/pending-position", OF_BTCUSDT))[0];
    const { event, realized_pnl, settle_price, settle_val } = await told();
    const now = await asked();
    assert.deepEqual(
      [event, realized_pnl, settle_price, settle_val],
      ["update", now.realized_pnl, now.settle_price, now.settle_value],
    );
    assert.ok(Number(realized_pnl) < -300, "what the short has lost is settled");

    await venue.operate({
      kind: "change_market",
      market: "BTCUSDT",
      marketType: "FUTURES",
      delistedAt: venue.control.timeMs + 1_000,
    });
    await venue.wait(1_000);
    const closed = await told();
    assert.deepEqual([closed.event, closed.open_interest], ["sys_close", "0.000000"]);
    const [left] = await rich.client.read("/v2/futures/finished-position", { ...OF_BTCUSDT, market: undefined });
    assert.deepEqual([left.finished_type, left.realized_pnl], ["sys", closed.realized_pnl]);
  } finally {
    await venue.close();
  }
});

test("a spot and a futures market of one name do not speak on each other's socket", async () => {
  const venue = await bitcoinApiVenue();
  try {
    await venue.listAssets("USD");
    await listFutures(venue);
    const trader = await venue.addTrader("trader", FUNDS);
    const investor = await venue.addUser("investor", FUNDS);
    const [spot, futures] = [await venue.socket(trader.client), await venue.socket(investor.client, PATH)];
    for (const socket of [spot, futures]) {
      for (const name of ["state", "deals", "bbo", "index", "order", "user_deals"]) {
        await socket.must(`${name}.subscribe`, { market_list: ["BTCUSDT"] });
      }
      await socket.must("depth.subscribe", { market_list: [["BTCUSDT", 5, "0", false]] });
      await socket.taken();
    }
    await trader.client.act("/v2/futures/order", contract("sell", "1", "30000"));
    venue.beat();
    assert.deepEqual(await spot.taken(), []);
    assert.ok((await futures.taken()).length > 0);
    await investor.client.act("/v2/spot/order", limitOrder("sell", "1", "31000"));
    venue.beat();
    assert.deepEqual(await futures.taken(), []);
    assert.ok((await spot.taken()).length > 0);
  } finally {
    await venue.close();
  }
});

/** Holds what a client keeps against what the venue says. */
async function assertSame({ client }: ApiUser, kept: Message[], balances: Map<string, Message>): Promise<void> {
  // What the mark alone can change is not pushed.
  const figures = (position: Message) =>
    ["position_id", "side", "margin_mode", "open_interest", "close_avbl", "realized_pnl", "avg_entry_price", "leverage"]
      .map((name) => `${name} ${position[name]}`)
      .join();
  const open = await client.read("/v2/futures/pending-position", { market_type: "FUTURES", limit: 100 });
  const rebuilt = kept.filter(({ open_interest }) => Number(open_interest) > 0);
  assert.deepEqual(rebuilt.map(figures), open.toReversed().map(figures));
  for (const row of await client.read("/v2/assets/futures/balance")) {
    const pushed = balances.get(row.ccy);
    if (pushed === undefined) continue;
    const { available, frozen, margin, transferrable, unrealized_pnl } = row;
    assert.deepEqual(
      { available, frozen, margin, transferrable, unrealized_pnl },
      {
        available: pushed.available,
        frozen: pushed.frozen,
        margin: pushed.margin,
        transferrable: pushed.transferrable,
        unrealized_pnl: pushed.unrealized_pnl,
      },
    );
  }
}
