/**
 * What other public clients of the current generation send and lean on, transcribed from their sources: the samples of
 * the interface's maker in several languages, and trading programs. What ccxt does stands in the other tests here.
 */
import assert from "node:assert/strict";
import { createHash, createHmac } from "node:crypto";
import { on, once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { gunzipSync } from "node:zlib";
import { WebSocket } from "ws";
import { type ApiKeyPair, type Envelope, succeeded } from "../support/api-client.ts";
import { SocketClient } from "../support/socket-client.ts";
import { VenueProcess } from "../support/venue-process.ts";

const dir = mkdtempSync(join(tmpdir(), "bourse-samples-"));
let venue: VenueProcess;
let key: ApiKeyPair;

before(async () => {
  venue = await VenueProcess.start(join(dir, "data"), "--makers", "off");
  key = (await venue.trader("samples", { BTC: "10", USDT: "1000000" })).key;
  await venue.admin("/admin/index-prices", { market: "BTCUSDT", sources: [{ exchange: "test", price: "60000" }] });
});

after(async () => {
  await venue?.end("SIGTERM");
  rmSync(dir, { recursive: true, force: true });
});

type Sign = (text: string, secret: string) => string;
const plainHash: Sign = (text, secret) =>
  createHash("sha256")
    .update(text + secret)
    .digest("hex");

async function request(
  sign: Sign,
  method: "GET" | "POST",
  target: string,
  body = "",
  by = key,
): Promise<Envelope["data"]> {
  const timestamp = `${Date.now()}`;
  const response = await fetch(venue.url + target, {
    method,
    headers: {
      "X-COINEX-KEY": by.accessId,
      "X-COINEX-SIGN": sign(method + target + body + timestamp, by.secret),
      "X-COINEX-TIMESTAMP": timestamp,
    },
    ...(method === "GET" ? {} : { body }),
  });
  return succeeded((await response.json()) as Envelope);
}

const SIGNS: readonly (readonly [string, Sign])[] = [
  ["keyed hash", (text, secret) => createHmac("sha256", secret).update(text).digest("hex")],
  ["plain hash", plainHash],
  ["plain hash in capitals", (text, secret) => plainHash(text, secret).toUpperCase()],
];
for (const [name, sign] of SIGNS) {
  test(`a sample that signs with a ${name} and names its market type in lower case`, async () => {
    const order = {
      market: "BTCUSDT",
      market_type: "spot",
      side: "buy",
      type: "limit",
      amount: "0.01",
      price: "50000",
    };
    const body = JSON.stringify({ ...order, client_id: "sample", is_hide: "true" }, null, 1);
    const { order_id } = await request(sign, "POST", "/v2/spot/order", body);
    const query = "market=BTCUSDT&market_type=spot&side=buy&client_id=&page=1&limit=10";
    const pending = await request(sign, "GET", `/v2/spot/pending-order?${query}`);
    assert.deepEqual(
      pending.map((each: Envelope["data"]) => each.order_id),
      [order_id],
    );
    const cancel = { market: "BTCUSDT", market_type: "SPOT", order_id };
    assert.equal((await request(sign, "POST", "/v2/spot/cancel-order", JSON.stringify(cancel))).order_id, order_id);
  });
}

test("the samples for sub-accounts: made, funded, given a key that works, looked at, frozen and let go", async () => {
  const sign: Sign = (text, secret) => createHmac("sha256", secret).update(text).digest("hex");
  const post = (path: string, body: object) => request(sign, "POST", `/v2${path}`, JSON.stringify(body));
  const get = (path: string) => request(sign, "GET", `/v2${path}`);
  const sub_user_name = "samples-sub";
  assert.deepEqual(
    await post("/account/subs", { sub_user_name, permissions: ["FUTURES", "MARGIN", "AMM", "API"] }),
    {},
  );
  await post("/account/subs/transfer", {
    from_account_type: "SPOT",
    to_account_type: "SPOT",
    to_user_name: sub_user_name,
    ccy: "USDT",
    amount: "100",
  });
  const made = await post("/account/subs/api", { sub_user_name, ip_whitelist: ["127.0.0.1"], trade_enabled: true });
  const own = { accessId: made.access_id, secret: made.secret_key };
  const balance = await request(sign, "GET", "/v2/assets/spot/balance", "", own);
  assert.deepEqual(balance, [{ ccy: "USDT", available: "100", frozen: "0" }]);
  assert.deepEqual(await request(sign, "GET", "/v2/account/subs/info", "", own), {
    user_type: "SUB_ACCOUNT",
    sub_user_name,
  });
  assert.deepEqual(await get(`/account/subs/balance?sub_user_name=${sub_user_name}&market_type=SPOT`), balance);
  const [listed] = await get("/account/subs?is_frozen=false&page=1&limit=10");
  assert.deepEqual([listed.sub_user_name, listed.balance_usd], [sub_user_name, "100"]);
  const [moved] = await get(`/account/subs/transfer-history?sub_user_name=${sub_user_name}&ccy=USDT&limit=5`);
  assert.deepEqual([moved.from_user_name, moved.to_user_name, moved.status], ["samples", sub_user_name, "finished"]);
  // The example of the interface's maker says can_trade where its table says trade_enabled.
  const edited = await post("/account/subs/edit-api", { sub_user_name, api_id: made.api_id, can_trade: false });
  assert.deepEqual([edited.trade_enabled, edited.secret_key], [false, ""]);
  await post("/account/subs/frozen", { sub_user_name });
  await assert.rejects(request(sign, "GET", "/v2/account/subs/info", "", own));
  await post("/account/subs/unfrozen", { sub_user_name });
  await post("/account/subs/delete-api", { api_id: made.api_id });
  assert.deepEqual(await get(`/account/subs/api?sub_user_name=${sub_user_name}`), []);
});

test("a program whose records are sent whole: numbers as numbers, and null for what is not set", async () => {
  const sign = SIGNS[0]?.[1] as Sign;
  const order = {
    market: "BTCUSDT",
    market_type: "SPOT",
    side: "sell",
    type: "limit",
    client_id: null,
    stp_mode: null,
  };
  const body = JSON.stringify({ ...order, amount: 0.01, price: 70_000.0, is_hide: null, ccy: null });
  const { order_id } = await request(sign, "POST", "/v2/spot/order", body.replace("70000", "7.0E4"));
  const change = { market: "BTCUSDT", market_type: "SPOT", order_id, price: "71000", amount: null };
  const changed = await request(sign, "POST", "/v2/spot/modify-order", JSON.stringify(change));
  assert.deepEqual([Number(changed.price), Number(changed.unfilled_amount)], [71_000, 0.01]);
  const all = { market: "BTCUSDT", market_type: "SPOT", side: null };
  await request(sign, "POST", "/v2/spot/cancel-all-order", JSON.stringify(all));
});

test("a program whose records have no absent fields: empty texts and a price of 0 for what is not set", async () => {
  const sign = SIGNS[0]?.[1] as Sign;
  const unset = { client_id: "", ccy: "", stp_mode: "", is_hide: false };
  const order = { market: "BTCUSDT", market_type: "SPOT", side: "sell", type: "limit", amount: "0.01", price: "60000" };
  const body = (fields: object) => JSON.stringify({ ...unset, ...order, ...fields });
  await request(sign, "POST", "/v2/spot/order", body({}));
  const other = (await venue.trader("samples-other", { USDT: "10000" })).key;
  for (const price of ["", "0"]) {
    const taker = { side: "buy", type: "market", amount: "60", price };
    const taken = await request(sign, "POST", "/v2/spot/order", body(taker), other);
    assert.equal(Number(taken.filled_value), 60);
  }
});

test("the sample for sockets: it logs in with a plain hash, as a text, and pings with an empty list", async () => {
  const socket = await SocketClient.connect(venue.url, "/v2/spot/");
  const timestamp = `${Date.now()}`;
  const login = { access_id: key.accessId, signed_str: plainHash(timestamp, key.secret), timestamp };
  await socket.must("server.sign", login);
  assert.deepEqual(await socket.ask("server.ping", []), { id: 2, code: 0, message: "OK", data: { result: "pong" } });
  await socket.must("balance.subscribe", { ccy_list: [] });
  await socket.close();
});

test("a program that compares texts: its acknowledgement letter by letter, and what it looks for in frames", async () => {
  const webSocket = new WebSocket(`${venue.url.replace("http", "ws")}/v2/spot`);
  await once(webSocket, "open");
  const frames = on(webSocket, "message");
  const next = async () => gunzipSync((await frames.next()).value?.[0]).toString();
  webSocket.send('{"method":"deals.subscribe","params":{"market_list":["BTCUSDT"]},"id":1}');
  assert.equal(await next(), '{"id":1,"code":0,"message":"OK"}');
  webSocket.send('{"method":"server.ping","params":{},"id":2}');
  for (let text = await next(); !text.includes("pong"); text = await next()) assert.match(text, /"deals\.update"/);
  webSocket.terminate();
});
