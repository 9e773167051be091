/** The scenarios for living venues: a bot that behaves lives through each, and one that does not is found out. */
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { isAsWanted } from "../../src/lab/scenario/living/figures.ts";
import { junitOf } from "../../src/lab/scenario/living/junit.ts";
import { parseLivingScenario } from "../../src/lab/scenario/living/living-scenario.ts";
import { type PlayedLive, playLive } from "../../src/lab/scenario/living/play.ts";
import { readRecorded } from "../../src/lab/scenario/living/recorded.ts";
import { ScenarioFault } from "../../src/lab/scenario/scenario.ts";
import { IN_MEMORY } from "../../src/venue/settings.ts";
import { bourse } from "../admin/command-line.ts";
import type { ApiClient } from "../support/api-client.ts";
import { VenueProcess } from "../support/venue-process.ts";

const ALICE = {
  accessId: "76C101C1D5579A41CA9066B9CCB187B5",
  secret: "799400991C9FCC1EAB583202E52473F16226EB2883EF46DB",
};
const OPTIONS = ["--start-time", "2026-01-01T00:00:00Z", "--frozen", "--clock", "virtual", "--accounts", "fixed"];
const PACE_MS = 40;
const LOOK_MS = 10;
const ADDRESS = `sim${"a".repeat(40)}`;

const dir = mkdtempSync(join(tmpdir(), "bourse-living-"));
const venue = await VenueProcess.start(IN_MEMORY, ...OPTIONS, "--makers", "off", "--limits", "off");
after(async () => {
  await venue.end("SIGTERM");
  rmSync(dir, { recursive: true, force: true });
});

const operator = {
  async call(method: string, path: string, body?: object): Promise<Record<string, unknown>> {
    const response = await fetch(venue.adminUrl + path, {
      method,
      headers: { authorization: venue.authorization, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const { code, message, data } = (await response.json()) as Awaited<ReturnType<ApiClient["get"]>>;
    assert.equal(code, 0, `${method} ${path}: ${message}`);
    return data;
  },
  text: () => venue.metrics(),
};

function fileOf(name: string): string {
  return fileURLToPath(new URL(`../../scenarios/${name}.json`, import.meta.url));
}

/** One look of a bot at its world, and what it does about it; `memory` is its own. */
type Bot = (alice: ApiClient, memory: Map<string, unknown>) => Promise<void>;

/** Plays a scenario from the first start on, with a bot that looks around as long as it goes. */
async function played(name: string, bot: Bot, key = ALICE): Promise<PlayedLive> {
  const stop = new AbortController();
  const memory = new Map<string, unknown>();
  const alice = venue.client(key);
  const living = (async () => {
    while (!stop.signal.aborted) {
      await bot(alice, memory);
      await pause(LOOK_MS);
    }
  })();
  try {
    const file = fileOf(name);
    return await playLive(parseLivingScenario(readFileSync(file, "utf8")), { operator, file, paceMs: PACE_MS });
  } finally {
    stop.abort();
    await living;
  }
}

const SPOT = { market_type: "SPOT" };
const CONTRACT = { market: "BTCUSDT", market_type: "FUTURES" };

/** Opens a long once there is a book, at this leverage. */
function longAt(leverage: number, margin_mode: string): Bot {
  return async (alice, memory) => {
    if (memory.has("long")) return;
    const { depth } = await alice.read("/v2/futures/depth", { market: "BTCUSDT", limit: 5, interval: "0" });
    if (depth.asks.length === 0) return;
    await alice.act("/v2/futures/adjust-position-leverage", { ...CONTRACT, leverage, margin_mode });
    await alice.act("/v2/futures/order", { ...CONTRACT, side: "buy", type: "market", amount: "0.05" });
    memory.set("long", true);
  };
}

/** Keeps one bid in the book of a market; `isOpen` says whether to knock at all. */
function bidIn(
  of: { market: string; market_type: string },
  price: string,
  isOpen: (alice: ApiClient) => Promise<boolean>,
): Bot {
  const area = of.market_type === "SPOT" ? "spot" : "futures";
  const amount = of.market === "ETHUSDT" ? "1" : "0.01";
  return async (alice, memory) => {
    if (!(await isOpen(alice))) return;
    const id = memory.get("order");
    // A nervous bot takes its order back and places it anew all the time.
    if (id !== undefined && memory.get("nervous") !== true) return;
    if (id !== undefined) await alice.post(`/v2/${area}/cancel-order`, { ...of, order_id: id });
    const { code, data } = await alice.post(`/v2/${area}/order`, { ...of, side: "buy", type: "limit", amount, price });
    if (code === 0) memory.set("order", data.order_id);
  };
}

function nervous(bot: Bot): Bot {
  return async (alice, memory) => {
    memory.set("nervous", true);
    await bot(alice, memory);
  };
}

const always = async () => true;
const openMarket = async (alice: ApiClient) => {
  const [market] = await alice.read("/v2/futures/market", { market: "BTCUSDT" });
  return market.is_api_trading_available;
};

/** Not from a minute before a maintenance to the end of its protection. */
const noMaintenance = async (alice: ApiClient) => {
  const { timestamp } = await alice.read("/v2/time");
  const windows = await alice.read("/v2/maintain/info");
  return (windows as { started_at: number; ended_at: number; protect_duration_end: number }[]).every(
    (one) => timestamp < one.started_at - 120_000 || timestamp > Math.max(one.ended_at, one.protect_duration_end),
  );
};

/** Sells what there is and takes back orders as soon as a market is to leave. */
const leavesInTime: Bot = async (alice, memory) => {
  const [market] = await alice.read("/v2/spot/market", { market: "ETHUSDT" });
  if (market === undefined || memory.get("left") === true) return;
  if (market.delisted_at === 0) {
    await bidIn({ market: "ETHUSDT", ...SPOT }, "2000", always)(alice, memory);
    return;
  }
  memory.set("left", true);
  await alice.act("/v2/spot/cancel-all-order", { market: "ETHUSDT", ...SPOT });
  await alice.act("/v2/spot/order", { market: "ETHUSDT", ...SPOT, side: "sell", type: "market", amount: "200" });
};

/** Leaves a long whose funding is high. */
const watchesFunding: Bot = async (alice, memory) => {
  if (!memory.has("long")) {
    await longAt(5, "cross")(alice, memory);
    return;
  }
  const [rate] = await alice.read("/v2/futures/funding-rate", { market: "BTCUSDT" });
  if (memory.get("closed") === true || Number(rate.next_funding_rate) < 0.0005) return;
  memory.set("closed", true);
  await alice.act("/v2/futures/close-position", { ...CONTRACT, type: "market" });
};

/** Withdraws a little, time after time. */
function withdraws(looksFirst: boolean): Bot {
  return async (alice, memory) => {
    if (looksFirst) {
      const { chains } = await alice.read("/v2/assets/deposit-withdraw-config", { ccy: "USDT" });
      const { withdraw_enabled } = chains.find(({ chain }: { chain: string }) => chain === "TRC20");
      if (!withdraw_enabled) return;
    }
    const times = Number(memory.get("times") ?? 0);
    // The second one is due when the first is done.
    const looks = Number(memory.get("looks") ?? 0);
    if (times === 1 && looks < 20) memory.set("looks", looks + 1);
    else if (times < 2) {
      const body = { ccy: "USDT", chain: "TRC20", to_address: ADDRESS, amount: "10", withdraw_method: "on_chain" };
      const { code } = await alice.post("/v2/assets/withdraw", body);
      if (code === 0) memory.set("times", times + 1);
    }
  };
}

const BOTS: Readonly<Record<string, { readonly good: Bot; readonly bad: Bot; readonly found: RegExp }>> = {
  "flash-crash": {
    good: longAt(5, "cross"),
    bad: longAt(50, "isolated"),
    found: /liquidated = 0 was expected, but it is 1/,
  },
  outage: {
    good: bidIn(CONTRACT, "57000", openMarket),
    bad: nervous(bidIn(CONTRACT, "57000", always)),
    found: /refused <= 5 was expected/,
  },
  "funding-squeeze": {
    good: watchesFunding,
    bad: longAt(5, "cross"),
    found: /until position BTCUSDT = none was expected/,
  },
  delisting: {
    good: leavesInTime,
    bad: bidIn({ market: "ETHUSDT", ...SPOT }, "2000", always),
    found: /until balance ETH = 0 was expected, but it was not so within 1500 s, and is 200/,
  },
  maintenance: {
    good: bidIn({ market: "BTCUSDT", ...SPOT }, "59000", noMaintenance),
    bad: nervous(bidIn({ market: "BTCUSDT", ...SPOT }, "59000", always)),
    found: /refused <= 3 was expected/,
  },
};

for (const [name, { good, bad, found }] of Object.entries(BOTS)) {
  test(`${name}: who behaves lives through it, who does not is found out`, async () => {
    const well = await played(name, good);
    assert.deepEqual(
      well.checks.filter(({ ok }) => !ok).map(({ sentence }) => sentence),
      [],
    );
    assert.equal(well.checks.length > 2, true);
    await venue.admin("/admin/reset", {});
    const badly = await played(name, bad);
    const missed = badly.checks.filter(({ ok }) => !ok).map(({ sentence }) => sentence);
    assert.match(missed.join("\n"), found);
    await venue.admin("/admin/reset", {});
  });
}

test("withdrawal-freeze: who looks before withdrawing goes on when it is open, who only tries is found out", async () => {
  for (const looksFirst of [true, false]) {
    await venue.admin("/admin/withdraw-addresses", { user_id: "alice", chain: "TRC20", address: ADDRESS });
    const made = await venue.admin("/admin/api-keys", { user_id: "alice", permissions: ["trade", "withdraw"] });
    const key = { accessId: made.access_id, secret: made.secret_key };
    const { checks } = await played("withdrawal-freeze", withdraws(looksFirst), key);
    const missed = checks.filter(({ ok }) => !ok).map(({ sentence }) => sentence);
    if (looksFirst) assert.deepEqual(missed, []);
    else assert.match(missed.join("\n"), /refused <= 3 was expected/);
    await venue.admin("/admin/reset", {});
  }
});

test("the command line plays on a living venue, writes JUnit, and ends with 0, 1 or 2", async () => {
  const recorded = join(dir, "recorded.csv");
  writeFileSync(
    recorded,
    "time,price\n2020-03-12T10:00:00Z,60000\n2020-03-12T10:00:10Z,58000\n2020-03-12T10:00:20Z,59000\n",
  );
  const steps = (wanted: string) => [
    { recorded: { BTCUSDT: "recorded.csv" }, tick: "5s" },
    { orders: ["crowd buy 0.1 BTCUSDT"] },
    { expect: { "orders BTCUSDT": "0", "balance BTC": wanted } },
  ];
  const scenario = (wanted: string) => ({
    title: "Recorded <prices>",
    bot: "alice",
    crowd: { crowd: { spot: { BTC: "10", USDT: "1000000" } } },
    quotes: { BTCUSDT: { by: "crowd", levels: 2, gap: "0.001", amount: "1" } },
    steps: steps(wanted),
  });
  const file = join(dir, "recorded.json");
  const junit = join(dir, "junit.xml");
  const token = venue.authorization.replace("Bearer ", "");
  const run = (...more: string[]) =>
    bourse("scenario", "run", file, "--on", venue.adminUrl, "--token", token, "--pace", "0", "--junit", junit, ...more);
  writeFileSync(file, JSON.stringify(scenario("10")));
  const well = await run("--json");
  assert.equal(well.code, 0, well.stderr);
  const { ok, checks, duration_ms } = JSON.parse(well.stdout);
  assert.deepEqual([ok, checks.length, duration_ms], [true, 2, 20_000]);
  assert.match(readFileSync(junit, "utf8"), /<testsuite name="Recorded &lt;prices&gt;" tests="2" failures="0"/);
  await venue.admin("/admin/reset", {});
  writeFileSync(file, JSON.stringify(scenario("> 10")));
  const badly = await run();
  assert.equal(badly.code, 1);
  assert.match(badly.stderr, /Step 3: balance BTC > 10 was expected, but it is 10\./);
  assert.match(
    badly.stderr,
    /^Step 1 of 3: .*\nStep 2 of 3: .*\nStep 3 of 3: Expected is orders BTCUSDT = 0, balance BTC > 10\.\n/,
  );
  assert.match(
    readFileSync(junit, "utf8"),
    /failures="1".*\n.*\n.*\n.*\n {6}<failure message="Step 3: balance BTC &gt; 10/,
  );
  const nowhere = await bourse("scenario", "run", file);
  assert.equal(nowhere.code, 2);
  assert.match(nowhere.stderr, /name the venue's operators' interface with --on URL/);
  await venue.admin("/admin/reset", {});
});

test("figures are compared as numbers where they are numbers", () => {
  for (const [found, wanted, is] of [
    ["0.50", "0.5", true],
    ["long 0.5", "long 0.5", true],
    ["none", "!= none", false],
    ["long 1", "!= none", true],
    ["10.000000000000000001", "> 10", true],
    ["-1", ">= 0", false],
    ["none", ">= 0", false],
  ] as const)
    assert.equal(isAsWanted(found, wanted), is, `${found} ${wanted}`);
});

test("a file that is no scenario for a living venue is told what is wrong with it", () => {
  const faults: readonly (readonly [object, RegExp])[] = [
    [{}, /title is missing/],
    [
      { title: "x", bot: "alice", steps: [{ until: { orders: "0" }, within: "soon" }] },
      /Step 1: within is a time as 90s/,
    ],
    [{ title: "x", bot: "alice", steps: [{ wait: "1m", note: "both" }] }, /Step 1 says note and wait/],
    [{ title: "x", bot: "alice", steps: [{ wait: "1m", within: "1m" }] }, /says within, but not what is waited for/],
    [
      { title: "x", bot: "alice", steps: [{ operator: [{ call: "GET /v2/time" }] }] },
      /call is a call of the operators'/,
    ],
  ];
  for (const [file, sentence] of faults)
    assert.throws(
      () => parseLivingScenario(JSON.stringify(file)),
      (error) => {
        assert.ok(error instanceof ScenarioFault);
        assert.match(error.message, sentence);
        return true;
      },
    );
  const odd = join(dir, "odd.csv");
  writeFileSync(odd, "time,close\n1000,5\n900,6\n");
  assert.throws(() => readRecorded(odd), /row 3: a row has a time after the one before/);
  const text = junitOf("a & b", { checks: [], notes: [], durationMs: 0 });
  assert.match(text, /name="a &amp; b" tests="0"/);
});
