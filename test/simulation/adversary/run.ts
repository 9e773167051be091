import type { Command } from "../../../src/engine/command.ts";
import { refusalIn } from "../../../src/engine/engine.ts";
import { decodeEvents } from "../../../src/engine/event.ts";
import { checkInvariants } from "../../../src/engine/invariants.ts";
import { type Failure, type Run, threw } from "../world.ts";
import { Judge } from "./judge.ts";
import { Stage } from "./stage.ts";
import type { Action, PlayStep } from "./step.ts";

/** Lets a new venue do these steps, and stops at the first that breaks the law. */
export function runPlay(steps: readonly PlayStep[], closely: boolean, rulesVersion?: number): Run {
  const stage = new Stage(rulesVersion);
  const judge = new Judge(stage);
  const tally = new Map<string, number>();
  const count = (name: string) => tally.set(name, (tally.get(name) ?? 0) + 1);
  let timeMs = 0;
  let commands = 0;
  let failure: Failure | undefined;
  for (const [at, step] of steps.entries()) {
    timeMs += step.waitMs;
    const { action } = step;
    if (action.do === "restart") stage.restart();
    for (const command of commandsOf(stage, judge, action)) {
      const differences: string[] = [];
      judge.look(timeMs, command);
      try {
        const { engine } = stage;
        engine.events.clear();
        const outcome = engine.execute(command, { seq: engine.state.seq + 1, timeMs });
        commands++;
        const refusal = refusalIn(outcome);
        count(refusal ?? "none");
        if (refusal === undefined && !OTHERS.has(step.by)) count(`did ${command.kind}`);
        const events = [...decodeEvents(engine.events, outcome.from, outcome.to)];
        for (const event of events) if (event.kind === "json" && COUNTED.has(event.event.type)) count(event.event.type);
        differences.push(...judge.judge(events));
        if (closely || at === steps.length - 1) differences.push(...checkInvariants(engine.state));
      } catch (error) {
        differences.push(threw(error));
      }
      if (differences.length > 0) failure = { at, command, differences };
      if (failure !== undefined) break;
    }
    if (failure !== undefined) break;
  }
  for (const { name } of judge.allFunds) count(`play of ${name}`);
  return { commands, failure, tally, gains: judge.figures() };
}

/** What time brings about comes before the fair prices move: they are told as they do. */
function* commandsOf(stage: Stage, judge: Judge, action: Action): Generator<Command> {
  if (action.do === "prices") {
    yield { kind: "tick" };
    judge.movePrices(action.ppm);
  }
  yield* stage.commandsOf(action);
}

/** Who is no strategy. */
const OTHERS = new Set(["venue", "feed", "honest"]);

const COUNTED = new Set<string>([
  "liquidated",
  "deleveraged",
  "funding_collected",
  "index_stale",
  "account_lifted",
  "margin_liquidation",
  "auction_uncrossed",
  "maintenance_started",
]);
