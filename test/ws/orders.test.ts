/** Order entry over sockets: the same calls as over HTTP, in the words of the sockets. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import {
  type ApiUser,
  type ApiVenue,
  bitcoinApiVenue,
  contract,
  futuresApiVenue,
  limitOrder,
} from "../support/served-venue.ts";
import type { Message, SocketClient } from "../support/socket-client.ts";

/** The methods, each with the end of the path of HTTP that it stands for. */
const PATHS = {
  "order.place": "order",
  "order.modify": "modify-order",
  "order.cancel": "cancel-order",
  "order.cancel_by_client_id": "cancel-order-by-client-id",
  "order.cancel_all": "cancel-all-order",
  "order.batch_place": "batch-order",
  "order.batch_modify": "batch-modify-order",
  "order.batch_cancel": "cancel-batch-order",
} as const;
type Method = keyof typeof PATHS;

const SPOT = { market: "BTCUSDT", market_type: "SPOT" };
const BUY = limitOrder("buy", "0.1", "20000");

/** An answer without what differs from one order to the next. */
const alike = (answer: Message) =>
  JSON.parse(JSON.stringify(answer), (name, value) =>
    ["id", "order_id", "created_at", "updated_at", "request_id"].includes(name) ? undefined : value,
  );

/** An answer over HTTP, with the reason in it where it is refused, as over sockets. */
async function overHttp({ client }: ApiUser, path: string, body: object): Promise<Message> {
  const response = await client.fetch("POST", path, JSON.stringify(body));
  const answer = (await response.json()) as { code: number };
  return answer.code === 0 ? answer : { ...answer, reason: response.headers.get("x-bourse-reason") };
}

/** Some time for quotas and connections to be earned back. */
async function later(venue: ApiVenue): Promise<void> {
  venue.control.evenMs += 60_000;
  await venue.wait(60_000);
}

/** A kind of market: where it stands, what its orders name, one that rests, and who trades there. */
interface Product {
  readonly path: string;
  readonly of: { readonly market: string; readonly market_type: string };
  readonly buy: object;
  readonly open: () => Promise<{ venue: ApiVenue; user: ApiUser }>;
}

const PRODUCTS: Readonly<Record<string, Product>> = {
  spot: {
    path: "/v2/spot",
    of: SPOT,
    buy: BUY,
    open: async () => {
      const venue = await bitcoinApiVenue({ rates: {} });
      return { venue, user: await venue.addUser("user", { USDT: "1000000", BTC: "10" }) };
    },
  },
  futures: {
    path: "/v2/futures",
    of: { market: "BTCUSDT", market_type: "FUTURES" },
    buy: contract("buy", "0.1", "20000"),
    open: async () => {
      const venue = await futuresApiVenue({ rates: {} });
      return { venue, user: await venue.addTrader("user", { USDT: "1000000" }) };
    },
  },
};

/** Every method, with what it takes once there are two orders, and what is wrong in many ways. */
const casesOf = ({ of, buy }: Product): readonly (readonly [method: Method, params: (ids: number[]) => object])[] => [
  ["order.place", () => buy],
  ["order.place", () => ({ ...buy, client_id: "mine", stp_mode: "cm", is_hide: true })],
  ["order.place", () => ({ ...buy, amount: "10000000" })],
  ["order.place", () => ({ ...buy, amount: "0" })],
  ["order.place", () => ({ ...buy, amount: undefined })],
  ["order.place", () => ({ ...buy, market: "NOMARKET" })],
  ["order.place", () => ({ ...buy, market_type: of.market_type === "SPOT" ? "FUTURES" : "SPOT" })],
  ["order.place", () => ({ ...buy, price: "20000.00000001" })],
  ["order.place", () => ({ ...buy, side: "hold" })],
  ["order.place", () => ({})],
  ["order.modify", ([id]) => ({ ...of, order_id: id, price: "19000" })],
  ["order.modify", () => ({ ...of, order_id: 1, price: "19000" })],
  ["order.cancel", ([id]) => ({ ...of, order_id: id })],
  ["order.cancel", () => ({ ...of, order_id: "x" })],
  ["order.cancel_by_client_id", () => ({ market_type: of.market_type, client_id: "both" })],
  ["order.cancel_all", () => of],
  ["order.batch_place", () => ({ orders: [buy, { ...buy, amount: "0" }, { ...buy, side: 1 }] })],
  ["order.batch_place", () => ({ orders: [] })],
  ["order.batch_modify", ([one]) => ({ ...of, orders: [{ order_id: one, price: "19000" }] })],
  ["order.batch_cancel", ([one, two]) => ({ ...of, order_ids: [one, two, 1] })],
];

for (const [name, product] of Object.entries(PRODUCTS)) {
  describe(`${name} orders over sockets and HTTP`, () => {
    const { path, of, buy } = product;
    let venue: ApiVenue;
    let user: ApiUser;
    let socket: SocketClient;
    before(async () => {
      ({ venue, user } = await product.open());
      socket = await venue.socket(user.client, path);
    });
    after(() => venue.close());

    for (const [method, paramsOf] of casesOf(product)) {
      test(`${method} answers and refuses alike: ${JSON.stringify(paramsOf([1, 2])).slice(0, 80)}`, async () => {
        const answers: Message[] = [];
        for (const ask of [
          (params: object) => overHttp(user, `${path}/${PATHS[method]}`, params),
          (params: object) => socket.ask(method, params),
        ]) {
          await later(venue);
          if (name === "futures") await venue.indexBack("30000");
          const ids: number[] = [];
          for (let count = 0; count < 2; count++) {
            ids.push((await user.client.act(`${path}/order`, { ...buy, client_id: "both" })).order_id);
          }
          const answer = alike(await ask(paramsOf(ids)));
          // Orders that a refusal names differ as well.
          answers.push(JSON.parse(JSON.stringify(answer).replaceAll(/order_id=\d+/g, "order_id")));
          await user.client.act(`${path}/cancel-all-order`, of);
        }
        assert.deepEqual(answers[1], answers[0]);
      });
    }

    test("every one of the methods is asked above", () => {
      assert.deepEqual([...new Set(casesOf(product).map(([method]) => method))].sort(), Object.keys(PATHS).sort());
    });
  });
}

describe("orders over sockets", () => {
  let venue: ApiVenue;
  let user: ApiUser;
  let socket: SocketClient;
  before(async () => {
    ({ venue, user } = await (PRODUCTS.spot as Product).open());
    socket = await venue.socket(user.client);
  });
  after(() => venue.close());

  test("it needs a login, and a key that trades", async () => {
    const anybody = await venue.socket();
    assert.equal((await anybody.ask("order.place", BUY)).code, 21001);
    const reader = await venue.socket(await venue.addKey(user.userId, ["read"]));
    assert.equal((await reader.ask("order.place", BUY)).code, 4158);
    for (const each of [anybody, reader]) await each.close();
  });

  test("several are under way, answered in the order of the log, each before the pushes of what it did", async () => {
    await later(venue);
    const own = await venue.socket(user.client);
    await own.must("order.subscribe", { market_list: ["BTCUSDT"] });
    const ids = Array.from({ length: 15 }, (_, index) => 1_001 + index);
    for (const id of ids) own.send({ id, method: "order.place", params: { ...BUY, client_id: `c${id}` } });
    const heard: Message[] = [];
    while (heard.length < 2 * ids.length) heard.push(await own.take(() => true));
    const answered = heard.filter(({ id }) => id !== null);
    assert.deepEqual(
      answered.map(({ id }) => id),
      ids,
    );
    const orderIds = answered.map(({ data }) => data.order_id);
    assert.deepEqual(
      orderIds,
      [...orderIds].sort((one, other) => one - other),
    );
    const pushed = heard.filter(({ id }) => id === null).map(({ data }) => data.order.order_id);
    assert.deepEqual(pushed, orderIds);
    for (const [index, orderId] of orderIds.entries()) {
      const at = heard.findIndex(({ id }) => id === ids[index]);
      const pushedAt = heard.findIndex(({ id, data }) => id === null && data.order.order_id === orderId);
      assert.ok(at < pushedAt, `order ${orderId} was pushed before it was answered`);
    }
    await own.close();
    await user.client.act("/v2/spot/cancel-all-order", SPOT);
  });

  test("the quota of the account is one for HTTP and sockets, and what it lets pass does not count for the connection", async () => {
    await later(venue);
    const own = await venue.socket(user.client);
    const codes: number[] = [];
    for (let count = 0; count < 300; count++) {
      // A second for each twenty: less than the account may, more than a connection may ask otherwise.
      if (count % 20 === 0) venue.control.timeMs += 1_000;
      codes.push((await own.ask("order.place", { ...BUY, amount: "0" })).code);
    }
    assert.deepEqual([...new Set(codes)], [3127]);
    await later(venue);
    let passed = 0;
    while ((await own.ask("order.place", { ...BUY, amount: "0" })).code !== 4213) passed++;
    assert.ok(passed > 0);
    assert.equal((await user.client.post("/v2/spot/order", BUY)).code, 4213);
    await own.close();
  });

  test("a busy venue says so over sockets as over HTTP", async () => {
    await later(venue);
    venue.control.busy = true;
    const [over, http] = [await socket.ask("order.place", BUY), await overHttp(user, "/v2/spot/order", BUY)];
    venue.control.busy = false;
    assert.deepEqual(alike(over), alike(http));
    assert.notEqual(http.code, 0);
  });

  test("a fault may cut the connection behind an order, and refuse it after it was done", async () => {
    await later(venue);
    const own = await venue.socket(user.client);
    venue.fault({ fault: "timeout", when: "after", match: "order.place", count: 1 });
    assert.notEqual((await own.ask("order.place", BUY)).code, 0);
    venue.fault({ fault: "drop", when: "after", match: "order.place", count: 1 });
    own.send({ id: 7_000, method: "order.place", params: BUY });
    await own.closed();
    venue.faults.end();
    const open = await user.client.read("/v2/spot/pending-order", { market_type: "SPOT" });
    assert.equal(open.length, 2);
    await user.client.act("/v2/spot/cancel-all-order", SPOT);
  });
});
