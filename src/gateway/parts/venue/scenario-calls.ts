/** Scenarios that are played on a dev venue by the venue itself. */
import type { AdminScenarios, ScenarioRow, ScenarioRun } from "../../admin/backend.ts";
import { type AdminAnswer, type AdminCall, call, execute } from "../../admin/call.ts";
import { optional, required, text, whole } from "../../admin/field.ts";
import { pageFields, pageOf } from "../../admin/page.ts";
import { invalidParameter } from "../../refused.ts";

const DEV_ONLY = "scenarios are played in the dev profile only: they make prices, and move the clock.";
const PACE_MS = 100;
const PACE_MS_MAX = 60_000;
const RUN_ID_MAX = 2 ** 31 - 1;
const runId = required(whole("RUN_ID", 1, RUN_ID_MAX), "the run");

function withScenarios(
  scenarios: AdminScenarios | undefined,
  use: (scenarios: AdminScenarios) => AdminAnswer | Promise<AdminAnswer>,
): AdminAnswer | Promise<AdminAnswer> {
  return scenarios === undefined ? invalidParameter(DEV_ONLY) : use(scenarios);
}

const list = call({
  method: "GET",
  path: "/admin/scenarios",
  verbs: { "scenario list": "Show the scenarios that a dev venue can play on itself." },
  fields: {},
  serve: ({ scenarios }) => withScenarios(scenarios, (its) => ({ scenarios: its.list().map(shownScenario) })),
});

const start = call({
  method: "POST",
  path: "/admin/scenario-runs",
  verbs: {
    "scenario start":
      "Let a dev venue play a scenario on itself, against a bot that trades there; one plays at a time. In its " +
      "markets the simulated market pauses meanwhile.",
  },
  fields: {
    scenario: required(text("NAME", 1, 64), "the file, without its ending, as scenario list shows it"),
    bot: optional(text("NAME", 1, 64), "the user whose account is looked at, instead of the file's"),
    pace_ms: optional(
      whole("MS", 0, PACE_MS_MAX),
      `what a bot has of real time between two ticks of a virtual clock; ${PACE_MS} unless given`,
    ),
  },
  serve: (backend, { scenario, bot, pace_ms = PACE_MS }) =>
    withScenarios(backend.scenarios, (its) => {
      const run = its.start({ scenario, bot, paceMs: pace_ms }, backend.operator);
      if (typeof run === "string") return invalidParameter(run);
      const told = `scenario ${scenario} begins as run ${run.runId}, with the bot ${run.bot}`;
      return execute(backend, { kind: "note", text: told }, () => shownRun(run));
    }),
});

const listRuns = call({
  method: "GET",
  path: "/admin/scenario-runs",
  verbs: {
    "scenario runs": "Show which scenario a dev venue plays, and what came of those before it, since its start.",
  },
  fields: { ...pageFields },
  serve: ({ scenarios }, values) =>
    withScenarios(scenarios, (its) => pageOf("scenario_runs", its.runs(), values, shownRun)),
});

const show = call({
  method: "GET",
  path: "/admin/scenario-runs/RUN_ID",
  verbs: { "scenario show": "Show how far a scenario has come: its steps, and what was expected." },
  fields: { run_id: runId },
  serve: ({ scenarios }, { run_id }) =>
    withScenarios(scenarios, (its) => {
      const run = its.runs().find((each) => each.runId === run_id);
      return run === undefined ? invalidParameter(`there is no run ${run_id}.`) : shownWhole(run);
    }),
});

const stop = call({
  method: "DELETE",
  path: "/admin/scenario-runs/RUN_ID",
  verbs: { "scenario stop": "End a scenario before its time." },
  fields: { run_id: runId },
  serve: (backend, { run_id }) =>
    withScenarios(backend.scenarios, (its) => {
      if (!its.stop(run_id)) return invalidParameter(`run ${run_id} does not play.`);
      return execute(backend, { kind: "note", text: `run ${run_id} is to stop` }, () => ({ run_id }));
    }),
});

function shownScenario({ longestMs, name, ...row }: ScenarioRow) {
  return { scenario: name, ...row, longest_seconds: longestMs / 1_000 };
}

function shownRun({ runId: run_id, startedAtMs, endedAtMs, steps, checks, ...run }: ScenarioRun) {
  const missed = checks.filter(({ ok }) => !ok).length;
  const times = { started_at: startedAtMs, ended_at: endedAtMs ?? null };
  return { run_id, ...run, steps: steps.length, came_true: checks.length - missed, missed, ...times };
}

function shownWhole(run: ScenarioRun) {
  const steps = run.steps.map((does, at) => ({ step: at + 1, does, standing: statusOf(at + 1, run) }));
  return { ...shownRun(run), steps, checks: run.checks };
}

function statusOf(step: number, { checks, status, step: reached }: ScenarioRun): string {
  if (checks.some((check) => check.step === step && !check.ok)) return "missed";
  if (step < reached) return "done";
  if (step > reached) return status === "playing" ? "to come" : "not reached";
  if (status === "playing") return "now";
  return status === "failed" || status === "stopped" ? "ended here" : "done";
}

export const SCENARIO_CALLS: readonly AdminCall[] = [list, start, listRuns, show, stop];
