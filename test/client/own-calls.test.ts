/** The TypeScript client's calls against a venue, also where connections break, quotas end and clocks jump. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { CLIENT_CODES, Client, placeOnce } from "../../client/index.ts";
import { type Passing, Relay, type RelayListener, refusal, type Verdict } from "../../src/lab/conform/relay.ts";
import { VenueProcess } from "../support/venue-process.ts";

const ORDER = {
  market: "BTCUSDT",
  market_type: "SPOT",
  side: "buy",
  type: "limit",
  amount: "0.001",
  price: "20000",
} as const;

let venue: VenueProcess;
let relay: Relay;
let key: { accessId: string; secretKey: string };
/** What the next requests meet, in their order; what is not in here passes. */
let verdicts: { fits: (passing: Passing) => boolean; verdict: Verdict }[] = [];
let seen: Passing[] = [];

before(async () => {
  venue = await VenueProcess.start(":memory:", "--makers", "off", "--clock", "virtual");
  const { key: made } = await venue.trader("trader", { USDT: "1000000", BTC: "10" });
  key = { accessId: made.accessId, secretKey: made.secret };
  const listener: RelayListener = {
    onRequest(passing) {
      seen.push(passing);
      const at = verdicts.findIndex(({ fits }) => fits(passing));
      return at < 0 ? "pass" : (verdicts.splice(at, 1)[0] as { verdict: Verdict }).verdict;
    },
    onAnswer: (_passing, answer) => answer,
    onSocket: () => {},
  };
  relay = await Relay.open(venue.url, listener);
});

after(async () => {
  await relay?.close();
  await venue?.end("SIGKILL");
});

/** A client behind the relay, which from now on does to orders what is said. */
function client(options: object = {}): Client {
  verdicts = [];
  seen = [];
  return new Client({ url: relay.url, key, ...options });
}

function meet(path: string, ...what: readonly Verdict[]): void {
  verdicts.push(...what.map((verdict) => ({ fits: (passing: Passing) => passing.path === path, verdict })));
}

function sent(path: string): number {
  return seen.filter((passing) => passing.path === path).length;
}

async function resting(own: Client): Promise<number> {
  const pending = await own.get("/spot/pending-order", { market: "BTCUSDT", market_type: "SPOT", limit: 100 });
  assert.ok(pending.ok, JSON.stringify(pending));
  return pending.data.length;
}

test("public and signed calls give records, pages, batches and refusals as values", async () => {
  const own = client();
  const markets = await own.get("/spot/market", { market: ["BTCUSDT", "ETHUSDT"] });
  assert.ok(markets.ok && markets.data.length === 2);
  const [amount, price] = ["0.30000000", "20000.10"];
  const placed = await own.post("/spot/order", { ...ORDER, amount, price });
  assert.ok(placed.ok, JSON.stringify(placed));
  assert.equal(typeof placed.data.amount, "string");
  const page = await own.get("/spot/pending-order", { market_type: "SPOT", limit: 1 });
  assert.ok(page.ok && page.hasNext === false && page.total === 1);
  const batch = await own.post("/spot/batch-order", { orders: [ORDER, { ...ORDER, amount: "0" }] });
  assert.ok(batch.ok);
  assert.deepEqual(
    batch.data.map((row) => row.ok),
    [true, false],
  );
  const gone = await own.post("/spot/cancel-order", { market: "BTCUSDT", market_type: "SPOT", order_id: 1_000_000 });
  assert.ok(!gone.ok && gone.code === 3600 && gone.outcome === "not_done" && gone.message !== "");
  const all = await own.post("/spot/cancel-all-order", { market: "BTCUSDT", market_type: "SPOT" });
  assert.ok(all.ok);
});

test("without a key nothing signed is sent, and a number with a fraction never is", async () => {
  const nobody = new Client({ url: relay.url });
  seen = [];
  const balance = await nobody.get("/assets/spot/balance");
  assert.ok(!balance.ok && balance.code === CLIENT_CODES.noKey);
  const order = { ...ORDER, amount: 0.1 + 0.2 } as unknown as typeof ORDER;
  const refused = await client().post("/spot/order", order);
  assert.ok(!refused.ok && refused.code === CLIENT_CODES.fraction && /amount/.test(refused.message));
  assert.equal(seen.length, 0);
});

test("a query whose answer was lost is asked again; an order is not, and says that its fate is unknown", async () => {
  const own = client();
  meet("/assets/spot/balance", "cut_before", "cut_after", refusal(3008, "service busy"), refusal(4001, "unavailable"));
  const tooOften = await own.get("/assets/spot/balance");
  assert.ok(!tooOften.ok && tooOften.code === 4001);
  assert.equal(sent("/assets/spot/balance"), 4);
  assert.ok((await own.get("/assets/spot/balance")).ok);
  for (const cut of ["cut_before", "cut_after"] as const) {
    const before = await resting(own);
    seen = [];
    meet("/spot/order", cut);
    const lost = await own.post("/spot/order", ORDER);
    assert.ok(!lost.ok && lost.code === CLIENT_CODES.noAnswer && lost.outcome === "unknown");
    assert.equal(sent("/spot/order"), 1);
    assert.equal((await resting(own)) - before, cut === "cut_after" ? 1 : 0);
  }
});

test("an order placed once is there once, whether its connection broke before it took effect or after", async () => {
  const own = client();
  for (const cuts of [["cut_after"], ["cut_before"], ["cut_before", "cut_after"]] as const) {
    const before = await resting(own);
    meet("/spot/order", ...cuts);
    const placed = await placeOnce(own, "/spot/order", ORDER, { windowMs: 1_500 });
    assert.ok(placed.ok, JSON.stringify(placed));
    assert.equal(placed.data.amount, "0.001");
    assert.equal((await resting(own)) - before, 1, cuts.join());
  }
});

test("an order that was filled while its answer was lost is found among the finished ones", async () => {
  const own = client();
  assert.ok((await own.post("/spot/cancel-all-order", { market: "BTCUSDT", market_type: "SPOT" })).ok);
  const other = await venue.trader("other", { BTC: "1" });
  const seller = new Client({ url: venue.url, key: { accessId: other.key.accessId, secretKey: other.key.secret } });
  assert.ok((await seller.post("/spot/order", { ...ORDER, side: "sell", price: "60000" })).ok);
  meet("/spot/order", "cut_after");
  const placed = await placeOnce(own, "/spot/order", { ...ORDER, price: "60000" });
  assert.ok(placed.ok, JSON.stringify(placed));
  assert.equal(placed.data.unfilled_amount, "0");
  assert.equal(sent("/spot/order"), 1);
});

test("quota is waited for: a burst beyond it meets no refusal, and one that comes all the same is waited out", async () => {
  const own = client();
  const asked = Array.from({ length: 25 }, () => own.get("/assets/futures/balance"));
  const startMs = performance.now();
  for (const answer of await Promise.all(asked)) assert.ok(answer.ok, JSON.stringify(answer));
  assert.ok(performance.now() - startMs > 1_000, "25 requests at 10 per second");
  assert.equal(sent("/assets/futures/balance"), 25);
  meet("/spot/order", refusal(4213, "too many requests"), refusal(4213, "too many requests"));
  seen = [];
  assert.ok((await own.post("/spot/order", ORDER)).ok);
  assert.equal(sent("/spot/order"), 3);
  const [first, second, third] = seen.map(({ atMs }) => atMs) as [number, number, number];
  assert.ok(second - first > 30 && third - second > 30, "a refused request costs the time of one");
  const hasty = new Client({ url: relay.url, key, quotaWaitMs: 20 });
  meet("/spot/order", refusal(4213, "too many requests"));
  const refused = await hasty.post("/spot/order", ORDER);
  assert.ok(!refused.ok && refused.code === CLIENT_CODES.quota && refused.outcome === "not_done");
});

test("a refused time is taken over from the venue once, and the call goes again", async () => {
  const own = client();
  own.clock.shift(-3_600_000);
  const placed = await own.post("/spot/order", ORDER);
  assert.ok(placed.ok, JSON.stringify(placed));
  assert.deepEqual([sent("/spot/order"), sent("/time")], [2, 1]);
  assert.ok(Math.abs(own.clock.aheadMs) < 2_000);
  // The venue jumps: times right by its clock or the machine's are taken, so nobody notices; after the next reading it
  // is followed.
  await venue.admin("/admin/clock", { advance_ms: 86_400_000 });
  assert.ok((await own.get("/assets/spot/balance")).ok);
  assert.ok(await own.syncClock());
  assert.ok(own.clock.aheadMs > 86_000_000);
  assert.ok((await own.get("/assets/spot/balance")).ok);
  meet("/assets/spot/balance", refusal(4017, "too old"), refusal(4017, "too old"));
  const again = await own.get("/assets/spot/balance");
  assert.ok(!again.ok && again.code === 4017, "a second refusal is the caller's");
});

test("a closed client gives up what is under way and takes nothing more", async () => {
  const own = client();
  own.close();
  const answer = await own.get("/ping");
  assert.ok(!answer.ok && answer.code === CLIENT_CODES.closed);
});
