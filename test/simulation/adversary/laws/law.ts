import type { Command } from "../../../../src/engine/command.ts";
import type { EngineEvent, OrderRecord } from "../../../../src/engine/event.ts";
import type { Funds } from "../funds.ts";
import type { Stage } from "../stage.ts";

/** What all laws look at. */
export interface Court {
  readonly stage: Stage;
  /** Users that no strategy owns. */
  isHonest(userId: number): boolean;
  fundsOf(userId: number): Funds | undefined;
  /** A list, since a law goes through them more than once. */
  readonly allFunds: readonly Funds[];
  /** Whether a market waits for its index. */
  isSilent(marketId: number): boolean;
  /** An order as its last event told it. */
  order(orderId: number): OrderRecord | undefined;
}

/** Something that no play may bring about. One of each for a play. */
export interface Law {
  /** Before a command, which comes at that time. */
  look?(timeMs: number, command: Command): void;
  /** Before and after the fair prices move. */
  pricesMove?(): () => void;
  see?(event: EngineEvent): void;
  /** After a command: what it did against the law, as sentences. */
  judge(): string[];
  /** What it measured, by name, in USDT: of each name the greatest of all plays counts. */
  figures?(): Iterable<readonly [string, number]>;
}

export type LawMaker = (court: Court) => Law;

/** Whether an event may change what anybody is worth; what is frozen or freed is still its owner's. */
export function movesMoney(event: EngineEvent): boolean {
  if (event.kind === "posting") return event.available + event.frozen !== 0n;
  return event.kind === "deal" || event.kind === "position";
}
