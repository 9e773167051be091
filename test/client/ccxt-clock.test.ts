/**
 * ccxt and its streaming client on a venue whose clock is frozen, moved and sped up: a bot lives on the machine, and
 * goes on.
 */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import ccxt from "ccxt";
import { IN_MEMORY } from "../../src/venue/settings.ts";
import { ApiClient } from "../support/api-client.ts";
import { VenueProcess } from "../support/venue-process.ts";

const SYMBOL = "BTC/USDT";
const DAY_MS = 86_400_000;
let venue: VenueProcess;
let bot: InstanceType<typeof ccxt.pro.coinex>;

before(async () => {
  venue = await VenueProcess.start(IN_MEMORY, "--makers", "off", "--clock", "virtual");
  const { key } = await venue.trader("bot", { BTC: "10", USDT: "1000000" });
  bot = new ccxt.pro.coinex({ apiKey: key.accessId, secret: key.secret, enableRateLimit: false });
  const api = bot.urls.api as Record<string, string | Record<string, string>>;
  for (const [name, url] of Object.entries(api)) {
    if (typeof url === "string") api[name] = url.replace("https://api.coinex.com", venue.url);
  }
  (api.ws as Record<string, string>).spot = `${venue.url.replace("http", "ws")}/v2/spot/`;
  await bot.loadHttpProxyAgent();
  await setIndex();
  // ccxt does not say when its subscription stands, so orders are placed until it has told of one.
  let isTold = false;
  const told = bot.watchOrders(SYMBOL).then(() => {
    isTold = true;
  });
  while (!isTold) {
    await bot.createOrder(SYMBOL, "limit", "buy", 0.1, 50_000);
    await Promise.race([told, pause(50)]);
  }
  await bot.cancelAllOrders(SYMBOL);
});

after(async () => {
  await bot?.close();
  await venue?.end("SIGTERM");
});

/** Orders are held to the index, and it grows stale with the venue's time. */
const setIndex = () =>
  venue.admin("/admin/index-prices", { market: "BTCUSDT", sources: [{ exchange: "test", price: "60000" }] });

/** Places an order, sees it on the stream and in the list, and cancels it. */
async function trades(): Promise<void> {
  const id = String((await bot.createOrder(SYMBOL, "limit", "buy", 0.1, 59_000)).id);
  await told(id, "open");
  assert.deepEqual(
    (await bot.fetchOpenOrders(SYMBOL)).map((order) => order.id),
    [id],
  );
  await bot.cancelOrder(id, SYMBOL);
  await told(id, "closed");
}

/** Waits until the stream has told of an order in a status; ccxt keeps all that it has been told. */
async function told(id: string, status: string): Promise<void> {
  const known = () => (bot.orders as unknown as { id: string; status: string }[] | undefined) ?? [];
  while (!known().some((order) => order.id === id && order.status === status)) await bot.watchOrders(SYMBOL);
}

test("a bot trades on a clock that runs, stands, has jumped by months, and runs a thousand times as fast", async () => {
  await trades();
  await venue.admin("/admin/clock", { freeze: true });
  await trades();
  await venue.admin("/admin/clock", { advance_ms: 90 * DAY_MS });
  await setIndex();
  await trades();
  await venue.admin("/admin/clock", { freeze: false, speed: 1_000 });
  await setIndex();
  await trades();
});

test("limits go by the machine's time: a clock that stands starves nobody, and a jump makes nobody free", async () => {
  await venue.admin("/admin/clock", { freeze: true, speed: 1 });
  const refusals: number[] = [];
  for (let round = 0; round < 2; round++) {
    const answers = await Promise.allSettled(Array.from({ length: 45 }, () => bot.fetchBalance()));
    refusals.push(answers.filter(({ status }) => status === "rejected").length);
    await venue.admin("/admin/clock", { advance_ms: DAY_MS });
  }
  assert.ok(
    refusals.every((count) => count > 0),
    `each burst is more than the group lets through: ${refusals}`,
  );
  // As often as it takes: the next request is let through after a while, though the venue's time stands.
  for (let tries = 0; ; tries++) {
    try {
      await bot.fetchBalance();
      break;
    } catch (error) {
      assert.ok(error instanceof ccxt.BaseError && tries < 1_000, String(error));
    }
  }
});

test("a time that is right by neither clock is refused with both", async () => {
  const key = { accessId: bot.apiKey, secret: bot.secret };
  const stranger = new ApiClient(venue.url, () => Date.now() - 400 * DAY_MS, key);
  const { code, message } = await stranger.get("/v2/assets/spot/balance");
  assert.equal(code, 4017);
  assert.match(message, /signed for \d+, but it is \d+ in the venue, and \d+ by the clock of its machine/);
});
