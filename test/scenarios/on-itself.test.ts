/**
 * A venue plays scenarios on itself: in the name of who asks, beside a living market, and without a trace in the books
 * afterwards.
 */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { builtinScenarios } from "../../src/lab/scenario/living/builtins.ts";
import { parseLivingScenario } from "../../src/lab/scenario/living/living-scenario.ts";
import { longestMs, marketsOf, stepText } from "../../src/lab/scenario/living/words.ts";
import { IN_MEMORY } from "../../src/venue/settings.ts";
import { bourse } from "../admin/command-line.ts";
import { openAdminVenue } from "../admin/venue.ts";
import { VenueProcess } from "../support/venue-process.ts";

const ALICE = {
  accessId: "76C101C1D5579A41CA9066B9CCB187B5",
  secret: "799400991C9FCC1EAB583202E52473F16226EB2883EF46DB",
};
const CONTRACT = { market: "BTCUSDT", market_type: "FUTURES" };
const LOOK_MS = 10;

const venue = await VenueProcess.start(IN_MEMORY, "--clock", "virtual", "--frozen", "--limits", "off");
after(() => venue.end("SIGTERM"));

/** The run when it has ended. */
async function ended(runId: number) {
  for (;;) {
    const run = await venue.admin(`/admin/scenario-runs/${runId}`);
    if (run.status !== "playing") return run;
    await pause(LOOK_MS);
  }
}

async function makersOrders(): Promise<{ user_id: number; market: string }[]> {
  const { users } = await venue.admin("/admin/users?name=maker");
  const ids = new Set((users as { user_id: number }[]).map(({ user_id }) => user_id));
  const { orders } = await venue.admin("/admin/orders?market=BTCUSDT&limit=1000");
  return (orders as { user_id: number; market: string }[]).filter(({ user_id }) => ids.has(user_id));
}

test("a bot that behaves lives through a crash on a venue whose market moves, and the market goes on afterwards", async () => {
  assert.ok((await makersOrders()).length > 10);
  const token = await venue.operator("ada", "admin");
  const start = await fetch(`${venue.adminUrl}/admin/scenario-runs`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify({ scenario: "flash-crash", pace_ms: 40 }),
  });
  const { data: run } = (await start.json()) as { data: Record<string, number & string> };
  assert.deepEqual([run["status"], run["actor"], run["bot"]], ["playing", "ada", "alice"]);
  await assert.rejects(
    venue.admin("/admin/scenario-runs", { scenario: "outage" }),
    /flash-crash plays already, as run 1/,
  );

  const alice = venue.client(ALICE);
  let hadMakers = true;
  for (let isIn = false; !isIn; ) {
    hadMakers &&= (await makersOrders()).length > 0;
    const { depth } = await alice.read("/v2/futures/depth", { market: "BTCUSDT", limit: 5, interval: "0" });
    if (depth.asks.length > 0 && !hadMakers) {
      await alice.act("/v2/futures/adjust-position-leverage", { ...CONTRACT, leverage: 5, margin_mode: "cross" });
      await alice.act("/v2/futures/order", { ...CONTRACT, side: "buy", type: "market", amount: "0.05" });
      isIn = true;
    }
  }
  const done = await ended(Number(run["run_id"]));
  assert.equal(done.sentence, "All that was expected came true.");
  assert.equal(done.status, "passed");
  assert.deepEqual(
    (done.steps as { standing: string }[]).map(({ standing }) => standing),
    Array.from(done.steps, () => "done"),
  );
  assert.equal(done.checks.length, done.came_true);

  const { audit_trail } = await venue.admin("/admin/audit-trail?actor=ada&limit=1000");
  const actions = (audit_trail as { action: string; details: { text: string }; outcome: string }[]).reverse();
  assert.deepEqual(
    actions.filter(({ action }) => action === "note").map(({ details }) => details.text),
    ["scenario flash-crash begins as run 1, with the bot alice", "scenario flash-crash, run 1, has ended: passed"],
  );
  assert.ok(actions.some(({ action }) => action === "deposit"));
  // Those of alice and bob: what the scenario made for itself is gone.
  assert.equal((await venue.admin("/admin/api-keys")).api_keys.length, 2);
  await venue.admin("/admin/clock", { advance_ms: 3_000 });
  assert.ok((await makersOrders()).length > 10);
  assert.equal((await venue.admin("/admin/audit")).ok, true);
});

test("what a bot was waited for and did not do is missed, and the steps after it were not reached", async () => {
  const { run_id } = await venue.admin("/admin/scenario-runs", { scenario: "maintenance", pace_ms: 0 });
  const { status, sentence, steps } = await ended(run_id);
  assert.equal(status, "missed");
  assert.match(sentence, /Step 2: until orders BTCUSDT >= 1 was expected, but it was not so within 600 s, and is 0\./);
  const standings = (steps as { standing: string }[]).map(({ standing }) => standing);
  assert.deepEqual(standings.slice(0, 3), ["done", "missed", "not reached"]);
});

test("it is stopped by hand, and by a venue that goes back", async () => {
  const run = await venue.admin("/admin/scenario-runs", { scenario: "maintenance", pace_ms: 60_000 });
  const stop = await fetch(`${venue.adminUrl}/admin/scenario-runs/${run.run_id}`, {
    method: "DELETE",
    headers: { authorization: venue.authorization },
  });
  assert.equal(((await stop.json()) as { code: number }).code, 0);
  assert.equal((await ended(run.run_id)).status, "stopped");

  const other = await venue.admin("/admin/scenario-runs", { scenario: "maintenance", pace_ms: 60_000 });
  await venue.admin("/admin/reset", {});
  assert.equal((await ended(other.run_id)).status, "stopped");
  assert.equal((await venue.admin("/admin/api-keys")).api_keys.length, 2);
});

test("names that nobody knows and bots that are not there are answered in sentences", async () => {
  await assert.rejects(venue.admin("/admin/scenario-runs", { scenario: "../package" }), /there is no scenario/);
  const { run_id } = await venue.admin("/admin/scenario-runs", { scenario: "outage", bot: "nobody" });
  const { status, sentence } = await ended(run_id);
  assert.deepEqual([status, sentence], ["failed", "There is no user nobody, whose account is to be looked at."]);
});

test("in production nothing is played, and a sentence says so", async (t) => {
  const production = await openAdminVenue(t);
  const { code, message } = await production.post("/admin/scenario-runs", { scenario: "outage" });
  assert.equal(code, 3639);
  assert.match(message, /scenarios are played in the dev profile only/);
});

test("every file for living venues is among the builtins; one that nobody understands is there with what is wrong", () => {
  const names = builtinScenarios().map(({ name }) => name);
  assert.ok(names.includes("flash-crash") && !names.includes("crash"), names.join());
  for (const { scenario } of builtinScenarios()) assert.equal(typeof scenario, "object");
  const folder = `${mkdtempSync(join(tmpdir(), "bourse-builtins-"))}/`;
  writeFileSync(`${folder}odd.json`, '{"bot": "alice", "title": "Odd", "steps": [{"sing": "loudly"}]}');
  const [odd] = builtinScenarios(folder);
  rmSync(folder, { recursive: true });
  assert.match(String(odd?.scenario), /Step 1 has a field sing/);
});

test("a scenario is told in sentences, with the markets that it moves and the time that it takes", () => {
  const steps = [
    { index: { "BTCUSDT futures": "60000" }, wait: "90s" },
    { premium: { "BTCUSDT futures": "-0.015" } },
    { silence: ["ETHUSDT"] },
    { silence: [] },
    { until: { orders: ">= 1", liquidated: "0" }, within: "1h" },
    { orders: ["crowd buy 1 BTCUSDT"] },
    { expect: { refused: "<= 3" } },
    { operator: [{ call: "POST /admin/maintenance", body: {} }] },
  ];
  const scenario = parseLivingScenario(JSON.stringify({ title: "T", bot: "alice", steps }));
  assert.deepEqual(scenario.steps.map(stepText), [
    "1 min 30 s pass, in which the index of BTCUSDT futures goes to 60000.",
    "The book of BTCUSDT futures stands 1.5 % below the index.",
    "No source speaks of ETHUSDT.",
    "All sources of indexes speak again.",
    "At most 1 h pass until orders >= 1, liquidated = 0.",
    "The background traders order: crowd buy 1 BTCUSDT.",
    "Expected is refused <= 3.",
    "The operator does POST /admin/maintenance.",
  ]);
  assert.deepEqual(marketsOf(scenario), ["BTCUSDT", "ETHUSDT"]);
  assert.equal(longestMs(scenario), 3_690_000);
});

test("from outside, what the venue's makers would work against is refused at once, and leaves nothing behind", async () => {
  const before = await venue.admin("/admin/status");
  assert.equal(before.makers, true);
  const token = venue.authorization.replace("Bearer ", "");
  const run = (file: string) => bourse("scenario", "run", file, "--on", venue.adminUrl, "--token", token);
  const refused = await run("scenarios/flash-crash.json");
  assert.equal(refused.code, 2);
  assert.match(refused.stderr, /The makers of this venue move BTCUSDT themselves.* --makers off; .*scenario start/);
  const folder = mkdtempSync(join(tmpdir(), "bourse-no-market-"));
  const file = join(folder, "none.json");
  const steps = [{ silence: ["NONEUSDT"] }];
  writeFileSync(file, JSON.stringify({ title: "None", bot: "alice", steps }));
  const { stderr } = await run(file);
  assert.match(stderr, /This venue has no market NONEUSDT/);
  rmSync(folder, { recursive: true });
  assert.equal((await venue.admin("/admin/status")).state_hash, before.state_hash);
});
