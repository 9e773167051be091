import assert from "node:assert/strict";
import { test } from "node:test";
import { KIND } from "../engine/command.ts";
import { Engine } from "../engine/engine.ts";
import { refusalNumber } from "../engine/refusal.ts";
import { MetricsRegistry } from "./metrics.ts";
import { VenueMetrics } from "./venue-metrics.ts";

test("figures are printed with help, type and labels, and label values cannot break a line", () => {
  const registry = new MetricsRegistry();
  const counter = registry.counter("a_total", "Counts.");
  registry.read("gauge", "b", "Reads.", () => [[{ name: 'say "x"\\\n' }, 2]]);
  counter.add();
  counter.add(4);
  assert.equal(
    registry.text(),
    [
      "# HELP a_total Counts.",
      "# TYPE a_total counter",
      "a_total 5",
      "# HELP b Reads.",
      "# TYPE b gauge",
      'b{name="say \\"x\\"\\\\\\n"} 2',
      "",
    ].join("\n"),
  );
});

test("a histogram counts every measurement in its bound and all above it", () => {
  const registry = new MetricsRegistry();
  const histogram = registry.histogram("h", "Measures.", [1, 2]);
  for (const value of [0.5, 1, 1.5, 9]) histogram.observe(value);
  const lines = registry.text().split("\n").slice(2, -1);
  assert.deepEqual(lines, [
    'h_bucket{le="1"} 2',
    'h_bucket{le="2"} 3',
    'h_bucket{le="+Inf"} 4',
    "h_sum 12",
    "h_count 4",
  ]);
});

test("two figures cannot have one name", () => {
  const registry = new MetricsRegistry();
  registry.counter("a_total", "Counts.");
  assert.throws(() => registry.read("gauge", "a_total", "Again.", () => 1), /a figure named a_total already/);
});

test("a venue counts what it applies, answers and checks", (t) => {
  const { state } = new Engine();
  const metrics = new VenueMetrics({
    state,
    version: "1.2.3",
    profile: "dev",
    startedAtMs: 1_750_000_000_500,
    replayed: 3,
    folder: undefined,
    history: { backlogBytes: 7, committedSeq: 0, status: "writing" },
    rateCounts: () => undefined,
    failedProofs: () => ({ signature: 0, token: 0 }),
  });
  t.after(() => metrics.close());
  metrics.applied(KIND.place_order, 0);
  metrics.applied(KIND.place_order, refusalNumber("insufficient_balance"));
  metrics.applied(KIND.json, 0);
  metrics.committed(3, 0.15);
  metrics.answered(200, 0, "/v2/ping", 0.7);
  metrics.answered(200, 3109, "/v2/spot/order", 3);
  metrics.answered(200, 4003, "/v2/spot/order", 3);
  metrics.answered(304, -1, "/docs", 1);
  metrics.answered(404, 4004, undefined, 1);
  metrics.checked(0, 2);
  const lines = metrics.text().split("\n");
  for (const line of [
    'bourse_info{version="1.2.3",profile="dev"} 1',
    'bourse_commands_total{kind="place_order",outcome="accepted"} 1',
    'bourse_commands_total{kind="place_order",outcome="insufficient_balance"} 1',
    'bourse_commands_total{kind="administrative",outcome="accepted"} 1',
    'bourse_commands_total{kind="tick",outcome="accepted"} 0',
    "bourse_group_commands_sum 3",
    'bourse_commit_seconds_bucket{le="0.0002"} 1',
    'bourse_http_answers_total{status="200",code="0"} 1',
    'bourse_http_answers_total{status="200",code="3109"} 1',
    'bourse_http_answers_total{status="304",code="none"} 1',
    'bourse_http_seconds_bucket{route="/v2/ping",outcome="ok",le="0.0005"} 0',
    'bourse_http_seconds_bucket{route="/v2/ping",outcome="ok",le="0.001"} 1',
    'bourse_http_seconds_count{route="/v2/spot/order",outcome="refused"} 1',
    'bourse_http_seconds_count{route="/v2/spot/order",outcome="failed"} 1',
    'bourse_http_seconds_count{route="/docs",outcome="ok"} 1',
    'bourse_http_seconds_count{route="none",outcome="refused"} 1',
    "bourse_start_time_seconds 1750000000.5",
    "bourse_replayed_commands 3",
    "bourse_history_backlog_bytes 7",
    "bourse_open_orders 0",
    "bourse_invariant_breaches 0",
  ]) {
    assert.ok(lines.includes(line), line);
  }
  assert.ok(!lines.some((line) => line.includes("NaN")), "every figure is a number");
  const form = /^(# (HELP|TYPE) [a-z_]+ .+|[a-z_]+(\{[a-z_]+="[^"]*"(,[a-z_]+="[^"]*")*\})? [0-9.e+-]+)$/;
  assert.deepEqual(
    lines.slice(0, -1).filter((line) => !form.test(line)),
    [],
  );
});
