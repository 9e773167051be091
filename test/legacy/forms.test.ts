/**
 * In which forms old clients write what they ask for: empty pairs, slashes at the end, names in small letters, whole
 * depth steps.
 */
import assert from "node:assert/strict";
import { hash } from "node:crypto";
import { after, before, describe, test } from "node:test";
import fc from "fast-check";
import type { ApiKeyPair } from "../support/api-client.ts";
import { CHAIN } from "../support/payments-venue.ts";
import { runs } from "../support/runs.ts";
import { ApiVenue, bitcoinApiVenue, listFutures } from "../support/served-venue.ts";
import { type LegacyAnswer, LegacyClient, type LegacyRequest, signedText } from "./client.ts";

const MARKET = { market: "BTCUSDT" };
const LIMIT = { ...MARKET, type: "buy", amount: "0.01", price: "20000" };

describe("forms in which old clients write", () => {
  let venue: ApiVenue;
  let ann: LegacyClient;
  let key: ApiKeyPair;
  before(async () => {
    venue = await bitcoinApiVenue();
    await venue.listAssets("USD");
    await listFutures(venue);
    const { client } = await venue.addUser("ann", { USDT: "100000", BTC: "10" });
    key = client.key as ApiKeyPair;
    ann = new LegacyClient(venue, client);
  });
  after(() => venue.close());

  /** Any number of empty pairs in front of each pair and at the end. */
  const empties = fc.array(fc.array(fc.constantFrom("", "", "="), { maxLength: 2 }), { minLength: 8, maxLength: 8 });

  function scattered(pairs: readonly string[], among: readonly (readonly string[])[]): string {
    return [...pairs.flatMap((pair, at) => [...(among[at] ?? []), pair]), ...(among[pairs.length] ?? [])].join("&");
  }

  interface Surface {
    readonly base: string;
    readonly scheme: "md5" | "sha256";
    /** What is asked, and what of the answer must stay the same. */
    readonly asked: readonly [method: string, path: string, params: LegacyRequest];
    readonly shown: (answer: LegacyAnswer) => unknown;
  }

  const futuresLimit = { ...MARKET, side: 2, amount: "0.1", price: "20000", effect_type: 1, option: 0 };
  const surfaces: readonly Surface[] = [
    { base: "/v1", scheme: "md5", asked: ["GET", "/order/pending", { ...MARKET, page: 1, limit: 10 }], shown: dataOf },
    { base: "/v1", scheme: "md5", asked: ["POST", "/order/limit", LIMIT], shown: codeOf },
    { base: "/v1", scheme: "md5", asked: ["DELETE", "/order/pending", { ...MARKET, id: 999_999 }], shown: codeOf },
    {
      base: "/perpetual/v1",
      scheme: "sha256",
      asked: ["GET", "/order/pending", { ...MARKET, side: 0 }],
      shown: dataOf,
    },
    { base: "/perpetual/v1", scheme: "md5", asked: ["GET", "/order/pending", { ...MARKET, side: 0 }], shown: dataOf },
    { base: "/perpetual/v1", scheme: "sha256", asked: ["POST", "/order/put_limit", futuresLimit], shown: codeOf },
  ];

  for (const { base, scheme, asked, shown } of surfaces) {
    const [method, path, params] = asked;
    test(`empty pairs change neither the meaning nor the ${scheme} signature of ${method} ${base}${path}`, async () => {
      const ask = async (among: readonly (readonly string[])[], spoils = false): Promise<LegacyAnswer> => {
        const time = { [scheme === "md5" ? "tonce" : "timestamp"]: venue.control.timeMs };
        const all: LegacyRequest = { ...params, ...(scheme === "md5" ? { access_id: key.accessId } : {}), ...time };
        const text = signedText(all, spoils ? "another" : key.secret);
        const authorization = scheme === "md5" ? hash("md5", text).toUpperCase() : hash("sha256", text);
        const sent = scattered(
          Object.entries(all).map(([name, value]) => `${name}=${value}`),
          among,
        );
        const headers = { AccessId: key.accessId, authorization };
        const response =
          method === "POST"
            ? await fetch(`${venue.base}${base}${path}`, {
                method,
                headers: { ...headers, "content-type": "application/x-www-form-urlencoded" },
                body: sent,
              })
            : await fetch(`${venue.base}${base}${path}?${sent}`, { method, headers });
        return (await response.json()) as LegacyAnswer;
      };
      const plain = shown(await ask([]));
      await fc.assert(
        fc.asyncProperty(empties, async (among) => {
          assert.deepEqual(shown(await ask(among)), plain);
          assert.equal((await ask(among, true)).code, 25, "and the signature is still asked for");
        }),
        runs(8),
      );
    });
  }

  test("what was signed in the order in which it was sent holds with empty pairs as well", async () => {
    const pairs = [`tonce=${venue.control.timeMs}`, `access_id=${key.accessId}`];
    const authorization = hash("md5", `${pairs.join("&")}&secret_key=${key.secret}`);
    for (const query of [pairs.join("&"), `${pairs.join("&&")}&`, `&${pairs.join("&")}`]) {
      const response = await fetch(`${venue.base}/v1/balance/info?${query}`, { headers: { authorization } });
      assert.equal(((await response.json()) as LegacyAnswer).code, 0, query);
    }
  });

  test("empty pairs are passed over by the current generation, which signs the target as it is", async () => {
    const answer = await fetch(`${venue.base}/v2/spot/market?&market=BTCUSDT&&=&`);
    assert.equal(((await answer.json()) as { data: unknown[] }).data.length, 1);
  });

  test("one slash at the end of a path does not count, of any surface; two do", async () => {
    for (const path of ["/v1/market/list", "/perpetual/v1/ping", "/v2/ping", "/v2/spot/market", "/docs"]) {
      const [plain, slashed, twice] = await Promise.all(
        ["", "/", "//"].map((end) => fetch(`${venue.base}${path}${end}`)),
      );
      assert.equal(slashed?.status, plain?.status, path);
      assert.equal(await slashed?.text(), await plain?.text(), path);
      assert.equal(twice?.status, 404, path);
    }
    assert.equal((await ann.spot("GET", "/balance/info/")).code, 0);
    assert.equal((await ann.spot("POST", "/order/limit/", LIMIT)).code, 0);
  });

  test("samples ask for balances at /v1/balance/, which is the list of them, with what is locked", async () => {
    const { data } = await ann.spot("GET", "/balance/info");
    assert.deepEqual(Object.keys(data.USDT), ["available", "frozen", "lock"]);
    for (const path of ["/balance/", "/balance"]) assert.deepEqual((await ann.spot("GET", path)).data, data);
  });

  test("names of markets are taken in any case, public and signed, and told as they are listed", async () => {
    for (const name of ["btcusdt", "BtcUsdt", "BTCUSDT"]) {
      const depth = await ann.get(`/v1/market/depth?market=${name}&merge=0&limit=5`);
      assert.equal(depth.code, 0, name);
      assert.equal((await ann.get(`/v1/market/ticker?market=${name}`)).code, 0);
      assert.equal((await ann.get(`/perpetual/v1/market/ticker?market=${name}`)).code, 0);
      const placed = await ann.spot("POST", "/order/limit", { ...LIMIT, market: name });
      assert.equal(placed.data.market, "BTCUSDT");
      const gone = await ann.spot("DELETE", "/order/pending", { market: name, id: placed.data.id });
      assert.equal(gone.code, 0);
      assert.equal((await ann.futures("GET", "/order/pending", { market: name, side: 0 })).code, 0);
    }
    assert.equal((await ann.get("/v1/market/ticker?market=nosuch")).code, 2);
  });

  test("sockets take them so too, alone, in a list and in a list of lists", async () => {
    for (const path of ["/", "/perpetual"]) {
      const socket = await venue.legacySocket(undefined, path);
      await socket.query("state.query", "btcusdt", 86_400);
      await socket.must("state.subscribe", ["btcusdt"]);
      venue.beat();
      const [states] = await socket.push("state.update");
      assert.deepEqual(Object.keys(states as object), ["BTCUSDT"]);
      await socket.must("depth.subscribe_multi", [
        ["btcusdt", 5, "0"],
        ["ethusdt", 5, "0.01"],
      ]);
      await socket.must("kline.subscribe", ["btcusdt", 60]);
    }
  });

  test("sockets merge books by whole steps, as samples ask for", async () => {
    for (const path of ["/", "/perpetual"]) {
      const socket = await venue.legacySocket(undefined, path);
      for (const interval of ["0", "0.1", "1", "10", "100", "1000"]) {
        await socket.query("depth.query", "BTCUSDT", 5, interval);
        await socket.must("depth.subscribe", ["BTCUSDT", 5, interval]);
      }
      assert.equal(await socket.refused("depth.query", "BTCUSDT", 5, "3"), 1);
    }
    await ann.spot("POST", "/order/limit", { ...LIMIT, price: "20017.5" });
    const spot = await venue.legacySocket();
    const book = await spot.query("depth.query", "BTCUSDT", 5, "10");
    assert.equal(Number(book.bids[0][0]), 20_010);
  });
});

function dataOf({ data }: LegacyAnswer): unknown {
  return data;
}

function codeOf({ code }: LegacyAnswer): unknown {
  return code;
}

for (const compat of [true, false]) {
  test(`${compat ? "with" : "without"} compat a socket says that a login is needed in ${compat ? "the words of old clients" : "its own words"}`, async (t) => {
    const venue = await bitcoinApiVenue({ compat, isProduction: true });
    t.after(() => venue.close());
    for (const path of ["/", "/perpetual"]) {
      const socket = await venue.legacySocket(undefined, path);
      const { error } = await socket.ask("asset.query");
      assert.deepEqual(error, { code: 6, message: compat ? "require auth" : "require authentication" });
    }
  });
}

for (const compat of [true, false]) {
  test(`${compat ? "with" : "without"} compat a withdrawal to what is no address is refused with ${compat ? 310 : 2}`, async (t) => {
    const venue = await ApiVenue.open({ compat });
    t.after(() => venue.close());
    await venue.operate({ kind: "list_asset", ccy: "BTC", scale: 8, chains: [CHAIN] });
    const { userId } = await venue.addUser("ann", { BTC: "1" });
    const ann = new LegacyClient(venue, await venue.addKey(userId, ["read", "withdraw"]));
    const withdrawal = {
      coin_type: "BTC",
      coin_address: "no address",
      actual_amount: "0.5",
      transfer_method: "onchain",
    };
    const { code, message } = await ann.spot("POST", "/balance/coin/withdraw", withdrawal);
    assert.deepEqual(
      [code, message],
      [compat ? 310 : 2, `Invalid argument: coin_address is no address of the chain ${CHAIN.chain}.`],
    );
  });
}
