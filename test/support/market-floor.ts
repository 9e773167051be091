import type { Command, PlaceOrder } from "../../src/engine/command.ts";
import { Engine, type Outcome } from "../../src/engine/engine.ts";
import { decodeEvents, type EngineEvent, type OrderRecord } from "../../src/engine/event.ts";
import type { Market } from "../../src/engine/listing/market.ts";
import { loadSnapshot, takeSnapshot } from "../../src/engine/snapshot.ts";
import { readOrder } from "../../src/engine/trading/emit.ts";
import { NONE } from "../../src/engine/trading/order.ts";
import type { SimulatedMarket } from "../../src/lab/market/dev-markets.ts";
import { devVenueCommands } from "../../src/lab/market/dev-venue.ts";
import { MarketSimulation, type SimulationOptions } from "../../src/lab/market/market-simulation.ts";
import type { Venue } from "../../src/lab/market/venue.ts";

export const START_MS = 1_750_000_000_000;
const KEY = { accessId: "a", secretCipher: "opaque" };

/** A venue without log and listeners: an engine that applies each command at once, and a clock in the test's hand. */
export class Floor implements Venue {
  engine = new Engine();
  isBusy = false;
  /** What `submit` answers. */
  isOpen = true;
  /** Commands wait for `apply` instead, as they wait for the log in a real venue. */
  isDelayed = false;
  readonly #waiting: { readonly command: Command; readonly applied: (outcome: Outcome) => void }[] = [];
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
    if (this.isDelayed) this.#waiting.push({ command, applied });
    else this.#apply(command, applied);
    return true;
  }

  /** Applies what has waited. */
  apply(): void {
    for (const { command, applied } of this.#waiting.splice(0)) this.#apply(command, applied);
  }

  #apply(command: Command, applied: (outcome: Outcome) => void): void {
    const outcome = this.engine.execute(command, { seq: this.state.seq + 1, timeMs: this.timeMs });
    if (outcome.refusal !== 0) this.refused.push(command);
    applied(outcome);
    this.onEvents([...decodeEvents(this.engine.events)]);
    this.engine.events.clear();
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
export function devFloor(spotMarkets?: number): Floor {
  const floor = new Floor();
  const keys = { alice: { ...KEY, accessId: "alice-key" }, bob: { ...KEY, accessId: "bob-key" } };
  for (const command of devVenueCommands(keys, spotMarkets)) floor.must(command);
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

/** The id of a user or market by its name. */
export function userId(floor: Floor, name: string): number {
  return floor.state.users.byName.get(name) as number;
}
export function marketOf(floor: Floor, market: MarketName): Market {
  const [name, contract] = typeof market === "string" ? [market] : [market.market, market.contract];
  return floor.state.marketNamed(name, contract !== undefined) as Market;
}

/** A spot market by its name, or any of the dev profile's. */
export type MarketName = string | Pick<SimulatedMarket, "market" | "contract">;

/** Resting orders of a user in a market, as records, oldest first. */
export function restingOf(floor: Floor, name: string, market: MarketName): OrderRecord[] {
  const { state } = floor;
  const seat = state.seats.find(userId(floor, name), marketOf(floor, market).id, 0);
  const records: OrderRecord[] = [];
  for (let slot = seat === NONE ? NONE : state.seats.head(seat); slot !== NONE; slot = state.orders.seatNext(slot)) {
    records.push(readOrder(state, slot));
  }
  return records;
}

/** An order in lots and ticks. */
export function order(floor: Floor, name: string, market: MarketName, rest: Partial<PlaceOrder>): PlaceOrder {
  return {
    kind: "place_order",
    userId: userId(floor, name),
    marketId: marketOf(floor, market).id,
    account: "spot",
    side: "buy",
    type: "limit",
    amountIn: "base",
    amount: 0n,
    price: 0n,
    hidden: false,
    stpMode: "none",
    clientId: "",
    ...rest,
  };
}

/** Lets the simulation live for `ms` in steps of 200 ms. */
export function run(floor: Floor, simulation: MarketSimulation, ms: number): void {
  for (const endMs = floor.timeMs + ms; floor.timeMs < endMs; ) {
    floor.timeMs += 200;
    simulation.step(floor.timeMs);
  }
}
