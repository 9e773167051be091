import { EventAudit } from "../../src/engine/audit/event-audit.ts";
import type { Command } from "../../src/engine/command.ts";
import { Engine } from "../../src/engine/engine.ts";
import { checkInvariants } from "../../src/engine/invariants.ts";
import { compareAll, compareOutcome } from "./compare.ts";
import { ModelVenue } from "./model/venue.ts";
import { commandOf, type Step } from "./step.ts";

/** How closely a run is watched: everything is compared, and invariants and events looked at, every so many commands. */
export interface Watch {
  readonly everythingEvery: number;
  readonly invariantsEvery: number;
  /** Whether the events of each command are audited. */
  readonly audits: boolean;
}

export const CLOSELY: Watch = { everythingEvery: 1, invariantsEvery: 1, audits: true };
export const BRISKLY: Watch = { everythingEvery: 50, invariantsEvery: 200, audits: false };

export interface Failure {
  /** Position of the step after which it showed. */
  readonly at: number;
  readonly command: Command | undefined;
  /** Sentences. */
  readonly differences: readonly string[];
}

export interface Run {
  readonly commands: number;
  /** Undefined: the engine and the model came to the same throughout. */
  readonly failure: Failure | undefined;
  /** How often each refusal was answered, accepted commands under "none", and how often what happened. */
  readonly tally: ReadonlyMap<string, number>;
}

/** Lets a new engine and a new model do these steps, and stops at the first difference. */
export function run(steps: readonly Step[], watch: Watch = CLOSELY): Run {
  const engine = new Engine();
  const model = new ModelVenue();
  const audit = new EventAudit(engine.state, true);
  const tally = new Map<string, number>();
  let timeMs = 1_000;
  let commands = 0;
  for (const [at, step] of steps.entries()) {
    timeMs += step.waitMs;
    const command = commandOf(step, model, timeMs);
    if (command === undefined) continue;
    commands++;
    const differences = tell(engine, model, audit, command, timeMs, watch, commands, at === steps.length - 1);
    if (differences.length > 0) return { commands, failure: { at, command, differences }, tally };
    count(tally, model.outcome.refusal ?? "none");
    for (const event of model.outcome.events) {
      if (event.kind === "deal") {
        count(tally, "deal");
        if (event.deal.taker.deducted || event.deal.maker.deducted) count(tally, "deal with a deducted fee");
      }
      if (event.kind === "stop") count(tally, `stop ${event.event}`);
      if (event.kind === "order" && event.event === "finish") count(tally, event.order.status);
    }
  }
  return { commands, failure: undefined, tally };
}

function count(tally: Map<string, number>, name: string): void {
  tally.set(name, (tally.get(name) ?? 0) + 1);
}

function tell(
  engine: Engine,
  model: ModelVenue,
  audit: EventAudit,
  command: Command,
  timeMs: number,
  watch: Watch,
  done: number,
  isLast: boolean,
): string[] {
  engine.events.clear();
  let outcome: ReturnType<Engine["execute"]>;
  try {
    outcome = engine.execute(command, { seq: engine.state.seq + 1, timeMs });
  } catch (error) {
    return [`The engine threw: ${error instanceof Error ? error.stack : error}`];
  }
  const told = model.apply(command, timeMs);
  const differences = compareOutcome(engine, outcome, model, told);
  if (watch.audits) {
    differences.push(...audit.check(engine.events, outcome.from, outcome.to));
    if (done % watch.everythingEvery === 0) differences.push(...audit.compare());
  }
  if (isLast || done % watch.everythingEvery === 0) differences.push(...compareAll(engine, model));
  if (isLast || done % watch.invariantsEvery === 0) differences.push(...checkInvariants(engine.state));
  return differences;
}
