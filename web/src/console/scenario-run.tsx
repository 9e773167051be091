/**
 * The scenario that plays on the venue, or the last one: its steps as they come, what was expected, and the verdict.
 */
import { For, Show } from "solid-js";
import { ReadFault } from "../ui/read-state.tsx";
import { ActButtons } from "./act-buttons.tsx";
import type { Row } from "./area.ts";
import { createReading } from "./reading.ts";
import { Time } from "./record.tsx";

const BEAT_MS = 1_000;

const VERDICTS: Readonly<Record<string, { readonly tone: string; readonly words: string }>> = {
  playing: { tone: "", words: "plays" },
  passed: { tone: "good", words: "came true" },
  missed: { tone: "bad", words: "did not come true" },
  failed: { tone: "bad", words: "could not be played to its end" },
  stopped: { tone: "", words: "was stopped" },
};
/** Signs beside the words, which are read aloud. */
const SIGNS: Readonly<Record<string, string>> = { done: "✓", now: "▸", missed: "✗", "ended here": "■" };
const NO_SIGN = "·";

interface Step {
  readonly step: number;
  readonly does: string;
  readonly standing: string;
}

interface Check {
  readonly step: number;
  readonly name: string;
  readonly ok: boolean;
  readonly sentence: string;
}

export function ScenarioRun() {
  const newest = createReading<Row>(() => ({ path: "/admin/scenario-runs", query: { limit: 1 } }), BEAT_MS);
  const runId = () => newest.data()?.["scenario_runs"][0]?.["run_id"] as number | undefined;
  const reading = createReading<Row>(
    () => (runId() === undefined ? undefined : { path: `/admin/scenario-runs/${runId()}` }),
    BEAT_MS,
  );
  return (
    <Show
      when={reading.data()}
      fallback={
        <Show when={newest.fault() !== "" ? newest : reading.fault() !== "" ? reading : undefined}>
          {(failed) => (
            <p class="fault">
              <ReadFault state={failed()} />
            </p>
          )}
        </Show>
      }
    >
      {(run) => <Run of={run()} />}
    </Show>
  );
}

function Run(props: { of: Row }) {
  const verdict = () => VERDICTS[props.of["status"]] ?? { tone: "", words: props.of["status"] };
  const isPlaying = () => props.of["status"] === "playing";
  const steps = () => props.of["steps"] as readonly Step[];
  const checksOf = (step: number) => (props.of["checks"] as readonly Check[]).filter((check) => check.step === step);
  return (
    <section class="scenario" aria-label={`Run ${props.of["run_id"]} of ${props.of["scenario"]}`}>
      <div class={`card books ${verdict().tone}`} role="status">
        <div>
          <p class="books-head">
            {props.of["title"]} {verdict().words}.
          </p>
          <p class="note">
            {isPlaying()
              ? `Step ${props.of["step"]} of ${steps().length}, with ${props.of["bot"]} as the bot.`
              : props.of["sentence"]}
          </p>
          <p class="note quiet">
            Run {props.of["run_id"]}, by {props.of["actor"]}, since <Time at={props.of["started_at"]} />
            <Show when={props.of["ended_at"]}>
              {(at) => (
                <>
                  {" "}
                  to <Time at={at()} />
                </>
              )}
            </Show>
          </p>
        </div>
        <Show when={isPlaying()}>
          <ActButtons
            acts={[
              {
                word: "Stop scenario",
                call: "DELETE /admin/scenario-runs/RUN_ID",
                says: "The scenario takes back its orders and ends. What it has changed otherwise stays.",
                fixed: { run_id: props.of["run_id"] },
                isDangerous: true,
              },
            ]}
          />
        </Show>
      </div>
      <ol class="card steps">
        <For each={steps()}>
          {({ step, does, standing }) => (
            <li class={standing.replaceAll(" ", "-")} aria-current={standing === "now" ? "step" : undefined}>
              <span class="step-sign" aria-hidden="true">
                {SIGNS[standing] ?? NO_SIGN}
              </span>
              <div>
                {does} <span class="visually-hidden">{standing}</span>
                <For each={checksOf(step)}>
                  {({ name, ok, sentence }) => <p class={ok ? "good" : "bad"}>{ok ? `✓ ${name}` : `✗ ${sentence}`}</p>}
                </For>
              </div>
            </li>
          )}
        </For>
      </ol>
    </section>
  );
}
