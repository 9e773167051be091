/** Many connections on one venue: what is sent to all is made once, and who does not read costs the others nothing. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { succeeded } from "../support/api-client.ts";
import { LocalBook } from "../support/local-book.ts";
import { type ApiVenue, bitcoinApiVenue, limitOrder } from "../support/served-venue.ts";
import type { SocketClient } from "../support/socket-client.ts";

const DEPTH = { market_list: [["BTCUSDT", 50, "0", false]] };

/** A venue with a full book and a hundred deals, which make long pushes. */
async function busyVenue(options: Parameters<typeof bitcoinApiVenue>[0]): Promise<ApiVenue> {
  const venue = await bitcoinApiVenue(options);
  const { userId } = await venue.addUser("user", { BTC: "1000", USDT: "10000000" });
  const order = { kind: "place_order", userId, marketId: 0, account: "spot", type: "limit", amountIn: "base" } as const;
  const more = { hidden: false, stpMode: "none", clientId: "" } as const;
  for (let at = 0; at < 100; at++) {
    const price = BigInt(3_000_000 + at * 37);
    await venue.operate({ ...order, ...more, side: "sell", price, amount: BigInt(200_003 + at * 7_919) });
    await venue.operate({ ...order, ...more, side: "buy", price, amount: BigInt(100_003 + at * 3_331) });
  }
  return venue;
}

/** Asks for recent deals until the venue has cut the connection, without reading; gives how often it asked. */
async function askWithoutReading(venue: ApiVenue, socket: SocketClient, healthy: SocketClient): Promise<number> {
  socket.webSocket.pause();
  for (let asked = 0; asked < 50_000; asked += 100) {
    for (let at = 0; at < 100; at++) socket.send({ id: 1, method: "deals.subscribe", params: { market_list: [] } });
    await healthy.ask("server.ping");
    if (venue.control.socketEvents.includes("cut_slow")) return asked;
  }
  throw new Error("The connection was not cut.");
}

test("who does not read is cut when too much waits to be sent, and the others do not notice", async () => {
  const venue = await busyVenue({ socketLimits: { requestsMax: 1_000_000 } });
  const [paused, healthy] = [await venue.socket(), await venue.socket()];
  await healthy.must("depth.subscribe", DEPTH);
  const before = process.memoryUsage().rss;
  await askWithoutReading(venue, paused, healthy);
  const grownBytes = process.memoryUsage().rss - before;
  assert.ok(grownBytes < 128 * 1024 * 1024, `memory grew by ${grownBytes}`);
  paused.webSocket.resume();
  assert.equal(await paused.closed(), 1_006);
  assert.equal((await healthy.push("depth.update")).is_full, true);
  assert.equal((await healthy.ask("server.ping")).code, 0);
  await venue.close();
});

test("clients that keep a book over real connections agree with the venue", async () => {
  const venue = await bitcoinApiVenue();
  const traders = [
    await venue.addUser("one", { BTC: "1000", USDT: "10000000" }),
    await venue.addUser("two", { BTC: "1000", USDT: "10000000" }),
  ];
  const sockets = [await venue.socket(), await venue.socket(), await venue.socket()];
  const books = sockets.map(() => new LocalBook());
  for (const socket of sockets) await socket.must("depth.subscribe", DEPTH);
  for (let round = 0; round < 40; round++) {
    await Promise.all(
      Array.from({ length: 10 }, (_, at) => {
        const trader = traders[at % 2] as (typeof traders)[number];
        const price = String(30_000 + ((round * 7 + at * 13) % 40));
        return trader.client.post("/spot/order", limitOrder(at % 3 === 0 ? "sell" : "buy", `0.${at + 1}`, price));
      }),
    );
    venue.beat();
    for (const [at, socket] of sockets.entries()) {
      for (const { method, data } of await socket.taken()) {
        if (method === "depth.update") (books[at] as LocalBook).apply(data);
      }
    }
    const query = { market: "BTCUSDT", limit: 50, interval: "0" };
    const { depth } = succeeded(await venue.anybody.get("/spot/depth", query));
    for (const book of books)
      assert.deepEqual([book.asks, book.bids, book.checksum], [depth.asks, depth.bids, depth.checksum]);
  }
  await venue.close();
});
