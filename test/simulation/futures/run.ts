import { EventAudit } from "../../../src/engine/audit/event-audit.ts";
import type { Command } from "../../../src/engine/command.ts";
import { type Engine, refusalIn } from "../../../src/engine/engine.ts";
import { decodeEvents, type EngineEvent } from "../../../src/engine/event.ts";
import { checkInvariants } from "../../../src/engine/invariants.ts";
import { loadSnapshot, takeSnapshot } from "../../../src/engine/snapshot.ts";
import { checkedEngine } from "../../support/checked-scratch.ts";
import { type Run, threw } from "../world.ts";
import { compareFigures, compareHealth, compareMoney, compareStored, learn } from "./compare.ts";
import { PlainFutures } from "./plain/venue.ts";
import { commandNow, type FuturesStep } from "./step.ts";

/** How closely a run is watched: what happens every so many commands. Positions and money are compared after each. */
export interface FuturesWatch {
  readonly invariantsEvery: number;
  readonly figuresEvery: number;
  readonly restoreEvery: number;
}

export const ALL: FuturesWatch = { invariantsEvery: 1, figuresEvery: 1, restoreEvery: 37 };
export const SAMPLED: FuturesWatch = { invariantsEvery: 10, figuresEvery: 5, restoreEvery: 331 };

/** Lets a new engine and the venue that is kept by hand do these steps, and stops at the first difference. */
export function runFutures(steps: readonly FuturesStep[], watch: FuturesWatch = ALL): Run {
  const tally = new Map<string, number>();
  const plain = new PlainFutures();
  let engine = checkedEngine();
  let audit = new EventAudit(engine.state, true);
  let timeMs = 1_000;
  for (const [at, step] of steps.entries()) {
    const done = at + 1;
    if (done % watch.restoreEvery === 0) {
      const { state } = engine;
      engine = checkedEngine();
      loadSnapshot(engine.state, takeSnapshot(state), state.seq, state.timeMs);
      audit = new EventAudit(engine.state, true);
      learn(plain, engine.state);
    }
    timeMs += step.waitMs + (step.passMs ?? 0);
    const command = commandNow(step, engine.state, timeMs);
    const differences: string[] = [];
    try {
      const heard = tell(engine, command, timeMs, tally);
      differences.push(...audit.check(engine.events, engine.outcome.from, engine.outcome.to));
      if (heard.length > 0) {
        differences.push(...plain.follow(command, heard));
        learn(plain, engine.state);
        if (differences.length === 0) differences.push(...compareStored(plain, engine.state));
        if (differences.length === 0) differences.push(...compareHealth(plain, engine.state));
        differences.push(...compareMoney(engine.state));
      }
      differences.push(...plain.minutes.follow(command.kind === "tick", timeMs, heard));
      const isLast = done === steps.length;
      if (isLast || done % watch.figuresEvery === 0) differences.push(...compareFigures(plain, engine.state));
      if (isLast || done % watch.invariantsEvery === 0) {
        differences.push(...audit.compare(), ...checkInvariants(engine.state));
      }
    } catch (error) {
      differences.push(threw(error));
    }
    if (differences.length > 0) return { commands: done, failure: { at, command, differences }, tally };
  }
  return { commands: steps.length, failure: undefined, tally };
}

/** Tells the engine of a command; what happened, counted. */
function tell(engine: Engine, command: Command, timeMs: number, tally: Map<string, number>): EngineEvent[] {
  engine.events.clear();
  const outcome = engine.execute(command, { seq: engine.state.seq + 1, timeMs });
  const events = [...decodeEvents(engine.events, outcome.from, outcome.to)];
  const names = [refusalIn(outcome) ?? "none", ...namesOf(events)];
  for (const name of names) tally.set(name, (tally.get(name) ?? 0) + 1);
  return events;
}

/** What the tally counts of what happened. */
function* namesOf(events: readonly EngineEvent[]): Generator<string> {
  const closed = new Map<number, number>();
  for (const event of events) {
    if (event.kind === "deal") yield "deal";
    if (event.kind === "stop") yield `stop ${event.event}`;
    if (event.kind === "json" && event.event.type === "exit") yield `exit ${event.event.event}`;
    if (event.kind === "json" && COUNTED.has(event.event.type)) yield event.event.type;
    if (event.kind !== "position") continue;
    yield `position ${event.reason}`;
    if (event.finishedType !== "") yield `position ended by ${event.finishedType}`;
    // One order that ends a position and opens the next has flipped it.
    if (event.finishedType !== "" && event.orderId > 0) closed.set(event.orderId, event.userId);
    if (event.reason === "increase" && closed.get(event.orderId) === event.userId) yield "flip";
  }
}

const COUNTED = new Set<string>([
  "funding_collected",
  "liquidated",
  "deleveraged",
  "clearing_closed",
  "risk_alert",
  "funding_interval",
  "index_stale",
  "account_lifted",
  "transferred",
  "maintenance_started",
]);
