import type { Command } from "../../engine/command.ts";
import { Engine, type Outcome } from "../../engine/engine.ts";
import { decodeEvents, type EngineEvent } from "../../engine/event.ts";
import { loadSnapshot, takeSnapshot } from "../../engine/snapshot.ts";
import { devVenueCommands } from "../dev-venue.ts";
import { MarketSimulation, type SimulationOptions } from "../market-simulation.ts";
import type { Venue } from "../venue.ts";

export const START_MS = 1_750_000_000_000;
const KEY = { accessId: "a", secretCipher: "opaque" };

/** A venue without log and listeners: an engine that applies each command at once, and a clock in the test's hand. */
export class Floor implements Venue {
  engine = new Engine();
  isBusy = false;
  /** What `submit` answers. */
  isOpen = true;
  timeMs = START_MS;
  /** Everything submitted, and which of it was refused. */
  readonly commands: Command[] = [];
  readonly refused: Command[] = [];
  /** Looks at the events of each command before they are forgotten. */
  onEvents: (events: EngineEvent[]) => void = () => {};

  get state() {
    return this.engine.state;
  }

  now(): number {
    return this.timeMs;
  }

  submit(command: Command, applied: (outcome: Outcome) => void): boolean {
    if (!this.isOpen) return false;
    this.commands.push(command);
    const outcome = this.engine.execute(command, { seq: this.state.seq + 1, timeMs: this.timeMs });
    if (outcome.refusal !== 0) this.refused.push(command);
    applied(outcome);
    this.onEvents([...decodeEvents(this.engine.events)]);
    this.engine.events.clear();
    return true;
  }

  /** As a person or operator would: throws when it is refused. */
  must(command: Command): Outcome {
    let answer: Outcome | undefined;
    this.submit(command, (outcome) => {
      answer = { ...outcome };
    });
    if (answer?.refusal !== 0) throw new Error(`Refused: ${answer?.detail ?? answer?.refusal}`);
    return answer;
  }

  /** Stops the engine and starts another one from its snapshot. */
  restart(): void {
    const next = new Engine();
    loadSnapshot(next.state, takeSnapshot(this.state), this.state.seq, this.state.timeMs);
    this.engine = next;
  }
}

/** The dev profile's venue, just made. */
export function devFloor(): Floor {
  const floor = new Floor();
  const keys = { alice: { ...KEY, accessId: "alice-key" }, bob: { ...KEY, accessId: "bob-key" } };
  for (const command of devVenueCommands(keys)) floor.must(command);
  floor.commands.length = 0;
  return floor;
}

/** A simulation of that venue; a mistake in it fails the test. */
export function simulationOf(floor: Floor, options: Partial<SimulationOptions> = {}): MarketSimulation {
  return new MarketSimulation(floor, {
    seed: 1,
    onFault: (error) => {
      throw error;
    },
    ...options,
  });
}

/** Lets the simulation live for `ms` in steps of 200 ms. */
export function run(floor: Floor, simulation: MarketSimulation, ms: number): void {
  for (const endMs = floor.timeMs + ms; floor.timeMs < endMs; ) {
    floor.timeMs += 200;
    simulation.step(floor.timeMs);
  }
}
