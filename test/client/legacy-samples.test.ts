/**
 * What the samples of the interface's maker for the legacy generation send, transcribed from their sources: in
 * JavaScript, Python and Java. They differ in what is a number and what a text, in the case of header names, and in
 * what they add that nobody asks for.
 */
import assert from "node:assert/strict";
import { hash } from "node:crypto";
import { after, before, test } from "node:test";
import type { ApiKeyPair } from "../support/api-client.ts";
import { type ApiVenue, bitcoinApiVenue } from "../support/served-venue.ts";

interface Answer {
  readonly code: number;
  readonly message: string;
  // biome-ignore lint/suspicious/noExplicitAny: an answer is looked into freely
  readonly data: any;
}

let venue: ApiVenue;
let key: ApiKeyPair;

before(async () => {
  venue = await bitcoinApiVenue();
  const { client } = await venue.addUser("samples", { USDT: "100000", BTC: "10" });
  key = client.key as ApiKeyPair;
});
after(() => venue.close());

/** As all of them sign: names in order, values as the language prints them. */
function signatureOf(params: Readonly<Record<string, unknown>>): string {
  const names = Object.keys(params).sort();
  const text = names.map((name) => `${name}=${params[name]}`).join("&");
  return hash("md5", `${text}&secret_key=${key.secret}`).toUpperCase();
}

async function send(
  method: string,
  path: string,
  params: Readonly<Record<string, unknown>>,
  header: string,
): Promise<Answer> {
  const query = new URLSearchParams(Object.entries(params).map(([name, value]) => [name, String(value)]));
  const isPost = method === "POST";
  const response = await fetch(`${venue.base}/v1${path}${isPost ? "" : `?${query}`}`, {
    method,
    headers: { [header]: signatureOf(params), "Content-Type": "application/json; charset=utf-8" },
    ...(isPost ? { body: JSON.stringify(params) } : {}),
  });
  const answer = (await response.json()) as Answer;
  assert.deepEqual([response.status, answer.code], [200, 0], answer.message);
  return answer;
}

const now = () => venue.control.timeMs;

test("the JavaScript one looks at its balance, places an order, and cancels all that it finds pending", async () => {
  const own = () => ({ access_id: key.accessId, tonce: now(), account_id: 0 });
  const { access_id, tonce } = own();
  const balance = await send("GET", "/balance/info", { access_id, tonce }, "authorization");
  assert.equal(Number(balance.data.USDT.available), 100_000);
  const order = { ...own(), market: "BTCUSDT", type: "buy", amount: "0.001", price: "20000" };
  const placed = await send("POST", "/order/limit", order, "authorization");
  const page = { ...own(), market: "BTCUSDT", page: 1, limit: 10 };
  const pending = (await send("GET", "/order/pending", page, "authorization")).data.data;
  assert.deepEqual(
    pending.map(({ id }: { id: number }) => id),
    [placed.data.id],
  );
  for (const { market, id } of pending)
    await send("DELETE", "/order/pending", { ...own(), market, id }, "authorization");
  assert.equal((await send("GET", "/order/pending", page, "authorization")).data.total, 0);
});

test("the Python one places an order of texts with its time as a number, and cancels it by what the answer says", async () => {
  const own = () => ({ access_id: key.accessId, tonce: now() });
  const order = { amount: "0.5", price: "30000", type: "sell", market: "BTCUSDT", ...own() };
  const { data } = await send("POST", "/order/limit", order, "AUTHORIZATION");
  assert.deepEqual([data.market, data.status], ["BTCUSDT", "not_deal"]);
  const cancelled = await send(
    "DELETE",
    "/order/pending",
    { id: data.id, market: data.market, ...own() },
    "AUTHORIZATION",
  );
  assert.deepEqual([cancelled.data.id, cancelled.data.status], [data.id, "cancel"]);
});

test("the Java one sends nothing but texts, signs public calls as well, and names an account by a word of its own", async () => {
  const own = () => ({ access_id: key.accessId, tonce: String(now()), market: "BTCUSDT" });
  const seller = { ...own(), type: "sell", amount: "0.5", price: "30000.0" };
  await send("POST", "/order/limit", seller, "authorization");
  const book = await send("GET", "/market/depth", { ...own(), merge: "0.01", limit: "5" }, "authorization");
  assert.deepEqual(book.data.asks, [["30000.00", "0.500000"]]);
  assert.equal(book.message, "Ok");
  const pending = await send("GET", "/order/pending", { ...own(), page: "1", account: "0" }, "authorization");
  assert.deepEqual([pending.data.count, pending.data.data[0].price], [1, "30000.00"]);
});
