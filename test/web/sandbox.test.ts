/** Test money and the clock from a page: for who is signed in, where everybody knows all keys, and nowhere else. */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, type TestContext, test } from "node:test";
import { type StartedVenue, type StartOptions, startVenue } from "../../src/lab/library/index.ts";
import { bitcoinApiVenue } from "../support/served-venue.ts";
import { VenueProcess } from "../support/venue-process.ts";
import { WebClient } from "./web-client.ts";

const START_MS = Date.parse("2026-01-01T00:00:00Z");
const HOUR_MS = 3_600_000;

async function signedIn(url: string, account = "alice"): Promise<WebClient> {
  const client = new WebClient(url);
  await client.act("/web/demo", { account });
  return client;
}

async function indexOf(venue: StartedVenue, market: string, price: string): Promise<void> {
  const sources = ["northgate", "harbour", "meridian", "quayside"].map((exchange) => ({ exchange, price }));
  await venue.admin.post("/admin/index-prices", { market, market_type: "SPOT", sources });
}

async function ownVenue(t: TestContext, options: StartOptions): Promise<StartedVenue> {
  const venue = await startVenue({ makers: false, ...options });
  t.after(() => venue.stop());
  return venue;
}

describe("test money", () => {
  let venue: StartedVenue;
  before(async () => {
    venue = await startVenue({ startTime: START_MS, frozen: true, makers: false });
    await indexOf(venue, "BTCUSDT", "30000");
  });
  after(() => venue.stop());

  const spotOf = async (client: WebClient, ccy: string): Promise<string> => {
    const rows: { ccy: string; available: string }[] = await client.read("/v2/assets/spot/balance");
    return rows.find((row) => row.ccy === ccy)?.available ?? "none";
  };

  test("is worth 10,000 USDT by index, down to the unit of the currency, and is there at once", async () => {
    const alice = await signedIn(venue.url);
    const before = Number(await spotOf(alice, "BTC"));
    assert.deepEqual(await alice.act("/web/test-money", { ccy: "BTC" }).then(({ ccy, amount }) => [ccy, amount]), [
      "BTC",
      "0.33333333",
    ]);
    assert.equal(Number(await spotOf(alice, "BTC")).toFixed(8), (before + 0.33333333).toFixed(8));
    assert.equal((await alice.act("/web/test-money", { ccy: "USDT" })).amount, "10000.0000000000");
  });

  test("is a deposit in the log like an operator's, under the name of who took it", async () => {
    const bob = await signedIn(venue.url, "bob");
    const { deposit_id } = await bob.act("/web/test-money", { ccy: "USDT" });
    const { deposits } = await venue.admin.get<{ deposits: Record<string, unknown>[] }>("/admin/deposits", {
      actor: "user 2",
    });
    const [{ created_at: _, ...row } = {}] = deposits;
    assert.deepEqual(row, {
      ...{ deposit_id, user_id: 2, cell: null, ccy: "USDT", amount: "10000.0000000000", actor: "user 2" },
      ...{ note: "test money, taken by bob from a page", reference: null },
    });
  });

  test("is refused to strangers, to other pages, and of what nobody knows the worth of", async () => {
    const alice = await signedIn(venue.url);
    const before = await spotOf(alice, "USDT");
    const ask = (client: WebClient, ccy: unknown, headers = {}) =>
      client.post("/web/test-money", { ccy }, headers).then(({ code, data }) => [code, data.reason]);
    assert.deepEqual(await ask(new WebClient(venue.url), "USDT"), [4005, "session_unknown"]);
    assert.deepEqual(await ask(alice, "USDT", { "x-bourse-csrf": undefined }), [4006, "csrf_mismatch"]);
    assert.deepEqual(await ask(alice, "USDT", { origin: "https://evil.example" }), [4007, "origin_not_allowed"]);
    assert.deepEqual(await ask(alice, "USDT", { "sec-fetch-site": "cross-site" }), [4007, "origin_not_allowed"]);
    assert.equal((await alice.get("/web/test-money")).code, 4009);
    assert.deepEqual(await ask(alice, "NONE"), [3639, "asset_not_found"]);
    assert.deepEqual(await ask(alice, ["USDT"]), [3639, "invalid_parameter"]);
    const worthless = await alice.post("/web/test-money", { ccy: "ETH" });
    assert.deepEqual([worthless.code, worthless.data.reason], [3639, "invalid_parameter"]);
    assert.match(worthless.message, /ccy must be one that an index tells the worth of, which none does of ETH/);
    assert.equal(await spotOf(alice, "USDT"), before);
  });

  test("is given 20 times an hour to an account, and refused attempts do not count", async (t) => {
    const own = await ownVenue(t, { startTime: START_MS, frozen: true });
    const alice = await signedIn(own.url);
    for (let time = 0; time < 30; time++) {
      assert.equal((await alice.post("/web/test-money", { ccy: "BTC" })).code, 3639);
    }
    for (let time = 0; time < 20; time++) await alice.act("/web/test-money", { ccy: "USDT" });
    const { status, code, message, data } = await alice.post("/web/test-money", { ccy: "USDT" });
    assert.deepEqual([status, code, data], [429, 4213, { reason: "too_many_attempts" }]);
    assert.equal(message, "An account takes test money 20 times in 60 minutes at most.");
    await (await signedIn(own.url, "bob")).act("/web/test-money", { ccy: "USDT" });
  });
});

describe("the clock of a page", () => {
  let venue: StartedVenue;
  before(async () => {
    venue = await startVenue({ startTime: START_MS, frozen: true, makers: false });
  });
  after(() => venue.stop());

  test("is frozen, let go, moved on and sped up by a sample account, in the words of the operators' call", async () => {
    const alice = await signedIn(venue.url);
    const shown = { time_ms: START_MS, kind: "virtual", frozen: true, speed: 1, can_move: true };
    assert.deepEqual(await new WebClient(venue.url).read("/web/clock"), shown);
    assert.deepEqual(await alice.act("/web/clock", { advance_ms: HOUR_MS }), {
      ...{ time_ms: START_MS + HOUR_MS, frozen: true, speed: 1 },
    });
    const { frozen, speed } = await alice.act("/web/clock", { freeze: false, speed: 60 });
    assert.deepEqual([frozen, speed], [false, 60]);
    const stopped = await alice.act("/web/clock", { freeze: true });
    assert.equal(stopped.frozen, true);
    assert.equal((await venue.admin.status()).time_ms, stopped.time_ms);
    for (const wrong of [{ speed: 0 }, { advance_ms: -1 }, { freeze: "yes" }]) {
      assert.equal((await alice.post("/web/clock", wrong)).code, 3639, JSON.stringify(wrong));
    }
  });

  test("moves for nobody else: strangers, other pages, accounts of people", async () => {
    const ask = async (client: WebClient, headers = {}) => {
      const { code, data } = await client.post("/web/clock", { advance_ms: 1 }, headers);
      return [code, data.reason];
    };
    const alice = await signedIn(venue.url);
    const { time_ms } = await alice.read("/web/clock");
    assert.deepEqual(await ask(new WebClient(venue.url)), [4005, "session_unknown"]);
    assert.deepEqual(await ask(alice, { "x-bourse-csrf": "x".repeat(43) }), [4006, "csrf_mismatch"]);
    assert.deepEqual(await ask(alice, { origin: "https://evil.example" }), [4007, "origin_not_allowed"]);
    const carol = new WebClient(venue.url);
    const { dev_token: token } = await carol.act("/web/sign-up", {
      ...{ email: "carol@example.com", password: "a password of carol" },
    });
    await carol.act("/web/sign-up/confirm", { token });
    assert.deepEqual(await ask(carol), [4158, "permission_missing"]);
    assert.equal((await alice.read("/web/clock")).time_ms, time_ms);
    assert.equal(
      (await carol.act("/web/test-money", { ccy: "USDT" })).amount,
      "10000.0000000000",
      "her own money she may",
    );
  });

  test("is said to be the machine's where it is, and then nobody moves it", async (t) => {
    const real = await ownVenue(t, {});
    const { time_ms, ...clock } = await new WebClient(real.url).read("/web/clock");
    assert.deepEqual(clock, { kind: "real", can_move: false });
    assert.ok(Math.abs(time_ms - Date.now()) < HOUR_MS);
    const { code, message } = await (await signedIn(real.url)).post("/web/clock", { freeze: true });
    assert.equal(code, 3639);
    assert.match(message, /only on a venue started with --clock virtual/);
  });
});

describe("a venue with something to lose gives neither", () => {
  const refused = async (client: WebClient) => {
    for (const [path, body] of [
      ["/web/test-money", { ccy: "USDT" }],
      ["/web/clock", { advance_ms: 1 }],
    ] as const) {
      const { code, message, data } = await client.post(path, body);
      assert.deepEqual([code, data], [4158, { reason: "permission_missing" }], path);
      assert.match(message, /^Only a venue of the dev profile with fixed accounts, /);
    }
    assert.equal((await client.read("/web/clock")).can_move, false);
  };

  test("with keys that were drawn", async (t) => {
    const drawn = await ownVenue(t, { accounts: "random", clock: "virtual" });
    await refused(await signedIn(drawn.url));
  });

  test("with an operator's token that was changed", async (t) => {
    const closed = await ownVenue(t, { clock: "virtual" });
    await closed.admin.post("/admin/operator-tokens", { name: "root" });
    await refused(await signedIn(closed.url));
  });

  test("in production", async (t) => {
    const signed = await bitcoinApiVenue({ web: { profile: "production", demoAccounts: ["alice"] } });
    t.after(() => signed.close());
    await signed.addUser("alice", {});
    await refused(await signedIn(signed.base));
    const data = mkdtempSync(join(tmpdir(), "bourse-sandbox-"));
    t.after(() => rmSync(data, { recursive: true, force: true }));
    const config = join(data, "production.json");
    writeFileSync(config, JSON.stringify({ profile: "production", "log-level": "warn" }));
    const venue = await VenueProcess.start(join(data, "venue"), "--config", config);
    t.after(() => venue.end("SIGKILL"));
    const stranger = new WebClient(venue.url);
    assert.equal((await stranger.read("/web/clock")).can_move, false);
    assert.equal((await stranger.post("/web/test-money", { ccy: "USDT" })).data.reason, "session_unknown");
  });
});
