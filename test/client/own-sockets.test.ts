/**
 * The TypeScript client's sockets, books and own state against a venue, also where lines break, pushes are lost and
 * logins end.
 */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import {
  Book,
  type Change,
  Client,
  followOrders,
  followPositions,
  type LineState,
  type OwnOrder,
} from "../../client/index.ts";
import { Relay } from "../../src/lab/conform/relay.ts";
import type { Frame, SocketPair } from "../../src/lab/conform/socket-pair.ts";
import { VenueProcess } from "../support/venue-process.ts";

const SPOT = { market: "BTCUSDT", market_type: "SPOT" } as const;
const BID = { ...SPOT, side: "buy", type: "limit", amount: "0.001", price: "20000" } as const;

let venue: VenueProcess;
let relay: Relay;
let own: Client;
let direct: Client;
/** What happens to what the venue says. */
let onTold: (frame: Frame, pair: SocketPair) => Frame | undefined = (frame) => frame;
const asked: { readonly method: string; readonly params: unknown }[] = [];

before(async () => {
  venue = await VenueProcess.start(":memory:", "--makers", "off");
  const { key: made } = await venue.trader("trader", { USDT: "1000000", BTC: "10" });
  const key = { accessId: made.accessId, secretKey: made.secret };
  relay = await Relay.open(venue.url, {
    onRequest: () => "pass",
    onAnswer: (_passing, answer) => answer,
    onSocket: (pair) => {
      pair.onAsked = ({ method = "", params }) => asked.push({ method, params });
      pair.onTold = (frame) => onTold(frame, pair);
    },
  });
  own = new Client({ url: relay.url, key, pingMs: 500 });
  direct = new Client({ url: venue.url, key });
});

after(async () => {
  own?.close();
  direct?.close();
  await relay?.close();
  await venue?.end("SIGKILL");
});

async function until(what: string, holds: () => boolean): Promise<void> {
  for (let tries = 0; !holds(); tries++) {
    assert.ok(tries < 2_000, `never came: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

/** Sockets and HTTP do not write the same zeros. */
function numbers(sides: readonly (readonly (readonly [string, string])[])[]): string {
  return JSON.stringify(sides.map((side) => side.map((level) => level.map(Number))));
}

function cutAll(): void {
  for (const pair of relay.pairs) pair.cut();
}

test("channels are followed by name; a broken line is made again, signed again and followed again", async () => {
  const lines: LineState[] = [];
  const deals: string[] = [];
  const balances: string[] = [];
  const socket = own.socket("spot");
  const followed = await socket.follow(
    "deals",
    ["BTCUSDT"],
    ({ deal_list }) => deals.push(...deal_list.map(({ price }) => price)),
    {
      onLine: (state) => lines.push(state),
    },
  );
  assert.ok(followed.ok);
  const private_ = await socket.follow("balance", [], ({ balance_list }) =>
    balances.push(...balance_list.map(({ ccy }) => ccy)),
  );
  assert.ok(private_.ok);
  cutAll();
  await until("the line is back", () => lines.length === 3);
  assert.deepEqual(lines, ["followed", "lost", "followed"]);
  assert.equal(socket.connections, 2);
  assert.ok((await direct.post("/spot/order", { ...BID, price: "60000" })).ok);
  assert.ok((await direct.post("/spot/order", { ...BID, side: "sell", price: "60000", stp_mode: "both" })).ok);
  await until("balances", () => balances.includes("USDT"));
  private_.data.stop();
  followed.data.stop();
  await until("the channels are left", () => asked.some(({ method }) => method === "deals.unsubscribe"));
  assert.deepEqual(
    asked.filter(({ method }) => method.endsWith(".unsubscribe")).map(({ params }) => params),
    [{ ccy_list: [] }, { market_list: ["BTCUSDT"] }],
  );
});

test("a refusal of a channel is an answer, and a wrong key ends a signed one", async () => {
  // A caller in JavaScript may ask for anything.
  const items = [["BTCUSDT", 7, "no", false]] as never;
  const refused = await own.socket("spot").follow("depth", items, () => {});
  assert.ok(!refused.ok && refused.code === 20001, JSON.stringify(refused));
  const stranger = new Client({ url: venue.url, key: { accessId: "NOBODY", secretKey: "x" } });
  const barred = await stranger.socket("spot").follow("order", [], () => {});
  assert.ok(!barred.ok && barred.code === 21002, JSON.stringify(barred));
  stranger.close();
});

test("a wrong clock is put right when a socket logs in", async () => {
  const late = new Client({ url: venue.url, key: { accessId: own.transport.signer?.accessId ?? "", secretKey: "x" } });
  late.clock.shift(-3_600_000);
  const barred = await late.socket("spot").follow("order", [], () => {});
  assert.ok(!barred.ok && Math.abs(late.clock.aheadMs) < 2_000);
  late.close();
});

test("a silent line is given up and made again", async () => {
  const socket = own.socket("futures");
  const followed = await socket.follow("bbo", [], () => {});
  assert.ok(followed.ok);
  const before = socket.connections;
  onTold = (frame, pair) => (pair.product === "futures" ? undefined : frame);
  await until("the line was given up", () => relay.pairs.size > 0 && socket.connections > before);
  onTold = (frame) => frame;
  followed.data.stop();
});

test("a book follows every change, and one whose change was lost is thrown away and asked for again", async () => {
  let unsound = 0;
  const followed = await Book.follow(own.socket("spot"), "BTCUSDT", {
    limit: 10,
    onChange: ({ isSound }) => {
      if (!isSound) unsound++;
    },
  });
  assert.ok(followed.ok);
  const book = followed.data;
  const same = async () => {
    const depth = await direct.get("/spot/depth", { market: "BTCUSDT", limit: 10, interval: "0" });
    assert.ok(depth.ok);
    const text = numbers([depth.data.depth.bids, depth.data.depth.asks]);
    await until(`the book is ${text}`, () => book.isSound && numbers([book.bids, book.asks]) === text);
  };
  for (const price of ["20000", "19999.5", "20001"])
    assert.ok((await direct.post("/spot/order", { ...BID, price })).ok);
  assert.ok((await direct.post("/spot/order", { ...BID, side: "sell", price: "70000" })).ok);
  await same();
  // A change is lost on its way: the next one shows it.
  let lost = 0;
  onTold = (frame) => {
    if (frame.method !== "depth.update" || frame.data.is_full || lost++ > 0) return frame;
    return undefined;
  };
  assert.ok((await direct.post("/spot/order", { ...BID, price: "20002" })).ok);
  await until("a change was lost", () => lost > 0);
  assert.ok((await direct.post("/spot/order", { ...BID, price: "20003" })).ok);
  await until("the book was asked for again", () => book.resyncs === 1);
  await same();
  cutAll();
  await until("the book was lost with its line", () => unsound === 2);
  assert.deepEqual(book.bids, []);
  await same();
  book.close();
});

test("own orders are those of the venue, also those that came and went while the line was broken", async () => {
  const changes: Change<OwnOrder>[] = [];
  const followed = await followOrders(own, "spot", ["BTCUSDT"], (change) => changes.push(change));
  assert.ok(followed.ok, JSON.stringify(followed));
  const orders = followed.data;
  assert.ok(orders.rows.size > 3 && changes.length === 0);
  const placed = await direct.post("/spot/order", { ...BID, price: "15000" });
  assert.ok(placed.ok);
  const id = placed.data.order_id;
  await until("the order is known", () => orders.rows.has(id));
  assert.equal(changes[0]?.event, "put");
  // Nothing is heard while one order goes and another one comes.
  onTold = (frame) => (frame.method === "order.update" ? undefined : frame);
  assert.ok((await direct.post("/spot/cancel-order", { ...SPOT, order_id: id })).ok);
  const other = await direct.post("/spot/order", { ...BID, price: "15001" });
  assert.ok(other.ok);
  cutAll();
  onTold = (frame) => frame;
  await until("both are known", () => !orders.rows.has(id) && orders.rows.has(other.data.order_id));
  await orders.current();
  const told = changes.slice(1).map(({ row, event, isGone }) => [row.order_id, event, isGone]);
  assert.deepEqual(told, [
    [other.data.order_id, "read", false],
    [id, "read", true],
  ]);
  orders.close();
});

test("own positions open, change and close", async () => {
  const move = { from_account_type: "SPOT", to_account_type: "FUTURES", ccy: "USDT", amount: "100000" } as const;
  const futures = { market: "BTCUSDT", market_type: "FUTURES" } as const;
  await venue.admin("/admin/index-prices", {
    market: "BTCUSDT",
    market_type: "FUTURES",
    sources: [{ exchange: "one", price: "60000" }],
  });
  assert.ok((await direct.post("/assets/transfer", move)).ok);
  const { key } = await venue.trader("maker", { USDT: "100000" });
  const maker = new Client({ url: venue.url, key: { accessId: key.accessId, secretKey: key.secret } });
  assert.ok((await maker.post("/assets/transfer", move)).ok);
  const sale = await maker.post("/futures/order", {
    ...futures,
    side: "sell",
    type: "limit",
    amount: "0.01",
    price: "60000",
  });
  assert.ok(sale.ok, JSON.stringify(sale));
  const events: string[] = [];
  const followed = await followPositions(own, ["BTCUSDT"], ({ event, isGone }) => events.push(`${event} ${isGone}`));
  assert.ok(followed.ok);
  const bought = await direct.post("/futures/order", {
    ...futures,
    side: "buy",
    type: "limit",
    amount: "0.01",
    price: "60000",
  });
  assert.ok(bought.ok, JSON.stringify(bought));
  await until("the position is open", () => followed.data.rows.size === 1);
  assert.equal(Number([...followed.data.rows.values()][0]?.open_interest), 0.01);
  assert.ok(
    (await maker.post("/futures/order", { ...futures, side: "buy", type: "limit", amount: "0.01", price: "60000" })).ok,
  );
  assert.ok(
    (await direct.post("/futures/close-position", { ...futures, type: "limit", amount: "0.01", price: "60000" })).ok,
  );
  await until("the position is closed", () => followed.data.rows.size === 0);
  assert.match(events.at(-1) ?? "", /true$/);
  maker.close();
});
