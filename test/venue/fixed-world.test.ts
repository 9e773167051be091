/** A fixed world: the same command line and the same steps make the same answers, pushes and state, to the byte. */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { IN_MEMORY } from "../../src/venue/settings.ts";
import { SocketClient } from "../support/socket-client.ts";
import { VenueProcess } from "../support/venue-process.ts";

const ARGUMENTS = ["--start-time", "2026-01-01T00:00:00Z", "--frozen", "--accounts", "fixed", "--limits", "off"];
/** As the README names it: anyone who writes a test against a fixed world may rely on it in all versions. */
const ALICE = {
  accessId: "76C101C1D5579A41CA9066B9CCB187B5",
  secret: "799400991C9FCC1EAB583202E52473F16226EB2883EF46DB",
};

const ROOT_TOKEN = "224df0105869c5112db2f3c598e7f3d0a55695ec01a6afd57330ba7ed4fb7711";

/** Plays a bot's hour in a world of its own and gives every answer and push of it. */
async function played(...more: string[]): Promise<string[]> {
  const venue = await VenueProcess.start(IN_MEMORY, ...ARGUMENTS, ...more);
  const seen: string[] = [];
  const alice = venue.client(ALICE);
  const heard = async (answer: Promise<Response>) => seen.push(await (await answer).text());
  const ask = (path: string) => heard(alice.fetch("GET", path));
  const act = (path: string, body: object) => heard(alice.fetch("POST", path, JSON.stringify(body)));
  const socket = await SocketClient.connect(venue.url);
  await socket.must("server.sign", socket.signParams(ALICE, Date.now()));
  await socket.must("order.subscribe", { market_list: ["BTCUSDT"] });
  const order = async (side: string, type: string, amount: string, price?: string) => {
    await act("/v2/spot/order", {
      market: "BTCUSDT",
      market_type: "SPOT",
      side,
      type,
      amount,
      ...(price && { price }),
    });
    const push = await socket.take(({ method }) => method === "order.update");
    seen.push(JSON.stringify(push));
  };

  await ask("/v2/spot/depth?market=BTCUSDT&limit=20&interval=0");
  await ask("/v2/assets/spot/balance");
  await order("buy", "limit", "0.01", "50000");
  await order("buy", "market", "500");
  await act("/v2/account/subs", { sub_user_name: "fixed-sub" });
  await act("/v2/account/subs/api", { sub_user_name: "fixed-sub", ip_whitelist: ["127.0.0.1"], trade_enabled: true });
  for (let step = 0; step < 5; step++) {
    await venue.admin("/admin/clock", { advance_ms: 60_000 });
    await order("sell", "market", "0.005");
    await ask("/v2/spot/ticker?market=BTCUSDT,ETHUSDT");
    await ask("/v2/futures/funding-rate?market=BTCUSDT");
  }
  await ask("/v2/spot/kline?market=BTCUSDT&period=1min");
  await ask("/v2/spot/user-deals?market=BTCUSDT&market_type=SPOT");
  await ask("/v2/assets/deposit-address?ccy=USDT&chain=TRC20");
  const { state_hash } = await venue.admin("/admin/status");
  seen.push(state_hash);
  socket.webSocket.close();
  assert.equal(await venue.end("SIGTERM"), 0);
  return seen;
}

test("the same command line and the same steps make the same answers and the same state", async () => {
  const once = await played();
  assert.deepEqual(await played(), once);
  assert.match(once.join("\n"), /"secret_key":"[0-9A-F]{48}"/);
});

test("what a venue sees of its chains while it lives through hours does not depend on how quick the machine is", async () => {
  const ends: unknown[] = [];
  for (const run of ["once", "again"]) {
    const venue = await VenueProcess.start(IN_MEMORY, ...ARGUMENTS);
    // Each of these hours takes longer than chains wait from one look to the next.
    for (let hour = 0; hour < 2; hour++) await venue.admin("/admin/clock", { advance_ms: 3_600_000 });
    const { seq, state_hash } = await venue.admin("/admin/status");
    ends.push({ seq, state_hash });
    assert.equal(await venue.end("SIGTERM"), 0, run);
  }
  assert.deepEqual(ends[1], ends[0]);
});

test("the operator's token and the keys follow from the seed, and stay what they are when the venue comes back", async () => {
  const data = mkdtempSync(join(tmpdir(), "bourse-fixed-"));
  const made = new Set<string>();
  try {
    for (const start of ["new", "again"]) {
      const venue = await VenueProcess.start(data, ...ARGUMENTS, "--makers", "off");
      assert.equal(venue.authorization, `Bearer ${ROOT_TOKEN}`, start);
      assert.equal((await venue.client(ALICE).get("/v2/assets/spot/balance")).code, 0, start);
      const { access_id } = await venue.admin("/admin/api-keys", { user_id: 1 });
      made.add(access_id);
      assert.equal(await venue.end("SIGTERM"), 0);
    }
    assert.equal(made.size, 2, "a later start makes other keys than the one before");
    const other = await VenueProcess.start(IN_MEMORY, ...ARGUMENTS, "--makers", "off", "--seed", "2");
    assert.equal((await other.client(ALICE).get("/v2/assets/spot/balance")).code, 4005);
    await other.end("SIGTERM");
  } finally {
    rmSync(data, { recursive: true, force: true });
  }
});
