import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { ApiClient } from "../support/api-client.ts";
import { type ApiVenue, bitcoinApiVenue, limitOrder } from "../support/served-venue.ts";
import { oldSignature, oldSurface } from "./old-surface.ts";

type Method = "GET" | "POST" | "PUT" | "DELETE";
interface Answer {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: an answer is looked into freely
  readonly body: any;
}

describe("a generation of the API that differs from the current one in everything", () => {
  let venue: ApiVenue;
  let alice: ApiClient;
  before(async () => {
    venue = await bitcoinApiVenue({ rates: {}, surfaces: (ground) => [oldSurface(ground)] });
    alice = (await venue.addUser("alice", { USDT: "100000", BTC: "1" })).client;
  });
  after(() => venue.close());

  async function ask(method: Method, path: string, init: RequestInit = {}): Promise<Answer> {
    const response = await fetch(venue.base + path, { method, ...init });
    return { status: response.status, headers: response.headers, body: await response.json() };
  }

  /** Parameters go into the query, or into a form or JSON where the method has a body. */
  function signed(method: Method, path: string, params: object, form = true, secret = alice.key?.secret ?? "") {
    const all = { ...params, access_id: alice.key?.accessId, tonce: venue.control.timeMs };
    const authorization = oldSignature(all, secret);
    const pairs = new URLSearchParams(Object.entries(all).map(([name, value]) => [name, String(value)])).toString();
    if (method === "GET" || method === "DELETE") return ask(method, `${path}?${pairs}`, { headers: { authorization } });
    const type = form ? "application/x-www-form-urlencoded" : "application/json";
    const headers = { authorization, "content-type": type };
    return ask(method, path, { headers, body: form ? pairs : JSON.stringify(all) });
  }

  const order = { market: "BTCUSDT", type: "buy", amount: "0.5", price: "20000" };

  test("takes an order as a form, shows it at a path with its id, cancels it by DELETE; both generations see the same order", async () => {
    const placed = await signed("POST", "/old/order/limit", order);
    assert.deepEqual([placed.body.code, placed.body.message], [0, "Success"]);
    const { id } = placed.body.data;
    assert.deepEqual(placed.body.data, {
      id,
      market: "BTCUSDT",
      type: "buy",
      deal_amount: "0.000000",
      left: "0.500000",
      price: "20000.00",
    });
    const pending = await alice.get("/spot/pending-order", { market_type: "SPOT", market: "BTCUSDT" });
    assert.deepEqual(
      (pending.data as { order_id: number }[]).map((each) => each.order_id),
      [id],
    );
    const shown = await signed("GET", `/old/order/${id}`, { market: "BTCUSDT" });
    assert.equal(shown.body.data.left, "0.500000");
    const cancelled = await signed("DELETE", `/old/order/${id}`, { market: "BTCUSDT" });
    assert.deepEqual(cancelled.body, { code: 0, message: "Success", data: { id } });
    const gone = await signed("GET", `/old/order/${id}`, { market: "BTCUSDT" });
    assert.deepEqual([gone.status, gone.body.code, gone.body.data], [200, 600, {}]);
    venue.control.timeMs += 2_000;
  });

  test("takes JSON beside forms, and PUT", async () => {
    assert.equal((await signed("POST", "/old/order/limit", order, false)).body.code, 0);
    const set = await signed("PUT", "/old/account/settings", { deduct: true });
    assert.deepEqual(set.body, { code: 0, message: "Success", data: {} });
    venue.control.timeMs += 2_000;
  });

  test("refuses in its own codes and words, whoever refuses: path, method, key, signature, parameters, engine", async () => {
    const at = async (answer: Promise<Answer>) => {
      const { status, body } = await answer;
      assert.deepEqual(body.data, {});
      return [status, body.code, body.message];
    };
    assert.deepEqual((await at(ask("GET", "/old/nowhere"))).slice(0, 2), [404, 2]);
    assert.deepEqual((await at(ask("POST", "/old/order/1"))).slice(0, 2), [200, 2]);
    assert.deepEqual((await at(ask("GET", "/old/order/1?access_id=x"))).slice(0, 2), [200, 24]);
    assert.deepEqual((await at(signed("GET", "/old/order/1", order, true, "another"))).slice(0, 2), [200, 25]);
    assert.deepEqual(await at(signed("GET", "/old/order/x", { market: "BTCUSDT" })), [
      200,
      2,
      "Bad: order_id must be a whole number from 1.",
    ]);
    assert.equal((await at(signed("POST", "/old/order/limit", { ...order, price: "900000" })))[1], 107);
    assert.equal((await at(signed("POST", "/old/order/limit", { ...order, market: "XY" })))[1], 2);
    venue.control.timeMs += 2_000;
  });

  test("has limits of its own: six requests in two seconds, told in its own headers", async () => {
    const answers: Answer[] = [];
    for (let count = 0; count < 7; count++) {
      answers.push(await signed("GET", "/old/order/999", { market: "BTCUSDT" }));
    }
    assert.deepEqual(
      answers.map(({ body }) => body.code),
      [600, 600, 600, 600, 600, 600, 213],
    );
    assert.deepEqual(
      answers.map(({ headers }) => headers.get("x-ratelimit-remaining")),
      ["5", "4", "3", "2", "1", "0", "0"],
    );
    assert.ok(answers.every(({ headers }) => headers.get("x-ratelimit-limit") === "6"));
    venue.control.timeMs += 1_000;
    const after = await signed("GET", "/old/order/999", { market: "BTCUSDT" });
    assert.deepEqual([after.body.code, after.headers.get("x-ratelimit-remaining")], [600, "2"]);
  });

  test("leaves the current generation as it is, at the same paths without its prefix", async () => {
    const nowhere = await ask("GET", "/order/1");
    assert.deepEqual(nowhere.body, { code: 4004, data: {}, message: "There is nothing at this path." });
    const placed = await alice.post("/spot/order", limitOrder("buy", "0.1", "20000"));
    assert.equal(placed.code, 0);
    // A path that only begins with the same letters is none of its business.
    assert.equal((await ask("GET", "/older")).body.code, 4004);
  });
});
