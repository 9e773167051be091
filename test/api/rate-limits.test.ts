import assert from "node:assert/strict";
import { after, afterEach, before, beforeEach, describe, test } from "node:test";
import type { RateSettings } from "../../src/gateway/limits/figures.ts";
import type { ApiClient, Envelope } from "../support/api-client.ts";
import { QUOTAS, QuotaServerProcess } from "../support/quota-server.ts";
import { type ApiUser, type ApiVenue, bitcoinApiVenue, limitOrder } from "../support/served-venue.ts";

const ORDER = "/v2/spot/order";
const BATCH = "/v2/spot/batch-order";
const CANCEL = "/v2/spot/cancel-order";
const BALANCE = "/v2/assets/spot/balance";
const FULL = ["20000", "60000", "100000", "200000"];

interface Reply {
  readonly status: number;
  readonly code: number;
  readonly data: Envelope["data"];
  /**
   * Limit and Remaining, then what is left in the windows of the long cycle; undefined where there is no such header.
   */
  readonly quota: readonly [limit: string | undefined, remaining: string | undefined];
  readonly long: readonly (string | undefined)[];
}

async function reply(client: ApiClient, method: string, target: string, body?: unknown): Promise<Reply> {
  const sent = body === undefined || typeof body === "string" ? body : JSON.stringify(body);
  const response = await client.fetch(method, target, sent as string | undefined);
  const { code, data } = (await response.json()) as Envelope;
  const header = (name: string) => response.headers.get(name) ?? undefined;
  return {
    status: response.status,
    code,
    data,
    quota: [header("X-RateLimit-Limit"), header("X-RateLimit-Remaining")],
    long: ["1H", "4H", "8H", "24H"].map((period) => header(`X-RateLimit-LongPeriod-${period}-Remaining`)),
  };
}

for (const { where, skip, isShared } of QUOTAS) {
  describe(`rate limits ${where}`, { skip }, () => {
    let server: QuotaServerProcess | undefined;
    let venue: ApiVenue;
    let user: ApiUser;

    before(async () => {
      if (isShared) server = await QuotaServerProcess.start();
    });
    after(() => server?.close());

    /** Its clock stands still until a test moves it. */
    async function open(rates: RateSettings = {}): Promise<void> {
      await server?.client.flushall();
      venue = await bitcoinApiVenue({ rates, others: server?.share });
      user = await venue.addUser("user", { USDT: "1000000", BTC: "10" });
    }
    const order = (price = "20000") => limitOrder("buy", "0.001", price);
    const orders = (count: number) => ({ orders: Array.from({ length: count }, () => order()) });

    beforeEach(() => open());
    afterEach(() => venue.close());

    test("worked example E7 over HTTP: a batch goes into debt, and debt is earned back", async () => {
      const table: readonly [ms: number, cost: number, code: number, remaining: string][] = [
        [0, 1, 0, "29"],
        [0, 25, 0, "4"],
        [0, 10, 0, "0"],
        [100, 1, 4213, "0"],
        [200, 1, 4213, "0"],
        [234, 1, 0, "0"],
        [250, 1, 4213, "0"],
        [1_500, 1, 0, "29"],
      ];
      const start = venue.control.timeMs;
      for (const [ms, cost, code, remaining] of table) {
        venue.control.timeMs = start + ms;
        const sent = cost === 1 ? order() : orders(cost);
        const answer = await reply(user.client, "POST", cost === 1 ? ORDER : BATCH, sent);
        assert.deepEqual([answer.status, answer.code, answer.quota], [200, code, ["30", remaining]], `at ${ms}`);
      }
      const open = await venue.anybody.get("/v2/ping");
      assert.equal(open.code, 0, "others go on");
    });

    test("a refused request does nothing, costs nothing, and says so with a sentence", async () => {
      await reply(user.client, "POST", BATCH, orders(30));
      const hash = venue.stateHash();
      const refused = await user.client.post(ORDER, order());
      assert.deepEqual(refused, {
        code: 4213,
        data: {},
        message: "There are too many requests of this kind from this account.",
      });
      assert.equal(venue.stateHash(), hash);
      for (let count = 0; count < 10; count++) await user.client.post(ORDER, order());
      venue.control.timeMs += 34;
      assert.equal((await user.client.post(ORDER, order())).code, 0);
    });

    test("keys of one account share its quota; accounts, sub-accounts and groups have their own", async () => {
      const second = await venue.addKey(user.userId, ["read", "trade"]);
      const other = await venue.addUser("other", { USDT: "1000" });
      const sub = await venue.addUser("sub", { USDT: "1000" }, user.userId);
      await reply(user.client, "POST", BATCH, orders(29));
      assert.equal((await reply(second, "POST", ORDER, order())).quota[1], "0");
      assert.equal((await reply(user.client, "POST", ORDER, order())).code, 4213);
      assert.equal((await reply(second, "POST", ORDER, order())).code, 4213);
      assert.deepEqual((await reply(other.client, "POST", ORDER, order())).quota, ["30", "29"]);
      assert.deepEqual((await reply(sub.client, "POST", ORDER, order())).quota, ["30", "29"]);
      const cancel = { market: "BTCUSDT", market_type: "SPOT", order_id: 1 };
      assert.deepEqual((await reply(user.client, "POST", CANCEL, cancel)).quota, ["60", "59"]);
      assert.deepEqual((await reply(user.client, "GET", BALANCE)).quota, ["10", "9"]);
    });

    test("a main account and its sub-accounts share the windows of the long cycle, which count orders and cancels", async () => {
      const sub = await venue.addUser("sub", { USDT: "1000" }, user.userId);
      const other = await venue.addUser("other", { USDT: "1000" });
      const minus = (count: number) => FULL.map((figure) => `${Number(figure) - count}`);
      assert.deepEqual((await reply(user.client, "GET", BALANCE)).long, FULL);
      assert.deepEqual((await reply(user.client, "POST", BATCH, orders(5))).long, minus(5));
      assert.deepEqual((await reply(sub.client, "POST", ORDER, order())).long, minus(6));
      const cancels = { market: "BTCUSDT", order_ids: [1, 2, 3] };
      assert.deepEqual((await reply(user.client, "POST", "/v2/spot/cancel-batch-order", cancels)).long, minus(9));
      assert.deepEqual((await reply(sub.client, "GET", BALANCE)).long, minus(9));
      assert.deepEqual((await reply(other.client, "GET", BALANCE)).long, FULL);
      // The hour began at 15:00 and ends at 16:00 UTC.
      venue.control.timeMs = Date.parse("2025-06-15T16:00:00Z");
      assert.deepEqual((await reply(user.client, "GET", BALANCE)).long, ["20000", "60000", "100000", "199991"]);
    });

    test("who asked too much with poor orders is slowed down for the rest of the window, sub-accounts too; cancels pass", async () => {
      await venue.close();
      await open({ longLimits: new Map([["1H", 20]]) });
      const sub = await venue.addUser("sub", { USDT: "1000" }, user.userId);
      const placed = await reply(user.client, "POST", BATCH, orders(15));
      assert.deepEqual(placed.long, ["5", undefined, undefined, undefined]);
      const ids = (placed.data as Envelope[]).map(({ data }) => data.order_id);
      const all = { market: "BTCUSDT", order_ids: ids };
      await reply(user.client, "POST", "/v2/spot/cancel-batch-order", all);
      venue.control.timeMs += 1_000;
      const slowed = await reply(user.client, "POST", ORDER, order());
      assert.deepEqual([slowed.code, slowed.quota, slowed.long[0]], [0, ["3", "2"], "0"]);
      assert.deepEqual((await reply(sub.client, "POST", ORDER, order())).quota, ["3", "2"]);
      for (let count = 0; count < 2; count++) await reply(user.client, "POST", ORDER, order());
      assert.equal((await reply(user.client, "POST", ORDER, order())).code, 4213);
      // Three a second: the next one after 334 ms.
      venue.control.timeMs += 333;
      assert.equal((await reply(user.client, "POST", ORDER, order())).code, 4213);
      venue.control.timeMs += 1;
      assert.equal((await reply(user.client, "POST", ORDER, order())).code, 0);
      assert.deepEqual((await reply(user.client, "POST", "/v2/spot/cancel-batch-order", all)).quota, ["60", "45"]);
      assert.deepEqual((await reply(user.client, "GET", BALANCE)).quota, ["10", "9"]);
      venue.control.timeMs = Date.parse("2025-06-15T16:00:00Z");
      assert.deepEqual((await reply(user.client, "POST", ORDER, order())).quota, ["30", "29"]);
    });

    test("orders that are executed keep an account from being slowed down", async () => {
      await venue.close();
      await open({ longLimits: new Map([["1H", 5]]) });
      const seller = await venue.addUser("seller", { BTC: "1" });
      await reply(seller.client, "POST", ORDER, limitOrder("sell", "0.1", "20000"));
      await reply(user.client, "POST", BATCH, orders(10));
      venue.control.timeMs += 1_000;
      assert.deepEqual((await reply(user.client, "POST", ORDER, order())).quota, ["30", "29"]);
    });

    test("the quota is asked after signature and permissions, and before the form of the body and the parameters", async () => {
      const reader = await venue.addKey(user.userId, ["read"]);
      const stranger = await venue.addKey(user.userId, ["read", "trade"]);
      const forged = venue.anybody;
      await reply(user.client, "POST", BATCH, orders(27));
      const none = [undefined, undefined];
      assert.deepEqual((await reply(forged, "POST", ORDER, order())).quota, none);
      const noPermission = await reply(reader, "POST", ORDER, order());
      assert.deepEqual([noPermission.code, noPermission.quota], [4158, none]);
      const unreadable = await reply(stranger, "POST", BATCH, "{");
      assert.deepEqual([unreadable.code, unreadable.quota], [4004, ["30", "2"]]);
      const tooLong = await reply(user.client, "POST", BATCH, orders(101));
      assert.deepEqual([tooLong.code, tooLong.quota], [3639, ["30", "1"]]);
      const empty = await reply(user.client, "POST", BATCH, { orders: [] });
      assert.deepEqual([empty.code, empty.quota], [3639, ["30", "0"]]);
      assert.equal((await reply(user.client, "POST", BATCH, "{")).code, 4213);
      assert.equal((await reply(reader, "POST", ORDER, order())).code, 4158);
    });

    test("an address is refused with 429 after 400 requests, signed or not, whatever they ask for", async () => {
      // The two funding users above asked for nothing over HTTP.
      const targets = ["/v2/ping", "/spot/market", "/openapi.json", BALANCE];
      const statuses: number[] = [];
      for (let count = 0; count < 400; count++) {
        const response = await user.client.fetch("GET", targets[count % targets.length] as string);
        statuses.push(response.status);
        await response.arrayBuffer();
      }
      assert.deepEqual([...new Set(statuses)], [200]);
      const refused = await reply(user.client, "GET", BALANCE);
      assert.deepEqual([refused.status, refused.code, refused.quota], [429, 4213, [undefined, undefined]]);
      assert.equal((await reply(venue.anybody, "GET", "/v2/ping")).status, 429);
      // What does not exist counts as well, or it could be asked for without end.
      assert.equal((await reply(venue.anybody, "GET", "/v2/nothing")).status, 429);
      assert.equal((await reply(venue.anybody, "POST", "/v2/ping")).status, 429);
      venue.control.timeMs += 3;
      assert.equal((await reply(venue.anybody, "GET", "/v2/ping")).status, 200);
      assert.equal((await reply(venue.anybody, "GET", "/v2/ping")).status, 429);
      venue.control.timeMs += 3;
      assert.equal((await reply(venue.anybody, "GET", "/v2/nothing")).status, 404);
      assert.equal((await reply(venue.anybody, "GET", "/v2/ping")).status, 429);
      venue.control.timeMs += 1_000;
    });

    test("a legacy request counts against its address by what it holds: what was signed is worked out before anybody is known", async () => {
      await venue.close();
      await open({ ipPerSecond: 20 });
      const send = async (values: number) => {
        const body = JSON.stringify({ access_id: "NOBODY", a: Array.from({ length: values }, () => 1) });
        const answer = await fetch(`${venue.base}/v1/order/limit`, { method: "POST", body });
        return ((await answer.json()) as Envelope).code;
      };
      // Nine requests each, and three times nine are more than there are for a second.
      assert.deepEqual([await send(400), await send(400), await send(400)], [24, 24, 213]);
    });

    test("messages over a socket count for the same address as requests over HTTP", async () => {
      await venue.close();
      await open({ ipPerSecond: 5 });
      const socket = await venue.socket();
      const codes: number[] = [];
      for (let count = 0; count < 3; count++) codes.push((await socket.ask("server.ping")).code);
      assert.equal((await reply(venue.anybody, "GET", "/v2/ping")).status, 200);
      assert.equal((await reply(venue.anybody, "GET", "/v2/ping")).status, 429);
      for (let count = 0; count < 2; count++) codes.push((await socket.ask("server.ping")).code);
      assert.deepEqual(codes, [0, 0, 0, 23_002, 23_002]);
      venue.control.timeMs += 1_000;
      assert.equal((await socket.ask("server.ping")).code, 0);
    });
  });
}

test("without limits nobody counts, and no answer has a header of them", async () => {
  const venue = await bitcoinApiVenue();
  try {
    const user = await venue.addUser("user", { USDT: "1000" });
    for (let count = 0; count < 35; count++) {
      const answer = await reply(user.client, "GET", BALANCE);
      assert.deepEqual([answer.status, answer.code, answer.quota], [200, 0, [undefined, undefined]]);
    }
  } finally {
    await venue.close();
  }
});
