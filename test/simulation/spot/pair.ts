import { EventAudit } from "../../../src/engine/audit/event-audit.ts";
import type { Command } from "../../../src/engine/command.ts";
import type { Engine } from "../../../src/engine/engine.ts";
import { checkInvariants } from "../../../src/engine/invariants.ts";
import { loadSnapshot, takeSnapshot } from "../../../src/engine/snapshot.ts";
import { checkedEngine } from "../../support/checked-scratch.ts";
import { SPOT_PARTS } from "../parts.ts";
import { type Run, threw } from "../world.ts";
import { compareOutcome } from "./compare-outcome.ts";
import { differInto } from "./compare-records.ts";
import type { ModelOutcome } from "./model/records.ts";
import { ModelVenue } from "./model/venue.ts";
import { commandOf, type Step } from "./step.ts";

/** How closely a run is watched: what happens every so many commands. */
export interface Watch {
  /** Everything is compared. */
  readonly everythingEvery: number;
  readonly invariantsEvery: number;
  /** A new engine takes over from a snapshot of the last one. */
  readonly restoreEvery: number;
  /** Whether the events of each command are audited. */
  readonly audits: boolean;
}

export const CLOSELY: Watch = { everythingEvery: 1, invariantsEvery: 1, restoreEvery: 37, audits: true };
export const BRISKLY: Watch = { everythingEvery: 50, invariantsEvery: 200, restoreEvery: 331, audits: false };

/** Lets a new engine and a new model do these steps, and stops at the first difference. */
export function run(steps: readonly Step[], watch: Watch = CLOSELY): Run {
  const pair = new Pair(watch);
  const tally = new Map<string, number>();
  let timeMs = 1_000;
  for (const [at, step] of steps.entries()) {
    timeMs += step.waitMs;
    const command = commandOf(step, pair.model, timeMs);
    const differences = pair.tell(command, timeMs);
    if (at === steps.length - 1) differences.push(...pair.compareAll());
    if (differences.length > 0) return { commands: pair.commands, failure: { at, command, differences }, tally };
    for (const name of namesOf(pair.model.outcome)) tally.set(name, (tally.get(name) ?? 0) + 1);
  }
  return { commands: pair.commands, failure: undefined, tally };
}

/** The engine and the model, side by side. */
class Pair {
  readonly model = new ModelVenue();
  commands = 0;
  private readonly watch: Watch;
  private engine = checkedEngine();
  private audit = new EventAudit(this.engine.state, true);

  constructor(watch: Watch) {
    this.watch = watch;
  }

  /** Tells both of a command; what then differs. */
  tell(command: Command, timeMs: number): string[] {
    const { watch, model } = this;
    const done = ++this.commands;
    if (done % watch.restoreEvery === 0) this.restore();
    const { engine, audit } = this;
    engine.events.clear();
    let outcome: ReturnType<Engine["execute"]>;
    try {
      outcome = engine.execute(command, { seq: engine.state.seq + 1, timeMs });
    } catch (error) {
      return [threw(error)];
    }
    const told = model.apply(command, timeMs);
    const differences = compareOutcome(engine, outcome, model, told);
    if (watch.audits) {
      differences.push(...audit.check(engine.events, outcome.from, outcome.to));
      if (done % watch.everythingEvery === 0) differences.push(...audit.compare());
    }
    if (done % watch.everythingEvery === 0) differences.push(...this.compareParts());
    if (done % watch.invariantsEvery === 0) differences.push(...checkInvariants(engine.state));
    return differences;
  }

  compareAll(): string[] {
    return [...this.compareParts(), ...checkInvariants(this.engine.state)];
  }

  /** What differs anywhere in the two venues. */
  private compareParts(): string[] {
    const differences: string[] = [];
    for (const { compare } of SPOT_PARTS) compare?.(this.engine.state, this.model, differInto(differences));
    return differences;
  }

  /** Goes on with an engine that knows what a snapshot says and nothing else. */
  private restore(): void {
    const { state } = this.engine;
    this.engine = checkedEngine();
    loadSnapshot(this.engine.state, takeSnapshot(state), state.seq, state.timeMs);
    this.audit = new EventAudit(this.engine.state, true);
  }
}

/** What the tally counts of a command. */
function* namesOf({ refusal, auctions, interruptions, events }: ModelOutcome): Generator<string> {
  yield refusal ?? "none";
  if (auctions > 0) yield "auction that traded";
  if (interruptions > 0) yield "interruption";
  for (const event of events) {
    if (event.kind === "deal") yield "deal";
    if (event.kind === "deal" && (event.deal.taker.deducted || event.deal.maker.deducted))
      yield "deal with a deducted fee";
    if (event.kind === "stop") yield `stop ${event.event}`;
    if (event.kind === "order" && event.event === "finish") yield event.order.status;
  }
}
