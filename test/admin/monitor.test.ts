/** The venue's figures over time, and the alerts that fire by them, as operators read them. */
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { Engine } from "../../src/engine/engine.ts";
import type { FigureSample } from "../../src/venue/metrics.ts";
import { ALERT_RULES } from "../../src/venue/monitor/alert-rules.ts";
import { Monitor } from "../../src/venue/monitor/monitor.ts";
import { repositoryRoot } from "../house/program.ts";
import { openAdminVenue, operatorToken } from "./venue.ts";

/** A Monday; steps of all spans begin here. */
const START = Date.parse("2026-06-01T00:00:00Z");
const STEP_MS = 10_000;

type Line = readonly [name: string, value: number, labels?: Record<string, string>];

/** Figures that the test sets, and a clock that it moves. */
class Stage {
  readonly told: string[] = [];
  readonly monitor: Monitor;
  nowMs = START;
  fails = false;
  #lines: readonly Line[] = [];

  constructor(folder?: string) {
    const note = (level: string) => (_: object, text: string) => void this.told.push(`${level} ${text}`);
    this.monitor = new Monitor({
      figures: { samples: (name) => this.#samples(name) },
      sources: { state: new Engine().state, feeds: { ticker: () => assert.fail("there is no market") }, now: () => 0 },
      folder,
      log: { info: note("info"), warn: note("warn"), error: note("error") } as never,
      machineNow: () => this.nowMs,
    });
  }

  look(...lines: Line[]): void {
    this.#lines = lines;
    this.monitor.look();
    this.nowMs += STEP_MS;
  }

  values(name: string, span: "hour" | "day" | "week" = "hour"): readonly (number | null)[] {
    return this.monitor.series(span).figures.find((figure) => figure.name === name)?.values ?? [];
  }

  *#samples(name: string): Generator<FigureSample> {
    if (this.fails) throw new Error("nothing can be read");
    for (const [of, value, labels = {}] of this.#lines) if (of === name) yield { suffix: "", labels, value };
  }
}

test("a counter is kept as its growth a second, in an hour of ten seconds, a day of minutes and a week of hours", () => {
  const stage = new Stage();
  for (let orders = 0; orders <= 600; orders += 20) stage.look(["bourse_orders_total", orders]);
  stage.nowMs -= STEP_MS;
  const hour = stage.values("orders");
  assert.equal(hour.length, 360);
  assert.deepEqual(hour.slice(-30), Array(30).fill(2));
  assert.equal(hour.at(-31), null, "of the first look nobody knows how much it grew");
  assert.deepEqual(stage.values("orders", "day").slice(-3), [null, 2, 2]);
  assert.deepEqual(stage.values("orders", "week").slice(-2), [null, 2]);
  stage.nowMs += STEP_MS;
  stage.look(["bourse_orders_total", 3]);
  stage.nowMs -= STEP_MS;
  assert.equal(stage.values("orders").at(-1), 0, "a counter that begins again has not grown");
});

test("steps in which nobody looked are empty, and what is older than the span is gone", () => {
  const stage = new Stage();
  stage.look(["bourse_open_orders", 7]);
  stage.nowMs += 5 * STEP_MS;
  stage.look(["bourse_open_orders", 9]);
  stage.nowMs -= STEP_MS;
  assert.deepEqual(stage.values("open_orders").slice(-8), [null, 7, null, null, null, null, null, 9]);
  stage.nowMs += 359 * STEP_MS;
  assert.equal(stage.values("open_orders")[0], 9);
  stage.nowMs += STEP_MS;
  assert.ok(stage.values("open_orders").every((value) => value === null));
});

test("latency is the bound under which 99 of 100 answers since the last look lie, over all routes", () => {
  const stage = new Stage();
  const buckets = (fast: number, slow: number): Line[] =>
    ["/v2/ping", "/v2/time"].flatMap((route): Line[] => [
      ["bourse_http_seconds_bucket", fast, { route, le: "0.001" }],
      ["bourse_http_seconds_bucket", fast + slow, { route, le: "0.5" }],
      ["bourse_http_seconds_bucket", fast + slow, { route, le: "+Inf" }],
    ]);
  stage.look(...buckets(1_000, 1_000));
  stage.look(...buckets(1_990, 1_010));
  stage.look(...buckets(2_090, 1_010));
  stage.look(...buckets(2_090, 1_010));
  stage.nowMs -= STEP_MS;
  assert.deepEqual(stage.values("answer_p99").slice(-4), [null, 1, 1, null]);
  stage.nowMs += STEP_MS;
  stage.look(...buckets(2_091, 1_110));
  stage.nowMs -= STEP_MS;
  assert.equal(stage.values("answer_p99").at(-1), 500);
});

test("refused requests are kept by code; answers without fault are none of them", () => {
  const stage = new Stage();
  const answers = (refused: number): Line[] => [
    ["bourse_http_answers_total", 1_000 + refused, { status: "200", code: "0" }],
    ["bourse_http_answers_total", refused, { status: "200", code: "3109" }],
  ];
  stage.look(...answers(0));
  stage.look(...answers(50));
  stage.nowMs -= STEP_MS;
  const { refusals } = stage.monitor.series("hour");
  assert.deepEqual(
    refusals.map(({ code, values }) => [code, values.at(-1)]),
    [["3109", 5]],
  );
});

test("an alert fires when it was so for long enough, ends a minute after it was so last, and is told to the log", () => {
  const stage = new Stage();
  const stale: Line = ["bourse_index_stale", 1, { market: "BTCUSDT", market_type: "SPOT" }];
  const firing = () => stage.monitor.alerts().filter(({ endedAt }) => endedAt === undefined);
  for (let at = 0; at < 3; at++) stage.look(stale);
  assert.deepEqual(firing(), [], "20 s are not 30");
  stage.look(stale);
  const [alert] = firing();
  assert.equal(alert?.name, "BourseIndexStale");
  assert.match(alert?.summary ?? "", /^The index of BTCUSDT \(spot\) is stale/);
  assert.match(stage.told[0] ?? "", /^error alert: The index of BTCUSDT/);
  for (let at = 0; at < 5; at++) stage.look();
  stage.look(stale);
  for (let at = 0; at < 5; at++) stage.look();
  assert.deepEqual(
    firing().map(({ alertId }) => alertId),
    [1],
    "what comes and goes is one alert",
  );
  stage.look();
  assert.deepEqual(firing(), []);
  assert.equal(stage.monitor.alerts().length, 1);
  assert.match(stage.told[1] ?? "", /^info the alert has ended/);
});

test("history that cannot be written, or only for a moment, is one alert after five minutes; so is the audit trail", () => {
  const stage = new Stage();
  const firing = () =>
    stage.monitor.alerts().flatMap(({ name, severity, endedAt }) => (endedAt === undefined ? [[name, severity]] : []));
  const history = (standing: string): Line[] =>
    ["writing", "away", "catching_up"].map((one) => [
      "bourse_history_standing",
      one === standing ? 1 : 0,
      { standing: one },
    ]);
  for (let at = 0; at < 30; at++) stage.look(...history(at % 3 === 0 ? "catching_up" : "away"));
  assert.deepEqual(firing(), []);
  stage.look(...history("away"));
  assert.deepEqual(firing(), [["BourseViewBehind", "ticket"]]);
  for (let at = 0; at < 7; at++) stage.look(...history("writing"));
  assert.deepEqual(firing(), []);
  for (let at = 0; at < 31; at++) stage.look(["bourse_audit_trail_behind", 1]);
  assert.deepEqual(firing(), [["BourseViewBehind", "ticket"]]);
});

test("a withdrawal that nobody pays within an hour is told with its chain", () => {
  const stage = new Stage();
  for (let at = 0; at <= 90; at++) {
    assert.deepEqual(stage.monitor.alerts(), []);
    stage.look(["bourse_withdrawal_unpaid_seconds", 3_601 + 10 * at, { chain: "ERC20" }]);
  }
  const [alert] = stage.monitor.alerts();
  assert.deepEqual(
    [alert?.name, alert?.severity, alert?.labels],
    ["BourseWithdrawalsUnpaid", "page", { chain: "ERC20" }],
  );
  assert.match(alert?.summary ?? "", /over ERC20 that may be paid has waited for 4501 s\./);
});

test("a figure that cannot be read stops no venue, and is told once", (t) => {
  const stage = new Stage();
  t.mock.timers.enable({ apis: ["setInterval"] });
  stage.fails = true;
  stage.monitor.start();
  t.mock.timers.tick(3 * STEP_MS);
  assert.deepEqual(stage.told, ["error the venue's figures could not be looked at"]);
});

test("curves and alerts outlive a restart, and a damaged file of them stops no start", async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "bourse-monitor-"));
  t.after(() => rmSync(folder, { recursive: true }));
  const first = new Stage(folder);
  for (let orders = 0; orders < 100; orders += 10) {
    first.look(["bourse_orders_total", orders], ["bourse_withdrawals_halted", 1]);
  }
  first.monitor.acknowledge(1, "ann", "I look.");
  await first.monitor.stop();
  const second = new Stage(folder);
  second.nowMs = first.nowMs;
  assert.deepEqual(second.values("orders"), first.values("orders"));
  assert.deepEqual(second.monitor.alerts(), first.monitor.alerts());
  second.look(["bourse_withdrawals_halted", 1]);
  assert.deepEqual(
    second.monitor.alerts().map(({ alertId, endedAt }) => [alertId, endedAt]),
    [[1, undefined]],
  );
  for (const damaged of ["", "{", "[]", '{"form":1}', '{"form":9}']) {
    writeFileSync(join(folder, "monitor.json"), damaged);
    const third = new Stage(folder);
    third.look();
    assert.ok(
      third.values("orders").every((value) => value === null),
      damaged,
    );
  }
});

async function openWatched(
  t: TestContext,
): Promise<{ stage: Stage; venue: Awaited<ReturnType<typeof openAdminVenue>> }> {
  const stage = new Stage();
  return { stage, venue: await openAdminVenue(t, { monitor: stage.monitor }) };
}

test("who acknowledges an alert stands at the alert and in the audit trail", async (t) => {
  const { stage, venue } = await openWatched(t);
  stage.look(["bourse_withdrawals_halted", 1]);
  const { data } = await venue.get("/admin/alerts?firing=true");
  assert.equal(data.alerts.length, 1);
  const [{ alert_id, severity, acknowledged_by }] = data.alerts;
  assert.deepEqual([severity, acknowledged_by], ["page", null]);
  const path = `/admin/alerts/${alert_id}/acknowledge`;
  const sue = { authorization: `Bearer ${await operatorToken(venue, "sue", "support")}` };
  const seen = await venue.send("POST", path, { note: "The chain is asked." }, sue);
  assert.deepEqual([seen.data.acknowledged_by, seen.data.note], ["sue", "The chain is asked."]);
  const trail = await venue.get("/admin/audit-trail?actor=sue");
  assert.match(JSON.stringify(trail.data), /alert 1 \(BourseWithdrawalsHalted\) is acknowledged: The chain is asked\./);
  const vic = { authorization: `Bearer ${await operatorToken(venue, "vic", "viewer")}` };
  assert.notEqual((await venue.send("POST", path, { note: "Me." }, vic)).code, 0);
  const unknown = await venue.post("/admin/alerts/99/acknowledge", { note: "What?" });
  assert.match(unknown.message, /there is no alert 99/);
});

test("figures over time are asked for by span", async (t) => {
  const { stage, venue } = await openWatched(t);
  stage.look(["bourse_sockets", 3]);
  stage.nowMs -= STEP_MS;
  const { data } = await venue.get("/admin/series");
  assert.deepEqual([data.span, data.step_ms, data.ended_at], ["hour", STEP_MS, START + STEP_MS]);
  const sockets = data.series.find(({ name }: { name: string }) => name === "sockets");
  assert.deepEqual([sockets.unit, sockets.values.at(-1)], ["number", 3]);
  assert.equal((await venue.get("/admin/series?span=week")).data.step_ms, 3_600_000);
  assert.notEqual((await venue.get("/admin/series?span=year")).code, 0);
});

/** Rules that one process cannot tell from its own figures, with the reason. */
const ONLY_PROMETHEUS: Readonly<Record<string, string>> = {
  BourseDown: "A venue that is down tells nothing.",
  BourseIndexSilent: "It becomes BourseIndexStale within the minute.",
  BourseInsuranceFundShrinks: "It compares with an hour ago.",
  BourseMarginIndexStale: "It is BourseIndexStale, joined with loans.",
  BourseSnapshotOld: "It looks at the rate of a day.",
  BourseRestarted: "It counts starts.",
  BourseNoLeader: "It looks at all nodes.",
  BourseSocketsCut: "It is a rate over minutes.",
};

test("the venue's own alerts are those of the rules for Prometheus, as severe", () => {
  const rules = readFileSync(join(repositoryRoot, "deploy", "prometheus", "alerts.yml"), "utf8");
  const known = Array.from(
    rules.matchAll(/- alert: (\w+)[\s\S]*?severity: (\w+)/g),
    ([, name = "", severity = ""]) => [name, severity] as const,
  );
  assert.ok(known.length > 20);
  const own = ALERT_RULES.map(({ name, severity }) => [name, severity] as const);
  const wanted = known.filter(([name]) => !Object.hasOwn(ONLY_PROMETHEUS, name));
  assert.deepEqual([...own].sort(), [...wanted].sort());
  for (const name of Object.keys(ONLY_PROMETHEUS))
    assert.ok(
      known.some(([one]) => one === name),
      name,
    );
});
