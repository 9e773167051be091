/** Clients that know of one address, behind which nodes die in turn. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import ccxt from "ccxt";
import type { ApiKeyPair } from "../support/api-client.ts";
import { ApiClient } from "../support/api-client.ts";
import { Balancer } from "../support/balancer.ts";
import { Cluster } from "../support/cluster.ts";
import { withoutEtcd } from "../support/etcd-servers.ts";
import { LocalBook } from "../support/local-book.ts";
import { type Message, SocketClient } from "../support/socket-client.ts";

const WITH_ETCD = { skip: withoutEtcd() };
const SYMBOL = "BTC/USDT";
const MARKET = { market: "BTCUSDT", market_type: "SPOT" };
/** Of 50 ms: generous, because test machines are slow and shared. */
const TRIES = 2_400;

let cluster: Cluster;
let balancer: Balancer;
let key: ApiKeyPair;
let isTrading = true;
let traffic: Promise<void>;

before(async () => {
  if (withoutEtcd() !== false) return;
  cluster = await Cluster.start({ options: ["--makers", "off"] });
  balancer = await Balancer.start(() => cluster.urls);
  ({ key } = await cluster.node(0).trader("bot", { BTC: "1000", USDT: "100000000" }));
  traffic = trade((await cluster.node(0).trader("others", { BTC: "1000", USDT: "100000000" })).key);
});

after(async () => {
  isTrading = false;
  await traffic;
  await balancer?.close();
  await cluster?.close();
});

/** What others do meanwhile: orders about 60,000 that come, meet and go. */
async function trade(others: ApiKeyPair): Promise<void> {
  const client = new ApiClient(balancer.url, Date.now, others);
  for (let nth = 0; isTrading; nth++) {
    const order = { ...MARKET, type: "limit", amount: `0.0${1 + (nth % 9)}` };
    try {
      await client.post("/v2/spot/order", { ...order, side: "sell", price: String(60_000 + (nth % 7)) });
      await client.post("/v2/spot/order", { ...order, side: "buy", price: String(59_998 + (nth % 5)) });
      if (nth % 20 === 19) await client.post("/v2/spot/cancel-all-order", MARKET);
    } catch {
      // Its node has died; the next request goes to another one.
    }
    await pause(10);
  }
}

/** Lets one node after the other die, and come back, until it is enough. */
async function rounds(between: () => Promise<unknown>, isEnough = () => false): Promise<void> {
  for (let index = 0; index < cluster.count && !isEnough(); index++) {
    await cluster.kill(index);
    await between();
    await cluster.run(index);
    await between();
  }
}

async function eventually(what: string, isSo: () => boolean | Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < TRIES; tries++) {
    if (await isSo()) return;
    await pause(50);
  }
  assert.fail(`${what}: that did not come.`);
}

type Exchange = InstanceType<typeof ccxt.pro.coinex>;

/**
 * ccxt, unmodified, only its addresses changed. It knows the markets: a first look for them that fails is never made
 * again by it.
 */
async function exchange(): Promise<Exchange> {
  const client = new ccxt.pro.coinex({ apiKey: key.accessId, secret: key.secret, enableRateLimit: false });
  const api = client.urls.api as Record<string, string | Record<string, string>>;
  for (const [name, url] of Object.entries(api)) {
    if (typeof url === "string") api[name] = url.replace("https://api.coinex.com", balancer.url);
  }
  (api.ws as Record<string, string>).spot = `${balancer.url.replace("http", "ws")}/v2/spot/`;
  // Without this it opens no socket to an address that begins with ws://.
  await client.loadHttpProxyAgent();
  await client.loadMarkets();
  return client;
}

test(
  "a bot on ccxt looks whether an order has come when it got no answer, and each is there once",
  WITH_ETCD,
  async () => {
    const bot = await exchange();
    const wanted: string[] = [];
    const unanswered: string[] = [];
    let nth = 0;
    const standing = async (): Promise<string[]> => {
      for (let tries = 0; tries < TRIES; tries++) {
        try {
          const orders = await bot.fetchOpenOrders(SYMBOL, undefined, 100);
          return orders.flatMap(({ clientOrderId }) => clientOrderId ?? []).sort();
        } catch (error) {
          assert.ok(error instanceof ccxt.NetworkError, `${error}`);
          await pause(20);
        }
      }
      return assert.fail("no node answers");
    };
    const place = async (): Promise<void> => {
      const clientOrderId = `ccxt-${String(nth++).padStart(3, "0")}`;
      while (true) {
        try {
          await bot.createOrder(SYMBOL, "limit", "sell", 0.01, 90_000, { clientOrderId });
          break;
        } catch (error) {
          assert.ok(error instanceof ccxt.NetworkError, `${error}`);
          unanswered.push(clientOrderId);
          if ((await standing()).includes(clientOrderId)) break;
        }
      }
      wanted.push(clientOrderId);
      assert.deepEqual(await standing(), wanted);
    };
    await rounds(async () => {
      for (let times = 0; times < 8; times++) await place();
    });
    assert.equal(wanted.length, 48);
    await bot.close();
  },
);

test("ccxt's book comes back at another node, and is the one that the venue has", WITH_ETCD, async () => {
  const bot = await exchange();
  let pushes = 0;
  let losses = 0;
  let isOver = false;
  const watching = (async () => {
    while (!isOver) {
      try {
        await bot.watchOrderBook(SYMBOL, 20);
        pushes++;
      } catch (error) {
        if (isOver) return;
        assert.ok(error instanceof ccxt.NetworkError, `${error}`);
        losses++;
        await pause(20);
      }
    }
  })();
  await rounds(
    async () => {
      const seen = pushes;
      await eventually("pushes go on", () => pushes > seen + 3);
    },
    () => losses > 0,
  );
  assert.ok(losses > 0, "its own node was among those that died");
  isTrading = false;
  await traffic;
  const rows = (book: { bids: unknown; asks: unknown }) => JSON.stringify([book.bids, book.asks]);
  await eventually("the book as the venue has it", async () => {
    const book = bot.orderbooks[SYMBOL];
    return book !== undefined && rows(book) === rows(await bot.fetchOrderBook(SYMBOL, 20));
  });
  isOver = true;
  await bot.close();
  await watching;
  isTrading = true;
  traffic = trade(key);
});

test(
  "what a socket missed while it was away is told by the venue's answers: no deal is missing, none comes twice",
  WITH_ETCD,
  async () => {
    const rest = new ApiClient(balancer.url, Date.now, key);
    const deals: number[] = [];
    let books = 0;
    let lives = 0;
    let isOver = false;
    let socket: SocketClient | undefined;
    const known = () => deals.at(-1) ?? 0;
    const take = (data: Message[]) => {
      for (const { deal_id } of data.toSorted((one, other) => one.deal_id - other.deal_id))
        if (deal_id > known()) deals.push(deal_id);
    };
    const life = async (): Promise<void> => {
      const book = new LocalBook();
      socket = await SocketClient.connect(balancer.url);
      try {
        await socket.must("deals.subscribe", { market_list: ["BTCUSDT"] });
        await socket.must("depth.subscribe", { market_list: [["BTCUSDT", 20, "0", true]] });
        // What was dealt before the subscription stood, and after the last push of the life before.
        if (lives++ > 0) {
          const { data } = await rest.get("/v2/spot/deals", { market: "BTCUSDT", limit: "1000", last_id: "0" });
          take(data.filter(({ deal_id }: { deal_id: number }) => deal_id > known()));
        }
        while (!isOver) {
          const { method, data } = await socket.take(({ method: name }) => name !== undefined);
          if (method === "deals.update") take(data.deal_list);
          else {
            book.apply(data);
            books++;
          }
        }
      } finally {
        await socket.close();
      }
    };
    const following = (async () => {
      while (!isOver) {
        await life().catch(async (error: unknown) => {
          if (error instanceof assert.AssertionError && socket?.closeCode === undefined) throw error;
          // Time itself: a client that was cut comes back a little later.
          await pause(20);
        });
      }
    })();
    await rounds(async () => {
      const [seen, at] = [books, deals.length];
      await eventually("books and deals go on", () => books > seen + 3 && deals.length > at + 3);
    });
    isOver = true;
    await following;
    assert.ok(lives > 1, "its own node was among those that died");
    const first = deals[0] as number;
    const numbers = Array.from({ length: known() - first + 1 }, (_, at) => first + at);
    assert.deepEqual(deals, numbers);
  },
);
